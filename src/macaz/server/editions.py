"""The editions that can be played here: those that come with Macaz, and the host's own maps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from macaz.edition import (
    Edition,
    EditionError,
    edition_text,
    list_editions,
    load_edition,
    read_edition,
)
from macaz.edition.board import CARDS
from macaz.errors import MacazError
from macaz.server.refusal import Refusal
from macaz.server.wire import EditionLine, Map, OptionInfo

if TYPE_CHECKING:
    from macaz.server.store.rows import GameRow
    from macaz.server.store.store import Store

HIDDEN = "tiny"  # for tests and studies: playable by name, but not listed


class Catalog:
    """Finds editions by name."""

    def __init__(self, folder: Path | None = None) -> None:
        self._paths: dict[str, str] = {}
        for path in sorted(folder.glob("*.toml")) if folder else ():
            name = load_edition(path).id
            if name in self._paths or name in list_editions():
                raise MacazError(f"{path}: there is an edition {name!r} already. Change its id.")
            self._paths[name] = str(path)
        self._known: dict[str, Edition] = {}

    def find(self, name: str) -> Edition:
        """An edition by its name, options included: "old-west+alvin"."""
        if name not in self._known:
            base, *options = name.split("+")
            if base not in self._paths and base not in list_editions():
                raise Refusal("bad-value", f"There is no edition {base!r} here.")
            try:
                found = load_edition(self._paths.get(base, base), options)
            except EditionError as error:
                raise Refusal("bad-value", str(error)) from error
            if len(self._known) > 256:  # clients choose the names
                self._known.clear()
            self._known[name] = found
        return self._known[name]

    def own_text(self, edition: Edition) -> str | None:
        """The text of an edition that does not come with Macaz as it is."""
        source = edition.source
        if source.startswith("macaz:"):
            return None
        return source.partition("\n")[2] if source.startswith("stored\n") else edition_text(edition)

    async def of_game(self, row: GameRow, store: Store) -> Edition:
        """The edition that a game was begun with, even if its file has changed since."""
        try:
            found = self.find(row.edition)
            if found.fingerprint == row.fingerprint:
                return found
        except Refusal:
            pass  # the host took the map away; the games played on it are kept
        kept = await store.editions.get(row.fingerprint)
        if kept is None:
            raise Refusal("not-found", "The map of this table is gone.")
        text = kept.text
        return read_edition(text, row.edition.split("+")[1:], source=f"stored\n{text}")

    def title(self, name: str) -> str:
        """The title of an edition; its id if its map is gone."""
        try:
            return self.find(name).title
        except Refusal:
            return name

    def shelf(self) -> Iterator[EditionLine]:
        """All editions that are offered."""
        from macaz.bots.network import packaged

        learned = packaged()
        for name in dict.fromkeys((*list_editions(), *self._paths)):
            if name == HIDDEN:
                continue
            edition = self.find(name)
            yield EditionLine(
                id=edition.id,
                name=edition.name,
                min_seats=edition.rules.min_seats,
                max_seats=edition.rules.max_seats,
                options=tuple(OptionInfo(*option) for option in edition.available_options),
                learned=name in learned,
            )


def map_of(edition: Edition) -> Map:
    """What the page needs to show an edition."""
    return Map(
        id=edition.qualified_id,
        title=edition.title,
        fingerprint=edition.fingerprint,
        cards=CARDS,
        cities=edition.board.cities,
        routes=edition.board.routes,
        tickets=edition.board.tickets,
        rules=edition.rules,
    )
