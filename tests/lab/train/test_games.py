"""Training games: equal on every target, and games of the kernel."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from tests.lab.train.runs import settings_of

from macaz.bots.compiled import layout as of
from macaz.bots.compiled.program import guide_of
from macaz.bots.styles import style_of
from macaz.edition import load_edition
from macaz.kernel.compile import compiled, kernel
from macaz.kernel.gpu import gpu_problem
from macaz.kernel.layout import MOST_EVENTS, OVER, SEATS, dtype_of
from macaz.kernel.plain import plain
from macaz.kernel.spec import Spec, compile_spec
from macaz.lab.train.compiled.lessons import LEARNER, PAST_SELF, SCRIPTED, LessonArrays
from macaz.lab.train.games import SCRIPTS, TrainingEnvs, tables_of
from macaz.lab.train.program import PROGRAM

PROBLEM = gpu_problem()
TABLES = [("tiny", 2), ("usa", 4), ("europe", 3), ("old-west+alvin", 6)]
SHOWN = ("rows", "legal", "deciders", "scripts", "numbers", "ended")
DONE = ("intents", "colors", "payable", "shares", "scores")


def hinted(envs: TrainingEnvs, generator: torch.Generator) -> torch.Tensor:
    """Logits that mostly follow the planner's hints, so that games end soon."""
    rows = envs.rows.cpu().numpy().view(of.dtypes["sense"]).reshape(-1)
    hints = np.concatenate([rows["hint"], rows["hint_color"]], axis=1).astype(np.float32)
    return torch.from_numpy(4 * hints) + torch.randn(hints.shape, generator=generator)


