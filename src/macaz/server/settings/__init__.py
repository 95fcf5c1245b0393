"""The settings of a server: every one declared once, with its kind, its default and its meaning.

The options of `macaz serve`, the names in the environment, the keys of the file and the page of
settings all come from here. `settings.read` reads them, `settings.check` judges the whole.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from macaz.errors import MacazError
from macaz.server.lan import is_loopback
from macaz.server.redact import HIDDEN, without_password
from macaz.workers import core_count

PREFIX = "MACAZ_"
DEFAULT_PORT = 8124
SECRET_LENGTH = 32
KNOWN_PUSH_HOSTS = (
    "fcm.googleapis.com",
    "*.push.services.mozilla.com",
    "*.push.apple.com",
    "*.notify.windows.com",
)
_FOREVER = 10**9
_DAY = 24 * 3600.0
_LONGEST_DAYS = 36_500


class SettingsError(MacazError):
    """The settings cannot be used; `problems` lists everything wrong with them."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        head = "the settings cannot be used:"
        super().__init__("\n  ".join([head, *problems]) if problems[1:] else problems[0])

    def __reduce__(self) -> tuple[type[SettingsError], tuple[tuple[str, ...]]]:
        """Exceptions are rebuilt from their arguments when they cross to another process."""
        return SettingsError, (self.problems,)


class Misfit(ValueError):  # noqa: N818 - named like IllegalMove
    """A value does not fit; the message says why, after the place where it was given."""


class Kind(NamedTuple):
    """A kind of value: how it is read from a text or a file, and what it must be."""

    read: Callable[[object], Any]  # Misfit, ValueError or TypeError for what does not fit
    expected: str
    metavar: str


# -- the kinds of values ---------------------------------------------------------------------------


def text(expected: str, metavar: str = "TEXT") -> Kind:
    """Any text; an empty one is none."""

    def read(value: object) -> str:
        if not isinstance(value, str):
            raise TypeError
        return value.strip()

    return Kind(read, expected, metavar)


def site(expected: str) -> Kind:
    """The beginning of all addresses of a site, as browsers write it."""

    def read(value: object) -> str:
        if not isinstance(value, str):
            raise TypeError
        return value.strip().rstrip("/").lower()

    return Kind(read, expected, "URL")


