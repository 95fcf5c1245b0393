"""A browser and a server for the tests of the page.

Each file of tests starts a browser and closes it: while Playwright's plain functions can be called,
no other test in the same process can run an event loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.page.browser import USUAL, NewPage, Troubles, chromium, stale_page
from tests.page.hosts import Host, NewPerson, Person
from tests.page.scenes import Scene
from tests.server.zygote import Zygote

# The stored form of a new game that is played at the server.
AT_SERVER = """try {
  localStorage["macaz-wish"] ??= JSON.stringify({ atServer: true });
} catch {
  // a page that may store nothing
}"""
PATIENCE = 20_000  # milliseconds; a busy machine is slow, a broken page is slow for ever

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if trouble := stale_page():
        pytest.fail(trouble, pytrace=False)
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    with Zygote("tests.server.processes:serve") as running:
        yield running


@pytest.fixture(scope="session")
def shared_server(zygote: Zygote, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    host = Host(zygote, tmp_path_factory.mktemp("server"))
    yield host
    host.kill()


@pytest.fixture
def server(shared_server: Host) -> Iterator[Host]:
    """A server that all tests use; each makes tables of its own."""
    before = len(shared_server.errors)
    yield shared_server
    assert shared_server.errors[before:] == []


@pytest.fixture(scope="session")
def scene(shared_server: Host) -> Iterator[Scene]:
    """Tables to look at, which no test may change."""
    arranged = Scene(shared_server.url)
    yield arranged
    arranged.close()


@pytest.fixture
def own_server(zygote: Zygote, tmp_path: Path) -> Iterator[Host]:
    """A server for a test that kills it, or that checks everything on it."""
    host = Host(zygote, tmp_path)
    yield host
    host.kill()
    assert host.errors == []


@pytest.fixture
def host(request: pytest.FixtureRequest) -> Host:
    """The server of this test: its own if it asks for one."""
    name = "own_server" if "own_server" in request.fixturenames else "server"
    found: Host = request.getfixturevalue(name)
    return found


@pytest.fixture
def troubles() -> Iterator[Troubles]:
    """The errors in the pages of this test, which fails if it did not expect them."""
    found = Troubles()
    yield found
    if found.left:
        pytest.fail("\n".join(found.left), pytrace=False)


@pytest.fixture
def new_page(browser: Browser, troubles: Troubles, host: Host) -> Iterator[NewPage]:
    """Browsers of several people; addresses such as "/join" are those of the test's server.

    New games are at the server, unless `at_server` is false.
    """
    contexts = []

    def open_one(*, at_server: bool = True, **changes: Any) -> Page:
        context = browser.new_context(**{"base_url": host.url, **USUAL, **changes})
        context.set_default_timeout(PATIENCE)
        if at_server:
            context.add_init_script(AT_SERVER)
        context.on("page", troubles.watch)
        contexts.append(context)
        return context.new_page()

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A browser at an empty page: `page.goto("/")`."""
    return new_page()


@pytest.fixture
def new_person(host: Host) -> Iterator[NewPerson]:
    """People without a browser, at the same server."""
    people: list[Person] = []

    def come(name: str = "Bogdan") -> Person:
        people.append(Person(host.url, name))
        return people[-1]

    yield come
    for person in people:
        person.close()
