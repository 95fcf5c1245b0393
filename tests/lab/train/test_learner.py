"""Utilities, advantages, likelihoods, and the network itself."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from tests.lab.train.runs import settings_of

from macaz.bots.compiled import layout as of
from macaz.bots.network import about_network, columns_for, read_network, write_network
from macaz.edition import load_edition
from macaz.kernel.layout import SEATS
from macaz.lab.train.advantages import estimate_advantages, utility_of
from macaz.lab.train.games import TrainingEnvs
from macaz.lab.train.learner import Learner
from macaz.lab.train.network import Network, add_gumbel_noise, legal_mask, likelihood_of
from macaz.lab.train.progress import win_shares
from macaz.lab.train.rollout import UTILITY, VALUES, WIN, Rollout

pytestmark = pytest.mark.portable

DRAWS = 16384


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """More threads would wait for each other on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


# -- utility --------------------------------------------------------------------------------------


def utilities(scores: list[int], shares: list[float], **more: Any) -> list[float]:
    """The utility of one result for each seat."""
    seats = len(scores)
    settings = settings_of("tiny", (2,), 1, **more)
    rest = SEATS - seats
    found = utility_of(
        torch.tensor([scores + [99] * rest], dtype=torch.int16),  # others are absent
        torch.tensor([shares + [0.0] * rest]),
        torch.tensor([seats]),
        settings,
    )
    values: list[float] = found[0, :seats].tolist()
    return values


def test_at_two_seats_one_gains_what_the_other_loses() -> None:
    for scores, shares in (([103, 96], [1.0, 0.0]), ([-7, 140], [0.0, 1.0])):
        mine, yours = utilities(scores, shares)
        assert mine == pytest.approx(-yours)
        assert (mine > 0) == (shares[0] > 0)
        assert abs(mine) <= 1


def test_a_margin_counts_less_the_larger_it_is() -> None:
    leads = [utilities([lead, 0], [1.0, 0.0])[0] for lead in (1, 11, 21, 201, 211)]
    assert leads == sorted(leads)
    assert leads[2] - leads[1] > leads[4] - leads[3] > 0
    assert leads[-1] < 1
    # A margin equal to the scale: half for the win, and half of one over the root of two.
    assert utilities([40, 0], [1.0, 0.0], scale=40.0, win=0.5)[0] == pytest.approx(
        0.5 + 0.5 / 2**0.5
    )


def test_a_tie_is_worth_nothing_and_a_tie_that_is_broken_the_win() -> None:
    assert utilities([88, 88], [0.5, 0.5]) == [0, 0]
    assert utilities([88, 88], [1.0, 0.0]) == pytest.approx([0.5, -0.5])


def test_at_five_seats_the_best_of_the_others_counts() -> None:
    found = utilities([50, 120, 90, 120, 10], [0, 0.5, 0, 0.5, 0], win=0.0, scale=40.0)
    margins = torch.tensor([-70.0, 0, -30, 0, -110]) / 40
    assert found == pytest.approx((margins / (1 + margins**2).sqrt()).tolist())
    alone = utilities([50, 120, 90, 100, 10], [0, 1.0, 0, 0, 0], win=1.0)
    assert alone == pytest.approx([-0.4, 1.6, -0.4, -0.4, -0.4])
    assert sum(alone) == pytest.approx(0)


# -- advantages -----------------------------------------------------------------------------------


def some_games(steps: int, games: int, seats: int, seed: int, end: float) -> Rollout:
    """Random decisions of random seats, some of which end a game."""
    rng = torch.Generator().manual_seed(seed)
    rollout = Rollout(steps, games, 1, "cpu")
    rollout.deciders.copy_(torch.randint(seats, (steps, games), generator=rng))
    rollout.values.copy_(torch.randn(steps, games, VALUES, generator=rng))
    rollout.endings.copy_(torch.randn(steps, games, SEATS, VALUES, generator=rng))
    rollout.ended.copy_(torch.rand(steps, games, generator=rng) < end)
    rollout.learns.copy_(torch.rand(steps, games, generator=rng) < 0.8)
    return rollout


def advantage_of(rollout: Rollout, game: int, step: int, trace: float) -> np.ndarray | None:
    """The advantage of one decision, by following the game; None if it has no successor."""
    seat, value = int(rollout.deciders[step, game]), rollout.values[step, game].numpy()
    for t in range(step, rollout.steps):
        if t > step and int(rollout.deciders[t, game]) == seat:
            later = advantage_of(rollout, game, t, trace)
            gain: np.ndarray = rollout.values[t, game].numpy() - value
            return gain if later is None else gain + trace * later
        if bool(rollout.ended[t, game]):
            ending: np.ndarray = rollout.endings[t, game, seat].numpy() - value
            return ending
    return None


