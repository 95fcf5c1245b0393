"""Writes down what is impossible in a position."""


def problem_count(problems):
    """How many problems have been found so far."""
    n = 0
    while n < len(problems) and problems[n].code != 0:
        n += 1
    return n


def say(problems, code, seat):
    """Add a problem that is about a seat (-1: none); its place. Beyond the last place, it replaces
    the last problem.
    """
    n = min(problem_count(problems), len(problems) - 1)
    problems[n].code = code
    problems[n].seat = seat
    problems[n].other = -1
    problems[n].lane = -1
    problems[n].beside = -1
    problems[n].city = -1
    problems[n].place = -1
    problems[n].ticket = -1
    problems[n].color = -1
    problems[n].have = -1
    problems[n].want = -1
    problems[n].most = -1
    return n


def say_count(problems, code, seat, have, want):
    """Add a problem with a number that is there, and the one that should be; its place."""
    n = say(problems, code, seat)
    problems[n].have = have
    problems[n].want = want
    return n


def say_lane(problems, code, seat, lane):
    """Add a problem with a route; its place."""
    n = say(problems, code, seat)
    problems[n].lane = lane
    return n


def say_ticket(problems, code, seat, t):
    """Add a problem with a ticket; its place."""
    n = say(problems, code, seat)
    problems[n].ticket = t
    return n


def say_mark(problems, code, seat, place, city):
    """Add a problem with a station or a marker; its place."""
    n = say(problems, code, seat)
    problems[n].place = place
    problems[n].city = city
    return n
