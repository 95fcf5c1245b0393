"""The reasons for a compared move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from macaz.bots.styled import counted_state
from macaz.help.compiled.program import analysis, working_memory
from macaz.help.compiled.reason_codes import REASON_CODES
from macaz.help.reasons import Reason
from macaz.kernel.compile import AUTO, default_target

if TYPE_CHECKING:
    import numpy as np

    from macaz.help.comparison import Comparison

_NUMBERS = ("route", "ticket", "other", "seat", "color", "city", "amount", "of")
_SHARES = ("share", "instead")


def reasons_of(
    comparison: Comparison, line: int, against: int | None = None, target: str = AUTO
) -> tuple[Reason, ...]:
    """What speaks for the move of a line against that of another, the weightiest first.

    Both are indices in `comparison.lines`; None is the best move beside it.
    """
    view = comparison.view
    if view.seat is None:
        return ()
    target = default_target() if target == AUTO else target
    study = working_memory(target).study
    study.states[:1] = counted_state(view)
    other = -1 if against is None else against
    found = analysis(target).list_reasons_for(
        view.spec.table, study, comparison.lines, view.seat, line, other
    )
    return tuple(_reason(record) for record in study.reasons[:found])


def _reason(record: np.void) -> Reason:
    numbers: dict[str, Any] = {name: int(record[name]) for name in _NUMBERS if record[name] >= 0}
    shares: dict[str, Any] = {name: float(record[name]) for name in _SHARES if record[name] >= 0}
    return Reason(REASON_CODES[int(record["code"]) - 1], **numbers, **shares)
