"""Schemathesis tests the HTTP interface against its OpenAPI description."""

from __future__ import annotations

import asyncio
import copy
import logging
from collections.abc import Iterator
from functools import reduce
from operator import getitem
from typing import Any, NamedTuple

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, example, given, strategies
from hypothesis import settings as hypothesis_settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.server.harness import Client, play_on, serving, settings
from tests.server.test_import import local

from macaz.server.local_games import PER_MINUTE

PROMISES = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
IMPORT = "/tables/import"
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
# The same examples every time.
repeatable = hypothesis_settings(
    max_examples=12,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


# It imports what it needs only now, and Python 3.11 may fail to read a module while the server's
# thread does the same.
strategies.from_regex("a").validate()


class Described(NamedTuple):
    """A server with its description, and objects to request."""

    address: str
    operations: list[Any]
    token: str
    tables: list[str]  # one that waits, one in progress, one finished


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Described]:
    async def prepare(address: str) -> tuple[str, list[str]]:
        ana = await Client.new(address)
        waiting = await ana.table("me", "person", listed=True)
        running = await ana.table("me", "random")
        ended = await ana.table("me", "random")
        await play_on(ana, ended, 0)
        await ana.close()
        return ana.token, [waiting, running, ended]

    with serving(settings(tmp_path_factory.mktemp("openapi"))) as server:
        token, tables = asyncio.run(prepare(server.address))
        schema = schemathesis.openapi.from_url(f"{server.address}/api/v1/schema/openapi.json")
        operations: list[Any] = list(schema.get_all_operations())
        found = [each.ok() for each in operations]
        yield Described(server.address, found, token, tables)


def examples(described: Described, mode: GenerationMode) -> Iterator[Any]:
    for operation in described.operations:
        asks_for = operation.body or operation.query or operation.path_parameters
        if mode is GenerationMode.POSITIVE:
            wanted = not operation.path.endswith(IMPORT)  # random entries never make a game
        else:
            wanted = bool(asks_for)  # without any, nothing can be invalid
        if wanted:
            yield operation, operation.as_strategy(generation_mode=mode)


def _fields(case: Any) -> dict[str, Any]:
    return case.body if isinstance(case.body, dict) else {}


def test_every_route_is_described_with_its_refusals(described):
    assert len(described.operations) > 20
    for operation in described.operations:
        told = operation.definition.raw["responses"]
        assert {"400", "401", "404", "429", "503"} <= set(told), operation.label
        assert operation.definition.raw["summary"], operation.label


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("known", [True, False], ids=["with a token", "as a stranger"])
def test_the_description_is_kept(described, mode, known, caplog):
    headers = {"authorization": f"Bearer {described.token}"} if known else {}
    for operation, cases in examples(described, mode):
        few = not known or operation.path.endswith(IMPORT)
        count = 3 if few else 12 if operation.body else 6  # a path alone has little to vary

        # Nearly all that a stranger asks is refused before it is read.
        @hypothesis_settings(repeatable, max_examples=count)
        @given(case=cases)
        def keeps_it(case: Any) -> None:
            if mode is GenerationMode.POSITIVE and "edition" in _fields(case):
                case.body |= {"edition": "tiny"}  # random data would never be the name of one
            if _fields(case).get("keep_present") is False:
                case.body |= {"keep_present": True}  # the token is needed for what follows
            checks = [*PROMISES, negative_data_rejection] if known else PROMISES
            case.call_and_validate(headers=headers, checks=checks)

        keeps_it()
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every part of a body."""
    parts: Any = enumerate(value) if isinstance(value, list) else ()
    for key, part in value.items() if isinstance(value, dict) else parts:
        yield (*path, key)
        yield from _places(part, (*path, key))


async def _tokens(address: str, count: int) -> list[str]:
    """For several people, since each may send only a few games per minute."""
    clients = [await Client.new(address) for _ in range(count)]
    for client in clients:
        await client.close()
    return [client.token for client in clients]


def test_the_description_is_kept_for_games_with_one_change(described, caplog):
    """Random entries never fit each other, so one part of a real game is changed."""
    [operation] = [each for each in described.operations if each.path.endswith(IMPORT)]
    whole = local("Ana", "greedy", "Ion").body
    junk = strategies.one_of(
        strategies.none(),
        strategies.booleans(),
        strategies.integers(-1, 300),
        strategies.text(max_size=30),
        strategies.just([]),
        strategies.just({}),
        strategies.sampled_from([part["entry"] for part in whole["log"]]),
    )
    made: list[int] = []
    tokens = asyncio.run(_tokens(described.address, 10))

    @hypothesis_settings(repeatable, max_examples=PER_MINUTE * len(tokens) - 1)
    @given(place=strategies.sampled_from(list(_places(whole))), junk=junk)
    @example(place=("edition",), junk=whole["edition"])  # the game as it is
    def keeps_it(place: tuple[Any, ...], junk: Any) -> None:
        body = copy.deepcopy(whole)
        *way, last = place
        reduce(getitem, way, body)[last] = junk
        headers = {"authorization": f"Bearer {tokens[len(made) % len(tokens)]}"}
        case = operation.Case(body=body, media_type="application/json")
        made.append(case.call_and_validate(headers=headers, checks=PROMISES).status_code)

    keeps_it()
    assert {201, 422} <= set(made)
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_the_description_is_kept_at_tables_that_exist(described, mode, caplog):
    headers = {"authorization": f"Bearer {described.token}"}
    for operation, cases in examples(described, mode):
        if "{table_id}" not in operation.path:
            continue

        @hypothesis_settings(repeatable, max_examples=12 if operation.body else 6)
        @given(case=cases, table=strategies.sampled_from(described.tables))
        def keeps_it(case: Any, table: str) -> None:
            case.path_parameters["table_id"] = table
            case.call_and_validate(headers=headers, checks=PROMISES)

        keeps_it()
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]
