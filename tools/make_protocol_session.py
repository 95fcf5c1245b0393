"""Write the worked session of docs/protocol.md from a real one, so that every byte of it is true.

The cards are those of a seed and the clock is stepped by hand; only ids, secrets and the address
differ from run to run, and are replaced.
"""

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.server.harness import Client, hear, serving, settings  # noqa: E402

from macaz.server.clock import Clock  # noqa: E402

PAGE = ROOT / "docs" / "protocol.md"
START = "<!-- Written by tools/make_protocol_session.py from a real session. Do not edit. -->\n"
END = "<!-- The end of the session. -->\n"
WIDTH = 96
MIDNIGHT = 1_790_000_000.0

Message = dict[str, Any]


class StepClock(Clock):
    """A clock that stands still until it is stepped."""

    def __init__(self) -> None:
        self.seconds = 0.0
        super().__init__(lambda: MIDNIGHT, lambda: self.seconds)


def fold(value: Any, indent: int = 0) -> str:
    """JSON that a person can read: on one line where there is room."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or indent + len(line) <= WIDTH:
        return line
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        rows = [f"{json.dumps(key)}: " for key in value]
        parts = [row + fold(value[key], indent + 2) for row, key in zip(rows, value, strict=True)]
    else:
        parts = [fold(item, indent + 2) for item in value]
    lines, line = [], ""
    for part in parts:  # several short ones on a line
        if line and ("\n" in part or indent + 4 + len(line) + len(part) > WIDTH):
            lines.append(line)
            line = ""
        line = f"{line}, {part}" if line else part
        if "\n" in part:
            lines.append(line)
            line = ""
    inner = f",\n{pad}".join([*lines, line] if line else lines)
    left, right = "{}" if isinstance(value, dict) else "[]"
    return f"{left}\n{pad}{inner}\n{' ' * indent}{right}"


def shortened(answer: Any) -> Any:
    """The answer without its QR code, which is long, and differs with the port of the server."""
    if isinstance(answer, dict) and answer.get("qr"):
        return {**answer, "qr": {**answer["qr"], "path": "M0 0.5h7M8 0.5h2…"}}
    return answer


class Telling:
    """A session as it is written down."""

    def __init__(self, clock: StepClock) -> None:
        self.clock = clock
        self.parts: list[str] = []
        self.lines: list[str] = []
        self.shown: dict[str, str] = {}  # what differs from run to run, and what stands for it

    def say(self, text: str) -> None:
        """Tell something in words."""
        self.block()
        self.parts.append(" ".join(text.split()))

    def block(self) -> None:
        """End a block of messages."""
        if self.lines:
            self.parts.append("```text\n" + "\n".join(self.lines) + "\n```")
            self.lines = []

    async def ask(self, client: Client, method: str, path: str, body: Any = None) -> Any:
        """Ask by HTTP, and tell it."""
        self.clock.seconds += 2
        answer = await client.ask(method, path, body)
        assert answer.is_success, answer.text
        self.lines.append(f"{method} /api/v1{path}")
        if client.token:
            self.lines.append("Authorization: Bearer macaz_…")
        if body is not None:
            self.lines += ["", fold(body)]
        is_json = answer.headers["content-type"].startswith("application/json")
        told = fold(shortened(answer.json())) if is_json else answer.text.strip()
        self.lines += ["", f"{answer.status_code} {answer.reason_phrase}", told]
        self.block()
        return answer.json() if is_json else answer.text

    async def send(self, socket: Any, message: Message) -> None:
        """Send a message, and tell it."""
        self.clock.seconds += 2
        await socket.send(json.dumps(message))
        self.lines.append("→ " + fold(message, 2))

    async def hear(self, socket: Any, *kinds: str) -> Message:
        """The next messages, told; each must be of the kind that is expected."""
        message: Message = {}
        for kind in kinds:
            message = await hear(socket)
            assert message["type"] == kind, message
            self.lines.append("← " + fold(message, 2))
        return message

    def text(self) -> str:
        """All of it, with nothing that another run would tell differently."""
        self.block()
        told = "\n\n".join(self.parts)
        for real, shown in self.shown.items():
            told = told.replace(real, shown)
        return told + "\n"


def act(message: Message, nonce: str, kind: str = "") -> Message:
    """An act after a message: of that kind, or a route before a card before anything else."""
    order = (kind, "choose", "claim", "take", "blind")
    rank = {name: number for number, name in reversed(list(enumerate(order)))}
    best = min(message["legal"], key=lambda move: rank.get(move["type"], 9))
    known = {"action": best["action"], "version": message["version"]}
    return {"type": "act", **known, "nonce": nonce}


async def decide(socket: Any, message: Message) -> Message:
    """Decide without telling it; the update that it led to."""
    await socket.send(json.dumps(act(message, f"ion-{message['version']}")))
    update = message = await hear(socket)
    while message["type"] != "done":
        if message["type"] == "update":
            update = message
        message = await hear(socket)
    return update


class Session:
    """Ana and Ion play, and Ion leaves."""

    def __init__(self, tell: Telling, address: str) -> None:
        self.tell, self.address = tell, address
        self.ana, self.ion = Client(address), Client(address)
        self.table = ""
        self.hers: Any = None
        self.his: Any = None

    async def run(self) -> None:
        """From the first request to the record."""
        self.tell.shown[self.address] = "https://play.example.org"
        await self.make_the_table()
        dealt, offered = await self.sit_down()
        turn, his_turn = await self.choose_tickets(dealt, offered)
        last = await self.lose_the_line(turn, his_turn)
        await self.play_to_the_end(last)
        await self.hers.close()
        await self.ana.close()
        await self.ion.close()

    async def make_the_table(self) -> None:
        """Who am I, and where do we play?"""
        tell, ana = self.tell, self.ana
        tell.say(
            "**Ana signs up**, with a token for her program. The token is sent only once: keep it."
        )
        me = await tell.ask(ana, "POST", "/people", {"name": "Ana", "token": "my client"})
        ana.token = me["token"]
        tell.shown[ana.token] = "macaz_Vb0oC8rZr5KJzYw1mXk2sQ7tLhD4uGfE6pNaIiRjTyA"
        tell.say(
            "**She makes a table** for two people, on a map so small that a game fits on a page. "
            "It has a seed, so that you can do the same and get the same cards."
        )
        person = {"kind": "person"}
        wanted = {"edition": "tiny", "seats": [person, person], "first": 0, "seed": "a session"}
        self.table = (await tell.ask(ana, "POST", "/tables", wanted))["id"]
        tell.shown[self.table] = "8gN2xQ4vTzWk1LrY"

    async def sit_down(self) -> tuple[Message, Message]:
        """A link, a socket, and the deal: what each of them is told of it."""
        tell, ana, ion = self.tell, self.ana, self.ion
        tell.say("**A link** for another person. The part after the `#` is its secret.")
        link = await tell.ask(ana, "POST", f"/tables/{self.table}/links", {"kind": "join"})
        secret = link["url"].partition("#")[2]
        tell.shown[link["id"]] = "p3VtY9sKq2Zb"
        tell.shown[secret] = "rT6mB1xWc8Jd0HqLz5VuKe7N"
        tell.say("**She opens the socket** with the same header, and watches her seat.")
        self.hers = await ana.connect()
        await tell.send(self.hers, {"type": "hello", "table": self.table, "seat": 0, "protocol": 1})
        await tell.hear(self.hers, "welcome")
        tell.say("**Ion opens the link**, after signing up as Ana did.")
        ion.token = (await ion.post("/people", {"name": "Ion", "token": "his"}))["token"]
        await tell.ask(ion, "POST", "/links/open", {"token": secret})
        tell.say(
            "Now every seat is taken. Ana is told that he sat down, what is announced, and the "
            "deal; `color` and `tickets` are null where she may not see them. Both are to choose "
            "tickets, in any order."
        )
        dealt = await tell.hear(self.hers, "update", "update", "update")
        self.his = await ion.connect()
        await self.his.send(json.dumps({"type": "hello", "table": self.table, "seat": 1}))
        return dealt, await hear(self.his)

    async def choose_tickets(self, dealt: Message, offered: Message) -> tuple[Message, Message]:
        """The first decisions; the update with her turn, as each of them heard it."""
        tell, hers, his = self.tell, self.hers, self.his
        tell.say(
            "**She decides**: the action of one of her legal moves, the version she has seen, and "
            "a nonce of her own. The update comes first, then `done`."
        )
        choice = act(dealt, "ana-1")
        await tell.send(hers, choice)
        await tell.hear(hers, "update", "done")
        tell.say("**The same again**, as if `done` had been lost. It is answered, not done twice.")
        await tell.send(hers, choice)
        await tell.hear(hers, "done")
        tell.say("**What is not allowed** is refused with a code, and changes nothing.")
        await tell.send(hers, choice | {"nonce": "ana-2"})
        await tell.hear(hers, "refused")
        tell.say("**Ion chooses** his tickets. Ana sees how many; and now it is her turn.")
        his_turn = await decide(his, offered)
        turn = await tell.hear(hers, "update")
        tell.say("**A sign** for the table. Then the whole view, as `look` asks for it.")
        await tell.send(hers, {"type": "react", "sign": "hello"})
        await tell.hear(hers, "reaction")
        await tell.send(hers, {"type": "look"})
        await tell.hear(hers, "welcome")
        return turn, his_turn

    async def lose_the_line(self, turn: Message, his_turn: Message) -> Message:
        """An act in doubt, and what was missed; the last update."""
        tell, his = self.tell, self.his
        tell.say("**She takes a card**, and a second one.")
        await tell.send(self.hers, act(turn, "ana-3", "take"))
        second = await tell.hear(self.hers, "update")
        await tell.hear(self.hers, "done")
        draw = act(second, "ana-4", "take")
        await tell.send(self.hers, draw)
        tell.say(
            "**The connection breaks** before she hears of it, and Ion makes his turn. She "
            "connects again, says what she heard last, and sends the act again with the same "
            "nonce. `welcome` has no view; what she missed follows, one version after the other."
        )
        while his_turn["deciding"] != [1]:
            his_turn = await hear(his, "update")
        await self.hers.close()
        while his_turn["legal"]:
            his_turn = await decide(his, his_turn)
        self.hers = await self.ana.connect()
        hello = {"type": "hello", "table": self.table, "seat": 0, "after": second["version"]}
        await tell.send(self.hers, hello | {"protocol": 1})
        missed = his_turn["version"] - second["version"]
        last = await tell.hear(self.hers, "welcome", *["update"] * missed)
        await tell.send(self.hers, draw)
        await tell.hear(self.hers, "done")
        return last

    async def play_to_the_end(self, last: Message) -> None:
        """A bot instead of Ion, the last act, and the record."""
        tell, hers = self.tell, self.hers
        tell.say("**Ion leaves**, and a bot stands in for him.")
        await tell.ask(self.ion, "POST", f"/tables/{self.table}/seats/1/leave")
        await self.his.close()
        last = await tell.hear(hers, "update")
        tell.say("**So it goes on**, act after act, until the end:")
        while not over(last):
            tell.lines.clear()
            if last["legal"]:
                await tell.send(hers, act(last, f"ana-{last['version']}"))
                last = await tell.hear(hers, "update")
                await tell.hear(hers, "done")
            else:
                last = await tell.hear(hers, "update")
        tell.say("**The record** of the game is available to all who may watch it.")
        await tell.ask(self.ana, "GET", f"/tables/{self.table}/record")


def over(message: Message) -> bool:
    """Whether a message tells the end of the game."""
    return any(event["type"] == "game-ended" for event in message["events"])


def written(told: str) -> str:
    """The session between its marks."""
    return f"{START}\n{told}\n{END}"


def real() -> str:
    """The session, as it goes now."""
    with tempfile.TemporaryDirectory() as folder:
        clock = StepClock()
        chosen = settings(Path(folder), bot_pace=0.1)
        with serving(chosen, clock) as server:
            tell = Telling(clock)
            asyncio.run(Session(tell, server.address).run())
            return written(tell.text())


def page() -> str:
    """The page with the session as it goes now."""
    text = PAGE.read_text(encoding="utf-8")
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    assert start, "the page has lost the mark before its session"
    assert end, "the page has lost the mark after its session"
    return before + real() + after


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"Wrote {PAGE}")
