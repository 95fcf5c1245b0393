"""Twins: two games that some seats cannot distinguish while they last.

A game is a list of outcomes of chance and decisions. A `Fact` states for each who sees what, by
the rules of a real table: it shares nothing with `game.events`, `game.view` and the server,
which are what twins are to test. `twin` changes hidden cards and tickets one by one, and keeps
every change after which the rest of the game is still legal and all others saw the same.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from macaz.edition import load_edition
from macaz.game.moves import Choose, Keep, Move, MoveError, Notation, Return, notation_of
from macaz.kernel import layout as at
from macaz.kernel.engine import CHANCE, NO_ACTOR, Engine, engine_of
from macaz.kernel.spec import compile_spec

TICKET_DEALS = (at.DEAL_SETUP, at.DEAL_OFFER)
# Preferences of random players: some of everything, and an end within a few hundred decisions.
TASTE = {at.A_CLAIM: 8, at.A_BLIND: 6, at.A_TAKE: 3, at.A_TICKETS: 1, at.A_STATION: 1}

NEAR = 12  # cards drawn long before have mostly been paid since


@dataclass(frozen=True, slots=True)
class Fact:
    """One outcome or decision. `what` is a colour, a ticket, a seat, an action or a choice.

    For a card or a ticket, `seat` is the one that got it (None: it is public), else who decided.
    """

    kind: str  # "first", "card", "ticket", "action" or "choice"
    seat: int | None
    what: Any
    offer: tuple[int, ...] = ()  # what a choice was made from

    def hidden(self, seats: Collection[int]) -> bool:
        """Whether only these seats see all of it."""
        return self.kind in ("card", "ticket", "choice") and self.seat in seats

    def seen_without(self, seats: Collection[int]) -> tuple[object, ...]:
        """What all others see: of a hidden fact, only that it happened, and how many tickets."""
        if not self.hidden(seats):
            return (self.kind, self.seat, self.what, self.offer)
        kept = len(_tickets(self.what)) if self.kind == "choice" else 1
        return (self.kind, self.seat, kept, len(self.offer))


class Table:
    """The rules that a game is played by."""

    def __init__(self, edition: str, seats: int) -> None:
        self.edition, self.seats = edition, seats
        spec = compile_spec(load_edition(edition), seats)
        self.engine: Engine = engine_of(spec, "cpu")
        self.notation: Notation = notation_of(spec)

    def choosers(self, state: np.ndarray) -> list[int]:
        """Who may decide now."""
        if state["phase"][0] != at.CHOOSE:
            return [self.engine.actor(state)]
        return [p for p in range(self.seats) if int(state["choosing"][0]) >> p & 1]

    def decision(self, state: np.ndarray, seat: int, action: int) -> Fact:
        """A decision as a fact."""
        offer = self.engine.offer(state, seat)
        move = self.notation.move(action, offer)
        if isinstance(move, Choose | Keep | Return):
            return Fact("choice", seat, move, offer)
        return Fact("action", seat, action)

    def step(self, state: np.ndarray, fact: Fact) -> Fact | None:
        """Apply a fact, in place. Returns what actually happened, or None if it is impossible."""
        if fact.kind in ("action", "choice"):
            return self._decide(state, fact)
        if self.engine.actor(state) != CHANCE:
            return None
        if self.engine.chance_weight(state, fact.what) == 0:
            return None
        phase, turn = int(state["phase"][0]), int(state["turn"][0])
        hands = state["hand"].copy()
        self.engine.chance(state, fact.what)
        if phase == at.DEAL_FIRST:
            return Fact("first", None, fact.what)
        if phase in TICKET_DEALS:
            return Fact("ticket", int(state["ticket"][0, fact.what]) - at.OFFERED, fact.what)
        if phase == at.DEAL_HANDS:
            turn = int(np.flatnonzero((hands != state["hand"])[0].any(axis=1))[0])
        own = phase in (at.DEAL_HANDS, at.DEAL_BLIND)
        return Fact("card", turn if own else None, fact.what)

    def _decide(self, state: np.ndarray, fact: Fact) -> Fact | None:
        assert fact.seat is not None, "a seat decides"
        if fact.seat not in self.choosers(state):
            return None
        try:
            action = self.action(state, fact)
        except MoveError:  # other tickets lie there now
            return None
        if not self.engine.is_legal(state, action):
            return None
        made = self.decision(state, fact.seat, action)
        self.engine.act(state, action)
        return made

    def action(self, state: np.ndarray, fact: Fact) -> int:
        """The action number of a decision."""
        if fact.kind == "action":
            return int(fact.what)
        assert fact.seat is not None, "a seat chooses"
        return self.notation.action(fact.what, self.engine.offer(state, fact.seat))

    def way(self, state: np.ndarray, outcome: int) -> int:
        """The way of chance that has an outcome."""
        ways = range(self.engine.chance_ways(state))
        return next(w for w in ways if self.engine.chance_outcome(state, w) == outcome)


@dataclass
class Story:
    """A whole game: what happened, and the state before each fact and after the last."""

    table: Table
    facts: list[Fact]
    states: list[np.ndarray]

    def script(self) -> tuple[list[int], list[tuple[int, int]]]:
        """The input to replay it: the ways of chance, and the decisions as (seat, action)."""
        ways: list[int] = []
        decisions: list[tuple[int, int]] = []
        for state, fact in zip(self.states, self.facts, strict=False):
            if fact.kind in ("action", "choice"):
                assert fact.seat is not None, "a seat decides"
                decisions.append((fact.seat, self.table.action(state, fact)))
            else:
                ways.append(self.table.way(state, fact.what))
        return ways, decisions


def random_story(edition: str, seats: int, seed: object) -> Story:
    """A game of players who do some of everything."""
    table, dice = Table(edition, seats), random.Random(f"{edition} {seats} {seed}")
    engine = table.engine
    story = Story(table, [], [engine.new_state()])
    while (actor := engine.actor(story.states[-1])) != NO_ACTOR:
        state = story.states[-1].copy()
        if actor == CHANCE:
            outcome = engine.chance_outcome(state, dice.randrange(engine.chance_ways(state)))
            wanted = Fact("chance", None, outcome)
        else:
            seat = dice.choice(table.choosers(state))
            wanted = table.decision(state, seat, _decide(table, state, seat, dice))
        fact = table.step(state, wanted)
        assert fact is not None, "it was legal"
        story.facts.append(fact)
        story.states.append(state)
    return story


def _decide(table: Table, state: np.ndarray, seat: int, dice: random.Random) -> int:
    kinds: dict[int, list[int]] = {}
    for action in table.engine.legal(state, seat):
        kinds.setdefault(table.notation.kind(action), []).append(action)
    [kind] = dice.choices(list(kinds), [TASTE.get(kind, 2) for kind in kinds])
    return dice.choice(kinds[kind])


def twin(story: Story, hidden: Collection[int], *, tries: int, seed: object = 0) -> Story:
    """Another game with the same facts for all seats but the hidden ones, and for spectators."""
    dice = random.Random(f"twin {hidden} {seed}")
    found = story
    for _ in range(tries):
        change = _other_tickets if dice.random() < 0.3 else _other_cards
        found = _followed(found, change(found, hidden, dice), hidden) or found
    return found


def differences(one: Story, other: Story) -> dict[str, int]:
    """How many facts differ, by kind."""
    counts = dict.fromkeys(("card", "ticket", "choice"), 0)
    for a, b in zip(one.facts, other.facts, strict=True):
        if a.what != b.what:
            counts[a.kind] += 1
    return counts


def _other_cards(story: Story, hidden: Collection[int], dice: random.Random) -> dict[int, Fact]:
    """Two hidden cards are swapped, or one with a card that is left in the deck."""
    spots = [i for i, f in enumerate(story.facts) if f.kind == "card" and f.hidden(hidden)]
    n = dice.randrange(len(spots))
    i, j = spots[n], dice.choice(spots[n : n + NEAR])
    a, b = story.facts[i], story.facts[j]
    left = np.flatnonzero(story.states[-1]["deck"][0]).tolist()
    if left and n >= len(spots) - NEAR:
        return {i: replace(a, what=dice.choice(left))}
    return {i: replace(a, what=b.what), j: replace(b, what=a.what)}


def _other_tickets(story: Story, hidden: Collection[int], dice: random.Random) -> dict[int, Fact]:
    """From a hidden deal or choice on, two tickets are swapped."""
    spots = [
        i for i, f in enumerate(story.facts) if f.kind in ("ticket", "choice") and f.hidden(hidden)
    ]
    start = dice.choice(spots)
    first = story.facts[start]
    mine = [first.what] if first.kind == "ticket" else list(_tickets(first.what))
    others = range(len(story.table.notation.board.tickets))
    t, u = dice.choice(mine), dice.choice(first.offer or others)
    names = {t: u, u: t}
    return {
        i: replace(fact, what=_renamed(fact.what, names))
        for i, fact in enumerate(story.facts)
        if i >= start and fact.kind in ("ticket", "choice")
    }


def _tickets(choice: Move) -> tuple[int, ...]:
    return (choice.ticket,) if isinstance(choice, Return) else choice.tickets  # type: ignore[union-attr]


def _renamed(what: Any, names: dict[int, int]) -> Any:
    if isinstance(what, int):
        return names.get(what, what)
    if isinstance(what, Return):
        return Return(names.get(what.ticket, what.ticket))
    return replace(what, tickets=tuple(sorted(names.get(t, t) for t in what.tickets)))


def _followed(story: Story, changes: dict[int, Fact], hidden: Collection[int]) -> Story | None:
    """The story with these changes, if it is possible and looks the same to all others."""
    changes = {i: fact for i, fact in changes.items() if fact != story.facts[i]}
    if not changes:
        return None
    start, end = min(changes), max(changes)
    facts, states = story.facts[:start], story.states[: start + 1]
    for i in range(start, len(story.facts)):
        old = story.facts[i]
        state = states[-1].copy()
        fact = story.table.step(state, changes.get(i, old))
        if fact is None or fact.seen_without(hidden) != old.seen_without(hidden):
            return None
        facts.append(fact)
        states.append(state)
        if i >= end and state.tobytes() == story.states[i + 1].tobytes():
            return Story(story.table, facts + story.facts[i + 1 :], states + story.states[i + 2 :])
    if story.table.engine.actor(states[-1]) != NO_ACTOR:
        return None
    return Story(story.table, facts, states)


def hidden_sets(seats: int) -> Sequence[tuple[int, ...]]:
    """Sets of seats such that each seat is in one without any other given seat."""
    bits = range((seats - 1).bit_length())
    return [
        tuple(p for p in range(seats) if (p >> bit & 1) == value)
        for bit in bits
        for value in (1, 0)
    ]
