"""The data files as they are served: made when the first of them is asked for, then kept."""

from __future__ import annotations

import asyncio
import gzip
import mimetypes
from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from macaz.server.data_files import INDEX, DataFiles, make_data_files
from macaz.server.editions import Catalog
from macaz.server.not_modified import COMPRESSED, etag_response
from macaz.server.page import FOR_EVER

mimetypes.add_type("application/wasm", ".wasm")  # else browsers compile it only once it is complete


class ServedData:
    """The data files of a server."""

    def __init__(self, editions: Catalog) -> None:
        self._editions = editions
        self._making: asyncio.Task[DataFiles] | None = None
        self._compressed: dict[str, bytes] = {}

    async def files(self) -> DataFiles:
        """All files; they are made in a thread, for all who ask meanwhile."""
        if self._making is None:
            self._making = asyncio.create_task(asyncio.to_thread(make_data_files, self._editions))
        try:
            # One that is cancelled must not cancel it for the others.
            return await asyncio.shield(self._making)
        except Exception:
            self._making = None
            raise

    async def compressed(self, name: str, content: bytes) -> bytes:
        """A file, compressed once."""
        if name not in self._compressed:
            self._compressed[name] = await asyncio.to_thread(gzip.compress, content, mtime=0)
        return self._compressed[name]


@get(f"/data/{INDEX}", include_in_schema=False, middleware=[COMPRESSED])
async def data_index(request: Request[Any, Any, State], state: State) -> Response[Any]:
    """The list of the data files."""
    served: ServedData = state.data
    return etag_response(request, (await served.files()).index, MediaType.JSON)


@get("/data/{name:str}", include_in_schema=False)
async def data_file(
    request: Request[Any, Any, State], state: State, name: FromPath[str]
) -> Response[Any]:
    """A data file. Its name contains a hash of its content."""
    served: ServedData = state.data
    files = await served.files()
    content = files.read(name)
    if content is None:
        raise NotFoundException
    headers = {"cache-control": FOR_EVER.to_header(), "vary": "accept-encoding"}
    # Networks are hardly compressible, and the page shows how much of their size has arrived.
    if name not in files.networks and "gzip" in request.headers.get("accept-encoding", ""):
        content = await served.compressed(name, content)
        headers["content-encoding"] = "gzip"
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(content, media_type=kind, headers=headers)
