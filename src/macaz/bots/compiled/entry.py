"""What is called from Python."""

from macaz.bots.compiled.decide import decide, no_plan
from macaz.bots.compiled.intents import wished
from macaz.bots.compiled.known import count_tickets, fill_known
from macaz.bots.compiled.lookahead import continue_tries, show
from macaz.bots.compiled.tree import lead, most_visited, new_node, playout
from macaz.kernel.world import redeal_cards, redeal_tickets


def tell_known(specs, views, states, counted):
    """Write what a seat knows into a state of zeros; `counted` assigns the hidden tickets too."""
    fill_known(views[0], states[0])
    if counted == 1:
        count_tickets(specs[0], views[0], states[0])


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


def best_searched(nodes):
    """The most visited move of a search."""
    return most_visited(nodes)


def search_lead(nodes):
    """The difference in visits between the two most visited moves."""
    return lead(nodes)


def look_ahead(
    specs, guides, styles, games, questions, tries, seat, seed, patient, own, others, to_the_end
):
    """Let tries begin, or go on as is wished, each until the network is asked again."""
    continue_tries(
        specs[0],
        guides[0],
        styles,
        games,
        questions,
        tries,
        seat,
        seed,
        patient,
        own,
        others,
        to_the_end,
    )