@pytest.mark.parametrize(("seats", "end"), [(2, 0.08), (5, 0.03), (3, 0.0)])
def test_advantages_follow_the_decisions_of_a_seat(seats: int, end: float) -> None:
    rollout, trace = some_games(40, 12, seats, seats, end), 0.9
    before = rollout.learns.clone()
    estimate_advantages(rollout, trace)
    tails = 0
    for step in range(rollout.steps):
        for game in range(rollout.games):
            value, gain = (
                rollout.values[step, game].numpy(),
                advantage_of(rollout, game, step, trace),
            )
            assert bool(rollout.learns[step, game]) == (
                bool(before[step, game]) and gain is not None
            )
            if gain is None:
                tails += 1
            else:
                assert float(rollout.advantages[step, game]) == pytest.approx(
                    gain[UTILITY], abs=1e-4
                )
                assert rollout.targets[step, game].numpy() == pytest.approx(value + gain, abs=1e-4)
    assert tails >= rollout.games


def test_advantages_by_hand() -> None:
    """Two seats, a game that ends with the fourth decision, and one decision of the next."""
    rollout = Rollout(5, 1, 1, "cpu")
    rollout.deciders[:, 0] = torch.tensor([0, 1, 0, 1, 0])
    rollout.values[:, 0, UTILITY] = torch.tensor([0.1, -0.2, 0.4, -0.5, 0.3])
    rollout.ended[3, 0] = True
    rollout.endings[3, 0, :2, UTILITY] = torch.tensor([1.0, -1.0])
    rollout.learns[:] = True
    estimate_advantages(rollout, 0.5)
    # The last of each seat from the ending, the others from the next value and half of its
    # advantage.
    expected = [0.4 - 0.1 + 0.5 * 0.6, -0.5 + 0.2 + 0.5 * -0.5, 1.0 - 0.4, -1.0 + 0.5, 0.0]
    assert rollout.advantages[:, 0].tolist() == pytest.approx(expected)
    assert rollout.learns[:, 0].tolist() == [True, True, True, True, False]


# -- likelihood -----------------------------------------------------------------------------------


def same_games(edition: str, games: int) -> TrainingEnvs:
    """The same game in every slot."""
    envs = TrainingEnvs(settings_of(edition, (2,), games, past=0.0, scripted=0.0), "cpu")
    envs.numbers[:] = 0
    envs.begin()
    return envs


def hints_of(envs: TrainingEnvs) -> torch.Tensor:
    rows = envs.rows.numpy().view(of.dtypes["sense"]).reshape(-1)
    hints = np.concatenate([rows["hint"], rows["hint_color"]], axis=1)
    return torch.from_numpy(hints.astype(np.float32))


@pytest.mark.parametrize("edition", ["usa-classic", "europe"])
def test_actions_are_drawn_from_the_policy(edition: str) -> None:
    """Chi-square over thousands of draws at one position, where lanes can be paid in many ways."""
    torch.manual_seed(3)
    envs = same_games(edition, DRAWS)
    for _ in range(24):  # cards are gathered, and nothing is claimed
        envs.logits.zero_()
        envs.logits[:, : of.I_BLIND + 1] = torch.linspace(2, 1, of.I_BLIND + 1)
        envs.step()
    assert (envs.rows == envs.rows[0]).all()
    logits = torch.randn(of.WISHES).expand(DRAWS, of.WISHES)
    legal = envs.legal.clone()
    envs.logits.copy_(add_gumbel_noise(logits))
    envs.step()
    likelihood = likelihood_of(logits, legal, envs.payable, envs.intents, envs.colors)
    pairs = list(zip(envs.intents.tolist(), envs.colors.tolist(), strict=True))
    seen, likely = Counter(pairs), dict(zip(pairs, likelihood.log_prob.exp().tolist(), strict=True))
    assert 0.99 < sum(likely.values()) < 1 + 1e-4
    assert max(Counter(intent for intent, _ in likely).values()) >= 3, "colours to choose from"
    often = {pair: DRAWS * p for pair, p in likely.items() if DRAWS * p >= 5}
    assert len(often) > 10
    square = sum((seen[pair] - n) ** 2 / n for pair, n in often.items())
    freedom = len(often) - 1
    assert square < freedom + 4 * (2 * freedom) ** 0.5
    # And wrong logits fail the same check.
    wrong = logits * 0.8
    other = likelihood_of(wrong, legal, envs.payable, envs.intents, envs.colors).log_prob.exp()
    unlikely = dict(zip(pairs, (DRAWS * other).tolist(), strict=True))
    assert sum((seen[p] - unlikely[p]) ** 2 / unlikely[p] for p in often) > 2 * square


