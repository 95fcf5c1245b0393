"""What is called to decide with a network, from Python and from a host without NumPy.

Entries do not call entries: each is compiled with all that it calls, for itself alone.
"""

from macaz.bots.compiled.halving import (
    add_tries,
    begin_contest,
    plan_or_end,
    settle_try,
)
from macaz.bots.compiled.inference import infer
from macaz.bots.compiled.lookahead import (
    TRY_ADDED,
    TRY_ASKS,
    TRY_AT,
    TRY_ENDED,
    continue_tries,
)


def ask_network(network, questions, layers, count):
    """Run a network on the first rows."""
    for i in range(count):
        infer(network, questions, layers, i)


def list_contest(specs, guides, states, legal, wishes, contests, seat, most):
    """Choose the moves to compare, at most so many; returns their number."""
    c = contests[0]
    begin_contest(specs[0], guides[0], states[0], seat, legal[0], wishes[0], c, most)
    return c.candidates + 0


def plan_contest(contests, tries, left, runners):
    """Plan the next tries of a round, or end it: then 0 is returned."""
    return plan_or_end(contests[0], tries, left, runners)


def add_results(contests, tries, values, count):
    """Add the results of the first tries, in their order."""
    add_tries(contests[0], tries, values, count)


def try_moves(
    specs,
    guides,
    styles,
    games,
    questions,
    network,
    layers,
    contests,
    tries,
    seat,
    seed,
    left,
):
    """Make the next tries of a round, at most TRIES; 0 where the round is over, and was ended."""
    c = contests[0]
    n = plan_or_end(c, tries, left, 1)
    for i in range(n, len(tries)):
        tries[i, TRY_AT] = TRY_ADDED
    going = n
    while going > 0:
        going = 0
        continue_tries(
            specs[0],
            guides[0],
            styles,
            games,
            questions,
            tries,
            seat,
            seed,
            c.patient + 0,
            c.own + 0,
            c.others + 0,
            int(c.mix > 0.0),
        )
        for i in range(n):
            status = tries[i, TRY_AT]
            if status == TRY_ADDED:
                continue
            if status != TRY_ENDED:
                infer(network, questions, layers, i)
            if status == TRY_ASKS:
                going += 1
            else:
                settle_try(c, questions, layers, i, status)
                tries[i, TRY_AT] = TRY_ADDED
    add_tries(c, tries, layers.values, n)
    return n


def tries_made(contests):
    """How many tries a contest has had."""
    return contests[0].made + 0


def rounds_over(contests):
    """How many rounds of a contest are over."""
    return contests[0].round + 0


def rounds_of(contests):
    """How many rounds a contest has."""
    return contests[0].rounds + 0


def best_tried(contests):
    """The best move of a contest so far."""
    return contests[0].action[contests[0].order[0]] + 0
