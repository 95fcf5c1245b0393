"""Tables as people use them: seats, links, clocks, stand-ins, spectators, rematches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from tests.server.clocks import Ticking
from tests.server.harness import (
    Client,
    hear,
    play_on,
    say,
    seated,
    serving,
    settings,
)
from websockets import ConnectionClosed

from macaz.game.record import load_record
from macaz.server.clock import Clock

Story = Callable[[str], Coroutine[Any, Any, None]]


def tell(folder, story: Story, clock: Clock | None = None, **changes: Any) -> None:
    """Run a test on a new server."""
    with serving(settings(folder, **changes), clock) as server:
        asyncio.run(story(server.address))


async def until(client: Client, path: str, good: Callable[[Any], bool]) -> Any:
    """Repeat a request until the answer is as wanted."""
    async with asyncio.timeout(30):
        while not good(found := await client.get(path)):
            await asyncio.sleep(0.02)
    return found


async def people(address: str, *names: str) -> list[Client]:
    return [await Client.new(address, name) for name in names]


async def close(*clients: Client) -> None:
    for client in clients:
        await client.close()


# -- seats -----------------------------------------------------------------------------------------


def test_a_table_against_a_bot_begins_at_once(tmp_path):
    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        table = await ana.table("me", "greedy")
        info = await ana.get(f"/tables/{table}")
        assert info["status"] == "running"
        assert [s["name"] for s in info["seats"]] == ["Ana", "Greedy"]
        assert [s["mine"] for s in info["seats"]] == [True, False]
        assert info["announcement"].startswith("edition: tiny\n")
        assert info["commitment"] in info["announcement"]
        await close(ana)

    tell(tmp_path, story)


def test_friends_on_one_screen_sit_where_they_want(tmp_path):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        person, bot = {"kind": "person"}, {"kind": "bot", "bot": "random"}
        # Me, a bot, a friend by link, a friend on this screen.
        asked: dict[str, Any] = {"edition": "usa", "seats": [person, bot, person, person]}
        asked |= {"mine": ["Ana", "Eva"], "mine_seats": [0, 3]}
        info = await ana.post("/tables", asked)
        assert [s["name"] for s in info["seats"]] == ["Ana", "Random", None, "Eva"]
        assert [s["mine"] for s in info["seats"]] == [True, False, False, True]
        link = await ana.post(f"/tables/{info['id']}/links", {"kind": "join"})
        opened = await ion.post("/links/open", {"token": link["url"].partition("#")[2]})
        assert opened["seat"] == 2
        assert (await ana.get(f"/tables/{info['id']}"))["status"] == "running"
        # In any order, and also only one of them.
        info = await ana.post("/tables", asked | {"mine_seats": [3, 2]})
        assert [s["name"] for s in info["seats"]] == [None, "Random", "Eva", "Ana"]
        info = await ana.post("/tables", asked | {"mine": None, "mine_seats": [2]})
        assert [s["name"] for s in info["seats"]] == [None, "Random", "Ana", None]
        for wrong in ([0], [0, 1], [0, 0], [0, 4], [0, 2, 3], []):
            answer = await ana.ask("POST", "/tables", asked | {"mine_seats": wrong})
            assert (answer.status_code, answer.json()["code"]) == (422, "bad-value"), wrong
        await close(ana, ion)

    tell(tmp_path, story)


def test_an_open_table_is_in_the_lobby_until_it_is_over(tmp_path):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        table = await ana.table("me", "person", listed=True)
        [line] = (await ion.get("/tables"))["tables"]
        assert (line["id"], line["names"], line["status"]) == (table, ["Ana", None], "waiting")
        opened = await ion.post(f"/tables/{table}/sit", {})
        assert opened == {"table": table, "seat": 1}
        await asyncio.gather(play_on(ana, table, 0), play_on(ion, table, 1))
        assert (await ion.get("/tables"))["tables"] == []
        [mine] = (await ion.get("/me/tables"))["tables"]
        assert mine["mine"] == [1]
        assert mine["status"] == "finished"
        assert len(mine["scores"]) == 2
        await close(ana, ion)

    tell(tmp_path, story)


def test_lists_have_pages(tmp_path):
    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        made = [await ana.table("me", "person", listed=True) for _ in range(45)]
        for path in ("/tables", "/me/tables"):
            found, before = [], ""
            while True:
                page = await ana.get(f"{path}{before}")
                found += [line["id"] for line in page["tables"]]
                if page["next"] is None:
                    break
                before = f"?before={page['next']}"
            assert sorted(found) == sorted(made)
        await close(ana)

    tell(tmp_path, story)


def test_a_bot_gives_its_colour_to_a_person_who_wants_it(tmp_path):
    async def story(address: str) -> None:
        (ana,) = await people(address, "Ana")
        me = await ana.get("/me")
        table = await ana.table("random", "me", "random", edition="usa")
        seats = (await ana.get(f"/tables/{table}"))["seats"]
        assert seats[1]["color"] == me["color"] == "blue"
        assert len({s["color"] for s in seats}) == 3
        await close(ana)

    tell(tmp_path, story)


def test_names_and_colours_are_told_apart(tmp_path):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ana")
        table = await ana.table("me", "person", "random", "random", edition="usa", listed=True)
        await ion.post(f"/tables/{table}/sit", {"name": "Ana 2"})
        seats = (await ana.get(f"/tables/{table}"))["seats"]
        assert [s["name"] for s in seats] == ["Ana", "Ana 2", "Random 1", "Random 2"]
        assert len({s["color"] for s in seats}) == 4
        await close(ana, ion)

    tell(tmp_path, story)


def test_several_people_on_one_screen(tmp_path):
    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        table = await ana.table("person", "person", mine=["Ana", "Ion"])
        assert (await ana.get(f"/tables/{table}"))["status"] == "running"
        first, second = await asyncio.gather(play_on(ana, table, 0), play_on(ana, table, 1))
        own = first[0]["view"]["seats"]
        assert own[0]["hand"] is not None
        assert own[1]["hand"] is None
        assert first[-1]["events"][-1] == second[-1]["events"][-1]
        await close(ana)

    tell(tmp_path, story)


def test_one_socket_can_change_its_eyes(tmp_path):
    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        table = await ana.table("person", "person", mine=["Ana", "Ion"])
        async with await ana.connect() as socket:
            for seat in (0, 1, None):
                await say(socket, "hello", table=table, seat=seat)
                view = (await hear(socket, "welcome"))["view"]
                known = [s["hand"] is not None for s in view["seats"]]
                assert known == [seat == 0, seat == 1]
        await close(ana)

    tell(tmp_path, story)


def test_first_tickets_are_chosen_at_once_in_any_order(tmp_path):
    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        table = await ana.table("person", "person", mine=["Ana", "Ion"])
        async with await ana.connect() as zero, await ana.connect() as one:
            await say(zero, "hello", table=table, seat=0)
            await say(one, "hello", table=table, seat=1)
            start = await hear(zero, "welcome")
            theirs = await hear(one, "welcome")
            assert start["deciding"] == [0, 1]
            # Seat 1 first, then seat 0, with a version from before seat 1 had chosen.
            for socket, welcome in ((one, theirs), (zero, start)):
                action = welcome["legal"][0]["action"]
                version = welcome["version"]
                await say(socket, "act", action=action, version=version, nonce="a")
                await hear(socket, "done")
        await close(ana)

    tell(tmp_path, story)


def test_what_was_said_twice_is_done_once(tmp_path):
    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        table = await ana.table("person", "person", mine=["Ana", "Ion"])
        async with await ana.connect() as socket:
            await say(socket, "hello", table=table, seat=0)
            welcome = await hear(socket, "welcome")
            act = {"action": welcome["legal"][0]["action"], "version": welcome["version"]}
            await say(socket, "act", nonce="once", **act)
            done = await hear(socket, "done")
            # At once; on another connection; and after the table has dropped it from memory.
            await say(socket, "act", nonce="once", **act)
            assert await hear(socket, "done") == done
            await say(socket, "act", nonce="other", **act)
            assert (await hear(socket, "refused"))["code"] == "not-your-turn"
        await asyncio.gather(play_on(ana, table, 0, upto=25), play_on(ana, table, 1, upto=25))
        async with await ana.connect() as socket:
            await say(socket, "hello", table=table, seat=0)
            await say(socket, "act", nonce="once", **act)
            assert await hear(socket, "done") == done
        await close(ana)

    tell(tmp_path, story)


def test_who_begins_is_agreed_or_left_to_chance(tmp_path):
    async def first_of(client: Client, **more: Any) -> int:
        """Who has the first turn, once the tickets are chosen."""
        table = await client.table("person", "person", mine=["Ana", "Ion"], **more)
        players = [await seated(client, table, seat) for seat in (0, 1)]
        [_, last] = [await player.act() for player in players]
        await players[0].reach(last["version"])
        [turn] = players[0].last["deciding"]
        assert bool(players[0].last["legal"]) == (turn == 0)
        for player in players:
            await player.socket.close()
        return int(turn)

    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        seeds = [str(number) for number in range(8)]
        for seat in (0, 1):
            assert {await first_of(ana, seed=seed, first=seat) for seed in seeds} == {seat}
        assert {await first_of(ana, seed=seed) for seed in seeds} == {0, 1}
        await close(ana)

    tell(tmp_path, story)


def test_an_answer_to_a_question_that_has_passed_is_stale(tmp_path):
    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        table = await ana.table("me", "random", edition="usa", first=0)
        player = await seated(ana, table, 0)
        await player.act()  # the first tickets
        await player.until(lambda told: any(x["type"] == "blind" for x in told["legal"]))
        asked = player.last["version"]
        assert (await player.act("blind"))["type"] == "done"
        # A double click: the second card is another decision, which this does not make.
        refused = await player.act("blind", version=asked)
        assert refused["code"] == "stale"
        assert (await player.act("blind"))["type"] == "done"
        await player.socket.close()
        await close(ana)

    tell(tmp_path, story)


# -- links -----------------------------------------------------------------------------------------


async def link(client: Client, table: str, kind: str, seat: int | None = None) -> str:
    """The secret of a new link."""
    made = await client.post(f"/tables/{table}/links", {"kind": kind, "seat": seat})
    place, _, secret = made["url"].partition("#")
    assert place.endswith("/join")
    return str(secret)


def test_a_join_link_seats_friends_until_all_seats_are_taken(tmp_path):
    async def story(address: str) -> None:
        ana, ion, eva, dan = await people(address, "Ana", "Ion", "Eva", "Dan")
        table = await ana.table("me", "person", "person", edition="usa")
        secret = await link(ana, table, "join")
        assert (await ion.ask("GET", f"/tables/{table}")).status_code == 404
        assert await ion.post("/links/open", {"token": secret}) == {"table": table, "seat": 1}
        # Opened again it leads to the same seat.
        assert await ion.post("/links/open", {"token": secret}) == {"table": table, "seat": 1}
        assert await eva.post("/links/open", {"token": secret}) == {"table": table, "seat": 2}
        late = await dan.ask("POST", "/links/open", {"token": secret})
        assert (late.status_code, late.json()["code"]) == (409, "not-now")
        assert (await ana.get(f"/tables/{table}"))["status"] == "running"
        await close(ana, ion, eva, dan)

    tell(tmp_path, story)


def test_a_seat_moves_to_another_device_once(tmp_path):
    async def story(address: str) -> None:
        ana, phone, thief = await people(address, "Ana", "Phone", "Thief")
        table = await ana.table("me", "random")
        laptop = await seated(ana, table, 0)
        secret = await link(ana, table, "seat", 0)
        assert await phone.post("/links/open", {"token": secret}) == {"table": table, "seat": 0}
        again = await thief.ask("POST", "/links/open", {"token": secret})
        assert again.status_code == 404
        with pytest.raises(ConnectionClosed, match="4009"):
            await laptop.next(lambda _: False)
        refused = await ana.ask("GET", f"/tables/{table}/updates?eyes=0")
        assert refused.status_code == 403
        info = await phone.get(f"/tables/{table}")
        assert (info["seats"][0]["name"], info["seats"][0]["mine"]) == ("Ana", True)
        await play_on(phone, table, 0)
        await close(ana, phone, thief)

    tell(tmp_path, story)


def test_links_can_be_taken_back(tmp_path):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        table = await ana.table("me", "person")
        secret = await link(ana, table, "join")
        [known] = await ana.get(f"/tables/{table}/links")
        assert known["url"] is None
        gone = await ana.ask("DELETE", f"/tables/{table}/links/{known['id']}")
        assert gone.status_code == 204
        assert (await ion.ask("POST", "/links/open", {"token": secret})).status_code == 404
        assert (await ana.get(f"/tables/{table}/links"))[0]["revoked"]
        await close(ana, ion)

    tell(tmp_path, story)


# -- spectators ------------------------------------------------------------------------------------


def test_a_spectator_sees_what_is_public_and_in_the_end_all(tmp_path):
    async def story(address: str) -> None:
        ana, eva = await people(address, "Ana", "Eva")
        table = await ana.table("me", "random")
        secret = await link(ana, table, "watch")
        assert await eva.post("/links/open", {"token": secret}) == {"table": table, "seat": None}
        watcher = await seated(eva, table, None)
        assert all(s["hand"] is None for s in watcher.last["view"]["seats"])
        await say(watcher.socket, "act", action=1, version=3, nonce="x")
        refused = await watcher.next(lambda m: m["type"] == "refused")
        assert refused["code"] == "not-allowed"
        running = await eva.ask("GET", f"/tables/{table}/moments/4?eyes=0")
        assert running.status_code == 403
        await play_on(ana, table, 0)
        await watcher.next(lambda m: any(e["type"] == "game-ended" for e in m.get("events", ())))
        await say(watcher.socket, "look")
        end = await watcher.next(lambda m: m["type"] == "welcome")
        assert all(s["hand"] is not None for s in end["view"]["seats"])
        assert end["view"]["outcome"]["winners"]
        for eyes in ("0", "1", "all"):
            past = await eva.get(f"/tables/{table}/moments/4?eyes={eyes}")
            known = [s["hand"] is not None for s in past["view"]["seats"]]
            assert known == [eyes in ("0", "all"), eyes in ("1", "all")]
        assert load_record(await eva.get(f"/tables/{table}/record")).over
        await watcher.socket.close()
        await close(ana, eva)

    tell(tmp_path, story)


def test_a_spectator_who_is_behind_finds_the_table_as_it_was(tmp_path):
    clock = Ticking()

    async def story(address: str) -> None:
        ana, eva = await people(address, "Ana", "Eva")
        table = await ana.table("person", "person", mine=["Ana", "Ion"], listed=True, delay=3600)
        player = await seated(ana, table, 0)
        await player.act()
        now = player.last["version"]
        early = await seated(eva, table, None)
        # Sitting down and the announcement: there is no delay before the game.
        assert (early.last["version"], early.last["view"]) == (3, None)
        assert (await eva.get(f"/tables/{table}/updates"))["version"] == 3
        assert (await eva.ask("GET", f"/tables/{table}/moments/4")).status_code == 404
        assert (await eva.ask("GET", f"/tables/{table}/moments/5")).status_code == 404
        clock.extra = 3_600_000
        late = await seated(eva, table, None)
        assert late.last["version"] == now
        assert late.last["view"]["seats"][0]["tickets_offered"] == 0
        assert (await eva.get(f"/tables/{table}/updates"))["version"] == now
        assert (await eva.ask("GET", f"/tables/{table}/moments/5")).status_code == 200
        for one in (player, early, late):
            await one.socket.close()
        await close(ana, eva)

    tell(tmp_path, story, clock)


def test_a_spectator_who_is_behind_hears_everything_late(tmp_path):
    async def story(address: str) -> None:
        ana, eva = await people(address, "Ana", "Eva")
        table = await ana.table("person", "person", mine=["Ana", "Ion"], listed=True, delay=1)
        player = await seated(ana, table, 0)
        watcher = await seated(eva, table, None)
        await player.act()
        seen = watcher.last["version"]
        while watcher.last["version"] < player.last["version"]:
            update = await watcher.next(lambda m: m["type"] == "update")
            assert update["version"] == seen + 1
            seen += 1
        await say(watcher.socket, "ping")
        pong = await watcher.next(lambda m: m["type"] == "pong")
        assert pong["now"] - player.last["at"] >= 990
        await player.socket.close()
        await watcher.socket.close()
        await close(ana, eva)

    tell(tmp_path, story)


# -- clocks and stand-ins --------------------------------------------------------------------------


def test_a_leaver_is_replaced_and_comes_back(tmp_path):
    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        table = await ana.table("me", "random", edition="usa", stand_in="random")
        player = await seated(ana, table, 0)
        await ana.post(f"/tables/{table}/seats/0/leave")
        left = await player.next(lambda m: _told(m, "bot-stood-in"))
        assert left["events"] == [
            {"type": "bot-stood-in", "seat": 0, "bot": "random", "reason": "left"}
        ]
        await player.next(lambda m: m.get("by") == "random" and m["deciding"] == [0])
        await ana.post(f"/tables/{table}/seats/0/back")
        await player.next(lambda m: _told(m, "person-came-back"))
        await player.turn()
        assert (await player.act())["type"] == "done"
        again = await ana.post(f"/tables/{table}/seats/0/back")  # done already, without effect
        assert again["seats"][0]["bot"] is None
        await player.socket.close()
        await close(ana)

    tell(tmp_path, story)


def test_what_is_so_already_can_be_asked_for_again(tmp_path):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        waiting = await ana.table("me", "person", "person", edition="usa", listed=True)
        opened = [await ion.post(f"/tables/{waiting}/sit", {}) for _ in range(2)]
        assert opened == [{"table": waiting, "seat": 1}] * 2
        table = await ana.table("person", "person", mine=["Ana", "Eva"])
        for deed in ("seats/0/leave", "seats/0/back", "seats/1/leave", "close"):
            first, again = [await ana.post(f"/tables/{table}/{deed}") for _ in range(2)]
            assert again["seats"] == first["seats"]
            assert again["status"] == first["status"]
        log = (await ana.get(f"/tables/{table}/updates"))["updates"]
        for kind, count in (("bot-stood-in", 2), ("person-came-back", 1), ("table-closed", 1)):
            assert sum(_told(update, kind) for update in log) == count
        await close(ana, ion)

    tell(tmp_path, story)


def _told(message: dict[str, Any], kind: str) -> bool:
    return any(event["type"] == kind for event in message.get("events", ()))


@pytest.mark.parametrize("seconds", [30, 7 * 86_400])
def test_a_person_out_of_time_is_replaced_and_comes_back(tmp_path, seconds):
    clock = Ticking()

    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        table = await ana.table(
            "me", "random", edition="usa", move_seconds=seconds, stand_in="random"
        )
        player = await seated(ana, table, 0)
        deadline = player.last["deadlines"][0]
        assert abs(deadline - player.last["now"] - seconds * 1000) < 20_000
        clock.extra = seconds * 1000 - 20_000
        await asyncio.sleep(1.5)  # a sweep runs, and finds no seat late
        assert (await ana.get(f"/tables/{table}"))["seats"][0]["bot"] is None
        clock.extra = seconds * 1000 + 1000
        ran_out = await player.next(lambda m: _told(m, "bot-stood-in"))
        assert ran_out["events"][0]["reason"] == "time"
        await player.next(lambda m: m.get("by") == "random")
        await ana.post(f"/tables/{table}/seats/0/back")
        await player.next(lambda m: _told(m, "person-came-back"))
        await player.socket.close()
        await close(ana)

    tell(tmp_path, story, clock)


def test_the_others_may_call_a_stand_in_only_after_a_while(tmp_path):
    clock = Ticking()

    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        table = await ana.table("me", "person", listed=True)
        await ion.post(f"/tables/{table}/sit", {})
        soon = await ion.ask("POST", f"/tables/{table}/seats/0/stand-in")
        assert (soon.status_code, soon.json()["code"]) == (409, "not-now")
        clock.extra = 301_000
        info = await ion.post(f"/tables/{table}/seats/0/stand-in")
        assert info["seats"][0]["reason"] == "called"
        await close(ana, ion)

    tell(tmp_path, story, clock)


def test_a_table_that_is_not_filled_is_closed(tmp_path):
    clock = Ticking()

    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        table = await ana.table("me", "person", listed=True)
        clock.extra = 15 * 86_400_000
        await until(ana, f"/tables/{table}", lambda info: info["status"] == "closed")
        await close(ana)

    tell(tmp_path, story, clock)


# -- after the game --------------------------------------------------------------------------------


def test_a_rematch_with_everybody_one_seat_further(tmp_path):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        table = await ana.table("me", "person", "random", listed=True, edition="usa")
        await ion.post(f"/tables/{table}/sit", {})
        early = await ana.ask("POST", f"/tables/{table}/rematch")
        assert early.json()["code"] == "not-now"
        await asyncio.gather(play_on(ana, table, 0), play_on(ion, table, 1))
        watching = await seated(ion, table, 1)
        first = await ana.post(f"/tables/{table}/rematch")
        told = await watching.next(lambda m: m["type"] == "rematch")
        assert told["table"] == first["id"]
        assert first["status"] == "waiting"
        assert [s["name"] for s in first["seats"]] == ["Random", "Ana", None]
        second = await ion.post(f"/tables/{table}/rematch")
        assert second["id"] == first["id"]
        assert second["status"] == "running"
        assert [s["name"] for s in second["seats"]] == ["Random", "Ana", "Ion"]
        assert (await ana.get(f"/tables/{table}"))["rematch"] == first["id"]
        await watching.socket.close()
        await close(ana, ion)

    tell(tmp_path, story)


def test_what_was_missed_is_refilled_exactly(tmp_path):
    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        table = await ana.table("person", "person", mine=["Ana", "Ion"], edition="usa")
        playing = [play_on(ana, table, seat, upto=100) for seat in (0, 1)]
        told: list[dict[str, Any]] = (await asyncio.gather(*playing))[0]
        updates = {m["version"]: m for m in told if m["type"] == "update"}
        now = (await ana.get(f"/tables/{table}"))["version"]
        for after in (3, 20, now - 5, now):
            async with await ana.connect() as socket:
                await say(socket, "hello", table=table, seat=0, after=after)
                welcome = await hear(socket, "welcome")
                assert welcome["view"] is None
                refilled = [await hear(socket, "update") for _ in range(now - after)]
                assert [m["version"] for m in refilled] == list(range(after + 1, now + 1))
                for message in refilled:
                    live = updates.get(message["version"], message)
                    assert message["events"] == live["events"]
                    assert message["deciding"] == live["deciding"]
        async with await ana.connect() as socket:
            await say(socket, "hello", table=table, seat=0, after=now + 1000)
            assert (await hear(socket, "welcome"))["view"] is not None
        await close(ana)

    tell(tmp_path, story)


def test_tables_survive_a_restart(tmp_path):
    kept: dict[str, Any] = {}

    async def before(address: str) -> None:
        ana = await Client.new(address, "Ana")
        kept["table"] = await ana.table("me", "random", edition="usa")
        await play_on(ana, kept["table"], 0, upto=20)
        kept["updates"] = (await ana.get(f"/tables/{kept['table']}/updates"))["updates"]
        kept["token"] = ana.token
        await close(ana)

    async def after(address: str) -> None:
        ana = Client(address, kept["token"])
        again = (await ana.get(f"/tables/{kept['table']}/updates"))["updates"]
        assert len(kept["updates"]) > 15
        assert [_lasting(u) for u in again[: len(kept["updates"])]] == [
            _lasting(u) for u in kept["updates"]
        ]
        await play_on(ana, kept["table"], 0)
        assert load_record(await ana.get(f"/tables/{kept['table']}/record")).over
        await close(ana)

    tell(tmp_path, before)
    tell(tmp_path, after)


def _lasting(update: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in update.items() if key not in ("deadlines", "legal")}


def test_reactions_reach_those_who_want_them(tmp_path):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        table = await ana.table("me", "person", listed=True)
        await ion.post(f"/tables/{table}/sit", {})
        mine, theirs = await seated(ana, table, 0), await seated(ion, table, 1)
        await say(mine.socket, "react", sign="hello")
        shown = await theirs.next(lambda m: m["type"] == "reaction")
        assert shown == {"type": "reaction", "seat": 0, "sign": "hello"}
        await say(theirs.socket, "mute", seat=0)
        await say(theirs.socket, "ping")
        await theirs.next(lambda m: m["type"] == "pong")
        await say(theirs.socket, "look")  # a second `look` does not undo the mute
        await theirs.next(lambda m: m["type"] == "welcome")
        await say(mine.socket, "react", sign="wow")
        await mine.next(lambda m: m["type"] == "reaction" and m["sign"] == "wow")
        await say(theirs.socket, "ping")
        assert (await hear(theirs.socket))["type"] == "pong"
        for _ in range(30):
            await say(mine.socket, "react", sign="wow")
        refused = await mine.next(lambda m: m["type"] == "refused")
        assert refused["code"] == "too-fast"
        await mine.socket.close()
        await theirs.socket.close()
        await close(ana, ion)

    tell(tmp_path, story)


def test_a_map_of_the_hosts_own_replays_when_its_file_is_gone(tmp_path):
    from macaz.edition import edition_text, load_edition

    text = edition_text(load_edition("tiny")).replace('id = "tiny"', 'id = "my-map"')
    maps = tmp_path / "maps"
    maps.mkdir()
    (maps / "my-map.toml").write_text(text, encoding="utf-8")
    kept: dict[str, Any] = {}

    async def before(address: str) -> None:
        ana = await Client.new(address)
        assert "my-map" in [e["id"] for e in await ana.get("/editions")]
        kept["table"] = await ana.table("me", "greedy", edition="my-map")
        kept["token"] = ana.token
        kept["map"] = await ana.get(f"/tables/{kept['table']}/map")
        assert kept["map"] == await ana.get("/editions/my-map")
        await play_on(ana, kept["table"], 0, upto=6)
        await close(ana)

    async def after(address: str) -> None:
        ana = Client(address, kept["token"])
        assert (await ana.ask("GET", "/editions/my-map")).status_code == 404
        assert await ana.get(f"/tables/{kept['table']}/map") == kept["map"]
        await play_on(ana, kept["table"], 0)
        await close(ana)

    tell(tmp_path, before, editions=maps)
    (maps / "my-map.toml").unlink()
    tell(tmp_path, after, editions=maps)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"edition": "mars"}, "no edition"),
        ({"edition": "old-west+mars"}, "no option"),
        ({"seats": [{"kind": "person"}] * 6}, "is for"),
        ({"seats": [{"kind": "person"}, {"kind": "bot", "bot": "deep"}]}, "no bot"),
        ({"stand_in": "deep"}, "no bot"),
        ({"first": 3}, "cannot begin"),
        ({"mine": ["A", "B", "C"]}, "want to sit"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_a_reason(tmp_path, wanted, words):
    async def story(address: str) -> None:
        [ana] = await people(address, "Ana")
        table = {"edition": "tiny", "seats": [{"kind": "person"}] * 2} | wanted
        answer = await ana.ask("POST", "/tables", table)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-value")
        assert words in answer.json()["message"]
        assert (await ana.get("/me/tables"))["tables"] == []
        await close(ana)

    tell(tmp_path, story)


@pytest.mark.parametrize("bad", [{"name": ""}, {"name": "x" * 25}, {"name": "A", "color": "pink"}])
def test_a_value_of_no_use_is_told_apart_from_what_cannot_be_read(tmp_path, bad):
    async def story(address: str) -> None:
        ana = Client(address)
        answer = await ana.ask("POST", "/people", bad)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-value")
        answer = await ana.http.post("/people", content=b"{", headers=JSON)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-message")
        await ana.close()

    tell(tmp_path, story)


JSON = {"content-type": "application/json"}
