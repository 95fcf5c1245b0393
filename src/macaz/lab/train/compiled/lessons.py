"""One training game of many: play a decision, then write the next observation."""

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

# Who plays a seat. From SCRIPTED on, player n is scripted and plays by style n - 1.
LEARNER = 0
PAST_SELF = 1
SCRIPTED = 2


class LessonArrays(NamedTuple):
    """Arrays of many games, each with a record or a row for each game.

    On a GPU states and dice are stored word by word, and rows are plain 64-bit words.
    """

    states: Any
    dice: Any
    numbers: Any  # the number of the game that runs in each slot
    deciders: Any
    players: Any
    scripts: Any
    legal: Any
    wishes: Any  # logits of the intents and colours
    intents: Any
    colors: Any
    payable: Any
    shares: Any
    scores: Any
    ended: Any
    row_words: Any  # the observations, as 64-bit words
    rows: Any


def wished_action(spec, g, s, seat, lessons, i):
    """The legal action with the highest logits in game i; stores its intent and colour."""
    wishes = lessons.wishes[i]
    intent = best_intent(lessons.legal[i], wishes)
    paid = intent_colors(spec, g, s, seat, intent)
    color = best_color(paid, wishes, INTENTS)
    lessons.intents[i] = intent
    lessons.colors[i] = color
    lessons.payable[i] = paid
    return action_of(spec, g, s, seat, intent, color)


def take_decision(spec, g, s, d, w, tally, lessons, i):
    """Play the decision of game i; if that ends the game, store the results of each seat."""
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
    """Play the decision of game i; begin the next game if it ended or `begin` is 1."""
    lessons.ended[i] = False
    if begin == 0:
        take_decision(spec, g, s, d, w, tally, lessons, i)
    if begin == 1 or lessons.ended[i]:
        next_lesson(spec, s, d, lessons.numbers, i, seed)


def next_lesson(spec, s, d, numbers, i, seed):
    """Begin the next game in slot i: the last number plus the number of slots."""
    numbers[i] += len(numbers)
    seed_dice(d, seed, numbers[i])
    setup(spec, s, -1)
    roll(spec, s, d)


def show_lesson(spec, g, styles, s, w, m, d, lessons, row, i):
    """Store who decides in game i, what a script would do, and the observation (into zeros)."""
    seat = actor(spec, s)
    player = lessons.players[i, seat] + 0
    y = styles[max(0, player - 1)]
    lessons.deciders[i] = seat
    lessons.scripts[i] = suggest(spec, g, y, s, seat, m, d, w)
    if player < SCRIPTED:
        fill_intents(spec, s, seat, w, lessons.legal[i])
        sense(spec, s, seat, m, w, lessons.scripts[i], row)