class Target:
    """Three games on one target: of the learner alone, against its past self, against a racer."""

    players = ([LEARNER] * SEATS, [LEARNER, PAST_SELF] * (SEATS // 2), [LEARNER, 3] * (SEATS // 2))

    def __init__(self, spec: Spec, target: str, fill: int) -> None:
        """`fill` is the initial content of the working memory, which must not matter."""
        n = len(self.players)
        self.run, self.spec = compiled(PROGRAM, target), spec
        self.records: dict[str, np.ndarray] = {
            "states": np.zeros(n, dtype_of("state")),
            "dice": np.zeros(n, dtype_of("dice")),
            "rows": np.zeros(n, of.dtypes["sense"]),
        }
        self.arrays: dict[str, np.ndarray] = {
            "numbers": np.arange(n) - n,
            "deciders": np.zeros(n, np.int8),
            "players": np.array(self.players, np.int8),
            "scripts": np.zeros(n, np.int32),
            "legal": np.zeros((n, of.INTENT_WORDS), np.int64),
            "wishes": np.zeros((n, of.WISHES), np.float32),
            "intents": np.zeros(n, np.int16),
            "colors": np.zeros(n, np.int8),
            "payable": np.zeros(n, np.int16),
            "shares": np.zeros((n, SEATS), np.float32),
            "scores": np.zeros((n, SEATS), np.int16),
            "ended": np.zeros(n, np.bool_),
        }
        work = {name: np.zeros(1, dtype_of(name)) for name in ("work", "tally")}
        work["mind"] = np.zeros(1, of.dtypes["mind"])
        for array in work.values():
            array.view(np.int8)[:] = fill
        styles = np.concatenate([style_of(name, spec) for name in ("playout", *SCRIPTS)])
        words = self.records["rows"].view(np.int64).reshape(n, -1)
        self.given = (
            spec.table,
            guide_of(spec),
            styles,
            LessonArrays._make(
                (
                    self.records["states"],
                    self.records["dice"],
                    *self.arrays.values(),
                    words,
                    self.records["rows"],
                )
            ),
            work["work"],
            work["mind"],
            work["tally"],
        )

    def step(self, *, begin: bool) -> dict[str, bytes]:
        """The contents of all arrays afterwards."""
        self.run.teach_games(*self.given, 0, len(self.players), 0, 11, int(begin))
        both = self.records | self.arrays
        return {name: array.tobytes() for name, array in both.items()}


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_plain_and_compiled_games_are_the_same(edition: str, seats: int) -> None:
    """Over hundreds of decisions, whatever the working memory contains."""
    spec = compile_spec(load_edition(edition), seats)
    targets = Target(spec, "cpu", 0), Target(spec, "plain", 85)
    rng = np.random.default_rng(seats)
    for step in range(300):
        logits = rng.normal(size=targets[0].arrays["wishes"].shape)
        for target in targets:
            target.arrays["wishes"][:] = logits
        ours, theirs = (target.step(begin=step == 0) for target in targets)
        assert [n for n, found in ours.items() if found != theirs[n]] == [], f"step {step}"


class Replay:
    """The same games, from their numbers and the decisions, by the kernel alone."""

    def __init__(self, spec: Spec, seed: int) -> None:
        self.spec, self.seed, self.run = spec, seed, kernel()
        self.state, self.work, self.tally, self.dice = (
            np.zeros(1, dtype_of(name)) for name in ("state", "work", "tally", "dice")
        )
        self.events = np.zeros(MOST_EVENTS, dtype_of("event"))
        self.out = self.work[0]["counts"]

    def begin(self, number: int) -> None:
        self.run.new_series_game(self.spec.table, self.state, 0, self.dice, self.seed, number, -1)
        self._roll()

    def act(self, action: int) -> None:
        assert self.run.is_legal(self.spec.table, self.state, 0, self.work, action)
        self.run.act(self.spec.table, self.state, 0, action, self.events)
        self._roll()

    def _roll(self) -> None:
        self.run.choose_nth(self.spec.table, self.state, 0, self.work, self.dice, -1)

    @property
    def over(self) -> bool:
        return int(self.state["phase"][0]) == OVER

    @property
    def seat(self) -> int:
        return int(self.run.to_move(self.spec.table, self.state, 0))

    def result(self) -> tuple[list[int], list[float]]:
        """Points, and shares of the win."""
        self.run.tally_up(self.spec.table, self.state, 0, self.work, self.tally)
        seats = range(self.spec.seats)
        winners = [p for p in seats if int(self.tally["winners"][0]) >> p & 1]
        return (
            [int(self.tally["total"][0, p]) for p in seats],
            [1 / len(winners) if p in winners else 0 for p in seats],
        )


@pytest.mark.parametrize(
    ("edition", "seats", "steps"), [("tiny", (2, 3), 120), ("old-west", (2, 5), 500)]
)
def test_the_games_are_those_that_the_kernel_plays(
    edition: str, seats: tuple[int, ...], steps: int
) -> None:
    """Every decision is legal, every ending is scored, and the next game is the next of a series.

    The kernel plays along from the numbers of the games and from what was decided.
    """
    settings = settings_of(edition, seats, 20, past=0.3, scripted=0.4, seed=4)
    envs = TrainingEnvs(settings, "cpu")
    envs.begin()
    intents = compiled(PROGRAM, "plain")
    generator = torch.Generator().manual_seed(1)
    replays = [
        Replay(slots.spec, 100 * settings.seed + n)
        for n, slots in enumerate(envs.tables)
        for _ in range(slots.size)
    ]
    assert len(replays) == settings.games
    for slots in envs.tables:
        assert envs.numbers[slots.span].tolist() == list(range(slots.size))
    for replay, number in zip(replays, envs.numbers.tolist(), strict=True):
        replay.begin(number)
    ended, scripted = [0] * len(envs.tables), 0
    for _ in range(steps):
        before = {name: getattr(envs, name).tolist() for name in ("deciders", "scripts")}
        assert before["deciders"] == [replay.seat for replay in replays]
        numbers = envs.numbers.tolist()
        envs.logits.copy_(hinted(envs, generator))
        envs.step()
        for i, replay in enumerate(replays):
            seat, action = before["deciders"][i], before["scripts"][i]
            if envs.players[i, seat] < SCRIPTED:
                action = intents.action_of(
                    plain(replay.spec.table)[0],
                    plain(guide_of(replay.spec))[0],
                    plain(replay.state)[0],
                    seat,
                    int(envs.intents[i]),
                    int(envs.colors[i]),
                )
            else:
                scripted += 1
            replay.act(action)
            assert bool(envs.ended[i]) == replay.over
            if replay.over:
                [table] = [n for n, p in enumerate(envs.tables) if p.start <= i < p.stop]
                ended[table] += 1
                there = replay.spec.seats
                points, shares = replay.result()
                assert envs.scores[i, :there].tolist() == points
                assert envs.shares[i, :there].tolist() == pytest.approx(shares)
                assert int(envs.numbers[i]) == numbers[i] + envs.tables[table].size
                replay.begin(int(envs.numbers[i]))
    assert min(ended) > 0
    assert scripted > steps


def test_every_kind_of_table_has_its_slots_and_its_players() -> None:
    settings = settings_of("old-west", (2, 3), 400, past=0.2, scripted=0.1)
    envs = TrainingEnvs(settings, "cpu")
    kinds = [(p.spec.edition.id, p.spec.edition.options, p.spec.seats) for p in envs.tables]
    assert len(set(kinds)) == len(tables_of(settings)) == 4
    assert [p.size for p in envs.tables] == [133, 134, 66, 67]
    assert envs.tables[0].start == 0
    assert envs.tables[-1].stop == settings.games
    for slots in envs.tables:
        seats = slots.spec.seats
        players = envs.players[slots.span, :seats].numpy()
        past = (players == PAST_SELF).any(1)
        scripted = (players >= SCRIPTED).any(1)
        assert past.sum() == round(0.2 * slots.size)
        assert scripted.sum() == round(0.1 * slots.size)
        assert (players == LEARNER).any(1).all()
        assert ((players == LEARNER).sum(1) == 1)[scripted].all()
        assert set(players[scripted].max(1)) == {SCRIPTED, SCRIPTED + 1}
        assert not (past & scripted).any()


def test_a_series_can_go_on() -> None:
    """From another number on there are other games, reproducibly."""

    def rows(first: int) -> bytes:
        envs = TrainingEnvs(settings_of("tiny", (2,), 8), "cpu", first)
        envs.begin()
        assert envs.numbers.tolist() == list(range(first, first + 8))
        return bytes(envs.rows.numpy())

    assert rows(16) == rows(16)
    assert rows(16) != rows(0)


def test_any_seed_makes_games() -> None:
    """The largest numbers that the command line accepts, with several kinds of tables."""
    envs = TrainingEnvs(settings_of("tiny", (2, 3), 8, seed=2**63 - 1), "cpu")
    envs.begin()
    assert envs.legal.any(1).all()


@pytest.mark.gpu
@pytest.mark.skipif(PROBLEM is not None, reason=str(PROBLEM))
@pytest.mark.parametrize(("edition", "seats"), [("usa", 2), ("europe", 4), ("old-west", 3)])
def test_a_gpu_plays_the_same_games(edition: str, seats: int) -> None:
    """Byte for byte, over some hundred decisions in each slot."""
    settings = settings_of(edition, (seats,), 96, past=0.3, scripted=0.3)
    ours, theirs = TrainingEnvs(settings, "cpu"), TrainingEnvs(settings, "cuda")
    generator = torch.Generator().manual_seed(1)
    finished = torch.zeros(settings.games, dtype=torch.bool)
    for envs in (ours, theirs):
        envs.begin()
    for step in range(400):
        for name in (*SHOWN, *DONE):
            mine, yours = getattr(ours, name), getattr(theirs, name).cpu()
            assert torch.equal(mine, yours), f"{name} differ after {step} steps"
        logits = hinted(ours, generator)
        for envs in (ours, theirs):
            envs.logits.copy_(logits)
            envs.step()
        finished |= ours.ended
    assert finished.any()
