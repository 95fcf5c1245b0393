"""Checks whether a position that was read can occur in a game, and reports all problems.

A position without problems can be played: the checks cover the rules of the game, and the order
of the kernel's phases and deals. Codes such as D2 in messages and docstrings are the rules of
docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from macaz.edition.board import CARDS
from macaz.errors import Problem
from macaz.game.moves import Claim, InvalidMove
from macaz.game.position.read import (
    CARD_AREA,
    MARK_AREA,
    PHASE_AREA,
    ROUTE_AREA,
    TICKET_AREA,
    Claiming,
    Draft,
    blank_state,
    default_after,
    default_refreshed,
    default_score,
    default_trains,
    place_of,
    places_of,
)
from macaz.kernel import layout as at
from macaz.kernel.help import (
    claimable_lanes,
    few_trains,
    free_cities,
    has_marker,
    marker_cities,
    no_second_card,
    routes_among,
    why_closed,
    why_no_claim,
)

_CLAIM_PHASES = (at.DEAL_TUNNEL, at.TUNNEL, at.MARK, at.ALVIN)
_TUNNEL_PHASES = (at.DEAL_TUNNEL, at.TUNNEL)
# By phase: the values of `after` that are possible; for other phases, only the default. The kernel
# sets `after` when it next fills the row, so that in the first turn it is still "deal-setup".
_IN_A_TURN = (at.TURN, at.DEAL_SETUP)
_AFTERS: dict[int, tuple[int, ...]] = {
    at.DEAL_ROW: (
        at.DEAL_SETUP,
        at.TURN,
        at.SECOND,
        at.MARK,
        at.ALVIN,
        at.TURN_END,
        at.OVER,
    ),
    at.DEAL_BLIND: (at.TURN, at.DEAL_SETUP, at.SECOND),
    at.DEAL_OFFER: _IN_A_TURN,
    at.DEAL_TUNNEL: _IN_A_TURN,
    at.TURN: _IN_A_TURN,
    at.KEEP: _IN_A_TURN,
    at.RETURN: _IN_A_TURN,
    at.TUNNEL: _IN_A_TURN,
}


def check_draft(draft: Draft) -> list[Problem]:
    """All problems of a position; a check is skipped if an area that it needs was not read."""
    return [
        problem
        for check, areas in _CHECKS
        if not draft.unsound.intersection(areas)
        for problem in check(draft)
    ]


def _phase_name(draft: Draft) -> str:
    name = at.PHASE_NAMES[draft.phase]
    row = draft.phase == at.DEAL_ROW
    return f"{name}, then {at.PHASE_NAMES[draft.after]}" if row else name


def _now(draft: Draft) -> int:
    """The phase; while the row is filled, the phase that follows."""
    return draft.after if draft.phase == at.DEAL_ROW else draft.phase


# -- cards -------------------------------------------------------------------------------------


def _check_card_sums(draft: Draft) -> Iterator[Problem]:
    """S1: every card is in exactly one place."""
    total = draft.spec.edition.rules.cards
    known = [0] * at.CARDS
    hidden = 0
    heaps = [draft.row, draft.discards, draft.revealed, draft.laid]
    for player in draft.players:
        heaps.append(player.seen if player.hand is None else player.hand)
        hidden += player.hand_size - sum(player.seen) if player.hand is None else 0
    if draft.deck is not None:
        heaps.append(draft.deck)
    for heap in heaps:
        known = [n + k for n, k in zip(known, heap, strict=True)]
    for color, (n, most) in enumerate(zip(known, total, strict=True)):
        if n > most or (draft.open and n < most):
            remedy = "Correct the hands, row, deck or discards, or leave the deck out."
            yield Problem(f"cards.{CARDS[color]}", f"{n} of {most} {CARDS[color]} cards", remedy)
    if not draft.open:
        unseen = sum(total) - sum(known)
        if unseen != hidden + draft.deck_size and hidden >= 0:
            message = (
                f"{unseen} cards are unseen, but hands and deck have {hidden + draft.deck_size}"
            )
            yield Problem("deck_size", message, "Correct the number of the deck or of a hand.")


def _check_pool(draft: Draft) -> Iterator[Problem]:
    """The deck is a part of its last shuffle."""
    total = draft.spec.edition.rules.cards
    deck = draft.deck if draft.deck is not None else [0] * at.CARDS
    for color, (low, n, high) in enumerate(zip(deck, draft.pool, total, strict=True)):
        if not low <= n <= high:
            message = f"{n}, but the deck has {low} and the game {high}"
            yield Problem(f"pool.{CARDS[color]}", message, "Correct it, or leave the pool out.")
    if sum(draft.pool) < draft.deck_size:
        message = f"{sum(draft.pool)} cards for a deck of {draft.deck_size}"
        yield Problem("pool", message, "Correct it, or leave the pool out.")


def _check_seen(draft: Draft) -> Iterator[Problem]:
    """The cards that all seats have seen in a hand are in that hand."""
    for i, player in enumerate(draft.players):
        if player.hand is None:
            if sum(player.seen) > player.hand_size:
                message = f"{sum(player.seen)} cards were seen in a hand of {player.hand_size}"
                yield Problem(f"seats[{i}].seen", message, "Remove what has left the hand.")
            continue
        for color, (seen, held) in enumerate(zip(player.seen, player.hand, strict=True)):
            if seen > held:
                message = f"{seen} seen in a hand with {held}"
                place = f"seats[{i}].seen.{CARDS[color]}"
                yield Problem(place, message, "Remove what has left the hand.")


def _check_row(draft: Draft) -> Iterator[Problem]:
    """D2, D6: the row is full, and the deck not empty, while there are cards."""
    size, full = sum(draft.row), draft.spec.edition.rules.row
    if size > full:
        yield Problem("row", f"{size} cards in a row of {full}", "Remove some.")
    if draft.phase in (at.DEAL_FIRST, at.DEAL_HANDS):
        for place, cards in (("row", draft.row), ("discards", draft.discards)):
            if any(cards):
                message = f'there are none yet in the phase "{_phase_name(draft)}"'
                yield Problem(place, message, "Remove them.")
        return
    if draft.deck_size == 0 and any(draft.discards):
        message = "the deck is empty, but there are discards"
        yield Problem("deck", message, "Move the discards into the deck (D6).")
    if draft.phase == at.DEAL_ROW:
        if size >= full:
            message = 'the row is full, but the phase is "deal-row"'
            yield Problem("row", message, "Take a card off it, or change the phase.")
    elif size < full and draft.deck_size:
        message = f"{size} cards in a row of {full}, and the deck has more"
        yield Problem("row", message, "Fill the row from the deck (D2).")
    if draft.phase in (at.DEAL_ROW, at.DEAL_BLIND, at.DEAL_TUNNEL) and draft.deck_size == 0:
        message = f'the deck is empty in the phase "{_phase_name(draft)}"'
        yield Problem("deck", message, "Add cards, or change the phase.")
    states = blank_state(deck_size=draft.deck_size, row=draft.row, row_size=size)
    if draft.phase == at.SECOND and no_second_card(states):
        message = "there is no legal second card (D8)"
        yield Problem("phase", message, "Give the turn to the next seat.")
    if draft.phase != at.DEAL_ROW:
        refreshed = default_refreshed(draft.spec, draft.phase, draft.row)
        if draft.refreshed != refreshed:
            message = f"{draft.refreshed}, but with this row it is {refreshed} (D7)"
            yield Problem("refreshed", message, "Leave it out.")


def _check_setup_cards(draft: Draft) -> Iterator[Problem]:
    """S2: hands are dealt in order, each completely before the next."""
    if not draft.setting_up:
        return
    each, seats = draft.spec.edition.rules.hand, draft.spec.seats
    dealt = sum(p.hand_size for p in draft.players)
    if draft.phase == at.DEAL_FIRST:
        dealt = 0
    elif draft.phase != at.DEAL_HANDS:
        dealt = each * seats
    elif dealt >= each * seats:
        yield Problem("phase", "all hands are dealt", 'Go on to "deal-row".')
    for i in range(seats):
        seat = (draft.first + i) % seats
        player = draft.players[seat]
        wanted = min(max(dealt - each * i, 0), each)
        if player.hand_size != wanted:
            message = f'{player.hand_size} cards in the phase "{_phase_name(draft)}"'
            yield Problem(f"seats[{seat}].hand", message, f"Deal {wanted} (S2).")
        if sum(player.seen):
            message = "no card can be taken face up before the first turn"
            yield Problem(f"seats[{seat}].seen", message, "Remove it.")


# -- routes ------------------------------------------------------------------------------------


def _check_lanes(draft: Draft) -> Iterator[Problem]:
    """C4, C7: every lane is claimed once, and parallel lanes as the rules allow."""
    spec, names, states = draft.spec, draft.notation, blank_state()
    owner: dict[int, int] = {}
    for seat, player in enumerate(draft.players):
        for i, route in enumerate(player.routes):
            place = f"seats[{seat}].routes[{i}]"
            name = names.route_name(route)
            if route in owner:
                message = f"{name} is claimed already, by seat {owner[route]}"
                yield Problem(place, message, "Keep it once.")
                continue
            reason = why_closed(spec, states, seat, route)
            if reason == "own-parallel-lane":
                message = f"{name}: the seat has another lane of it"
                yield Problem(place, message, "Remove one of them (C7).")
            elif reason:
                other = next(owner[r] for r in spec.edition.board.pair_lanes(route) if r in owner)
                message = f"{name}: seat {other} has another lane of it"
                remedy = f"At {spec.seats} seats only one lane may be claimed (C7)."
                yield Problem(place, message, remedy)
            owner[route] = seat
            _claim(draft, states, seat, route)


def _check_trains(draft: Draft) -> Iterator[Problem]:
    for i, player in enumerate(draft.players):
        rest = default_trains(draft.spec, player.routes)
        if rest < 0:
            message = f"the routes take {-rest} more trains than a seat has"
            yield Problem(f"seats[{i}].routes", message, "Remove some.")
        elif player.trains != rest:
            message = f"{player.trains} trains are left, but the routes leave {rest}"
            yield Problem(f"seats[{i}].trains", message, f"Write {rest}, or leave it out.")


def _check_scores(draft: Draft) -> Iterator[Problem]:
    """C5, A2: with the scorer "routes" the score follows from routes and captures of Alvin."""
    rules = draft.spec.edition.rules
    if "routes" not in rules.scorers:
        return
    for i, player in enumerate(draft.players):
        points = default_score(draft.spec, player.routes)
        captures = player.score - points
        step = rules.alvin_points if "alvin" in rules.phases else 0
        if captures != 0 and (captures < 0 or step == 0 or captures % step):
            message = f"{player.score} points, but the routes are worth {points}"
            yield Problem(f"seats[{i}].score", message, f"Write {points}, or leave it out.")


def _check_setup_board(draft: Draft) -> Iterator[Problem]:
    if not draft.setting_up:
        return
    for i, player in enumerate(draft.players):
        for key, value in (("routes", player.routes), ("score", player.score)):
            if value:
                message = f'there can be none in the phase "{_phase_name(draft)}"'
                yield Problem(f"seats[{i}].{key}", message, "Remove it, or change the phase.")


def _check_claiming(draft: Draft) -> Iterator[Problem]:
    """U1 to U3, W3, A2: the route being claimed, and the cards laid and revealed for it."""
    claiming, now = draft.claiming, _now(draft)
    if now != at.TURN_END and (claiming is not None) != (now in _CLAIM_PHASES):
        if claiming is None:
            message = f'no route is being claimed in the phase "{_phase_name(draft)}"'
            yield Problem("claiming", message, "Name the route.")
        else:
            message = f'a route is being claimed in the phase "{_phase_name(draft)}"'
            yield Problem("claiming", message, "Remove it, or change the phase.")
        return
    if claiming is None:
        return
    route = draft.spec.edition.board.routes[claiming.route]
    name, seat = draft.notation.route_name(claiming.route), draft.turn
    if now not in _TUNNEL_PHASES:
        if claiming.route not in draft.players[seat].routes:
            message = f"seat {seat}, whose turn it is, has not claimed {name}"
            yield Problem("claiming", message, "Add it to the seat's routes.")
    elif route.kind != "tunnel":
        yield Problem("claiming", f"{name} is no tunnel", "Change the route or the phase.")
        return
    else:
        yield from _check_open(draft, claiming.route)
    if route.kind == "tunnel":
        yield from _check_tunnel(draft, claiming)
    elif claiming.color is not None or any(claiming.revealed) or claiming.extra:
        message = f"{name} is no tunnel: no cards are laid or revealed for it"
        yield Problem("claiming", message, "Remove laid, revealed and extra.")


def _check_open(draft: Draft, route: int) -> Iterator[Problem]:
    """C3, C4, C7, W2: the tunnel that the seat tries to claim is open to it."""
    spec, board = draft.spec, draft.spec.edition.board
    name, seat = draft.notation.route_name(route), draft.turn
    states = _board_state(draft)
    if why_closed(spec, states, seat, route):
        lanes = (route, *(lane for lane in board.pair_lanes(route) if lane != route))
        owner, lane = next(
            (i, lane) for lane in lanes for i, p in enumerate(draft.players) if lane in p.routes
        )
        message = f"{name} is closed: seat {owner} has {draft.notation.route_name(lane)}"
        yield Problem("claiming", message, "Name an open route (C4, C7).")
        return
    if spec.table["start_city"][0] and (draft.unsound or not draft.players[seat].marks):
        return  # without the starting city, the network is unknown
    reason = why_no_claim(spec, states, seat, route)
    if reason == "too-few-trains":
        message = f"{name} takes {board.routes[route].length} trains"
        yield Problem("claiming", message, "Name a shorter route (C3).")
    elif reason:
        message = f"{name} does not touch the network of seat {seat}"
        yield Problem("claiming", message, "Name a route that does (W2).")


def _check_tunnel(draft: Draft, claiming: Claiming) -> Iterator[Problem]:
    rules = draft.spec.edition.rules
    name = draft.notation.route_name(claiming.route)
    if claiming.color is None:
        yield Problem("laid", "the cards laid are missing", 'Add them, as in {"red": 2}.')
        return
    try:
        draft.notation.action(Claim(claiming.route, claiming.color, claiming.locomotives))
    except InvalidMove:
        message = f"{name} cannot be paid with {CARDS[claiming.color]}"
        message += f" and {claiming.locomotives} locomotives"
        yield Problem("claiming", message, "Correct the colour or the locomotives (C1, C2).")
    count = sum(claiming.revealed)
    if count > rules.tunnel_cards:
        message = f"{count} cards are revealed"
        yield Problem("revealed", message, f"At most {rules.tunnel_cards} are (U1).")
    elif draft.phase == at.DEAL_TUNNEL and count == rules.tunnel_cards:
        yield Problem("revealed", "all cards are revealed", 'Go on to "tunnel".')
    elif draft.phase == at.TUNNEL and count < rules.tunnel_cards and draft.deck_size:
        message = f"{count} cards are revealed, and the deck has more"
        yield Problem("revealed", message, f"Reveal {rules.tunnel_cards} (U1, U6).")
    if claiming.extra is not None and claiming.extra != draft.extra:
        message = f"{claiming.extra}, but the revealed cards cost {draft.extra}"
        yield Problem("extra", message, "Leave it out (U2, U3).")
    if draft.phase == at.TUNNEL and draft.extra == 0:
        message = "the revealed cards cost nothing: there is nothing to decide"
        yield Problem("revealed", message, "Give the route to the seat (U2).")


# -- stations, markers, Alvin ------------------------------------------------------------------


def _claim(draft: Draft, states: np.ndarray, seat: int, route: int) -> None:
    """Set in a state that a seat has claimed a route."""
    word, bit = divmod(draft.spec.lane_of_route[route], at.WORD_BITS)
    states["claimed"][0, seat, word] |= 1 << bit


def _board_state(draft: Draft) -> np.ndarray:
    """A state with the routes, trains, stations and markers of a position."""
    states = blank_state()
    for seat, player in enumerate(draft.players):
        states["trains"][0, seat] = max(player.trains, 0)
        states["marks"][0, seat, : len(player.marks)] = player.marks[: at.MARKS]
        for route in player.routes:
            _claim(draft, states, seat, route)
    return states


def _disconnected(draft: Draft, seat: int) -> set[int]:
    """The routes of a seat that are not connected to its starting city.

    Its routes are claimed one after another, as long as the kernel allows one of them.
    """
    spec, player = draft.spec, draft.players[seat]
    states = blank_state()
    states["marks"][0, seat, 0] = player.marks[0]
    rest = set(player.routes)
    while near := rest & routes_among(spec, claimable_lanes(spec, states, seat)):
        for route in near:
            _claim(draft, states, seat, route)
        rest -= {lane for route in near for lane in spec.edition.board.pair_lanes(route)}
    return rest


def _check_marks(draft: Draft) -> Iterator[Problem]:
    """G1, W1, A1: the number of stations or markers of a seat, and at most one in a city."""
    table, states = draft.spec.table[0], blank_state()
    most = max(int(table["stations"]), int(table["markers"]), int(table["start_city"]))
    taken: dict[int, int] = {}
    for seat, player in enumerate(draft.players):
        place = f"seats[{seat}].marks"
        if len(player.marks) > most:
            message = f"{len(player.marks)} stations or markers"
            yield Problem(place, message, f"A seat has {most} in this edition.")
        for i, city in enumerate(player.marks):
            name = draft.notation.city_name(city)
            free = city in free_cities(draft.spec, states)
            if city in taken:
                message = f"{name} is marked already, by seat {taken[city]}"
                yield Problem(f"{place}[{i}]", message, "Keep one of them (G1, W1).")
            elif not free:
                yield Problem(f"{place}[{i}]", f"{name} is Alvin's", "Use another city (A1).")
            taken.setdefault(city, seat)
            if i < at.MARKS:
                states["marks"][0, seat, i] = city


def _check_networks(draft: Draft) -> Iterator[Problem]:
    """S7, W2, W3: starting cities are placed in order; routes and markers are connected to them."""
    table, seats = draft.spec.table[0], draft.spec.seats
    has_start = bool(table["start_city"])
    for seat, player in enumerate(draft.players):
        place = f"seats[{seat}].marks"
        if draft.setting_up:
            # The last seat places first, then the others in reverse order (S7).
            done = draft.phase == at.START and (seat - draft.turn) % seats > 0
            done = done and (seat - draft.first) % seats > (draft.turn - draft.first) % seats
            if len(player.marks) != int(done):
                message = f'{len(player.marks)} marks in the phase "{_phase_name(draft)}"'
                yield Problem(place, message, f"There are {int(done)} then (S7).")
            continue
        if has_start and not player.marks:
            yield Problem(place, "no starting city", "Add it (S7).")
            continue
        if has_start:
            disconnected = _disconnected(draft, seat)
            for i, route in enumerate(player.routes):
                if route in disconnected:
                    name = draft.notation.route_name(route)
                    message = f"{name} is not connected to the starting city"
                    yield Problem(
                        f"seats[{seat}].routes[{i}]",
                        message,
                        "Remove it, or add the routes between (W2).",
                    )
        if int(table["markers"]) and not int(table["stations"]):
            routes = draft.spec.edition.board.routes
            ends = {city for r in player.routes for city in (routes[r].a, routes[r].b)}
            for i, city in enumerate(player.marks[int(has_start) :], int(has_start)):
                if city not in ends:
                    message = f"{draft.notation.city_name(city)} is on no route of the seat"
                    yield Problem(f"{place}[{i}]", message, "Move it to one (W3).")


def _check_mark_phase(draft: Draft) -> Iterator[Problem]:
    if _now(draft) != at.MARK or draft.claiming is None:
        return
    spec, states = draft.spec, _board_state(draft)
    states["lane"][0] = spec.lane_of_route[draft.claiming.route]
    if not has_marker(spec, states, draft.turn):
        message = f"seat {draft.turn} has no marker left"
        yield Problem("phase", message, "Give the turn to the next seat (W1).")
    elif not marker_cities(spec, states):
        message = "no end of the route is free"
        yield Problem("phase", message, "Give the turn to the next seat (W3).")


def _check_alvin(draft: Draft) -> Iterator[Problem]:
    """A1 to A3: Alvin is at home until he is captured, then in a city of his holder."""
    home = int(draft.spec.table["alvin_home"][0])
    now = _now(draft)
    if home < 0:
        if now == at.ALVIN:
            yield Problem("phase", f"no Alvin in {draft.spec.edition.title}", "Change it.")
        return
    holder, city = draft.alvin_holder, draft.alvin_city
    name = draft.notation.city_name(city)
    if draft.captured:
        if now not in (at.MARK, at.ALVIN):
            message = f'Alvin cannot be waiting for a move in the phase "{_phase_name(draft)}"'
            yield Problem("alvin_captured", message, "Write false, or change the phase.")
        if holder != draft.turn:
            message = "Alvin is moved by the seat whose turn it is"
            yield Problem("alvin_holder", message, f"Write {draft.turn} (A2).")
        if draft.claiming is not None:
            route = draft.spec.edition.board.routes[draft.claiming.route]
            if city not in (route.a, route.b):
                message = f"the route being claimed does not lead to {name}"
                yield Problem("alvin_city", message, "Name one of its ends (A3).")
    elif now == at.ALVIN:
        message = "Alvin is to be moved, but was not captured"
        yield Problem("alvin_captured", message, "Write true, or change the phase.")
    if holder < 0 and city != home:
        message = f"no seat holds Alvin, but he is in {name}"
        yield Problem("alvin_city", message, f"Write {draft.notation.city_name(home)} (A1).")
    if holder >= 0 and not draft.captured and city not in draft.players[holder].marks:
        message = f"seat {holder} does not control {name}"
        yield Problem("alvin_city", message, "Name a city of the holder (A2).")


# -- tickets -----------------------------------------------------------------------------------


def _check_ticket_places(draft: Draft) -> Iterator[Problem]:
    """Every ticket is in one place."""
    names = draft.notation
    where: dict[int, str] = {}
    for ticket, place in places_of(draft):
        if ticket in where:
            message = f"{names.ticket_name(ticket)} is also in {where[ticket]}"
            yield Problem(place, message, "Keep it in one place.")
        where.setdefault(ticket, place)


def _check_ticket_numbers(draft: Draft) -> Iterator[Problem]:
    """S4, S5: the number of tickets out of the game."""
    spec, rules = draft.spec, draft.spec.edition.rules
    deal = rules.setup_tickets + rules.setup_long
    total = len(spec.edition.board.tickets)
    out = total - draft.stock - sum(len(p.held) + len(p.offer) for p in draft.players)
    longs = sum(t.deck == "long" for t in spec.edition.board.tickets)
    if draft.phase == at.CHOOSE:
        out -= sum(max(deal - len(p.held) - len(p.offer), 0) for p in draft.players)
    if draft.setting_up and draft.phase not in (at.CHOOSE, at.START):
        undealt = longs - sum(min(len(p.offer), rules.setup_long) for p in draft.players)
    else:
        undealt = longs - spec.seats * rules.setup_long
    may_return = 0  # tickets that seats may have returned at the start
    if rules.setup_return == "out" and (not draft.setting_up or draft.phase == at.START):
        may_return = spec.seats * (deal - rules.setup_keep)
    if not undealt <= out <= undealt + may_return:
        counted = total - out
        message = f"{counted} of {total} tickets are held, offered or in the deck"
        low, high = total - undealt - may_return, total - undealt
        wanted = f"{low}" if low == high else f"{low} to {high}"
        place = "known_tickets" if draft.open else "ticket_stock"
        yield Problem(place, message, f"There should be {wanted} (S4, S5, K1).")


def _check_ticket_kinds(draft: Draft) -> Iterator[Problem]:
    """S5: the places of long and normal tickets."""
    rules, names = draft.spec.edition.rules, draft.notation
    tickets = draft.spec.edition.board.tickets
    is_long = [t.deck == "long" for t in tickets]
    out = rules.setup_return == "out"
    playing = not draft.setting_up or draft.phase == at.START
    for ticket in draft.ticket_deck:
        if is_long[ticket]:
            message = f"{names.ticket_name(ticket)} is a long ticket"
            yield Problem(
                place_of(draft, ticket), message, "Long tickets have a deck of their own."
            )
    for ticket in draft.long:
        if not is_long[ticket] or not draft.setting_up or draft.phase in (at.CHOOSE, at.START):
            message = f"{names.ticket_name(ticket)} cannot lie in the long deck now"
            yield Problem(place_of(draft, ticket), message, "Move it (S5).")
    for ticket in draft.box:
        if not playing or not out:
            unseen = is_long[ticket] and (draft.phase == at.CHOOSE or playing)
            if not unseen:
                message = f"{names.ticket_name(ticket)} cannot be out of the game"
                yield Problem(place_of(draft, ticket), message, "Move it to the deck.")
    if draft.bundle and (rules.setup_return != "shuffled" or not playing):
        message = "no tickets are returned and shuffled under the deck in this edition or phase"
        yield Problem("tickets_bundled", message, "Move them to the deck (S4).")
    if draft.under and not playing:
        message = "nothing is under the deck before the first turn"
        yield Problem("tickets_under", message, "Move them to the deck.")


def _check_dealt_long(draft: Draft) -> Iterator[Problem]:
    """S5: if returned tickets leave the game, long ones cannot be drawn later."""
    rules, names = draft.spec.edition.rules, draft.notation
    if rules.setup_return != "out" or (draft.setting_up and draft.phase != at.START):
        return
    is_long = [t.deck == "long" for t in draft.spec.edition.board.tickets]
    heaps = [(f"seats[{i}].offer", p.offer) for i, p in enumerate(draft.players)]
    for place, heap in [("tickets_under", draft.under), *heaps]:
        for drawn in heap:
            if drawn is not None and is_long[drawn]:
                message = f"{names.ticket_name(drawn)} is a long ticket: it cannot be drawn"
                yield Problem(place, message, "Move it (S5).")
    for i, player in enumerate(draft.players):
        count = sum(is_long[t] for t in player.held if t is not None)
        if count > rules.setup_long:
            message = f"{count} long tickets"
            yield Problem(f"seats[{i}].tickets", message, f"A seat has {rules.setup_long} (S4).")


def _check_setup_tickets(draft: Draft) -> Iterator[Problem]:
    """S4: the tickets dealt, kept and returned before the first turn."""
    rules, seats = draft.spec.edition.rules, draft.spec.seats
    deal = rules.setup_tickets + rules.setup_long
    is_long = [t.deck == "long" for t in draft.spec.edition.board.tickets]
    if not draft.setting_up or draft.phase == at.START:
        return
    if draft.phase == at.CHOOSE and not any(p.offer for p in draft.players):
        yield Problem("seats", "no seat has an offer to choose from", 'Go on to "turn".')
    if draft.phase == at.DEAL_SETUP and sum(len(p.offer) for p in draft.players) >= seats * deal:
        yield Problem("phase", "all tickets are dealt", 'Go on to "choose".')
    dealt = sum(len(p.offer) for p in draft.players) if draft.phase == at.DEAL_SETUP else 0
    for i in range(seats):
        seat = (draft.first + i) % seats
        player, place = draft.players[seat], f"seats[{seat}]"
        if draft.phase == at.CHOOSE and not player.offer:
            wanted = 0
            kept = len(player.held)
            if not rules.setup_keep <= kept <= deal:
                message = f"{kept} tickets kept"
                remedy = f"Keep {rules.setup_keep} to {deal} (S4)."
                yield Problem(f"{place}.tickets", message, remedy)
        else:
            wanted = deal if draft.phase == at.CHOOSE else min(max(dealt - deal * i, 0), deal)
            if player.held:
                message = f'tickets are held in the phase "{_phase_name(draft)}"'
                yield Problem(f"{place}.tickets", message, "Put them into the offer.")
        if len(player.offer) != wanted:
            message = f'{len(player.offer)} in the phase "{_phase_name(draft)}"'
            yield Problem(f"{place}.offer", message, f"Deal {wanted} (S4).")
        visible = draft.open or seat == draft.viewer
        returned = deal - len(player.held) if draft.phase == at.CHOOSE and not wanted else 0
        if visible and len(player.returned) != max(returned, 0):
            message = f"{len(player.returned)} returned"
            yield Problem(
                "known_tickets", f"seat {seat}: {message}", f"There should be {returned} (S4)."
            )
        group = [*player.offer, *player.held, *player.returned]
        known = [t for t in group if t is not None]
        count = sum(is_long[t] for t in known)
        if (
            visible
            and known
            and len(known) == len(group)
            and count != min(len(group), rules.setup_long)
        ):
            message = f"{count} long tickets of {len(group)}"
            yield Problem(f"{place}.offer", message, f"Deal {rules.setup_long} of them (S4).")


def _check_offers(draft: Draft) -> Iterator[Problem]:
    """K1: offers exist only in their phases, with the right size."""
    rules = draft.spec.edition.rules
    if not draft.setting_up or draft.phase == at.START:
        for i, player in enumerate(draft.players):
            offering = draft.phase in (at.DEAL_OFFER, at.KEEP, at.RETURN) and i == draft.turn
            if player.offer and not offering:
                message = f'an offer in the phase "{_phase_name(draft)}"'
                yield Problem(f"seats[{i}].offer", message, "Remove it, or change the phase.")
            if player.returned:
                message = f'tickets returned in the phase "{_phase_name(draft)}"'
                yield Problem(place_of(draft, player.returned[0]), message, "Move them (S4).")
    place = f"seats[{draft.turn}].offer"
    size = len(draft.players[draft.turn].offer)
    most = min(rules.draw_tickets, draft.stock + size)
    if draft.phase == at.KEEP and not 0 < size == most:
        yield Problem(place, f"{size} tickets to choose from", f"Offer {max(most, 1)} (K1).")
    if draft.phase == at.DEAL_OFFER:
        if size >= most:
            yield Problem(place, f"{size} tickets are dealt already", 'Go on to "keep".')
        elif draft.chance_tickets == 0:
            message = (
                "the next ticket is the first of those under the deck: chance does not deal it"
            )
            yield Problem("ticket_stock", message, 'Deal it, and go on to "keep".')
    if draft.phase == at.RETURN:
        if rules.return_order != "chosen":
            message = f"no order is chosen in {draft.spec.edition.title}"
            yield Problem("phase", message, "Put the tickets under the deck (K1).")
        high = rules.draw_tickets - rules.draw_keep
        if not 2 <= size <= high:
            message = f"{size} tickets to return"
            yield Problem(place, message, f"There are 2 to {high} then (K1).")


def _check_known(draft: Draft) -> Iterator[Problem]:
    """K2: the seat that has a ticket knows it; tickets in the deck are known to no seat."""
    if not draft.open:
        return
    deck = {*draft.ticket_deck, *draft.long}
    owner = {
        t: i
        for i, p in enumerate(draft.players)
        for t in (*p.held, *p.offer, *p.returned)
        if t is not None
    }
    for ticket, bits in draft.known.items():
        name = draft.notation.ticket_name(ticket)
        if ticket in deck and bits:
            message = "it is in the deck, where no seat knows it"
            yield Problem(f"knowers.{name}", message, "Remove it.")
        if ticket in owner and not bits >> owner[ticket] & 1:
            message = f"seat {owner[ticket]} has it and knows it"
            yield Problem(f"knowers.{name}", message, f"Add {owner[ticket]}.")


# -- phases ------------------------------------------------------------------------------------


def _check_flow(draft: Draft) -> Iterator[Problem]:
    """T2, E1: the phase, the phase after it and the counters are consistent."""
    spec, seats, now = draft.spec, draft.spec.seats, _now(draft)
    allowed = _AFTERS.get(draft.phase, (default_after(draft.phase),))
    if draft.after not in allowed:
        message = f'"{at.PHASE_NAMES[draft.after]}" cannot follow "{at.PHASE_NAMES[draft.phase]}"'
        words = ", ".join(at.PHASE_NAMES[a] for a in allowed)
        yield Problem("after", message, f"Use one of: {words}.")
    needed = {
        at.START: spec.table["start_city"][0],
        at.MARK: spec.table["markers"][0],
        at.TUNNEL: "tunnel" in spec.edition.rules.phases,
        at.DEAL_TUNNEL: "tunnel" in spec.edition.rules.phases,
    }
    if not needed.get(now, True):
        message = f'{spec.edition.title} has no phase "{at.PHASE_NAMES[now]}"'
        yield Problem("phase", message, "Change it.")
    if draft.setting_up and draft.phase != at.START and draft.turn != max(draft.first, 0):
        message = f'the turn is seat {draft.turn}\'s in the phase "{_phase_name(draft)}"'
        yield Problem("turn", message, f"Write {max(draft.first, 0)}.")
    if draft.first < 0 and draft.phase != at.DEAL_FIRST:
        yield Problem("first", "the first seat is missing", "Add it.")
    if draft.phase == at.DEAL_FIRST and draft.first >= 0:
        message = "chance has not determined the first seat yet"
        yield Problem("first", message, "Write null.")
    if now != at.TURN_END and draft.drawn != int(draft.after == at.SECOND):
        message = f'{draft.drawn} cards drawn in the phase "{_phase_name(draft)}"'
        yield Problem("drawn", message, "Leave it out.")
    if draft.passes and (draft.setting_up or now not in (at.TURN, at.OVER)):
        message = f'{draft.passes} passes in the phase "{_phase_name(draft)}"'
        yield Problem("passes", message, "Write 0 (T2).")
    elif draft.passes == seats and now != at.OVER:
        yield Problem("passes", "every seat has passed", 'The phase is "over" then (T2).')
    if draft.last and draft.setting_up:
        message = f'the last round in the phase "{_phase_name(draft)}"'
        yield Problem("last_turns", message, "Write 0 (E1).")


def _check_last_round(draft: Draft) -> Iterator[Problem]:
    """E1: the last round has begun if and only if a seat ended a turn with few trains."""
    seats, rules = draft.spec.seats, draft.spec.edition.rules
    now, states = _now(draft), _board_state(draft)
    few = [few_trains(draft.spec, states, seat) for seat in range(seats)]
    if now == at.OVER:
        if draft.passes < seats and (draft.last or not any(few)):
            message = "the game cannot be over: every seat has trains, or turns are left"
            yield Problem("phase", message, "Let it go on (E1, T2).")
        return
    if draft.last:
        seat = (draft.turn - 1 + draft.last) % seats
        if not few[seat]:
            message = f"{draft.last} turns are left, so seat {seat} began the last round,"
            message += f" with {draft.players[seat].trains} trains"
            yield Problem("last_turns", message, f"That takes {rules.last_trains} or fewer (E1).")
        return
    for seat, player in enumerate(draft.players):
        claimed = seat == draft.turn and now in (at.MARK, at.ALVIN, at.TURN_END)
        if few[seat] and not claimed:
            message = f"seat {seat} has {player.trains} trains, and the last round has not begun"
            yield Problem("last_turns", message, f"Say how many turns are left, 1 to {seats} (E1).")


_CHECKS: tuple[tuple[Callable[[Draft], Iterator[Problem]], tuple[str, ...]], ...] = (
    (_check_flow, (PHASE_AREA,)),
    (_check_card_sums, (CARD_AREA, ROUTE_AREA, PHASE_AREA)),
    (_check_pool, (CARD_AREA,)),
    (_check_seen, (CARD_AREA,)),
    (_check_row, (CARD_AREA, PHASE_AREA)),
    (_check_setup_cards, (CARD_AREA, PHASE_AREA)),
    (_check_lanes, (ROUTE_AREA,)),
    (_check_trains, (ROUTE_AREA,)),
    (_check_scores, (ROUTE_AREA,)),
    (_check_setup_board, (ROUTE_AREA, PHASE_AREA)),
    (_check_claiming, (ROUTE_AREA, CARD_AREA, PHASE_AREA)),
    (_check_last_round, (ROUTE_AREA, PHASE_AREA)),
    (_check_marks, (MARK_AREA,)),
    (_check_networks, (MARK_AREA, ROUTE_AREA, PHASE_AREA)),
    (_check_mark_phase, (MARK_AREA, ROUTE_AREA, PHASE_AREA)),
    (_check_alvin, (MARK_AREA, ROUTE_AREA, PHASE_AREA)),
    (_check_ticket_places, (TICKET_AREA,)),
    (_check_ticket_numbers, (TICKET_AREA, PHASE_AREA)),
    (_check_ticket_kinds, (TICKET_AREA, PHASE_AREA)),
    (_check_dealt_long, (TICKET_AREA, PHASE_AREA)),
    (_check_setup_tickets, (TICKET_AREA, PHASE_AREA)),
    (_check_offers, (TICKET_AREA, PHASE_AREA)),
    (_check_known, (TICKET_AREA,)),
)
