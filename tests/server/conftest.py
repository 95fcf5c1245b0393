"""The services that the server's tests share, started when first used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import count

import pytest
from tests.server.services import Postgres, Redis

from macaz.server import page

_numbers = count(1)


@pytest.fixture(scope="module", autouse=True)
def small_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A page of a few bytes, whether or not the real one was built.

    For a module, as the same process may run tests of the real page between two of these.
    """
    folder = tmp_path_factory.mktemp("small-page")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<!doctype html><title>Macaz</title>")
    (folder / "assets" / "part.js").write_text("export {};")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "page_folder", lambda: folder)
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with closing(Postgres()) as server:
        server.start()
        yield server


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    with closing(Redis()) as server:
        server.start()
        yield server


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """A new database, dropped after the test even if clients are still connected."""
    name = f"test_{next(_numbers)}"
    postgres.start()  # a previous test may have stopped it
    postgres.run(f"CREATE DATABASE {name}")
    yield postgres.url_of(name)
    postgres.start()
    postgres.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def redis_url(redis_server: Redis) -> str:
    """An empty Redis."""
    redis_server.start()
    redis_server.ask("FLUSHALL")
    return redis_server.url
