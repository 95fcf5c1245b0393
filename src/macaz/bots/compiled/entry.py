"""What is called from Python."""

from macaz.bots.compiled.decide import decide, no_plan
from macaz.bots.compiled.redeal import redeal_cards, redeal_tickets
from macaz.bots.compiled.tree import new_node, playout


def choose_for(specs, guides, styles, states, minds, dice, works, seat):
    """What a player decides, with no memory of earlier plans."""
    no_plan(minds[0])
    return decide(specs[0], guides[0], styles[0], states[0], seat, minds[0], dice[0], works[0])


def fill_worlds(specs, worlds, searches, dice, given, seat):
    """Deal the hidden cards and tickets anew in all worlds but the first ones, that are given."""
    for i in range(given, len(worlds)):
        worlds[i] = worlds[i % given]
        redeal_cards(specs[0], worlds[i], seat, searches[0], dice[0])
        redeal_tickets(specs[0], worlds[i], seat, searches[0], dice[0])


def begin_search(nodes, searches):
    """An empty tree."""
    searches[0].nodes = 0
    searches[0].playouts = 0
    new_node(nodes, searches[0], -1, 1.0)


def search_on(
    specs,
    guides,
    styles,
    worlds,
    states,
    minds,
    dice,
    works,
    tallies,
    nodes,
    searches,
    seat,
    root,
    seed,
    count,
):
    """Play out so many more games; `styles` has one for each seat."""
    for _ in range(count):
        playout(
            specs[0],
            guides[0],
            styles,
            worlds,
            states,
            minds,
            seat,
            root,
            searches[0],
            dice,
            works[0],
            tallies[0],
            nodes,
            seed,
        )
