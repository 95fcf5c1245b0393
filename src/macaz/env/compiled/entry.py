"""What the vector environment calls: each goes over the games from `start` until `stop`.

`worker` says which working memory is this thread's.
"""

from macaz.env.compiled.games import allowed, clear, play_on, show_game
from macaz.kernel.play import random_action


def check_actions(specs, states, works, actions, start, stop, worker):
    """The first game whose action is not legal, or -1."""
    for i in range(start, stop):
        if not allowed(specs[0], states[i], works[worker], actions[i]):
            return i
    return -1


def step_games(
    specs,
    states,
    works,
    tallies,
    dice,
    numbers,
    deciders,
    words,
    observations,
    masks,
    actions,
    rewards,
    scores,
    ended,
    start,
    stop,
    worker,
    seed,
    first,
    reward,
):
    """Take a decision in each game; where one ends, the next begins at once."""
    spec = specs[0]
    w = works[worker]
    tally = tallies[worker]
    for i in range(start, stop):
        ended[i] = play_on(
            spec,
            states[i],
            w,
            tally,
            dice[i],
            numbers,
            actions[i],
            rewards,
            scores,
            ended[i],
            i,
            seed,
            first,
            reward,
        )
        clear(words, masks, i)
        show_game(spec, states[i], w, deciders, observations[i], masks[i], i)


def sample_games(specs, states, works, dice, actions, start, stop, worker):
    """Draw a legal action for each game, all equally likely, from the game's own stream."""
    for i in range(start, stop):
        actions[i] = random_action(specs[0], states[i], dice[i], works[worker])
