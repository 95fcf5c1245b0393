"""Games that were played in a browser, sent to a server: true ones are kept, others refused."""

from __future__ import annotations

import asyncio
import copy
import datetime
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.server.harness import Client, Served, hear, play_on, say, serving, settings
from tests.server.test_store import a_game, with_store
from tests.server.test_tables import close, link, people, tell, until

from macaz.edition import load_edition
from macaz.game import Game
from macaz.game.fair import Dealer, Share, pledge_of
from macaz.game.record import announcement, dump_record, load_record, verify_record
from macaz.server.local_games import BODY_BYTES, CLOCK_SKEW_MS, PER_MINUTE
from macaz.server.store.quotas import OverQuota, Quotas
from macaz.server.store.rows import EntryRow
from macaz.server.store.store import Store
from macaz.server.wire import MOST_LOCAL_ENTRIES

BEGAN = 1_700_000_000_000
EDITIONS = ("tiny", "usa-classic", "usa", "europe", "old-west", "old-west+alvin")
COLORS = ("blue", "red", "green", "yellow", "black", "purple")


class Local(NamedTuple):
    """A game as a browser has it: the body that it sends, and its record."""

    body: dict[str, Any]
    record: str

    @property
    def nonces(self) -> list[str]:
        return [line["entry"]["nonce"] for line in self.body["log"] if "nonce" in line["entry"]]

    def entry(self, kind: str, number: int = 0) -> dict[str, Any]:
        """An entry of a kind: the first, or another one."""
        found = [line["entry"] for line in self.body["log"] if line["entry"]["kind"] == kind]
        entry: dict[str, Any] = found[number]
        return entry


def local(
    *players: str,
    edition: str = "tiny",
    moves: int = 100_000,
    name: object = 1,
    nonce: bool = True,
    seed: str | None = None,
    first: int | None = None,
) -> Local:
    """A game of people and bots (in lower case), played at random without any server."""
    dice = random.Random(f"{name}")
    bots = [p if p.islower() else None for p in players]
    names = [
        p.title() if players.count(p) == 1 else f"{p.title()} {players[: i + 1].count(p)}"
        for i, p in enumerate(players)
    ]
    secret, told = dice.randbytes(32), dice.randbytes(32)
    mine = [i for i, bot in enumerate(bots) if bot is None]
    share = Share(pledge_of(told), told.hex()) if nonce else Share()
    shares = [Share() if bot else share for bot in bots]
    dealer = Dealer(secret, shares) if seed is None else Dealer.seeded(seed)
    game = Game(edition, len(players), dealer=dealer, first=first, names=names, target="plain")
    game.in_browser = True
    game.date = datetime.datetime.fromtimestamp(BEGAN / 1000, datetime.UTC).date().isoformat()
    log: list[dict[str, Any]] = [
        {"kind": "sat", "seat": i, "name": names[i], "color": COLORS[i]}
        | ({"pledge": share.pledge} if share.pledge else {})
        for i in mine
    ]
    text = f"The cards of this game are those of the seed {seed}.\n"
    log.append({"kind": "announced", "text": announcement(game) if seed is None else text})
    if nonce and mine and seed is None:
        log.append({"kind": "nonce-added", "seats": mine, "nonce": told.hex()})
    log.append({"kind": "dealt", "chances": [step.number for step in game.history]})
    while not game.over and moves:
        moves -= 1
        seat = dice.choice(game.deciding)
        action = dice.choice(game.legal_moves_of(seat).actions)
        before = len(game.history)
        game.push(action, seat)
        log.append(
            {
                "kind": "acted",
                "seat": seat,
                "action": action,
                "chances": [step.number for step in game.history[before + 1 :]],
                "bot": bots[seat] or "",
            }
        )
    body = {
        "edition": edition,
        "fingerprint": game.edition.fingerprint,
        "seats": [{"kind": "bot", "bot": bot} if bot else {"kind": "person"} for bot in bots],
        "first": first,
        "log": [{"at": BEGAN + 1000 * i, "entry": entry} for i, entry in enumerate(log)],
    }
    body |= {"secret": secret.hex()} if seed is None else {"seed": seed}
    return Local(body, dump_record(game))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(settings(tmp_path_factory.mktemp("import"))) as served:
        yield served


