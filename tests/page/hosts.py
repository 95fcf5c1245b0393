"""A real server for the page, in a process of its own, which a test may kill and start again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx
from tests.server.harness import LIMITS, NO_CERTIFICATES
from tests.server.processes import Server, errors_in
from tests.server.zygote import Zygote


class Host:
    """A server on a database of its own. After a restart it has the same address."""

    def __init__(self, zygote: Zygote, folder: Path, **chosen: Any) -> None:
        self._zygote, self._folder = zygote, folder
        self._chosen = {"database": f"sqlite:///{folder}/macaz.db", **chosen}
        self._server: Server | None = None
        self.url = ""
        self.start()

    def start(self, **changes: Any) -> None:
        """Start it, at the same address as before."""
        chosen = {**self._chosen, **changes}
        if self.url:
            chosen["port"] = urlsplit(self.url).port
        self._server = Server(self._zygote, self._folder, **chosen)
        self.url = self._server.wait_ready()
        assert self.url, f"the server ended: {self._server.log.read_text()}"

    def kill(self) -> None:
        """`kill -9`: its sockets break, and nothing answers until it is started again."""
        if self._server:
            self._server.kill()
            self._server = None

    @property
    def errors(self) -> list[dict[str, Any]]:
        """The errors that it logged."""
        return errors_in(self._folder / "server.log")


class Person:
    """A person who uses HTTP, without a browser."""

    def __init__(self, url: str, name: str = "Bogdan") -> None:
        self._http = httpx.Client(
            base_url=f"{url}/api/v1", timeout=30, limits=LIMITS, verify=NO_CERTIFICATES
        )
        made = self.post("/people", {"name": name, "token": "test"})
        self.token = str(made["token"])
        self._http.headers["authorization"] = f"Bearer {self.token}"

    def get(self, path: str) -> Any:
        return self._told(self._http.get(path))

    def post(self, path: str, body: Any = None) -> Any:
        return self._told(self._http.post(path, json=body))

    def close(self) -> None:
        self._http.close()

    def _told(self, answer: httpx.Response) -> Any:
        assert answer.is_success, answer.text
        kind = answer.headers.get("content-type", "")
        return answer.json() if kind.startswith("application/json") else answer.text


class NewPerson(Protocol):
    """Creates a person without a browser: `new_person("Bogdan")`."""

    def __call__(self, name: str = "Bogdan") -> Person: ...
