"""What the environments call.

For the vector environment: each goes over the games from `start` until `stop`, and `worker` says
which working memory is this thread's. For one game, in the first place of each array: `decide` and
`look`. Its arrays are arguments one by one: of a named tuple, Numba finds the type again in each
call, which takes several times as long as the call itself.
"""

from macaz.kernel.layout import OVER
from macaz.kernel.play import random_action, roll
from macaz.kernel.score import final_score
from macaz.kernel.step import step
from macaz.kernel.table import actor, claimable
from macaz.lab.env.compiled.games import (
    NEW_GAME,
    allowed,
    begin,
    clear,
    pay_out,
    play_on,
    show_game,
    show_seat,
)
from macaz.lab.env.compiled.observe import observe

ENDED = -1  # what `decide` returns in place of a seat
ILLEGAL = -2


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


def decide(
    specs,
    states,
    works,
    tallies,
    dice,
    words,
    observations,
    masks,
    scores,
    rewards,
    action,
    seed,
    number,
    reward,
):
    """Take an action, or begin game `number` of a seed, and show the game to who decides next.

    Returns that seat; ENDED, with nothing shown, or ILLEGAL, with nothing done.
    """
    spec = specs[0]
    s = states[0]
    w = works[0]
    if action == NEW_GAME:
        begin(spec, s, dice[0], seed, number, -1)
    else:
        if not allowed(spec, s, w, action):
            return ILLEGAL
        step(spec, s, action, None)
        roll(spec, s, dice[0])
    if s.phase == OVER:
        final_score(spec, s, w, tallies[0])
        pay_out(spec, tallies[0], reward, scores, rewards, 0)
        return ENDED
    seat = actor(spec, s)
    clear(words, masks, 0)
    show_seat(spec, s, w, seat, observations[0], masks[0])
    return seat


def look(specs, states, works, words, observations, seat):
    """Show the game to any seat, also after its end."""
    spec = specs[0]
    s = states[0]
    for k in range(words.shape[1]):
        words[0, k] = 0
    o0, o1, o2 = claimable(spec, s, seat)
    observe(spec, s, works[0], seat, o0, o1, o2, observations[0])
