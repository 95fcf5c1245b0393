"""Setup tickets are chosen at the same time. Where seats decide one by one, a screen keeps it so.

Until all have chosen, a seat sees nothing of what others have done behind the screen: neither who
has chosen already nor how many tickets were kept. So it does not matter who is asked first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from macaz.game.view import View
from macaz.kernel.layout import CHOOSE

if TYPE_CHECKING:
    from macaz.game import Game
    from macaz.game.steps import Step


def screened_view(game: Game, seat: int | None) -> View:
    """What a seat may see, or a spectator (None), without the choices behind the screen."""
    chosen = choices(game)
    if not chosen:
        return game.view(seat)
    state = chosen[0].state.copy()
    for step in chosen:
        if step.seat == seat:
            game.engine.act(state, step.number)
    return View.of(game.spec, state, seat)


def choices(game: Game) -> list[Step]:
    """The setup choices that were made while others are still to be made; none at other times."""
    if game.state["phase"][0] != CHOOSE:
        return []
    first = len(game.history)
    while first and game.history[first - 1].seat is not None:
        first -= 1
    return game.history[first:]
