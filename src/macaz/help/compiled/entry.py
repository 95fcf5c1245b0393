"""What is called to compare moves, from Python and from a host without NumPy.

Entries do not call entries: each is compiled with all that it calls, for itself alone. The length
of `lines` is the number of moves that are compared.
"""

from macaz.help.compiled.compare import add_facts, list_compared, new_line, try_moves_from
from macaz.help.compiled.layout import NO_RESULT
from macaz.help.compiled.rank import is_made, rank
from macaz.kernel.layout import SEATS


def list_lines(specs, guides, styles, games, searches, positions, lines, seat):
    """Write the moves to compare, the likeliest first, no more than there are lines.

    `positions` has what the seat knows (`tell_known`). Returns how many there are; for a seat that
    is not to decide one line without a move.
    """
    return list_compared(
        specs[0], guides[0], styles[0], positions[0], games, searches[0], lines, seat
    )


def begin_lines(lines, actions):
    """Write moves of the caller's choice; -2 (`NOTHING`) is no move."""
    for i in range(len(lines)):
        new_line(lines[i], actions[i] + 0, 0.0)


def try_lines(
    specs,
    guides,
    styles,
    games,
    views,
    rooms,
    trials,
    lines,
    results,
    seat,
    seed,
    start,
):
    """Make tries of every move that is not dropped, from a number on; returns how many were made.

    The second axis of `results` says how many tries of each move; the points of all seats are
    written there, and the facts are added to `lines`. `styles` has one for each seat. 0 is returned
    where no state gives the view.
    """
    return try_moves_from(
        specs[0],
        guides[0],
        styles,
        games,
        views[0],
        rooms[0],
        trials[0],
        lines,
        results,
        seat,
        seed,
        start,
    )


def add_lines(specs, lines, more):
    """Add the facts of another worker's tries of the same moves."""
    for i in range(len(lines)):
        add_facts(specs[0], lines[i], more[i])


def forget_results(outcomes):
    """No results so far."""
    for i in range(outcomes.shape[0]):
        for t in range(outcomes.shape[1]):
            outcomes[i, t, 0] = NO_RESULT


def keep_results(outcomes, results, start):
    """Put the results of tries from a number on in their place among all; those not made stay."""
    for i in range(results.shape[0]):
        for k in range(results.shape[1]):
            if is_made(results, i, k):
                for p in range(SEATS):
                    outcomes[i, start + k, p] = results[i, k, p]


def rank_lines(specs, lines, outcomes, seat):
    """Order the moves by all results so far; returns which of them leads."""
    return rank(specs[0], lines, outcomes, seat)
