"""`macaz play` and `macaz serve`: what they start, with which settings, and how they end."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from macaz.cli import main
from macaz.cli.play import HERE
from macaz.server import page
from macaz.server.settings import KNOBS, Settings

ROOT = Path(__file__).parents[2]
Ready = Callable[[str], None]


class Server:
    """Replaces the server: it takes its settings, prints its address, and ends."""

    def __init__(self) -> None:
        self.settings: Settings | None = None
        self.end: BaseException | None = None

    def run(self, settings: Settings, *, ready: Ready) -> None:
        self.settings = settings
        ready(f"http://{settings.host}:{settings.port}")
        if self.end is not None:
            raise self.end


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    server = Server()
    monkeypatch.setitem(sys.modules, "macaz.server.app", SimpleNamespace(run=server.run))
    for knob in KNOBS.values():
        monkeypatch.delenv(knob.variable, raising=False)
    monkeypatch.delenv("MACAZ_CONFIG", raising=False)
    return server


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, list[str]]:
    """The addresses that a browser would open, on a machine with a display."""
    done, addresses = threading.Event(), list[str]()

    def open_(address: str) -> bool:
        addresses.append(address)
        done.set()
        return True

    monkeypatch.setattr(webbrowser, "open", open_)
    monkeypatch.setenv("DISPLAY", ":0")
    return done, addresses


@pytest.fixture
def taken() -> Any:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_play_serves_this_machine_alone_and_opens_the_browser(server, opened, monkeypatch):
    monkeypatch.setenv("MACAZ_HOST", "0.0.0.0")
    monkeypatch.setenv("MACAZ_REDIS", "redis://events")
    port = free_port()
    result = run("play", "--port", str(port))
    assert (result.exit_code, result.stderr) == (0, "")
    address = f"http://{HERE}:{port}"
    [line] = result.stdout.splitlines()
    assert address in line
    assert "Ctrl-C" in line
    done, addresses = opened
    assert done.wait(10)
    assert addresses == [address]
    assert (server.settings.local, server.settings.redis) == (True, "")
    assert server.settings.log_level == "warning"


def test_play_lan_listens_everywhere_and_prints_where_others_find_it(server, opened, monkeypatch):
    found = ["192.168.1.20", "172.17.0.1"]
    monkeypatch.setattr("macaz.server.lan.lan_addresses", lambda: tuple(found))
    port = free_port()
    result = run("play", "--lan", "--port", str(port))
    assert (result.exit_code, result.stderr) == (0, "")
    here, first, more, *said = result.stdout.splitlines()
    assert f"http://{HERE}:{port}" in here
    assert first.endswith(f"http://{found[0]}:{port}")
    assert more.endswith(f"http://{found[1]}:{port}")
    assert said[0].startswith("Anybody in this network can open it")
    done, addresses = opened
    assert done.wait(10)
    assert addresses == [f"http://{HERE}:{port}"]
    assert (server.settings.host, server.settings.lan) == ("0.0.0.0", True)
    # Others can make tables, so these are counted; nothing is deleted.
    assert (server.settings.tables_per_address_a_day, server.settings.keep_closed_days) == (500, 0)


@pytest.mark.parametrize(
    ("found", "said"), [([], "is in no network"), (["10.0.0.5", "8.8.8.8"], "at 8.8.8.8")]
)
def test_play_lan_refuses_no_network_and_the_internet(server, opened, monkeypatch, found, said):
    monkeypatch.setattr("macaz.server.lan.lan_addresses", lambda: tuple(found))
    result = run("play", "--lan", "--port", "0")
    assert result.exit_code == 2
    assert said in result.stderr
    assert (server.settings, opened[1]) == (None, [])


def test_play_takes_a_database_maps_and_bots(server, opened, tmp_path):
    url = f"sqlite:///{tmp_path / 'games.db'}"
    result = run(
        *("play", "--database", url, "--editions", str(tmp_path), "--port", "0"),
        *("--bots", "mine=search:8"),
    )
    assert result.exit_code == 0
    assert (server.settings.database, server.settings.editions) == (url, tmp_path)
    assert server.settings.bots == {"mine": "search:8"}


def test_play_counts_and_deletes_nothing(server, opened, monkeypatch):
    assert run("play", "--port", "0").exit_code == 0
    settings = server.settings
    assert (settings.tables_per_address_a_day, settings.games_per_guest) == (0, 0)
    kept = {getattr(settings, name) for name in KNOBS if name.startswith("keep_")}
    assert kept == {0}
    monkeypatch.setenv("MACAZ_KEEP_CLOSED_DAYS", "7")
    assert run("play", "--port", "0").exit_code == 0
    assert server.settings.keep_closed_days == 7


@pytest.mark.parametrize("why", ["asked", "no display"])
def test_play_opens_nothing_unasked(server, opened, monkeypatch, why):
    monkeypatch.setattr(sys, "platform", "linux")
    if why == "no display":
        monkeypatch.delenv("DISPLAY")
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    result = run("play", "--port", "0", *(["--no-browser"] if why == "asked" else []))
    assert result.exit_code == 0
    assert "Macaz is at" in result.stdout
    assert opened[1] == []


def test_ctrl_c_is_the_usual_way_to_stop(server, opened):
    server.end = KeyboardInterrupt()
    for command in (["play", "--port", "0"], ["serve"]):
        result = run(*command)
        assert (result.exit_code, result.exception) == (0, None)


def test_play_finds_another_port_where_its_own_is_taken(server, opened, taken, monkeypatch):
    monkeypatch.setenv("MACAZ_PORT", str(taken))
    assert run("play").exit_code == 0
    assert server.settings.port == 0


def test_a_port_that_was_asked_for_is_not_changed(server, opened, taken):
    result = run("play", "--port", str(taken))
    assert result.exit_code == 2
    assert f"port {taken} is taken" in result.stderr
    assert server.settings is None


def test_a_wrong_port_is_one_sentence(server):
    result = run("play", "--port", "x")
    assert result.exit_code == 2
    assert result.stderr == "macaz: --port: 'x' is not a whole number from 0 to 65535.\n"


def test_serve_has_an_option_for_every_setting(server, tmp_path):
    given = {
        "host": "0.0.0.0",
        "port": "9000",
        "origin": "https://play.example.org",
        "trusted_proxies": "10.0.0.1,10.0.0.2",
        "database": "postgresql://db/games",
        "redis": "redis://events:6379/1",
        "secret": "s" * 40,
        "editions": str(tmp_path),
        "bots": "mine=search:8",
        "stand_in": "random",
        "log_format": "json",
        "log_level": "debug",
        "log_callers": "off",
        "metrics": "off",
        "push": "off",
        "push_hosts": "push.example.org",
        "push_contact": "mailto:host@example.org",
        "push_key": "k" * 43,
    }
    given |= {name: "2000" for name in KNOBS if name not in given and "_" in name}
    given |= {"bot_limit": "3", "bot_pace": "2", "drain": "4", "bot_workers": "5", "sockets": "6"}
    given |= {"patience": "7", "nonce_wait": "8", "absence": "9"}
    assert set(given) == set(KNOBS)
    result = run("serve", *(f"{KNOBS[name].flag}={value}" for name, value in given.items()))
    assert (result.exit_code, result.stdout) == (0, "")
    assert "Macaz serves at http" in result.stderr
    for name, value in given.items():
        assert getattr(server.settings, name) == KNOBS[name].kind.read(value)


def test_serve_reads_a_file(server, tmp_path):
    file = tmp_path / "macaz.toml"
    file.write_text("port = 9001\n")
    assert run("serve", "--config", str(file)).exit_code == 0
    assert server.settings.port == 9001


def test_serve_does_not_start_half_configured(server):
    for only_check in ([], ["--check"]):
        result = run("serve", "--host", "0.0.0.0", "--secret", "short", *only_check)
        assert result.exit_code == 2
        assert "origin is missing" in result.stderr
        assert "secret: 5 signs" in result.stderr
        assert server.settings is None


def test_the_server_does_not_start_without_a_page(server, opened, monkeypatch, tmp_path):
    monkeypatch.setattr(page, "page_folder", lambda: tmp_path)
    for command in (["play"], ["serve"], ["serve", "--check"]):
        result = run(*command)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"macaz: the page is not built. Run `make page` in {ROOT}.\n"
    assert (server.settings, opened[1]) == (None, [])


def test_check_starts_nothing(server):
    result = run("serve", "--check")
    assert (result.exit_code, result.stdout) == (0, "The settings are valid.\n")
    assert server.settings is None


def test_help_is_quick():
    code = (
        "import sys; from macaz.cli import main\n"
        "try: main(['serve', '--help'])\n"
        "except SystemExit as end: assert not end.code\n"
        "heavy = {'numpy', 'numba', 'litestar', 'sqlalchemy', 'uvicorn', 'platformdirs'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_page_of_settings_names_them_all():
    page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")
    for name, knob in KNOBS.items():
        assert f"| `{name}` | {knob.doc} |" in page
