"""What is learned from: endings, how decisions are judged, how likely they were, the network."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from macaz.bots.compiled import layout as of
from macaz.bots.network import about_network, columns_for, read_network, write_network
from macaz.edition import load_edition
from macaz.kernel.layout import SEATS
from macaz.lab.train.games import Lessons
from macaz.lab.train.judge import judge, worth_of
from macaz.lab.train.learner import Learner
from macaz.lab.train.network import Network, allowed, odds_of, perturbed
from macaz.lab.train.progress import win_shares
from macaz.lab.train.seen import SAID, WIN, WORTH, Seen
from macaz.lab.train.settings import Settings

pytestmark = pytest.mark.portable

DRAWS = 16384


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """More of them wait for each other where the machine is busy."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def settings_of(edition: str, seats: tuple[int, ...], games: int, **more: Any) -> Settings:
    return Settings(edition=edition, seats=seats, games=games, device="cpu", **more)


# -- what an ending is worth ----------------------------------------------------------------------


def worths(scores: list[int], shares: list[float], **more: Any) -> list[float]:
    """What one ending is worth to each seat."""
    seats = len(scores)
    settings = settings_of("tiny", (2,), 1, **more)
    rest = SEATS - seats
    found = worth_of(
        torch.tensor([scores + [99] * rest], dtype=torch.int16),  # nobody sits on the others
        torch.tensor([shares + [0.0] * rest]),
        torch.tensor([seats]),
        settings,
    )
    values: list[float] = found[0, :seats].tolist()
    return values


def test_at_two_seats_one_gains_what_the_other_loses() -> None:
    for scores, shares in (([103, 96], [1.0, 0.0]), ([-7, 140], [0.0, 1.0])):
        mine, yours = worths(scores, shares)
        assert mine == pytest.approx(-yours)
        assert (mine > 0) == (shares[0] > 0)
        assert abs(mine) <= 1


def test_a_margin_counts_less_the_larger_it_is() -> None:
    leads = [worths([lead, 0], [1.0, 0.0])[0] for lead in (1, 11, 21, 201, 211)]
    assert leads == sorted(leads)
    assert leads[2] - leads[1] > leads[4] - leads[3] > 0
    assert leads[-1] < 1
    # A margin as large as the scale: half for the win, and half of one over the root of two.
    assert worths([40, 0], [1.0, 0.0], scale=40.0, win=0.5)[0] == pytest.approx(0.5 + 0.5 / 2**0.5)


def test_a_tie_is_worth_nothing_and_a_tie_that_is_broken_the_win() -> None:
    assert worths([88, 88], [0.5, 0.5]) == [0, 0]
    assert worths([88, 88], [1.0, 0.0]) == pytest.approx([0.5, -0.5])


def test_at_five_seats_the_best_of_the_others_counts() -> None:
    found = worths([50, 120, 90, 120, 10], [0, 0.5, 0, 0.5, 0], win=0.0, scale=40.0)
    margins = torch.tensor([-70.0, 0, -30, 0, -110]) / 40
    assert found == pytest.approx((margins / (1 + margins**2).sqrt()).tolist())
    alone = worths([50, 120, 90, 100, 10], [0, 1.0, 0, 0, 0], win=1.0)
    assert alone == pytest.approx([-0.4, 1.6, -0.4, -0.4, -0.4])
    assert sum(alone) == pytest.approx(0)


# -- how decisions are judged ---------------------------------------------------------------------


def some_games(steps: int, games: int, seats: int, seed: int, end: float) -> Seen:
    """Decisions of any seats, of which any end a game."""
    rng = torch.Generator().manual_seed(seed)
    seen = Seen(steps, games, 1, "cpu")
    seen.deciders.copy_(torch.randint(seats, (steps, games), generator=rng))
    seen.values.copy_(torch.randn(steps, games, SAID, generator=rng))
    seen.endings.copy_(torch.randn(steps, games, SEATS, SAID, generator=rng))
    seen.ended.copy_(torch.rand(steps, games, generator=rng) < end)
    seen.learns.copy_(torch.rand(steps, games, generator=rng) < 0.8)
    return seen


def judged(seen: Seen, game: int, step: int, trace: float) -> np.ndarray | None:
    """How much better one decision turned out, by walking on from it; None: nobody knows yet."""
    seat, value = int(seen.deciders[step, game]), seen.values[step, game].numpy()
    for t in range(step, seen.steps):
        if t > step and int(seen.deciders[t, game]) == seat:
            later = judged(seen, game, t, trace)
            gain: np.ndarray = seen.values[t, game].numpy() - value
            return gain if later is None else gain + trace * later
        if bool(seen.ended[t, game]):
            ending: np.ndarray = seen.endings[t, game, seat].numpy() - value
            return ending
    return None


