"""Play a game of Macaz to its end: python client.py ADDRESS-OR-LINK [EDITION]"""

import hashlib
import json
import secrets
import sys
import time

from httpx import Client, Response
from websockets import WebSocketException
from websockets.sync.client import connect

TOO_LATE = ("stale", "not-your-turn", "not-now")  # for an act, or for a nonce


def worth(move):
    """The longest route is best, drawing tickets worst; as few tickets as possible."""
    length = routes[move["route"]]["length"] if move["type"] == "claim" else 0
    return length - len(move.get("tickets", ())) - 9 * (move["type"] == "draw-tickets")


def play(socket, pending):
    """Play until the scores are known. `pending` is the act whose answer has not come yet."""
    for message in filter(None, [{"type": "hello", **mine}, pending]):
        socket.send(json.dumps(message))  # the same act again, with its nonce, is done only once
    for text in socket:
        message = json.loads(text)
        if f"pledge {mine['seat'] + 1}: {pledge}" in text:  # the terms are announced
            socket.send(json.dumps({"type": "add-nonce", "nonce": nonce.hex()}))
        if message["type"] in ("welcome", "update"):
            version, legal = message["version"], message["legal"]
            parts = [message.get("view") or {}, *message.get("events", ())]
            if outcome := next((part["outcome"] for part in parts if part.get("outcome")), None):
                return [score["total"] for score in outcome["seats"]]
        elif message["type"] == "done" or message.get("code") in TOO_LATE:
            pending.clear()  # done, or the table has gone on without it
        elif message["type"] == "refused":
            again = message["code"] in ("storage", "closing", "too-fast")
            raise (ConnectionError if again else SystemExit)(message["message"])
        if legal and not pending:  # one act at a time
            pending |= {"type": "act", "action": max(legal, key=worth)["action"]}
            pending |= {"version": version, "nonce": str(time.time_ns())}
            socket.send(json.dumps(pending))
    return None  # the connection was closed


site, _, link = sys.argv[1].partition("#")
api = site.removesuffix("/join").rstrip("/") + "/api/v1"
http = Client(base_url=api, timeout=60, event_hooks={"response": [Response.raise_for_status]})
me = http.post("/people", json={"name": "Example", "token": "examples/client.py"}).json()
http.headers["authorization"] = bearer = f"Bearer {me['token']}"
nonce = secrets.token_bytes(32)  # so that the host cannot choose the cards
pledge = hashlib.sha256(b"macaz pledge 1" + nonce).hexdigest()
if link:
    mine = http.post("/links/open", json={"token": link, "pledge": pledge}).json()
else:
    seats = [{"kind": "person"}, {"kind": "bot", "bot": "greedy"}]
    table = {"edition": (*sys.argv, "usa-classic")[2], "seats": seats, "pledge": pledge}
    mine = {"table": http.post("/tables", json=table).json()["id"], "seat": 0}
routes = http.get(f"/tables/{mine['table']}/map").json()["routes"]
scores, pending, url = None, {}, f"ws{api.removeprefix('http')}/socket"
while not scores:
    try:
        with connect(url, additional_headers={"authorization": bearer}) as socket:
            scores = play(socket, pending)
    except (OSError, WebSocketException):
        time.sleep(1)
print("Final scores:", *scores)
print("Table:", mine["table"], "Nonce:", nonce.hex())
