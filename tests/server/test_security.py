"""Access control: people cannot enter, act or see where they are not allowed."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import logging
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from itsdangerous import Signer
from sqlalchemy import select
from tests.server.harness import Client, Served, hear, play_on, say, serving, settings

from macaz.server import limits, logs
from macaz.server.limits import ConnectionLimit, RateLimit, network
from macaz.server.people import People, digest
from macaz.server.store.rows import PersonRow, SessionRow
from macaz.server.store.schema import session

Story = Callable[[Served], Awaitable[None]]
_at_the_end: ContextVar[AsyncExitStack] = ContextVar("_at_the_end")
NOWHERE = "AAAAAAAAAAAAAAAA"  # shaped as the id of a table


def tell(tmp_path: Path, story: Story, **changes: Any) -> None:
    """Run a test against a real server."""

    async def whole() -> None:
        async with AsyncExitStack() as stack:
            _at_the_end.set(stack)
            await story(server)

    with serving(settings(tmp_path, **changes)) as server:
        asyncio.run(whole())


def closed_later(thing: Any) -> Any:
    """The same object, but closed at the end of the test."""
    _at_the_end.get().push_async_callback(thing.close)
    return thing


async def people(server: Served, *names: str) -> list[Client]:
    return [closed_later(await Client.new(server.address, name)) for name in names]


async def code(client: Client, method: str, path: str, body: Any = None) -> tuple[int, str]:
    answer = await client.ask(method, path, body)
    return answer.status_code, answer.json()["code"] if answer.status_code >= 400 else ""


async def link(client: Client, table: str, kind: str, seat: int | None = None) -> tuple[str, str]:
    """A new link: its id and its secret."""
    made = await client.post(f"/tables/{table}/links", {"kind": kind, "seat": seat})
    return made["id"], made["url"].partition("#")[2]


async def greet(client: Client, table: str, seat: int | None = None) -> Any:
    socket = closed_later(await client.connect())
    await say(socket, "hello", table=table, seat=seat)
    return socket, await hear(socket)


async def close_code(socket: websockets.ClientConnection) -> int:
    async with asyncio.timeout(30):
        try:
            while True:
                await socket.recv()
        except websockets.ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006


async def refused_status(address: str, **more: Any) -> tuple[int, dict[str, Any]]:
    """The refusal of a new socket."""
    place = address.replace("http", "ws", 1) + "/api/v1/socket"
    with pytest.raises(websockets.InvalidStatus) as refused:
        await websockets.connect(place, **more)
    answer = refused.value.response
    return answer.status_code, json.loads(answer.body)


def on_server(server: Served, work: Any) -> Any:
    """Run a coroutine in the server's loop."""
    return asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, server.loop))


async def sessions_in(store: Any) -> list[tuple[SessionRow, PersonRow]]:
    """All sessions, with their persons."""
    rows = await store.database.all(select(session), SessionRow)
    return [(row, await store.people.get(row.person_id)) for row in rows]


# -- the seat comes from the connection ------------------------------------------------------------


def test_no_person_acts_or_looks_for_another(tmp_path):
    async def story(server: Served) -> None:
        ana, ion, eve = await people(server, "Ana", "Ion", "Eve")
        table = await ana.table("me", "person", listed=True)
        await ion.post(f"/tables/{table}/sit", {"seat": 1})
        for other in (ion, eve):
            for path in ("leave", "back"):
                asked = await code(other, "POST", f"/tables/{table}/seats/0/{path}")
                assert asked == (403, "not-allowed")
            assert await code(other, "POST", f"/tables/{table}/close") == (403, "not-allowed")
            for kind, seat in (("seat", 0), ("join", None), ("watch", None)):
                body = {"kind": kind, "seat": seat}
                asked = await code(other, "POST", f"/tables/{table}/links", body)
                assert asked == (403, "not-allowed")
            for path in ("updates?", "moments/3?"):
                asked = await code(other, "GET", f"/tables/{table}/{path}eyes=0")
                assert asked == (403, "not-allowed")
                asked = await code(other, "GET", f"/tables/{table}/{path}eyes=all")
                assert asked == (409, "not-now")
            assert await code(other, "GET", f"/tables/{table}/record") == (409, "not-now")
            _, answer = await greet(other, table, seat=0)
            assert answer["code"] == "not-allowed"
        assert await code(eve, "POST", f"/tables/{table}/seats/0/stand-in") == (403, "not-allowed")
        assert await code(eve, "POST", f"/tables/{table}/rematch") == (403, "not-allowed")
        _, welcome = await greet(eve, table)
        assert [seat["hand"] for seat in welcome["view"]["seats"]] == [None, None]
        assert [seat["tickets"] for seat in welcome["view"]["seats"]] == [None, None]
        assert welcome["legal"] == []
        assert await eve.get(f"/tables/{table}/links") == []

    tell(tmp_path, story)


def test_a_forged_cookie_belongs_to_no_person(tmp_path):
    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as browser:
            made = await browser.post("/api/v1/people", json={"name": "Ana"})
            value = made.cookies["macaz"]
            [(made_session, person)] = await on_server(server, sessions_in(server.node.store))
            browser.cookies.clear()
            forged = [
                "",
                made_session.id,
                made_session.digest,
                person.id,
                f"{person.id}.",
                f"{person.id}.{value}",
                value[:-1],
                f"{value}x",
                f"x{value}",
                Signer("", salt="macaz person").sign(person.id).decode(),
                Signer("k" * 43, salt="macaz person").sign(person.id).decode(),
                "\xff.\xff",
                "." * 1000,
                '"' + value,
            ]
            for cookie in forged:
                sent = {b"cookie": f"macaz={cookie}".encode("latin-1")}
                answer = await browser.get("/api/v1/me", headers=sent)
                assert answer.status_code == 401, cookie
                status, problem = await refused_status(
                    server.address,
                    additional_headers={"cookie": f"macaz={cookie.replace(chr(255), 'y')}"},
                )
                assert (status, problem["code"]) == (401, "unknown-person")
            # Odd cookies of other sites with the same name do not hide it.
            sent = {b"cookie": f'a={{"b":1}}; "; c=d=e; macaz={value}; z=[]'.encode()}
            assert (await browser.get("/api/v1/me", headers=sent)).json()["name"] == "Ana"

    tell(tmp_path, story)


def test_a_revoked_token_opens_nothing_and_its_sockets_end(tmp_path):
    async def story(server: Served) -> None:
        ana, eve = await people(server, "Ana", "Eve")
        made = await ana.post("/me/tokens", {"label": "bot"})
        program = closed_later(Client(server.address, made["secret"]))
        assert (await program.get("/me"))["name"] == "Ana"
        socket = closed_later(await program.connect())
        assert await code(eve, "DELETE", f"/me/tokens/{made['id']}") == (404, "not-found")
        assert (await ana.ask("DELETE", f"/me/tokens/{made['id']}")).status_code == 204
        assert await code(program, "GET", "/me") == (401, "unknown-person")
        assert await close_code(socket) == 4001
        status, _ = await refused_status(server.address, additional_headers=program.headers)
        assert status == 401
        assert await code(ana, "DELETE", f"/me/tokens/{made['id']}") == (404, "not-found")
        listed = json.dumps(await ana.get("/me/tokens"))
        assert made["secret"] not in listed
        assert ana.token not in listed

    tell(tmp_path, story)


