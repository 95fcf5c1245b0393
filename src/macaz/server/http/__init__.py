"""The HTTP API. The play at a table goes through the socket."""

from __future__ import annotations

from litestar import Router
from litestar.di import Provide

from macaz.server.http import (
    advice,
    aids,
    catalog,
    links,
    past,
    people,
    sessions,
    tables,
    takebacks,
)
from macaz.server.http.common import provide_identity, provide_node, provide_person

api = Router(
    "/api/v1",
    route_handlers=[
        people.become,
        people.who_am_i,
        people.whoami,
        people.change_me,
        sessions.sign_out,
        sessions.sign_out_everywhere,
        sessions.my_sessions,
        sessions.end_session,
        sessions.my_tokens,
        sessions.make_token,
        sessions.revoke_token,
        people.my_tables,
        people.my_statistics,
        catalog.editions,
        catalog.edition,
        catalog.plate,
        catalog.bots,
        tables.lobby,
        tables.make_table,
        tables.import_game,
        tables.table_info,
        tables.table_map,
        tables.table_plate,
        aids.aids,
        advice.advice,
        advice.review,
        tables.sit,
        tables.leave,
        tables.come_back,
        tables.stand_in,
        takebacks.take_back,
        takebacks.answer_takeback,
        takebacks.resign,
        tables.close,
        tables.rematch,
        past.updates,
        past.moment,
        past.record,
        links.links,
        links.make_link,
        links.revoke_link,
        links.open_link,
    ],
    dependencies={
        "identity": Provide(provide_identity),
        "person": Provide(provide_person),
        "node": Provide(provide_node),
    },
)
