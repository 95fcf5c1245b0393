"""How each ticket of a seat stands, and a cheapest way to complete it (K3, C3, C7, G3, W2, E1).

Only what is public is asked of a state, and which tickets the seat has.
"""

from macaz.kernel.layout import (
    HELD,
    LANES,
    NODES,
    OFFERED,
    OVER,
    TICKET_DONE,
    TICKET_IMPOSSIBLE,
    TICKET_OPEN,
    TICKETS,
    WORD_BITS,
    WORDS,
)
from macaz.kernel.rescue import settle_tickets
from macaz.kernel.stations import add_stations
from macaz.kernel.table import (
    acts_left,
    free_cities,
    in_tunnel,
    lane_among,
    lanes_left,
    marks_used,
    open_lanes,
    own_network,
    settled_phase,
)
from macaz.kernel.ways import tree_between, way_between


def survey(spec, s, seat, q):
    """Write whose the lanes are, and who can still claim which."""
    o0, o1, o2 = lanes_left(spec, s, seat)
    q.claimable[0] = o0
    q.claimable[1] = o1
    q.claimable[2] = o2
    for v in range(WORDS):
        q.mine[v] = s.claimed[seat, v]
        q.others[v] = 0
        q.hoped[v] = 0
    for p in range(spec.seats):
        if p != seat:
            o0, o1, o2 = lanes_left(spec, s, p)
            q.hoped[0] |= o0
            q.hoped[1] |= o1
            q.hoped[2] |= o2
            for v in range(WORDS):
                q.others[v] |= s.claimed[p, v]
    q.measured = 0


def use_own(q):
    """Let ways go by the seat's own lanes, and no others."""
    for v in range(WORDS):
        q.free[v] = q.mine[v]
        q.open[v] = 0
        q.lent[v] = 0
    q.claims = -1
    q.stations = 0


def use_claims(q, acts):
    """Let ways go by lanes that the seat can still claim, too."""
    for v in range(WORDS):
        q.open[v] = q.claimable[v]
    q.claims = acts


