"""The order of compared moves: chances, losses and their standard errors, from all results so far.

The chance of winning is the mean over the tries of a smoothed win: how the points of the seats
compare, by their spread. A win by a point counts little more than a defeat by one, so that the
figures settle sooner than shares of won games do. Where a move ends in all tries alike, its shares
of the win are exact.

Losses come from the tries that both moves had, with the same worlds and luck. A move that was
dropped for a while lacks some: what it is worth is then found by its difference to the move with
the most tries. The order, the losses and the chances follow from one number for each move, so they
never contradict each other.

In a try a seat knows its own tickets, and those of the others are drawn: the others are less
prepared for them than in a game, so the seat wins more often. What is shown is corrected for that,
as measured in games of bots (tools/calibration.py).
"""

from math import sqrt

from macaz.bots.compiled.numbers import exp
from macaz.help.compiled.layout import NO_RESULT, WHOLE
from macaz.kernel.layout import SEATS

KAPPA = 0.4  # the width of a smoothed win, in standard deviations of the margin
PREPARED = 0.65  # factor of a seat's odds in a game, compared with its tries; see `corrected`
CERTAIN = 3.0  # standard errors from which on a move counts as worse, and is no longer tried
SURE = 1.5  # standard errors by which a move must be ahead of the players' own choice
FEWEST = 32  # tries that a move has before it is dropped
MISSED = 0.5  # of a win: by so much one more try is taken to differ from all that were made


def is_made(outcomes, i, t):
    """Whether there is a result of a try."""
    return outcomes[i, t, 0] > NO_RESULT


def margin_in(outcomes, i, t, seat, seats):
    """The points by which a seat is ahead of the best of the others."""
    best = NO_RESULT
    for p in range(seats):
        if p != seat:
            best = max(best, outcomes[i, t, p])
    return outcomes[i, t, seat] - best


def weigh_margins(outcomes, line, i, seat, seats):
    """Compute the mean and the spread of a move's margins; returns how many results there are."""
    n = 0
    total = 0.0
    for t in range(outcomes.shape[1]):
        if is_made(outcomes, i, t):
            n += 1
            total += margin_in(outcomes, i, t, seat, seats)
    line.margin = total / max(n, 1)
    total = 0.0
    for t in range(outcomes.shape[1]):
        if is_made(outcomes, i, t):
            gap = margin_in(outcomes, i, t, seat, seats) - line.margin
            total += gap * gap
    line.spread = sqrt(total / max(n, 1))
    return n


def smoothed_win(outcomes, line, i, t, seat, seats):
    """A seat's share of the win in a try, smoothed; the shares of all seats add up to 1."""
    width = KAPPA * line.spread
    if width == 0.0:
        return line.won[seat] / (WHOLE * max(line.tries + 0, 1))
    total = 0.0
    for p in range(seats):
        gap = (outcomes[i, t, p] - outcomes[i, t, seat]) / width
        total += exp(min(gap, 700.0))
    return 1.0 / total


def error_of_mean(mean, squares, n):
    """The standard error of a mean of n numbers, given the sum of their squares.

    It is never 0: that all tries went alike does not exclude others.
    """
    unseen = MISSED / (n + 1)
    variance = unseen * unseen
    if n > 1:
        variance += max(squares / n - mean * mean, 0.0) / (n - 1)
    return sqrt(variance)


def weigh_wins(outcomes, line, i, seat, seats, n):
    """Compute the chances of all seats from a move's own tries, and the standard error."""
    for p in range(SEATS):
        line.chances[p] = 0.0
    squares = 0.0
    for t in range(outcomes.shape[1]):
        if is_made(outcomes, i, t):
            for p in range(seats):
                won = smoothed_win(outcomes, line, i, t, p, seats)
                line.chances[p] += won
                if p == seat:
                    squares += won * won
    for p in range(seats):
        line.chances[p] /= max(n, 1)
    line.error = error_of_mean(line.chances[seat], squares, n)


def compare_pair(outcomes, lines, i, j, seat, seats):
    """How much more move i wins than move j in the tries that both had; its standard error."""
    n = 0
    total = 0.0
    squares = 0.0
    for t in range(outcomes.shape[1]):
        if is_made(outcomes, i, t) and is_made(outcomes, j, t):
            gap = smoothed_win(outcomes, lines[i], i, t, seat, seats)
            gap -= smoothed_win(outcomes, lines[j], j, t, seat, seats)
            n += 1
            total += gap
            squares += gap * gap
    mean = total / max(n, 1)
    return mean, error_of_mean(mean, squares, n)


