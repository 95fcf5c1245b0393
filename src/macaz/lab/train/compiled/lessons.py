"""One game of many that a network learns from: a decision is taken, and the next one shown."""

from typing import Any, NamedTuple

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
from macaz.kernel.layout import OVER
from macaz.kernel.play import roll
from macaz.kernel.score import final_score
from macaz.kernel.step import setup, step
from macaz.kernel.table import actor

# Who plays a seat. Others are scripted: player n decides by style n - 1.
LEARNER = 0
PAST_SELF = 1
SCRIPTED = 2


class LessonArrays(NamedTuple):
    """Arrays of many games, each with a record or a row for each game.

    On a GPU states and dice lie word by word, and rows are bare words.
    """

    states: Any
    dice: Any
    numbers: Any  # of the game that is played in each place
    deciders: Any
    players: Any
    scripts: Any
    legal: Any
    wishes: Any
    intents: Any
    colors: Any
    payable: Any
    shares: Any
    scores: Any
    ended: Any
    row_words: Any  # what a network is told, eight bytes by eight
    rows: Any


def wished_action(spec, g, s, seat, lessons, i):
    """The action that is wished for most in game i; notes which intent and colour that was."""
    wishes = lessons.wishes[i]
    intent = best_intent(lessons.legal[i], wishes)
    paid = intent_colors(spec, g, s, seat, intent)
    color = best_color(paid, wishes, INTENTS)
    lessons.intents[i] = intent
    lessons.colors[i] = color
    lessons.payable[i] = paid
    return action_of(spec, g, s, seat, intent, color)


def take_decision(spec, g, s, d, w, tally, lessons, i):
    """Take the decision of game i; where that ends it, note what it brought each seat."""
    seat = lessons.deciders[i] + 0
    action = lessons.scripts[i] + 0
    if lessons.players[i, seat] < SCRIPTED:
        action = wished_action(spec, g, s, seat, lessons, i)
    step(spec, s, action, None)
    roll(spec, s, d)
    if s.phase == OVER:
        final_score(spec, s, w, tally)
        for p in range(spec.seats):
            lessons.shares[i, p] = win_share(spec, tally, p)
            lessons.scores[i, p] = tally.total[p]
        lessons.ended[i] = True


def go_on(spec, g, s, d, w, tally, lessons, i, seed, begin):
    """Take the decision of game i, and begin the next game where it ends; or begin it again."""
    lessons.ended[i] = False
    if begin == 0:
        take_decision(spec, g, s, d, w, tally, lessons, i)
    if begin == 1 or lessons.ended[i]:
        next_lesson(spec, s, d, lessons.numbers, i, seed)


def next_lesson(spec, s, d, numbers, i, seed):
    """Begin the next game in place i; the places take turns with the numbers of a series."""
    numbers[i] += len(numbers)
    seed_dice(d, seed, numbers[i])
    setup(spec, s, -1)
    roll(spec, s, d)


def show_lesson(spec, g, styles, s, w, m, d, lessons, row, i):
    """Write who decides in game i, what a script would do, and, into zeros, what a network sees."""
    seat = actor(spec, s)
    player = lessons.players[i, seat] + 0
    y = styles[max(0, player - 1)]
    lessons.deciders[i] = seat
    lessons.scripts[i] = suggest(spec, g, y, s, seat, m, d, w)
    if player < SCRIPTED:
        fill_intents(spec, s, seat, w, lessons.legal[i])
        sense(spec, s, seat, m, w, lessons.scripts[i], row)
