"""Comparisons of moves: their figures agree with each other, and can be found again."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import hypot
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.arrange import arrange
from tests.help.positions import TABLES, Position, played, positions

from macaz.bots import Limit, cancellation
from macaz.bots.compiled.layout import NOTHING
from macaz.game.view import View
from macaz.game.worlds import sample_world
from macaz.help import comparison
from macaz.help.comparison import Comparison, compare
from macaz.help.compiled import layout as at
from macaz.help.compiled.program import analysis
from macaz.help.compiled.rank import corrected
from macaz.kernel import layout as kernel
from macaz.kernel.spec import compile_spec

SOME = Limit(effort=200)
FIGURES = ("chance", "error", "loss", "doubt", "margin", "spread", "chances", "rank", "dropped")


@cache
def compared(edition: str, seats: int) -> tuple[tuple[Position, Comparison], ...]:
    """Comparisons in positions of a game."""
    return tuple(
        (one, compare(one.view, one.legal, limit=SOME, seed=3))
        for one in positions(edition, seats, 6)
    )


def facts(line: Any) -> bytes:
    """What was counted in the tries of a move."""
    counted = [name for name in at.dtypes["line"].names or () if name not in (*FIGURES, "prior")]
    return b"".join(line[name].tobytes() for name in counted if name != "kept")


def go_on(found: Comparison, each: int, workers: int) -> Comparison:
    found._go_on(each, workers)
    return found


# -- figures ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_moves_come_in_the_order_of_their_figures(edition, seats):
    for position, found in compared(edition, seats):
        best, *_ = lines = found.ranked
        assert lines["rank"].tolist() == list(range(len(lines)))
        assert best["loss"] == 0
        assert best["dropped"] == 0
        assert set(lines["action"].tolist()) <= set(position.actions)
        for line in lines:
            assert 0 <= line["chance"] <= 1
            assert line["loss"] >= 0
            assert line["chance"] == pytest.approx(best["chance"] - line["loss"])
            assert line["error"] > 0
            assert line["chances"][position.seat] == pytest.approx(line["chance"])
            assert line["chances"][:seats].sum() == pytest.approx(1)
        for good, other in pairwise(lines):
            assert good["chance"] >= other["chance"]
            assert good["loss"] <= other["loss"]


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_what_was_counted_adds_up(edition, seats):
    for position, found in compared(edition, seats):
        record, seat, spec = position.view.record[0], position.seat, position.view.spec
        taken = {lane for lane in spec.route_of_lane if claimed(record, lane)}
        for line in found.lines:
            tries = line["tries"]
            assert (line["done"] <= line["held"]).all()
            assert (line["held"] <= tries).all()
            assert (line["soon"] <= line["ever"]).all()
            assert (line["ever"].sum(axis=0) <= tries).all()
            assert not line["ever"][:, sorted(taken)].any()
            assert (line["needed"] <= tries).all()
            assert (line["built"] <= tries).all()
            assert line["won"][:seats].sum() == at.WHOLE * tries
            parts = ("routes", "tickets", "longest", "stations", "globetrotter", "alvin")
            assert sum(line[part] for part in parts) == line["points"][seat]
            own = np.flatnonzero(record["ticket"] == kernel.HELD + seat)
            assert (line["held"][own] == tries).all()
            assert line["missed"] >= 0
            assert line["turns"] >= 0


def claimed(record: Any, lane: int) -> bool:
    word, bit = divmod(lane, kernel.WORD_BITS)
    return any(int(words[word]) >> bit & 1 for words in record["claimed"])


def test_the_same_question_has_the_same_answer_within_the_error_that_is_shown():
    """The figures of two seeds differ by about one standard error of the difference."""
    gaps: list[float] = []
    for edition, seats in TABLES:
        for position in positions(edition, seats, 6)[1:]:
            one, other = (Comparison(position.view, position.legal, seed=seed) for seed in (1, 2))
            one.run(2)
            other.run(2)
            for line, again in zip(one.lines, other.lines, strict=True):
                assert line["action"] == again["action"]
                error = hypot(line["error"], again["error"])
                gaps.append((line["chance"] - again["chance"]) / error)
    assert len(gaps) > 100
    assert np.mean(np.abs(gaps) > 3) < 0.01
    assert np.sqrt(np.mean(np.square(gaps))) < 1.2


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_the_loss_of_a_move_is_known_within_its_doubt(edition, seats):
    gaps: list[float] = []
    for position, found in compared(edition, seats):
        both = tuple(found.ranked["action"][:2].tolist())
        if len(both) < 2:
            continue
        ahead = []
        for seed in (1, 2):
            two = Comparison(position.view, position.legal, seed=seed, only=both)
            two.run(3)
            gap = float(two.line_of(both[0])["chance"] - two.line_of(both[1])["chance"])
            ahead.append((gap, float(two.lines["doubt"].max())))
        gaps.append((ahead[0][0] - ahead[1][0]) / hypot(ahead[0][1], ahead[1][1]))
    assert len(gaps) > 2
    assert np.abs(gaps).max() < 3.5


# -- tries -----------------------------------------------------------------------------------------


def test_a_try_is_the_same_on_any_worker_and_whatever_is_compared():
    for edition, seats in TABLES:
        position = positions(edition, seats, 6)[3]
        view, legal = position.view, position.legal
        whole = Comparison(view, legal, seed=5)
        whole.run(2)
        for each, workers in ((16, 2), (8, 4), (4, 3), (1, 5)):
            parts = Comparison(view, legal, seed=5)
            while parts.lines["tries"].max() < 32:
                go_on(parts, min(each, 32 - parts._made), min(workers, (32 - parts._made) // each))
            assert parts.lines.tobytes() == whole.lines.tobytes(), (each, workers)
        # The same move meets the same worlds with the same luck whatever it is compared with.
        action = int(whole.leader["action"])
        alone = Comparison(view, legal, seed=5, only=(action,))
        alone.run(2)
        assert facts(alone.lines[0]) == facts(whole.leader)
        other = Comparison(view, legal, seed=6, only=(action,))
        other.run(2)
        assert facts(other.lines[0]) != facts(whole.leader)


@pytest.mark.portable
def test_what_cannot_be_told_apart_is_compared_alike():
    rng = np.random.default_rng(4)
    for edition, seats in TABLES:
        for position, found in compared(edition, seats)[::2]:
            state = sample_world(position.view, rng)
            view = View.of(position.view.spec, state, position.seat)
            again = compare(view, position.legal, limit=SOME, seed=3)
            assert again.lines.tobytes() == found.lines.tobytes()


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_plain_python_finds_the_same_as_webassembly(edition, seats):
    for position in positions(edition, seats, 6)[3::2]:
        few = Limit(effort=12)
        found = []
        for target in ("wasm", "plain"):
            one = Comparison(position.view, position.legal, seed=5, target=target)
            one.spend(few)
            found.append((one.lines.tobytes(), one.results.tobytes()))
        assert found[0] == found[1]


@pytest.mark.slow
def test_native_code_finds_the_same_as_webassembly():
    for edition, seats in TABLES:
        for position, found in compared(edition, seats)[1::2]:
            most = len(found.lines)
            native = Comparison(position.view, position.legal, seed=3, most=most, target="cpu")
            native.spend(SOME)
            assert native.lines.tobytes() == found.lines.tobytes()


def test_an_effort_is_spent_on_moves_that_may_be_the_best():
    for edition, seats in TABLES:
        for _, found in compared(edition, seats):
            assert SOME.effort is not None
            assert SOME.effort <= found.tries < SOME.effort + len(found.lines)
            going = found.lines[found.lines["dropped"] == 0]
            most = going["tries"].max()
            assert most == found.lines["tries"].max()
            # A move that was taken up again at the end may lack some tries.
            assert all(tries >= 32 for tries in going["tries"] if tries != most)
            for line in found.lines[found.lines["dropped"] == 1]:
                assert line["tries"] >= 32
                assert line["loss"] > 3 * line["doubt"]


def test_a_limit_in_seconds_uses_all_cores_and_makes_at_least_a_try(monkeypatch):
    position = positions("tiny", 2, 6)[3]
    monkeypatch.setattr(comparison, "core_count", lambda: 2)
    found = compare(position.view, position.legal, limit=Limit(seconds=1e-6), seed=5)
    [tries] = set(found.lines["tries"].tolist())
    assert tries > 0
    assert tries % (2 * comparison.TRIES_BETWEEN_CLOCK_CHECKS) == 0


@pytest.mark.parametrize("seconds", [0.05, 0.1, 0.2])
def test_with_little_time_fewer_moves_are_compared(monkeypatch, seconds):
    """Each has enough tries. Here one takes a millisecond."""
    position = positions("europe", 3, 6)[2]
    view, legal = position.view, position.legal
    kept = position.actions[-1]
    found = Comparison(view, legal, seed=5, extra=[kept])
    listed = found.lines["action"].tolist()
    assert len(listed) > 8
    monkeypatch.setattr(comparison, "core_count", lambda: 2)
    clock = SimpleNamespace(perf_counter=lambda: found.tries / 1000)
    monkeypatch.setattr(comparison, "time", clock)
    found.spend(Limit(seconds=seconds))
    likeliest = max(int(1000 * seconds) // comparison.MIN_TRIES_PER_MOVE, comparison.MIN_MOVES)
    assert set(found.lines["action"].tolist()) == {*listed[:likeliest], kept}
    assert found.lines["kept"].sum() == 1
    dropped = found.lines["dropped"] == 1
    step = comparison.TRIES_BETWEEN_CLOCK_CHECKS
    enough = 1000 * seconds // len(found.lines) // step * step
    assert (found.lines["tries"][~dropped] >= min(enough, comparison.MIN_TRIES_PER_MOVE)).all()
    assert len(found.results) == len(found.lines)


def test_results_are_kept_up_to_a_number(monkeypatch):
    position = positions("tiny", 2, 6)[3]
    monkeypatch.setattr(comparison, "RESULTS", 100)
    action = position.actions[0]
    found = Comparison(position.view, position.legal, only=(action,))
    found.spend(Limit(effort=1000))
    assert found.tries == 100
    found.run()
    assert found.tries == 100
    assert found.results.shape[1] == 100  # the kernel takes no larger array


def test_a_comparison_can_be_cancelled():
    position = positions("tiny", 2, 6)[3]
    cancellation.cancel()
    try:
        with pytest.raises(cancellation.Cancelled):
            compare(position.view, position.legal, limit=SOME)
    finally:
        cancellation.reset()


# -- what is compared ------------------------------------------------------------------------------


def test_moves_of_the_callers_choice_are_compared_too():
    position = positions("usa-classic", 2, 6)[3]
    view, legal = position.view, position.legal
    listed = set(Comparison(view, legal).lines["action"].tolist())
    others = [action for action in position.actions if action not in listed][:3]
    found = Comparison(view, legal, also=others[:2], extra=others[2:])
    assert found.lines["action"].tolist()[-3:] == others
    assert found.line_of(others[2])["kept"] == 1
    assert found.lines["kept"].sum() == 1
    first = int(found.lines["action"][0])
    assert Comparison(view, legal, extra=[first]).line_of(first)["kept"] == 1
    only = Comparison(view, legal, only=(others[0], first, others[0]))
    assert only.lines["action"].tolist() == [others[0], first]
    assert only.lines["kept"].all()
    assert len(Comparison(view, legal, most=2).lines) == 2
    with pytest.raises(ValueError, match="at most 64"):
        Comparison(view, legal, also=range(100))


def test_a_move_of_ones_own_is_tried_to_the_end():
    position = positions("usa-classic", 2, 6)[3]
    for action in position.actions:
        found = Comparison(position.view, position.legal, seed=2, extra=(action,))
        found.run(8)
        line = found.line_of(action)
        assert line["tries"] == 8 * at.CHUNK
        if line["loss"] > 3 * line["doubt"]:
            return
    raise AssertionError("no move is clearly worse")


def test_without_a_move_there_are_the_chances_of_all():
    game = next(game for n, game in enumerate(played("europe", 3, 5)) if n == 60)
    [deciding] = game.deciding
    for seat in (deciding, (deciding + 1) % 3, None):
        found = compare(game.view(seat), limit=SOME)
        assert found.lines["action"].tolist() == [NOTHING]
        assert sum(found.chances) == pytest.approx(1)
        assert len(found.scores) == 3
        assert found.tries == SOME.effort


def test_at_the_end_there_is_the_result():
    *_, game = played("tiny", 2, 5)
    assert game.outcome is not None
    found = Comparison(game.view(0))
    found.run()
    shares = [float(seat in game.outcome.winners) for seat in range(2)]
    assert found.chances == tuple(share / sum(shares) for share in shares)
    assert found.scores == game.outcome.totals


def test_claims_and_cards_of_the_move_itself_are_counted():
    game = arrange("usa-classic", 2, hands=[{"red": 6}], turn=0)
    view = game.view(0)
    legal = list(game.legal_moves_of(0))
    texts = {game.text(move): move for move in legal}
    claim = next(text for text in texts if text.startswith("claim ") and text.endswith(" 6"))
    action = game.notation.action(texts[claim], view.offer)
    route = int(texts[claim].route)  # type: ignore[union-attr]
    found = Comparison(view, legal, only=(action,))
    found.run()
    line, lane = found.leader, view.spec.lane_of_route[route]
    assert line["soon"][0, lane] == line["ever"][0, lane] == line["tries"] == at.CHUNK
    assert 0 < line["needed"][kernel.CARDS - 1] <= at.CHUNK  # no locomotive is in the hand now


# -- ranks -----------------------------------------------------------------------------------------

ODD = -7  # a number of points that no try has


def ranked(
    margins: list[list[float | None]], *, kept: tuple[int, ...] = (), won: Any = None
) -> np.ndarray:
    """Lines ranked by margins in favour of seat 0 at a table of two; None: a try was not made."""
    run = analysis()
    lines = np.zeros(len(margins), at.dtypes["line"])
    outcomes = np.full((len(margins), len(margins[0]), kernel.SEATS), at.NO_RESULT, np.float32)
    for i, row in enumerate(margins):
        for t, margin in enumerate(row):
            if margin is not None:
                outcomes[i, t, :2] = ODD + margin, ODD
        lines["tries"][i] = sum(margin is not None for margin in row)
        wins = sum(margin is not None and margin > 0 for margin in row)
        lines["won"][i, :2] = at.WHOLE * wins, at.WHOLE * (lines["tries"][i] - wins)
    if won is not None:
        lines["won"] = won
    lines["kept"][list(kept)] = 1
    run.rank_lines(
        compile_spec(positions("tiny", 2, 6)[0].view.edition, 2).table, lines, outcomes, 0
    )
    return lines


def noise(n: int, mean: float, seed: int = 0) -> list[float | None]:
    found: list[float | None] = np.random.default_rng(seed).normal(mean, 20, n).round().tolist()
    return found


def shifted(margins: list[float | None], by: float) -> list[float | None]:
    return [None if margin is None else margin + by for margin in margins]


def test_who_always_ends_alike_has_its_share_of_the_win():
    lines = ranked([[5.0] * 8, [-1.0] * 8])
    assert lines["chance"].tolist() == [1, 0]
    assert lines["loss"].tolist() == [0, 1]
    tied = ranked([[0.0] * 8], won=[[at.WHOLE * 4, at.WHOLE * 4, 0, 0, 0, 0]])
    assert tied["chance"].tolist() == [pytest.approx(corrected(0.5, 2))]
    assert tied["error"][0] > 0


def test_a_large_lead_counts_more_than_a_small_one():
    lines = ranked([noise(200, 3), noise(200, 20), noise(200, -10)])
    assert lines["rank"].tolist() == [1, 0, 2]
    assert lines["margin"].tolist() == pytest.approx([3, 20, -10], abs=4)


def test_equal_luck_takes_the_luck_out_of_a_difference():
    same = noise(64, 0)
    paired = ranked([same, shifted(same, 4)])
    apart = ranked([same, noise(64, 4, seed=1)])
    assert paired["doubt"].max() < apart["doubt"].max() / 3
    assert paired["rank"].tolist() == [1, 0]


def test_who_clearly_loses_is_dropped_after_some_tries():
    for tries, dropped in ((16, 0), (32, 1)):
        lines = ranked([noise(tries, 25), noise(tries, -25, seed=1)])
        assert lines["dropped"].tolist() == [0, dropped]
    assert ranked([noise(32, 25), noise(32, -25, seed=1)], kept=(1,))["dropped"].tolist() == [0, 0]
    assert ranked([noise(32, 2), noise(32, 0)])["dropped"].tolist() == [0, 0]


def test_who_lacks_tries_is_compared_in_those_that_both_had():
    """A dropped move had 32 lucky worlds, in which the leader did better still."""
    lucky, rest = noise(32, 20), noise(64, -15, seed=1)
    lines = ranked([lucky + rest, shifted(lucky, -8) + [None] * 64])
    assert lines["margin"][1] > lines["margin"][0]
    assert lines["rank"].tolist() == [0, 1]
    assert 0 < lines["loss"][1] < 0.3
    # And it is taken up again when it turns out to be ahead.
    lines = ranked([lucky + rest, shifted(lucky, 8) + [None] * 64])
    assert lines["rank"].tolist() == [1, 0]
    assert lines["dropped"].tolist()[1] == 0
    assert lines["chances"].sum(axis=1) == pytest.approx([1, 1])
    assert lines["chance"][0] == pytest.approx(lines["chance"][1] - lines["loss"][0])


def test_equal_moves_keep_the_order_in_which_they_were_listed():
    same = noise(32, 0)
    assert ranked([same, same, same])["rank"].tolist() == [0, 1, 2]
    assert not ranked([same, same, same])["loss"].any()


def test_results_of_several_workers_fill_each_others_gaps():
    run = analysis()
    outcomes = np.zeros((2, 8, kernel.SEATS), np.float32)
    run.forget_results(outcomes)
    assert (outcomes[:, :, 0] == at.NO_RESULT).all()
    results = np.full((2, 4, kernel.SEATS), at.NO_RESULT, np.float32)
    results[0] = 7
    run.keep_results(outcomes, results, 4)
    results[0], results[1] = at.NO_RESULT, 9
    run.keep_results(outcomes, results, 4)
    assert (outcomes[:, 4:, 0] == [[7] * 4, [9] * 4]).all()
    assert (outcomes[:, :4, 0] == at.NO_RESULT).all()
