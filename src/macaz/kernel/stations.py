"""Where new stations would have to stand for a ticket that claims alone cannot complete (G3).

`q` is a record `network`: its stations are those that are built, and new ones are added to them.
"""

from macaz.kernel.bits import lowest, popcount
from macaz.kernel.layout import WORD_BITS, WORDS

FAR = 10_000  # more spaces than any way has


def measure_far(spec, q):
    """Find the spaces that are missing between all cities, without stations."""
    for a in range(spec.cities):
        for b in range(spec.cities):
            q.far[a, b] = FAR
        q.far[a, a] = 0
        for v in range(WORDS):
            rest = spec.touch[a, v] & (q.free[v] | q.open[v])
            while rest != 0:
                bit = lowest(rest)
                rest &= rest - 1
                lane = v * WORD_BITS + bit
                b = spec.lane_a[lane] + spec.lane_b[lane] - a
                if (q.free[v] >> bit) & 1 == 1:
                    q.far[a, b] = 0
                else:
                    q.far[a, b] = min(q.far[a, b], spec.lane_length[lane])
    for c in range(spec.cities):
        for a in range(spec.cities):
            first = q.far[a, c] + 0
            if first < FAR:
                for b in range(spec.cities):
                    q.far[a, b] = min(q.far[a, b] + 0, first + q.far[c, b])
    q.measured = 1


def built_cities(q):
    """The cities of the stations that are built, as bits."""
    found = 0
    for i in range(q.stations):
        found |= 1 << q.station[i]
    return found


def measure_rest(spec, q, b, lenders, stations):
    """At least how many spaces are missing to a city with so many stations left or fewer.

    A bound, because a city may have several stations here.
    """
    for c in range(spec.cities):
        q.rest[0, c] = q.far[c, b]
    for n in range(1, stations + 1):
        for c in range(spec.cities):
            q.rest[n, c] = q.rest[n - 1, c]
        for c in range(spec.cities):
            # From this city by a lane that a station at one of its ends borrows.
            least = FAR
            for v in range(WORDS):
                rest = spec.touch[c, v] & q.lent[v]
                while rest != 0:
                    lane = v * WORD_BITS + lowest(rest)
                    rest &= rest - 1
                    other = spec.lane_a[lane] + spec.lane_b[lane] - c
                    if (lenders >> c) & 1 == 1 or (lenders >> other) & 1 == 1:
                        least = min(least, q.rest[n - 1, other] + 0)
            if least < FAR:
                for a in range(spec.cities):
                    q.rest[n, a] = min(q.rest[n, a] + 0, q.far[a, c] + least)


def borrowing(spec, q, used, city, left):
    """The spaces that are missing at least with a station in a city next, and so many after it."""
    least = FAR
    for v in range(WORDS):
        rest = spec.touch[city, v] & q.lent[v]
        while rest != 0:
            lane = v * WORD_BITS + lowest(rest)
            rest &= rest - 1
            other = spec.lane_a[lane] + spec.lane_b[lane] - city
            least = min(least, q.reached[used, city] + q.rest[left, other])
            least = min(least, q.reached[used, other] + q.rest[left, city])
    return least


def borrow_next(spec, q, used, city):
    """Find the spaces that are missing to all cities after a station in a city was used next."""
    for c in range(spec.cities):
        q.reached[used + 1, c] = FAR
    for v in range(WORDS):
        rest = spec.touch[city, v] & q.lent[v]
        while rest != 0:
            lane = v * WORD_BITS + lowest(rest)
            rest &= rest - 1
            other = spec.lane_a[lane] + spec.lane_b[lane] - city
            for c in range(spec.cities):
                out = q.reached[used, city] + q.far[other, c]
                back = q.reached[used, other] + q.far[city, c]
                q.reached[used + 1, c] = min(q.reached[used + 1, c] + 0, out, back)


def lower_cities(one, other):
    """Whether the lowest city that only one of two sets has is in the first of them."""
    return one != other and (one >> lowest(one ^ other)) & 1 == 1


def choose_cities(spec, q, lenders, new, most):
    """The cities of so many new stations, as bits; 0 if they do not join what is to be joined.

    Tries the stations in every order of their use, as far as the bounds promise anything. Fewer
    new ones do not suffice, so all of them are used.
    """
    built = built_cities(q)
    stations = q.stations + new
    found = 0
    taken = 0  # cities whose station is used
    used = 0
    q.next[0] = 0
    while used >= 0:
        city = q.next[used] + 0
        if city == spec.cities:
            used -= 1
            if used >= 0:
                taken &= ~(1 << (q.next[used] - 1))
            continue
        q.next[used] = city + 1
        chosen = (taken | (1 << city)) & ~built
        if ((lenders & ~taken) >> city) & 1 == 0 or popcount(chosen) > new:
            continue
        if borrowing(spec, q, used, city, stations - used - 1) > most:
            continue
        if popcount(chosen) == new:
            spaces = borrowing(spec, q, used, city, 0)
            if spaces < most or (spaces == most and lower_cities(chosen, found)):
                most = spaces
                found = chosen
        if used + 1 < stations:
            borrow_next(spec, q, used, city)
            taken |= 1 << city
            used += 1
            q.next[used] = 0
    return found


def add_stations(spec, q, a, b, sites, left, most):
    """Add the fewest new stations that join two cities with at most so many spaces missing.

    `sites` are the cities where they may stand, as bits. Of as few, those that leave the fewest
    spaces missing, then those of the lowest numbers. Returns how many there are; 0: none suffice.
    """
    if q.measured == 0:
        measure_far(spec, q)
    lenders = sites | built_cities(q)
    measure_rest(spec, q, b, lenders, q.stations + left)
    for c in range(spec.cities):
        q.reached[0, c] = q.far[a, c]
    for new in range(1, left + 1):
        found = 0
        if q.rest[q.stations + new, a] <= most:
            found = choose_cities(spec, q, lenders, new, most)
        if found != 0:
            while found != 0:
                q.station[q.stations] = lowest(found)
                q.stations += 1
                found &= found - 1
            return new
    return 0
