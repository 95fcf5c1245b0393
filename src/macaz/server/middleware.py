"""ASGI middleware that every request and every socket passes first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from macaz.server import wire
from macaz.server.lan import own_names
from macaz.server.limits import RateLimit, network
from macaz.server.logs import request_id
from macaz.server.refusal import Refusal

if TYPE_CHECKING:
    from macaz.server.metrics import Metrics
    from macaz.server.settings import Settings

Asgi = Callable[[Any, Any, Any], Awaitable[None]]

# For probes, which may use any host name; they change nothing and reveal nothing.
OPEN_PATHS = ("/healthz", "/readyz")
# Types that a form of any page can send without a preflight request.
FORMS = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
RETRY_SECONDS = 2  # the default of `Retry-After`
STATUS: dict[str, int] = {
    "bad-message": 400,
    "bad-value": 422,
    "bad-origin": 403,
    "unknown-person": 401,
    "not-found": 404,
    "not-allowed": 403,
    "not-now": 409,
    "not-your-turn": 409,
    "illegal": 409,
    "stale": 409,
    "taken": 409,
    "name-taken": 409,
    "too-large": 413,
    "too-fast": 429,
    "too-many": 429,
    "storage": 503,
    "closing": 503,
    "failed": 500,
}
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",  # the kernel: WebAssembly, but no eval
        "style-src 'self'",
        "img-src 'self' blob:",  # blob: the final picture of a game is drawn in the page
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"x-frame-options", b"DENY"),
)


class SecurityMiddleware:
    """Checks host, origin and rate of a request, and adds security headers to the response."""

    def __init__(self, app: Asgi, settings: Settings, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics
        self.rate = RateLimit(settings.requests_per_minute, 60)
        self.secure = settings.secure
        self.origin = settings.origin.rstrip("/").lower()
        self.hosts, self.lan = _hosts(settings), settings.lan
        self.open_paths = (*OPEN_PATHS, *(["/metrics"] if settings.metrics == "all" else []))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        extra = list(HEADERS)
        if self.secure:
            extra.append((b"strict-transport-security", b"max-age=31536000"))
        if scope["path"].startswith("/api/"):
            extra.append((b"cache-control", b"no-store"))

        opened = scope["type"] == "http"

        async def send_with_headers(message: dict[str, Any]) -> None:
            nonlocal opened
            if message["type"] == "websocket.close" and not opened:
                # Litestar closes where there is no such route, or where a handler failed.
                await refuse(scope, send_with_headers, _unopened(scope), self.metrics)
                return
            opened = opened or message["type"] == "websocket.accept"
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                given = {name for name, _ in message.get("headers", ())}
                added = [pair for pair in extra if pair[0] not in given]
                message = {**message, "headers": [*message.get("headers", ()), *added]}
            await send(message)

        try:
            self.check(scope, headers)
        except Refusal as refusal:
            await refuse(scope, send_with_headers, refusal, self.metrics)
            return
        await self.app(scope, receive, send_with_headers)

    def check(self, scope: Any, headers: dict[str, str]) -> None:
        """Raise `Refusal` for a request that neither the page nor a program with a token sends."""
        if scope["path"] in self.open_paths:
            return
        # The files of the page are many and cheap, and browsers cache them.
        if not scope["path"].startswith(("/assets/", "/data/")):
            self.rate.ask(network((scope.get("client") or ("?",))[0]))
        if "\0" in scope["path"]:
            raise Refusal("not-found", "There is nothing here.")
        host = headers.get("host", "")
        # DNS rebinding: a page of another name that resolves to this server sends that name.
        if not self._is_own(_hostname(host)):
            raise Refusal("bad-origin", "This server is not known by that name.")
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        # A cookie is sent for any page that asks (CSRF); a token only on purpose.
        if changes and not headers.get("authorization", "").lower().startswith("bearer "):
            self._check_origin(headers, host)
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if changes and kind in FORMS:
            raise Refusal("bad-message", "This server reads application/json.")

    def _is_own(self, name: str) -> bool:
        # In a network the address of this machine may change; and a page that another name leads
        # to, for DNS rebinding, does not send an address.
        return name in self.hosts or (self.lan and _is_address(name))

    def _check_origin(self, headers: dict[str, str], host: str) -> None:
        origin = headers.get("origin", "").lower()
        site = headers.get("sec-fetch-site", "")
        same = origin == self.origin if self.origin else origin.partition("//")[2] == host.lower()
        if site in ("cross-site", "same-site") or (origin and not same):
            raise Refusal("bad-origin", "That came from another site's page.")


def _unopened(scope: Any) -> Refusal:
    if "path_template" in scope:
        return Refusal("failed", "Something went wrong here. It was written down.")
    return Refusal("not-found", "There is nothing here.")


def _hostname(host: str) -> str:
    """The name in a `Host` header; empty if the header is not a name, or a name and a port."""
    try:
        parts = urlsplit(f"//{host}")
        parts.port  # noqa: B018 - raises ValueError
    except ValueError:
        return ""
    return "" if "@" in host else parts.hostname or ""


def _hosts(settings: Settings) -> set[str]:
    """The host names that are accepted."""
    names = {"localhost", "127.0.0.1", "::1", settings.host.lower()}
    if settings.origin:
        names.add(urlsplit(settings.origin).hostname or "")
    return names | own_names() if settings.lan else names


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


async def refuse(scope: Any, send: Any, refusal: Refusal, metrics: Metrics) -> None:
    """Answer a request, or a socket that is not open yet, with a refusal."""
    metrics.refusals.labels(refusal.code).inc()
    kind = "http.response" if scope["type"] == "http" else "websocket.http.response"
    body = wire.encode(problem(refusal))
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *retry_header(refusal),
    ]
    start = {"type": f"{kind}.start", "status": STATUS[refusal.code], "headers": headers}
    await send(start)
    await send({"type": f"{kind}.body", "body": body})


def problem(refusal: Refusal) -> wire.Problem:
    """A refusal as the body of a response."""
    return wire.Problem(refusal.code, refusal.message, request_id.get() or None, refusal.name)


def retry_header(refusal: Refusal) -> list[tuple[bytes, bytes]]:
    """The header `Retry-After`, for the status codes that have one."""
    if STATUS[refusal.code] not in (429, 503):
        return []
    return [(b"retry-after", str(refusal.retry_after or RETRY_SECONDS).encode())]
