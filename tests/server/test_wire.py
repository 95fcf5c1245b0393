"""The wire format: messages match their declarations, in Python and in TypeScript."""

from __future__ import annotations

import asyncio
import random
import re
import runpy
from dataclasses import asdict, fields
from functools import cache, reduce
from operator import or_
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from tests.server.harness import Client, hear, play_on, say, serving, settings

from macaz.edition.board import Color
from macaz.game import Game
from macaz.game.data import EVENTS, MOVES, PRICE, Phase, event_data, moves_data
from macaz.game.events import KINDS, GameEnded, game_events, narrow
from macaz.game.moves import Mark, Move, Payment, Station
from macaz.kernel.layout import A_PAY, LOCO, PHASE_NAMES
from macaz.server import wire

ROOT = Path(__file__).parent.parent.parent
TOOL = "tools/make_wire_types.py"
TABLES = [("usa-classic", 2), ("europe", 4), ("old-west+alvin", 2), ("tiny", 3)]

to_client = msgspec.json.Decoder(wire.ServerMessage)
to_event: Any = msgspec.json.Decoder(reduce(or_, [*EVENTS.values(), *wire.TABLE_EVENTS]))
to_move: Any = msgspec.json.Decoder(reduce(or_, MOVES.values()))


def again(decoder: Any, message: Any) -> Any:
    """Decode a message by its declared type; nothing may be lost, changed or added."""
    text = msgspec.json.encode(message)
    read = decoder.decode(text)
    assert msgspec.json.decode(wire.encode(read)) == message
    return read


def validate(message: dict[str, Any]) -> None:
    again(to_client, message)
    for event in message.get("events", ()):
        again(to_event, event)
    for move in message.get("legal", ()):
        again(to_move, move)


# -- TypeScript ------------------------------------------------------------------------------------


@cache
def generated() -> str:
    return str(runpy.run_path(str(ROOT / TOOL))["page"]())


def test_the_typescript_is_up_to_date():
    written = (ROOT / "web/src/net/wire.ts").read_text(encoding="utf-8")
    assert written == generated(), f"stale; run: .venv/bin/python {TOOL}"


def test_the_page_of_messages_is_up_to_date():
    written = (ROOT / "docs/messages.md").read_text(encoding="utf-8")
    made = runpy.run_path(str(ROOT / TOOL))["documentation"]()
    assert written == made, f"stale; run: .venv/bin/python {TOOL}"


def test_the_typescript_has_every_message_under_its_type():
    tagged = (*EVENTS.values(), *wire.TABLE_EVENTS, *MOVES.values())
    for kind in (*tagged, *get_args(wire.ClientMessage), *get_args(wire.ServerMessage)):
        config = kind.__struct_config__
        head = f"export interface {kind.__name__} {{\n  {config.tag_field}: "
        assert f'{head}"{config.tag}";\n' in generated()
        assert f"\n  | {kind.__name__}" in generated()


def test_no_type_is_left_open():
    code = re.sub(r'/\*\*.*?\*/|//[^\n]*|"[^"\n]*"', "", generated(), flags=re.DOTALL)
    assert not re.search(r"\b(any|unknown|object|undefined)\b", code)
    declared = set(re.findall(r"export (?:interface|type|const) (\w+)", code))
    assert set(re.findall(r"\b[A-Z]\w+", code)) - {"Record"} == declared


def test_only_what_clients_send_may_be_left_out():
    parts = re.findall(r"interface (\w+) \{(.*?)\n\}", generated(), re.DOTALL)
    optional = {name for name, body in parts if "?:" in body}
    assert optional == {
        "Hello",
        "LocalGame",
        "Mute",
        "NewLink",
        "NewPerson",
        "NewTable",
        "OpenLink",
        "QuickPlay",
        "Sit",
    }


# -- events and moves ------------------------------------------------------------------------------


def check_event(event: Any) -> None:
    read = to_event.decode(wire.encode(event_data(event)))
    assert type(read) is EVENTS[type(event)]
    told = {name: getattr(read, name) for name in read.__struct_fields__}
    assert type(event)(**told) == event


def check_moves(game: Game, seat: int) -> list[int]:
    """The actions of a seat: each is sent as the library's move."""
    told: Any = moves_data(game.view(seat), game.legal_moves_of(seat))
    for move, data in zip(game.legal_moves_of(seat), told, strict=True):
        read: Any = to_move.decode(wire.encode(data))
        assert read == data
        assert isinstance(read, MOVES[type(move)])
        assert game.notation.move(data.action, game.offer(seat)) == move
        same = asdict(move)
        if isinstance(move, Station | Mark) and move.color == LOCO:
            del same["locomotives"]  # none beside a colour, but all of the price
        assert {name: getattr(read, name) for name in same} == same
    return [data.action for data in told]


