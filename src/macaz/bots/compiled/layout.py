"""The records that compiled players work with, beside the kernel's: every field declared once."""

from __future__ import annotations

from math import prod

from macaz.kernel.layout import (
    CARDS,
    CITIES,
    LANES,
    OFFER,
    SEATS,
    TICKETS,
    WORD_BITS,
    WORDS,
    Field,
    dtype_from,
)

# Kinds of players, as in `Style.kind`.
RANDOM = 0
RACER = 1
PLANNER = 2

TERMINALS = 8  # cities that an exact network joins, at most
FOREST = 4  # tickets that it serves, at most
CHOICES = 10  # lanes that a player remembers as worth a thought

# What follows from the map alone.
GUIDE: tuple[Field, ...] = (
    Field("lane_class", "i2", (LANES,), "class of a lane"),
    Field("lane_symbols", "i1", (LANES,), "its locomotive symbols"),
    Field("exits", "i2", (CITIES + 1,), "where the lanes of a city begin in `exit`"),
    Field("exit", "i2", (2 * LANES,), "lanes, city by city"),
)

# A player's character: numbers that its decisions weigh with.
STYLE: tuple[Field, ...] = (
    Field("kind", "i4", (), "RANDOM, RACER or PLANNER"),
    Field("exact", "i4", (), "1: plans by exact Steiner trees, 0: ticket after ticket"),
    Field("tickets", "i4", (), "tickets that it plans for at once"),
    Field("leisure", "f4", (), "turns that it believes are left beyond those there are"),
    Field("rate", "f4", (), "points that a turn is worth"),
    Field("card", "f4", (), "points that a card in the hand is worth"),
    Field("loco", "f4", (), "points that a locomotive is worth beyond another card"),
    Field("draw", "f4", (), "turns to come by a card that is missing"),
    Field("train", "f4", (), "points that a train is worth when ways are planned"),
    Field("sure", "f4", (), "chance that a planned lane is not lost, for each lane of a way"),
    Field("slack", "f4", (), "turns beyond those left that a plan may take"),
    Field("least", "f4", (), "profit from which a lane is claimed"),
    Field("contest", "f4", (), "worth of a planned lane that another seat's network touches"),
    Field("network", "f4", (), "worth of a lane that touches the own network"),
    Field("block", "f4", (), "worth of a lane between two parts of another's network"),
    Field("more", "f4", (), "turns that must be left for more tickets to be drawn"),
    Field("bold", "f4", (), "points that more tickets must promise, beyond the turn they take"),
    Field("eager", "f4", (), "how much a card for a good lane counts when drawing"),
    Field("wild", "f4", (), "worth of a locomotive when drawing, in cards"),
    Field("hidden", "f4", (), "worth of drawing blind: no one sees what one takes"),
    Field("marker", "f4", (), "worth of a marker for each point of open routes at its city"),
)

# What a player remembers from decision to decision, and its working memory.
MIND: tuple[Field, ...] = (
    Field("plan", "i8", (WORDS,), "lanes that the tickets need"),
    Field("borrow", "i8", (WORDS,), "lanes of others that a station should borrow"),
    Field("worth", "f4", (), "what the tickets are worth, for each train of the plan"),
    Field("turns", "f4", (), "turns that the plan takes"),
    Field("trains", "i4", (), "trains that the plan takes"),
    Field("held", "i4", (), "tickets when the plan was made; -1: there is no plan"),
    Field("open", "i4", (), "tickets that the plan is for"),
    Field("want", "f4", (CARDS,), "how much each colour is wanted"),
    Field("cost", "f4", (LANES,), "what each lane costs, net of its points"),
    Field("far", "f4", (CITIES,), "distance from where a search began"),
    Field("via", "i2", (CITIES,), "lane that led there"),
    Field("need", "i1", (TICKETS,), "trains that a ticket takes, as the plan found it"),
    Field("todo", "i1", (TICKETS,), "tickets to plan for"),
    Field("price", "f4", (TICKETS,), "what each costs by itself"),
    Field("hope", "f4", (TICKETS,), "what each is worth, by the odds that it gets done"),
    Field("terminal", "i1", (TERMINALS + 2,), "cities that a network is to join"),
    Field("ends", "i4", (FOREST,), "terminals of each ticket, as bits"),
    Field("forest", "f4", (1 << FOREST,), "cost of the cheapest forest for a set of tickets"),
    Field("part", "i4", (1 << FOREST,), "terminals of the set, as bits"),
    Field("split", "i4", (1 << FOREST,), "a part of the set with trees of its own; 0: one tree"),
    Field("stack_part", "i4", (4 * TERMINALS,), "parts of a tree still to walk"),
    Field("stack_city", "i1", (4 * TERMINALS,), "where"),
    Field("stack_group", "i4", (1 << FOREST,), "parts of a forest still to walk"),
    Field("tree", "f4", (1 << TERMINALS, CITIES), "cost of the tree for terminals and a city"),
    Field("back", "i2", (1 << TERMINALS, CITIES), "lane or smaller set that it grew from"),
    Field("choices", "i4", (), "lanes that can be paid and are worth a thought"),
    Field("choice", "i2", (CHOICES,), "these lanes"),
    Field("profit", "f4", (CHOICES,), "what each is worth, all things considered"),
)