@pytest.mark.parametrize(("seats", "end"), [(2, 0.08), (5, 0.03), (3, 0.0)])
def test_decisions_are_judged_by_what_followed_for_their_seat(seats: int, end: float) -> None:
    seen, trace = some_games(40, 12, seats, seats, end), 0.9
    before = seen.learns.clone()
    judge(seen, trace)
    tails = 0
    for step in range(seen.steps):
        for game in range(seen.games):
            value, gain = seen.values[step, game].numpy(), judged(seen, game, step, trace)
            assert bool(seen.learns[step, game]) == (bool(before[step, game]) and gain is not None)
            if gain is None:
                tails += 1
            else:
                assert float(seen.gains[step, game]) == pytest.approx(gain[WORTH], abs=1e-4)
                assert seen.targets[step, game].numpy() == pytest.approx(value + gain, abs=1e-4)
    assert tails >= seen.games


def test_by_hand() -> None:
    """Two seats, a game that ends with the fourth decision, and one decision of the next."""
    seen = Seen(5, 1, 1, "cpu")
    seen.deciders[:, 0] = torch.tensor([0, 1, 0, 1, 0])
    seen.values[:, 0, WORTH] = torch.tensor([0.1, -0.2, 0.4, -0.5, 0.3])
    seen.ended[3, 0] = True
    seen.endings[3, 0, :2, WORTH] = torch.tensor([1.0, -1.0])
    seen.learns[:] = True
    judge(seen, 0.5)
    # The last of each seat by the ending, the ones before by the next and half of its surprise.
    expected = [0.4 - 0.1 + 0.5 * 0.6, -0.5 + 0.2 + 0.5 * -0.5, 1.0 - 0.4, -1.0 + 0.5, 0.0]
    assert seen.gains[:, 0].tolist() == pytest.approx(expected)
    assert seen.learns[:, 0].tolist() == [True, True, True, True, False]


# -- how likely decisions are ---------------------------------------------------------------------


def same_games(edition: str, games: int) -> Lessons:
    """One game, in every place."""
    lessons = Lessons(settings_of(edition, (2,), games, past=0.0, scripted=0.0), "cpu")
    lessons.numbers[:] = 0
    lessons.begin()
    return lessons


def hints_of(lessons: Lessons) -> torch.Tensor:
    rows = lessons.rows.numpy().view(of.dtypes["sense"]).reshape(-1)
    hints = np.concatenate([rows["hint"], rows["hint_color"]], axis=1)
    return torch.from_numpy(hints.astype(np.float32))


@pytest.mark.parametrize("edition", ["usa-classic", "europe"])
def test_what_is_done_is_a_fair_draw_by_the_odds(edition: str) -> None:
    """Chi-square over thousands of draws at one position, where lanes can be paid in many ways."""
    torch.manual_seed(3)
    lessons = same_games(edition, DRAWS)
    for _ in range(24):  # cards are gathered, and nothing is claimed
        lessons.wishes.zero_()
        lessons.wishes[:, : of.I_BLIND + 1] = torch.linspace(2, 1, of.I_BLIND + 1)
        lessons.step()
    assert (lessons.rows == lessons.rows[0]).all()
    wishes = torch.randn(of.WISHES).expand(DRAWS, of.WISHES)
    legal = lessons.legal.clone()
    lessons.wishes.copy_(perturbed(wishes))
    lessons.step()
    odds = odds_of(wishes, legal, lessons.payable, lessons.intents, lessons.colors)
    pairs = list(zip(lessons.intents.tolist(), lessons.colors.tolist(), strict=True))
    seen, likely = Counter(pairs), dict(zip(pairs, odds.taken.exp().tolist(), strict=True))
    assert 0.99 < sum(likely.values()) < 1 + 1e-4
    assert max(Counter(intent for intent, _ in likely).values()) >= 3, "colours to choose from"
    often = {pair: DRAWS * p for pair, p in likely.items() if DRAWS * p >= 5}
    assert len(often) > 10
    square = sum((seen[pair] - n) ** 2 / n for pair, n in often.items())
    freedom = len(often) - 1
    assert square < freedom + 4 * (2 * freedom) ** 0.5
    # The other side of it: wishes that were not the ones are found out.
    wrong = wishes * 0.8
    other = odds_of(wrong, legal, lessons.payable, lessons.intents, lessons.colors).taken.exp()
    unlikely = dict(zip(pairs, (DRAWS * other).tolist(), strict=True))
    assert sum((seen[p] - unlikely[p]) ** 2 / unlikely[p] for p in often) > 2 * square


