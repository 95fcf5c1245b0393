"""Sessions can be ended everywhere at once, and other people can neither end nor use them."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import websockets
from itsdangerous import Signer
from sqlalchemy import delete, select
from tests.server.harness import NO_CERTIFICATES, Served, hear, say, serving, settings
from tests.server.processes import Server, errors_in
from tests.server.services import Redis
from tests.server.zygote import Zygote

from macaz.server.browsers import browser_name
from macaz.server.clock import Clock
from macaz.server.people import NOTED_MS, digest
from macaz.server.store.rows import SessionRow
from macaz.server.store.schema import session
from macaz.server.store.store import Store
from macaz.server.store.trouble import Unavailable

SIGNED_OUT = 4001
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"


class Browser:
    """A browser with a cookie, or a program with a token; it can use any node."""

    def __init__(self, address: str, cookie: str = "", token: str = "") -> None:
        self.address, self.cookie, self.token = address, cookie, token

    @property
    def headers(self) -> dict[str, str]:
        headers = {"user-agent": FIREFOX}
        if self.cookie:
            headers["cookie"] = f"macaz={self.cookie}"
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        return headers

    def at(self, address: str) -> Browser:
        """The same cookie or token, sent to another node."""
        return Browser(address, self.cookie, self.token)

    async def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        url = f"{self.address}/api/v1{path}"
        async with httpx.AsyncClient(timeout=60, verify=NO_CERTIFICATES, trust_env=False) as http:
            return await http.request(method, url, json=body, headers=self.headers)

    async def program(self, label: str = "bot") -> tuple[str, Browser]:
        """A new token of this person: its id, and a program that has it."""
        made = (await self.ask("POST", "/me/tokens", {"label": label})).json()
        return made["id"], Browser(self.address, token=made["secret"])

    async def get(self, path: str) -> Any:
        answer = await self.ask("GET", path)
        assert answer.is_success, answer.text
        return answer.json()

    async def become(self, name: str) -> Browser:
        answer = await self.ask("POST", "/people", {"name": name})
        assert answer.is_success, answer.text
        self.cookie = answer.cookies["macaz"]
        return self

    async def connect(self) -> websockets.ClientConnection:
        """A socket that the server has checked."""
        place = self.address.replace("http", "ws", 1) + "/api/v1/socket"
        socket = await websockets.connect(place, additional_headers=self.headers, proxy=None)
        await alive(socket)
        return socket

    async def is_stranger(self) -> bool:
        """Whether the cookie or token gives no access: no request, and no socket."""
        answer = await self.ask("GET", "/me")
        whoami = await self.ask("GET", "/whoami")
        assert "set-cookie" not in whoami.headers or answer.is_success
        place = self.address.replace("http", "ws", 1) + "/api/v1/socket"
        try:
            socket = await websockets.connect(place, additional_headers=self.headers, proxy=None)
        except websockets.InvalidStatus as refused:
            opened = refused.response.status_code != 401
        else:
            await socket.close()
            opened = True
        states = {answer.status_code != 401, whoami.json()["me"] is not None, opened}
        assert len(states) == 1, states
        return states == {False}


async def alive(socket: websockets.ClientConnection) -> None:
    await say(socket, "ping")
    await hear(socket, "pong")


async def closed(socket: websockets.ClientConnection) -> tuple[int, str]:
    """The close code of a socket, and the reason."""
    async with asyncio.timeout(60):
        await socket.wait_closed()
    return socket.close_code or 0, socket.close_reason or ""


Story = Callable[[Served], Coroutine[Any, Any, None]]


def tell(tmp_path: Path, story: Story, clock: Clock | None = None) -> None:
    """Run a test against a real server."""
    with serving(settings(tmp_path), clock) as server:
        asyncio.run(story(server))


async def another_session(server: Served, browser: Browser) -> Browser:
    """A second browser of the same person. No request creates one: only the store can."""
    store: Store = server.node.store
    found = await server.inside(store.credentials.session_by_digest(digest(browser.cookie)))
    cookie = f"second-{found[0].id}"
    await server.inside(
        store.credentials.add_session(cookie, found[1].id, digest(cookie), "Safari, iPhone")
    )
    return Browser(browser.address, cookie)


async def old_cookie(server: Served, name: str = "Ana") -> str:
    """A person's cookie as versions before sessions issued it; its session is not known."""
    browser = await Browser(server.address).become(name)
    store: Store = server.node.store
    found = await server.inside(store.credentials.session_by_digest(digest(browser.cookie)))
    person: str = found[1].id
    await server.inside(store.database.change(delete(session).where(session.c.person_id == person)))
    key = await server.inside(store.settings.get("signing-key", lambda: ""))
    return signed(person, key)


