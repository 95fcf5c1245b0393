"""One game of many: it takes a decision, is worth something, begins again, and shows itself."""

from typing import Any, NamedTuple

from macaz.kernel.dice import seed_dice
from macaz.kernel.layout import OVER
from macaz.kernel.legal import seat_of
from macaz.kernel.play import roll
from macaz.kernel.score import final_score
from macaz.kernel.step import setup, step
from macaz.kernel.table import actor, claimable
from macaz.kernel.why import is_legal
from macaz.lab.env.compiled.mask import fill_mask
from macaz.lab.env.compiled.observe import observe

NEW_GAME = -1  # in place of an action: leave this game, and begin the next
REWARD_WIN = 0
REWARD_SCORE = 1
REWARD_MARGIN = 2


class Games(NamedTuple):
    """Arrays of many games, each with a record or a row for each game.

    On a GPU states and dice lie word by word, and observations and masks are bare words.
    """

    states: Any
    dice: Any
    numbers: Any  # of the game that is played in each place
    deciders: Any
    words: Any  # the bytes of the observations, eight by eight
    observations: Any
    masks: Any
    actions: Any
    rewards: Any
    scores: Any
    ended: Any


def allowed(spec, s, w, a):
    """Whether the seat that decides next may take this action."""
    return is_legal(spec, s, a, w) and seat_of(spec, s, a) == actor(spec, s)


def play_on(spec, s, w, tally, d, games, i, seed, first, reward):
    """Take the action of game i; where that ends it, the next one begins.

    The places take turns with the numbers of a seeded series: place i plays i, then i + places.
    """
    if games.ended[i]:
        for p in range(spec.seats):
            games.rewards[i, p] = 0
    a = games.actions[i]
    games.ended[i] = False
    if a != NEW_GAME:
        step(spec, s, a, None)
        roll(spec, s, d)
        if s.phase != OVER:
            return
        final_score(spec, s, w, tally)
        pay_out(spec, tally, reward, games.scores, games.rewards, i)
        games.ended[i] = True
    numbers = games.numbers
    numbers[i] += len(numbers)
    begin(spec, s, d, seed, numbers[i], first)


def begin(spec, s, d, seed, number, first):
    """Begin a game of a seeded series."""
    seed_dice(d, seed, number)
    setup(spec, s, first)
    roll(spec, s, d)


def pay_out(spec, tally, reward, scores, rewards, i):
    """Write what game i, which has ended, is worth to each seat."""
    for p in range(spec.seats):
        scores[i, p] = tally.total[p]
        rewards[i, p] = reward_of(spec, tally, reward, p)


def reward_of(spec, tally, reward, seat):
    """What a finished game is worth to a seat; `lab.env.reward` says the same of an outcome."""
    if reward == REWARD_SCORE:
        return 1.0 * tally.total[seat]
    if reward == REWARD_MARGIN:
        best = -(1 << 20)
        for p in range(spec.seats):
            if p != seat:
                best = max(best, tally.total[p] + 0)
        return 1.0 * (tally.total[seat] - best)
    winners = 0
    for p in range(spec.seats):
        winners += (tally.winners >> p) & 1
    return ((tally.winners >> seat) & 1) / winners - 1.0 / spec.seats


def clear(words, masks, i):
    """Write zeros into a game's rows; `words` are the bytes of the observations, eight by eight."""
    for k in range(words.shape[1]):
        words[i, k] = 0
    for k in range(masks.shape[1]):
        masks[i, k] = 0


def fetch(words, i, room):
    """Copy a record out of words that lie beside those of the other games."""
    for k in range(len(room)):
        room[k] = words[k, i]


def put_back(words, i, room):
    """Copy it back."""
    for k in range(len(room)):
        words[k, i] = room[k]


def show_game(spec, s, w, deciders, o, mask, i):
    """Write who decides in game i, and, into zeros, what that seat sees and may do."""
    seat = actor(spec, s)
    deciders[i] = seat
    show_seat(spec, s, w, seat, o, mask)


def show_seat(spec, s, w, seat, o, mask):
    """Write, into zeros, what a seat sees and may do."""
    o0, o1, o2 = claimable(spec, s, seat)
    observe(spec, s, w, seat, o0, o1, o2, o)
    fill_mask(spec, s, w, seat, o0, o1, o2, mask)