async def refused(client: Client, body: Any) -> tuple[int, str, str]:
    """The status, the code and the message of a refusal."""
    answer = await client.ask("POST", "/tables/import", body)
    assert not answer.is_success, answer.text
    return answer.status_code, answer.json()["code"], answer.json()["message"]


# -- valid games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("crowd", [False, True], ids=["against a bot", "a full table"])
def test_a_finished_game_is_kept_as_it_was(server, edition, crowd):
    seats = load_edition(edition).rules.max_seats if crowd else 2
    sent = local(*("Ana", "greedy", "Ion", "greedy", "racer", "Eva")[:seats], edition=edition)

    async def story() -> None:
        ana, ion = await people(server.address, "Ana", "Ion")
        info = await ana.post("/tables/import", sent.body)
        table = info["id"]
        assert (info["status"], info["origin"], info["listed"]) == ("finished", "browser", False)
        assert (info["host"], info["version"]) == (True, len(sent.body["log"]))
        assert [seat["mine"] for seat in info["seats"]] == [
            seat["kind"] == "person" for seat in info["seats"]
        ]
        assert info["announcement"] == sent.entry("announced")["text"]
        record = await ana.get(f"/tables/{table}/record")
        assert record == sent.record
        assert "\nplayed: in a browser\n" in record
        proof = verify_record(record, announced=info["announcement"], target="plain")
        assert (proof.verdict, proof.in_browser) == ("consistent", True)
        told = await ana.get(f"/tables/{table}/updates?eyes=all")
        assert [(u["version"], u["at"]) for u in told["updates"]] == [
            (i, line["at"]) for i, line in enumerate(sent.body["log"], 1)
        ]
        assert (await ana.get(f"/tables/{table}/moments/{info['version'] // 2}"))["view"]
        played = await ana.get(f"/tables/{table}/log")
        assert (played["edition"], played["seats"]) == (edition, seats)
        assert played["log"] == [
            {"version": i, "step": line["entry"]}
            for i, line in enumerate(sent.body["log"], 1)
            if line["entry"]["kind"] in ("dealt", "acted")
        ]
        # Others can open it only by a link.
        assert (await ion.ask("GET", f"/tables/{table}")).status_code == 404
        await ion.post("/links/open", {"token": await link(ana, table, "watch")})
        assert await ion.get(f"/tables/{table}/record") == sent.record
        [line] = (await ana.get("/me/tables"))["tables"]
        assert (line["id"], line["origin"], line["status"]) == (table, "browser", "finished")
        assert line["scores"] == list(load_record(record, target="plain").standing().totals)
        counted = await ana.get("/me/statistics")
        assert counted["total"]["games"] == 1
        assert [(game["table"], game["origin"]) for game in counted["latest"]] == [
            (table, "browser")
        ]
        assert table not in [line["id"] for line in (await ana.get("/tables"))["tables"]]
        await close(ana, ion)

    asyncio.run(story())


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_running_game_goes_on_from_the_same_secret(server, edition):
    # The whole game, of which only the first part is sent.
    whole = local("Ana", "random", edition=edition, name=f"{edition} goes on")
    sent = copy.deepcopy(whole.body)
    del sent["log"][12:]

    async def story() -> None:
        [ana] = await people(server.address, "Ana")
        info = await ana.post("/tables/import", sent)
        assert (info["status"], info["origin"]) == ("running", "browser")
        answer = await ana.ask("GET", f"/tables/{info['id']}/record")
        assert (answer.status_code, answer.json()["code"]) == (409, "not-now")
        await play_on(ana, info["id"], 0)
        record = await ana.get(f"/tables/{info['id']}/record")
        proof = verify_record(record, target="plain")
        assert (proof.verdict, proof.in_browser) == ("consistent", True)
        assert f"\nsecret: {sent['secret']}\nnonce 1: " in record
        game, began = (load_record(text, target="plain") for text in (record, whole.record))
        count = sum(len(line["entry"].get("chances", ())) for line in sent["log"])
        count += sum(line["entry"]["kind"] == "acted" for line in sent["log"])
        steps = [[(step.seat, step.number) for step in g.history[:count]] for g in (game, began)]
        assert steps[0] == steps[1]
        assert (await ana.get("/me/statistics"))["total"]["games"] == 1
        # A rematch has new cards, and is a game of this server.
        again = await ana.post(f"/tables/{info['id']}/rematch")
        assert (again["origin"], again["commitment"] == info["commitment"]) == ("server", False)
        await close(ana)

    asyncio.run(story())


