"""What is called from Python."""

from macaz.bots.compiled.decide import decide, no_plan
from macaz.bots.compiled.redeal import redeal_cards, redeal_tickets
from macaz.bots.compiled.tree import new_node, playout
from macaz.kernel.dice import seed_dice
from macaz.kernel.layout import OVER
from macaz.kernel.play import roll
from macaz.kernel.score import final_score
from macaz.kernel.step import setup, step
from macaz.kernel.table import actor


def choose_for(specs, guides, styles, states, minds, dice, works, seat):
    """What a player decides, with no memory of earlier plans."""
    no_plan(minds[0])
    return decide(specs[0], guides[0], styles[0], states[0], seat, minds[0], dice[0], works[0])


def play_match(
    specs, guides, styles, states, minds, dice, works, tallies, lengths, seed, start, rotate
):
    """Games between styles, one for each tally: seat p plays style (p + rotate) mod seats."""
    spec = specs[0]
    s = states[0]
    for i in range(len(tallies)):
        seed_dice(dice[0], seed, start + i)
        seed_dice(dice[1], seed + 1, start + i)
        setup(spec, s, (start + i) % spec.seats)
        for p in range(spec.seats):
            no_plan(minds[p])
        n = 0
        roll(spec, s, dice[0])
        while s.phase != OVER:
            seat = actor(spec, s)
            y = styles[(seat + rotate) % spec.seats]
            a = decide(spec, guides[0], y, s, seat, minds[seat], dice[1], works[0])
            step(spec, s, a)
            roll(spec, s, dice[0])
            n += 1
        lengths[i] = n
        final_score(spec, s, works[0], tallies[i])


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
    deciding,
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
            deciding,
            searches[0],
            dice,
            works[0],
            tallies[0],
            nodes,
            seed,
        )
