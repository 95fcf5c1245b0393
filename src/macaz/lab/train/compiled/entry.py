"""Entry points of the training: each runs over the games from `start` to `stop` - 1."""

from macaz.lab.train.compiled.lessons import go_on, show_lesson


def teach_games(
    specs, guides, styles, lessons, works, minds, tallies, start, stop, worker, seed, begin
):
    """Play the preferred action in each game, or begin new games; write the next observation.

    Where a game ends, the next one begins at once. `worker` is the index of the working memory.
    """
    spec = specs[0]
    g = guides[0]
    w = works[worker]
    words = lessons.row_words
    for i in range(start, stop):
        s = lessons.states[i]
        d = lessons.dice[i]
        go_on(spec, g, s, d, w, tallies[worker], lessons, i, seed, begin)
        for k in range(words.shape[1]):
            words[i, k] = 0
        show_lesson(spec, g, styles, s, w, minds[worker], d, lessons, lessons.rows[i], i)
