"""Whole decisions, by the kind of player."""

from macaz.bots.compiled.cards import claim_of
from macaz.bots.compiled.drawing import draw_card
from macaz.bots.compiled.layout import RACER, RANDOM
from macaz.bots.compiled.plan import note_claims, plan_for, plan_stands, tickets_held
from macaz.bots.compiled.rest import (
    build_station,
    keep_cheapest,
    keep_tickets,
    move_alvin,
    pay_tunnel_or_not,
    place_marker,
    start_somewhere,
)
from macaz.bots.compiled.tempo import turns_left
from macaz.bots.compiled.tickets import draw_promise
from macaz.bots.compiled.weigh import weigh
from macaz.kernel.layout import (
    A_TICKETS,
    ALVIN,
    CARDS,
    CHOOSE,
    KEEP,
    MARK,
    SECOND,
    START,
    TUNNEL,
    TURN,
    WORDS,
)
from macaz.kernel.legal import legal_count, legal_nth
from macaz.kernel.play import random_action_of
from macaz.kernel.table import free_lanes, may_draw_tickets


def refresh_plan(spec, g, y, s, seat, m):
    """Keep the plan, or make a new one where it no longer stands."""
    o0, o1, o2 = free_lanes(spec, s, seat)
    held = tickets_held(spec, s, seat)
    if plan_stands(spec, s, seat, m, o0, o1, o2, held):
        note_claims(spec, s, seat, m)
    else:
        plan_for(spec, g, y, s, seat, m, 0)


def no_plan(m):
    """Forget all plans and wishes."""
    for w in range(WORDS):
        m.plan[w] = 0
        m.borrow[w] = 0
    m.held = -1
    m.open = 0
    m.trains = 0
    m.worth = 0.0
    for c in range(CARDS):
        m.want[c] = 0.0


def take_turn(spec, g, y, s, seat, m, w):
    """A claim if one pays, else a station, more tickets, or a card."""
    if y.kind == RACER:
        no_plan(m)
    else:
        refresh_plan(spec, g, y, s, seat, m)
    turns = turns_left(spec, s, seat) + y.leisure
    lane = weigh(spec, g, y, s, seat, m, w, turns)
    if s.phase == TURN:
        if lane >= 0:
            return claim_of(spec, s, seat, g, lane, m)
        if m.trains == 0 or turns <= 2.0:
            action = build_station(spec, s, seat, m)
            if action >= 0:
                return action
        if m.trains == 0 and may_draw_tickets(s) and turns >= y.more:
            if y.exact == 0 or draw_promise(spec, g, y, s, seat, m, turns) > y.rate + y.bold:
                return spec.base[A_TICKETS] + 0
    action = draw_card(spec, y, s, m)
    if action >= 0:
        return action
    # Neither deck nor row: whatever is left, the last of it being a claim if there is one.
    return legal_nth(spec, s, seat, legal_count(spec, s, seat, w) - 1, w)


def decide(spec, g, y, s, seat, m, d, w):
    """What a player of this style decides."""
    if y.kind == RANDOM:
        return random_action_of(spec, s, seat, d, w)
    if s.phase == TURN or s.phase == SECOND:
        return take_turn(spec, g, y, s, seat, m, w)
    if s.phase == CHOOSE or s.phase == KEEP:
        if y.kind == RACER:
            return keep_cheapest(spec, s, seat)
        return keep_tickets(spec, g, y, s, seat, m)
    if s.phase == TUNNEL:
        return pay_tunnel_or_not(spec, s, seat)
    if s.phase == MARK:
        return place_marker(spec, y, s, seat, m)
    if s.phase == ALVIN:
        return move_alvin(spec, s, seat)
    if s.phase == START:
        return start_somewhere(spec, g, y, s, seat, m)
    legal_count(spec, s, seat, w)
    return legal_nth(spec, s, seat, 0, w)