def test_a_token_revoked_elsewhere_unheard_ends_its_sockets(tmp_path):
    """Another node published it while messages did not arrive."""

    async def story(server: Served) -> None:
        ana, ion = await people(server, "Ana", "Ion")
        made = await ana.post("/me/tokens", {"label": "bot"})
        program = closed_later(Client(server.address, made["secret"]))
        revoked, others = await program.connect(), [await ana.connect(), await ion.connect()]
        browser = await websockets.connect(
            server.address.replace("http", "ws", 1) + "/api/v1/socket",
            additional_headers={"cookie": f"macaz={ana.http.cookies['macaz']}"},
        )
        for socket in (revoked, *others, browser):
            closed_later(socket)
            await say(socket, "ping")  # after the answer, the server has checked the socket
            await hear(socket, "pong")
        store = server.node.store
        token = await on_server(server, store.credentials.token_by_digest(digest(made["secret"])))
        assert await on_server(server, store.credentials.revoke_token(token.person_id, made["id"]))

        async def miss() -> None:
            server.node._on_lost_messages()

        await on_server(server, miss())
        assert await close_code(revoked) == 4001
        for socket in (*others, browser):
            await say(socket, "ping")
            await hear(socket, "pong")

    tell(tmp_path, story)


def test_a_token_revoked_while_its_socket_opens_ends_it(tmp_path, monkeypatch):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        made = await ana.post("/me/tokens", {"label": "bot"})
        program = closed_later(Client(server.address, made["secret"]))
        identify = People.identify

        async def identify_then_revoke(self: People, headers: Any) -> Any:
            identity = await identify(self, headers)
            if identity and made["secret"] in headers.get("authorization", ""):
                assert await server.node.store.credentials.revoke_token(
                    identity.person.id, made["id"]
                )
                await server.node.close_ended(identity.person.id)  # no socket exists yet
            return identity

        monkeypatch.setattr(People, "identify", identify_then_revoke)
        assert await close_code(closed_later(await program.connect())) == 4001

    tell(tmp_path, story)


def test_a_token_buys_no_cookie_that_would_outlive_it(tmp_path):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        async with httpx.AsyncClient(base_url=server.address, headers=ana.headers) as program:
            for path in ("/api/v1/me", "/api/v1/whoami"):
                answer = await program.get(path)
                assert "Ana" in answer.text
                assert "set-cookie" not in answer.headers

    tell(tmp_path, story)


@pytest.mark.parametrize("value", ["Bearer nonsense", "Basic YTpi", "Bearer", "bearer", "x"])
def test_a_wrong_token_is_not_made_good_by_a_cookie(tmp_path, value):
    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as browser:
            await browser.post("/api/v1/people", json={"name": "Ana"})
            answer = await browser.get("/api/v1/me", headers={"authorization": value})
            assert answer.status_code == 401
            answer = await browser.get("/api/v1/whoami", headers={"authorization": value})
            assert answer.json() == {"me": None}

    tell(tmp_path, story)


def test_a_page_may_ask_who_is_there_without_an_error(tmp_path):
    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as browser:
            answer = await browser.get("/api/v1/whoami")
            assert (answer.status_code, answer.json()) == (200, {"me": None})
            assert "set-cookie" not in answer.headers
            await browser.post("/api/v1/people", json={"name": "Ana", "color": "red"})
            answer = await browser.get("/api/v1/whoami")
            me = (await browser.get("/api/v1/me")).json()
            assert answer.json() == {"me": me}
            assert (me["name"], me["color"], me["token"]) == ("Ana", "red", None)
            assert answer.headers["set-cookie"].startswith("macaz=")
            sent = {"cookie": "macaz=forged"}
            assert (await browser.get("/api/v1/whoami", headers=sent)).json() == {"me": None}

    tell(tmp_path, story)


# -- links -----------------------------------------------------------------------------------------


def test_a_seats_link_works_once_and_not_after_it_was_taken_back(tmp_path):
    async def story(server: Served) -> None:
        ana, ion, eve = await people(server, "Ana", "Ion", "Eve")
        table = await ana.table("me", "person")
        _, secret = await link(ana, table, "seat", 1)
        asking = (ion, eve) * 5
        opened = await asyncio.gather(
            *(code(c, "POST", "/links/open", {"token": secret}) for c in asking)
        )
        # The person who got the seat may ask again; all others are refused.
        assert len({c.token for c, o in zip(asking, opened, strict=True) if o == (200, "")}) == 1
        assert set(opened) - {(200, "")} <= {(404, "not-found"), (409, "taken")}
        name, secret = await link(ana, table, "seat", 0)
        assert await code(eve, "DELETE", f"/tables/{table}/links/{name}") == (404, "not-found")
        assert (await ana.ask("DELETE", f"/tables/{table}/links/{name}")).status_code == 204
        asked = await code(eve, "POST", "/links/open", {"token": secret})
        assert asked == (404, "not-found")
        for guess in ("A" * 24, secret[:-1] + "A", secret[:-1], secret + "A", name + "A" * 12):
            asked = await code(eve, "POST", "/links/open", {"token": guess})
            assert asked == (404, "not-found")
        assert secret not in json.dumps(await ana.get(f"/tables/{table}/links"))

    tell(tmp_path, story)


def test_a_link_to_a_free_seat_takes_it_from_no_person_later(tmp_path):
    async def story(server: Served) -> None:
        ana, ion = await people(server, "Ana", "Ion")
        table = await ana.table("me", "person", "person")
        _, kept = await link(ana, table, "seat", 1)
        _, join = await link(ana, table, "join")
        assert (await ion.post("/links/open", {"token": join}))["seat"] == 1
        asked = await code(ana, "POST", "/links/open", {"token": kept})
        assert asked == (409, "taken")
        # Nor does a link of the person who sat there before.
        _, own = await link(ion, table, "seat", 1)
        await ion.post(f"/tables/{table}/seats/1/leave")
        assert (await ana.post(f"/tables/{table}/sit", {"seat": 1, "name": "Ina"}))["seat"] == 1
        assert await code(ion, "POST", "/links/open", {"token": own}) == (409, "taken")

    tell(tmp_path, story)


