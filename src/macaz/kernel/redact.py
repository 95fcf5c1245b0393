"""What a seat may see: one redaction for browsers, bots and learners."""

from macaz.kernel.layout import CARDS, HELD, IN_BUNDLE, OFFERED, OVER, SEATS, TICKETS
from macaz.kernel.seen import copy_seen


def redact(s, seat, v):
    """Write the view of a seat, or of a spectator (-1): what it may see, and public counts."""
    copy_seen(s, seat, s.phase == OVER, v)
    v.seat = seat
    for p in range(SEATS):
        n = 0
        for c in range(CARDS):
            n += s.hand[p, c]
        v.hand_size[p] = n
        v.held[p] = 0
        v.offered[p] = 0
    bundled = 0
    for t in range(TICKETS):
        place = s.ticket[t] + 0
        if HELD <= place < HELD + SEATS:
            v.held[place - HELD] += 1
        elif OFFERED <= place < OFFERED + SEATS:
            v.offered[place - OFFERED] += 1
        elif place == IN_BUNDLE:
            bundled += 1
    v.bundled = bundled
