"""The page that people see: files that travel with the package."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from litestar import MediaType, Response, Router, get
from litestar.datastructures import CacheControlHeader
from litestar.handlers import BaseRouteHandler
from litestar.static_files import create_static_files_router

FOLDER = Path(__file__).parent / "web"

# Some systems know scripts by another type, and browsers run no module of a wrong one.
mimetypes.add_type("text/javascript", ".js")


@get(
    ["/", "/join", "/tables/{table_id:str}"],
    include_in_schema=False,
    media_type=MediaType.HTML,
    sync_to_thread=False,
)
def page() -> Response[bytes]:
    """One page for every address of ours: it looks at the address itself."""
    headers = {"cache-control": "no-cache"}
    return Response((FOLDER / "index.html").read_bytes(), headers=headers)


def page_routes() -> list[BaseRouteHandler | Router]:
    """The page and what it is made of; after an upgrade no browser keeps an old part of it."""
    assets = create_static_files_router(
        "/assets",
        [FOLDER],
        cache_control=CacheControlHeader(no_cache=True),
        include_in_schema=False,
    )
    return [page, assets]
