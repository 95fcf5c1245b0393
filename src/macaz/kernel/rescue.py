"""What a seat's tickets would count for now, and what a station would complete (G3, K3)."""

from macaz.kernel.layout import HELD, MARKS, TICKETS, TURN
from macaz.kernel.score import settle_network, ticket_done
from macaz.kernel.table import marks_used
from macaz.kernel.why import why_city


def settle_tickets(spec, s, seat, w, tally):
    """Write which tickets of a seat are done now, and what its stations borrow."""
    for i in range(MARKS):
        tally.borrowed[seat, i] = -1
    settle_network(spec, s, w, tally, seat)
    for t in range(TICKETS):
        tally.done[t] = -1
        if t < spec.tickets and s.ticket[t] == HELD + seat:
            tally.done[t] = 0
            if ticket_done(spec, w, t):
                tally.done[t] = 1


def list_rescues(spec, s, seat, w, tally, out):
    """List what a station would complete in each city where the seat may build one now.

    Each is city * TICKETS + ticket, ascending; returns how many there are.
    """
    n = 0
    if s.phase != TURN:
        return n
    settle_tickets(spec, s, seat, w, tally)
    used = marks_used(s, seat)
    for city in range(spec.cities):
        if why_city(spec, s, seat, city) == 0:
            s.marks[seat, used] = city
            settle_network(spec, s, w, tally, seat)
            s.marks[seat, used] = -1
            for t in range(spec.tickets):
                if tally.done[t] == 0 and ticket_done(spec, w, t):
                    out[n] = city * TICKETS + t
                    n += 1
    return n