def use_settled(spec, s, seat, tally, q):
    """Let ways go by the lanes that stations borrow now, too."""
    for i in range(stations_built(spec, s, seat)):
        lane = tally.borrowed[seat, i] + 0
        if lane >= 0:
            q.free[lane // WORD_BITS] |= 1 << (lane % WORD_BITS)


def stations_built(spec, s, seat):
    """How many stations a seat has built."""
    if spec.stations == 0:
        return 0
    return marks_used(s, seat)


def stations_buildable(spec, s, seat, acts):
    """How many stations a seat can still build (G1, E1)."""
    left = spec.stations - stations_built(spec, s, seat)
    if acts < 0:
        return left
    if in_tunnel(s, seat):
        return 0
    return min(left, acts)


def claimed_way(spec, s, seat, t, acts, tally, q):
    """Find the way by claims, and by stations that lend nothing now; returns what it lacks."""
    use_own(q)
    use_settled(spec, s, seat, tally, q)
    use_claims(q, acts)
    for v in range(WORDS):
        q.lent[v] = q.others[v]
    for i in range(stations_built(spec, s, seat)):
        if tally.borrowed[seat, i] < 0:
            q.station[q.stations] = s.marks[seat, i]
            q.stations += 1
    return way_between(spec, q, spec.ticket_a[t] + 0, spec.ticket_b[t] + 0)


def grown_way(spec, s, seat, t, acts, q):
    """Find the lanes to claim where all must hang together (W2); returns what they lack."""
    use_own(q)
    use_claims(q, acts)
    a = spec.ticket_a[t] + 0
    b = spec.ticket_b[t] + 0
    if acts >= 0:
        # One claim must touch what is there.
        o0, o1, o2 = open_lanes(spec, s, seat)
        q.open[0] &= o0
        q.open[1] &= o1
        q.open[2] &= o2
        return way_between(spec, q, a, b)
    roots = own_network(spec, s, seat)
    if roots == 0:
        roots = free_cities(spec, s)
    return tree_between(spec, q, roots, a, b)


def lent_way(spec, s, seat, t, acts, hope, q):
    """Find a way by lanes that stations borrow, from routes that others have or may yet claim.

    Every station may lend what it likes, whatever it lends for other tickets. Returns what the way
    lacks, or -1, and how many new stations it needs.
    """
    a = spec.ticket_a[t] + 0
    b = spec.ticket_b[t] + 0
    use_own(q)
    use_claims(q, acts)
    for v in range(WORDS):
        q.lent[v] = q.others[v]
        if hope:
            q.lent[v] |= q.hoped[v]
    built = stations_built(spec, s, seat)
    for i in range(built):
        q.station[i] = s.marks[seat, i]
    q.stations = built
    if built > 0:
        spaces = way_between(spec, q, a, b)
        if 0 <= spaces <= s.trains[seat]:
            return spaces, 0
    left = stations_buildable(spec, s, seat, acts)
    if left == 0:
        return -1, 0
    q.claims = -1
    if acts >= 0:
        for v in range(WORDS):
            q.open[v] = 0  # its last turn is for the station
    new = add_stations(spec, q, a, b, free_cities(spec, s), left, s.trains[seat] + 0)
    if new == 0:
        return -1, 0
    return way_between(spec, q, a, b), new


def open_way(spec, s, seat, t, tally, q):
    """Find a way that the trains suffice for; returns what it lacks, or -1, and new stations."""
    acts = acts_left(spec, s, seat)
    if spec.start_city == 1:
        spaces = grown_way(spec, s, seat, t, acts, q)
    else:
        spaces = claimed_way(spec, s, seat, t, acts, tally, q)
    new = 0
    if spaces > s.trains[seat]:
        spaces = -1
    if spec.stations > 0:
        if spaces < 0:
            spaces, new = lent_way(spec, s, seat, t, acts, False, q)
        if spaces < 0:
            spaces, new = lent_way(spec, s, seat, t, acts, True, q)
    return spaces, new


def write_way(spec, q, plan, t):
    """Write the lanes of the way that was found."""
    for lane in range(LANES):
        if lane_among(spec.lanes[0], spec.lanes[1], spec.lanes[2], lane):
            route = spec.lane_route[lane] + 0
            bit = WORD_BITS - 1 - route % WORD_BITS
            if (q.routes[NODES, route // WORD_BITS] >> bit) & 1 == 1:
                plan.way[t, lane // WORD_BITS] |= 1 << (lane % WORD_BITS)


def plan_ticket(spec, s, seat, t, tally, q, plan):
    """Write how a ticket stands that a seat has settled."""
    if tally.done[t] == 1:
        use_own(q)
        use_settled(spec, s, seat, tally, q)
        way_between(spec, q, spec.ticket_a[t] + 0, spec.ticket_b[t] + 0)
        plan.state[t] = TICKET_DONE
        write_way(spec, q, plan, t)
        return
    plan.state[t] = TICKET_IMPOSSIBLE
    if settled_phase(s) != OVER:
        spaces, new = open_way(spec, s, seat, t, tally, q)
        if spaces >= 0:
            plan.state[t] = TICKET_OPEN
            plan.spaces[t] = spaces
            plan.stations[t] = new
            write_way(spec, q, plan, t)


def plan_tickets(spec, s, seat, w, tally, q, plan):
    """Write how the tickets stand that a seat holds or is offered, each looked at by itself."""
    survey(spec, s, seat, q)
    for t in range(TICKETS):
        plan.state[t] = 0
        plan.spaces[t] = 0
        plan.stations[t] = 0
        for v in range(WORDS):
            plan.way[t, v] = 0
    settle_tickets(spec, s, seat, w, tally)
    for t in range(spec.tickets):
        if s.ticket[t] == HELD + seat:
            plan_ticket(spec, s, seat, t, tally, q, plan)
    for t in range(spec.tickets):
        if s.ticket[t] == OFFERED + seat:
            s.ticket[t] = HELD + seat  # as if it were kept
            settle_tickets(spec, s, seat, w, tally)
            plan_ticket(spec, s, seat, t, tally, q, plan)
            s.ticket[t] = OFFERED + seat
