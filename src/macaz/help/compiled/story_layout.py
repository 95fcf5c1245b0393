"""The records of a review, beside those of a comparison: every field declared once."""

from __future__ import annotations

from macaz.kernel.layout import Field, dtype_from

OPENING = 0  # phases of a game, by the turns played: a third each, the setup in the first
MIDDLE = 1
END = 2
PHASES = 3
ALL = PHASES  # behind the phases: the whole game

# Rows of sums over the decisions of a part of the game.
STAKES = 0
GAPS = 1
NOISE = 2  # squares of all standard errors
COSTS = 3  # gaps as far as each is more than noise
COUNTED = 4  # squares of the standard errors of these
SUMS = 5

# What is to be done next for a decision.
NOTHING_LEFT = 0
SEARCH = 1  # compare all its moves in one more chunk
MEASURE = 2  # try the best move found and the move played in one more fresh chunk

COSTLY = 1  # kinds of turning points: a move that cost something
SWING = 2  # a change of a chance between two decisions of a seat, which it did not decide

# A decision of a game, and what is known of it so far.
VERDICT: tuple[Field, ...] = (
    Field("seat", "i4", (), "seat that decided"),
    Field("turn", "i4", (), "turn, from 1 on; 0 in the setup"),
    Field("choices", "i4", (), "moves that are compared; below 2, nothing is judged"),
    Field("searched", "i4", (), "chunks in which all moves were compared"),
    Field("measured", "i4", (), "fresh chunks of the best move and the move played"),
    Field("glanced", "i4", (), "1: the first fresh chunk of the move played is known"),
    Field("agreed", "i4", (), "1: the move played is the best that was found"),
    Field("before", "f8", (), "chance of winning after the best move"),
    Field("after", "f8", (), "chance of winning after the move played"),
    Field("doubt", "f8", (), "standard error of `before`"),
    Field("ahead_before", "f8", (), "points ahead of the best other seat after the best move"),
    Field("ahead_after", "f8", (), "points ahead of the best other seat after the move played"),
    Field("gap", "f8", (), "chance after the best move less that after the move played"),
    Field("cost", "f8", (), "`gap`, but not below 0"),
    Field("error", "f8", (), "standard error of `gap` and `cost`"),
    Field("stake", "f8", (), "chance that an average of the compared moves costs"),
    Field("promise", "f8", (), "0 to 1: what such decisions usually put at stake, before any try"),
)

# How a seat fared. `deal`, `skill` and `luck` add up to its share of the win less an equal share.
STORY: tuple[Field, ...] = (
    Field("deal", "f8", (), "what the first deal gave, against an equal share of the win"),
    Field("skill", "f8", (), "what its decisions cost, not above 0"),
    Field("luck", "f8", (), "the rest: cards, tickets and what the others did"),
    Field("doubt", "f8", (), "standard error of `skill`"),
    Field("lost", "f8", (), "what its clear mistakes cost"),
    Field("decisions", "i4", (PHASES + 1,), "judged decisions by phase, and all"),
    Field("agreed", "i4", (), "where it played the best move that was found"),
    Field("mistakes", "i4", (), "where the cost is clear"),
    Field("spared", "f8", (PHASES + 1,), "share of the stakes that it kept, by phase, and of all"),
)

MOST_POINTS = 5  # turning points of a game

TURNING: tuple[Field, ...] = (
    Field("kind", "i4", (), "COSTLY or SWING"),
    Field("ply", "i4", (), "the decision; of a swing, the one after which it began"),
    Field("until", "i4", (), "of a swing, the decision before which it was over; or the end"),
    Field("seat", "i4", (), "whose chance changed"),
    Field("change", "f8", (), "by so much"),
)

dtypes = {
    name: dtype_from(fields)
    for name, fields in (("verdict", VERDICT), ("story", STORY), ("turning", TURNING))
}
