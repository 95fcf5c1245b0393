"""Looking ahead with a network: tries of a move, each up to where the network is asked.

A try takes a world and a move, and plays on: some seats by style, some as the network wishes. It
ends at one of the seat's own later decisions, whose worth the network is to tell, or with the game.
Tries go on side by side, so that the network is asked about many positions at once. Those that meet
the same world follow each other: what others plan there is found once, before the move.
"""

from macaz.bots.compiled.decide import decide, no_plan, refresh_plan
from macaz.bots.compiled.endings import ending_worth, margin_over, win_share
from macaz.bots.compiled.intents import fill_intents, wished
from macaz.bots.compiled.layout import PLANNER
from macaz.bots.compiled.sense import sense
from macaz.bots.compiled.suggest import suggest
from macaz.kernel.dice import seed_dice
from macaz.kernel.layout import CHOOSE, OVER, SEATS, TURN, WORDS
from macaz.kernel.play import roll
from macaz.kernel.score import final_score
from macaz.kernel.step import step
from macaz.kernel.table import actor

TRIES = 32  # that go on side by side, at most

# What a try is: numbers of a row.
TRY_ACTION = 0  # the move that is tried
TRY_NUMBER = 1  # which try of it this is: the same number meets the same world and luck
TRY_AT = 2  # where it stands, see below
TRY_TURNS = 3  # own turns that are still played
TRY_SEAT = 4  # who decides where it stands
TRY_CANDIDATE = 5  # which of the compared moves it is of; for the caller
TRY_NUMBERS = 6

TRY_FRESH = 0  # not begun
TRY_ASKS = 1  # a seat decides as the network wishes
TRY_LEAF = 2  # what comes is worth what the network says
TRY_ENDED = 3  # the game is over
TRY_ADDED = 4  # what it brought is known

# What an ending was: numbers of a row.
END_WORTH = 0
END_SHARE = 1
END_NUMBERS = 2


def note_ending(spec, s, w, tally, seat, endings, i):
    """Score a finished game, and write what it brought a seat."""
    final_score(spec, s, w, tally)
    share = win_share(spec, tally, seat)
    endings[i, END_WORTH] = ending_worth(spec.seats, share, margin_over(spec, tally, seat))
    endings[i, END_SHARE] = share


def show(spec, g, y, s, seat, m, d, w, questions, i):
    """Write what a network is told into row i, and which intents are legal; the style's action."""
    words = questions.row_words
    for k in range(words.shape[1]):
        words[i, k] = 0
    script = suggest(spec, g, y, s, seat, m, d, w)
    fill_intents(spec, s, seat, w, questions.legal[i])
    sense(spec, s, seat, m, w, script, questions.rows[i])
    return script


def stop_or_go(s, seat, who, tries, i, patient, own, others):
    """What becomes of try i where a seat decides; TRY_FRESH where a style does."""
    if who != seat:
        return others * TRY_ASKS
    if s.phase == TURN or patient == 0:
        if tries[i, TRY_TURNS] == 0:
            return TRY_LEAF
        tries[i, TRY_TURNS] -= 1
    return own * TRY_ASKS


def forget_plans(spec, minds, start):
    """No seat has a plan, of those from here on in `minds`."""
    for p in range(spec.seats):
        no_plan(minds[start + p])


def recall_plan(spec, g, y, world, who, minds):
    """Give a seat without a plan the one that it had in its world, before the move."""
    if minds[who].held >= 0 or y.kind != PLANNER or world.phase <= CHOOSE:
        return
    kept = minds[SEATS + who]
    if kept.held < 0:
        refresh_plan(spec, g, y, world, who, kept)
    m = minds[who]
    for v in range(WORDS):
        m.plan[v] = kept.plan[v]
        m.borrow[v] = kept.borrow[v]
    m.worth = kept.worth
    m.turns = kept.turns
    m.trains = kept.trains
    m.held = kept.held
    m.open = kept.open


def continue_tries(
    spec, g, styles, games, questions, tries, seat, seed, patient, own, others, to_the_end
):
    """Let tries begin, or go on as is wished, each until the network is asked again.

    `styles` has one for each seat, `games.minds` two, `games.dice` one for each try and one more.
    `own` and `others` say who plays as the network wishes. Where not `patient`, a try is a leaf at
    any decision of the seat, not only at a turn. With `to_the_end` leaves are played on by style,
    to tell how they end.
    """
    minds = games.minds
    dice = games.dice
    w = games.works[0]
    scratch = dice[len(dice) - 1]
    number = -1
    for i in range(len(tries)):
        if tries[i, TRY_AT] >= TRY_LEAF:
            continue
        s = games.states[i]
        if tries[i, TRY_NUMBER] != number:
            number = tries[i, TRY_NUMBER]
            forget_plans(spec, minds, SEATS)
        world = games.worlds[number % len(games.worlds)]
        action = tries[i, TRY_ACTION]
        if tries[i, TRY_AT] == TRY_FRESH:
            games.states[i] = world
            seed_dice(dice[i], seed, number)
        else:
            legal = questions.legal[i]
            action = wished(spec, g, s, tries[i, TRY_SEAT] + 0, legal, questions.wishes[i])
        forget_plans(spec, minds, 0)
        step(spec, s, action, None)
        roll(spec, s, dice[i])
        status = TRY_FRESH
        while s.phase != OVER:
            who = actor(spec, s)
            y = styles[who]
            if status != TRY_LEAF:
                status = stop_or_go(s, seat, who, tries, i, patient, own, others)
                if status != TRY_FRESH:
                    tries[i, TRY_SEAT] = who
                    show(spec, g, y, s, who, minds[who], scratch, w, questions, i)
                    if status == TRY_ASKS or to_the_end == 0:
                        break
            recall_plan(spec, g, y, world, who, minds)
            step(spec, s, decide(spec, g, y, s, who, minds[who], scratch, w), None)
            roll(spec, s, dice[i])
        if s.phase == OVER:
            note_ending(spec, s, w, games.tallies[0], seat, questions.endings, i)
            if status != TRY_LEAF:
                status = TRY_ENDED
        tries[i, TRY_AT] = status
