"""What is called to review a game, from Python and from a host without NumPy.

The length of `verdicts` is the number of decisions in the game. `lines` are moves with the results
of `rank_lines`.
"""

from macaz.help.compiled.story import (
    find_points,
    is_clear,
    is_judged,
    matters,
    next_job,
    note_chances,
    note_search,
    offer_ticket,
    phase_of,
    reopen,
    urgency,
    write_curve,
    write_story,
)


def review_job(verdicts, ply, effort):
    """What is left to do for a decision, if each move is to be compared in so many chunks."""
    return next_job(verdicts[ply], effort)


def review_matters(verdicts, ply):
    """1 where more tries than those of a thorough review are worth their time."""
    return int(matters(verdicts[ply]))


def review_urgency(verdicts, ply):
    """How much more tries may change what is told of a decision, in millionths."""
    return int(1e6 * urgency(verdicts[ply]))


def review_search(verdicts, ply, lines, played):
    """Note the comparison of all moves; `played` is the number of the line of the move played."""
    note_search(verdicts[ply], lines, len(lines), played)


def review_measure(verdicts, ply, lines):
    """Note fresh tries: the first line is the best move, the last the move played."""
    note_chances(verdicts[ply], lines[0], lines[len(lines) - 1])


def review_is_judged(verdicts, ply):
    """1 where the move played was compared with others; 2 if it clearly cost something."""
    if not is_judged(verdicts[ply]):
        return 0
    return 1 + int(is_clear(verdicts[ply]))


def review_phase(turn, turns):
    """The phase of a turn in a game of so many."""
    return phase_of(turn, turns)


def review_game(verdicts, awards, curves, stories, sums, seats, turns):
    """Write the curve, and how each seat fared; `awards` are the seats' shares of the win."""
    write_curve(verdicts, awards, curves, seats)
    for seat in range(seats):
        write_story(verdicts, awards, stories[seat], sums, seat, seats, turns)


def review_points(verdicts, awards, turnings, only, seats):
    """Write the turning points of the game, or of the seat `only`; returns how many."""
    return find_points(verdicts, awards, turnings, only, seats)


def reopen_game(states, seat, actions):
    """Make a game that is over one in which a seat looks at its tickets, and at others to keep.

    The seat is to move and has enough trains: so the plan of each ticket says what it lacked.
    `actions` are tickets that it gave back.
    """
    reopen(states[0], seat)
    for i in range(len(actions)):
        offer_ticket(states[0], seat, actions[i] + 0)
