"""Puts the server together, and runs it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import secrets
import signal
import socket as sockets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from copy import copy
from functools import cache, partial
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from litestar import Litestar, MediaType, Request, Response, WebSocket, get, websocket
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.exceptions import HTTPException, WebSocketDisconnect
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from macaz import __version__
from macaz.bots import bot_or_command
from macaz.errors import MacazError
from macaz.kernel.compile import kernel
from macaz.server import logs, page, wire
from macaz.server.bots import Thinkers
from macaz.server.bus import Bus, MemoryBus, RedisBus
from macaz.server.clock import Clock
from macaz.server.data_routes import ServedData, data_file, data_index
from macaz.server.editions import Catalog
from macaz.server.http import api
from macaz.server.limits import CachedAnswer, ConnectionLimit, RateLimit, address_digest, network
from macaz.server.logs import AccessLog, name_caller
from macaz.server.metrics import CONTENT_TYPE, Metrics, WatchThinking
from macaz.server.middleware import STATUS, SecurityMiddleware, problem, refuse, retry_header
from macaz.server.node import Node
from macaz.server.page import page_routes, the_page, wants_page
from macaz.server.people import People
from macaz.server.quick import QuickPlay
from macaz.server.refusal import Refusal
from macaz.server.request_limits import HttpConnections, RequestLimits
from macaz.server.settings import Settings
from macaz.server.socket import Connection
from macaz.server.store.place import file_of, read_url
from macaz.server.store.store import Store
from macaz.server.store.trouble import Unavailable

log = logging.getLogger("macaz.app")

PING_SECONDS = 15.0  # between two pings of a socket
PONG_SECONDS = 10.0  # for the answer to a ping: a person whose network is gone counts as away
READY_SECONDS = 1.0  # for which the result of a write check is kept
NOTICE_SECONDS = 1.0  # for which a stopping server still answers that it is stopping
SIGNING_KEY = "signing-key"
LOCAL = ("127.0.0.1", "::1")
SIGNALS = (signal.SIGINT, signal.SIGTERM)


# -- for the host ----------------------------------------------------------------------------------


@get("/healthz", include_in_schema=False, media_type=MediaType.TEXT)
async def healthz() -> str:
    """Whether the process runs."""
    return "ok"


@get("/readyz", include_in_schema=False, media_type=MediaType.TEXT)
async def readyz(state: State) -> Response[str]:
    """Whether it can serve: moves can be written, Redis answers, and it is not stopping."""
    node: Node = state.node
    if node.draining:
        return Response("closing", status_code=503)
    if not await state.database.ask():
        return Response("nothing can be written to the database", status_code=503)
    if not node.bus.connected:
        return Response("Redis does not answer; tables go on, other nodes' news come late")
    return Response("ready")


@get("/metrics", include_in_schema=False)
async def metrics(request: Request[Any, Any, State], state: State) -> Response[bytes]:
    """What Prometheus reads."""
    node: Node = state.node
    local = request.client is not None and request.client.host in LOCAL
    allowed = node.settings.metrics == "all" or (node.settings.metrics == "local" and local)
    if not allowed:
        raise Refusal("not-found", "There is nothing here.")
    return Response(node.metrics.text(), media_type=CONTENT_TYPE)


# -- the socket ------------------------------------------------------------------------------------


@websocket("/api/v1/socket")
async def socket(socket: WebSocket[Any, Any, State]) -> None:
    """One connection to one table: see docs/protocol.md."""
    state = socket.app.state
    node: Node = state.node
    people: People = state.people
    address = network(socket.client.host if socket.client else "?")
    with contextlib.ExitStack() as places:
        try:
            if node.draining:
                raise Refusal("closing", "This server is going down. Connect again.")
            identity = await people.identify(socket.headers)
            if identity is None:
                raise Refusal("unknown-person", "No person has that cookie or token.")
            name_caller(socket.scope, identity.person.id)
            places.enter_context(state.by_address.one(address))
            places.enter_context(state.by_person.one(identity.person.id))
        except Refusal as refusal:
            await refuse(socket.scope, socket.send, refusal, node.metrics)
            return
        await socket.accept()
        node.metrics.sockets.inc()
        try:
            await _converse(node, socket, Connection(node, socket, identity))
        finally:
            node.metrics.sockets.dec()


async def _converse(node: Node, socket: WebSocket[Any, Any, State], connection: Connection) -> None:
    """Receive and send until either side closes."""

    async def listen() -> None:
        with contextlib.suppress(WebSocketDisconnect, UnicodeDecodeError):
            # A session that ended before this connection was registered has not closed it.
            await node.recheck([connection])
            while True:
                await connection.hear(await socket.receive_data(mode="text"))

    node.connections.add(connection)
    speaking = asyncio.create_task(connection.deliver())
    listening = asyncio.create_task(listen())
    connection.on_cut(speaking.cancel)
    try:
        await asyncio.wait({speaking, listening}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        node.connections.remove(connection)
        connection.leave()
        speaking.cancel()
        listening.cancel()
        # Most connections end because the client is gone, with an error of `speaking`.
        _, failed = await asyncio.gather(speaking, listening, return_exceptions=True)
        if isinstance(failed, Exception):
            log.error("a socket failed", exc_info=failed)


# -- errors ----------------------------------------------------------------------------------------

_CODES: dict[int, wire.Code] = {
    400: "bad-message",
    401: "unknown-person",
    403: "not-allowed",
    404: "not-found",
    405: "not-found",
    413: "too-large",
    429: "too-fast",
}


def _refused(connection: ASGIConnection[Any, Any, Any, Any], refusal: Refusal) -> Response[Any]:
    connection.app.state.node.metrics.refusals.labels(refusal.code).inc()
    headers = {name.decode(): value.decode() for name, value in retry_header(refusal)}
    return Response(problem(refusal), status_code=STATUS[refusal.code], headers=headers)


def on_refusal(request: Request[Any, Any, Any], error: Refusal) -> Response[Any]:
    return _refused(request, error)


def on_unavailable(request: Request[Any, Any, Any], _: Unavailable) -> Response[Any]:
    return _refused(request, Refusal("storage", "That cannot be done now. Try again."))


def on_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """Errors of Litestar itself."""
    if error.status_code == 404 and wants_page(request):
        return the_page(request, status=404)
    code = _CODES.get(error.status_code, "bad-message" if error.status_code < 500 else "failed")
    said = error.detail or "That cannot be done."
    status = error.status_code
    details = [d for d in getattr(error, "extra", None) or () if isinstance(d, dict)]
    if any(detail.get("key") not in (None, "data") for detail in details):
        # It can be parsed, but a value in it is not valid.
        code, status = "bad-value", STATUS["bad-value"]
        said = "; ".join(f"{d.get('key')}: {d.get('message')}" for d in details)
    response = _refused(request, Refusal(code, said))
    if status < 500:
        response.status_code = status
    if error.headers:
        response.headers.update(error.headers)
    return response


def on_unreadable(request: Request[Any, Any, Any], _: Exception) -> Response[Any]:
    """A body that cannot be parsed: nested too deeply, or not UTF-8."""
    return _refused(request, Refusal("bad-message", "That is no JSON that can be read."))


def on_failure(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """A bug."""
    log.error("a request failed", exc_info=error)
    return _refused(request, Refusal("failed", "Something went wrong here. It was written down."))


# -- together --------------------------------------------------------------------------------------


@asynccontextmanager
async def application(settings: Settings, clock: Clock | None = None) -> AsyncIterator[Any]:
    """The ASGI application and its services, which are closed at the end of the context.

    Raises `MacazError` if a service cannot be started.
    """
    clock, counted = clock or Clock(), Metrics()
    if (file := file_of(read_url(settings.database))) is not None:
        counted.watch_disk(file)
    editions = Catalog(settings.editions)
    bus = _bus(settings, counted)
    store = await asyncio.to_thread(
        Store.open, settings.database, clock=clock.now, committed=counted.committed
    )
    thinkers = Thinkers(
        workers=settings.bot_workers,
        limit=settings.bot_limit,
        watch=WatchThinking(counted),
        extra={name: bot_or_command(text) for name, text in settings.bots.items()},
    )
    node = Node(settings, store, bus, thinkers, counted, clock, editions)
    try:
        key = settings.secret or await store.settings.get(SIGNING_KEY, _new_key)
        app = _app(node, People(store, key, clock, secure=settings.secure), key)
        await asyncio.to_thread(kernel)  # so that the first table need not load the rules
        await node.start()
        yield app
    finally:
        await node.stop()
        await store.close()


def _bus(settings: Settings, counted: Metrics) -> Bus:
    if not settings.redis:
        return MemoryBus()
    return RedisBus(
        settings.redis,
        on_drop=counted.bus_dropped.inc,
        on_disconnect=counted.bus_disconnects.inc,
    )


def _new_key() -> str:
    return secrets.token_urlsafe(32)


def _app(node: Node, people: People, key: str) -> Any:
    settings = node.settings
    inner = copy(_routes(settings.body_bytes, page.page_folder()))
    inner.state = State(
        {
            "node": node,
            "people": people,
            "data": ServedData(node.editions),
            "address_digest": partial(address_digest, key),
            "quick": QuickPlay(node),
            "newcomers": RateLimit(settings.people_per_hour, 3600),
            "by_address": ConnectionLimit(settings.sockets_per_address, settings.sockets),
            "by_person": ConnectionLimit(settings.sockets_per_person),
            "database": CachedAnswer(WriteCheck(node.store), READY_SECONDS),
        }
    )
    return AccessLog(
        SecurityMiddleware(inner, settings, node.metrics),
        tell=node.metrics.requested,
        callers=settings.log_callers == "on",
    )


@cache
def _routes(body_bytes: int, folder: Path) -> Litestar:
    """All routes. Servers of one process share them: each has a copy with a state of its own.

    Litestar looks the state up in the application that was called, which is the copy.
    """
    return Litestar(
        route_handlers=[
            api,
            socket,
            healthz,
            readyz,
            metrics,
            data_index,
            data_file,
            *page_routes(folder),
        ],
        request_max_body_size=body_bytes,
        openapi_config=OpenAPIConfig(
            title="Macaz",
            version=__version__,
            description="Tables of railway games. The socket is described in docs/protocol.md.",
            path="/api/v1/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            use_handler_docstrings=True,
        ),
        exception_handlers={
            Refusal: on_refusal,
            Unavailable: on_unavailable,
            HTTPException: on_http_error,
            RecursionError: on_unreadable,
            UnicodeDecodeError: on_unreadable,
            Exception: on_failure,
        },
        logging_config=None,
    )


class WriteCheck:
    """Whether the database can be written to. The log has a line when that changes.

    The reason is only in the log: it may name files of the host.
    """

    def __init__(self, store: Store) -> None:
        self._store, self._was = store, True

    async def __call__(self) -> bool:
        """Write to the database, and return whether it was committed."""
        reason = ""
        try:
            await self._store.ping()
        except Unavailable as error:
            reason = str(error)
        if self._was and reason:
            log.error("nothing can be written", extra={"reason": reason})
        elif not self._was and not reason:
            log.warning("the database can be written again")
        self._was = not reason
        return self._was


class _Server(uvicorn.Server):
    """uvicorn's server, which reports its address and drains the node when it stops."""

    def __init__(self, config: uvicorn.Config, node: Node, ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self._node, self._ready = node, ready

    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        """Listen, then report the address."""
        await super().startup(sockets)
        if self.started and not self.should_exit:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
            log.info("listening", extra={"address": address})
            self._ready(address)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; a second signal stops at once."""
        super().handle_exit(sig, frame)
        self._node.drain(0 if self.force_exit else None)

    async def shutdown(self, sockets: list[sockets.socket] | None = None) -> None:
        """Refuse new requests for `NOTICE_SECONDS`, then let the others finish."""
        self._node.drain()
        loop = asyncio.get_running_loop()
        until = loop.time() + min(NOTICE_SECONDS, self._node.time_left / 2)
        while self.server_state.connections and not self.force_exit and loop.time() < until:
            await asyncio.sleep(0.02)
        # Typed for whole seconds, but only ever waited for.
        self.config.timeout_graceful_shutdown = max(0.1, self._node.time_left)  # type: ignore[assignment]
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at SIGINT and SIGTERM, and do not raise them again afterwards."""
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def server_config(settings: Settings, app: Any) -> uvicorn.Config:
    """The configuration of uvicorn."""
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=partial(RequestLimits, connections=HttpConnections(settings)),  # type: ignore[arg-type]
        ws="websockets-sansio",
        # Beyond four times the limit a message is not even read to its end.
        ws_max_size=4 * settings.message_bytes,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        ws_per_message_deflate=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_graceful_shutdown=max(1, round(settings.drain)),
        server_header=False,
        log_config=None,
        access_log=False,
        lifespan="off",
    )


