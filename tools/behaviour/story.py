"""Describes the most important moments of a finished game in sentences, by facts and a review.

All hands are used: what a seat needed are the lanes that the exact planner plans for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from facts import Claimed, GameFacts, Loss, TicketDraw, facts_of
from macaz.game.moves import Choose, Claim, Station
from macaz.game.record.text import game_lines
from macaz.kernel import layout as at

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.game.outcome import Outcome, SeatScore
    from macaz.help.advice import Judged, Review

MOST = 12  # moments of a game
SWING = 0.1  # the least change of the chance of winning that is mentioned
# The weight of a moment is the sum of these, the points of its tickets, and the percentage points
# of the chance of winning that a mistake costs.
_A_LOSS = 4.0  # for each seat that needed the claimed lane
_A_DRAW = 6.0  # a draw of tickets
_AN_END = 1000.0  # the beginning of the last round: always described
_A_SWING = 20.0  # times the change of the chance of winning
_A_POINT = 0.1  # for each point of a claim
_PARTS = {
    "routes": "routes",
    "ticket_points": "tickets",
    "longest_path": "the longest path",
    "stations": "stations",
    "globetrotter": "most tickets",
    "alvin": "Alvin",
}


@dataclass(slots=True)
class Moment:
    """An important turn of a seat."""

    step: int  # index in the history
    turn: int  # as numbered in records
    seat: int
    sentences: list[str] = field(default_factory=list)
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Story:
    """A game, described in sentences."""

    names: tuple[str, ...]  # of the seats, all different
    setup: tuple[str, ...]  # the tickets that each seat kept
    moments: tuple[Moment, ...]  # in the order of the game
    result: str


def story_of(game: Game, review: Review | None = None, most: int = MOST) -> Story:
    """Describe a finished game; with a review, also its mistakes and the changes of chances."""
    return _Writer(game, review).story(most)


class _Writer:
    """Collects the moments of a game and their sentences."""

    def __init__(self, game: Game, review: Review | None) -> None:
        assert game.outcome is not None, "the game must be finished"
        self.game, self.review = game, review
        self.outcome: Outcome = game.outcome
        self.facts: GameFacts = facts_of(game)
        self.names = _distinct(game.names)
        self._turns = [line.turn for line in game_lines(game) for _ in range(line.start, line.stop)]
        self._decisions = [i for i, step in enumerate(game.history) if step.seat is not None]
        self._found: dict[tuple[int, int], Moment] = {}

    def story(self, most: int) -> Story:
        completed = dict(self._completions())
        for claim in self.facts.claims:
            self._describe_claim(claim, completed.pop(claim.step, ()))
        for step, tickets in completed.items():
            self._describe_station(step, tickets)
        for draw in self.facts.draws:
            self._describe_draw(draw)
        for mistake in self.review.mistakes if self.review else ():
            self._describe_mistake(mistake)
        self._describe_ending()
        for moment in self._found.values():
            self._describe_swing(moment)
        ranked = sorted(self._found.values(), key=lambda moment: -moment.weight)
        chosen = sorted(ranked[:most], key=lambda moment: moment.step)
        setup = tuple(self._setup(seat) for seat in range(self.game.seats))
        return Story(self.names, setup, tuple(chosen), self._result())

    def _did(self, step: int, what: str, weight: float) -> Moment:
        """Add a sentence about what a seat did to the moment of its turn, and this weight."""
        seat, turn = self.game.history[step].seat, self._turns[step]
        assert seat is not None
        key = (turn, seat)
        moment = self._found.setdefault(key, Moment(step, turn, seat))
        moment.step = min(step, moment.step)
        moment.sentences.append(f"{self.names[seat]} {what}.")
        moment.weight += weight
        return moment

    # -- moments -----------------------------------------------------------------------------------

    def _describe_claim(self, claim: Claimed, completed: Sequence[int]) -> None:
        points = claim.points[claim.seat]
        action, weight = f"takes {self._route(claim.route)}", _A_POINT * points
        if completed:
            action += f" and completes {self._tickets(completed)}"
            weight += self._points(completed)
        elif points and not claim.losses:
            action += f" for {points} point{'s' * (points != 1)}"
        for loss in claim.losses:
            weight += _A_LOSS + 2 * self._points(loss.failed)
        moment = self._did(claim.step, action, weight)
        moment.sentences += [
            f"The markers of {self.names[seat]} bring it {got} point{'s' * (got != 1)}."
            for seat, got in enumerate(claim.points)
            if got and seat != claim.seat
        ]
        moment.weight += sum(claim.points) - points
        moment.sentences += [self._loss(claim, loss) for loss in claim.losses]

    def _loss(self, claim: Claimed, loss: Loss) -> str:
        who = self.names[loss.seat]
        text = f"{who} needed it"
        if claim.needed:
            text += " too"
        if loss.tickets:
            text += f", for {self._tickets(loss.tickets)}"
        if claim.spoiled:
            text += f"; {self.names[claim.seat]} had no use for it itself"
        if not loss.tickets:
            return f"{text}."
        if not loss.failed:
            return f"{text}. {who} finds another way and completes {_it(loss.tickets)}."
        if len(loss.failed) == len(loss.tickets):
            that = "That ticket" if len(loss.failed) == 1 else "These tickets"
            return f"{text}. {that} {_fails(loss.failed)} in the end."
        return f"{text}. In the end {self._tickets(loss.failed)} {_fails(loss.failed)}."

    def _describe_station(self, step: int, completed: Sequence[int]) -> None:
        move = self._move(step)
        assert isinstance(move, Station)
        city = self.game.notation.city_name(move.city)
        action = f"builds a station in {city} and completes {self._tickets(completed)}"
        self._did(step, action, self._points(completed))

    def _describe_draw(self, draw: TicketDraw) -> None:
        left = int(self.game.history[draw.step].state["trains"][0, draw.seat])
        ready = "all its tickets completed" if draw.ready else "tickets still open"
        stand = "level in points"
        if draw.lead:
            stand = f"{abs(draw.lead)} points {'ahead' if draw.lead > 0 else 'behind'}"
        results = {t.ticket: t.completed for t in self.outcome.seats[draw.seat].tickets}
        kept = _listed(
            [f"{self._ticket(t)}{'' if results[t] else ', which fails'}" for t in draw.kept]
        )
        action = f"draws tickets with {left} trains left, {ready}, {stand}, and keeps {kept}"
        self._did(draw.step, action, _A_DRAW + self._points(draw.kept))

    def _describe_ending(self) -> None:
        ending = self.facts.ending
        if ending is None:
            return
        step = max(i for i in self._decisions if i < ending.step)
        mine = ending.totals[ending.seat]
        best = max(t for seat, t in enumerate(ending.totals) if seat != ending.seat)
        stand = "leading" if mine > best else "level at" if mine == best else "though behind"
        counted = _plain(mine) if mine == best else f"{_plain(mine)} to {_plain(best)}"
        action = f"begins the last round, {stand} {counted} if all were counted now"
        self._did(step, action, _AN_END)

    def _describe_mistake(self, mistake: Judged) -> None:
        step, points = self._decisions[mistake.ply], f"{100 * mistake.cost:.0f} percentage points"
        moment = self._found.get((self._turns[step], mistake.seat))
        if moment is not None and moment.step == step:  # the move itself is described already
            moment.sentences.append(
                f"“{mistake.best_text}” was better, by {points} of the chance of winning."
            )
            moment.weight += 100 * mistake.cost
            return
        action = f"plays “{mistake.played_text}”, which costs {points} of its chance of winning"
        self._did(step, f"{action}: “{mistake.best_text}” was better", 100 * mistake.cost)

    def _describe_swing(self, moment: Moment) -> None:
        """Describe how the chance of the moment's seat changed until its next turn."""
        if self.review is None:
            return
        before = self._decisions.index(moment.step)
        after = next(
            (
                ply
                for ply in range(before + 1, len(self._decisions))
                if self.game.history[self._decisions[ply]].seat == moment.seat
                and self._turns[self._decisions[ply]] > moment.turn
            ),
            len(self._decisions),
        )
        was, then = (self.review.curve[ply][moment.seat] for ply in (before, after))
        if abs(then - was) >= SWING:
            over = after == len(self._decisions)
            until = "the end of the game" if over else "its next turn"
            moment.sentences.append(
                f"The chances of {self.names[moment.seat]} go from {100 * was:.0f} % to "
                f"{100 * then:.0f} % by {until}."
            )
            moment.weight += 0.0 if over else _A_SWING * abs(then - was)

    # -- setup and result --------------------------------------------------------------------------

    def _setup(self, seat: int) -> str:
        kept: Sequence[int] = ()
        for step in self.game.history:
            if step.seat == seat and step.state["phase"][0] == at.CHOOSE:
                offer = self.game.engine.offer(step.state, seat)
                move = self.game.notation.move(step.number, offer)
                kept = move.tickets if isinstance(move, Choose) else ()
                returned = [t for t in offer if t not in kept]
                back = f", and returns {self._tickets(returned)}" if returned else ""
                return f"{self.names[seat]} keeps {self._tickets(kept)}{back}."
        return f"{self.names[seat]} had its tickets from the beginning."

    def _result(self) -> str:
        outcome = self.outcome
        if len(outcome.winners) > 1:
            return f"{_listed([self.names[p] for p in outcome.winners])} share the win."
        [winner] = outcome.winners
        second = max(
            (p for p in range(self.game.seats) if p != winner), key=lambda p: outcome.totals[p]
        )
        first, other = outcome.seats[winner], outcome.seats[second]
        more = [f"{word} {_signed(diff)}" for word, diff in _differences(first, other) if diff]
        by = f", the tie broken by {outcome.tie_break}" if outcome.tie_break else ""
        return (
            f"{self.names[winner]} wins with {_plain(first.total)}{by}; "
            f"{self.names[second]} is second with {_plain(other.total)}. "
            f"The difference: {', '.join(more) or 'none, in any part'}."
        )

    # -- facts and words ---------------------------------------------------------------------------

    def _completions(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The claims and stations that completed tickets, by their steps."""
        game = self.game
        for i in self._decisions:
            step = game.history[i]
            if step.state["phase"][0] != at.TURN or not isinstance(self._move(i), Claim | Station):
                continue
            end = next(
                (j for j in range(i + 1, len(game.history)) if self._turns[j] > self._turns[i]),
                None,
            )
            after = game.state if end is None else game.history[end].state
            assert step.seat is not None
            held = step.state["ticket"][0] == at.HELD + step.seat
            was, then = (game.engine.tally(s.copy())["done"] == 1 for s in (step.state, after))
            done = (held & then & ~was).nonzero()[0].tolist()
            if done:
                yield i, tuple(done)

    def _move(self, step: int) -> object:
        return self.game.notation.move(
            self.game.history[step].number,
            self.game.engine.offer(
                self.game.history[step].state, self.game.history[step].seat or 0
            ),
        )

    def _points(self, tickets: Sequence[int]) -> int:
        return sum(self.game.edition.board.tickets[t].points for t in tickets)

    def _route(self, route: int) -> str:
        return self.game.notation.route_name(route).partition("#")[0]

    def _ticket(self, ticket: int) -> str:
        board = self.game.edition.board
        one = board.tickets[ticket]
        return f"{board.cities[one.a].name}–{board.cities[one.b].name} ({one.points})"

    def _tickets(self, tickets: Sequence[int]) -> str:
        return _listed([self._ticket(t) for t in tickets])


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names of the seats, with the numbers of the seats if two are equal."""
    if len({*names}) == len(names):
        return tuple(names)
    return tuple(f"{name} ({seat})" for seat, name in enumerate(names, 1))


def _differences(first: SeatScore, other: SeatScore) -> list[tuple[str, int]]:
    """The differences in points by reason, the largest first."""
    found = [(word, getattr(first, part) - getattr(other, part)) for part, word in _PARTS.items()]
    return sorted(found, key=lambda pair: -abs(pair[1]))


def _plain(number: int) -> str:
    return str(number).replace("-", "−")


def _signed(number: int) -> str:
    return f"{'+' * (number > 0)}{_plain(number)}"


def _listed(parts: Sequence[str]) -> str:
    """Parts joined as in a sentence: a, b and c."""
    if len(parts) < 2:
        return "".join(parts) or "nothing"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _it(tickets: Sequence[int]) -> str:
    return "it" if len(tickets) == 1 else "both" if len(tickets) == 2 else "all"


def _fails(tickets: Sequence[int]) -> str:
    return "fails" if len(tickets) == 1 else "fail"
