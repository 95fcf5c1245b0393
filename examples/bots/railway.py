"""A bot for Macaz in Python: it builds the shortest path for its tickets, one after the other."""

import heapq
import json
import sys


def plan(tickets):
    """The routes still to claim for these tickets, and their total value."""
    owned, trains = {r for seat in view["seats"] for r in seat["routes"]}, me["trains"]
    wanted, worth, shared = set(), 0, game["seats"] >= game["rules"]["parallel_from"]
    closed = {ends[r] for r in (me["routes"] if shared else owned)}  # no second lane there
    cost = {r: n for r, n in enumerate(lengths) if r not in owned and ends[r] not in closed}
    cost |= dict.fromkeys(me["routes"], 0)
    for ticket in sorted((game["tickets"][t] for t in tickets), key=lambda t: -t["points"]):
        heap, seen, far, way = [(0, ticket["a"], ())], set(), 0, ()
        while heap and ticket["b"] not in seen:  # Dijkstra's shortest path
            far, city, way = heapq.heappop(heap)
            for r in (r for r in cost if city in ends[r] and city not in seen):
                step = 0 if r in wanted else cost[r]
                heapq.heappush(heap, (far + step, sum(ends[r]) - city, (*way, r)))
            seen.add(city)
        good = ticket["b"] in seen and far <= trains
        worth += ticket["points"] - far / 2 if good else -ticket["points"]
        wanted, trains = wanted.union(r for r in way if good and cost[r]), trains - far * good
    return wanted, worth


def value(move):
    """The value of a move; moves not named here are worth 0."""
    kind, route, paid = move["type"], move.get("route"), move.get("locomotives", 0)
    if kind in ("choose", "keep"):
        return plan(me["tickets"] + move["tickets"])[1]
    if kind == "claim":  # for a ticket, or for its points when there is nothing better
        spare = 2 * lengths[route] - 7 if not wanted or me["hand_size"] > 15 else -9
        return (10 + lengths[route] if route in wanted else spare) - paid
    if kind == "take":  # a colour of the plan
        return 4 if move["color"] in {game["routes"][r]["color"] for r in wanted} else 1
    start = sum(move.get("city") in ends[r] for r in wanted)
    others = {"blind": 3, "pay-tunnel": 9, "start": start, "draw-tickets": -1, "station": -9}
    return others.get(kind, 0) - paid


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "macaz":
        print('bot {"name": "Railway", "author": "Macaz examples", "protocol": 2}', flush=True)
    elif word == "newgame":
        game = json.loads(rest)
        ends = [(route["a"], route["b"]) for route in game["routes"]]
        lengths = [route["length"] for route in game["routes"]]
        print("ready", flush=True)
    elif word == "position":
        now = json.loads(rest)
        view, me = now["view"], now["view"]["seats"][game["seat"]]
    elif word == "go":
        wanted, _ = plan(me["tickets"])
        print("move", max(now["legal"], key=value)["action"], flush=True)
    elif word == "quit":
        break
