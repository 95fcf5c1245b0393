"""P1, P2: a view shows public information and the seat's own, and nothing else.

Everything that a seat cannot see is dealt again, in two independent ways; neither its view nor the
events that it gets for the next step may change.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from macaz import Game, View
from macaz.edition import load_edition
from macaz.game.moves import Claim, Decline, Mark, PayTunnel, Station, Take
from macaz.game.steps import Step
from macaz.game.worlds import NoWorld, sample_world
from macaz.kernel import layout as at
from macaz.kernel.views import SPECTATOR, narrow_events, redact

TABLES = [
    (name, seats)
    for name in ("tiny", "usa-classic", "usa", "europe", "old-west", "old-west+alvin")
    for seats in range(load_edition(name).rules.min_seats, load_edition(name).rules.max_seats + 1)
]


def steps(edition: str, seats: int, seed: int) -> Iterator[Game]:
    """A random game, stopped before every decision and every outcome of chance."""
    rng = random.Random(f"{edition} {seats} {seed}")
    game = Game(edition, seats, dealer=None)
    while True:
        yield game
        if game.over:
            return
        if game.chance_pending:
            way = rng.randrange(game.engine.chance_ways(game.state))
            game.push_chance(game.engine.chance_outcome(game.state, way))
        else:
            game.push(rng.choice(game.legal_moves.actions))


def stops(edition: str, seats: int, seed: int, share: float) -> Iterator[Game]:
    """Some of the steps: the first few of each phase, then a share of them."""
    rng = random.Random(seed)
    met: dict[int, int] = {}
    for game in steps(edition, seats, seed):
        phase = int(game.state["phase"][0])
        met[phase] = met.get(phase, 0) + 1
        if met[phase] <= 2 or rng.random() < share:
            yield game


def observers(game: Game) -> tuple[int, ...]:
    return (SPECTATOR, *range(game.seats))


def shuffle_hidden(state: np.ndarray, spec: Any, seat: int, rng: np.random.Generator) -> np.ndarray:
    """Hidden cards and tickets exchanged directly, without the code that makes views."""
    world = state.copy()
    s = world[0]
    if s["phase"] == at.OVER:
        return world
    others = [p for p in range(spec.seats) if p != seat]
    # One hidden card of a hand against one of another hand, or of the deck.
    for _ in range(3 * spec.seats):
        a = int(rng.choice(others))
        b = int(rng.choice([*others, -1]))
        mine = s["hand"][a] - s["seen"][a]
        yours = s["deck"] if b < 0 else s["hand"][b] - s["seen"][b]
        if a == b or not mine.any() or not yours.any():
            continue
        give = int(rng.choice(np.repeat(np.arange(at.CARDS), mine)))
        take = int(rng.choice(np.repeat(np.arange(at.CARDS), yours)))
        for cards, sign in ((s["hand"][a], 1), (s["deck"] if b < 0 else s["hand"][b], -1)):
            cards[take] += sign
            cards[give] -= sign
    # Tickets of one kind that the seat does not know are swapped, and who knows them too.
    count = len(spec.edition.board.tickets)
    known = s["known"][:count] >> seat & 1 if seat >= 0 else np.zeros(count, int)
    long = spec.table["ticket_long"][0, :count]
    for kind in (0, 1):
        hidden = np.flatnonzero((known == 0) & (long == kind))
        order = rng.permutation(hidden)
        s["ticket"][hidden] = s["ticket"][order]
        s["known"][hidden] = s["known"][order]
    return world


def leaks(game: Game, seat: int, rng: np.random.Generator, show: Any = redact) -> bool:
    """Whether a view changes when something that it must not show is dealt again."""
    before = show(game.state, seat).tobytes()
    view = View(game.spec, redact(game.state, seat))
    worlds = (sample_world(view, rng), shuffle_hidden(game.state, game.spec, seat, rng))
    return any(show(world, seat).tobytes() != before for world in worlds)


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_a_view_does_not_depend_on_what_is_hidden(edition: str, seats: int) -> None:
    """P1, P2: at every stop, for every seat and a spectator."""
    rng = np.random.default_rng(seats)
    for game in stops(edition, seats, 1, 0.05):
        for seat in observers(game):
            assert not leaks(game, seat, rng), (at.PHASE_NAMES[game.state["phase"][0]], seat)


# -- events ------------------------------------------------------------------------------------

TICKET_DEALS = (at.DEAL_SETUP, at.DEAL_OFFER)
HIDDEN_DEALS = (at.DEAL_HANDS, at.DEAL_SETUP, at.DEAL_BLIND, at.DEAL_OFFER)
HIDDEN_CHOICES = (at.A_CHOOSE, at.A_KEEP, at.A_RETURN)


FEW = 5  # a leak makes the events of nearly any two of them different


def outcomes(
    game: Game, world: np.ndarray, seat: int, step: Step, rng: np.random.Generator
) -> Iterator[int]:
    """Outcomes of chance in a world that the seat cannot distinguish from the real one."""
    phase = world["phase"][0]
    limit = len(game.edition.board.tickets) if phase in TICKET_DEALS else at.CARDS
    receiver = int(np.frombuffer(step.events, at.dtype_of("event"))[0]["seat"])
    hidden = phase in HIDDEN_DEALS and receiver != seat
    wanted = rng.permutation(limit).tolist() if hidden else [step.number]
    return (one for one in wanted if game.engine.chance_weight(world, one))


def actions(
    game: Game, world: np.ndarray, seat: int, step: Step, rng: np.random.Generator
) -> Iterator[int]:
    """Actions in a world that the seat cannot distinguish from the action taken."""
    assert step.seat is not None
    legal = game.engine.legal(world, step.seat)
    kind = game.notation.kind(step.number)
    if kind not in HIDDEN_CHOICES or seat == step.seat:
        return iter([step.number] if step.number in legal else [])
    number = kept(game, kind, step.number)
    return (one for one in rng.permutation(legal).tolist() if kept(game, kind, one) == number)


def kept(game: Game, kind: int, action: int) -> int:
    """How many tickets an action keeps, which is public; any ticket may be the returned one."""
    table = game.spec.table[0]
    mask = action - int(table["base"][kind])
    if kind == at.A_CHOOSE:  # the number begins with the seat
        mask &= (1 << int(table["setup_deal"])) - 1
    return 0 if kind == at.A_RETURN else mask.bit_count()


def told(
    game: Game, before: np.ndarray, seat: int, rng: np.random.Generator, narrowed: bool = True
) -> set[bytes]:
    """The events of the last step for a seat, in worlds that it cannot distinguish."""
    step, engine = game.history[-1], game.engine
    view = View(game.spec, redact(before, seat))
    worlds = [before, sample_world(view, rng), shuffle_hidden(before, game.spec, seat, rng)]
    found = set()
    for world in worlds:
        ways, take = (outcomes, engine.chance) if step.seat is None else (actions, engine.act)
        for number in islice(ways(game, world, seat, step, rng), FEW):
            after = world.copy()
            records = np.frombuffer(take(after, number)[1], at.dtype_of("event"))
            shown = narrow_events(records, seat) if narrowed else records.copy()
            # Returned tickets that the seat itself gets from under the deck are new to it.
            new = (shown["kind"] == at.E_TICKETS_DEALT) & (shown["seat"] == seat)
            shown["tickets"][new] = 0
            found.add(shown.tobytes())
    return found


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_an_event_does_not_tell_what_is_hidden(edition: str, seats: int) -> None:
    """P1, P2: a seat gets the same events of a step, whatever was dealt and chosen out of sight."""
    rng = np.random.default_rng(seats)
    leaky = 0
    met: Counter[int] = Counter()
    for game in steps(edition, seats, 5):
        if not game.history:
            continue
        before = game.history[-1].state
        phase = int(before["phase"][0])
        met[phase] += 1
        hidden = phase in (*HIDDEN_DEALS, at.CHOOSE, at.KEEP, at.RETURN)
        if met[phase] <= (30 if hidden else 6) or rng.random() < 0.1:
            for seat in observers(game):
                assert len(told(game, before, seat, rng)) == 1, (at.PHASE_NAMES[phase], seat)
            leaky += len(told(game, before, SPECTATOR, rng, narrowed=False)) > 1
    assert leaky >= 5, "with nothing hidden, the test must find leaks"


@pytest.mark.parametrize(("edition", "seats"), [("europe", 3), ("usa", 3), ("old-west+alvin", 3)])
def test_worlds_can_be_played_to_the_end(edition: str, seats: int) -> None:
    rng = np.random.default_rng(7)
    pick = random.Random(7)
    total = sum(load_edition(edition).rules.cards)
    for n, game in enumerate(stops(edition, seats, 2, 0.01)):
        world = Game(edition, seats, dealer=None)
        world.state = sample_world(game.view(n % seats), rng)
        engine, state = world.engine, world.state
        for _ in range(40):
            actor = engine.actor(state)
            if actor == -2:
                break
            if actor == -1:
                way = pick.randrange(engine.chance_ways(state))
                engine.chance(state, engine.chance_outcome(state, way))
            else:
                engine.act(state, pick.choice(engine.legal(state, actor)))
            s = state[0]
            assert min(s["deck"].min(), s["hand"].min(), s["discards"].min()) >= 0
            assert (s["seen"] <= s["hand"]).all()
            if s["phase"] not in (at.DEAL_TUNNEL, at.TUNNEL):
                places = ("deck", "row", "discards", "revealed", "hand")
                assert sum(int(s[place].sum()) for place in places) == total


def test_worlds_are_spread_evenly() -> None:
    """Two hidden hands of a small table: each deal of them has the right frequency."""
    rng = np.random.default_rng(3)
    game = next(g for g in steps("tiny", 2, 5) if g.state["phase"][0] == at.CHOOSE)
    view = game.view(0)
    unseen, hidden = view.unseen, view.hand_sizes[1]
    draws = 4000
    mean = np.zeros(at.CARDS)
    tickets = np.zeros(len(game.edition.board.tickets))
    for _ in range(draws):
        world = sample_world(view, rng)[0]
        mean += world["hand"][1] / draws
        tickets += (world["ticket"][: len(tickets)] == at.OFFERED + 1) / draws
    wanted = np.array(unseen) * hidden / sum(unseen)
    assert np.abs(mean - wanted).max() < 0.06
    strange = [t for t in range(len(tickets)) if t not in view.offer]
    assert np.abs(tickets[strange] - 2 / len(strange)).max() < 0.05
    assert not tickets[list(view.offer)].any()


def test_long_tickets_lie_where_they_can() -> None:
    """S5: one long ticket to a seat; tickets that were not dealt are out of the game."""
    rng = np.random.default_rng(4)
    for game in stops("europe", 3, 3, 0.05):
        long = game.spec.table["ticket_long"][0, : len(game.edition.board.tickets)] == 1
        for seat in observers(game):
            places = sample_world(game.view(seat if seat >= 0 else None), rng)[0]["ticket"]
            where = places[: len(long)][long]
            assert not ((where == at.IN_DECK) | (where >= at.QUEUE)).any()
            for player in range(3):
                mine = np.isin(where, [at.HELD + player, at.OFFERED + player, at.RETURNED + player])
                assert mine.sum() <= 1


def test_a_view_that_cannot_be_has_no_world() -> None:
    rng = np.random.default_rng(5)
    game = next(g for g in steps("tiny", 2, 6) if g.state["phase"][0] == at.TURN)
    view = game.view(0)
    view.record["deck_size"] += 1
    with pytest.raises(NoWorld, match="cards"):
        sample_world(view, rng)
    other = game.view(0)
    other.record["held"][0, 1] += 9
    with pytest.raises(NoWorld, match="tickets"):
        sample_world(other, rng)


# -- tests of the test -------------------------------------------------------------------------


def show_field(name: str, row: int | None = None) -> Any:
    """A redaction that forgets to hide a field."""

    def show(state: np.ndarray, seat: int) -> np.ndarray:
        view = redact(state, seat)
        if row is None:
            view[name] = state[name]
        else:
            view[name][0, row] = state[name][0, row]
        return view

    return show


@pytest.mark.parametrize("field", ["hand", "deck", "ticket", "known"])
def test_a_leak_would_be_found(field: str) -> None:
    rng = np.random.default_rng(6)
    show = show_field(field)
    found = sum(leaks(game, 0, rng, show) for game in stops("europe", 3, 4, 0.02))
    assert found > 10


def test_a_leak_of_one_hand_would_be_found() -> None:
    rng = np.random.default_rng(6)
    show = show_field("hand", row=2)
    assert any(leaks(game, 0, rng, show) for game in stops("usa", 3, 4, 0.02))


# -- who sees which field ----------------------------------------------------------------------

SECRETS = {
    "deck": at.Audience.SECRET,
    "hand": at.Audience.OWNER,
    "ticket": at.Audience.KNOWN,
    "known": at.Audience.KNOWERS,
}


def test_the_secret_fields_are_these() -> None:
    hidden = {f.name: f.audience for f in at.STATE if f.audience != at.Audience.PUBLIC}
    assert hidden == SECRETS


@pytest.mark.parametrize("field", [f for f in at.STATE if f.audience != at.Audience.PUBLIC])
def test_a_field_that_is_not_public_is_hidden(field: at.Field) -> None:
    """Fill it with noise: only the seat's own part may change its view of a game in play."""
    rng = np.random.default_rng(8)
    game = next(g for g in steps("europe", 3, 9) if g.state["phase"][0] == at.TURN)
    for seat in observers(game):
        states = game.state.copy()
        values = states[field.name]
        own = np.zeros(values.shape, bool)
        bit = 1 << seat if seat >= 0 else 0
        if field.audience == at.Audience.OWNER and seat >= 0:
            own[0, seat] = True
        elif field.audience == at.Audience.KNOWN:
            own = states["known"] & bit != 0
        if field.audience == at.Audience.KNOWERS:
            noise = rng.integers(0, 8, values.shape) & ~bit | values & bit
        elif field.audience == at.Audience.KNOWN:
            noise = rng.permutation(values[~own])
            values[~own] = noise
            noise = values
        else:
            noise = np.where(own, values, rng.integers(0, 4, values.shape))
        states[field.name] = noise
        mine, yours = redact(game.state, seat), redact(states, seat)
        assert (mine[field.name] == yours[field.name]).all()