def run(settings: Settings, *, ready: Callable[[str], None]) -> None:
    """Serve until a signal to stop; `ready` is called with the address."""
    logs.configure(settings.log_format, settings.log_level, hide=[settings.secret])
    _prepare_process()

    async def serve() -> None:
        async with application(settings) as app:
            node = node_of(app)
            server = _Server(server_config(settings, app), node, ready)
            await server.serve(sockets=[_listen(settings)])

    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(serve())


def _listen(settings: Settings) -> sockets.socket:
    """The listening socket; `MacazError` if the address cannot be bound."""
    try:
        kind = sockets.AF_INET6 if ":" in settings.host else sockets.AF_INET
        made = sockets.create_server((settings.host, settings.port), family=kind, backlog=2048)
    except OSError as error:
        reason = error.strerror or str(error)
        raise MacazError(
            f"cannot listen at {settings.host}, port {settings.port}: {reason}. "
            "Choose another with --port or --host."
        ) from error
    if hasattr(sockets, "TCP_USER_TIMEOUT"):
        # Disconnects a client that no longer reads, which pings alone do not achieve.
        made.setsockopt(
            sockets.IPPROTO_TCP, sockets.TCP_USER_TIMEOUT, int((PING_SECONDS + PONG_SECONDS) * 1000)
        )
    return made


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop, where it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def node_of(app: Any) -> Node:
    """The node of an application that `application` made."""
    node: Node = app.app.app.state.node
    return node


def _prepare_process() -> None:
    """Raise the limit of open files, and avoid long pauses of the garbage collector.

    What is in memory before the first table stays there, so it is frozen; and cycles among all
    tables are looked for less often.
    """
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 1000)
