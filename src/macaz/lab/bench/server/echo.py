"""An echo server on the same stack as the table server, as the upper limit of its speed."""

from __future__ import annotations

import socket
import sys
from typing import Any

import uvicorn

from macaz.server.app import server_config
from macaz.server.settings import Settings


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """The ASGI application."""
    await receive()
    await send({"type": "websocket.accept"})
    while (heard := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": heard["text"]})


def main() -> None:
    """Serve on a free port, and print the address."""
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
        sys.stdout.write(f"http://127.0.0.1:{listening.getsockname()[1]}/\n")
        sys.stdout.flush()
        config = server_config(Settings(port=0, database=""), echo)
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