def test_a_seat_that_moved_over_leaves_nothing_behind(tmp_path):
    async def story(server: Served) -> None:
        ana, phone = await people(server, "Ana", "Phone")
        table = await ana.table("me", "random", first=0)
        old, welcome = await greet(ana, table, seat=0)
        _, secret = await link(ana, table, "seat", 0)
        assert await phone.post("/links/open", {"token": secret}) == {"table": table, "seat": 0}
        assert await close_code(old) == 4009
        again, answer = await greet(ana, table, seat=0)
        assert answer["code"] == "not-allowed"
        # As the host she may still watch, without the hand.
        await say(again, "hello", table=table)
        seen = await hear(again, "welcome")
        assert [seat["hand"] for seat in seen["view"]["seats"]] == [None, None]
        action, version = welcome["legal"][0]["action"], seen["version"]
        await say(again, "act", action=action, version=version, nonce="mine")
        assert (await hear(again, "refused"))["code"] == "not-allowed"
        await say(again, "react", sign="wow")
        assert (await hear(again, "refused"))["code"] == "not-allowed"
        assert await code(ana, "GET", f"/tables/{table}/updates?eyes=0") == (403, "not-allowed")
        _, answer = await greet(phone, table, seat=0)
        assert answer["view"]["seats"][0]["hand"] is not None

    tell(tmp_path, story)


@pytest.mark.parametrize("words", ["look", "hello"])
def test_a_request_that_waits_while_the_seat_moves_is_refused(tmp_path, words):
    """The lock is held; the move, the request and a final check wait for it, in this order.

    No bot plays: it could decide at any time, and wait for the lock as well.
    """

    async def story(server: Served) -> None:
        ana, ion, phone = await people(server, "Ana", "Ion", "Phone")
        table = await ana.table("me", "person", first=0, listed=True)
        await ion.post(f"/tables/{table}/sit", {"seat": 1})
        old, _ = await greet(ana, table, seat=0)
        _, secret = await link(ana, table, "seat", 0)
        live = server.node.tables[table]
        await on_server(server, live.log.lock.acquire())
        moving = asyncio.create_task(phone.post("/links/open", {"token": secret}))
        await waiting(live, 1)
        await say(old, words, **({"table": table, "seat": 0} if words == "hello" else {}))
        await waiting(live, 2)
        seats = on_server(server, watching_seats(live))
        await waiting(live, 3)
        await on_server(server, _release(live))
        await moving
        assert await seats == []
        heard: list[dict[str, Any]] = []
        with suppress(websockets.ConnectionClosed):
            async with asyncio.timeout(10):
                while True:
                    heard.append(json.loads(await old.recv()))
        assert [m.get("code") for m in heard] in ([], ["not-allowed"])
        assert old.close_code == 4009

    tell(tmp_path, story)


async def waiting(table: Any, count: int) -> None:
    """Wait until this many tasks wait for a table."""
    async with asyncio.timeout(10):
        while len(table.log.lock._waiters or ()) < count:
            await asyncio.sleep(0.01)


async def watching_seats(table: Any) -> list[int | None]:
    """The seats from which a table is watched, as soon as its lock is free."""
    async with table.log.lock:
        return [listener.seat for listener in table.audience.listeners]


async def _release(table: Any) -> None:
    table.log.lock.release()


def test_a_seat_that_was_left_says_nothing_any_more(tmp_path):
    async def story(server: Served) -> None:
        ana, ion = await people(server, "Ana", "Ion")
        table = await ana.table("me", "person", listed=True)
        socket, _ = await greet(ana, table, seat=0)
        await ana.post(f"/tables/{table}/seats/0/leave")
        await say(socket, "react", sign="wow")
        assert (await hear(socket, "refused"))["code"] == "not-allowed"
        await ion.post(f"/tables/{table}/sit", {"seat": 0})
        assert await close_code(socket) == 4009

    tell(tmp_path, story)


def test_a_spectator_by_a_link_watches_no_more_when_it_is_revoked(tmp_path):
    async def story(server: Served) -> None:
        ana, ion = await people(server, "Ana", "Ion")
        table = await ana.table("me", "random")
        name, secret = await link(ana, table, "watch")
        assert await code(ion, "GET", f"/tables/{table}") == (404, "not-found")
        assert (await ion.post("/links/open", {"token": secret}))["seat"] is None
        socket, welcome = await greet(ion, table)
        assert welcome["type"] == "welcome"
        asked = await code(ion, "POST", f"/tables/{table}/sit", {"seat": 0})
        assert asked == (403, "not-allowed")
        assert (await ana.ask("DELETE", f"/tables/{table}/links/{name}")).status_code == 204
        assert await close_code(socket) == 4009
        _, answer = await greet(ion, table)
        assert answer["code"] == "not-found"
        for path in ("", "/updates", "/moments/1", "/record", "/links"):
            assert await code(ion, "GET", f"/tables/{table}{path}") == (404, "not-found")
        asked = await code(ion, "POST", "/links/open", {"token": secret})
        assert asked == (404, "not-found")

    tell(tmp_path, story)


# -- hidden objects look like missing ones ---------------------------------------------------------

ASKED: list[tuple[str, str, Any]] = [
    ("GET", "", None),
    ("GET", "/updates", None),
    ("GET", "/updates?after=1&eyes=0", None),
    ("GET", "/updates?eyes=all", None),
    ("GET", "/moments/0", None),
    ("GET", "/moments/2?eyes=1", None),
    ("GET", "/moments/2147483647", None),
    ("GET", "/record", None),
    ("GET", "/links", None),
    ("POST", "/sit", {}),
    ("POST", "/sit", {"seat": 5}),
    ("POST", "/seats/0/leave", None),
    ("POST", "/seats/5/back", None),
    ("POST", "/seats/1/stand-in", None),
    ("POST", "/close", None),
    ("POST", "/rematch", None),
    ("POST", "/links", {"kind": "watch"}),
    ("POST", "/links", {"kind": "seat", "seat": 5}),
    ("DELETE", "/links/abc", None),
    ("GET", "/moments/-1", None),
    ("POST", "/sit", {"seat": 9}),
    ("PUT", "", {}),
]


def test_a_private_table_answers_as_one_that_is_not_there(tmp_path):
    async def story(server: Served) -> None:
        ana, eve = await people(server, "Ana", "Eve")
        waits = await ana.table("me", "person")
        runs = await ana.table("me", "random")
        ended = await ana.table("me", "random")
        await play_on(ana, ended, 0)
        for table in (waits, runs, ended):
            for method, path, body in ASKED:
                answers = [
                    await eve.ask(method, f"/tables/{name}{path}", body)
                    for name in (table, NOWHERE)
                ]
                assert answers[0].status_code in (400, 404, 405, 422)
                shown = [(a.status_code, bare(a.text), headers(a)) for a in answers]
                assert shown[0] == shown[1], (method, path)
            for seat in (None, 0, 5):
                told = [(await greet(eve, name, seat=seat))[1] for name in (table, NOWHERE)]
                assert told[0] == told[1]
                assert told[0]["code"] == "not-found"
        assert (await eve.get("/tables"))["tables"] == []
        assert (await eve.get("/me/tables"))["tables"] == []

    tell(tmp_path, story)


