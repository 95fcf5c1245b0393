"""Taking decisions back, and resigning."""

from __future__ import annotations

from litestar import post
from litestar.params import JSONBody

from macaz.server import wire
from macaz.server.http.common import (
    Asker,
    Here,
    SeatPath,
    TablePath,
    common,
    find_table,
    info_for,
)


@post(
    "/tables/{table_id:str}/seats/{seat:int}/take-back",
    tags=["tables"],
    summary="Take a decision back",
    status_code=200,
    **common,
)
async def take_back(
    person: Asker, node: Here, table_id: TablePath, seat: SeatPath, data: JSONBody[wire.TakeBack]
) -> wire.TableInfo:
    """The last one of this seat, which revealed nothing; where other people play, they are asked.

    `takeback` in the messages of the socket says which decision that is, and who must agree.
    """
    table = await find_table(node, person, table_id)
    node.seat_changes.ask(person.id)
    await table.takebacks.ask(person.id, seat, data.version)
    return await info_for(node, person, table)


@post(
    "/tables/{table_id:str}/seats/{seat:int}/take-back/answer",
    tags=["tables"],
    summary="Agree to a takeback, or not",
    status_code=200,
    **common,
)
async def answer_takeback(
    person: Asker,
    node: Here,
    table_id: TablePath,
    seat: SeatPath,
    data: JSONBody[wire.TakebackAnswer],
) -> wire.TableInfo:
    """It is done when all who are asked agree, and refused as soon as one does not."""
    table = await find_table(node, person, table_id)
    node.seat_changes.ask(person.id)
    await table.takebacks.answer(person.id, seat, data.version, accept=data.accept)
    return await info_for(node, person, table)


@post(
    "/tables/{table_id:str}/seats/{seat:int}/resign",
    tags=["tables"],
    summary="Resign",
    status_code=200,
    **common,
)
async def resign(person: Asker, node: Here, table_id: TablePath, seat: SeatPath) -> wire.TableInfo:
    """A bot plays the seat to the end, which cannot win any more.

    The game ends at once if fewer than two people are left in it.
    """
    table = await find_table(node, person, table_id)
    node.seat_changes.ask(person.id)
    await table.seats.resign(person.id, seat)
    return await info_for(node, person, table)