def signed(person: str, key: str) -> str:
    signer = Signer(key, salt="macaz person", digest_method=hashlib.sha256)
    return signer.sign(person).decode()


# -- signing out -----------------------------------------------------------------------------------


def test_signing_out_ends_the_session_and_its_sockets(tmp_path):
    async def story(server: Served) -> None:
        ana = await Browser(server.address).become("Ana")
        ion = await Browser(server.address).become("Ion")
        phone = await another_session(server, ana)
        sockets = [await ana.connect(), await ana.connect()]
        others = [await ion.connect(), await phone.connect()]
        answer = await ana.ask("POST", "/me/forget")
        assert answer.status_code == 204
        assert "Max-Age=0" in answer.headers["set-cookie"]
        for socket in sockets:
            assert await closed(socket) == (SIGNED_OUT, "signed out")
        # A thief who kept the cookie has no access.
        assert await ana.is_stranger()
        for browser in (ion, phone):
            assert not await browser.is_stranger()
        for socket in others:
            await alive(socket)
            await socket.close()
        # To sign out twice, or without a session, is no error.
        for browser in (ana, Browser(server.address), Browser(server.address, "nonsense")):
            assert (await browser.ask("POST", "/me/forget")).status_code == 204

    tell(tmp_path, story)


def test_a_token_is_not_ended_by_signing_out(tmp_path):
    async def story(server: Served) -> None:
        ana = await Browser(server.address).become("Ana")
        _, program = await ana.program()
        both = Browser(server.address, ana.cookie, program.token)
        for who in (program, both):
            assert (await who.ask("POST", "/me/forget")).status_code == 204
            assert not await program.is_stranger()
            assert not await ana.is_stranger()
        await ana.ask("POST", "/me/forget")
        assert not await program.is_stranger()

    tell(tmp_path, story)


def test_the_list_says_where_and_when(tmp_path):
    class Later(Clock):
        ahead = 0

        def now(self) -> int:
            return super().now() + self.ahead

    clock = Later()

    async def story(server: Served) -> None:
        ana = await Browser(server.address).become("Ana")
        [mine] = await ana.get("/me/sessions")
        assert mine["label"] == "Firefox, Linux"
        assert mine["present"]
        assert mine["used_at"] == mine["created_at"]
        phone = await another_session(server, ana)
        clock.ahead = NOTED_MS // 2
        first, _ = await ana.get("/me/sessions")
        assert first["used_at"] == mine["used_at"]
        clock.ahead = 2 * NOTED_MS
        before = clock.now()
        await ana.get("/me")  # writes the time of its use
        first, second = await phone.get("/me/sessions")
        assert (first["id"], first["present"], second["present"]) == (mine["id"], False, True)
        assert first["used_at"] >= before
        assert first["created_at"] == mine["created_at"]
        token, program = await ana.program()
        for who, present in ((program, True), (ana, False)):
            listed = await who.get("/me/tokens")
            assert [(t["id"], t["present"]) for t in listed] == [(token, present)]
        assert [s["present"] for s in await program.get("/me/sessions")] == [False, False]

    tell(tmp_path, story, clock)