@pytest.mark.parametrize(
    "sent",
    [
        local("Ana", "greedy", nonce=False),
        local("Ana", "greedy", seed="7"),
        local("Ana", "Ion", first=1),
        local("greedy", "racer", "greedy"),
        local("Élan:; x", "random"),
    ],
    ids=["no nonce", "a seed", "who begins is agreed", "only bots", "an odd name"],
)
def test_other_kinds_of_games_are_kept_too(server, sent):
    async def story() -> None:
        [ana] = await people(server.address, "Ana")
        info = await ana.post("/tables/import", sent.body)
        assert info["seeded"] == ("seed" in sent.body)
        record = await ana.get(f"/tables/{info['id']}/record")
        assert record == sent.record
        assert verify_record(record, target="plain").follows
        await close(ana)

    asyncio.run(story())


def test_a_bot_may_have_stood_in_and_a_seat_been_left(server):
    body = local("Ana", "random", name="stood in").body
    log, sat = body["log"], body["log"][0]["entry"]
    start = next(i for i, line in enumerate(log) if line["entry"].get("seat") == 0 and i > 3)
    stood_in = {"kind": "stood-in", "seat": 0, "bot": "greedy", "reason": "left"}
    log[start]["entry"]["bot"] = "greedy"
    log.insert(start + 1, {"at": log[start]["at"], "entry": {"kind": "came-back", "seat": 0}})
    log.insert(start, {"at": log[start]["at"], "entry": stood_in})
    log[:1] = [
        {"at": BEGAN, "entry": sat | {"name": "Ion"}},
        {"at": BEGAN, "entry": {"kind": "left", "seat": 0}},
        {"at": BEGAN, "entry": sat},
    ]

    async def story() -> None:
        [ana] = await people(server.address, "Ana")
        info = await ana.post("/tables/import", body)
        told = (await ana.get(f"/tables/{info['id']}/updates"))["updates"]
        kinds = [event["type"] for update in told for event in update["events"]]
        wanted = ["sat-down", "got-up", "terms-announced", "bot-stood-in", "person-came-back"]
        assert [kind for kind in wanted if kind not in kinds] == []
        assert "greedy" in [update["by"] for update in told]
        await close(ana)

    asyncio.run(story())


def test_a_sent_game_is_there_after_a_restart(tmp_path):
    sent = local("Ana", "random", moves=4, name="restart")
    done = local("Ana", "random", name="restart")

    async def send(address: str) -> tuple[str, list[str]]:
        [ana] = await people(address, "Ana")
        infos = [await ana.post("/tables/import", each.body) for each in (sent, done)]
        await close(ana)
        return ana.token, [info["id"] for info in infos]

    async def look(address: str, token: str, tables: list[str]) -> None:
        ana = Client(address, token)
        info = await ana.get(f"/tables/{tables[0]}")
        assert (info["status"], info["origin"]) == ("running", "browser")
        assert await ana.get(f"/tables/{tables[1]}/record") == done.record
        await play_on(ana, tables[0], 0)
        assert "\nplayed: in a browser\n" in await ana.get(f"/tables/{tables[0]}/record")
        await close(ana)

    with serving(settings(tmp_path)) as first:
        token, tables = asyncio.run(send(first.address))
    with serving(settings(tmp_path)) as second:
        asyncio.run(look(second.address, token, tables))


# -- invalid games ---------------------------------------------------------------------------------

Change = Callable[[Local], Any]


def at(number: int, **fields: Any) -> Change:
    """Change fields of the entry with a number, from 1."""
    return lambda sent: sent.body["log"][number - 1]["entry"].update(fields)


def body(**fields: Any) -> Change:
    return lambda sent: sent.body.update(fields)