# What a search does with the first move.
SEARCHED = -1
NOTHING = -2

OPTIONS = 64  # moves that a search looks at in a position, at most
PATH = 64  # own decisions below each other

# A position of the searching seat in the tree, reached by one of its moves.
NODE: tuple[Field, ...] = (
    Field("action", "i4", (), "the move that leads here"),
    Field("visits", "i4", (), "playouts through here"),
    Field("child", "i4", (), "first of the positions after the next move, or -1"),
    Field("next", "i4", (), "another position after the same, or -1"),
    Field("prior", "f4", (), "how likely the move is thought to be the best"),
    Field("total", "f8", (), "sum of what the playouts were worth"),
    Field("wins", "f8", (SEATS,), "sum of each seat's share of the win"),
    Field("points", "f8", (SEATS,), "sum of each seat's points"),
)

# What a search works with.
SEARCH: tuple[Field, ...] = (
    Field("nodes", "i4", (), "nodes in use"),
    Field("playouts", "i4", (), "playouts so far"),
    Field("depth", "i4", (), "own decisions below each other that the tree may hold"),
    Field("puct", "f4", (), "how much is explored"),
    Field("scale", "f4", (), "points of margin that are worth much"),
    Field("win", "f4", (), "weight of winning against the margin, 0 to 1"),
    Field("favour", "f4", (), "weight of the player's own choice among the priors"),
    Field("path", "i4", (PATH,), "nodes of the present playout"),
    Field("option", "i4", (OPTIONS,), "moves to look at"),
    Field("weight", "f4", (OPTIONS,), "their priors"),
    Field("hidden", "i2", (CARDS,), "cards that the seat cannot see"),
    Field("over", "i2", (CARDS,), "of these, cards that are in no deck"),
    Field("slots", "i2", (TICKETS,), "tickets that the seat cannot see"),
)

CANDIDATES = 64  # moves that are compared by tries, at most

# A comparison of moves by tries, half of them dropped after each round.
CONTEST: tuple[Field, ...] = (
    Field("least", "f8", (), "smallest probability of a move that is compared"),
    Field("temperature", "f8", (), "of the softmax over the network's wishes"),
    Field("weight", "f8", (), "weight of a move's mean value against its log probability"),
    Field("shrinkage", "f8", (), "tries that the mean of all moves counts for in a move's mean"),
    Field("turns", "i4", (), "own turns that a try plays before its leaf"),
    Field("patient", "i4", (), "1: a leaf is at the start of a turn; 0: at the next decision"),
    Field("own", "i4", (), "1: the network decides for the seat in a try; 0: its style"),
    Field("others", "i4", (), "the same for the other seats"),
    Field("mix", "f8", (), "weight of the playout from a leaf; the rest is the network's value"),
    Field("candidates", "i4", (), "moves that are compared"),
    Field("rounds", "i4", (), "rounds that the comparison has"),
    Field("round", "i4", (), "rounds that are over"),
    Field("left", "i4", (), "moves that are still compared"),
    Field("made", "i4", (), "tries of all moves"),
    Field("order", "i2", (CANDIDATES,), "the moves, those still compared first, the best first"),
    Field("action", "i4", (CANDIDATES,), "each move"),
    Field("wish", "f8", (CANDIDATES,), "its wish by the temperature, less the largest"),
    Field("prior", "f8", (CANDIDATES,), "its probability among all legal moves"),
    Field("tries", "i4", (CANDIDATES,), "its tries"),
    Field("worth", "f8", (CANDIDATES,), "sum of their values"),
    Field("wins", "f8", (CANDIDATES,), "sum of their shares of the win"),
    Field("stayed", "i4", (CANDIDATES,), "rounds that it was compared in"),
    Field("score", "f8", (CANDIDATES,), "by which the moves are ordered"),
)