def bare(text: str) -> str:
    return re.sub(r'"request":"\w+"', "", text)


def headers(answer: httpx.Response) -> list[tuple[str, str]]:
    return [h for h in answer.headers.multi_items() if h[0] not in ("x-request-id", "date")]


def test_a_late_spectator_stays_behind_on_every_way(tmp_path):
    async def story(server: Served) -> None:
        ana, ion = await people(server, "Ana", "Ion")
        table = await ana.table("me", "random", delay=3600, listed=True, first=0)
        before = 2  # Ana sat down, and the terms were announced: that is sent at once
        assert (await ana.get(f"/tables/{table}/updates"))["version"] > before
        for eyes in ("mine", "spectator"):
            told = await ion.get(f"/tables/{table}/updates?eyes={eyes}")
            assert (told["version"], len(told["updates"])) == (before, before)
            assert not [update for update in told["updates"] if update["situation"]]
            asked = await code(ion, "GET", f"/tables/{table}/moments/3?eyes={eyes}")
            assert asked == (404, "not-found")
        # Nor can a player get ahead of the delay as a spectator in another window.
        seen = await ana.get(f"/tables/{table}/updates?eyes=spectator")
        assert seen["version"] == before
        socket, welcome = await greet(ion, table)
        assert (welcome["version"], welcome["view"], welcome["deciding"]) == (before, None, [])
        await say(socket, "hello", table=table, after=0)
        assert (await hear(socket))["version"] == before

    tell(tmp_path, story)


# -- other sites -----------------------------------------------------------------------------------

FOREIGN: list[dict[str, str]] = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:1"},
    {"origin": "http://["},
    {"origin": "http://127.0.0.1.evil.example"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": "https://evil.example", "authorization": ""},
    {"origin": "https://evil.example", "authorization": "Basic YTpi"},
]


def test_another_sites_page_changes_nothing(tmp_path):
    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as browser:
            await browser.post("/api/v1/people", json={"name": "Ana"})
            described = (await browser.get("/api/v1/schema/openapi.json")).json()
            unsafe = [
                (method.upper(), re.sub(r"\{\w+\}", "0", path))
                for path, item in described["paths"].items()
                for method in item
                if method in ("post", "put", "delete", "patch")
            ]
            assert len(unsafe) > 10
            for method, path in unsafe:
                for sent in FOREIGN:
                    answer = await browser.request(method, path, headers=sent)
                    assert answer.status_code == 403, (method, path, sent)
                    assert answer.json()["code"] == "bad-origin"
                    assert "set-cookie" not in answer.headers
                own = {"origin": server.address, "sec-fetch-site": "same-origin"}
                answer = await browser.request(method, path, headers=own)
                assert answer.status_code != 403, (method, path)

    tell(tmp_path, story)


def test_another_sites_page_opens_no_socket(tmp_path):
    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as browser:
            made = await browser.post("/api/v1/people", json={"name": "Ana"})
        cookie = {"cookie": f"macaz={made.cookies['macaz']}"}
        for sent in FOREIGN:
            status, problem = await refused_status(server.address, additional_headers=cookie | sent)
            assert (status, problem["code"]) == (403, "bad-origin")
        place = server.address.replace("http", "ws", 1) + "/api/v1/socket"
        own = cookie | {"origin": server.address}
        async with await websockets.connect(place, additional_headers=own) as socket:
            await say(socket, "ping")
            await hear(socket, "pong")

    tell(tmp_path, story)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_a_form_is_not_taken_for_json(tmp_path, kind):
    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as browser:
            answer = await browser.post(
                "/api/v1/people", content=b'{"name":"Eve"}', headers={"content-type": kind}
            )
            assert (answer.status_code, answer.json()["code"]) == (400, "bad-message")
            assert "set-cookie" not in answer.headers

    tell(tmp_path, story)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "localhost.evil.example", "[::1", "", "a@b@c", "["]
)
def test_another_name_that_leads_here_leads_nowhere(tmp_path, host):
    """DNS rebinding: the page of another site reaches this address under its own name."""

    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as browser:
            for path in ("/", "/api/v1/editions", "/api/v1/schema/openapi.json", "/metrics"):
                answer = await browser.get(path, headers={"host": host})
                assert (answer.status_code, answer.json()["code"]) == (403, "bad-origin"), path
            for path in ("/healthz", "/readyz"):
                assert (await browser.get(path, headers={"host": host})).status_code == 200
            for good in ("localhost", "LOCALHOST:80", "127.0.0.1:9", "[::1]:8124"):
                assert (await browser.get("/", headers={"host": good})).status_code == 200

    tell(tmp_path, story)


# -- headers and cookies ---------------------------------------------------------------------------


@pytest.mark.parametrize("secure", [False, True])
def test_every_answer_has_careful_headers(tmp_path, secure):
    async def story(server: Served) -> None:
        host = {"host": "play.example.org"} if secure else {}
        async with httpx.AsyncClient(base_url=server.address, headers=host) as browser:
            asked = [
                ("GET", "/", 200),
                ("GET", "/join", 200),
                ("GET", "/assets/part.js", 200),
                ("GET", "/api/v1/editions", 200),
                ("GET", "/api/v1/me", 401),
                ("GET", "/nothing", 404),
                ("DELETE", "/api/v1/editions", 405),
                ("GET", "/healthz", 200),
                ("POST", "/api/v1/people", 400),
            ]
            for method, path, status in asked:
                answer = await browser.request(method, path)
                assert answer.status_code == status, path
                told = answer.headers
                policy = told["content-security-policy"]
                assert "default-src 'none'" in policy
                assert "script-src 'self' 'wasm-unsafe-eval';" in policy
                assert "frame-ancestors 'none'" in policy
                assert "base-uri 'none'" in policy
                assert told["x-content-type-options"] == "nosniff"
                assert told["x-frame-options"] == "DENY"
                assert told["referrer-policy"] == "no-referrer"
                assert told["cross-origin-resource-policy"] == "same-origin"
                assert ("strict-transport-security" in told) == secure
                assert "server" not in told
                assert "access-control-allow-origin" not in told
                assert re.fullmatch(r"[0-9a-f]{16}", told["x-request-id"])
                if path.startswith("/api/"):
                    assert told["cache-control"] == "no-store"
            asked_before = {
                "origin": "https://evil.example",
                "access-control-request-method": "PUT",
            }
            answer = await browser.options("/api/v1/me", headers=asked_before)
            assert not [name for name in answer.headers if name.startswith("access-control")]
            # Refused sockets have them too, whatever the reason.
            for path, more, status in (
                ("/api/v1/socket", host, 401),
                ("/api/v1/socket", host | {"origin": "https://evil.example"}, 403),
                ("/nothing", host, 404),
            ):
                with pytest.raises(websockets.InvalidStatus) as refused:
                    await websockets.connect(
                        server.address.replace("http", "ws", 1) + path, additional_headers=more
                    )
                answer_ = refused.value.response
                assert answer_.status_code == status
                assert re.fullmatch(r"[0-9a-f]{16}", answer_.headers["x-request-id"])
                assert json.loads(answer_.body)["request"] == answer_.headers["x-request-id"]
                assert answer_.headers["x-content-type-options"] == "nosniff"

    more = {"origin": "https://play.example.org", "trusted_proxies": ("10.0.0.1",)}
    tell(tmp_path, story, **(more if secure else {}))


