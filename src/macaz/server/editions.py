"""What can be played here: editions of Macaz, of packages and of the host, and the bots."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from macaz.bots import BOTS
from macaz.edition import (
    Edition,
    EditionError,
    edition_text,
    installed_editions,
    list_editions,
    load_edition,
    read_edition,
)
from macaz.edition.board import CARDS
from macaz.errors import MacazError
from macaz.server.refusal import Refusal
from macaz.server.wire import BotInfo, EditionLine, Map, OptionInfo

if TYPE_CHECKING:
    from macaz.server.store.rows import GameRow
    from macaz.server.store.store import Store

log = logging.getLogger("macaz.editions")

HIDDEN = "tiny"  # for tests and studies: playable by name, but not listed


class Catalog:
    """Finds editions by name."""

    def __init__(self, folder: Path | None = None) -> None:
        self._paths: dict[str, str] = dict(_installed())  # or ids, as `load_edition` takes both
        for path in sorted(folder.glob("*.toml")) if folder else ():
            name = load_edition(path).id
            if name in self._paths or name in list_editions():
                raise MacazError(f"{path}: there is an edition {name!r} already. Change its id.")
            self._paths[name] = str(path)
        self._known: dict[str, Edition] = {}

    def find(self, name: str) -> Edition:
        """An edition by its name, options included: "old-west+alvin"."""
        found = self._known.get(name)
        if found is None:
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
        return found

    def variants(self, name: str) -> Iterator[Edition]:
        """An edition with each choice of its options that is valid, the plain one first."""
        options = [option.name for option in self.find(name).available_options]
        for count in range(len(options) + 1):
            for chosen in combinations(options, count):
                with suppress(Refusal):  # options that exclude each other
                    yield self.find("+".join((name, *chosen)))

    def own_text(self, edition: Edition) -> str | None:
        """The text of an edition from a file of the host; None for one that comes with Macaz."""
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
            pass  # the host removed the map; its text is stored with the game
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

    def names(self) -> tuple[str, ...]:
        """The ids of all editions that can be played."""
        return tuple(dict.fromkeys((*list_editions(), *self._paths)))

    def shelf(self) -> Iterator[EditionLine]:
        """The editions that a new table may use."""
        from macaz.bots.network import packaged

        learned = packaged()
        for name in self.names():
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
                author=edition.author,
                sentences=dict(edition.sentences),
            )


def _installed() -> Iterator[tuple[str, str]]:
    """The ids of editions that installed packages bring; broken ones are left out."""
    for plugin in installed_editions():
        try:
            if plugin.problem:
                raise MacazError(plugin.problem)
            yield plugin.name, load_edition(plugin.name).id
        except MacazError as error:
            log.warning("an edition is not offered: %s", error)


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


def bot_info(name: str) -> BotInfo:
    """What the page needs to show a bot."""
    kind = BOTS[name]
    return BotInfo(name, kind.character, kind.network)
