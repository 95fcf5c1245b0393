"""Networks for browsers: their files, and what the compiled functions decide with them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.arrays_files import read_arrays
from tests.bots.test_network import some_network
from tests.bots.test_players import TABLES, decisions, lineup_of
from tests.small_players import SmallPlayers, apart, as_rounded

from macaz.bots import Limit, browser_network, expert
from macaz.bots.browser import small_weights
from macaz.bots.compiled import layout as of
from macaz.bots.compiled.numbers import exp
from macaz.bots.compiled.program import guide_of, players, working_memory
from macaz.bots.learned import evaluate, sense
from macaz.bots.network import BadNetwork, Network, packaged, packaged_network
from macaz.bots.styled import counted_state, known_state
from macaz.game.view import View
from macaz.kernel.layout import CHOOSE, HELD, UNKNOWN, WORD_BITS, dtype_of

NETWORKS = [(name, seats) for name, seats in TABLES if name.partition("+")[0] in packaged()]
CLOSE = 1e-3  # scores in single precision are accurate to a tenth of this


def network_of(edition: str) -> Network:
    return packaged_network(edition.partition("+")[0])


def positions(edition: str, seats: int, every: int = 1) -> list[View]:
    """The views of the decisions of a game where there is a choice."""
    return [
        game.view(seat)
        for n, (game, seat) in enumerate(decisions(edition, lineup_of(seats, 1), seats))
        if n % every == 0 and len(list(game.legal_moves_of(seat))) > 1
    ]


# -- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", packaged())
def test_a_file_has_the_network_in_a_byte_a_weight(name: str) -> None:
    network, file = packaged_network(name), browser_network(name)
    arrays, about = read_arrays(file)
    assert about == network.about
    small = small_weights(network)
    assert list(arrays) == list(small._fields)
    for field, array in small._asdict().items():
        assert arrays[field].dtype == array.dtype
        assert arrays[field].tobytes() == array.tobytes()
    assert browser_network(name) == file
    weights = sum(layer.weight.size for layer in (network.enter, network.speak))
    weights += sum(layer.weight.size for block in network.blocks for layer in block)
    assert weights < len(file) < 1.05 * weights


def test_each_weight_is_rounded_by_less_than_half_a_step() -> None:
    network = network_of("europe")
    small, rounded = small_weights(network), as_rounded(network)
    steps = small.factors[: len(small.columns)] / network.scales
    off = np.abs(rounded.enter.weight - network.enter.weight)
    assert (off <= 0.501 * steps[:, None]).all()
    assert np.abs(small.weights).max() == 127
    assert (rounded.speak.weight[:, of.WISHES :] == network.speak.weight[:, of.WISHES :]).all()


def test_an_edition_without_a_network_has_no_file() -> None:
    with pytest.raises(BadNetwork, match="Macaz has no network for tiny"):
        browser_network("tiny")


# -- what is computed -----------------------------------------------------------------------------


def test_powers_of_e() -> None:
    for x in np.linspace(-699, 700, 4001).tolist():
        assert exp(x) == pytest.approx(math.exp(x), rel=1e-15, abs=0), x
    assert exp(0.0) == 1
    assert exp(-1e9) == 0


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_what_a_seat_knows_as_a_state(edition: str, seats: int) -> None:
    for view in positions(edition, seats, every=7):
        record, states, counted = view.record, known_state(view), counted_state(view)
        assert (states["hand"].sum(axis=2) == record["hand_size"]).all()
        assert (states["hand"][0, view.seat] == record["hand"][0, view.seat]).all()
        tickets = counted["ticket"][0, : len(view.edition.board.tickets)]
        assert not (tickets == UNKNOWN).any()
        told = record["ticket"][0, : len(tickets)] != UNKNOWN
        assert (tickets[told] == record["ticket"][0, : len(tickets)][told]).all()
        if record["phase"][0] != CHOOSE:
            held = [np.count_nonzero(tickets == HELD + seat) for seat in range(seats)]
            assert held == record["held"][0, :seats].tolist()
        for target in ("plain", "cpu"):
            same = np.zeros(1, dtype_of("state"))
            players(target).tell_known(view.spec.table, record.copy(), same, 1)
            assert same.tobytes() == counted.tobytes()


def outputs(network: Network, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return apart(lambda: SmallPlayers(network).run(rows))


@pytest.mark.parametrize("edition", ["tiny", "europe"])
def test_the_targets_compute_the_same_network(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = some_network(edition)
    views = positions(edition, 2, every=9)
    rows = np.concatenate([sense(view, counted_state(view)).copy() for view in views])
    wishes, values, wins = as_rounded(network).run(rows)
    found = {}
    for target in ("wasm", "cpu", "plain"):
        monkeypatch.setenv("MACAZ_TARGET", target)
        found[target] = outputs(network, rows)
        assert np.abs(found[target][0] - wishes).max() < 1e-4
        assert np.abs(found[target][1][:, 0] - values).max() < 1e-5
        assert np.abs(found[target][1][:, 1] - wins).max() < 1e-5
    for one, other in zip(found["wasm"], found["cpu"], strict=True):
        assert one.tobytes() == other.tobytes()


# -- what is decided ------------------------------------------------------------------------------


def gap(legal: np.ndarray, wishes: np.ndarray) -> float:
    """The difference between the best and the second best score of the legal intents."""
    bits = ((legal[:, None] >> np.arange(WORD_BITS)) & 1).ravel().astype(bool)
    best = np.sort(wishes[: of.INTENTS][bits])
    return float(best[-1] - best[-2]) if len(best) > 1 else math.inf


@pytest.mark.slow
@pytest.mark.portable
@pytest.mark.parametrize("name", packaged())
def test_small_weights_decide_as_the_network_does(name: str) -> None:
    """As NumPy with the same weights; and as the exact weights in nearly all positions."""
    exact = packaged_network(name)
    rounded = as_rounded(exact)

    def compare() -> tuple[int, int]:
        small, count, others = SmallPlayers(exact), 0, 0
        for edition, seats in NETWORKS:
            if edition.partition("+")[0] != name:
                continue
            for view in positions(edition, seats):
                seen, same = evaluate(view, exact), evaluate(view, rounded)
                fixed = (view.spec.table, guide_of(view.spec), seen.states, seen.legal)
                chosen = small.learned(view)
                expected = players().choose_wished(*fixed, same.wishes, view.seat)
                assert np.abs(working_memory().wishes[0] - same.wishes[0]).max() < CLOSE / 10
                assert chosen == expected or gap(seen.legal[0], same.wishes[0]) < CLOSE
                others += chosen != players().choose_wished(*fixed, seen.wishes, view.seat)
                count += 1
        return count, others

    count, others = apart(compare)
    assert count > 500
    assert others < 0.01 * count


@pytest.mark.slow
@pytest.mark.portable
@pytest.mark.parametrize(
    ("edition", "seats", "every"), [("usa", 2, 6), ("europe", 3, 9), ("old-west+alvin", 4, 12)]
)
def test_the_compiled_expert_decides_as_the_one_with_numpy(
    edition: str, seats: int, every: int
) -> None:
    """Where sums are rounded differently, moves of equal value may swap places."""
    exact = network_of(edition)
    rounded, views = as_rounded(exact), positions(edition, seats, every)

    def compare() -> int:
        small, others = SmallPlayers(exact), 0
        for n, view in enumerate(views):
            found = small.expert(view, 48, n)
            limit = Limit(effort=48)
            ranked = expert._rank(view, rounded, limit, n, expert.WEIGHTS, always=False)
            others += found != int(ranked.actions[0])
        return others

    assert len(views) > 20
    assert apart(compare) <= 0.02 * len(views)
