"""A second, slow and simple implementation of RULES.md, to compare the kernel with.

Written from the specification alone, independently of the kernel: where the two disagree, one of
them is wrong. The ids in the comments are those of RULES.md.

The game is an agenda, a stack of steps. The top step either waits (for chance or for a
decision) or runs and is replaced by the next; `_advance` runs steps until one waits.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any, Literal

from macaz.edition import Edition
from macaz.edition.board import GRAY, LOCOMOTIVE

Move = tuple[Any, ...]
Cards = list[int]  # how many of each colour, locomotives last

KINDS_OF_CARDS = 9
MOST_ROW_CHANGES = 10  # D7
CHANCE_STEPS = {"first", "hand", "row", "deal-long", "deal-normal", "blind", "reveal", "offer"}


class Reference:
    """One game, from the first deal to the last point."""

    def __init__(self, edition: Edition, seats: int, first: int | None = None) -> None:
        rules = edition.rules
        assert rules.min_seats <= seats <= rules.max_seats
        assert first is None or 0 <= first < seats
        self.edition = edition
        self.rules = rules
        self.board = edition.board
        self.seats = seats
        self.first = first

        # Train cards. `laid` and `revealed` are those of a tunnel not settled yet.
        self.deck: Cards = list(rules.cards)
        self.discards: Cards = no_cards()
        self.row: Cards = no_cards()
        self.hand: list[Cards] = [no_cards() for _ in range(seats)]
        self.laid: Cards = no_cards()
        self.revealed: Cards = no_cards()
        self.seen: list[Cards] = [no_cards() for _ in range(seats)]
        self.row_stays = False
        self.row_changes = 0

        # Tickets: the deck never seen, under it the setup's returns in an unknown order, and
        # under those the ones whose order is known.
        tickets = range(len(self.board.tickets))
        self.long_deck = {t for t in tickets if self.board.tickets[t].deck == "long"}
        self.ticket_deck = {t for t in tickets if t not in self.long_deck}
        self.ticket_bundle: set[int] = set()
        self.ticket_queue: list[int] = []
        self.offer: list[set[int]] = [set() for _ in range(seats)]
        self.tickets: list[set[int]] = [set() for _ in range(seats)]
        self.chosen: dict[int, set[int]] = {}  # at setup: what each seat gave back
        self.returning: set[int] = set()

        # The table.
        self.trains = [rules.trains] * seats
        self.score = [0] * seats
        self.owner: dict[int, int] = {}
        self.lanes = tuple(self.board.pair_lanes(i) for i in range(len(self.board.routes)))
        self.stations: list[list[int]] = [[] for _ in range(seats)]
        self.markers: list[list[int]] = [[] for _ in range(seats)]
        self.alvin_start: int | None = None
        if "alvin" in rules.phases:
            self.alvin_start = self.board.city_index(rules.alvin_city)
        self.alvin_city = self.alvin_start
        self.alvin_holder: int | None = None

        # The turn.
        self.current: int = -1
        self.claiming: Move = ()
        self.turns_left: int | None = None
        self.passes = 0
        self.agenda: list[Move] = [("first",)]
        if first is not None:
            self._plan_game(first)
        self._advance()

    # --- public interface -------------------------------------------------------------------

    @property
    def marks(self) -> list[list[int]]:
        """The cities of each seat's pieces: markers where the edition has them, or stations."""
        has_markers = {"marker", "start-city"} & set(self.rules.phases)
        return self.markers if has_markers else self.stations

    def actors(self) -> set[int] | Literal["chance", "over"]:
        """Who acts now."""
        step = self.agenda[-1]
        if step[0] in CHANCE_STEPS:
            return "chance"
        if step[0] == "over":
            return "over"
        if step[0] == "choose":
            return {seat for seat in range(self.seats) if seat not in self.chosen}
        if step[0] == "start":
            return {step[1]}
        return {self.current}

    def legal(self, seat: int) -> set[Move]:  # noqa: PLR0911 - one for each step
        """The legal decisions of this seat."""
        actors = self.actors()
        if isinstance(actors, str) or seat not in actors:
            return set()
        step = self.agenda[-1][0]
        if step == "choose":
            keep = self.rules.setup_keep
            return {("choose", seat, kept) for kept in subsets(self.offer[seat], keep)}
        if step == "start":
            return {("start", city) for city in self._free_for_marker()}
        if step == "turn":
            return self._actions(seat) or {("pass",)}  # T2
        if step == "second":
            return self._draws(second=True)
        if step == "tunnel":
            return self._tunnel_answers(seat)
        if step == "keep":
            return {("keep", kept) for kept in subsets(self.offer[seat], self.rules.draw_keep)}
        if step == "return":
            return {("return", ticket) for ticket in self.returning}
        if step == "marker":
            return self._marker_placings(seat) | {("skip",)}
        assert step == "alvin"
        return {("alvin", city) for city in self.markers[seat]}

    def chance(self) -> dict[Move, int]:
        """The outcomes of chance, each with its weight; only when chance acts."""
        assert self.actors() == "chance"
        step = self.agenda[-1][0]
        if step == "first":
            return {("first", seat): 1 for seat in range(self.seats)}
        if step == "deal-long":
            return {("ticket", ticket): 1 for ticket in self.long_deck}
        if step == "deal-normal":
            return {("ticket", ticket): 1 for ticket in self.ticket_deck}
        if step == "offer":
            return {("ticket", t): 1 for t in self.ticket_deck or self.ticket_bundle}
        return {("card", c): self.deck[c] for c in range(KINDS_OF_CARDS) if self.deck[c] > 0}

    def apply(self, move: Move) -> None:
        """Apply a legal decision or an outcome of chance."""
        actors = self.actors()
        if actors == "chance":
            assert move in self.chance(), move
            self._happen(move)
        else:
            assert actors != "over"
            assert any(move in self.legal(seat) for seat in actors), move
            self._decide(move)
        self._advance()

    def copy(self) -> Reference:
        """An independent copy of the game."""
        other = object.__new__(Reference)
        for name, value in vars(self).items():
            setattr(other, name, copied(value))
        return other

    # --- the agenda -------------------------------------------------------------------------

    def _plan_game(self, first: int) -> None:
        self.first = first
        clockwise = [(first + i) % self.seats for i in range(self.seats)]
        plan: list[Move] = []
        for seat in clockwise:
            plan += [("hand", seat)] * self.rules.hand
        plan.append(("row",))
        for seat in clockwise:
            plan += [("deal-long", seat)] * self.rules.setup_long
            plan += [("deal-normal", seat)] * self.rules.setup_tickets
        plan.append(("choose",))
        if "start-city" in self.rules.phases:
            plan += [("start", seat) for seat in reversed(clockwise)]  # S7
        plan.append(("begin",))
        self.agenda = plan[::-1]

    def _advance(self) -> None:
        """Run the steps that need neither chance nor a decision."""
        while self._runs_by_itself():
            pass

    def _runs_by_itself(self) -> bool:  # noqa: PLR0911 - one for each step
        """Run the top step and return True, or return False if it waits."""
        step = self.agenda[-1][0]
        if step == "row":
            return self._run_row()
        if step == "choose":
            return self._run_choose()
        if step == "begin":
            self.agenda.pop()
            self.current = self.first if self.first is not None else -1
            self.agenda += [("end",), ("turn",)]
            return True
        if step == "second":
            return self._skip_if(not self._draws(second=True))  # D8
        if step == "reveal":
            revealed_all = sum(self.revealed) == self.rules.tunnel_cards
            return self._skip_if(revealed_all or sum(self.deck) == 0)  # U6
        if step == "tunnel":
            return self._run_tunnel()
        if step == "offer":
            return self._run_offer()
        if step == "return":
            return self._run_return()
        if step == "marker":
            return self._skip_if(not self._asked_about_marker(self.current))
        if step == "end":
            return self._run_end()
        return False

    def _skip_if(self, condition: bool) -> bool:
        if condition:
            self.agenda.pop()
        return condition

    def _run_row(self) -> bool:
        """S3, D2, D6, D7: fill the row, and replace it while there are too many locomotives."""
        if sum(self.row) < self.rules.row and sum(self.deck) > 0:
            return False  # chance turns up a card
        too_many = self.row[LOCOMOTIVE] >= self.rules.row_locomotives
        if too_many and not self.row_stays:
            if self.row_changes < MOST_ROW_CHANGES and self._better_row_exists():
                self.row_changes += 1
                old, self.row = self.row, no_cards()
                self._discard(old)
            else:
                self.row_stays = True
            return True
        self.row_changes = 0
        self.agenda.pop()
        return True

    def _better_row_exists(self) -> bool:
        outside = [sum(pile) for pile in zip(self.row, self.deck, self.discards, strict=True)]
        colored = sum(outside[:LOCOMOTIVE])
        size = min(self.rules.row, sum(outside))
        fewest_locomotives = max(0, size - colored)
        return fewest_locomotives < self.rules.row_locomotives

    def _run_choose(self) -> bool:
        """S4, S5: once all have chosen, the returned tickets go where the edition says."""
        if len(self.chosen) < self.seats:
            return False
        assert self.first is not None
        for i in range(self.seats):
            returned = self.chosen[(self.first + i) % self.seats]
            if self.rules.setup_return == "bottom":
                self.ticket_queue += sorted(returned)
            elif self.rules.setup_return == "shuffled":
                self.ticket_bundle |= returned
        self.long_deck = set()
        self.agenda.pop()
        return True

    def _run_tunnel(self) -> bool:
        if self._tunnel_cost() > 0:
            return False
        self.agenda.pop()
        self._finish_claim(self.claiming[1])
        return True

    def _run_offer(self) -> bool:
        left = self.agenda[-1][1]
        if left > 0 and (self.ticket_deck or self.ticket_bundle):
            return False  # chance deals one
        self.agenda.pop()
        if left > 0 and self.ticket_queue:
            self.offer[self.current].add(self.ticket_queue.pop(0))
            self.agenda.append(("offer", left - 1))
        else:
            self.agenda.append(("keep",))
        return True

    def _run_return(self) -> bool:
        """K1: the last one is returned automatically; if there is no choice, in board order."""
        if self.rules.return_order == "chosen" and len(self.returning) > 1:
            return False
        self.ticket_queue += sorted(self.returning)
        self.returning = set()
        self.agenda.pop()
        return True

    def _run_end(self) -> bool:
        if sum(self.revealed) > 0:  # U5
            cards, self.revealed = self.revealed, no_cards()
            self._discard(cards)
            self.agenda.append(("row",))
            return True
        self.agenda.pop()
        if self.turns_left is not None:
            self.turns_left -= 1
        elif self.trains[self.current] <= self.rules.last_trains:
            self.turns_left = self.seats  # E1
        if self.turns_left == 0 or self.passes == self.seats:
            self.agenda.append(("over",))
        else:
            self.current = (self.current + 1) % self.seats
            self.agenda += [("end",), ("turn",)]
        return True

    # --- chance -----------------------------------------------------------------------------

    def _happen(self, move: Move) -> None:
        step = self.agenda[-1]
        value = move[1]
        if step[0] == "first":
            self._plan_game(value)
        elif step[0] == "hand":
            self.agenda.pop()
            self._draw(value)
            self.hand[step[1]][value] += 1
        elif step[0] == "row":
            self._draw(value)
            self.row[value] += 1
        elif step[0] == "deal-long":
            self.agenda.pop()
            self.long_deck.remove(value)
            self.offer[step[1]].add(value)
        elif step[0] == "deal-normal":
            self.agenda.pop()
            self.ticket_deck.remove(value)
            self.offer[step[1]].add(value)
        elif step[0] == "blind":
            self.agenda.pop()
            self._draw(value)
            self.hand[self.current][value] += 1
        elif step[0] == "reveal":
            self._draw(value)
            self.revealed[value] += 1
        else:
            assert step[0] == "offer"
            self.agenda.pop()
            (self.ticket_deck or self.ticket_bundle).remove(value)
            self.offer[self.current].add(value)
            self.agenda.append(("offer", step[1] - 1))

    def _draw(self, color: int) -> None:
        self.deck[color] -= 1
        self._reshuffle()

    def _discard(self, cards: Cards) -> None:
        for color in range(KINDS_OF_CARDS):
            self.discards[color] += cards[color]
        self._reshuffle()

    def _reshuffle(self) -> None:
        """D6: an empty deck is replaced by the discards at once."""
        if sum(self.deck) == 0:
            self.deck, self.discards = self.discards, no_cards()

    # --- decisions --------------------------------------------------------------------------

    def _decide(self, move: Move) -> None:
        step = self.agenda[-1][0]
        if step == "choose":
            _, seat, kept = move
            self.chosen[seat] = self.offer[seat] - kept
            self.tickets[seat] = set(kept)
            self.offer[seat] = set()
            return  # the step stays until all have chosen
        _, *who = self.agenda.pop()
        if step == "start":
            self.markers[who[0]].append(move[1])
        elif step in {"turn", "second"}:
            self._act(move, second=step == "second")
        elif step == "tunnel":
            self._settle_tunnel(move)
        elif step == "keep":
            self.returning = self.offer[self.current] - move[1]
            self.tickets[self.current] |= move[1]
            self.offer[self.current] = set()
            self.agenda.append(("return",))
        elif step == "return":
            self.ticket_queue.append(move[1])
            self.returning.remove(move[1])
            self.agenda.append(("return",))
        elif step == "marker":
            if move[0] == "mark":
                _, city, color, locos = move
                self.markers[self.current].append(city)
                self._pay(color, locos, self.rules.marker_cards)
        else:
            assert step == "alvin"
            self.alvin_city = move[1]

    def _act(self, move: Move, *, second: bool) -> None:
        seat = self.current
        self.passes = self.passes + 1 if move[0] == "pass" else 0
        if move[0] == "take":
            color = move[1]
            self.row[color] -= 1
            self.row_stays = False
            self.hand[seat][color] += 1
            self.seen[seat][color] += 1
            if not second and color != LOCOMOTIVE:  # D3
                self.agenda.append(("second",))
            self.agenda.append(("row",))
        elif move[0] == "blind":
            if not second:
                self.agenda.append(("second",))
            self.agenda.append(("blind",))
        elif move[0] == "tickets":
            self.agenda.append(("offer", self.rules.draw_tickets))
        elif move[0] == "station":
            _, city, color, locos = move
            self.stations[seat].append(city)
            self._pay(color, locos, len(self.stations[seat]))
        elif move[0] == "claim":
            _, route, color, locos = move
            self.claiming = move
            self.laid = self._lay(color, locos, self.board.routes[route].length)
            if self.board.routes[route].kind == "tunnel":
                self.agenda += [("tunnel",), ("reveal",)]
            else:
                self._finish_claim(route)
        else:
            assert move == ("pass",)

    def _lay(self, color: int, locos: int, count: int) -> Cards:
        """Remove cards publicly from the hand of the seat whose turn it is."""
        cards = no_cards()
        cards[LOCOMOTIVE] += locos
        cards[color] += count - locos
        for c in range(KINDS_OF_CARDS):
            self.hand[self.current][c] -= cards[c]
            self.seen[self.current][c] = max(0, self.seen[self.current][c] - cards[c])
        return cards

    def _pay(self, color: int, locos: int, count: int) -> None:
        self._discard(self._lay(color, locos, count))
        self.agenda.append(("row",))  # D6: empty places fill at once

    def _settle_tunnel(self, move: Move) -> None:
        _, route, color, _ = self.claiming
        if move[0] == "pay":
            extra = self._lay(color, move[1], self._tunnel_cost())
            for c in range(KINDS_OF_CARDS):
                self.laid[c] += extra[c]
            self._finish_claim(route)
        else:  # U4: back to the hand, and now known to all
            for c in range(KINDS_OF_CARDS):
                self.hand[self.current][c] += self.laid[c]
                self.seen[self.current][c] += self.laid[c]
            self.laid = no_cards()

    def _finish_claim(self, index: int) -> None:
        """The laid cards are paid: C3, C5, C6, W4, A2, A3; then the following steps, as in A4."""
        seat = self.current
        route = self.board.routes[index]
        self.owner[index] = seat
        self.trains[seat] -= route.length
        self._score_route(route.a, route.b, self.rules.route_points[route.length])
        caught = self.alvin_city in {route.a, route.b} and self.alvin_holder != seat
        if caught:
            self.score[seat] += self.rules.alvin_points
            self.alvin_holder = seat
            self.agenda.append(("alvin",))
        if "marker" in self.rules.phases:
            self.agenda.append(("marker",))
        cards, self.laid = self.laid, no_cards()
        self._discard(cards)
        self.agenda.append(("row",))

    def _score_route(self, a: int, b: int, points: int) -> None:
        claimer = self.current
        if "controllers" not in self.rules.scorers:
            self.score[claimer] += points
            return
        controllers = [s for city in (a, b) for s in range(self.seats) if city in self.markers[s]]
        if any(seat != claimer for seat in controllers) or controllers == [claimer, claimer]:
            for seat in controllers:
                self.score[seat] += points
        else:
            self.score[claimer] += points

    # --- what is legal ----------------------------------------------------------------------

    def _actions(self, seat: int) -> set[Move]:
        """T1: all but passing."""
        actions = self._draws(second=False)
        for index in range(len(self.board.routes)):
            if self._is_open(index, seat):
                route = self.board.routes[index]
                colors = range(LOCOMOTIVE) if route.color == GRAY else (route.color,)
                for payment in self._payments(seat, route.length, colors, route.locomotives):
                    actions.add(("claim", index, *payment))
        if self.ticket_deck or self.ticket_bundle or self.ticket_queue:
            actions.add(("tickets",))
        if "station" in self.rules.phases and len(self.stations[seat]) < self.rules.stations:
            taken = {city for cities in self.stations for city in cities}
            for payment in self._payments(seat, len(self.stations[seat]) + 1):
                for city in range(len(self.board.cities)):
                    if city not in taken:
                        actions.add(("station", city, *payment))
        return actions

    def _draws(self, *, second: bool) -> set[Move]:
        draws: set[Move] = {("take", c) for c in range(KINDS_OF_CARDS) if self.row[c] > 0}
        if second:
            draws.discard(("take", LOCOMOTIVE))
        if sum(self.deck) > 0:
            draws.add(("blind",))
        return draws

    def _is_open(self, index: int, seat: int) -> bool:
        """C3, C4, C7 and W2: whether this seat could claim the route, given the cards."""
        route = self.board.routes[index]
        if self.trains[seat] < route.length or index in self.owner:
            return False
        for lane in self.lanes[index]:
            few_players = self.seats < self.rules.parallel_from
            if lane in self.owner and (few_players or self.owner[lane] == seat):
                return False
        if "start-city" in self.rules.phases:
            network = {self.markers[seat][0]}
            for mine in self._routes_of(seat):
                network |= {self.board.routes[mine].a, self.board.routes[mine].b}
            return route.a in network or route.b in network
        return True

    def _payments(
        self, seat: int, count: int, colors: Any = range(LOCOMOTIVE), least: int = 0
    ) -> list[tuple[int, int]]:
        """The ways (colour, locomotives) to pay some cards, with a least number of locomotives."""
        hand = self.hand[seat]
        ways = [
            (color, locos)
            for color in colors
            for locos in range(least, count)
            if hand[color] >= count - locos and hand[LOCOMOTIVE] >= locos
        ]
        if hand[LOCOMOTIVE] >= count:
            ways.append((LOCOMOTIVE, count))
        return ways

    def _tunnel_cost(self) -> int:
        """U2, U3."""
        color = self.claiming[2]
        cost = self.revealed[LOCOMOTIVE]
        if color != LOCOMOTIVE:
            cost += self.revealed[color]
        return cost

    def _tunnel_answers(self, seat: int) -> set[Move]:
        color = self.claiming[2]
        colors = () if color == LOCOMOTIVE else (color,)
        ways = self._payments(seat, self._tunnel_cost(), colors)
        return {("pay", locos) for _, locos in ways} | {("decline",)}

    def _free_for_marker(self) -> set[int]:
        """W1, A1."""
        taken = {city for cities in self.markers for city in cities}
        return set(range(len(self.board.cities))) - taken - {self.alvin_start}

    def _asked_about_marker(self, seat: int) -> bool:
        """Whether a marker is publicly possible: the question reveals nothing about the hand."""
        route = self.board.routes[self.claiming[1]]
        return (
            len(self.markers[seat]) < self.rules.markers
            and bool({route.a, route.b} & self._free_for_marker())
            and sum(self.hand[seat]) >= self.rules.marker_cards
        )

    def _marker_placings(self, seat: int) -> set[Move]:
        """W3."""
        if len(self.markers[seat]) >= self.rules.markers:
            return set()
        route = self.board.routes[self.claiming[1]]
        return {
            ("mark", city, *payment)
            for city in {route.a, route.b} & self._free_for_marker()
            for payment in self._payments(seat, self.rules.marker_cards)
        }

    def _routes_of(self, seat: int) -> list[int]:
        return [index for index, owner in self.owner.items() if owner == seat]

    # --- the end ----------------------------------------------------------------------------

    def final(self) -> dict[Any, Any]:
        """The points of each seat by kind, the winners, and what decided between them."""
        rules = self.rules
        seats = range(self.seats)
        settled = [self._settle_tickets(seat) for seat in seats]
        completed = [done for _, done in settled]
        paths = [0] * self.seats
        if "longest-path" in rules.scorers:
            paths = [longest_path(self._edges(seat)) for seat in seats]
        sheet: dict[Any, Any] = {}
        for seat in seats:
            points = {
                "routes": self.score[seat],
                "tickets": settled[seat][0] if "tickets" in rules.scorers else 0,
                "longest": 0,
                "stations": 0,
                "globetrotter": 0,
                "alvin": 0,
            }
            if "longest-path" in rules.scorers and paths[seat] == max(paths) > 0:
                points["longest"] = rules.longest_points  # E3
            if "stations" in rules.scorers:
                left = rules.stations - len(self.stations[seat])
                points["stations"] = left * rules.station_points  # G4
            if "globetrotter" in rules.scorers and completed[seat] == max(completed) > 0:
                points["globetrotter"] = rules.globetrotter_points  # W6
            if "alvin" in rules.scorers and self.alvin_holder == seat:
                points["alvin"] = rules.alvin_points  # A5
            total = sum(points.values())
            sheet[seat] = {
                **points,
                "completed": completed[seat],
                "path": paths[seat],
                "total": total,
            }
        sheet["winners"], sheet["tie_break"] = self._winners(sheet)
        return sheet

    def _winners(self, sheet: dict[Any, Any]) -> tuple[set[int], str]:
        """E4: narrow the best down, one tie-break after the other."""
        winners = best(range(self.seats), {s: sheet[s]["total"] for s in range(self.seats)})
        if len(winners) == 1:
            return winners, ""
        for word in self.rules.tie_breaks:
            if word == "tickets":
                winners = best(winners, {s: sheet[s]["completed"] for s in winners})
            elif word == "stations":
                winners = best(winners, {s: -len(self.stations[s]) for s in winners})
            else:
                assert word == "longest-path"
                longest = max(sheet[s]["path"] for s in range(self.seats))
                winners = best(winners, {s: int(sheet[s]["path"] == longest > 0) for s in winners})
            if len(winners) == 1:
                return winners, word
        return winners, "shared"

    def _edges(self, seat: int) -> list[tuple[int, int, int]]:
        routes = [self.board.routes[index] for index in self._routes_of(seat)]
        return [(route.a, route.b, route.length) for route in routes]

    def _settle_tickets(self, seat: int) -> tuple[int, int]:
        """K3, E2, G3: the best (net points, completed) over all ways to use the stations."""
        own = [(a, b) for a, b, _ in self._edges(seat)]
        choices = []
        for city in self.stations[seat]:
            borrowed: set[tuple[int, int] | None] = {None}
            for index, owner in self.owner.items():
                route = self.board.routes[index]
                if owner != seat and city in {route.a, route.b}:
                    borrowed.add((route.a, route.b))
            choices.append(borrowed)
        outcomes = []
        for borrowings in product(*choices):
            part = parts(len(self.board.cities), own + [edge for edge in borrowings if edge])
            net = 0
            done = 0
            for index in self.tickets[seat]:
                ticket = self.board.tickets[index]
                if part[ticket.a] == part[ticket.b]:
                    net += ticket.points
                    done += 1
                else:
                    net -= ticket.points
            outcomes.append((net, done))
        return max(outcomes)