def test_cookies_are_for_this_site_alone(tmp_path):
    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as browser:
            made = await browser.post("/api/v1/people", json={"name": "Ana"})
            name, *rest = re.split("; ", made.headers["set-cookie"])
            assert name.startswith("macaz=")
            assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(rest)
            assert "Secure" not in rest
            gone = await browser.post("/api/v1/me/forget")
            assert "Max-Age=0" in gone.headers["set-cookie"]

    tell(tmp_path, story)


def test_cookies_travel_by_https_where_there_is_https(tmp_path):
    async def story(server: Served) -> None:
        host = {"host": "play.example.org", "origin": "https://play.example.org"}
        async with httpx.AsyncClient(base_url=server.address, headers=host) as browser:
            made = await browser.post("/api/v1/people", json={"name": "Ana"})
            name, *rest = re.split("; ", made.headers["set-cookie"])
            assert name.startswith("__Host-macaz=")
            assert {"HttpOnly", "SameSite=Lax", "Path=/", "Secure"} <= set(rest)
            assert not [part for part in rest if part.startswith("Domain")]
            # The name without the prefix, which any subdomain could set, is ignored.
            value = name.partition("=")[2]
            for cookie, status in (("__Host-macaz", 200), ("macaz", 401)):
                sent = {"cookie": f"{cookie}={value}"}
                assert (await browser.get("/api/v1/me", headers=sent)).status_code == status
            plain = {"origin": "http://play.example.org"}
            answer = await browser.post("/api/v1/me/forget", headers=plain)
            assert answer.status_code == 403

    tell(tmp_path, story, origin="https://play.example.org", trusted_proxies=("10.0.0.1",))


# -- limits ----------------------------------------------------------------------------------------


def too_much(answer: httpx.Response, *codes: str) -> bool:
    if answer.status_code != 429:
        return False
    assert int(answer.headers["retry-after"]) > 0
    assert answer.json()["code"] in codes
    return True


def test_requests_of_one_address(tmp_path):
    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as caller:
            # Whatever an untrusted client claims about its address.
            told = [
                await caller.get("/api/v1/bots", headers={"x-forwarded-for": f"10.1.1.{i}"})
                for i in range(8)
            ]
            assert [too_much(a, "too-fast") for a in told] == [False] * 5 + [True] * 3
            assert too_much(await caller.get("/"), "too-fast")
            status, problem = await refused_status(server.address)
            assert (status, problem["code"]) == (429, "too-fast")
            assert (await caller.get("/healthz")).status_code == 200

    tell(tmp_path, story, requests_per_minute=5)


def test_a_trusted_proxy_is_believed_about_addresses(tmp_path):
    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as proxy:

            async def ask(address: str) -> bool:
                sent = {"x-forwarded-for": address}
                return too_much(await proxy.get("/api/v1/bots", headers=sent), "too-fast")

            assert [await ask("10.1.1.1") for _ in range(5)] == [False] * 3 + [True] * 2
            assert [await ask("10.1.1.2") for _ in range(3)] == [False] * 3
            # What the client wrote itself comes before what the proxy added.
            assert await ask("10.9.9.9, 10.1.1.1")
            # All addresses of one IPv6 network count as one.
            assert [await ask(f"2001:db8::{i}") for i in range(1, 5)] == [False] * 3 + [True]
            assert not await ask("2001:db8:0:1::1")
            sent = {"x-forwarded-for": "10.1.1.3"}
            assert (await proxy.get("/metrics", headers=sent)).status_code == 404

    tell(tmp_path, story, requests_per_minute=3, trusted_proxies=("127.0.0.1",))


def test_one_person_from_many_addresses(tmp_path):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        async with httpx.AsyncClient(base_url=server.address, headers=ana.headers) as proxy:
            told = [
                await proxy.get("/api/v1/me", headers={"x-forwarded-for": f"10.2.{i}.1"})
                for i in range(8)
            ]
        assert [too_much(a, "too-fast") for a in told] == [False] * 5 + [True] * 3

    tell(tmp_path, story, requests_per_minute=5, trusted_proxies=("127.0.0.1",))


def test_messages_of_one_person_through_all_sockets(tmp_path):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        async with await ana.connect() as one, await ana.connect() as two:
            for _ in range(30):
                await say(one, "ping")
                await say(two, "ping")
            kinds = [(await hear(s))["type"] for s in (one, two) for _ in range(30)]
        assert kinds.count("refused") > 0
        assert kinds.count("pong") > 0

    tell(tmp_path, story, messages_per_second=10)


def test_new_people_of_one_address(tmp_path):
    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as caller:
            told = [await caller.post("/api/v1/people", json={"name": f"N{i}"}) for i in range(4)]
            assert [too_much(a, "too-fast") for a in told] == [False, False, True, True]

    tell(tmp_path, story, people_per_hour=2)


@pytest.mark.parametrize("limit", ["sockets_per_person", "sockets_per_address", "sockets"])
def test_sockets(tmp_path, limit):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        held = [closed_later(await ana.connect()) for _ in range(3)]
        status, problem = await refused_status(server.address, additional_headers=ana.headers)
        assert (status, problem["code"]) == (429, "too-many")
        await held[0].close()
        async with asyncio.timeout(10):
            while len(server.node.connections) > 2:
                await asyncio.sleep(0.01)
        async with await ana.connect() as socket:
            await say(socket, "ping")
            await hear(socket, "pong")

    tell(tmp_path, story, **{limit: 3})


def test_tables_of_one_person(tmp_path):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        body = {"edition": "tiny", "seats": [{"kind": "person"}] * 2}
        first = (await ana.post("/tables", body))["id"]
        await ana.post(f"/tables/{first}/close")
        asked = [code(ana, "POST", "/tables", body) for _ in range(20)]
        assert sorted(await asyncio.gather(*asked)) == [(201, "")] * 2 + [(429, "too-many")] * 18
        # A rematch counts like any other table.
        assert await code(ana, "POST", f"/tables/{first}/rematch") == (429, "too-many")

    tell(tmp_path, story, tables_per_person=2)