def test_the_openness_of_a_choice() -> None:
    """The logarithm of the number of equal choices; nothing where there is none."""
    legal = torch.zeros(2, of.INTENT_WORDS, dtype=torch.int64)
    legal[0, 0], legal[0, 3] = 0b111, 1 << 59
    legal[1, 4] = 1
    assert allowed(legal).sum(1).tolist() == [4, 1]
    none = torch.zeros(2, dtype=torch.int16)
    intents = torch.tensor([1, 4 * 60])
    odds = odds_of(torch.zeros(2, of.WISHES), legal, none, intents, none - 1)
    assert odds.entropy.tolist() == pytest.approx([np.log(4), 0])
    assert odds.taken.tolist() == pytest.approx([-np.log(4), 0])


# -- the network ----------------------------------------------------------------------------------


def any_network(edition: str) -> Network:
    """A network with numbers of no meaning everywhere."""
    torch.manual_seed(5)
    network = Network(*columns_for(load_edition(edition)), 48, 2, 6.0)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return network


@pytest.mark.parametrize(("edition", "seats"), [("europe", (2, 5)), ("old-west", (4,))])
def test_the_network_that_is_written_says_what_the_learning_one_says(
    edition: str, seats: tuple[int, ...]
) -> None:
    """Of rows from real games, from the first decisions to the last ones."""
    network = any_network(edition)
    played = network.as_played(about_network(load_edition(edition)))
    file = io.BytesIO()
    write_network(file, played)
    file.seek(0)
    from_file = read_network(file)
    lessons = Lessons(settings_of(edition, seats, 32, scripted=0.0), "cpu")
    lessons.begin()
    for step in range(160):
        if step % 20 == 0:
            with torch.no_grad():
                said = network(network.read(lessons.rows))
            for other, near in ((played, 1e-4), (from_file, 3e-2)):
                wishes, worth, win = other.run(lessons.rows.numpy())
                assert wishes == pytest.approx(said.wishes.numpy(), abs=near)
                assert worth == pytest.approx(said.worth.numpy(), abs=near)
                assert win == pytest.approx(said.win.sigmoid().numpy(), abs=near)
        lessons.wishes.copy_(perturbed(4 * hints_of(lessons)))
        lessons.step()


def test_an_untrained_network_trusts_the_planner() -> None:
    lessons = same_games("europe", 4)
    network = Network(*columns_for(load_edition("europe")), 16, 1, 6.0)
    with torch.no_grad():
        wishes = network(network.read(lessons.rows)).wishes
    assert (wishes - 6.0 * hints_of(lessons))[:, : of.INTENTS].abs().max() < 0.5


def test_the_league_keeps_the_first_self_and_the_latest_ones() -> None:
    settings = settings_of("tiny", (2,), 8, steps=2, league=3)
    learner = Learner(settings, any_network("tiny"), "cpu")
    for n in range(5):
        learner.network.trust.data[0] = n
        learner.remember()
    first, *latest = (float(past["trust"][0]) for past in learner.past)
    assert first == pytest.approx(6.0, abs=1)
    assert latest == [3, 4]


def test_past_selves_are_not_learned_from_and_decide_by_themselves() -> None:
    """A past self that wishes for one thing only does it; the learner does not."""
    settings = settings_of("tiny", (2,), 64, steps=6, past=1.0, scripted=0.0)
    learner = Learner(settings, any_network("tiny"), "cpu")
    only = {name: value.clone() for name, value in learner.past[0].items()}
    only["speak.bias"][of.I_BLIND] = 1000.0
    learner.past = [only]
    learner.iterate(0.0, warm=False)
    seen, lessons = learner._seen, learner.lessons
    theirs = lessons.players.long().gather(1, seen.deciders.T).T == 1
    may = allowed(seen.legal.view(-1, of.INTENT_WORDS)).view(*theirs.shape, -1)[..., of.I_BLIND]
    blind = seen.intents == of.I_BLIND
    assert theirs.any()
    assert blind[theirs & may].all()
    assert not blind[~theirs & may].all()
    assert not (seen.learns & theirs).any()


@pytest.mark.parametrize("seats", [(2,), (3,)])
def test_an_even_share_is_a_half_at_every_table(seats: tuple[int, ...]) -> None:
    settings = settings_of("tiny", seats, 64, steps=2, past=0.5, scripted=0.5)
    learner = Learner(settings, any_network("tiny"), "cpu")
    seen = learner._seen
    seen.ended[:] = True
    seen.endings[..., WIN] = (1 / learner.lessons.seats).view(1, -1, 1)
    found = win_shares(learner._results())
    assert found == pytest.approx({"playout": 0.5, "racer": 0.5, "past": 0.5})
    # All wins, and none: the share of the learner is the whole, and nothing.
    for wins, share in ((learner._learns.float(), 1.0), ((~learner._learns).float(), 0.0)):
        seen.endings[..., WIN] = wins / wins.sum(1, keepdim=True)
        assert set(win_shares(learner._results()).values()) == {share}
