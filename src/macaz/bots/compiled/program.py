"""The compiled players, ready to be called, and the records they are called with."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from macaz.bots.compiled import layout as at
from macaz.bots.compiled.lookahead import END_NUMBERS, TRIES
from macaz.kernel.compile import AUTO, KERNEL, Program, compiled
from macaz.kernel.engine import scratch
from macaz.kernel.help import HELP
from macaz.kernel.layout import SEATS, WORD_BITS, dtype_of
from macaz.kernel.once import once
from macaz.kernel.views import VIEWS

if TYPE_CHECKING:
    from macaz.kernel.spec import Spec

WORLDS = 256  # that a search meets, at most
NODES = 1 << 15  # of its tree

_HERE = "macaz.bots.compiled"


def _modules(*names: str) -> tuple[str, ...]:
    return tuple(f"{_HERE}.{name}" for name in names)


DECIDING_MODULES = _modules(
    *("layout", "numbers", "cards", "tempo", "ways", "steiner", "plan", "tickets"),
    *("weigh", "drawing", "rest", "decide"),
)
SENSING_MODULES = _modules("suggest", "intents", "sense")
ENDING_MODULES = _modules("endings")
_SEARCHING = _modules("options", "tree")
_LOOKING = _modules("lookahead", "known", "inference", "halving")


class Games(NamedTuple):
    """Games under way, and what their players work with."""

    states: np.ndarray
    worlds: np.ndarray
    minds: np.ndarray
    dice: np.ndarray
    works: np.ndarray
    tallies: np.ndarray


class Questions(NamedTuple):
    """What a network is told, what it wishes for, and how games ended: a row for each try."""

    rows: np.ndarray
    row_words: np.ndarray  # the same bytes, eight by eight
    legal: np.ndarray  # intents, as bits
    wishes: np.ndarray
    endings: np.ndarray


class Weights(NamedTuple):
    """A network with weights of one byte: what `macaz.bots.browser` writes into a file."""

    columns: np.ndarray  # bytes of a row that are inputs
    factors: np.ndarray  # of each row of weights: those of `weights`, then those of `speak`
    weights: np.ndarray  # rows of the inputs, then of the units of each hidden layer
    biases: np.ndarray  # a row for each hidden layer
    speak: np.ndarray  # the same for the wishes
    speak_biases: np.ndarray  # of the wishes, then of the forecasts
    forecasts: np.ndarray  # weights of the value of the ending, and of the logit of the win
    trust: np.ndarray  # added to the wishes that the planner suggests: intent, colour


class Layers(NamedTuple):
    """What a network works with while it runs."""

    units: np.ndarray
    picked: np.ndarray  # inputs or units that are not 0
    amounts: np.ndarray
    values: np.ndarray  # the value of the ending and the probability of the win, for each row


def player_program(what: str, entries: tuple[str, ...], *modules: str) -> Program:
    """A program whose entries take the arrays that players work on."""
    return Program(
        what=what,
        entries=entries,
        modules=(*modules, *entries),
        arrays=(
            ("guides", at.dtypes["guide"], 1),
            ("styles", at.dtypes["style"], 1),
            ("minds", at.dtypes["mind"], 1),
            ("worlds", dtype_of("state"), 1),
            ("positions", dtype_of("state"), 1),
            ("nodes", at.dtypes["node"], 1),
            ("searches", at.dtypes["search"], 1),
            ("rows", at.dtypes["sense"], 1),
            ("legal", np.dtype(np.int64), 2),
            ("wishes", np.dtype(np.float32), 2),
            ("scripts", np.dtype(np.int32), 1),
            ("row_words", np.dtype(np.int64), 2),
            ("intents", np.dtype(np.int64), 1),
            ("actions", np.dtype(np.int64), 1),
            ("tries", np.dtype(np.int64), 2),
            ("endings", np.dtype(np.float32), 2),
            ("views", dtype_of("view"), 1),
            ("contests", at.dtypes["contest"], 1),
            ("columns", np.dtype(np.int32), 1),
            ("factors", np.dtype(np.float32), 1),
            ("weights", np.dtype(np.int8), 2),
            ("biases", np.dtype(np.float32), 2),
            ("speak", np.dtype(np.int8), 2),
            ("speak_biases", np.dtype(np.float32), 1),
            ("forecasts", np.dtype(np.float32), 2),
            ("trust", np.dtype(np.float32), 1),
            ("units", np.dtype(np.float32), 2),
            ("picked", np.dtype(np.int32), 1),
            ("amounts", np.dtype(np.float32), 1),
            ("values", np.dtype(np.float64), 2),
        ),
        groups=(
            ("games", Games),
            ("questions", Questions),
            ("network", Weights),
            ("layers", Layers),
        ),
    )


PLAYERS = player_program(
    "players",
    _modules("entry", "expert_entry"),
    *(*DECIDING_MODULES, *ENDING_MODULES, *_SEARCHING, *SENSING_MODULES, *_LOOKING),
)
GAMES = (KERNEL, VIEWS, HELP, PLAYERS)  # what is called in a game of bots


def players(target: str = AUTO) -> Any:
    """The functions of the players, for a target."""
    return compiled(PLAYERS, target)


class WorkingMemory(threading.local):
    """What players work on: each thread's own, used again for every decision."""

    def __init__(self) -> None:
        zeros = players().zeros
        self.states = zeros(TRIES, dtype_of("state"))
        self.worlds = zeros(WORLDS, dtype_of("state"))
        self.nodes = zeros(NODES, at.dtypes["node"])
        self.searches = zeros(1, at.dtypes["search"])
        self.minds = zeros(2 * SEATS, at.dtypes["mind"])
        self.dice = zeros(TRIES + 1, dtype_of("dice"))
        self.works = scratch().works
        self.tallies = zeros(1, dtype_of("tally"))
        self.row_words = zeros((TRIES, at.SENSE_SIZE // 8), np.int64)
        self.rows = self.row_words.view(at.dtypes["sense"]).reshape(TRIES)
        self.legal = zeros((TRIES, at.INTENT_WORDS), np.int64)
        self.wishes = zeros((TRIES, at.WISHES), np.float32)
        self.endings = zeros((TRIES, END_NUMBERS), np.float32)
        self.scripts = zeros(1, np.int32)

    @property
    def games(self) -> Games:
        """What is worked on while games go on."""
        return Games(*(getattr(self, name) for name in Games._fields))

    @property
    def questions(self) -> Questions:
        """What networks are asked and say."""
        return Questions(*(getattr(self, name) for name in Questions._fields))


@once
def working_memory() -> WorkingMemory:
    """The working memory of the thread that uses it."""
    return WorkingMemory()


@lru_cache(maxsize=64)
def guide_of(spec: Spec) -> np.ndarray:
    """What follows from the map of a table, as the players need it."""
    guides = np.zeros(1, at.dtypes["guide"])
    guide, table = guides[0], spec.table[0]
    lanes = sorted(spec.route_of_lane)
    for k in range(int(table["first_class"][-1])):
        for lane in lanes:
            if int(table["class_mask"][k, lane // WORD_BITS]) >> (lane % WORD_BITS) & 1:
                guide["lane_class"][lane] = k
                guide["lane_symbols"][lane] = table["class_locos"][k]
    n = 0
    for city in range(len(guide["exits"]) - 1):
        guide["exits"][city] = n
        for lane in lanes:
            if city < int(table["cities"]) and city in (
                table["lane_a"][lane],
                table["lane_b"][lane],
            ):
                guide["exit"][n] = lane
                n += 1
    guide["exits"][-1] = n
    return guides
