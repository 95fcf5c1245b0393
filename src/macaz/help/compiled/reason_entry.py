"""What is called to find the reasons for a move, from Python and from a host without NumPy."""

from macaz.help.compiled.reasons import find_reasons


def list_reasons_for(specs, study, lines, seat, one, other):
    """Write the reasons for a line against another one (-1: the best other move), the best first.

    `study.states` begins with what the seat knows (`tell_known`). Returns how many there are.
    """
    return find_reasons(specs[0], study, lines, seat, one, other)
