"""What is called from Python about what a seat may see: each takes arrays of records."""

from macaz.kernel.redact import redact
from macaz.kernel.seen import copy_event, copy_told


def redact_state(states, seat, views):
    """Write the view of a seat, or of a spectator (-1)."""
    redact(states[0], seat, views[0])


def tell_state(views, states):
    """Write into a state what a view says of it; the rest stays as it is."""
    copy_told(views[0], states[0])


def narrow_events(events, seat, shown):
    """Write events as a seat, or a spectator (-1), may see them."""
    for n in range(len(events)):
        copy_event(events[n], seat, shown[n])