def test_one_session_is_ended_by_another(tmp_path):
    async def story(server: Served) -> None:
        ana = await Browser(server.address).become("Ana")
        eve = await Browser(server.address).become("Eve")
        phone = await another_session(server, ana)
        mine, theirs = [s["id"] for s in await ana.get("/me/sessions")]
        staying, socket = await ana.connect(), await phone.connect()
        # A session of another person cannot be ended, and its existence is not revealed.
        refused = await eve.ask("DELETE", f"/me/sessions/{theirs}")
        unknown = await eve.ask("DELETE", "/me/sessions/AAAAAAAAAAAA")
        assert refused.status_code == unknown.status_code == 404
        assert refused.json()["message"] == unknown.json()["message"]
        assert (await Browser(server.address).ask("DELETE", f"/me/sessions/{mine}")).is_error
        assert not await phone.is_stranger()
        answer = await ana.ask("DELETE", f"/me/sessions/{theirs}")
        assert answer.status_code == 204
        assert "set-cookie" not in answer.headers
        assert await closed(socket) == (SIGNED_OUT, "signed out")
        assert await phone.is_stranger()
        assert (await ana.ask("DELETE", f"/me/sessions/{theirs}")).status_code == 404
        await alive(staying)
        answer = await ana.ask("DELETE", f"/me/sessions/{mine}")
        assert "Max-Age=0" in answer.headers["set-cookie"]
        assert await closed(staying) == (SIGNED_OUT, "signed out")
        assert await ana.is_stranger()

    tell(tmp_path, story)


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("by_token", [True, False])
def test_signing_out_everywhere(tmp_path, keep, by_token):
    async def story(server: Served) -> None:
        ana = await Browser(server.address).become("Ana")
        ion = await Browser(server.address).become("Ion")
        phone = await another_session(server, ana)
        programs = {label: (await ana.program(label))[1] for label in ("bot", "bench")}
        everyone = {"ana": ana, "phone": phone, **programs}
        sockets = {name: await who.connect() for name, who in everyone.items()}
        other = await ion.connect()
        asking = programs["bot"] if by_token else ana
        answer = await asking.ask("POST", "/me/forget-everywhere", {"keep_present": keep})
        assert answer.status_code == 204
        assert ("set-cookie" in answer.headers) == (not keep and not by_token)
        present = ("bot" if by_token else "ana") if keep else ""
        for name, socket in sockets.items():
            if name == present:
                await alive(socket)
                await socket.close()
            else:
                assert await closed(socket) == (SIGNED_OUT, "signed out"), name
        for name, who in everyone.items():
            assert await who.is_stranger() == (name != present), name
        assert not await ion.is_stranger()
        await alive(other)
        await other.close()

    tell(tmp_path, story)


def test_a_token_asked_for_by_a_session_that_ends_is_not_made(tmp_path, monkeypatch):
    """Otherwise a thief who keeps creating tokens would keep one through every sign-out."""

    async def story(server: Served) -> None:
        ana = await Browser(server.address).become("Ana")
        tokens_of = server.node.store.credentials.tokens_of

        async def then_end(person: str) -> Any:
            found = await tokens_of(person)
            await server.node.store.credentials.end_all(person)
            return found

        monkeypatch.setattr(server.node.store.credentials, "tokens_of", then_end)
        answer = await ana.ask("POST", "/me/tokens", {"label": "bot"})
        assert (answer.status_code, answer.json()["code"]) == (401, "unknown-person")
        monkeypatch.undo()
        [person] = {s.person_id for s in await server.inside(_all_sessions(server))}
        assert await server.inside(tokens_of(person)) == []

    tell(tmp_path, story)


def test_without_an_answer_of_the_store_sockets_must_connect_again(tmp_path, monkeypatch):
    """It is not known what ended meanwhile: sockets that may be signed out are closed."""

    async def story(server: Served) -> None:
        ana = await Browser(server.address).become("Ana")
        ion = await Browser(server.address).become("Ion")
        socket, other = await ana.connect(), await ion.connect()

        async def silent(ids: Any) -> set[str]:
            raise Unavailable("It does not answer.")

        monkeypatch.setattr(server.node.store.credentials, "valid", silent)
        assert (await ana.ask("POST", "/me/forget")).status_code == 204
        assert await closed(socket) == (1012, "connect again")
        monkeypatch.undo()
        assert await ana.is_stranger()
        await alive(other)
        await other.close()

    tell(tmp_path, story)


