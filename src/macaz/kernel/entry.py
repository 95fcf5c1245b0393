"""What is called from Python: each takes arrays of records and says which one is meant."""

from macaz.kernel import legal, why
from macaz.kernel.deal import chance_pick, chance_total, chance_weight, deal
from macaz.kernel.dice import seed_dice
from macaz.kernel.layout import OVER
from macaz.kernel.legal import legal_count, legal_nth
from macaz.kernel.paths import longest_path
from macaz.kernel.play import play_out, roll
from macaz.kernel.score import final_score
from macaz.kernel.step import setup, step
from macaz.kernel.table import actor
from macaz.kernel.tell import forget_events


def new_game(specs, states, i, first):
    """Set up a game."""
    setup(specs[0], states[i], first)


def to_move(specs, states, i):
    """The seat that decides next; -1 chance, -2 no one."""
    return actor(specs[0], states[i])


def list_legal(specs, states, i, works, seat, out):
    """List a seat's legal actions; returns how many."""
    return legal.list_legal(specs[0], states[i], seat, works[0], out)


def is_legal(specs, states, i, works, a):
    """Whether an action is legal."""
    return why.is_legal(specs[0], states[i], a, works[0])


def act(specs, states, i, a, events):
    """Apply a legal action and write what happens; returns who is next."""
    forget_events(events)
    step(specs[0], states[i], a, events)
    return actor(specs[0], states[i])


def chance_ways(specs, states, i):
    """How many equally likely ways chance has."""
    return chance_total(specs[0], states[i])


def chance_outcome(specs, states, i, way):
    """The outcome of one of them."""
    return chance_pick(specs[0], states[i], way)


def outcome_weight(specs, states, i, outcome):
    """How many ways lead to an outcome."""
    return chance_weight(specs[0], states[i], outcome)


def chance(specs, states, i, outcome, events):
    """Apply an outcome and write what happens; returns who is next."""
    forget_events(events)
    deal(specs[0], states[i], outcome, events)
    return actor(specs[0], states[i])


def tally_up(specs, states, i, works, tallies):
    """Score a game as if it ended now."""
    final_score(specs[0], states[i], works[0], tallies[i])


def path_length(specs, states, i, works, seat):
    """The length of a seat's longest path."""
    return longest_path(specs[0], states[i], works[0], seat)


def new_series_game(specs, states, i, dice, seed, game, first):
    """Set up a game of a seeded series, and its fast stream."""
    seed_dice(dice[i], seed, game)
    setup(specs[0], states[i], first)


def choose_nth(specs, states, i, works, dice, k):
    """Apply the k-th legal action and let chance act by a fast stream.

    Returns how many legal actions the next seat has; 0 when the game is over. The fewest calls
    for a loop in Python that plays a game decision by decision. `works` carries the count
    from one call to the next.
    """
    spec = specs[0]
    s = states[i]
    if k >= 0:
        step(spec, s, legal_nth(spec, s, actor(spec, s), k, works[i]), None)
    roll(spec, s, dice[i])
    if s.phase == OVER:
        return 0
    return legal_count(spec, s, actor(spec, s), works[i])


def random_game(specs, states, i, works, tallies, dice, seed, game, first):
    """Play and score one game of a seeded series; returns its decisions."""
    seed_dice(dice[i], seed, game)
    setup(specs[0], states[i], first)
    decisions = play_out(specs[0], states[i], dice[i], works[i])
    final_score(specs[0], states[i], works[i], tallies[i])
    return decisions


def random_games(specs, states, works, tallies, dice, lengths, seed, start, first):
    """Play and score a run of games of a seeded series, one for each tally."""
    for i in range(len(tallies)):
        seed_dice(dice[0], seed, start + i)
        setup(specs[0], states[0], first)
        lengths[i] = play_out(specs[0], states[0], dice[0], works[0])
        final_score(specs[0], states[0], works[0], tallies[i])
