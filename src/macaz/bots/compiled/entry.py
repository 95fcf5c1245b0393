"""What is called from Python."""

from macaz.bots.compiled.decide import decide, no_plan
from macaz.bots.compiled.intents import paid_as_wished, wished
from macaz.bots.compiled.lookahead import (
    TRY_ACTION,
    TRY_ASKS,
    TRY_AT,
    TRY_ENDED,
    TRY_FRESH,
    TRY_LEAF,
    TRY_NUMBER,
    TRY_SEAT,
    forget_plans,
    note_ending,
    recall_plan,
    show,
    stop_or_go,
)
from macaz.bots.compiled.tree import new_node, playout
from macaz.kernel.dice import seed_dice
from macaz.kernel.layout import OVER, SEATS
from macaz.kernel.play import roll
from macaz.kernel.step import step
from macaz.kernel.table import actor
from macaz.kernel.world import redeal_cards, redeal_tickets


def choose_for(specs, guides, styles, states, minds, dice, works, seat):
    """What a player decides, with no memory of earlier plans."""
    no_plan(minds[0])
    return decide(specs[0], guides[0], styles[0], states[0], seat, minds[0], dice[0], works[0])


def show_to_network(specs, guides, styles, positions, games, questions, scripts, seat):
    """Write what a network is told of a state, and which intents are legal."""
    m = games.minds[0]
    d = games.dice[0]
    w = games.works[0]
    y = styles[0]
    scripts[0] = show(specs[0], guides[0], y, positions[0], seat, m, d, w, questions, 0)


def choose_wished(specs, guides, states, legal, wishes, seat):
    """The action that a network wishes for most."""
    return wished(specs[0], guides[0], states[0], seat, legal[0], wishes[0])


def fill_worlds(specs, worlds, searches, dice, given, seat):
    """Deal the hidden cards and tickets again in all worlds but the first ones, that are given."""
    for i in range(given, len(worlds)):
        worlds[i] = worlds[i % given]
        redeal_cards(specs[0], worlds[i], seat, searches[0], dice[0])
        redeal_tickets(specs[0], worlds[i], seat, searches[0], dice[0])


def begin_search(nodes, searches):
    """An empty tree."""
    searches[0].nodes = 0
    searches[0].playouts = 0
    new_node(nodes, searches[0], -1, 1.0)


def search_on(specs, guides, styles, games, nodes, searches, seat, root, seed, count):
    """Play out so many more games; `styles` has one for each seat."""
    for _ in range(count):
        playout(specs[0], guides[0], styles, games, nodes, searches[0], seat, root, seed)


def fill_actions(specs, guides, states, wishes, intents, actions, seat):
    """The action of each of some legal intents, each with the colour that is wished for most."""
    for i in range(len(intents)):
        actions[i] = paid_as_wished(specs[0], guides[0], states[0], seat, intents[i] + 0, wishes[0])


def look_ahead(
    specs, guides, styles, games, questions, tries, seat, seed, patient, own, others, to_the_end
):
    """Let tries begin, or go on as is wished, each until the network is asked again.

    `styles` has one for each seat, `games.minds` two, `games.dice` one for each try and one more.
    `own` and `others` say who plays as the network wishes. Where not `patient`, a try is a leaf at
    any decision of the seat, not only at a turn. With `to_the_end` leaves are played on by style,
    to tell how they end.
    """
    spec = specs[0]
    g = guides[0]
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
