"""Answers that a browser keeps and only asks about: is it still this one?"""

from __future__ import annotations

import hashlib
from typing import Any

from litestar import Request, Response
from litestar.config.compression import CompressionConfig
from litestar.middleware import DefineMiddleware
from litestar.middleware.compression import CompressionMiddleware

# Only for what is the same for everybody: how short a text becomes tells something of it.
COMPRESSED = DefineMiddleware(
    CompressionMiddleware, config=CompressionConfig("gzip", gzip_compress_level=6)
)


def fresh(
    request: Request[Any, Any, Any],
    body: bytes,
    media_type: str,
    *,
    status: int = 200,
    private: bool = False,
) -> Response[Any]:
    """A body with a mark; whoever has that mark already is told so, and not sent it again."""
    # Weak, as it is the same body whether or not it is compressed on its way.
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:16]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache" if private else "no-cache"}
    known = {part.strip() for part in request.headers.get("if-none-match", "").split(",")}
    if status == 200 and tag in known:
        return Response(None, status_code=304, headers=headers)
    return Response(body, status_code=status, media_type=media_type, headers=headers)