def no_cards() -> Cards:
    return [0] * KINDS_OF_CARDS


def subsets(things: set[int], least: int) -> list[frozenset[int]]:
    """All the subsets of at least this size (or of all there is)."""
    sizes = range(min(least, len(things)), len(things) + 1)
    return [frozenset(some) for size in sizes for some in combinations(sorted(things), size)]


def best(seats: Any, values: dict[int, int]) -> set[int]:
    highest = max(values.values())
    return {seat for seat in seats if values[seat] == highest}


def parts(cities: int, edges: list[tuple[int, int]]) -> list[int]:
    """For each city, a number shared by all cities connected with it."""
    part = list(range(cities))
    for a, b in edges:
        old, new = part[a], part[b]
        if old != new:
            part = [new if p == old else p for p in part]
    return part


def longest_path(edges: list[tuple[int, int, int]]) -> int:
    """The length of the longest path that uses no edge (city, city, length) twice."""
    known: dict[tuple[int, frozenset[int]], int] = {}

    def onward(city: int, unused: frozenset[int]) -> int:
        if (city, unused) not in known:
            longest = 0
            for index in unused:
                a, b, length = edges[index]
                if city in {a, b}:
                    there = b if city == a else a
                    longest = max(longest, length + onward(there, unused - {index}))
            known[city, unused] = longest
        return known[city, unused]

    # One part of the network at a time: unreachable routes would only multiply the cases.
    part = parts(1 + max((max(a, b) for a, b, _ in edges), default=0), [e[:2] for e in edges])
    longest = 0
    for city in {city for a, b, _ in edges for city in (a, b)}:
        near = frozenset(i for i, (a, _, _) in enumerate(edges) if part[a] == part[city])
        longest = max(longest, onward(city, near))
    return longest


def copied(value: Any) -> Any:
    """A copy of lists, sets and dicts (and of a list's items), which shares immutable parts."""
    if isinstance(value, list):
        nested = value and isinstance(value[0], list | set)
        return [item.copy() for item in value] if nested else value.copy()
    if isinstance(value, set | dict):
        return value.copy()  # of numbers, or of sets that are never changed in place
    return value
