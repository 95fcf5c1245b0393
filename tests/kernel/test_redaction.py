"""The redaction follows the audiences of layout.py, on every target."""

from __future__ import annotations

import random
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from macaz import Game
from macaz.kernel import layout as at
from macaz.kernel.plain import record_class
from macaz.kernel.views import SPECTATOR, narrow_events, redact, redacted_state

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "make_redaction.py"))
EDITIONS = ("tiny", "usa-classic", "usa", "europe", "old-west", "old-west+alvin")


def states(edition: str, seats: int, seed: int = 0) -> Iterator[np.ndarray]:
    """The states of a random game, the last one over."""
    rng = random.Random(seed)
    game = Game(edition, seats, seed=seed)
    yield game.state
    while not game.over:
        game.push(rng.choice(game.legal_moves.actions))
        yield game.state


def test_the_module_is_what_the_layout_says() -> None:
    assert TOOL["MODULE"].read_text() == TOOL["source"]()


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_view_shows_what_is_public_and_counts_what_is_not(edition: str) -> None:
    for state in states(edition, 3):
        s = state[0]
        for seat in (SPECTATOR, 0, 2):
            view = redact(state, seat)[0]
            for field in at.STATE:
                if field.audience == at.Audience.PUBLIC or s["phase"] == at.OVER:
                    assert (view[field.name] == s[field.name]).all(), field.name
            if seat >= 0:
                assert (view["hand"][seat] == s["hand"][seat]).all()
                mine = s["known"] >> seat & 1 == 1
                assert (view["ticket"][mine] == s["ticket"][mine]).all()
            places = s["ticket"].tolist()
            for p in range(at.SEATS):
                assert view["hand_size"][p] == s["hand"][p].sum()
                assert view["held"][p] == places.count(at.HELD + p)
                assert view["offered"][p] == places.count(at.OFFERED + p)
            assert view["bundled"] == places.count(at.IN_BUNDLE)
            assert view["seat"] == seat


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_targets_give_the_same_views(edition: str) -> None:
    for state in states(edition, 2, seed=5):
        for seat in (SPECTATOR, 0, 1):
            views = [redact(state, seat, target) for target in ("wasm", "cpu", "plain")]
            assert len({view.tobytes() for view in views}) == 1
            told = [redacted_state(views[0], target) for target in ("wasm", "cpu", "plain")]
            assert len({one.tobytes() for one in told}) == 1
            for field in at.STATE:
                assert (told[0][field.name] == views[0][field.name]).all()


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_targets_narrow_events_alike(edition: str) -> None:
    """And show what the event's kind declares: to all seats, to its seat, or to none."""
    rng = random.Random(9)
    game = Game(edition, 2, seed=9)
    while not game.over:
        game.push(rng.choice(game.legal_moves.actions))
    records = b"".join(step.events for step in game.history)
    events = np.frombuffer(records, at.dtype_of("event"))
    for seat in (SPECTATOR, 0, 1):
        ways = [narrow_events(events, seat, target) for target in ("wasm", "cpu", "plain")]
        assert len({way.tobytes() for way in ways}) == 1
        for event, shown in zip(events, ways[0], strict=True):
            declared = at.EVENTS[int(event["kind"])].fields
            for field in at.EVENT:
                audience = declared.get(field.name, at.Audience.SECRET)
                if field.name == "kind" or audience == at.Audience.PUBLIC:
                    visible = True
                else:
                    visible = audience == at.Audience.OWNER and event["seat"] == seat
                hidden = 0 if field.shape else at.UNKNOWN
                wanted = event[field.name] if visible else hidden
                assert (shown[field.name] == wanted).all(), field.name


def test_what_a_kind_of_event_does_not_declare_is_hidden() -> None:
    """Even if it is written: fill a record with numbers, and declare no field."""
    space: dict[str, Any] = {}
    silent = {at.E_CARD_TAKEN: at.EventKind("card-taken", {})}
    exec(TOOL["source"](kinds=silent), space)
    dtype = at.dtype_of("event")
    event, shown = np.ones(1, dtype), np.zeros(1, dtype)
    for field in at.EVENT:
        event[field.name] = 1
    event["kind"] = at.E_CARD_TAKEN
    one, other = (record_class(dtype)(a.view(np.uint8)) for a in (event, shown))
    for seat in (SPECTATOR, 0, 1):
        space["copy_event"](one, seat, other)
        for field in at.EVENT:
            wanted = 0 if field.shape else at.UNKNOWN
            if field.name == "kind":
                wanted = at.E_CARD_TAKEN
            assert (shown[field.name] == wanted).all(), field.name


def with_field(field: at.Field) -> Any:
    """The redaction of a state that has one field more, in plain Python."""
    space: dict[str, Any] = {}
    exec(TOOL["source"]((*at.STATE, field)), space)
    return space["copy_seen"]


def test_a_new_field_without_audience_is_secret() -> None:
    field = at.Field("novelty", "i8", (2,), "something new")
    assert field.audience == at.Audience.SECRET
    dtype = at.dtype_from((*at.STATE, field))
    state, view = np.zeros(1, dtype), np.zeros(1, dtype)
    state["novelty"] = view["novelty"] = 77
    one, other = (record_class(dtype)(a.view(np.uint8)) for a in (state, view))
    for seat in (SPECTATOR, 0, 1):
        with_field(field)(one, seat, False, other)
        assert not view["novelty"].any()
    with_field(field)(one, 0, True, other)
    assert (view["novelty"] == 77).all()


def test_a_field_by_owner_has_a_row_for_each_seat() -> None:
    with pytest.raises(ValueError, match="not the seat"):
        with_field(at.Field("novelty", "i8", (2,), "something new", at.Audience.OWNER))