def entry(number: int, **fields: Any) -> Change:
    """Insert another entry before the one with a number."""
    return lambda sent: sent.body["log"].insert(
        number - 1, {"at": sent.body["log"][number - 1]["at"], "entry": fields}
    )


def without(number: int) -> Change:
    return lambda sent: sent.body["log"].pop(number - 1)


def line(number: int, moment: int) -> Change:
    return lambda sent: sent.body["log"][number - 1].update(at=moment)


def other_chance(sent: Local) -> None:
    """Make chance deal another card after a decision."""
    entry = next(
        line["entry"] for line in sent.body["log"][6:] if len(line["entry"].get("chances", ())) == 1
    )
    entry["chances"] = [(entry["chances"][0] + 1) % 9]


def other_secret(sent: Local) -> None:
    sent.body["secret"] = hashlib.sha256(b"other").hexdigest()


def other_seed(sent: Local) -> None:
    del sent.body["secret"]
    sent.body["seed"] = "7"


def longer(sent: Local) -> None:
    sent.body["log"] += [sent.body["log"][-1]] * MOST_LOCAL_ENTRIES


# The log of the game: 1 sat, 2 announced, 3 nonce-added, 4 dealt, 5 and 6 choose, 7 the first turn.
REFUSED: dict[str, tuple[Change, int, str, str]] = {
    "another card": (other_chance, 422, "bad-value", "do not follow from the secret"),
    "another deal": (at(4, chances=[0]), 422, "bad-value", "Entry 4 of the log: These outcomes"),
    "another secret": (other_secret, 422, "bad-value", "Entry 2 of the log: These are not the"),
    "a seed instead": (other_seed, 422, "bad-value", "Entry 2 of the log: These are not the"),
    "a seed besides": (body(seed="7"), 422, "bad-value", "either a secret or a seed"),
    "no secret": (body(secret=None), 422, "bad-value", "either a secret or a seed"),
    "half a secret": (body(secret="0" * 63), 422, "bad-value", ""),
    "no such action": (at(7, action=2**31 - 1), 409, "illegal", "Entry 7 of the log: The rules"),
    "an illegal action": (at(5, action=0), 409, "illegal", "Entry 5 of the log: The rules do not"),
    "another turn": (at(7, seat=5), 422, "bad-value", "not for seat 5 to decide"),
    "another edition": (body(edition="usa"), 422, "bad-value", "map or the rules of this game"),
    "no edition": (body(edition="moon"), 422, "bad-value", "no edition 'moon'"),
    "another map": (body(fingerprint="0" * 16), 422, "bad-value", "has the fingerprint"),
    "too many seats": (
        body(seats=[{"kind": "person"}] * 6),
        422,
        "bad-value",
        "is for 2 to 3, not 6",
    ),
    "who begins": (body(first=1), 422, "bad-value", "Entry 2 of the log: These are not the terms"),
    "no such first seat": (body(first=4), 422, "bad-value", "Seat 4 cannot begin"),
    "no such bot": (
        body(seats=[{"kind": "person"}, {"kind": "bot", "bot": "hal"}]),
        422,
        "bad-value",
        "no bot 'hal'",
    ),
    "no such stand-in": (body(stand_in="hal"), 422, "bad-value", "no bot 'hal'"),
    "another bot decided": (at(5, bot="hal", seat=1), 422, "bad-value", "no bot 'hal'"),
    "a bot for a person": (at(5, seat=0, bot="greedy"), 422, "bad-value", "by a person"),
    "a person for a bot": (at(5, seat=1, bot=""), 422, "bad-value", "played by a bot"),
    "a bot's name": (at(1, name="Greedy"), 422, "bad-value", "Entry 1 of the log: Two players"),
    "an invisible name": (at(1, name="\u3164"), 422, "bad-value", "one letter that can be seen"),
    "a name of two lines": (at(1, name="A\nb"), 422, "bad-value", "A name is one line"),
    "a name turned around": (at(1, name="A\u202eb"), 422, "bad-value", "A name is one line"),
    "a long name": (at(1, name="x" * 25), 422, "bad-value", ""),
    "another name": (at(1, name="Ion"), 422, "bad-value", "Entry 2 of the log: These are not the"),
    "no such colour": (at(1, color="pink"), 422, "bad-value", ""),
    "a seat of a bot": (at(1, seat=1), 422, "bad-value", "There is no free seat 1"),
    "no such seat": (at(1, seat=5), 422, "bad-value", "There is no free seat 5"),
    "free seats": (without(1), 422, "bad-value", "Entry 1 of the log: There are free seats"),
    "nothing announced": (without(2), 422, "bad-value", "not time for nonces"),
    "announced twice": (entry(3, kind="announced", text=""), 422, "bad-value", "already"),
    "nothing dealt": (without(4), 409, "not-now", "Entry 4 of the log: The game is not running"),
    "dealt twice": (entry(5, kind="dealt", chances=[]), 422, "bad-value", "not time to deal"),
    "no nonce": (without(3), 422, "bad-value", "do not follow from the secret"),
    "another nonce": (at(3, nonce="0" * 64), 422, "bad-value", "not the nonce that was pledged"),
    "a nonce for a bot": (at(3, seats=[0, 1]), 422, "bad-value", "not the nonce that was"),
    "a nonce again": (
        lambda sent: sent.body["log"].insert(3, sent.body["log"][2]),
        422,
        "bad-value",
        "not the nonce that was",
    ),
    "another pledge": (at(1, pledge="0" * 64), 422, "bad-value", "These are not the terms"),
    "no person to leave": (entry(2, kind="left", seat=1), 422, "bad-value", "no person on seat 1"),
    "to leave too late": (entry(5, kind="left", seat=0), 422, "bad-value", "announced already"),
    "to sit too late": (
        entry(5, kind="sat", seat=0, name="Ion", color="red"),
        422,
        "bad-value",
        "announced already",
    ),
    "a stand-in too early": (
        entry(2, kind="stood-in", seat=0, bot="greedy", reason="left"),
        422,
        "bad-value",
        "There is no game",
    ),
    "a stand-in for a bot": (
        entry(5, kind="stood-in", seat=1, bot="greedy", reason="left"),
        422,
        "bad-value",
        "no person on seat 1",
    ),
    "a stand-in that is none": (
        entry(5, kind="stood-in", seat=0, bot="hal", reason="left"),
        422,
        "bad-value",
        "no bot 'hal'",
    ),
    "back from nowhere": (entry(5, kind="came-back", seat=0), 422, "bad-value", "No bot plays"),
    "closed": (entry(5, kind="closed"), 422, "bad-value", ""),
    "a person's id": (at(1, person="ana"), 422, "bad-value", ""),
    "after the end": (
        lambda sent: sent.body["log"].append(sent.body["log"][-1]),
        409,
        "not-now",
        "the table is finished",
    ),
    "before the game": (
        lambda sent: sent.body["log"].__delitem__(slice(2, None)),
        422,
        "bad-value",
        "once its cards are dealt",
    ),
    "nothing": (body(log=[]), 422, "bad-value", ""),
    "time that goes back": (line(9, BEGAN), 422, "bad-value", "Entry 9 of the log: It is earlier"),
    "a time before 1970": (line(1, -1), 422, "bad-value", ""),
    "too many entries": (longer, 422, "bad-value", ""),
    "too many chances": (at(4, chances=[0] * 501), 422, "bad-value", ""),
}


