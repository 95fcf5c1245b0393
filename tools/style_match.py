"""Whole games between styles in one call, compiled for `tune_styles.py`."""

from macaz.bots.compiled.decide import decide, no_plan
from macaz.kernel.dice import seed_dice
from macaz.kernel.layout import OVER
from macaz.kernel.play import roll
from macaz.kernel.score import final_score
from macaz.kernel.step import setup, step
from macaz.kernel.table import actor


def play_match(  # noqa: PLR0913, PLR0917 - an entry of compiled code takes arrays one by one
    specs, guides, styles, states, minds, dice, works, tallies, lengths, seed, start, rotate
):
    """Play games, one for each tally: seat p plays style (p + rotate) mod seats."""
    spec = specs[0]
    s = states[0]
    for i in range(len(tallies)):
        seed_dice(dice[0], seed, start + i)
        seed_dice(dice[1], seed + 1, start + i)
        setup(spec, s, (start + i) % spec.seats)
        for p in range(spec.seats):
            no_plan(minds[p])
        n = 0
        roll(spec, s, dice[0])
        while s.phase != OVER:
            seat = actor(spec, s)
            y = styles[(seat + rotate) % spec.seats]
            step(spec, s, decide(spec, guides[0], y, s, seat, minds[seat], dice[1], works[0]), None)
            roll(spec, s, dice[0])
            n += 1
        lengths[i] = n
        final_score(spec, s, works[0], tallies[i])
