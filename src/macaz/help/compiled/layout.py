"""The records that moves are compared in: every field declared once."""

from __future__ import annotations

from macaz.bots.compiled.layout import OPTIONS
from macaz.kernel.layout import CARDS, CITIES, LANES, SEATS, TICKETS, WORDS, Field, dtype_from

MOVES = OPTIONS  # moves that are compared, at most
CHUNK = 16  # tries of each move that are made together, usually
TRIES_KEPT = 1024  # tries of each move whose results are kept, at most
WHOLE = 60  # parts of a win: it can be shared by up to six
NO_RESULT = -30000.0  # in the place of points, of a try that was not made

# A compared move (or `NOTHING`): what was found, then facts: sums and counts over its tries.
# Claims and stations count if they were made after the present moment, the move included.
LINE: tuple[Field, ...] = (
    Field("chance", "f8", (), "of winning, 0 to 1: the chance of the leader less `loss`"),
    Field("error", "f8", (), "its standard error"),
    Field("loss", "f8", (), "chance less than that of the leader, from 0 on"),
    Field("doubt", "f8", (), "standard error of the loss, from the tries that both had"),
    Field("margin", "f8", (), "points ahead of the best other seat at the end, on average"),
    Field("spread", "f8", (), "standard deviation of the margin"),
    Field("chances", "f8", (SEATS,), "chance of each seat to win"),
    Field("points", "f8", (SEATS,), "sum of each seat's points"),
    Field("turns", "f8", (), "sum of the own turns that followed the present one"),
    Field("routes", "f8", (), "sum of the own points for routes, and for captures of Alvin"),
    Field("tickets", "f8", (), "sum of the own points for tickets, completed less missed"),
    Field("missed", "f8", (), "sum of the values of own tickets that were not completed"),
    Field("longest", "f8", (), "sum of the own bonus for the longest path"),
    Field("stations", "f8", (), "sum of the own bonus for stations that were not built"),
    Field("globetrotter", "f8", (), "sum of the own bonus for most tickets"),
    Field("alvin", "f8", (), "sum of the own bonus for holding Alvin"),
    Field("action", "i4", (), "the move, or `NOTHING`"),
    Field("tries", "i4", (), "tries so far"),
    Field("dropped", "i4", (), "1: no longer tried, as it is clearly worse than the leader"),
    Field("kept", "i4", (), "1: never dropped"),
    Field("rank", "i4", (), "0 for the leader, 1 for the next, ..."),
    Field("prior", "f4", (), "how likely the move is thought to be the best before any try"),
    Field("won", "i4", (SEATS,), "sum of each seat's shares of the win, in parts of `WHOLE`"),
    Field("held", "i4", (TICKETS,), "tries at whose end the seat held a ticket"),
    Field("done", "i4", (TICKETS,), "of these, tries in which it had completed it"),
    Field("needed", "i4", (CARDS,), "tries in which it spent more cards of a kind than it has now"),
    Field("built", "i4", (CITIES,), "tries in which it built a station or placed a marker"),
    Field("soon", "i2", (SEATS, LANES), "tries in which a seat claimed a lane within two turns"),
    Field("ever", "i2", (SEATS, LANES), "tries in which it claimed the lane"),
)

# What is noted during a try.
TRIAL: tuple[Field, ...] = (
    Field("claimed", "i8", (SEATS, WORDS), "lanes of each seat before the try"),
    Field("soon", "i8", (SEATS, WORDS), "lanes of each seat when its second turn from now begins"),
    Field("cities", "i8", (), "cities with a station or marker of the seat before the try"),
    Field("turns", "i4", (), "turns of the seat that have begun"),
    Field("start", "i2", (CARDS,), "cards in its hand before the try"),
    Field("hand", "i2", (CARDS,), "cards in its hand before its present decision"),
    Field("spent", "i2", (CARDS,), "cards that it has spent"),
)

dtypes = {name: dtype_from(fields) for name, fields in (("line", LINE), ("trial", TRIAL))}
