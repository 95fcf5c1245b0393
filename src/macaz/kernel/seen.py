"""What a seat may see of a state or an event, and what a view says of a state, field by field.

Written by tools/make_redaction.py from the audiences that layout.py declares. Do not edit.
"""

from macaz.kernel.layout import UNKNOWN


def copy_seen(s, seat, over, v):
    """Write into a view what a seat (-1: a spectator) may see; everything of a game that
    is over."""
    bit = 1 << seat if seat >= 0 else 0
    for i in range(6):
        for j in range(3):
            v.claimed[i, j] = s.claimed[i, j]
    for i in range(6):
        v.score[i] = s.score[i]
    v.deck_size = s.deck_size
    v.lane = s.lane
    v.phase = s.phase
    v.after = s.after
    v.turn = s.turn
    v.first = s.first
    v.choosing = s.choosing
    v.left = s.left
    v.drawn = s.drawn
    v.row_size = s.row_size
    v.refreshed = s.refreshed
    v.passes = s.passes
    v.last = s.last
    v.stock = s.stock
    v.queue = s.queue
    v.paid_color = s.paid_color
    v.paid_locos = s.paid_locos
    v.extra = s.extra
    v.captured = s.captured
    v.alvin_city = s.alvin_city
    v.alvin_holder = s.alvin_holder
    for i in range(9):
        v.row[i] = s.row[i]
    for i in range(9):
        v.discards[i] = s.discards[i]
    for i in range(9):
        v.revealed[i] = s.revealed[i]
    for i in range(9):
        v.pool[i] = s.pool[i]
    for i in range(9):
        v.deck[i] = s.deck[i] if over else 0
    for i in range(6):
        v.trains[i] = s.trains[i]
    for i in range(6):
        for j in range(3):
            v.marks[i, j] = s.marks[i, j]
    for i in range(6):
        for j in range(9):
            v.seen[i, j] = s.seen[i, j]
    for i in range(6):
        for j in range(9):
            v.hand[i, j] = s.hand[i, j] if over or i == seat else 0
    for i in range(72):
        v.ticket[i] = s.ticket[i] if over or s.known[i] & bit else UNKNOWN
    for i in range(72):
        v.known[i] = s.known[i] if over else s.known[i] & bit


def copy_told(v, s):
    """Write into a state what a view says of it."""
    for i in range(6):
        for j in range(3):
            s.claimed[i, j] = v.claimed[i, j]
    for i in range(6):
        s.score[i] = v.score[i]
    s.deck_size = v.deck_size
    s.lane = v.lane
    s.phase = v.phase
    s.after = v.after
    s.turn = v.turn
    s.first = v.first
    s.choosing = v.choosing
    s.left = v.left
    s.drawn = v.drawn
    s.row_size = v.row_size
    s.refreshed = v.refreshed
    s.passes = v.passes
    s.last = v.last
    s.stock = v.stock
    s.queue = v.queue
    s.paid_color = v.paid_color
    s.paid_locos = v.paid_locos
    s.extra = v.extra
    s.captured = v.captured
    s.alvin_city = v.alvin_city
    s.alvin_holder = v.alvin_holder
    for i in range(9):
        s.row[i] = v.row[i]
    for i in range(9):
        s.discards[i] = v.discards[i]
    for i in range(9):
        s.revealed[i] = v.revealed[i]
    for i in range(9):
        s.pool[i] = v.pool[i]
    for i in range(9):
        s.deck[i] = v.deck[i]
    for i in range(6):
        s.trains[i] = v.trains[i]
    for i in range(6):
        for j in range(3):
            s.marks[i, j] = v.marks[i, j]
    for i in range(6):
        for j in range(9):
            s.seen[i, j] = v.seen[i, j]
    for i in range(6):
        for j in range(9):
            s.hand[i, j] = v.hand[i, j]
    for i in range(72):
        s.ticket[i] = v.ticket[i]
    for i in range(72):
        s.known[i] = v.known[i]


def copy_event(e, seat, v):
    """Write into an event what a seat (-1: a spectator) may see of another."""
    kind = 1 << e.kind
    own = 1 if seat >= 0 and e.seat == seat else 0
    for i in range(2):
        v.tickets[i] = e.tickets[i] if kind & (0x0 | 0xE00 * own) else 0
    for i in range(6):
        v.points[i] = e.points[i] if kind & 0x201000 else 0
    v.lane = e.lane if kind & 0x1B000 else UNKNOWN
    v.size = e.size if kind & 0x80 else UNKNOWN
    v.kind = e.kind
    v.seat = e.seat if kind & 0x3FFFF1E else UNKNOWN
    v.color = e.color if kind & (0xAF028 | 0x14 * own) else UNKNOWN
    v.cards = e.cards if kind & 0xAB000 else UNKNOWN
    v.locos = e.locos if kind & 0xAB000 else UNKNOWN
    v.city = e.city if kind & 0x6E0000 else UNKNOWN
    v.count = e.count if kind & 0xE00 else UNKNOWN
    for i in range(9):
        v.row[i] = e.row[i] if kind & 0x40 else 0
