"""The nonces that people add to a deal: pledged, announced, sent, and in the record."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server import harness
from tests.server.harness import (
    Client,
    Player,
    Served,
    hear,
    play_on,
    say,
    serving,
    settings,
)

from macaz.edition import load_edition
from macaz.game import Game
from macaz.game.fair import NONCE_BYTES, SECRET_BYTES, Dealer, Share, pledge_of
from macaz.game.record import announcement, dump_record, verify_record
from macaz.server import state as states
from macaz.server.entries import Announced, NonceAdded, Sat, decode_entry, encode_entry
from macaz.server.history import _record
from macaz.server.state import Deal, SeatTerms, Terms, announce, begin, follow, new_state
from macaz.server.store.rows import EntryRow

LONG = 60.0  # seconds that a table waits for nonces, in tests where they come
SHORT = 0.2  # seconds, in tests where they do not


class Nonce:
    """A nonce as a client keeps it."""

    def __init__(self) -> None:
        self.bytes = secrets.token_bytes(NONCE_BYTES)
        self.hex = self.bytes.hex()
        self.pledge = pledge_of(self.bytes)


opened: list[Any] = []  # sockets, closed at the end of a test


async def seated(client: Client, table: str, seat: int | None) -> Player:
    player = await harness.seated(client, table, seat)
    opened.append(player.socket)
    return player


async def close_all() -> None:
    while opened:
        await opened.pop().close()


def told(
    folder: Path,
    story: Callable[[Served, Client, Client], Coroutine[Any, Any, None]],
    wait: float = LONG,
) -> None:
    """Run a test with Ana and Ion on a server."""

    async def play(server: Served) -> None:
        ana, ion = [await Client.new(server.address, name) for name in ("Ana", "Ion")]
        async with aclosing(ana.http), aclosing(ion.http):
            try:
                await story(server, ana, ion)
            finally:
                await close_all()

    with serving(settings(folder, nonce_wait=wait)) as server:
        asyncio.run(play(server))


async def full_table(
    ana: Client, ion: Client, mine: Nonce | None, theirs: Nonce | None, **more: Any
) -> str:
    """A table of both, with these nonces pledged."""
    pledge = {} if mine is None else {"pledge": mine.pledge}
    table = await ana.table("me", "person", listed=True, **pledge, **more)
    pledge = {} if theirs is None else {"pledge": theirs.pledge}
    await ion.post(f"/tables/{table}/sit", {"seat": 1, **pledge})
    return table


async def add(player: Player, nonce: str) -> str:
    """Send a nonce; returns the code of the refusal, or an empty text."""
    await say(player.socket, "add-nonce", nonce=nonce)
    await say(player.socket, "ping")
    code = ""
    while (message := await hear(player.socket))["type"] != "pong":
        if message["type"] == "refused":
            code = message["code"]
        elif message["type"] in ("welcome", "update"):
            player.last = message
    return code


async def hear_up_to_now(player: Player) -> list[dict[str, Any]]:
    """All messages to a socket meanwhile."""
    await say(player.socket, "ping")
    heard = []
    while (message := await hear(player.socket))["type"] != "pong":
        heard.append(message)
    return heard


async def nonces(client: Client, table: str) -> list[str]:
    """What each seat adds, according to the table."""
    return [seat["nonce"] for seat in (await client.get(f"/tables/{table}"))["seats"]]


async def proved(client: Client, table: str, **more: Any) -> Any:
    """The proof of a finished game."""
    record = await client.get(f"/tables/{table}/record")
    announced = (await client.get(f"/tables/{table}"))["announcement"]
    return verify_record(record, announced=announced, **more)


async def to_the_end(ana: Client, ion: Client, table: str) -> None:
    await asyncio.gather(play_on(ana, table, 0), play_on(ion, table, 1))


def test_the_deal_waits_for_both_nonces_and_follows_from_them(tmp_path):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        mine, theirs = Nonce(), Nonce()
        table = await ana.table("me", "person", listed=True, pledge=mine.pledge)
        assert await nonces(ana, table) == ["pledged", "none"]
        assert (await ana.get(f"/tables/{table}"))["announcement"] is None
        await ion.post(f"/tables/{table}/sit", {"seat": 1, "pledge": theirs.pledge})
        info = await ana.get(f"/tables/{table}")
        assert info["status"] == "waiting"
        lines = info["announcement"].splitlines()
        assert f"pledge 1: {mine.pledge}" in lines
        assert f"pledge 2: {theirs.pledge}" in lines
        assert f"commitment: {info['commitment']}" in lines
        first, second = await seated(ana, table, 0), await seated(ion, table, 1)
        assert await add(second, theirs.hex) == ""
        assert await nonces(ana, table) == ["pledged", "added"]
        assert (await ana.get(f"/tables/{table}"))["status"] == "waiting"
        assert await add(first, mine.hex) == ""
        assert (await ana.get(f"/tables/{table}"))["status"] == "running"
        assert await nonces(ana, table) == ["added", "added"]
        await to_the_end(ana, ion, table)
        proof = await proved(ana, table, nonce=mine.hex)
        assert (proof.verdict, proof.added, proof.missing) == ("fair", (1, 2), ())
        assert (await proved(ana, table, nonce=theirs.hex)).fair
        assert (await proved(ana, table, nonce=Nonce().hex)).verdict == "not-used"

    told(tmp_path, story)


@pytest.mark.parametrize("pledging", [False, True])
def test_a_table_with_old_clients_begins_at_once_and_says_so(tmp_path, pledging):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        mine = Nonce() if pledging else None
        table = await full_table(ana, ion, mine, None)
        if mine is not None:
            assert await add(await seated(ana, table, 0), mine.hex) == ""
        assert (await ana.get(f"/tables/{table}"))["status"] == "running"
        await to_the_end(ana, ion, table)
        record = await ana.get(f"/tables/{table}/record")
        assert ("pledge 1: none" in record) == (not pledging)
        assert "pledge 2: none" in record
        proof = await proved(ana, table)
        assert proof.fair
        assert ("Only the host" in (proof.origin or "")) == (not pledging)

    told(tmp_path, story)


def test_bots_among_themselves_add_nothing(tmp_path):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        table = await ana.table("random", "random", pledge=Nonce().pledge)
        while (await ana.get(f"/tables/{table}"))["status"] != "finished":
            await asyncio.sleep(0.01)
        assert "Only the host" in ((await proved(ana, table)).origin or "")

    told(tmp_path, story)


def test_no_nonce_is_added_to_the_deal_of_a_seed(tmp_path):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        mine = Nonce()
        table = await ana.table("me", "random", seed="7", pledge=mine.pledge)
        assert (await ana.get(f"/tables/{table}"))["status"] == "running"
        assert await nonces(ana, table) == ["none", "none"]
        assert await add(await seated(ana, table, 0), mine.hex) == "bad-value"

    told(tmp_path, story)


def test_friends_on_one_screen_tell_one_nonce(tmp_path):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        mine = Nonce()
        table = await ana.table("me", "random", "me", pledge=mine.pledge)
        assert await nonces(ana, table) == ["pledged", "none", "pledged"]
        assert await add(await seated(ana, table, 0), mine.hex) == ""
        assert (await ana.get(f"/tables/{table}"))["status"] == "running"
        assert await nonces(ana, table) == ["added", "none", "added"]

    told(tmp_path, story)


def test_links_and_rematches_take_a_pledge(tmp_path):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        mine, theirs = Nonce(), Nonce()
        table = await ana.table("me", "person", pledge=mine.pledge)
        url = (await ana.post(f"/tables/{table}/links", {"kind": "join"}))["url"]
        token = url.partition("#")[2]
        await ion.post("/links/open", {"token": token, "pledge": theirs.pledge})
        assert await add(await seated(ana, table, 0), mine.hex) == ""
        assert await add(await seated(ion, table, 1), theirs.hex) == ""
        await to_the_end(ana, ion, table)
        assert (await proved(ana, table)).added == (1, 2)
        mine, theirs = Nonce(), Nonce()
        again = (await ana.post(f"/tables/{table}/rematch", {"pledge": mine.pledge}))["id"]
        assert (await ion.post(f"/tables/{table}/rematch", {"pledge": theirs.pledge}))[
            "id"
        ] == again
        assert await add(await seated(ana, again, 1), mine.hex) == ""
        assert await add(await seated(ion, again, 0), theirs.hex) == ""
        assert await nonces(ana, again) == ["added", "added"]
        await asyncio.gather(play_on(ana, again, 1), play_on(ion, again, 0))
        once_more = (await ana.post(f"/tables/{again}/rematch"))["id"]  # an old client
        assert await nonces(ana, once_more) == ["none", "none"]

    told(tmp_path, story)


# -- clients that cheat ----------------------------------------------------------------------------


def test_a_nonce_is_taken_once_in_time_and_as_pledged(tmp_path):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        mine, theirs, elsewhere = Nonce(), Nonce(), Nonce()
        other = await ana.table("me", "random", pledge=elsewhere.pledge)
        assert await add(await seated(ana, other, 0), elsewhere.hex) == ""
        table = await ana.table("me", "person", listed=True, pledge=mine.pledge)
        first = await seated(ana, table, 0)
        assert await add(first, mine.hex) == "not-now"  # before the announcement
        await ion.post(f"/tables/{table}/sit", {"seat": 1, "pledge": theirs.pledge})
        second = await seated(ion, table, 1)
        for wrong in (Nonce().hex, theirs.hex, elsewhere.hex, mine.pledge):
            assert await add(first, wrong) == "bad-value"
        assert await add(second, mine.hex) == "bad-value"
        zoe = await Client.new(server.address, "Zoe")
        async with aclosing(zoe.http):
            for watcher in (await seated(zoe, table, None), await seated(ana, table, None)):
                assert await add(watcher, mine.hex) == "not-allowed"
        assert await nonces(ana, table) == ["pledged", "pledged"]
        assert await add(first, mine.hex) == ""
        version = (await ana.get(f"/tables/{table}"))["version"]
        for _ in range(3):
            assert await add(first, mine.hex) == ""  # again: nothing changes
        assert await add(first, Nonce().hex) == "bad-value"
        assert (await ana.get(f"/tables/{table}"))["version"] == version
        assert await add(second, theirs.hex) == ""
        version = (await ana.get(f"/tables/{table}"))["version"]
        assert await add(second, theirs.hex) == ""
        assert (await ana.get(f"/tables/{table}"))["version"] == version

    told(tmp_path, story)


def test_a_pledge_copied_from_another_seat_cannot_be_kept(tmp_path):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        mine = Nonce()
        table = await full_table(ana, ion, mine, mine)
        first, second = await seated(ana, table, 0), await seated(ion, table, 1)
        assert await add(first, mine.hex) == ""
        # Ana's nonce is private: Ion knows that it was sent, but not its value.
        assert await nonces(ion, table) == ["added", "pledged"]
        heard = await hear_up_to_now(second)
        assert [event["type"] for message in heard for event in message["events"]] == [
            "nonce-added"
        ]
        assert mine.hex not in msgspec.json.encode(heard).decode()

    told(tmp_path, story)


def test_a_late_nonce_is_missing_in_the_record(tmp_path):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        mine, theirs = Nonce(), Nonce()
        table = await full_table(ana, ion, mine, theirs)
        first = await seated(ana, table, 0)
        await first.until(lambda m: bool(m["legal"]))
        kept = await nonces(ana, table)
        assert await add(await seated(ion, table, 1), theirs.hex) == "not-now"
        assert await nonces(ana, table) == kept == ["missing", "missing"]
        await to_the_end(ana, ion, table)
        record = await ana.get(f"/tables/{table}/record")
        assert "nonce 1: missing\nnonce 2: missing\n" in record
        proof = await proved(ana, table)
        assert (proof.verdict, proof.added, proof.missing) == ("fair", (), (1, 2))
        assert (await proved(ana, table, nonce=theirs.hex)).verdict == "not-used"

    told(tmp_path, story, wait=SHORT)


def test_leaving_changes_nothing_once_the_terms_are_announced(tmp_path):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        mine, theirs = Nonce(), Nonce()
        table = await full_table(ana, ion, mine, theirs)
        before = (await ana.get(f"/tables/{table}"))["announcement"]
        info = await ion.post(f"/tables/{table}/seats/1/leave")
        assert info["seats"][1]["bot"]
        assert info["seats"][1]["mine"]
        closed = await ana.ask("POST", f"/tables/{table}/close")
        assert closed.json()["code"] == "not-allowed"
        assert await add(await seated(ana, table, 0), mine.hex) == ""
        assert await add(await seated(ion, table, 1), theirs.hex) == ""
        await ion.post(f"/tables/{table}/seats/1/back")
        await to_the_end(ana, ion, table)
        assert (await ana.get(f"/tables/{table}"))["announcement"] == before
        assert (await proved(ana, table)).added == (1, 2)

    told(tmp_path, story)


def test_a_seat_that_moves_over_brings_its_own_pledge_until_the_announcement(tmp_path):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        mine, theirs, late = Nonce(), Nonce(), Nonce()
        table = await ana.table("me", "person", listed=True, pledge=mine.pledge)

        async def move(to: Client, giver: Client, nonce: Nonce) -> None:
            made = await giver.post(f"/tables/{table}/links", {"kind": "seat", "seat": 0})
            token = made["url"].partition("#")[2]
            await to.post("/links/open", {"token": token, "pledge": nonce.pledge})

        phone = await Client.new(server.address, "Phone")
        async with aclosing(phone.http):
            await move(phone, ana, theirs)
            await ion.post(f"/tables/{table}/sit", {"seat": 1})
            assert (
                f"pledge 1: {theirs.pledge}\npledge 2: none\n"
                in ((await ion.get(f"/tables/{table}"))["announcement"])
            )
            await move(ana, phone, late)
            first = await seated(ana, table, 0)
            for nonce in (mine, late):
                assert await add(first, nonce.hex) == "bad-value"
            # The same nonce may be sent from any place where its seat is now played.
            assert await add(first, theirs.hex) == ""
            await to_the_end(ana, ion, table)
            assert (await proved(ana, table, nonce=theirs.hex)).added == (1,)

    told(tmp_path, story)


def test_spectators_learn_no_nonce_before_the_end(tmp_path):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        mine, theirs = Nonce(), Nonce()
        table = await full_table(ana, ion, mine, theirs, delay=3600)
        zoe = await Client.new(server.address, "Zoe")
        async with aclosing(zoe.http):
            watcher = await seated(zoe, table, None)
            assert await add(await seated(ana, table, 0), mine.hex) == ""
            assert await add(await seated(ion, table, 1), theirs.hex) == ""
            info = await zoe.get(f"/tables/{table}")
            updates = await zoe.get(f"/tables/{table}/updates")
            everything = msgspec.json.encode([info, updates, watcher.last]).decode()
            # Pledges, and that they were kept, are public: they come before the game.
            assert mine.pledge in everything
            for text in (mine.hex, theirs.hex):
                assert text not in everything
            answer = await zoe.ask("GET", f"/tables/{table}/record")
            assert answer.json()["code"] == "not-now"

    told(tmp_path, story)


@pytest.mark.parametrize(
    "pledge", ["", "0" * 63, "0" * 65, "0" * 64 + "\n", "G" * 64, "A" * 64, 7, ["0" * 64]]
)
def test_what_is_no_pledge(tmp_path, pledge):
    async def story(server: Served, ana: Client, ion: Client) -> None:
        seats = [{"kind": "person"}, {"kind": "person"}]
        wanted = {"edition": "tiny", "seats": seats, "listed": True}
        answer = await ana.ask("POST", "/tables", wanted | {"pledge": pledge})
        assert answer.status_code == 422
        table = (await ana.post("/tables", wanted))["id"]
        answer = await ion.ask("POST", f"/tables/{table}/sit", {"pledge": pledge})
        assert answer.status_code == 422

    told(tmp_path, story)


# -- a host that cheats ----------------------------------------------------------------------------


@pytest.mark.parametrize("cheat", ["no nonces", "one nonce dropped", "another secret"])
def test_a_server_that_deals_otherwise_is_found(tmp_path, monkeypatch, cheat):
    honest = Deal.dealer_of

    def dealer_of(deal: Deal, state: Any) -> Dealer:
        shares = state.shares
        if shares is None or not all(share.nonce for share in shares):
            return honest(deal, state)
        if cheat == "no nonces":
            return deal.dealer
        if cheat == "one nonce dropped":
            return Dealer(deal.dealer.secret, (shares[0], Share(shares[1].pledge)))
        return Dealer(hashlib.sha256(deal.dealer.secret).digest(), shares)

    async def story(server: Served, ana: Client, ion: Client) -> None:
        mine, theirs = Nonce(), Nonce()
        table = await full_table(ana, ion, mine, theirs)
        assert await add(await seated(ana, table, 0), mine.hex) == ""
        assert await add(await seated(ion, table, 1), theirs.hex) == ""
        monkeypatch.setattr(Deal, "dealer_of", dealer_of)
        await to_the_end(ana, ion, table)
        monkeypatch.setattr(Deal, "dealer_of", honest)
        proof = await proved(ana, table)
        assert proof.verdict == "unfair"
        assert proof.turn  # the first cards were dealt honestly

    told(tmp_path, story)


# -- restarts --------------------------------------------------------------------------------------


def test_it_goes_on_after_a_restart_between_any_two_steps(tmp_path):
    mine, theirs = Nonce(), Nonce()
    known: dict[str, Any] = {}

    def step(work: Callable[[Client, Client], Coroutine[Any, Any, None]]) -> None:
        async def play(server: Served) -> None:
            for name in ("ana", "ion"):
                if name not in known:
                    client = await Client.new(server.address, name)
                    known[name] = client.token
                    await client.close()
            ana, ion = (Client(server.address, known[name]) for name in ("ana", "ion"))
            async with aclosing(ana.http), aclosing(ion.http):
                try:
                    await work(ana, ion)
                finally:
                    await close_all()

        with serving(settings(tmp_path, nonce_wait=LONG)) as server:
            asyncio.run(play(server))

    async def make(ana: Client, ion: Client) -> None:
        known["table"] = await ana.table("me", "person", listed=True, pledge=mine.pledge)

    async def sit(ana: Client, ion: Client) -> None:
        await ion.post(f"/tables/{known['table']}/sit", {"seat": 1, "pledge": theirs.pledge})
        known["terms"] = (await ana.get(f"/tables/{known['table']}"))["announcement"]

    async def add_mine(ana: Client, ion: Client) -> None:
        assert await add(await seated(ana, known["table"], 0), mine.hex) == ""

    async def add_theirs(ana: Client, ion: Client) -> None:
        assert await nonces(ion, known["table"]) == ["added", "pledged"]
        assert await add(await seated(ion, known["table"], 1), theirs.hex) == ""

    async def finish(ana: Client, ion: Client) -> None:
        table = known["table"]
        assert (await ana.get(f"/tables/{table}"))["announcement"] == known["terms"]
        await to_the_end(ana, ion, table)

    async def look(ana: Client, ion: Client) -> None:
        for nonce in (mine, theirs):
            proof = await proved(ana, known["table"], nonce=nonce.hex)
            assert (proof.verdict, proof.added) == ("fair", (1, 2))

    for work in (make, sit, add_mine, add_theirs, finish, look):
        step(work)


def test_nonces_that_never_come_are_given_up_after_a_restart_too(tmp_path):
    known: dict[str, str] = {}

    async def make(address: str) -> None:
        ana, ion = [await Client.new(address, name) for name in ("Ana", "Ion")]
        async with aclosing(ana.http), aclosing(ion.http):
            known["table"] = await full_table(ana, ion, Nonce(), Nonce())
            known["token"] = ana.token

    async def wait(address: str) -> None:
        ana = Client(address, known["token"])
        async with aclosing(ana.http):
            while (await nonces(ana, known["table"])) != ["missing", "missing"]:
                await asyncio.sleep(0.05)

    with serving(settings(tmp_path, nonce_wait=LONG)) as server:
        asyncio.run(make(server.address))
    with serving(settings(tmp_path, nonce_wait=SHORT)) as server:
        asyncio.run(wait(server.address))


# -- storage ---------------------------------------------------------------------------------------


def rows(entries: list[Any]) -> list[EntryRow]:
    return [EntryRow(i, None, 1000 * i, encode_entry(entry)) for i, entry in enumerate(entries, 1)]


def stored(*pledges: str | None, added: dict[int, str], old: bool) -> tuple[Deal, list[Any], Any]:
    """The log of a table up to the deal."""
    terms = Terms(seats=(SeatTerms(),) * len(pledges), stand_in="random")
    secret = hashlib.sha256(b"stored").digest()
    assert len(secret) == SECRET_BYTES
    deal = Deal(load_edition("tiny"), terms, secret, None)
    state, log = new_state(terms), list[Any]()

    def write(entry: Any, game: Game | None = None) -> None:
        nonlocal state
        log.append(entry)
        state = follow(deal, state, entry, 1000 * len(log), game)

    for seat, pledge in enumerate(pledges):
        write(Sat(seat, f"p{seat}", f"Seat {seat + 1}", states.COLORS[seat], pledge))
    if old:
        plain = deal.new_game(states.game_names(state), None)
        plain.commitment = deal.dealer.commitment
        write(Announced(announcement(plain)))
    else:
        write(announce(deal, state))
    for seat, nonce in added.items():
        write(NonceAdded((seat,), nonce))
    game, dealt = begin(deal, state)
    write(dealt, game)
    return deal, log, state


def test_a_log_of_before_leads_to_the_record_of_before():
    deal, log, state = stored(None, None, added={}, old=True)
    # These bodies have no new fields, and none are added on the way.
    bodies = [encode_entry(entry) for entry in log]
    assert not [body for body in bodies if b"pledge" in body or b"nonce" in body]
    assert [encode_entry(decode_entry(body)) for body in bodies] == bodies
    assert state.shares is None
    dealt = Game("tiny", 2, dealer=Dealer(deal.dealer.secret), names=("Seat 1", "Seat 2"))
    dealt.date = "1970-01-01"
    assert _record(deal, rows(log)) == dump_record(dealt)


def test_a_log_with_nonces_leads_to_a_record_with_them():
    mine, theirs = Nonce(), Nonce()
    deal, log, state = stored(mine.pledge, theirs.pledge, None, added={0: mine.hex}, old=False)
    assert [decode_entry(encode_entry(entry)) for entry in log] == log
    shares = (Share(mine.pledge, mine.hex), Share(theirs.pledge), Share())
    assert state.shares == shares
    names = tuple(f"Seat {n}" for n in (1, 2, 3))
    dealt = Game("tiny", 3, dealer=Dealer(deal.dealer.secret, shares), names=names)
    dealt.date = "1970-01-01"
    assert _record(deal, rows(log)) == dump_record(dealt)
