"""The page of the protocol is correct and complete."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any, get_args

import httpx
import msgspec
from tests.server.harness import serving, settings

from macaz.server import socket, wire
from macaz.server.middleware import STATUS

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
TOOL = "tools/make_protocol_session.py"


def section(title: str) -> str:
    """A part of the page, up to the next heading."""
    [found] = re.findall(rf"^#+ {title}\n(.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def rows(title: str) -> dict[str, list[str]]:
    """The rows of a section's table by their first column."""
    lines = re.findall(r"^\|(.+)\|$", section(title), re.MULTILINE)[2:]
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    return {first.strip("`"): rest for first, *rest in cells}


def tags(kinds: Any) -> set[str]:
    return {kind.__struct_config__.tag for kind in kinds}


def test_the_session_goes_as_it_is_told():
    page = runpy.run_path(str(ROOT / TOOL))["page"]()
    assert page == PAGE, f"stale; run: .venv/bin/python {TOOL}"


def test_every_message_has_its_row():
    assert set(rows("What you send")) == tags(get_args(wire.ClientMessage))
    assert set(rows("What you get")) == tags(get_args(wire.ServerMessage))
    assert set(rows("Events")) == tags(wire.TABLE_EVENTS)
    for kind in get_args(wire.ClientMessage):
        told = re.findall(r"`(\w+)`", rows("What you send")[kind.__struct_config__.tag][0])
        assert tuple(told) == kind.__struct_fields__


def test_every_code_has_its_row():
    told = {code: int(cells[0]) for code, cells in rows("Refusals").items()}
    assert told == STATUS
    assert list(told) == list(get_args(wire.Code))


def test_every_sign_is_told():
    assert tuple(re.findall(r"`([a-z-]+)`", section("Reactions"))) == get_args(wire.Sign)


def test_every_close_code_has_its_row():
    ours = {value for name, value in vars(socket).items() if name.startswith("CLOSE_")}
    # Sent by the websockets library, or not sent at all (1006); test_fuzz.py tests them.
    of_websockets = {1002, 1006, 1007, 1009, 1011}
    assert {int(code) for code in rows("Silence and slowness")} == ours | of_websockets


def test_every_choice_of_a_table_has_its_row():
    optional = {f.name for f in msgspec.structs.fields(wire.NewTable) if not f.required}
    assert set(rows("A table")) == optional - {"mine"}
    [kind] = [f.type for f in msgspec.structs.fields(wire.NewLink) if f.name == "kind"]
    assert set(rows("Links")) == set(get_args(kind))


def test_every_path_has_its_row_with_its_bodies(tmp_path):
    with serving(settings(tmp_path)) as server:
        described = httpx.get(f"{server.address}/api/v1/schema/openapi.json").json()
    found = {}
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            good = next(a for status, a in operation["responses"].items() if status < "300")
            found[method.upper(), path.removeprefix("/api/v1")] = (
                _shown(operation.get("requestBody", {})),
                _shown(good),
            )
    pattern = r"^\| ([A-Z]+) \| `([^`]+)`(?: ○)? \|([^|]*)\|([^|]*)\|"
    told = {
        (method, path): (body.strip(" `"), answer.strip(" `"))
        for method, path, body, answer in re.findall(pattern, section("HTTP"), re.MULTILINE)
    }
    assert told == found


def _shown(part: dict[str, Any]) -> str:
    """A body or an answer by the name of its type."""
    kinds = [
        content["schema"] for content in part.get("content", {}).values() if "schema" in content
    ]
    for schema in kinds:
        schema = next((one for one in schema.get("oneOf", ()) if "$ref" in one), schema)  # noqa: PLW2901
        if schema.get("type") == "array":
            return f"{schema['items']['$ref'].rpartition('/')[2]}[]"
        if "$ref" in schema:
            return str(schema["$ref"].rpartition("/")[2])
        if schema.get("type") == "string":
            return "text"
    return ""


def test_the_limits_are_told_on_the_page_of_settings():
    # That page is generated from the settings: no number is repeated here.
    assert "(settings.md#limits)" in section("Limits")
