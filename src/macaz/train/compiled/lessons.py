"""One game of many that a network learns from: a decision is taken, and the next one shown."""

from macaz.bots.compiled.endings import win_share
from macaz.bots.compiled.intents import (
    action_of,
    best_color,
    best_intent,
    fill_intents,
    intent_colors,
)
from macaz.bots.compiled.layout import INTENTS
from macaz.bots.compiled.sense import sense
from macaz.bots.compiled.suggest import suggest
from macaz.kernel.dice import seed_dice
from macaz.kernel.play import roll
from macaz.kernel.score import final_score
from macaz.kernel.step import setup
from macaz.kernel.table import actor

# Who plays a seat. Others are scripted: player n decides by style n - 1.
LEARNER = 0
PAST_SELF = 1
SCRIPTED = 2


def wished_action(spec, g, s, seat, legal, wishes, intents, colors, payable, i):
    """The action that is wished for most in game i; notes which intent and colour that was."""
    intent = best_intent(legal[i], wishes[i])
    paid = intent_colors(spec, g, s, seat, intent)
    color = best_color(paid, wishes[i], INTENTS)
    intents[i] = intent
    colors[i] = color
    payable[i] = paid
    return action_of(spec, g, s, seat, intent, color)


def end_lesson(spec, s, w, tally, shares, scores, i):
    """What a finished game brought: each seat's share of the win, and its points."""
    final_score(spec, s, w, tally)
    for p in range(spec.seats):
        shares[i, p] = win_share(spec, tally, p)
        scores[i, p] = tally.total[p]


def next_lesson(spec, s, d, numbers, i, seed):
    """Begin the next game in place i; the places take turns with the numbers of a series."""
    numbers[i] += len(numbers)
    seed_dice(d, seed, numbers[i])
    setup(spec, s, -1)
    roll(spec, s, d)


def show_lesson(spec, g, styles, s, w, m, d, deciders, players, scripts, legal, row, i):
    """Write who decides in game i, what a script would do, and, into zeros, what a network sees."""
    seat = actor(spec, s)
    player = players[i, seat] + 0
    y = styles[max(0, player - 1)]
    deciders[i] = seat
    scripts[i] = suggest(spec, g, y, s, seat, m, d, w)
    if player < SCRIPTED:
        fill_intents(spec, s, seat, w, legal[i])
        sense(spec, s, seat, m, w, scripts[i], row)