def sample(kind: type) -> Any:
    """An example of a kind that a few random games may lack."""
    some = {
        int: 1,
        int | None: 2,
        Color: Color.BLUE,
        Color | None: Color.ORANGE,
        tuple[int, ...]: (3, 4),
        tuple[int, ...] | None: None,
    }
    return kind(**{n: some.get(t) for n, t in get_type_hints(kind).items()})


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_what_happens_in_games_goes_over_the_wire(edition, seats):
    game, dice = Game(edition, seats, seed=f"wire {edition}"), random.Random(edition)
    while not game.over:
        seat = dice.choice(game.deciding)
        actions = check_moves(game, seat)
        pays = [a for a in actions if game.notation.kind(a) == A_PAY]  # tunnels are paid for
        game.push(pays[0] if pays else dice.choice(actions), seat)
    for _, events in game_events(game):
        for event in events:
            for eyes in (None, *range(seats)):
                check_event(narrow(event, eyes))


def test_every_event_and_move_of_the_library_goes_over_the_wire():
    assert tuple(EVENTS) == KINDS
    assert tuple(MOVES) == get_args(Move)
    for kind in KINDS:
        if kind is not GameEnded:  # every game has one
            check_event(sample(kind))
    for kind, made in MOVES.items():
        price = PRICE if issubclass(kind, Payment) else ()
        declared = {"action", *price, *(item.name for item in fields(kind))}
        assert set(made.__struct_fields__) == declared


def test_every_phase_has_its_name():
    assert get_args(Phase) == PHASE_NAMES


@pytest.mark.parametrize("kinds", [EVENTS, MOVES], ids=["events", "moves"])
def test_types_are_told_apart_by_one_word(kinds):
    tags = [kind.__struct_config__.tag for kind in kinds.values()]
    assert len(set(tags)) == len(tags)
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", tag) for tag in tags)
    assert {kind.__struct_config__.tag_field for kind in kinds.values()} == {"type"}


# -- real traffic ----------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["tiny", "europe", "old-west+alvin"])
def test_real_traffic_is_as_declared(tmp_path, edition):
    async def play(address: str) -> None:
        ana, ion = await Client.new(address, "Ana"), await Client.new(address, "Ion")
        table = await ana.table("me", "person", "greedy", edition=edition, listed=True)
        async with await ana.connect() as socket:
            await say(socket, "hello", table=table, seat=0, presence=True)
            heard = [await hear(socket), await hear(socket, "presence")]
            await ion.post(f"/tables/{table}/sit", {})
            await say(socket, "act", action=0, version=0, nonce="early")
            await say(socket, "react", sign="hello")
            await say(socket, "ping")
            while heard[-1]["type"] != "pong":
                heard.append(await hear(socket))
        assert {m["type"] for m in heard} >= {"welcome", "refused", "reaction", "pong"}
        for messages in await asyncio.gather(play_on(ana, table, 0), play_on(ion, table, 1)):
            heard += messages
        async with await ion.connect() as socket:
            await say(socket, "hello", table=table)
            heard.append(await hear(socket, "welcome"))
            await ana.post(f"/tables/{table}/rematch")
            heard.append(await hear(socket, "rematch"))
        for message in heard:
            validate(message)
        assert {m["type"] for m in heard} == {
            kind.__struct_config__.tag for kind in get_args(wire.ServerMessage)
        }
        await check_http(ion, table, edition)
        await ana.close()
        await ion.close()

    async def check_http(client: Client, table: str, edition: str) -> None:
        answers: dict[str, Any] = {
            "/me": wire.Me,
            "/me/sessions": list[wire.SessionInfo],
            "/me/tokens": list[wire.TokenInfo],
            "/me/tables": wire.TableList,
            "/editions": list[wire.EditionLine],
            f"/editions/{edition}": wire.Map,
            "/bots": list[wire.BotInfo],
            "/tables": wire.TableList,
            f"/tables/{table}": wire.TableInfo,
            f"/tables/{table}/links": list[wire.LinkInfo],
            f"/tables/{table}/moments/9": wire.Moment,
            f"/tables/{table}/updates?eyes=all": wire.Updates,
        }
        for path, kind in answers.items():
            again(msgspec.json.Decoder(kind), await client.get(path))
        refusal = await client.ask("GET", "/tables/nowhere")
        again(msgspec.json.Decoder(wire.Problem), refusal.json())
        for update in (await client.get(f"/tables/{table}/updates"))["updates"]:
            validate(update)

    with serving(settings(tmp_path)) as server:
        asyncio.run(play(server.address))


@pytest.mark.parametrize("edition", ["europe", "old-west"])
def test_a_move_says_what_it_costs(edition):
    game, dice, paid = Game(edition, 3, seed="price"), random.Random(edition), 0
    while not game.over:
        seat = dice.choice(game.deciding)
        legal: Any = moves_data(game.view(seat), game.legal_moves_of(seat))
        offered = dice.choice(legal)
        hand = game.view(seat).hand
        game.push(offered.action, seat)
        after = game.view(seat)
        # A tunnel may return the cards at once, or take more later.
        if hasattr(offered, "cards") and (after.over or after.phase != "tunnel"):
            spent = [was - now for was, now in zip(hand, after.hand, strict=True)]
            want = [0] * 9
            want[offered.color] += offered.cards
            want[8] += offered.locomotives
            assert spent == want
            paid += 1
    assert paid > 20