def test_entropy_of_a_choice() -> None:
    """The logarithm of the number of equal choices; nothing where there is none."""
    legal = torch.zeros(2, of.INTENT_WORDS, dtype=torch.int64)
    legal[0, 0], legal[0, 3] = 0b111, 1 << 59
    legal[1, 4] = 1
    assert legal_mask(legal).sum(1).tolist() == [4, 1]
    none = torch.zeros(2, dtype=torch.int16)
    intents = torch.tensor([1, 4 * 60])
    likelihood = likelihood_of(torch.zeros(2, of.WISHES), legal, none, intents, none - 1)
    assert likelihood.entropy.tolist() == pytest.approx([np.log(4), 0])
    assert likelihood.log_prob.tolist() == pytest.approx([-np.log(4), 0])


# -- the network ----------------------------------------------------------------------------------


def any_network(edition: str) -> Network:
    """A network with random weights."""
    torch.manual_seed(5)
    network = Network(*columns_for(load_edition(edition)), 48, 2, 6.0)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return network


@pytest.mark.parametrize(("edition", "seats"), [("europe", (2, 5)), ("old-west", (4,))])
def test_the_saved_network_gives_the_outputs_of_the_trained_one(
    edition: str, seats: tuple[int, ...]
) -> None:
    """For observations from real games, from the first decisions to the last ones."""
    network = any_network(edition)
    played = network.as_played(about_network(load_edition(edition)))
    file = io.BytesIO()
    write_network(file, played)
    file.seek(0)
    from_file = read_network(file)
    envs = TrainingEnvs(settings_of(edition, seats, 32, scripted=0.0), "cpu")
    envs.begin()
    for step in range(160):
        if step % 20 == 0:
            with torch.no_grad():
                output = network(network.read(envs.rows))
            for other, near in ((played, 1e-4), (from_file, 3e-2)):
                logits, utility, win = other.run(envs.rows.numpy())
                assert logits == pytest.approx(output.logits.numpy(), abs=near)
                assert utility == pytest.approx(output.utility.numpy(), abs=near)
                assert win == pytest.approx(output.win.sigmoid().numpy(), abs=near)
        envs.logits.copy_(add_gumbel_noise(4 * hints_of(envs)))
        envs.step()


def test_an_untrained_network_trusts_the_planner() -> None:
    envs = same_games("europe", 4)
    network = Network(*columns_for(load_edition("europe")), 16, 1, 6.0)
    with torch.no_grad():
        logits = network(network.read(envs.rows)).logits
    assert (logits - 6.0 * hints_of(envs))[:, : of.INTENTS].abs().max() < 0.5


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
    """A past self with one dominant logit plays that action; the learner does not."""
    settings = settings_of("tiny", (2,), 64, steps=6, past=1.0, scripted=0.0)
    learner = Learner(settings, any_network("tiny"), "cpu")
    only = {name: value.clone() for name, value in learner.past[0].items()}
    only["speak.bias"][of.I_BLIND] = 1000.0
    learner.past = [only]
    learner.iterate(0.0, warm=False)
    rollout, envs = learner._rollout, learner.envs
    theirs = envs.players.long().gather(1, rollout.deciders.T).T == 1
    may = legal_mask(rollout.legal.view(-1, of.INTENT_WORDS)).view(*theirs.shape, -1)[
        ..., of.I_BLIND
    ]
    blind = rollout.intents == of.I_BLIND
    assert theirs.any()
    assert blind[theirs & may].all()
    assert not blind[~theirs & may].all()
    assert not (rollout.learns & theirs).any()


@pytest.mark.parametrize("seats", [(2,), (3,)])
def test_an_even_share_is_a_half_at_every_table(seats: tuple[int, ...]) -> None:
    settings = settings_of("tiny", seats, 64, steps=2, past=0.5, scripted=0.5)
    learner = Learner(settings, any_network("tiny"), "cpu")
    rollout = learner._rollout
    rollout.ended[:] = True
    rollout.endings[..., WIN] = (1 / learner.envs.seats).view(1, -1, 1)
    found = win_shares(learner._results())
    assert found == pytest.approx({"playout": 0.5, "racer": 0.5, "past": 0.5})
    # All wins, and none: the share of the learner is the whole, and nothing.
    for wins, share in ((learner._learns.float(), 1.0), ((~learner._learns).float(), 0.0)):
        rollout.endings[..., WIN] = wins / wins.sum(1, keepdim=True)
        assert set(win_shares(learner._results()).values()) == {share}
