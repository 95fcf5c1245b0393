"""What the training calls: each goes over the games from `start` until `stop`."""

from macaz.kernel.layout import OVER
from macaz.kernel.play import roll
from macaz.kernel.step import step
from macaz.train.compiled.lessons import (
    SCRIPTED,
    end_lesson,
    next_lesson,
    show_lesson,
    wished_action,
)


def teach_games(
    specs,
    guides,
    styles,
    states,
    works,
    minds,
    tallies,
    dice,
    numbers,
    deciders,
    players,
    scripts,
    legal,
    wishes,
    intents,
    colors,
    payable,
    shares,
    scores,
    ended,
    rows,
    row_words,
    start,
    stop,
    worker,
    seed,
    begin,
):
    """Take the decision that is wished for in each game, or begin all games anew; show the next.

    Where a game ends, the next one begins at once. `worker` says whose working memory it is.
    """
    spec = specs[0]
    g = guides[0]
    w = works[worker]
    m = minds[worker]
    for i in range(start, stop):
        s = states[i]
        over = begin == 1
        ended[i] = False
        if begin == 0:
            seat = deciders[i] + 0
            action = scripts[i] + 0
            if players[i, seat] < SCRIPTED:
                action = wished_action(spec, g, s, seat, legal, wishes, intents, colors, payable, i)
            step(spec, s, action, None)
            roll(spec, s, dice[i])
            if s.phase == OVER:
                end_lesson(spec, s, w, tallies[worker], shares, scores, i)
                ended[i] = True
                over = True
        if over:
            next_lesson(spec, s, dice[i], numbers, i, seed)
        for k in range(row_words.shape[1]):
            row_words[i, k] = 0
        show_lesson(
            spec, g, styles, s, w, m, dice[i], deciders, players, scripts, legal, rows[i], i
        )