def fit_chances(line, seat, chance, seats):
    """Set a seat's chance after a move, and let those of the others fill up to 1."""
    chance = min(max(chance, 0.0), 1.0)
    rest = 1.0 - line.chances[seat]
    for p in range(seats):
        if p != seat:
            share = 1.0 / max(seats - 1, 1)
            if rest > 0.0:
                share = line.chances[p] / rest
            line.chances[p] = share * (1.0 - chance)
    line.chances[seat] = chance
    line.chance = chance


def corrected(chance, seats):
    """The chance of a seat to win a game, by its chance in its tries.

    Its odds are the geometric mean of those in the tries and those of an even chance, times a
    factor. It grows with the chance in the tries, and keeps 0 and 1.
    """
    if chance <= 0.0:
        return 0.0
    if chance >= 1.0:
        return 1.0
    odds = PREPARED * sqrt(chance / (1.0 - chance) / (seats - 1))
    return odds / (1.0 + odds)


def corrected_error(chance, error, seats):
    """The standard error of a corrected chance."""
    high = corrected(chance + error, seats)
    return (high - corrected(chance - error, seats)) / 2.0


def correct(lines, leader, seat, seats):
    """Correct chances, losses and their errors; the order stays."""
    first = lines[leader].chance + 0.0
    best = corrected(first, seats)
    for i in range(len(lines)):
        line = lines[i]
        before = line.chance + 0.0
        chance = corrected(before, seats)
        line.error = corrected_error(before, line.error, seats)
        line.loss = best - chance
        if first > before:
            line.doubt *= line.loss / (first - before)
        else:
            line.doubt = corrected_error(before, line.doubt, seats)
        fit_chances(line, seat, chance, seats)


def is_ahead(lines, i, j):
    """Whether a move stands before another: by chance, then by prior, by margin, as listed."""
    if lines[i].chance != lines[j].chance:
        return lines[i].chance > lines[j].chance
    if lines[i].prior != lines[j].prior:
        return lines[i].prior > lines[j].prior
    if lines[i].margin != lines[j].margin:
        return lines[i].margin > lines[j].margin
    return i < j


def discount(outcomes, lines, seat, seats):
    """Count what a move is ahead of the players' own choice only as far as it is certain.

    Of many moves with few tries one is ahead by luck. The own choice has the largest prior; moves
    that a caller chose have none.
    """
    own = 0
    for i in range(len(lines)):
        if lines[i].prior > lines[own].prior:
            own = i
    if lines[own].prior <= 0.0:
        return
    for i in range(len(lines)):
        if i != own and lines[i].chance > lines[own].chance:
            more, doubt = compare_pair(outcomes, lines, i, own, seat, seats)
            ahead = max(more - SURE * doubt, 0.0)
            fit_chances(lines[i], seat, lines[own].chance + ahead, seats)


def rank(spec, lines, outcomes, seat):
    """Compute chances, losses and ranks, and which moves are tried on; returns the leader."""
    seats = spec.seats + 0
    me = max(seat, 0)  # a spectator has no moves
    most = 0
    fullest = 0
    for i in range(len(lines)):
        n = weigh_margins(outcomes, lines[i], i, me, seats)
        weigh_wins(outcomes, lines[i], i, me, seats, n)
        lines[i].chance = lines[i].chances[me]
        if n > most:
            most = n
            fullest = i
    for i in range(len(lines)):
        if i != fullest:
            more, doubt = compare_pair(outcomes, lines, i, fullest, me, seats)
            fit_chances(lines[i], me, lines[fullest].chance + more, seats)
    discount(outcomes, lines, me, seats)
    leader = 0
    for i in range(len(lines)):
        if is_ahead(lines, i, leader):
            leader = i
    for i in range(len(lines)):
        lines[i].loss = lines[leader].chance - lines[i].chance
        lines[i].doubt = 0.0
        if i != leader:
            more, doubt = compare_pair(outcomes, lines, i, leader, me, seats)
            lines[i].doubt = doubt
        lines[i].rank = 0
        for j in range(len(lines)):
            if j != i and is_ahead(lines, j, i):
                lines[i].rank += 1
        lines[i].dropped = 0
        if lines[i].kept == 0 and lines[i].tries >= FEWEST:
            if lines[i].loss > CERTAIN * lines[i].doubt:
                lines[i].dropped = 1
                # It was dropped when it had the least luck: so much more may be wrong.
                total = lines[i].error * lines[i].error + lines[i].doubt * lines[i].doubt
                lines[i].error = sqrt(total)
    if seat >= 0:
        correct(lines, leader, seat, seats)
    return leader