def test_signs_of_one_person(tmp_path):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        table = await ana.table("me", "person")
        for told in (["reaction", "reaction", "refused"], ["refused"]):
            socket, _ = await greet(ana, table, seat=0)  # a new socket does not reset the limit
            for kind in told:
                await say(socket, "react", sign="wow")
                answer = await hear(socket)
                assert answer["type"] == kind
                assert kind == "reaction" or answer["code"] == "too-fast"

    tell(tmp_path, story, reactions_per_minute=2)


def test_a_client_that_does_not_listen_to_refusals_is_cut_off(tmp_path):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        async with await ana.connect() as socket:
            for _ in range(51):
                await say(socket, "look")
            for _ in range(51):
                assert (await hear(socket))["code"] == "not-now"
            assert await close_code(socket) == 4029

    tell(tmp_path, story)


def test_a_body_that_is_too_long(tmp_path):
    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as caller:

            async def pieces() -> Any:
                for _ in range(300):
                    yield b" " * 1000

            for content in (b" " * 300_000, pieces()):
                sent = {"content-type": "application/json"}
                answer = await caller.post("/api/v1/people", content=content, headers=sent)
                assert (answer.status_code, answer.json()["code"]) == (413, "too-large")

    tell(tmp_path, story)


def test_a_body_that_cannot_be_read(tmp_path, caplog):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        sent = ana.headers | {"content-type": "application/json"}
        async with httpx.AsyncClient(base_url=server.address, headers=sent) as caller:
            for content in (
                b"[" * 30_000,
                b'{"seats":' * 5_000,
                b'{"name":"\xff"}',
                b'{"name":"\\ud800"}',
                b"NaN",
                b"",
                b"\x00",
                "{}".encode("utf-16"),
            ):
                for path in ("/people", "/tables", "/links/open"):
                    answer = await caller.post(f"/api/v1{path}", content=content)
                    assert (answer.status_code, answer.json()["code"]) == (400, "bad-message")

    tell(tmp_path, story)
    assert not [r for r in caplog.records if r.levelname == "ERROR"]


def test_a_head_without_end(tmp_path, monkeypatch):
    async def story(server: Served) -> None:
        host, port = server.address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ")
        sent = 0
        async with asyncio.timeout(30):
            try:
                while sent < 50_000_000:
                    writer.write(b"a" * 100_000)
                    sent += 100_000
                    await writer.drain()
            except ConnectionError:
                pass
        assert sent < 50_000_000
        writer.close()
        # A head that comes too slowly, or not at all.
        for begin in (b"", b"GET /healthz HTTP/1.1\r\nhost: loc"):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(begin)
            async with asyncio.timeout(30):
                assert await reader.read() == b""
            writer.close()
        # Others are served, one request after the other over one connection.
        async with httpx.AsyncClient(base_url=server.address) as caller:
            for _ in range(5):
                answer = await caller.get("/healthz", headers={"x": "y" * 30_000})
                assert answer.status_code == 200

    monkeypatch.setattr("macaz.server.request_limits.HEAD_SECONDS", 0.5)
    tell(tmp_path, story)


def head_of(size: int, fields: int) -> bytes:
    """The head of a request with this many bytes in additional header fields."""
    each = size // fields
    more = b"".join(b"x%05d: %s\r\n" % (n, b"a" * (each - 10)) for n in range(fields))
    assert len(more) == each * fields
    return b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n" + more + b"\r\n"


