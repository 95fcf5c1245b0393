"""The data files that a table in a browser needs, for every edition, and how they are served."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator

import httpx
import msgspec
import numpy as np
import pytest
from tests.arrays_files import read_arrays
from tests.editions import OWN
from tests.server.harness import serving, settings

from macaz.bots import BOTS, browser_network
from macaz.bots.compiled.program import guide_of
from macaz.bots.expert import WEIGHTS, contest_record
from macaz.bots.network import network_for
from macaz.bots.search import search_record
from macaz.bots.styles import STYLES, style_of
from macaz.edition import edition_text, load_edition
from macaz.kernel.spec import compile_spec
from macaz.kernel.wasm import MODULE
from macaz.server import wire
from macaz.server.data_files import DataFiles, make_data_files
from macaz.server.editions import Catalog

EDITIONS = ("europe", "old-west", "old-west+alvin", "tiny", "usa", "usa-classic")
TABLES = [
    (name, seats)
    for name in EDITIONS
    for rules in [load_edition(name).rules]
    for seats in range(rules.min_seats, rules.max_seats + 1)
]
NOT_IN_BROWSERS = {"greedy"}  # plain Python


@pytest.fixture(scope="module")
def made() -> DataFiles:
    return make_data_files(Catalog())


@pytest.fixture(scope="module")
def index(made):
    return json.loads(made.index)


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[httpx.Client]:
    chosen = settings(tmp_path_factory.mktemp("data"))
    with serving(chosen) as server, httpx.Client(base_url=server.address) as client:
        yield client


def test_equal_editions_give_equal_files(made):
    assert make_data_files(Catalog()) == made


def test_names_are_hashes_of_what_the_files_hold(made):
    for name in made.names():
        if name != "index.json":
            [said] = re.findall(r"-([0-9a-f]{16})\.(?:json|bin|wasm)$", name)
            assert hashlib.sha256(made.read(name)).hexdigest().startswith(said)
            assert re.fullmatch(r"[a-z0-9.-]+", name), "any host can serve it under this name"


def test_the_index_names_every_file_once(made, index):
    named = [
        index["kernel"],
        *index["maps"].values(),
        *(file for files in index["tables"].values() for file in files.values()),
        *{network["file"] for network in index["networks"].values()},
        index["puzzles"],
    ]
    assert sorted(named) == sorted(set(made.names()) - {"index.json"})
    assert made.read(index["kernel"]) == MODULE.read_bytes()
    assert made.read("kernel.wasm") is None


def test_every_edition_is_there_with_its_options(index):
    assert set(index["maps"]) == set(index["tables"]) == {*EDITIONS, *OWN}
    tables = {(name, int(n)) for name, files in index["tables"].items() for n in files}
    assert {table for table in tables if table[0] not in OWN} == {*TABLES}
    assert {table for table in tables if table[0] == "ireland"} == {("ireland", 2), ("ireland", 3)}


def test_every_offered_edition_has_puzzles(made, index):
    found = msgspec.json.decode(made.read(index["puzzles"]), type=wire.PuzzleList)
    counts = Counter(puzzle.edition.partition("+")[0] for puzzle in found.puzzles)
    assert set(counts) == set(found.bots) == {line["id"] for line in index["editions"]}
    assert min(counts.values()) >= 40


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_table_file_has_what_python_compiles(made, index, name, seats):
    edition = load_edition(name)
    spec = compile_spec(edition, seats)
    arrays, about = read_arrays(made.read(index["tables"][name][str(seats)]))
    assert list(arrays) == ["spec", "guide", "styles", "searches", "contests"]
    assert arrays["spec"].tobytes() == spec.table.tobytes()
    assert arrays["guide"].tobytes() == guide_of(spec).tobytes()
    assert arrays["searches"].tobytes() == search_record().tobytes()
    assert arrays["contests"].tobytes() == contest_record(WEIGHTS).tobytes()
    assert about == {
        "edition": name,
        "fingerprint": edition.fingerprint,
        "seats": seats,
        "styles": list(STYLES),
    }
    for style, record in zip(about["styles"], arrays["styles"], strict=True):
        assert record.tobytes() == style_of(style, spec).tobytes()


def test_every_bot_that_plays_a_style_finds_it():
    played = {name for name in BOTS if BOTS[name].place.startswith("macaz.bots.styled:")}
    assert played | {"playout"} <= {*STYLES}


def test_bots_of_plain_python_are_not_offered(index):
    assert [bot["name"] for bot in index["bots"]] == [n for n in BOTS if n not in NOT_IN_BROWSERS]


def test_every_board_with_a_network_names_its_file(made, index):
    networks = {name: network["file"] for name, network in index["networks"].items()}
    assert set(networks) == {name for name in EDITIONS if network_for(load_edition(name))}
    assert networks["old-west"] == networks["old-west+alvin"]
    for name, network in index["networks"].items():
        content = made.read(network["file"])
        assert content == browser_network(name)
        assert network["bytes"] == len(content)


@pytest.mark.parametrize("name", EDITIONS)
def test_a_map_file_is_what_the_server_says_of_the_edition(made, index, browser, name):
    file = json.loads(made.read(index["maps"][name]))
    assert file == {
        "map": browser.get(f"/api/v1/editions/{name}").json(),
        "plate": browser.get(f"/api/v1/editions/{name}/plate").json(),
    }


def test_editions_and_bots_are_those_of_the_server(index, browser):
    assert index["editions"] == browser.get("/api/v1/editions").json()
    offered = browser.get("/api/v1/bots").json()
    assert index["bots"] == [bot for bot in offered if bot["name"] not in NOT_IN_BROWSERS]


def test_the_server_serves_them_all(made, browser):
    for name in made.names():
        answer = browser.get(f"/data/{name}")
        assert (answer.status_code, answer.content) == (200, made.read(name)), name
        kept = answer.headers["cache-control"].split(", ")
        assert ("immutable" in kept) == (name != "index.json"), name
        kind = answer.headers["content-type"].split(";")[0]
        suffix = name.rpartition(".")[2]
        assert (
            kind
            == {
                "json": "application/json",
                "bin": "application/octet-stream",
                "wasm": "application/wasm",
            }[suffix]
        )


def test_all_but_networks_are_compressed_for_those_who_can_read_it(made, browser):
    for name in made.names():
        headers = {"accept-encoding": "gzip"}
        with browser.stream("GET", f"/data/{name}", headers=headers) as answer:
            sent = b"".join(answer.iter_raw())
        packed = answer.headers.get("content-encoding") == "gzip"
        assert packed == (name not in made.networks)
        assert (gzip.decompress(sent) if packed else sent) == made.read(name)
        assert "accept-encoding" in answer.headers["vary"].lower()
        plain = browser.get(f"/data/{name}", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == made.read(name)


def test_an_index_that_has_not_changed_is_not_sent_again(browser):
    first = browser.get("/data/index.json")
    assert first.headers["cache-control"] == "no-cache"
    again = browser.get("/data/index.json", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["nothing.bin", "kernel.wasm", "..%2f..%2fetc", "a/b"])
def test_other_names_are_not_found(browser, name):
    answer = browser.get(f"/data/{name}", headers={"accept": "text/html"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_maps_of_a_host_are_there_with_their_options(tmp_path):
    text = edition_text(load_edition("tiny")).replace('id = "tiny"', 'id = "mine"', 1)
    text = text.replace('name = "Tiny"', 'name = "Mine"', 1)
    text += '\n[options.few]\ndoc = "Few trains."\ntrains = 12\n'
    text += '\n[options.many]\ndoc = "Many trains."\ntrains = 20\n'
    text += '\n[options.long]\ndoc = "A long hand."\nhand = 3\n'
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    made = make_data_files(Catalog(tmp_path))
    index = json.loads(made.index)
    found = {name for name in index["maps"] if name.startswith("mine")}
    # `few` and `many` exclude each other.
    assert found == {
        *("mine", "mine+few", "mine+many", "mine+long", "mine+few+long", "mine+long+many"),
    }
    assert "mine" in {line["id"] for line in index["editions"]}
    arrays, about = read_arrays(made.files[index["tables"]["mine+few+long"]["2"]])
    assert about["edition"] == "mine+few+long"
    assert int(arrays["spec"]["trains"][0]) == 12
    assert int(arrays["spec"]["hand_size"][0]) == 3
    edition = load_edition(tmp_path / "mine.toml", ["few", "long"])
    assert np.array_equal(arrays["spec"], compile_spec(edition, 2).table)


def test_a_first_visit_does_not_use_up_the_requests_of_an_address(tmp_path, made):
    chosen = settings(tmp_path, requests_per_minute=2)
    with serving(chosen) as server, httpx.Client(base_url=server.address) as client:
        for name in made.files:
            assert client.get(f"/data/{name}").status_code == 200
        assert client.get("/api/v1/editions").status_code == 200
