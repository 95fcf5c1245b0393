"""The log of a server: one line an event, readable or JSON, with the id of the request.

A message is a few fixed words; the rest is given as `extra`:
`log.info("table loaded", extra={"table": name, "ms": 3.2})`. Nothing is written that `redact`
would hide, not even by a library.
"""

from __future__ import annotations

import json
import logging
import secrets
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

from macaz.server.limits import shortened
from macaz.server.redact import HIDDEN, redact

Asgi = Callable[[Any, Any, Any], Awaitable[None]]

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request or the socket that is being served; "" outside of one."""

access = logging.getLogger("macaz.access")

# What every record has; all else was given as `extra`.
_USUAL = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
# Requested every few seconds by monitoring.
_QUIET = ("/healthz", "/readyz", "/metrics")
NO_ROUTE = "(none)"
_PERSON = "macaz.person"  # the key of the person's id in an ASGI scope
# A caller's path may be long, and a traceback may hold what a caller sent.
_LONGEST, _LONGEST_PATH, _LONGEST_ERROR = 4_000, 300, 40_000


def configure(
    format: str,  # noqa: A002 - as the setting is called
    level: str,
    *,
    hide: Iterable[str] = (),
    stream: TextIO | None = None,
) -> None:
    """Send all logs of this process, uvicorn's included, to one place in one form.

    `hide` are values that no line may show, such as the key that signs the cookies.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    hidden = sorted(filter(None, hide), key=len, reverse=True)
    handler.setFormatter(JsonLines(hidden) if format == "json" else TextLines(hidden))
    logging.root.handlers[:] = [handler]
    # At "info", other libraries log only warnings.
    logging.root.setLevel("WARNING" if level == "info" else level.upper())
    logging.getLogger("macaz").setLevel(level.upper())
    logging.captureWarnings(capture=True)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.setLevel(logging.INFO if level == "debug" else logging.NOTSET)  # it logs messages
        logger.propagate = True
    logging.getLogger("uvicorn.error").addFilter(_no_noise)
    # Its lines have the query string and no id; `AccessLog` writes better ones.
    logging.getLogger("uvicorn.access").propagate = False


def _no_noise(record: logging.LogRecord) -> bool:
    """Filter out uvicorn's line about a socket that was refused on purpose."""
    return "without completing handshake" not in record.getMessage()


class _Lines(logging.Formatter):
    """What both formats share: the fields of a record, with secrets removed."""

    def __init__(self, hide: Iterable[str]) -> None:
        super().__init__()
        self.hide = tuple(hide)

    def clean(self, text: str) -> str:
        for value in self.hide:
            text = text.replace(value, HIDDEN)
        return redact(text)

    def message(self, record: logging.LogRecord) -> str:
        return self.clean(_short(record.getMessage(), _LONGEST))

    def facts(self, record: logging.LogRecord) -> dict[str, Any]:
        found = {"request": request_id.get()} if request_id.get() else {}
        for name, value in vars(record).items():
            if name not in _USUAL:
                plain = isinstance(value, int | float | bool | None)
                found[name] = value if plain else self._fact(name, str(value))
        return found

    def _fact(self, name: str, text: str) -> str:
        """A value as text, hidden if its name says that it is a secret."""
        secret = HIDDEN in redact(f"{name}=x")
        return HIDDEN if secret else self.clean(_short(text, _LONGEST))

    def error(self, record: logging.LogRecord) -> str:
        parts = [self.formatException(record.exc_info)] if record.exc_info else []
        if record.stack_info:
            parts.append(record.stack_info)
        return self.clean("\n".join(parts)[-_LONGEST_ERROR:])

    def when(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class JsonLines(_Lines):
    """One JSON object a line, for machines."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        line = {
            "time": self.when(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.message(record),
        }
        line |= {name: fact for name, fact in self.facts(record).items() if name not in line}
        if error := self.error(record):
            line["error"] = error
        return json.dumps(line, ensure_ascii=False)


class TextLines(_Lines):
    """One line an event, for people: time, level, message, and name=value for the rest."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line, with the traceback of an error below it."""
        facts = " ".join(f"{name}={_word(fact)}" for name, fact in self.facts(record).items())
        what = _one_line(self.message(record))
        line = f"{self.when(record)} {record.levelname.lower():7} {what} {facts}".rstrip()
        error = self.error(record)
        return f"{line}\n{error}" if error else line


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _one_line(text: str) -> str:
    """Escape line breaks and control characters, so that no client can forge a line."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _word(fact: object) -> str:
    text = _one_line(str(fact))
    return json.dumps(text, ensure_ascii=False) if not text or " " in text else text


# -- a line for every request ----------------------------------------------------------------------


class AccessLog:
    """ASGI middleware, the outermost: an id for every request, and a line when it has ended.

    The id goes back as `X-Request-Id`. `tell` is called with the route's template, never the
    path, and the status. A socket's status is 101, or what it was refused with. With `callers` a
    line has the person's id, where `name_caller` gave it, and the shortened address.
    """

    def __init__(
        self,
        app: Asgi,
        tell: Callable[[str, int], None] | None = None,
        *,
        callers: bool = True,
    ) -> None:
        self.app, self.tell, self.callers = app, tell, callers

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one request or one socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        mine = secrets.token_hex(8)
        request_id.set(mine)  # never reset: the request's task may still log an error
        method = scope["method"] if scope["type"] == "http" else "SOCKET"
        path = _short(scope["path"], _LONGEST_PATH)  # read now, as routing may change it
        began = time.perf_counter()
        # For an application that sends no response.
        status = 403 if scope["type"] == "websocket" else 500

        async def note(message: dict[str, Any]) -> None:
            nonlocal status
            kind = message["type"]
            if kind in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
            elif kind == "websocket.accept":
                status = 101
            if kind.endswith("http.response.start") or kind == "websocket.accept":
                headers = [*message.get("headers", ()), (b"x-request-id", mine.encode())]
                message = {**message, "headers": headers}
            await send(message)

        try:
            await self.app(scope, receive, note)
        finally:
            ms = round((time.perf_counter() - began) * 1000, 2)
            level = logging.DEBUG if path in _QUIET and status < 500 else logging.INFO
            facts = {"method": method, "path": path, "status": status, "ms": ms}
            if self.callers:
                facts |= _caller(scope)
            access.log(level, "request", extra=facts)
            if self.tell is not None:
                self.tell(scope.get("path_template") or NO_ROUTE, status)


def name_caller(scope: Any, person: str) -> None:
    """Tell the access log which person a request or a socket came from."""
    scope[_PERSON] = person


def _caller(scope: Any) -> dict[str, str]:
    found = {"person": scope[_PERSON]} if _PERSON in scope else {}
    if scope.get("client"):
        found["address"] = shortened(scope["client"][0])
    return found
