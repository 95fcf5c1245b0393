"""The benchmark of the server: it plays, counts and reports; speed is not tested."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from macaz.cli import main
from macaz.lab.bench.measure import Skipped
from macaz.lab.bench.server import crowd, fill, suite
from macaz.lab.bench.server.client import Socket, frame
from macaz.lab.bench.server.report import sheets

SMALL = ["--tables", "6", "--sockets", "16", "--rate", "40", "--seconds", "0.5"]
KEYS = ("sent", "acknowledged", "median ms", "99th ms")
SHORT = ["--full-seconds", "0.3", "--stored", "30", "--answers", "2", "--rounds", "1"]
SETTINGS = suite.Settings(
    tables=3,
    sockets=8,
    rate=40,
    seconds=0.3,
    full_seconds=0.2,
    rounds=1,
    stored=30,
    answers=2,
)


@pytest.mark.slow
def test_the_bench_plays_and_writes_what_it_found(tmp_path, monkeypatch):
    monkeypatch.setattr(crowd, "TABLES", 4)
    out = tmp_path / "docs"
    result = CliRunner().invoke(main, ["bench", "server", *SMALL, *SHORT, "--out", str(out)])
    assert result.exit_code == 0, result.output
    page = (out / "bench-server-results.md").read_text()
    found = json.loads((out / "assets" / "bench-server.json").read_text())
    for words in (
        "SQLite",
        "echo",
        "99th percentile",
        "idle table",
        "30 stored games",
        "in a crowd",
    ):
        assert words in page
        assert words in result.stdout
    assert found["notes"] == ["PostgreSQL left out: no address was given (--postgres URL)."]
    figures = {job["name"]: job["figures"] for job in found["results"]}
    for name in ("echo", "SQLite"):
        for phase in ("paced", "full"):
            done = {key: figures[name][f"{phase} {key}"]["median"] for key in KEYS}
            assert done["sent"] == done["acknowledged"] > 0
            assert 0 < done["median ms"] <= done["99th ms"]
    assert figures["SQLite"]["full actions a commit"]["median"] > 0
    for job in ("alone", "in a crowd"):
        for bot in ("greedy", "expert"):
            assert figures[job][f"{bot} median s"]["median"] >= 0
    busy = {unit: found["median"] for unit, found in figures["in a crowd"].items()}
    assert busy["slow decisions"] > 0
    assert busy["hints asked"] >= busy["hints answered"]
    assert f"{busy['hints asked']:,.0f} hints were asked for" in page
    assert f"bots decided {busy['slow decisions']:,.0f} times" in page
    assert figures["tables"]["timers"]["median"] == 0
    assert figures["tables"]["tasks"]["median"] == 0
    assert figures["tables"]["bytes"]["median"] > 0


@pytest.mark.slow
def test_it_plays_on_postgresql_in_a_database_of_its_own(postgres):
    settings = replace(SETTINGS, postgres=postgres.url)
    [job] = suite._postgres_jobs(settings, [])
    found = job.run()
    assert found["full sent"] == found["full acknowledged"] > 0


def test_a_postgresql_that_is_not_there_is_skipped():
    with (
        pytest.raises(Skipped, match="no database could be made"),
        fill.own_postgres("postgresql://unknown@/nothing?host=/nowhere"),
    ):
        pass


def test_a_report_without_play_still_has_its_starts():
    report = suite.Report({}, [], SETTINGS)
    assert [sheet.title for sheet in sheets(report)] == ["Starting"]


def hear(*pieces: bytes) -> list[bytes]:
    """How a client parses the pieces in which a server's bytes arrive."""

    async def run() -> list[bytes]:
        heard: list[bytes] = []
        socket = Socket(heard.append, heard.append)  # type: ignore[arg-type]
        for piece in (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", *pieces):
            socket.data_received(piece)
        return heard

    return asyncio.run(run())


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536])
def test_the_client_reads_frames_however_they_are_cut(size):
    text = b"x" * size
    head = bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(2) if size < 65536 else None
    whole = b"\x81" + (head or b"\x7f" + size.to_bytes(8)) + text
    assert hear(whole + whole) == [text, text]
    for cut in (1, 2, 3, len(whole) - 1):
        assert hear(whole[:cut], whole[cut:] + whole) == [text, text]


def test_the_client_masks_what_it_sends():
    assert frame(b"abc") == b"\x81\x83\0\0\0\0abc"
    assert frame(b"a" * 200)[:8] == b"\x81\xfe\x00\xc8\0\0\0\0"
