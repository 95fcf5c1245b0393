"""What is called from Python about views: each takes arrays of records."""

from macaz.kernel.redact import redact
from macaz.kernel.seen import copy_told


def redact_state(states, seat, views):
    """Write the view of a seat, or of a spectator (-1)."""
    redact(states[0], seat, views[0])


def tell_state(views, states):
    """Write into a state what a view says of it; the rest stays as it is."""
    copy_told(views[0], states[0])