@pytest.mark.parametrize("fields", [1, 10, 4000])
@pytest.mark.parametrize("upgrade", [False, True], ids=["http", "socket"])
def test_a_long_head_is_refused_in_one_piece_or_many(tmp_path, fields, upgrade):
    async def ask(server: Served, head: bytes, pieces: int) -> bytes:
        if upgrade:
            socket = b"upgrade: websocket\r\nconnection: upgrade\r\n\r\n"
            head = head.replace(b"/healthz", b"/api/v1/socket").removesuffix(b"\r\n") + socket
        reader, writer = await connection(server)
        for n in range(pieces):
            writer.write(head[len(head) * n // pieces : len(head) * (n + 1) // pieces])
            await asyncio.sleep(0)
        async with asyncio.timeout(30):
            try:
                return await reader.readline()
            except ConnectionError:  # refused before everything was sent
                return b"HTTP/1.1 431 "

    async def story(server: Served) -> None:
        for pieces in (1, 2, 50):
            assert b" 431 " in await ask(server, head_of(70_000, fields), pieces)
            fine = await ask(server, head_of(60_000, fields), pieces)
            assert fine.startswith(b"HTTP/1.1 4" if upgrade else b"HTTP/1.1 200")
            assert b" 431 " not in fine
        # A long address is part of the head.
        long = head_of(60_000, fields).replace(b"/healthz", b"/healthz?" + b"a" * 10_000)
        assert b" 431 " in await ask(server, long, 1)

    tell(tmp_path, story)


@pytest.mark.parametrize("end", [b"0\r\nx: ", b"2;"], ids=["trailer", "chunk"])
def test_what_follows_a_body_is_no_longer_than_a_head(tmp_path, end):
    """The parser would keep an endless field completely, and copy it for every piece."""

    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        reader, writer = await connection(server)
        writer.write(
            b"POST /api/v1/tables HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n"
            b"authorization: Bearer %s\r\n\r\n2\r\n{}\r\n%s" % (ana.token.encode(), end)
        )
        sent = 0
        with suppress(ConnectionError):
            async with asyncio.timeout(30):
                while sent < 2**24:
                    writer.write(b"a" * 2**16)
                    await writer.drain()
                    sent += 2**16
        assert sent < 2**24
        # A body may arrive in any number of pieces.
        body = b'{"name": "Zoe"}' + b" " * 30_000
        reader, writer = await connection(server)
        writer.write(
            b"POST /api/v1/people HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n"
            b"content-type: application/json\r\n\r\n"
        )
        writer.write(b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\nx: y\r\n\r\n")
        async with asyncio.timeout(30):
            assert b" 201 " in await reader.readline()
        writer.close()

    tell(tmp_path, story)


def test_a_body_that_does_not_come(tmp_path, monkeypatch, caplog):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        head = (
            "POST /api/v1/tables HTTP/1.1\r\nhost: localhost\r\ncontent-length: 50\r\n"
            f"content-type: application/json\r\nauthorization: Bearer {ana.token}\r\n\r\n"
        )
        for begin in ("", '{"edition"'):
            reader, writer = await connection(server)
            writer.write((head + begin).encode())
            async with asyncio.timeout(30):
                with suppress(ConnectionError):
                    assert await reader.read() == b""
        # Complete requests are waited for, and so are sockets.
        socket = closed_later(await ana.connect())
        table = await ana.table("me", "person")
        await asyncio.sleep(1)
        assert (await ana.get(f"/tables/{table}"))["status"] == "waiting"
        await say(socket, "ping")
        await hear(socket, "pong")

    monkeypatch.setattr("macaz.server.request_limits.BODY_SECONDS", 0.5)
    tell(tmp_path, story)
    assert not [r for r in caplog.records if r.levelname == "ERROR"]


async def connection(server: Served) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection without a request yet."""
    host, port = server.address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    _at_the_end.get().callback(writer.close)
    return reader, writer


async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Whether a connection is served, and not closed."""
    async with asyncio.timeout(30):
        try:
            writer.write(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
            return (await reader.read(12)).startswith(b"HTTP/1.1 200")
        except ConnectionError:
            return False


def test_connections_of_one_address(tmp_path):
    async def story(server: Served) -> None:
        # Sockets have their own limit, and leave room for as many connections as before.
        async with httpx.AsyncClient(base_url=f"{server.address}/api/v1") as caller:
            made = await caller.post("/people", json={"name": "Ana", "token": "test"})
        ana = closed_later(Client(server.address, made.json()["token"]))
        held = [closed_later(await ana.connect()) for _ in range(2)]
        places = [await connection(server) for _ in range(4)]
        assert [await answered(*place) for place in places] == [True] * 4
        assert not await answered(*await connection(server))
        places[0][1].close()
        async with asyncio.timeout(30):
            while not await answered(*await connection(server)):
                await asyncio.sleep(0.01)
        for socket in held:
            await say(socket, "ping")
            await hear(socket, "pong")

    tell(tmp_path, story, sockets_per_address=2)


def test_through_a_trusted_proxy_everybody_comes(tmp_path):
    async def story(server: Served) -> None:
        places = [await connection(server) for _ in range(10)]
        assert [await answered(*place) for place in places] == [True] * 10

    tell(tmp_path, story, sockets_per_address=1, trusted_proxies=("127.0.0.0/8",))


def test_limits_do_not_grow_with_those_who_come(monkeypatch):
    monkeypatch.setattr(limits, "MOST_KEYS", 100)
    rate = RateLimit(1, 60)
    for number in range(1000):
        assert rate.allows(str(number))
    assert len(rate._left) == 100
    assert not rate.allows("999")
    room = ConnectionLimit(1)
    for number in range(1000):
        with room.one(str(number)):
            pass
    assert not room._there


def test_addresses_of_one_network_are_one():
    assert network("10.0.0.1") == "10.0.0.1"
    assert network("2001:db8:1:2:3:4:5:6") == network("2001:db8:1:2::") == "2001:db8:1:2::"
    assert network("::ffff:10.0.0.1") == "10.0.0.1"
    assert network("fe80::1%eth0") == "fe80::"
    assert network("?") == "?"


def test_one_socket_listens_at_one_table(tmp_path):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        tables = [await ana.table("me", "person") for _ in range(20)]
        async with await ana.connect() as socket:
            for table in tables * 3:
                await say(socket, "hello", table=table, seat=0)
                await hear(socket, "welcome")
            assert sum(len(t.audience.listeners) for t in server.node.tables.values()) == 1
            for seat in range(6):
                for _ in range(50):
                    await say(socket, "mute", seat=seat)
            await say(socket, "ping")
            await hear(socket, "pong")
            [connection] = server.node.connections
            assert len(connection.muted) == 6
        async with asyncio.timeout(10):
            while server.node.connections:
                await asyncio.sleep(0.01)
        assert not any(t.audience.listeners for t in server.node.tables.values())

    tell(tmp_path, story)


# -- at the same moment ----------------------------------------------------------------------------


def test_one_seat_and_many_who_want_it(tmp_path):
    async def story(server: Served) -> None:
        ana, *others = await people(server, *"ABCDEFGH")
        table = await ana.table("me", "person", listed=True)
        asked = [code(c, "POST", f"/tables/{table}/sit", {"seat": 1}) for c in others]
        told = await asyncio.gather(*asked)
        assert sorted(told)[0] in ((200, ""), (201, ""))
        assert {code for status, code in told if status >= 400} <= {"taken", "not-now"}
        assert [status < 400 for status, _ in told].count(True) == 1

    tell(tmp_path, story)


def test_many_who_want_a_rematch_get_the_same(tmp_path):
    async def story(server: Served) -> None:
        ana, ion = await people(server, "Ana", "Ion")
        table = await ana.table("me", "person", listed=True)
        await ion.post(f"/tables/{table}/sit", {})
        await asyncio.gather(play_on(ana, table, 0), play_on(ion, table, 1))
        asked = [client.post(f"/tables/{table}/rematch") for client in (ana, ion) * 5]
        tables = {info["id"] for info in await asyncio.gather(*asked)}
        assert len(tables) == 1
        info = await ana.get(f"/tables/{tables.pop()}")
        assert sorted(seat["name"] for seat in info["seats"]) == ["Ana", "Ion"]

    tell(tmp_path, story)


# -- names, paths, methods -------------------------------------------------------------------------

ODD = "\u202eAna\u0000\n\t \u200b\u2066x"


def test_names_are_one_line_that_can_be_seen(tmp_path):
    async def story(server: Served) -> None:
        ana = closed_later(Client(server.address))
        made = await ana.post("/people", {"name": ODD, "token": ODD})
        ana.token = made["token"]
        assert made["name"] == "Ana x"
        assert (await ana.get("/me/tokens"))[0]["label"] == "Ana x"
        body = {"edition": "usa", "seats": [{"kind": "person"}] * 4, "mine": [ODD, f"{ODD}2"]}
        table = await ana.post("/tables", body)
        await ana.post(f"/tables/{table['id']}/sit", {"seat": 2, "name": f"{ODD}3"})
        _, secret = await link(ana, table["id"], "seat", 3)
        await ana.post("/links/open", {"token": secret, "name": f"{ODD}4"})
        names = [s["name"] for s in (await ana.get(f"/tables/{table['id']}"))["seats"]]
        assert names == ["Ana x", "Ana x2", "Ana x3", "Ana x4"]
        put = await ana.ask("PUT", "/me", {"name": ODD, "color": "red"})
        assert put.json()["name"] == "Ana x"
        for nothing in ("\u200b", "\n", "\u202e \u0000", "\u3164", "\u034f", "\u2800\ufe0f"):
            asked = await code(ana, "POST", "/people", {"name": nothing})
            assert asked == (422, "bad-value")
            asked = await code(ana, "POST", "/tables", body | {"mine": [nothing]})
            assert asked == (422, "bad-value")
        for seed in ("1\n[Name: x]", "\0", "\u202e1"):
            asked = await code(ana, "POST", "/tables", body | {"seed": seed})
            assert asked == (422, "bad-value")

    tell(tmp_path, story)


def test_paths_lead_to_nothing_but_the_page(tmp_path, caplog):
    async def story(server: Served) -> None:
        host, port = server.address.removeprefix("http://").split(":")
        for path in (
            "/assets/../app.py",
            "/assets/..%2fapp.py",
            "/assets/%2e%2e/app.py",
            "/assets/%2e%2e%2f%2e%2e%2fserver/app.py",
            "/assets/..%5capp.py",
            "/assets//etc/passwd",
            "/assets/%2fetc%2fpasswd",
            "/assets/%00",
            "/assets/part.js%00.png",
            "/assets/part.js/",
            "/assets/",
            "/assets",
            "/../../etc/passwd",
            "//etc/passwd",
            "/web/index.html",
            "/%ff",
        ):
            # Raw, since clients normalize such paths.
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(f"GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode())
            status = (await reader.readline()).split()[1]
            assert status in (b"404", b"400") or path == "/assets/part.js/", path
            body = await reader.read(4000)
            assert b"import" not in body
            assert b"root:" not in body
            writer.close()

    tell(tmp_path, story)
    assert not [r for r in caplog.records if r.levelname == "ERROR"]


def test_methods(tmp_path):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        for method in ("PATCH", "DELETE", "TRACE", "HEAD"):
            answer = await ana.ask(method, "/me")
            assert answer.status_code == 405
            assert {"GET", "PUT"} <= set(re.split(", *", answer.headers["allow"]))
        answer = await ana.ask("OPTIONS", "/me")
        assert answer.status_code == 204
        assert (await ana.get("/me/"))["name"] == "Ana"  # a trailing slash makes no difference

    tell(tmp_path, story)


# -- for the host only -----------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "status"), [("off", 404), ("local", 200), ("all", 200)])
def test_metrics(tmp_path, who, status):
    async def story(server: Served) -> None:
        async with httpx.AsyncClient(base_url=server.address) as caller:
            assert (await caller.get("/metrics")).status_code == status
            # Through the proxy, from elsewhere.
            sent = {"x-forwarded-for": "203.0.113.9"}
            far = (await caller.get("/metrics", headers=sent)).status_code
            assert far == (200 if who == "all" else 404)

    tell(tmp_path, story, metrics=who, trusted_proxies=("127.0.0.1",))


def test_however_many_ask_whether_it_is_ready_the_database_is_asked_once(tmp_path, monkeypatch):
    async def story(server: Served) -> None:
        pings = 0
        ping = server.node.store.ping

        async def counted() -> None:
            nonlocal pings
            pings += 1
            await ping()

        monkeypatch.setattr(server.node.store, "ping", counted)
        async with httpx.AsyncClient(base_url=server.address) as caller:
            for _ in range(3):
                answers = await asyncio.gather(*(caller.get("/readyz") for _ in range(20)))
                assert {answer.text for answer in answers} == {"ready"}
        assert pings == 1

    monkeypatch.setattr("macaz.server.app.READY_SECONDS", 3600)
    tell(tmp_path, story)


def test_ready_or_not(tmp_path, monkeypatch):
    async def story(server: Served) -> None:
        [ana] = await people(server, "Ana")
        async with httpx.AsyncClient(base_url=server.address) as caller:

            async def states() -> tuple[int, int]:
                health, ready = await caller.get("/healthz"), await caller.get("/readyz")
                return health.status_code, ready.status_code

            assert await states() == (200, 200)
            server.node.draining = True
            assert await states() == (200, 503)
            assert await code(ana, "GET", "/tables") == (503, "closing")
            status, problem = await refused_status(server.address, additional_headers=ana.headers)
            assert (status, problem["code"]) == (503, "closing")
            server.node.draining = False
            assert await states() == (200, 200)
            await on_server(server, server.node.store.close())
            assert await states() == (200, 503)
            answer = await ana.ask("GET", "/me")
            assert (answer.status_code, answer.json()["code"]) == (503, "storage")
            assert int(answer.headers["retry-after"]) > 0

    monkeypatch.setattr("macaz.server.app.READY_SECONDS", 0)
    tell(tmp_path, story)


# -- the log ---------------------------------------------------------------------------------------


@pytest.fixture
def everything_logged() -> Iterator[io.StringIO]:
    """Everything that is logged at the level "debug"."""
    names = ("macaz", "uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")
    before = {n: (logging.getLogger(n).propagate, logging.getLogger(n).level) for n in names}
    handlers, level = logging.root.handlers[:], logging.root.level
    stream = io.StringIO()
    logs.configure("text", "debug", stream=stream)
    yield stream
    logging.captureWarnings(capture=False)
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)
    for name, (propagate, old) in before.items():
        logging.getLogger(name).propagate = propagate
        logging.getLogger(name).setLevel(old)


def test_no_secret_is_logged(tmp_path, everything_logged):
    secrets: dict[str, str] = {}

    async def story(server: Served) -> None:
        ana, ion = await people(server, "Ana", "Ion")
        secrets["token"] = ana.token
        secrets["token's rest"] = ana.token.removeprefix("macaz_")
        made = await ana.post("/me/tokens", {"label": "bot"})
        secrets["second token"] = made["secret"]
        cookie = ana.http.cookies["macaz"]
        secrets["cookie"], secrets["cookie's digest"] = cookie, digest(cookie)
        secrets["signing key"] = await on_server(
            server, server.node.store.settings.get("signing-key", lambda: "")
        )
        [(first, _), *_] = await on_server(server, sessions_in(server.node.store))
        secrets["session"] = first.id
        for path in (f"/me/sessions/{first.id}", f"/me/tokens/{made['id']}"):
            assert (await ion.ask("DELETE", path)).status_code == 404
        secrets["token's id"] = made["id"]
        table = await ana.table("me", "person")
        _, secrets["seat link"] = await link(ana, table, "seat", 1)
        _, secrets["watch link"] = await link(ana, table, "watch")
        for kind in ("seat link", "watch link", "seat link"):
            await ion.ask("POST", "/links/open", {"token": secrets[kind]})
        await asyncio.gather(play_on(ana, table, 0), play_on(ion, table, 1))
        row = await on_server(server, server.node.store.games.get(table))
        secrets["deal"], secrets["deal in hex"] = repr(row.secret)[2:-1], row.secret.hex()
        secrets["deal in base64"] = base64.b64encode(row.secret).decode().rstrip("=")
        # A client that puts secrets where they do not belong.
        secrets["query"] = "asked-with-a-query"
        place = server.address.replace("http", "ws", 1) + f"/api/v1/socket?q={secrets['query']}"
        sent = {"cookie": f"macaz={cookie}", "user-agent": "x"}
        closed_later(await websockets.connect(place, additional_headers=sent))
        async with httpx.AsyncClient(base_url=server.address) as caller:
            for path in ("/", "/api/v1/me", "/nothing", "/api/v1/tables/x"):
                query = f"?token={ana.token}&q={secrets['query']}"
                await caller.get(path + query, headers={"cookie": f"macaz={cookie}"})
            await caller.get("/", headers={"host": "[", "authorization": f"Bearer {ana.token}"})

    tell(tmp_path, story, log_level="debug")
    logged = everything_logged.getvalue()
    assert "request" in logged
    assert [name for name, secret in secrets.items() if secret in logged] == []
