"""The page that people see: files that `make page` builds and that travel with the package."""

from __future__ import annotations

import mimetypes
import re
from pathlib import Path
from typing import Any

from litestar import MediaType, Request, Response, Router, get
from litestar.datastructures import CacheControlHeader
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath
from litestar.static_files import create_static_files_router

from macaz.server.not_modified import COMPRESSED, etag_response

ADDRESSES = [
    *("/", "/join", "/tables/{table_id:str}", "/rules", "/rules/{edition:str}"),
    *(
        "/learn",
        "/learn/{lesson:str}",
        "/puzzles",
        "/puzzles/{puzzle:str}",
        "/analysis",
        "/shared",
        "/me",
        "/settings",
        "/about",
    ),
]
NOT_PAGES = ("/api/", "/assets/", "/data/", "/icons/")
FAVICON = "icons/icon-192.png"  # for programs that request favicon.ico without the page
NOT_BUILT = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Macaz</title>
<p>The page is missing here. Its host learns what to do from <code>macaz serve --check</code>.</p>
</html>
"""
# The name of a built file contains a hash of its content.
FOR_EVER = CacheControlHeader(public=True, max_age=31_536_000, immutable=True)

# Some systems have another type for scripts, with which browsers do not run modules.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("font/woff2", ".woff2")


def page_folder() -> Path:
    """The folder of the built page."""
    return Path(__file__).parent / "page_files"


def missing_page() -> str | None:
    """Why the page is missing, and how to get it; None if it is there."""
    if (page_folder() / "index.html").is_file():
        return None
    checkout = Path(__file__).parents[3]
    if (checkout / "web/package.json").is_file():
        return f"the page is not built. Run `make page` in {checkout}."
    return (
        "this install of Macaz has no page. Install it again from a wheel or a source "
        "distribution, which bring the page, or by `pip install .` in a checkout, which builds it."
    )


@get(
    ADDRESSES,
    include_in_schema=False,
    media_type=MediaType.HTML,
    middleware=[COMPRESSED],
    sync_to_thread=False,
)
def page(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The same page for every address; its program reads the address."""
    return the_page(request)


def the_page(request: Request[Any, Any, Any], status: int = 200) -> Response[bytes]:
    """The page. For an unknown address the page itself says so, in the reader's language."""
    try:
        html = (page_folder() / "index.html").read_bytes()
    except FileNotFoundError:
        headers = {"cache-control": "no-store"}
        return Response(NOT_BUILT, status_code=503, media_type=MediaType.HTML, headers=headers)
    # Built with relative addresses, for static sites; here it is served at deeper addresses, too.
    body = re.sub(rb'\b(href|src)="\./', rb'\1="/', html)
    return etag_response(request, body, MediaType.HTML, status=status)


def wants_page(request: Request[Any, Any, Any]) -> bool:
    """Whether a browser asks for something to show to a person."""
    html = "text/html" in request.headers.get("accept", "")
    return html and request.method == "GET" and not request.url.path.startswith(NOT_PAGES)


@get("/{name:str}", include_in_schema=False, middleware=[COMPRESSED], sync_to_thread=False)
def root_file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """A file that must be at the root, such as the service worker; never cached without a check."""
    folder = page_folder()
    here = {path.name for path in folder.iterdir() if path.is_file()} if folder.is_dir() else set()
    if name == "favicon.ico" and name not in here:
        here, name = {FAVICON}, FAVICON
    if name == "index.html" or name not in here:
        raise NotFoundException
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    try:
        return etag_response(request, (folder / name).read_bytes(), kind)
    except FileNotFoundError:
        raise NotFoundException from None


def page_routes(folder: Path) -> list[BaseRouteHandler | Router]:
    """The page in a folder, and what it is made of."""
    assets = create_static_files_router(
        "/assets", [folder / "assets"], cache_control=FOR_EVER, middleware=[COMPRESSED]
    )
    icons = create_static_files_router(
        "/icons", [folder / "icons"], name="icons", cache_control=CacheControlHeader(no_cache=True)
    )
    return [page, root_file, assets, icons]
