"""What the vector environment calls: each goes over the games from `start` until `stop`.

`worker` says which working memory is this thread's.
"""

from macaz.kernel.play import random_action
from macaz.lab.env.compiled.games import allowed, clear, play_on, show_game


def check_actions(specs, games, works, start, stop, worker):
    """The first game whose action is not legal, or -1."""
    for i in range(start, stop):
        if not allowed(specs[0], games.states[i], works[worker], games.actions[i]):
            return i
    return -1


def step_games(specs, games, works, tallies, start, stop, worker, seed, first, reward):
    """Take a decision in each game; where one ends, the next begins at once."""
    spec = specs[0]
    w = works[worker]
    for i in range(start, stop):
        s = games.states[i]
        play_on(spec, s, w, tallies[worker], games.dice[i], games, i, seed, first, reward)
        clear(games.words, games.masks, i)
        show_game(spec, s, w, games.deciders, games.observations[i], games.masks[i], i)


def sample_games(specs, games, works, start, stop, worker):
    """Draw a legal action for each game, all equally likely, from the game's own stream."""
    for i in range(start, stop):
        d = games.dice[i]
        games.actions[i] = random_action(specs[0], games.states[i], d, works[worker])
