"""Responses with an `ETag`, and `304 Not Modified` for browsers that have them already."""

from __future__ import annotations

import hashlib
from typing import Any

from litestar import Request, Response
from litestar.config.compression import CompressionConfig
from litestar.middleware import DefineMiddleware
from litestar.middleware.compression import CompressionMiddleware

# Only for public content: the length of a compressed secret reveals something of it.
COMPRESSED = DefineMiddleware(
    CompressionMiddleware, config=CompressionConfig("gzip", gzip_compress_level=6)
)


def etag_response(
    request: Request[Any, Any, Any],
    body: bytes,
    media_type: str,
    *,
    status: int = 200,
    private: bool = False,
) -> Response[Any]:
    """A response with an `ETag`; `304` without the body if the request names that tag."""
    # Weak, as it is the same body whether or not it is compressed on its way.
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:16]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache" if private else "no-cache"}
    known = {part.strip() for part in request.headers.get("if-none-match", "").split(",")}
    if status == 200 and tag in known:
        return Response(b"", status_code=304, media_type=media_type, headers=headers)
    return Response(body, status_code=status, media_type=media_type, headers=headers)