def test_a_session_outlives_the_server(tmp_path):
    """Only ending it ends it, and that survives a restart of the server too."""
    kept: list[Browser] = []

    async def before(server: Served) -> None:
        kept.extend([await Browser(server.address).become(name) for name in ("Ana", "Ion")])
        assert (await kept[1].ask("POST", "/me/forget")).status_code == 204

    async def after(server: Served) -> None:
        ana, ion = (browser.at(server.address) for browser in kept)
        assert (await ana.get("/me"))["name"] == "Ana"
        assert await ion.is_stranger()

    tell(tmp_path, before)
    tell(tmp_path, after)


# -- cookies of older versions ---------------------------------------------------------------------


def test_an_old_cookie_becomes_one_session_however_many_requests_carry_it(tmp_path):
    async def story(server: Served) -> None:
        cookie = await old_cookie(server)
        tabs = [Browser(server.address, cookie) for _ in range(20)]
        names = await asyncio.gather(*(tab.get("/whoami") for tab in tabs))
        assert {answer["me"]["name"] for answer in names} == {"Ana"}
        [mine] = await tabs[0].get("/me/sessions")
        assert (mine["label"], mine["present"]) == ("Firefox, Linux", True)
        renewed = (await tabs[0].ask("GET", "/me")).headers["set-cookie"]
        assert renewed.startswith(f"macaz={cookie};")

    tell(tmp_path, story)


def test_an_old_cookie_opens_a_socket_at_once(tmp_path):
    async def story(server: Served) -> None:
        browser = Browser(server.address, await old_cookie(server))
        socket = await browser.connect()
        assert len(await browser.get("/me/sessions")) == 1
        assert (await browser.ask("POST", "/me/forget")).status_code == 204
        assert await closed(socket) == (SIGNED_OUT, "signed out")

    tell(tmp_path, story)


@pytest.mark.parametrize("way", ["forget", "forget-everywhere", "delete"])
def test_an_old_cookie_is_nothing_after_signing_out(tmp_path, way):
    async def story(server: Served) -> None:
        browser = Browser(server.address, await old_cookie(server))
        [mine] = await browser.get("/me/sessions")
        answer = await {
            "forget": lambda: browser.ask("POST", "/me/forget"),
            "forget-everywhere": lambda: browser.ask(
                "POST", "/me/forget-everywhere", {"keep_present": False}
            ),
            "delete": lambda: browser.ask("DELETE", f"/me/sessions/{mine['id']}"),
        }[way]()
        assert answer.status_code == 204
        assert all(await asyncio.gather(*(browser.at(server.address).is_stranger() for _ in "ab")))

    tell(tmp_path, story)


def test_an_old_cookie_is_nothing_for_a_person_with_a_session(tmp_path):
    """Even with the key that signed them, no cookie can be forged for a person with a session."""

    async def story(server: Served) -> None:
        ana = await Browser(server.address).become("Ana")
        store: Store = server.node.store
        [row] = await server.inside(_all_sessions(server))
        key = await server.inside(store.settings.get("signing-key", lambda: ""))
        forged = Browser(server.address, signed(row.person_id, key))
        assert await forged.is_stranger()
        assert len(await ana.get("/me/sessions")) == 1
        await ana.ask("POST", "/me/forget")
        assert await forged.is_stranger()
        assert await Browser(server.address, signed("unknown", key)).is_stranger()

    tell(tmp_path, story)


async def _all_sessions(server: Served) -> list[Any]:
    return await server.node.store.database.all(select(session), SessionRow)  # type: ignore[no-any-return]


# -- what is shown ---------------------------------------------------------------------------------


