"""Where a browser takes notices of turns, and at which tables it is my turn."""

from __future__ import annotations

from typing import Any

from litestar import delete, get, put
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody

from macaz.server import wire
from macaz.server.http.common import PAGE, PROBLEMS, Asker, By, Here, common
from macaz.server.notices import waits_for_people
from macaz.server.push.endpoint import is_allowed
from macaz.server.refusal import Refusal
from macaz.server.show import line_of
from macaz.server.state import deadlines
from macaz.server.store.rows import SubscriptionRow

_LAST = 2**53  # later than any deadline
done: dict[str, Any] = {
    "status_code": 204,
    "responses": {**PROBLEMS, 204: ResponseSpec(None, description="It is done.")},
}


@get("/push", tags=["notices"], summary="Can notices be sent?", **common)
async def push_offer(node: Here) -> wire.PushOffer:
    """The key to subscribe with, if this server sends notices while the page is closed."""
    return wire.PushOffer(node.notices.key)


@put("/me/push", tags=["notices"], summary="Tell this browser of my turns", **done)
async def subscribe(identity: By, node: Here, data: JSONBody[wire.NewSubscription]) -> None:
    """From now on notices are sent to this address; until the session of the browser ends."""
    if node.notices.key is None:
        raise Refusal("not-now", "This server does not send notices.")
    if identity.token:
        raise Refusal("not-allowed", "Notices are for browsers. A program can watch a table.")
    if not is_allowed(data.endpoint, node.settings.push_hosts):
        raise Refusal("bad-value", "endpoint: this server does not send to that push service.")
    from macaz.server.push.encrypt import check_keys

    try:
        check_keys(data.p256dh, data.auth)
    except ValueError as error:
        raise Refusal("bad-value", "p256dh, auth: these are no keys of a browser.") from error
    row = SubscriptionRow(
        session_id=identity.credential,
        person_id=identity.person.id,
        endpoint=data.endpoint,
        p256dh=data.p256dh,
        auth=data.auth,
        language=data.language,
        created_at=node.clock.now(),
    )
    if not await node.store.subscriptions.keep(row):
        raise Refusal("unknown-person", "You have been signed out.")


@delete("/me/push", tags=["notices"], summary="Tell this browser nothing", **done)
async def unsubscribe(identity: By, node: Here) -> None:
    """Its address is forgotten."""
    await node.store.subscriptions.remove(identity.credential)


@get("/me/turns", tags=["notices"], summary="Where is it my turn?", **common)
async def my_turns(person: Asker, node: Here) -> list[wire.WaitingTable]:
    """Of my running tables that changed last, with other people or a clock.

    The one with the least time left comes first.
    """
    node.reads.ask(person.id)
    rows = await node.store.games.running_of(person.id, PAGE)
    mine = await node.store.games.seats_of(person.id, [row.id for row in rows])
    found: list[wire.WaitingTable] = []
    for row in rows:
        try:
            table = await node.table(row.id)
        except Refusal:  # deleted meanwhile, or it cannot be read now: the others are shown
            continue
        state, times = table.state, deadlines(table.state, table.terms)
        seats = [s for s in table.seats.of(person.id) if not state.chairs[s].bot]
        waiting = [seat for seat in seats if seat in state.deciding]
        if waiting and waits_for_people(state, table.terms):
            line = line_of(row, node.editions.title(row.edition), mine[row.id], node.clock.now())
            left = min((t for seat in waiting if (t := times[seat]) is not None), default=None)
            found.append(wire.WaitingTable(line, left))
    return sorted(found, key=lambda each: _LAST if each.deadline is None else each.deadline)
