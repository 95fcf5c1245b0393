"""Sequential halving: moves are compared by tries, and the worse half is dropped in each round."""

from macaz.bots.compiled.inference import WIN, WORTH
from macaz.bots.compiled.intents import paid_as_wished
from macaz.bots.compiled.layout import CANDIDATES, INTENT_WORDS
from macaz.bots.compiled.lookahead import (
    END_SHARE,
    END_WORTH,
    TRIES,
    TRY_ACTION,
    TRY_AT,
    TRY_CANDIDATE,
    TRY_FRESH,
    TRY_LEAF,
    TRY_NUMBER,
    TRY_TURNS,
)
from macaz.bots.compiled.numbers import exp
from macaz.kernel.bits import lowest
from macaz.kernel.layout import WORD_BITS


def insert_candidate(c, n, most, intent, wish):
    """Insert an intent among n that are sorted by their wishes; returns how many there are then."""
    at = n
    if n == most:
        at = n - 1
        if wish <= c.wish[at]:
            return n
    while at > 0 and wish > c.wish[at - 1]:
        c.wish[at] = c.wish[at - 1]
        c.action[at] = c.action[at - 1]
        at -= 1
    c.wish[at] = wish
    c.action[at] = intent
    return min(n + 1, most)


def total_weight(c, legal, wishes, top):
    """The sum of the exponentials of all legal wishes, less the largest."""
    total = 0.0
    for v in range(INTENT_WORDS):
        rest = legal[v]
        while rest != 0:
            total += exp(wishes[v * WORD_BITS + lowest(rest)] / c.temperature - top)
            rest &= rest - 1
    return total


def begin_contest(spec, g, s, seat, legal, wishes, c, most):
    """Choose the moves to compare, at most so many: the most probable, each paid as wished."""
    n = 0
    for v in range(INTENT_WORDS):
        rest = legal[v]
        while rest != 0:
            intent = v * WORD_BITS + lowest(rest)
            rest &= rest - 1
            wish = wishes[intent] / c.temperature
            n = insert_candidate(c, n, min(most, CANDIDATES), intent, wish)
    top = c.wish[0] + 0.0
    total = total_weight(c, legal, wishes, top)
    least = min(c.least, 1.0 / total)
    c.candidates = 0
    for i in range(n):
        c.wish[i] -= top
        c.prior[i] = exp(c.wish[i]) / total
        if c.prior[i] >= least:
            c.candidates = i + 1
        c.action[i] = paid_as_wished(spec, g, s, seat, c.action[i] + 0, wishes)
        c.order[i] = i
        c.tries[i] = 0
        c.worth[i] = 0.0
        c.wins[i] = 0.0
        c.stayed[i] = 0
        c.score[i] = 0.0
    c.left = c.candidates
    c.made = 0
    c.round = 0
    c.rounds = 1
    while 1 << c.rounds < c.candidates:
        c.rounds += 1


def plan_tries(c, tries, left, runners):
    """Plan tries of all moves that are still compared, equally many of each; returns how many.

    `left` is how many this round may still make, in all runners, each of which makes those that
    are planned: at most TRIES, or one for each move. Returns 0 where the round is over.
    """
    if c.made > 0 and 2 * left < c.left * runners:
        return 0
    each = max(1, min(left // runners, TRIES) // c.left)
    first = c.tries[c.order[0]] // runners  # equal for all that are left
    n = 0
    for i in range(each):
        for k in range(c.left):
            tries[n, TRY_CANDIDATE] = c.order[k]
            tries[n, TRY_ACTION] = c.action[c.order[k]]
            tries[n, TRY_NUMBER] = first + i
            tries[n, TRY_TURNS] = c.turns
            tries[n, TRY_AT] = TRY_FRESH
            n += 1
    return n


def settle_try(c, questions, layers, i, status):
    """Write what try i brought: how it ended, mixed with what the network says of its leaf."""
    worth = questions.endings[i, END_WORTH] + 0.0
    win = questions.endings[i, END_SHARE] + 0.0
    values = layers.values
    if status == TRY_LEAF:
        worth = values[i, WORTH] + c.mix * (worth - values[i, WORTH])
        win = values[i, WIN] + c.mix * (win - values[i, WIN])
    values[i, WORTH] = worth
    values[i, WIN] = win


def add_tries(c, tries, values, count):
    """Add the results of the first tries, in their order."""
    for i in range(count):
        add_try(c, tries[i, TRY_CANDIDATE], values[i, WORTH] + 0.0, values[i, WIN] + 0.0)


def add_try(c, candidate, worth, wins):
    """Add the result of a try."""
    c.tries[candidate] += 1
    c.worth[candidate] += worth
    c.wins[candidate] += wins
    c.made += 1


def score_moves(c):
    """The score of each move: log probability plus the weighted mean value of its tries."""
    base = 0.0
    for i in range(c.candidates):
        base += c.worth[i]
    base /= max(c.made + 0, 1)
    for i in range(c.candidates):
        # With few tries, a mean is shrunk towards the mean of all tries.
        mean = (c.worth[i] + c.shrinkage * base) / (c.tries[i] + c.shrinkage)
        c.score[i] = c.wish[i] + c.weight * (mean - base)


def end_round(c):
    """Order the moves, and drop the worse half of those that are still compared."""
    for k in range(c.left):
        c.stayed[c.order[k]] += 1
    score_moves(c)
    for k in range(1, c.candidates):
        i = c.order[k] + 0
        at = k
        while at > 0 and is_better(c, i, c.order[at - 1] + 0):
            c.order[at] = c.order[at - 1]
            at -= 1
        c.order[at] = i
    c.left = (c.left + 1) // 2
    c.round += 1


def is_better(c, i, j):
    """Whether a move stands before another: it stayed longer, or as long with a higher score."""
    if c.stayed[i] != c.stayed[j]:
        return c.stayed[i] > c.stayed[j]
    return c.score[i] > c.score[j]


def plan_or_end(c, tries, left, runners):
    """Plan the next tries of a round, or end it: then 0 is returned."""
    n = plan_tries(c, tries, left, runners)
    if n == 0:
        end_round(c)
    return n
