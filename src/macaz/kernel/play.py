"""Whole games by a random stream: chance, and uniformly random legal decisions."""

from macaz.kernel.deal import chance_pick, chance_total, deal
from macaz.kernel.dice import below
from macaz.kernel.layout import LAST_CHANCE, OVER
from macaz.kernel.legal import legal_count, legal_nth
from macaz.kernel.step import step
from macaz.kernel.table import actor


def roll(spec, s, d):
    """Let chance act until a seat must decide or the game is over."""
    while s.phase <= LAST_CHANCE:
        deal(spec, s, chance_pick(spec, s, below(d, chance_total(spec, s))), None)


def random_action(spec, s, d, w):
    """A uniformly random legal action of the seat that decides next."""
    seat = actor(spec, s)
    return random_action_of(spec, s, seat, d, w)


def random_action_of(spec, s, seat, d, w):
    """A uniformly random legal action of a seat that may decide."""
    return legal_nth(spec, s, seat, below(d, legal_count(spec, s, seat, w)), w)


def play_out(spec, s, d, w):
    """Play to the end at random; returns how many decisions it took."""
    decisions = 0
    roll(spec, s, d)
    while s.phase != OVER:
        step(spec, s, random_action(spec, s, d, w), None)
        roll(spec, s, d)
        decisions += 1
    return decisions