def choice(*names: str) -> Kind:
    """One of a few words."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value.strip().lower() not in names:
            raise ValueError
        return value.strip().lower()

    return Kind(read, f"one of {', '.join(names)}", "|".join(names))


def whole(low: int, high: int = _FOREVER) -> Kind:
    """A whole number."""

    def read(value: object) -> int:
        if isinstance(value, bool | float) or not low <= (number := int(str(value))) <= high:
            raise ValueError
        return number

    limits = f"from {low} to {high}" if high < _FOREVER else f"of at least {low}"
    return Kind(read, f"a whole number {limits}", "NUMBER")


def seconds(low: float, high: float) -> Kind:
    """A time in seconds."""

    def read(value: object) -> float:
        if isinstance(value, bool) or not low <= (number := float(str(value))) <= high:
            raise ValueError
        return number

    return Kind(read, f"seconds, from {low:g} to {high:.0f}", "SECONDS")


def folder() -> Kind:
    """A folder; an empty text is none."""

    def read(value: object) -> Path | None:
        if not isinstance(value, str | Path):
            raise TypeError
        return Path(value).expanduser() if str(value).strip() else None

    return Kind(read, "the path of a folder", "FOLDER")


def networks() -> Kind:
    """Addresses and networks, with commas between or as a list."""

    def read(value: object) -> tuple[str, ...]:
        if isinstance(value, str):
            value = value.split(",")
        if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value):
            raise TypeError
        found = tuple(v.strip() for v in value if v.strip())
        for network in found:
            ip_network(network, strict=False)
        return found

    return Kind(read, "addresses or networks such as 127.0.0.1 or 10.0.0.0/8", "ADDRESSES")


_HOST = re.compile(r"(?:\*\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*(?::[1-9][0-9]{0,4})?")


def hosts() -> Kind:
    """Names of hosts, with commas between or as a list."""

    def read(value: object) -> tuple[str, ...]:
        if isinstance(value, str):
            value = value.split(",")
        if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value):
            raise TypeError
        found = tuple(v.strip().lower() for v in value if v.strip())
        if not all(_HOST.fullmatch(name) for name in found):
            raise ValueError
        return found

    return Kind(read, "names of hosts such as push.example.org or *.example.org", "HOSTS")


_BOT_NAME = re.compile(r"[^\W_](?:[^\W_]|[ -](?=[^\W_])){0,23}")


def named_bots() -> Kind:
    """Bots by the names they are offered with: a table, or `name=bot` with commas between."""

    def read(value: object) -> dict[str, str]:
        if isinstance(value, str):
            pairs = _pairs(value.strip())
        elif isinstance(value, dict) and all(isinstance(v, str) for v in value.values()):
            pairs = list(value.items())
        else:
            raise TypeError
        found: dict[str, str] = {}
        for name, text in pairs:
            if name.strip() in found:
                raise Misfit(f"{name.strip()!r} is there twice: name each bot once.")
            found[name.strip()] = text.strip()
        if not all(_BOT_NAME.fullmatch(name) and text for name, text in found.items()):
            raise ValueError
        return found

    expected = (
        "bots by names of up to 24 letters, digits, spaces and hyphens, as in "
        'mine = "python3 /srv/bots/mine.py"'
    )
    return Kind(read, expected, "NAME=BOT,…")


def _pairs(text: str) -> list[tuple[str, str]]:
    """The parts of `name=bot, name=bot`."""
    if len(text.splitlines()) > 1:
        raise Misfit("it has a line break: write all bots in one line, with commas between.")
    try:
        [parts] = csv.reader([text], skipinitialspace=True) if text else [[]]
    except csv.Error as error:
        raise Misfit(f"it cannot be read: {error}.") from None
    found = []
    for part in parts:
        name, equals, bot = part.partition("=")
        if part.strip() and not equals:
            raise ValueError
        if part.strip():
            found.append((name, bot))
    return found


# -- the settings ----------------------------------------------------------------------------------


class Knob(NamedTuple):
    """All about one setting."""

    name: str
    kind: Kind
    doc: str
    default: str  # in words
    group: str
    hidden: bool

    @property
    def variable(self) -> str:
        """Its name in the environment: MACAZ_BOT_WORKERS."""
        return PREFIX + self.name.upper()

    @property
    def flag(self) -> str:
        """Its option: --bot-workers."""
        return "--" + self.name.replace("_", "-")


def _knob(
    kind: Kind,
    default: Any,
    doc: str,
    *,
    words: str | None = None,
    hidden: bool = False,
) -> Any:
    """A setting with its default; `words` tell a default that is worked out when it is needed."""
    about = {"kind": kind, "doc": doc, "words": words, "hidden": hidden}
    if callable(default):
        return field(default_factory=default, metadata=about)
    return field(default=default, metadata=about)


def _days(default: int, doc: str) -> Any:
    """A time to keep something."""
    return _knob(whole(0, _LONGEST_DAYS), default, f"{doc} 0: never.")


def _default_database() -> str:
    from macaz.server.store.place import default_database

    return default_database()


def _cores_to_think() -> int:
    return max(1, core_count() - 1)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Settings:
    """How a server is set up. It shows no secret when it is printed."""

    host: str = _knob(text("an address to listen at"), "127.0.0.1", "The address to listen at.")
    port: int = _knob(
        whole(0, 65535), DEFAULT_PORT, "The port to listen at; 0 for any that is free."
    )
    origin: str = _knob(
        site("an address such as https://play.example.org"),
        "",
        "The address that people type, as in https://play.example.org. With https, cookies are "
        "sent over https only.",
        words="the address listened at",
    )
    trusted_proxies: tuple[str, ...] = _knob(
        networks(),
        (),
        "The proxies in front, whose word about a caller's address is believed.",
    )

    database: str = _knob(
        text("the address of a database", "URL"),
        _default_database,
        "Where the games are kept: sqlite:///path/to/file or postgresql://user:password@host/name.",
        words="a SQLite file in your data folder",
    )
    redis: str = _knob(
        text("the address of a Redis", "URL"),
        "",
        "What carries the events between several nodes: redis://:password@host:6379/0.",
    )
    secret: str = _knob(
        text(f"{SECRET_LENGTH} signs or more"),
        "",
        f"The server's own key, at least {SECRET_LENGTH} signs: by it cookies of versions before "
        "stored sessions are recognised, and addresses are hashed. Other users of the machine can "
        "see a command line: better write it in the environment or the file.",
        words="made once, and kept in the database",
        hidden=True,
    )

    editions: Path | None = _knob(  # noqa: RUF009 - it is a field, as the others
        folder(), None, "A folder with maps of your own, *.toml."
    )
    bots: dict[str, str] = _knob(  # noqa: RUF009 - likewise
        named_bots(),
        dict,
        "Bots of your own that tables may use, each with the name that players see: a class, as in "
        "/srv/bots/mine.py:MyBot, or a program, as in python3 /srv/bots/mine.py. In the file this "
        "is the table [bots].",
        words="none",
    )
    stand_in: str = _knob(
        text("the name of a bot", "BOT"),
        "greedy",
        "The bot that plays for who has left, where the table chooses none.",
    )
    bot_workers: int = _knob(
        whole(1, 1024),
        _cores_to_think,
        "How many long questions (slow bots, hints, reviews) are answered at the same time, "
        "besides one short and one quick one.",
        words="the cores less one",
    )
    bot_limit: float = _knob(seconds(0.01, 600), 10.0, "How long a bot may think about a move.")
    bot_pace: float = _knob(
        seconds(0, 60), 0.6, "How long a bot waits before its move, so that people can follow."
    )
    patience: float = _knob(
        seconds(0, 30 * _DAY),
        300.0,
        "How long a table without a clock waits for a seat before the others may call a stand-in.",
    )
    absence: float = _knob(
        seconds(0, 30 * _DAY),
        120.0,
        "How long a person must be away from a table without a clock that waits for them, before "
        "the others are asked whether a bot should play on.",
    )
    nonce_wait: float = _knob(
        seconds(0, 60),
        5.0,
        "How long a full table waits for the nonces that its players add to the deal.",
    )
    unload_after: float = _knob(
        seconds(0, _DAY), 300.0, "How long a table that is not in use stays in memory."
    )
    drain: float = _knob(
        seconds(0, 600),
        10.0,
        "How long a stop (SIGTERM, Ctrl-C) waits for requests and tasks under way.",
    )

    keep_abandoned_days: int = _days(
        180,
        "Tables that wait or run are deleted after so many days in which they were not opened.",
    )
    keep_closed_days: int = _days(30, "Closed tables are deleted after so many days.")
    keep_bot_games_days: int = _days(
        365,
        "Finished games with one person or none are deleted after so many days in which they were "
        "not opened.",
    )
    keep_finished_days: int = _days(
        0,
        "Finished games with two people or more are deleted after so many days in which they were "
        "not opened.",
    )
    keep_guests_days: int = _days(
        400, "Guests without games who were not here are forgotten after so many days."
    )

    push: str = _knob(
        choice("on", "off"),
        "on",
        "Whether people can be told of their turn while the page is closed (Web Push). It needs "
        "the extra 'push' and, as browsers demand, an origin with https.",
    )
    push_hosts: tuple[str, ...] = _knob(
        hosts(),
        KNOWN_PUSH_HOSTS,
        "The push services that notices are sent to, with a port if it is not 443; *. stands for "
        "any names before. Addresses that are not public are never connected to.",
        words="those of Chrome, Edge, Firefox and Safari",
    )
    push_contact: str = _knob(
        text("mailto:name@example.org or https://example.org", "URL"),
        "",
        "Where the operators of a push service can reach you: mailto:… or https://….",
        words="the origin, if it has https",
    )
    push_key: str = _knob(
        text("a private key of the curve P-256, 32 bytes in URL-safe Base64"),
        "",
        "The key by which push services recognise the server. After a change, a browser is told "
        "again when its person has opened the page.",
        words="made once, and kept in the database",
        hidden=True,
    )

    log_format: str = _knob(choice("text", "json"), "text", "How the log is written.")
    log_level: str = _knob(
        choice("debug", "info", "warning", "error"), "info", "The least that is logged."
    )
    log_callers: str = _knob(
        choice("on", "off"),
        "on",
        "Whether the log of requests has the id of the person and the shortened address (the first "
        "24 bits of IPv4, 48 of IPv6).",
    )
    metrics: str = _knob(
        choice("off", "local", "all"), "local", "Who may read /metrics; local: only this machine."
    )

    body_bytes: int = _knob(
        whole(1024), 64 * 1024, "The longest body of a request; of one that sends a game, 1 MiB."
    )
    message_bytes: int = _knob(whole(1024), 16 * 1024, "The longest message through a socket.")
    sockets: int = _knob(whole(1), 10_000, "The most sockets open in all.")
    sockets_per_address: int = _knob(whole(1), 100, "The most sockets open from one address.")
    sockets_per_person: int = _knob(whole(1), 20, "The most sockets open for one person.")
    messages_per_second: int = _knob(
        whole(1), 50, "The most messages in a second from one person, through all sockets."
    )
    requests_per_minute: int = _knob(
        whole(1), 600, "The most requests in a minute from one address, and from one person."
    )
    people_per_hour: int = _knob(whole(1), 60, "The most new people in an hour from one address.")
    tables_per_person: int = _knob(whole(1), 20, "The most open tables that one person has made.")
    tables_per_person_a_day: int = _knob(
        whole(0), 100, "The most tables that one person makes within 24 hours; 0: any number."
    )
    tables_per_address_a_day: int = _knob(
        whole(0),
        500,
        "The most tables that are made from one address within 24 hours; 0: any number. For so "
        "long a keyed hash of the address is kept.",
    )
    games_per_guest: int = _knob(
        whole(0),
        1000,
        "The most games that are kept for one guest who made them, the finished ones included; "
        "0: any number.",
    )
    hints_per_address: int = _knob(
        whole(1), 4, "The most hints that are worked out at the same time for one address."
    )
    reactions_per_minute: int = _knob(
        whole(1), 20, "The most reactions in a minute from one person."
    )

    # Not for a host to set, who has an origin: `macaz play --lan` does.
    lan: bool = False

    def __repr__(self) -> str:
        """All settings, without what is secret."""
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in shown(self).items())})"

    @property
    def local(self) -> bool:
        """Whether only this machine reaches the server."""
        return is_loopback(self.host)

    @property
    def secure(self) -> bool:
        """Whether people come by https, so that cookies may demand it."""
        return urlsplit(self.origin).scheme == "https"


# The first setting of each group, in the order of the class.
_GROUPS = {
    "host": "Address",
    "database": "Storage",
    "editions": "Play",
    "keep_abandoned_days": "Keeping",
    "push": "Notices",
    "log_format": "Watching",
    "body_bytes": "Limits",
}


def _knobs() -> dict[str, Knob]:
    knobs, group = {}, ""
    for item in fields(Settings):
        group = _GROUPS.get(item.name, group)
        about = item.metadata
        if not about:
            continue
        words = about["words"]
        if words is None:
            short = f"{item.default:g}" if isinstance(item.default, float) else str(item.default)
            words = "none" if item.default in ("", (), None) else short
        knobs[item.name] = Knob(
            item.name, about["kind"], about["doc"], words, group, about["hidden"]
        )
    return knobs


KNOBS: dict[str, Knob] = _knobs()


def shown(settings: Settings) -> dict[str, Any]:
    """The settings as they may be printed or logged."""
    return {name: fit_to_show(name, getattr(settings, name)) for name in KNOBS}


def fit_to_show(name: str, value: Any) -> Any:
    """A value as it may be shown: no secret, no password within an address."""
    if KNOBS[name].hidden and value:
        return HIDDEN
    return without_password(value) if isinstance(value, str) else value
