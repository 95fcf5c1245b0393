"""For how long a server keeps unused data: the settings as the store takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from macaz.server.people import COOKIE_DAYS
from macaz.server.store.pruning import Kind, Retention

if TYPE_CHECKING:
    from macaz.server.settings import Settings

# By kind: its name for people, and its setting.
KINDS: dict[Kind, tuple[str, str | None]] = {
    "guests": ("guests without games", "keep_guests_days"),
    "finished": ("finished games between people", "keep_finished_days"),
    "bot_games": ("finished games against bots", "keep_bot_games_days"),
    "closed": ("closed tables", "keep_closed_days"),
    "abandoned": ("abandoned tables", "keep_abandoned_days"),
    "sessions": ("ended and unused sessions", None),
    "creations": ("counts of tables made in a day", None),
}


def retention_of(settings: Settings) -> Retention:
    """How many days each kind is kept, from the settings."""
    named = {kind: getattr(settings, name) for kind, (_, name) in KINDS.items() if name}
    return Retention(**named, sessions=COOKIE_DAYS)