@pytest.mark.parametrize(("change", "status", "code", "words"), REFUSED.values(), ids=REFUSED)
def test_a_game_that_was_tampered_with_is_refused(server, change, status, code, words):
    sent = local("Ana", "greedy")
    kinds = [line["entry"]["kind"] for line in sent.body["log"][:7]]
    assert kinds == ["sat", "announced", "nonce-added", "dealt", "acted", "acted", "acted"]
    whole = copy.deepcopy(sent.body)
    change(sent)
    assert sent.body != whole

    async def story() -> None:
        [ana] = await people(server.address, "Ana")
        found, name, message = await refused(ana, sent.body)
        assert (found, name) == (status, code), message
        assert words in message
        assert (await ana.get("/me/tables"))["tables"] == []
        assert (await ana.post("/tables/import", whole))["status"] == "finished"
        await close(ana)

    asyncio.run(story())


def test_two_people_have_two_names_and_colours(server):
    async def story() -> None:
        [ana] = await people(server.address, "Ana")
        await ana.post("/tables/import", local("Ana", "Аnа").body)  # in two scripts
        sent = local("Ana", "Ion")
        sent.entry("sat", 1)["name"] = "Ana"
        assert "Two players are called Ana" in (await refused(ana, sent.body))[2]
        sent = local("Ana", "Ion")
        sent.entry("sat", 1)["color"] = "blue"
        assert "Another person has the colour blue" in (await refused(ana, sent.body))[2]
        await close(ana)

    asyncio.run(story())