# What a network decides: an intent is an action without how it is paid. Intents are numbered so
# that they fill words of 60 bits: the small ones, the cities, the lanes as the kernel has them.
I_TAKE = 0
I_BLIND = 9
I_TICKETS = 10
I_PASS = 11
I_KEEP = 12  # a subset of the offer, as bits
I_RETURN = 44
I_PAY = 49  # so many locomotives for a tunnel
I_DECLINE = 57
I_SKIP = 58
I_CITY = WORD_BITS  # a station, a marker, a starting city, Alvin: by what is to be decided
I_LANE = 2 * WORD_BITS
INTENT_WORDS = 2 + WORDS
INTENTS = INTENT_WORDS * WORD_BITS
PAID_WITH = CARDS  # colours to pay with; locomotives only are the last
WISHES = INTENTS + PAID_WITH  # what a network says of a decision
DECIDED = 9  # phases in which a seat decides

# What a network is told of a position, as a seat knows it: every number is small. The axes say
# which of the numbers a map has at all.
SENSE: tuple[Field, ...] = (
    Field("phase", "i1", (DECIDED,), "1 at what is to be decided"),
    Field("last", "i1", (), "turns left in the last round"),
    Field("turns", "i1", (), "half turns that the game may still take"),
    Field("stock", "i1", (), "tickets that can be drawn"),
    Field("deck", "i1", (), "cards in the deck, by twos"),
    Field("extra", "i1", (), "extra cards that a tunnel costs"),
    Field("paid_locos", "i1", (), "locomotives laid for the tunnel"),
    Field("plan_trains", "i1", (), "trains that the planner's plan takes"),
    Field("plan_open", "i1", (), "tickets that it is for"),
    Field("hand", "i1", (CARDS,), "own cards"),
    Field("row", "i1", (CARDS,), "cards face up"),
    Field("discards", "i1", (CARDS,), "discarded cards"),
    Field("pool", "i1", (CARDS,), "the deck since its last shuffle, less what left openly"),
    Field("paid_color", "i1", (CARDS,), "1 at the colour laid for a tunnel"),
    Field("want", "i1", (CARDS,), "how much the planner wants a colour"),
    Field("playing", "i1", (SEATS,), "1 for each seat that plays; the own one is first"),
    Field("trains", "i1", (SEATS,), "trains left"),
    Field("score", "i1", (SEATS,), "points so far, by twos"),
    Field("hand_size", "i1", (SEATS,), "cards in hand"),
    Field("tickets", "i1", (SEATS,), "tickets held"),
    Field("marks_left", "i1", (SEATS,), "stations or markers left"),
    Field("first", "i1", (SEATS,), "1 at the seat that began"),
    Field("alvin_holder", "i1", (SEATS,), "1 at the seat that holds Alvin"),
    Field("seen", "i1", (SEATS, CARDS), "cards that are known to be in a hand"),
    Field("claimed", "i1", (SEATS, LANES), "1 for each lane of a seat"),
    Field("open", "i1", (LANES,), "1 for each lane that may be claimed"),
    Field("missing", "i1", (LANES,), "cards that are missing for an open lane"),
    Field("planned", "i1", (LANES,), "1 for each lane of the planner's plan"),
    Field("borrowed", "i1", (LANES,), "1 for each lane that its stations should borrow"),
    Field("own_ends", "i1", (LANES,), "ends of an open lane in the own network"),
    Field("their_ends", "i1", (LANES,), "ends of it in the networks of others"),
    Field("joins", "i1", (LANES,), "seats of whose networks it would join two parts"),
    Field("claiming", "i1", (LANES,), "1 at the lane being claimed"),
    Field("todo", "i1", (TICKETS,), "1 for each ticket held that is not done"),
    Field("done", "i1", (TICKETS,), "1 for each that is"),
    Field("need", "i1", (TICKETS,), "trains that a ticket held takes, or one offered beside them"),
    Field("away", "i1", (TICKETS,), "1 for each ticket known to be elsewhere"),
    Field("offered", "i1", (OFFER, TICKETS), "1 at the ticket in a place of the offer"),
    Field("marks", "i1", (SEATS, CITIES), "1 for each city with a seat's station or marker"),
    Field("alvin", "i1", (CITIES,), "1 at the city where Alvin is"),
    Field("hint", "i1", (INTENTS,), "1 at what the planner would do"),
    Field("hint_color", "i1", (PAID_WITH,), "1 at the colour that it would pay with"),
    Field("spare", "i1", (2,), "always 0: a row is a multiple of 8 bytes"),
)
SENSE_SIZE = sum(prod(field.shape) for field in SENSE)

dtypes = {
    name: dtype_from(fields)
    for name, fields in (
        ("guide", GUIDE),
        ("style", STYLE),
        ("mind", MIND),
        ("node", NODE),
        ("search", SEARCH),
        ("contest", CONTEST),
        ("sense", SENSE),
    )
}