def test_nothing_of_a_session_is_told_to_others_or_kept_in_clear(tmp_path):
    async def story(server: Served) -> None:
        ana = await Browser(server.address).become("Ana")
        eve = await Browser(server.address).become("Eve")
        [row, _] = await server.inside(_all_sessions(server))
        seats = [{"kind": "person"}, {"kind": "person"}]
        wanted = {"edition": "tiny", "seats": seats, "listed": True}
        table = (await ana.ask("POST", "/tables", wanted)).json()["id"]
        secrets = [ana.cookie, row.digest, row.id, row.person_id]
        told = []
        for path in (
            "/me",
            "/whoami",
            "/me/sessions",
            "/me/tokens",
            "/tables",
            f"/tables/{table}",
            f"/tables/{table}/updates",
        ):
            answer = await eve.ask("GET", path)
            told.append(answer.text + str(answer.headers))
        socket = await eve.connect()
        await say(socket, "hello", table=table)
        told.append(json.dumps(await hear(socket, "welcome")))
        assert [secret for secret in secrets if secret in "".join(told)] == []
        # To herself: the id, which can end a session but gives no access.
        listed = json.dumps(await ana.get("/me/sessions"))
        assert [secret for secret in secrets if secret in listed] == [row.id]
        await ana.ask("POST", "/me/forget")
        await socket.close()
        for file in tmp_path.glob("macaz.db*"):
            assert ana.cookie.encode() not in file.read_bytes()

    tell(tmp_path, story)


def test_guesses_find_nothing(tmp_path):
    """Guesses, parts of a secret and similar values are all refused, with the same answer."""

    async def story(server: Served) -> None:
        ana = await Browser(server.address).become("Ana")
        [row] = await server.inside(_all_sessions(server))
        assert len(ana.cookie) >= 43  # 32 random bytes
        guesses = [
            ana.cookie[:-1],
            ana.cookie.swapcase(),
            ana.cookie + "=",
            ana.cookie + "%00",
            row.digest,
            row.id,
            row.person_id,
            "' OR 1=1 --",
            "%",
            "x" * 4000,
        ]
        answers = set()
        for guess in guesses:
            browser = Browser(server.address, guess)
            assert await browser.is_stranger(), guess
            problem = (await browser.ask("GET", "/me")).json()
            answers.add((problem["code"], problem["message"]))
        assert len(answers) == 1
        assert not await ana.is_stranger()
        assert len(await server.inside(_all_sessions(server))) == 1

    tell(tmp_path, story)


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (FIREFOX, "Firefox, Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
            "Edge, Windows",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 "
            "(KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
            "Safari, iPhone",
        ),
        (
            "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) "
            "SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
            "Samsung Internet, Android",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like "
            "Gecko) Chrome/126.0.0.0 Safari/537.36",
            "Chrome, macOS",
        ),
        ("<script>alert(1)</script>", ""),
        ("curl/8.5.0", ""),
        ("", ""),
    ],
)
def test_a_browser_has_a_short_name(user_agent, name):
    assert browser_name(user_agent) == name


# -- several nodes ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote("tests.server.processes:serve") as running:
        yield running


class Nodes:
    """Two nodes over one PostgreSQL and one Redis."""

    def __init__(self, zygote: Zygote, folder: Path, database: str, redis: str) -> None:
        self.zygote, self.folder, self.chosen = (
            zygote,
            folder,
            {"database": database, "redis": redis},
        )
        self.servers: list[Server] = []
        self.addresses: list[str] = []
        for _ in range(2):
            self.start()

    def start(self, **fate: Any) -> str:
        name = f"node{len(self.servers)}"
        server = Server(self.zygote, self.folder, name, **self.chosen, **fate)
        self.servers.append(server)
        address = server.wait_ready()
        assert address, server.log.read_text()
        self.addresses.append(address)
        return address

    def end_in_store(self, person_of: str) -> None:
        """End a session as a node that died before it told the others."""
        with psycopg.connect(self.chosen["database"]) as connection:
            connection.execute(
                "UPDATE session SET ended_at = 1 WHERE digest = %s", [digest(person_of)]
            )


@pytest.fixture
def nodes(zygote: Zygote, tmp_path: Path, postgres_url: str, redis_url: str) -> Iterator[Nodes]:
    running = Nodes(zygote, tmp_path, postgres_url, redis_url)
    yield running
    for server in running.servers:
        server.kill()
    assert [error for server in running.servers for error in errors_in(server.log)] == []