def test_no_time_is_in_the_future(server):
    async def story() -> None:
        [ana] = await people(server.address, "Ana")
        now = server.node.clock.now()
        for ahead, good in ((CLOCK_SKEW_MS // 2, True), (2 * CLOCK_SKEW_MS, False)):
            sent = local("Ana", "greedy", name=f"ahead {ahead}")
            sent.body["log"][-1]["at"] = now + ahead
            if good:
                await ana.post("/tables/import", sent.body)
            else:
                found = await refused(ana, sent.body)
                assert found[:2] == (422, "bad-value")
                assert f"Entry {len(sent.body['log'])} of the log: It is in the future" in found[2]
        await close(ana)

    asyncio.run(story())


def test_a_body_has_a_limit_of_its_own(server):
    async def story() -> None:
        [ana] = await people(server.address, "Ana")
        sent = local("Ana", "greedy").body
        headers = ana.headers | {"content-type": "application/json"}
        answers = [
            await ana.http.post(
                "/tables/import", content=json.dumps(sent) + " " * spaces, headers=headers
            )
            for spaces in (server.node.settings.body_bytes, BODY_BYTES)
        ]
        assert [answer.status_code for answer in answers] == [201, 413]
        assert answers[1].json()["code"] == "too-large"
        await close(ana)

    asyncio.run(story())


def test_a_stranger_sends_nothing(server):
    async def story() -> None:
        stranger = Client(server.address)
        assert (await refused(stranger, local("Ana", "greedy").body))[:2] == (401, "unknown-person")
        await close(stranger)

    asyncio.run(story())


# -- limits ----------------------------------------------------------------------------------------


def test_a_game_that_is_sent_again_is_the_same_table(tmp_path):
    sent = local("Ana", "greedy").body

    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        tables = await asyncio.gather(*(ana.post("/tables/import", sent) for _ in range(5)))
        assert len({info["id"] for info in tables}) == 1
        # It is counted once in every limit, and another order of fields makes no difference.
        other = dict(reversed(sent.items())) | {"stand_in": None, "reactions": True}
        assert (await ana.post("/tables/import", other))["id"] == tables[0]["id"]
        assert len((await ana.get("/me/tables"))["tables"]) == 1
        assert (await ion.post("/tables/import", sent))["id"] != tables[0]["id"]
        await close(ana, ion)

    tell(tmp_path, story, tables_per_person_a_day=1)


def test_sent_games_count_as_tables(tmp_path):
    async def story(address: str) -> None:
        ana, ion = await people(address, "Ana", "Ion")
        running = [local("Ana", "Eva", name=name, moves=3).body for name in range(3)]
        for sent in running[:2]:
            await ana.post("/tables/import", sent)
        status, code, message = await refused(ana, running[2])
        assert (status, code, "open tables" in message) == (429, "too-many", True)
        # A finished game is not open.
        await ana.post("/tables/import", local("Ana", "greedy").body)
        status, code, message = await refused(ana, local("Ana", "greedy", name=2).body)
        assert (status, code, "within a day" in message) == (429, "too-many", True)
        answer = await ana.ask("POST", "/tables", {"edition": "tiny", "seats": []})
        assert not answer.is_success
        await ion.post("/tables/import", running[0])
        await close(ana, ion)

    tell(tmp_path, story, tables_per_person=2, tables_per_person_a_day=3)


def test_games_cannot_be_sent_too_fast(server):
    async def story() -> None:
        [ana] = await people(server.address, "Ana")
        body = local("Ana", "greedy").body
        codes = [(await ana.ask("POST", "/tables/import", body)).status_code for _ in range(14)]
        assert codes[:PER_MINUTE] == [201] * PER_MINUTE
        assert codes[-1] == 429
        await close(ana)

    asyncio.run(story())


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'macaz.db'}"
    address: str = request.getfixturevalue("postgres_url")
    return address


def test_the_store_keeps_an_imported_game_once(url):
    async def scenario(store: Store) -> None:
        log = [EntryRow(n, None, n, b"{}") for n in (1, 2, 3)]
        made = await asyncio.gather(
            *(
                store.games.create(
                    a_game(f"g{n}", imported="x", created_at=n), [None, None], log=log
                )
                for n in range(6)
            )
        )
        assert made.count(True) == 1
        kept = await store.games.imported_as("x")
        assert kept == f"g{made.index(True)}"
        assert await store.games.entries(kept) == log
        row = await store.games.get(kept)
        assert row is not None
        assert row.imported == "x"
        assert await store.games.imported_as("y") is None
        # A known game is recognized even over the limit; other games do not matter.
        quotas = Quotas(stored=1)
        assert not await store.games.create(
            a_game("h", imported="x"), [None, None], quotas=quotas, log=log
        )
        with pytest.raises(OverQuota):
            await store.games.create(
                a_game("i", imported="y"), [None, None], quotas=quotas, log=log
            )
        assert await store.games.entries("i") == []
        assert await store.games.create(a_game("j"), [None, None])
        assert await store.games.create(a_game("k"), [None, None])

    with_store(url, scenario)


# -- the sender knows all cards --------------------------------------------------------------------


def test_others_can_watch_but_not_sit_down(server):
    async def story() -> None:
        ana, ion = await people(server.address, "Ana", "Ion")
        table = (await ana.post("/tables/import", local("Ana", "Eva", moves=5).body))["id"]
        for wanted in ({"kind": "join"}, {"kind": "seat", "seat": 0}):
            answer = await ana.ask("POST", f"/tables/{table}/links", wanted)
            assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")
            assert "others can watch it, but not sit down" in answer.json()["message"]
        opened = await ion.post("/links/open", {"token": await link(ana, table, "watch")})
        assert opened == {"table": table, "seat": None}
        answer = await ion.ask("POST", f"/tables/{table}/sit", {})
        assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")
        await close(ana, ion)

    asyncio.run(story())


def test_nothing_of_the_secret_is_told_while_the_game_runs(server, caplog):
    sent = local("Ana", "Eva", "random", edition="usa", moves=12)
    hidden = [sent.body["secret"], *sent.nonces]
    assert len(hidden) == 2

    async def story() -> list[str]:
        ana, ion = await people(server.address, "Ana", "Ion")
        answer = await ana.ask("POST", "/tables/import", sent.body)
        got, table = [answer.text], answer.json()["id"]
        await ion.post("/links/open", {"token": await link(ana, table, "watch")})
        paths = ["", "/updates", "/moments/9", "/record", "/map", "/links", "/review"]
        paths = [*(f"/tables/{table}{path}" for path in paths), "/me/tables", "/tables"]
        for client in (ana, ion):
            got += [(await client.ask("GET", path)).text for path in paths]
        for client, seat in ((ana, 0), (ana, 1), (ion, None)):
            async with await client.connect() as socket:
                await say(socket, "hello", table=table, seat=seat, after=0)
                heard = [await hear(socket) for _ in range(len(sent.body["log"]) + 1)]
                got.append(json.dumps(heard))
        wrong = copy.deepcopy(sent.body)
        wrong["log"][-1]["entry"]["chances"] = [99]
        got.append((await ana.ask("POST", "/tables/import", wrong)).text)
        info = await until(ana, f"/tables/{table}", lambda info: info["status"] == "running")
        assert info["commitment"] in sent.record
        await close(ana, ion)
        return got

    said = "\n".join([*asyncio.run(story()), caplog.text])
    assert sent.entry("announced")["text"].splitlines()[0] in said
    for text in hidden:
        assert text not in said