def test_everything_is_open_when_it_is_over() -> None:
    *_, game = steps("tiny", 2, 3)
    view = game.view(0).record
    for field in at.STATE:
        assert (view[field.name] == game.state[field.name]).all()


# -- public cards are remembered ---------------------------------------------------------------


class Watcher:
    """Remembers, from the moves alone, which cards each seat took or showed publicly."""

    def __init__(self, game: Game) -> None:
        self.routes = game.edition.board.routes
        self.seen = np.zeros((game.seats, at.CARDS), int)
        self.marks = [0] * game.seats
        self.marker = game.edition.rules.marker_cards
        self.laid = np.zeros(at.CARDS, int)
        self.color = at.LOCO

    def play(self, seat: int, color: int, cards: int, locos: int) -> np.ndarray:
        """Cards leave a hand; those known to be there are removed first."""
        paid = np.zeros(at.CARDS, int)
        paid[at.LOCO] += locos
        if color != at.LOCO:
            paid[color] += cards
        self.seen[seat] = np.maximum(self.seen[seat] - paid, 0)
        return paid

    def watch(self, seat: int, move: object, extra: int) -> None:
        """One move of the log; `extra` is what the revealed cards cost."""
        match move:
            case Take(color):
                self.seen[seat, color] += 1
            case Claim(route, color, locos):
                self.laid = self.play(seat, color, self.routes[route].length - locos, locos)
                self.color = color
            case PayTunnel(locos):
                self.play(seat, self.color, extra - locos, locos)
            case Decline():
                self.seen[seat] += self.laid
            case Station(_, color, locos):
                self.marks[seat] += 1
                cost = self.marks[seat]
                self.play(seat, color, cost - locos, cost if color == at.LOCO else locos)
            case Mark(_, color, locos):
                cost = self.marker
                self.play(seat, color, cost - locos, cost if color == at.LOCO else locos)


@pytest.mark.parametrize(
    ("edition", "seats"), [("tiny", 3), ("usa", 4), ("europe", 3), ("old-west+alvin", 4)]
)
def test_what_was_taken_openly_is_remembered(edition: str, seats: int) -> None:
    """P2: `seen` is what a spectator with perfect recall knows."""
    rng = random.Random(11)
    kinds = set()
    for seed in range(8 if edition == "europe" else 3):
        game = Game(edition, seats, seed=seed)
        watcher = Watcher(game)
        while not game.over:
            action = rng.choice(game.legal_moves.actions)
            seat = game._seat_of(action)
            move = game.move(action, seat)
            kinds.add(type(move).__name__)
            watcher.watch(seat, move, int(game.state["extra"][0]))
            game.push(action)
            assert (game.state["seen"][0, :seats] == watcher.seen).all(), move
            assert (game.state["seen"] <= game.state["hand"]).all()
    wanted = {"europe": {"PayTunnel", "Decline", "Station"}, "old-west+alvin": {"Mark"}}
    assert kinds >= {"Take", "Blind", "Claim"} | wanted.get(edition, set())
