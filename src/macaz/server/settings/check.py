"""Whether a server can be started: everything that is missing, at once."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from urllib.parse import SplitResult, urlsplit

from macaz.errors import MacazError, MissingExtra, how_to_install
from macaz.server.redact import without_password
from macaz.server.settings import KNOBS, SECRET_LENGTH, Settings, SettingsError

MAKE_SECONDS = 60.0  # until an own class is made, on a slow and busy machine


def check(settings: Settings) -> None:
    """Raise `SettingsError`, with every problem, unless a server can be started with these."""
    if problems := problems_of(settings):
        raise SettingsError(problems)


def problems_of(settings: Settings) -> tuple[str, ...]:
    """Everything that keeps a server from being started with these."""
    return tuple(
        problem
        for judge in (
            *(_page, _address, _proxies, _database, _redis),
            *(_secret, _editions, _bots, _stand_in, _push),
        )
        for problem in judge(settings)
    )


def _page(_: Settings) -> Iterator[str]:
    from macaz.server.page import missing_page

    if problem := missing_page():
        yield problem


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # read only now, and maybe no number
    except ValueError:
        return None
    return parts


def _address(settings: Settings) -> Iterator[str]:
    if not settings.host:
        yield "host is missing: say the address to listen at, such as 127.0.0.1."
    origin = settings.origin
    if not origin and settings.host and not settings.local and not settings.lan:
        yield (
            f"origin is missing: others can reach {settings.host}, so say the address that they "
            "type, such as origin = https://play.example.org."
        )
    if not origin:
        return
    parts = _split(origin)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        yield f"origin: {without_password(origin)!r} must be like https://play.example.org."
    elif (parts.scheme, parts.port) in (("http", 80), ("https", 443)):
        yield f"origin: leave :{parts.port} out, as browsers do."
    elif parts.path or parts.query or parts.fragment or parts.username is not None:
        yield f"origin: only scheme, name and port, such as {parts.scheme}://{parts.hostname}."


def _proxies(settings: Settings) -> Iterator[str]:
    if settings.secure and not settings.trusted_proxies:
        yield (
            "trusted_proxies is missing: https is spoken by a proxy in front, and without its "
            "address here all people would look like one. Say it, such as 127.0.0.1."
        )


def _database(settings: Settings) -> Iterator[str]:
    from macaz.server.store.place import file_of, problem_with, read_url

    try:
        url = read_url(settings.database)
    except MacazError as error:
        yield f"database: {error}"
        return
    file = file_of(url)
    if file is not None and (problem := problem_with(file)):
        yield f"database: {problem}"
    if settings.redis and file is not None:
        yield (
            "database: Redis is for several nodes, and these need one PostgreSQL. "
            "Say database = postgresql://…, or leave redis out."
        )


def _redis(settings: Settings) -> Iterator[str]:
    if not settings.redis:
        return
    parts = _split(settings.redis)
    if parts is None or parts.scheme not in ("redis", "rediss", "unix"):
        yield f"redis: {without_password(settings.redis)!r} must be like redis://host:6379/0."
    elif find_spec("redis") is None:
        yield (
            "redis: Redis needs the package redis, which is not installed. Install the extra "
            f"'nodes' ({how_to_install('nodes')})."
        )


def _secret(settings: Settings) -> Iterator[str]:
    if settings.secret and len(settings.secret) < SECRET_LENGTH:
        yield (
            f"secret: {len(settings.secret)} signs are too few, {SECRET_LENGTH} the least. Make "
            "one with: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"
        )


def _editions(settings: Settings) -> Iterator[str]:
    from macaz.edition import check_edition, installed_editions, list_editions, load_edition

    if settings.editions is None:
        return
    if not settings.editions.is_dir():
        yield f"editions: there is no folder {settings.editions}."
        return
    if not os.access(settings.editions, os.R_OK | os.X_OK):
        yield f"editions: the folder {settings.editions} may not be read by this user."
        return
    taken = {one.name: f"an edition of the package {one.package}" for one in installed_editions()}
    taken |= dict.fromkeys(list_editions(), "an edition that comes with Macaz")
    for path in sorted(settings.editions.glob("*.toml")):
        problems = check_edition(path)
        yield from (f"editions: {path.name}: {problem}" for problem in problems)
        if not problems:
            name = load_edition(path).id
            if name in taken:
                yield f"editions: {path.name}: its id {name!r} is that of {taken[name]}: change it."
            taken[name] = path.name


def _bots(settings: Settings) -> Iterator[str]:
    from macaz.bots import BOTS

    taken = dict.fromkeys(BOTS, "a bot of Macaz")
    for name, text in settings.bots.items():
        if (folded := name.casefold()) in taken:
            yield f"bots: {name!r} is the name of {taken[folded]}: choose another."
        taken[folded] = "another bot here"
        if problem := _bot_problem(text):
            yield f"bots: {name}: {problem}"


def _bot_problem(text: str) -> str | None:
    """Why a bot cannot be made. An own class is made in another process, as when it plays."""
    from macaz.bots import bot_or_command, bot_problem
    from macaz.bots.own import is_own
    from macaz.workers import command_of, environment

    bot = bot_or_command(text)
    if not is_own(bot):
        return bot_problem(bot)
    try:
        done = subprocess.run(
            command_of("macaz", "bot", "run", bot),
            env=environment(without=(knob.variable for knob in KNOBS.values())),
            stdin=subprocess.DEVNULL,  # at the end of its input it ends
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=MAKE_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return (
            f"it was not made after {MAKE_SECONDS:g} seconds. Look for what its file or its "
            f"constructor waits for: macaz bot check {shlex.quote(bot)}"
        )
    if done.returncode == 0:
        return None
    return done.stderr.strip().removeprefix("macaz: ") or f"its exit status is {done.returncode}."


def _stand_in(settings: Settings) -> Iterator[str]:
    """It is a name, with a limit at most: players see it, and no own class is loaded here."""
    from macaz.bots import BOTS, bot_problem
    from macaz.edition.board import closest

    if settings.stand_in in settings.bots:
        return
    name, _, rest = settings.stand_in.partition(":")
    kind = BOTS.get(name)
    file = kind and kind.network and (rest.partition(":")[2] if kind.limit else rest)
    if kind is None or file:
        near = closest(name, (*BOTS, *settings.bots)) if kind is None else None
        hint = f" Did you mean {near!r}?" if near else ""
        yield (
            f"stand_in: {settings.stand_in!r} is no name of a bot.{hint} To use a bot of your "
            "own, offer it in [bots], and write its name here."
        )
    elif problem := bot_problem(settings.stand_in):
        yield f"stand_in: {problem}"


def _push(settings: Settings) -> Iterator[str]:
    contact = settings.push_contact
    if contact and not contact.startswith(("mailto:", "https://")):
        yield f"push_contact: {contact!r} must begin with mailto: or https://."
    if not settings.push_key:
        return
    try:
        from macaz.server.push.encrypt import Identification
    except MissingExtra as missing:
        yield f"push_key: {missing}"
        return
    try:
        Identification(settings.push_key, contact)
    except ValueError:
        yield (
            "push_key: that is no private key of the curve P-256 in URL-safe Base64. Leave it out: "
            "the server makes one."
        )