@pytest.mark.slow
@pytest.mark.parametrize("way", ["session", "token", "everywhere"])
def test_an_end_is_an_end_on_both_nodes(nodes, way):
    async def story() -> None:
        here, there = nodes.addresses
        ana = await Browser(here).become("Ana")
        ion = await Browser(there).become("Ion")
        token, program = await ana.program()
        ended = {"session": [ana], "token": [program], "everywhere": [ana, program]}[way]
        sockets = [await who.at(node).connect() for who in ended for node in (here, there)]
        other = await ion.at(there).connect()
        if way == "token":
            done = await ana.ask("DELETE", f"/me/tokens/{token}")
        elif way == "session":
            done = await ana.ask("POST", "/me/forget")
        else:
            done = await ana.ask("POST", "/me/forget-everywhere", {"keep_present": False})
        assert done.is_success
        for socket in sockets:
            assert await closed(socket) == (SIGNED_OUT, "signed out")
        for node in (here, there):
            for who in (ana, program):
                assert await who.at(node).is_stranger() == (who in ended)
        await alive(other)
        await other.close()

    asyncio.run(story())


@pytest.mark.slow
def test_an_end_that_no_node_was_told_of_closes_sockets_too(nodes):
    """The node that ended the session died after its commit."""

    async def story() -> None:
        ana = await Browser(nodes.addresses[0]).become("Ana")
        socket = await ana.at(nodes.addresses[1]).connect()
        nodes.servers[0].kill()
        await asyncio.to_thread(nodes.end_in_store, ana.cookie)
        assert await closed(socket) == (SIGNED_OUT, "signed out")
        assert await ana.at(nodes.addresses[1]).is_stranger()
        again = await asyncio.to_thread(nodes.start)
        assert await ana.at(again).is_stranger()

    asyncio.run(story())


@pytest.mark.slow
def test_an_end_while_redis_is_down_closes_sockets_too(nodes, redis_server: Redis):
    async def story() -> None:
        here, there = nodes.addresses
        ana = await Browser(here).become("Ana")
        socket = await ana.at(there).connect()
        await asyncio.to_thread(redis_server.stop, hard=True)
        try:
            assert (await ana.ask("POST", "/me/forget")).status_code == 204
            assert await ana.at(there).is_stranger()
            assert await closed(socket) == (SIGNED_OUT, "signed out")
        finally:
            await asyncio.to_thread(redis_server.start)

    asyncio.run(story())


@pytest.mark.slow
def test_both_nodes_make_one_session_of_an_old_cookie(nodes):
    async def story() -> None:
        ana = await Browser(nodes.addresses[0]).become("Ana")
        with psycopg.connect(nodes.chosen["database"]) as connection:
            row = connection.execute("DELETE FROM session RETURNING person_id").fetchone()
            key = connection.execute(
                "SELECT value FROM setting WHERE name = 'signing-key'"
            ).fetchone()
        assert row is not None
        assert key is not None
        old = signed(row[0], key[0])
        tabs = [Browser(address, old) for address in nodes.addresses * 8]
        names = await asyncio.gather(*(tab.get("/whoami") for tab in tabs))
        assert {answer["me"]["name"] for answer in names} == {"Ana"}
        assert len(await tabs[0].get("/me/sessions")) == 1
        assert await ana.is_stranger()
        assert (await tabs[0].ask("POST", "/me/forget")).status_code == 204
        assert await tabs[1].is_stranger()

    asyncio.run(story())


@pytest.mark.slow
def test_a_killed_node_loses_no_session_and_no_end(nodes):
    async def story() -> None:
        here, there = nodes.addresses
        stays, goes = [await Browser(here).become(name) for name in ("Stays", "Goes")]
        assert (await goes.ask("POST", "/me/forget")).status_code == 204
        nodes.servers[0].kill()
        for address in (there, await asyncio.to_thread(nodes.start)):
            assert not await stays.at(address).is_stranger()
            assert await goes.at(address).is_stranger()

    asyncio.run(story())
