"""The page, without a browser: it is all there, asks nobody else and speaks two languages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import get_args

import httpx
import pytest
from tests.server.harness import serving, settings

from macaz import events, moves
from macaz.board import CARDS, GRAY
from macaz.bots import BOTS
from macaz.server import wire
from macaz.server.page import FOLDER

TYPES = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
ASSETS = sorted(path for path in FOLDER.iterdir() if path.suffix in TYPES)
SCRIPTS = {path.name: path.read_text("utf-8") for path in ASSETS if path.suffix == ".js"}
HTML = (FOLDER / "index.html").read_text("utf-8")
WORDS = {name: json.loads((FOLDER / f"{name}.json").read_text("utf-8")) for name in ("en", "ro")}
FORMS = {"en": {"one", "other"}, "ro": {"one", "few", "other"}}


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("page")
    with serving(settings(folder)) as server, httpx.Client(base_url=server.address) as client:
        yield client


@pytest.mark.parametrize("address", ["/", "/join", "/tables/some-table"])
def test_every_address_is_the_page(browser, address):
    answer = browser.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.text == HTML


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.name)
def test_assets_have_their_types_and_are_asked_for_again(browser, path):
    answer = browser.get(f"/assets/{path.name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(TYPES[path.suffix])
    assert answer.headers["cache-control"] == "no-cache"


def test_everything_the_page_names_is_there():
    named = re.findall(r'(?:src|href)="/assets/([^"]+)"', HTML)
    for script in SCRIPTS.values():
        named += re.findall(r'from "\./([^"]+)"', script)
    assert named
    assert [name for name in named if not (FOLDER / name).is_file()] == []


def test_nothing_that_the_policy_forbids():
    assert re.findall(r"<script(?![^>]* src=)", HTML) == []
    assert re.findall(r"\son\w+=|javascript:|<style|\sstyle=", HTML) == []
    for name, script in SCRIPTS.items():
        assert not re.search(r"\beval\(|new Function|innerHTML|outerHTML|insertAdjacent", script), (
            name
        )


def test_the_policy_allows_what_the_page_uses_and_no_more(browser):
    said = browser.get("/").headers["content-security-policy"]
    policy = dict(directive.split(" ", 1) for directive in said.split("; "))
    assert policy.pop("default-src") == "'none'"
    texts = {path.name: path.read_text("utf-8") for path in FOLDER.iterdir()}
    everything = "".join(texts.values())
    used = {
        "script-src": HTML.count("<script"),
        "style-src": HTML.count('rel="stylesheet"'),
        "img-src": HTML.count('rel="icon"'),
        "connect-src": sum(s.count("fetch(") + s.count("new WebSocket") for s in SCRIPTS.values()),
        "font-src": everything.count("@font-face"),
        "worker-src": everything.count("Worker("),
        "manifest-src": HTML.count('rel="manifest"'),
        "media-src": len(re.findall(r"<audio|<video|new Audio", everything)),
        "frame-src": everything.count("<iframe"),
    }
    assert {name: "'self'" for name, count in used.items() if count} == {
        name: value for name, value in policy.items() if name in used
    }
    assert set(policy) - set(used) == {"base-uri", "form-action", "frame-ancestors"}
    # Neither are there styles in attributes, nor pictures out of thin air.
    assert [name for name, text in SCRIPTS.items() if re.search(r"\bstyle:|\"style\"", text)] == []
    made = r"[\"'(`](?:data|blob):|createObjectURL"
    assert [name for name, text in texts.items() if re.search(made, text)] == []


def test_it_asks_no_other_site():
    for path in FOLDER.iterdir():
        text = path.read_text("utf-8").replace(
            "http://www.w3.org/2000/svg", ""
        )  # a name, no address
        assert not re.search(r"https?://|wss?://|[\"'(]//", text), path.name


# -- words -----------------------------------------------------------------------------------------


def test_both_languages_have_the_same_texts():
    english, romanian = WORDS["en"], WORDS["ro"]
    assert set(english) == set(romanian)
    for key, text in english.items():
        assert isinstance(romanian[key], type(text)), key
        if isinstance(text, str):
            parts = re.compile(r"\{\w+\}")
            assert set(parts.findall(text)) == set(parts.findall(romanian[key])), key


@pytest.mark.parametrize("language", FORMS)
def test_counted_things_have_every_form_of_the_language(language):
    counted = [key for key, text in WORDS[language].items() if isinstance(text, dict)]
    assert counted
    for key in counted:
        forms = WORDS[language][key]
        assert set(forms) == FORMS[language], key
        assert all("{n}" in text for text in forms.values()), key


def _used() -> Iterator[tuple[str, str]]:
    """The keys that the scripts name in full: by `t` and by `count`."""
    for script in SCRIPTS.values():
        for call in re.findall(r"\bt\(([^()`]*?(?:\)|$))", script):
            yield from (("t", key) for key in re.findall(r'"([a-z][\w.-]*)"', call.split("{")[0]))
        yield from (("count", key) for key in re.findall(r'\bcount\([^"()]*, "([\w-]+)"\)', script))


def test_every_text_that_is_used_exists():
    used = set(_used())
    for function, key in sorted(used):
        assert key in WORDS["en"], key
        assert isinstance(WORDS["en"][key], dict) == (function == "count"), key


def test_every_text_that_exists_is_used():
    everything = "".join(SCRIPTS.values())
    used = {key for _, key in _used()} | set(re.findall(r'"([\w.-]+)"', everything))
    families = tuple(re.findall(r"`([\w-]+\.)\$\{", everything))
    assert [key for key in WORDS["en"] if key not in used and not key.startswith(families)] == []


def _family(prefix: str) -> set[str]:
    return {key.removeprefix(prefix) for key in WORDS["en"] if key.startswith(prefix)}


def test_every_word_of_the_protocol_has_its_text():
    codes, signs, statuses = (set(get_args(kind)) for kind in (wire.Code, wire.Sign, wire.Status))
    assert codes <= _family("code.")
    assert signs == _family("sign.")
    assert statuses == _family("status.")
    assert set(get_args(wire.Color)) == _family("color.")
    assert {str(card) for card in range(GRAY, len(CARDS))} == _family("card.")
    assert set(BOTS) <= _family("bot.")


def _tags(kinds: dict[type, type]) -> set[str]:
    return {made.__struct_config__.tag for made in kinds.values()}  # type: ignore[attr-defined]


def test_every_event_and_every_move_can_be_said():
    quiet = set(
        re.findall(r'"([\w-]+)"', SCRIPTS["say.js"].partition("QUIET = [")[2].split("]")[0])
    )
    told = _tags(wire.EVENTS) | {kind.__struct_config__.tag for kind in wire.TABLE_EVENTS}
    assert quiet <= told
    assert told - quiet <= _family("event.")
    hidden = {kind for kind, names in events.HIDDEN.items() if names} - {events.CardDealt}
    assert {f"{wire.EVENTS[kind].__struct_config__.tag}.hidden" for kind in hidden} <= _family(
        "event."
    )
    buttons = SCRIPTS["parts.js"].partition("BUTTONED = [")[2].split("]")[0]
    buttoned = set(re.findall(r'"([\w-]+)"', buttons))
    assert buttoned <= _tags(wire.MOVES)
    assert _tags(wire.MOVES) - buttoned == _family("move.")
    unpaid = {k for k in get_args(moves.Move) if "color" not in k.__dataclass_fields__}
    assert {wire.MOVES[kind].__struct_config__.tag for kind in unpaid} - buttoned <= _family("do.")
