"""Settings: one declaration each, four sources, and all errors reported at once."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import fields, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from macaz.server.settings import KNOBS, Settings, SettingsError, shown
from macaz.server.settings import check as settings_check
from macaz.server.settings.check import check
from macaz.server.settings.read import read_settings

FINE = Settings(database="sqlite:////tmp/never-opened.db")
NOT_ROOT = 65534  # a user and a group that own nothing
SECRET = "0123456789abcdef0123456789abcdef"


def problems_of(settings: Settings) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        check(settings)
    return caught.value.problems


def test_every_setting_is_described():
    # `lan` is none for a host: `macaz play --lan` sets it.
    assert [*KNOBS, "lan"] == [field.name for field in fields(Settings)]
    for knob in KNOBS.values():
        assert knob.doc.endswith(".")
        assert knob.kind.expected
        assert knob.group


@pytest.mark.parametrize("name", KNOBS)
def test_a_default_is_a_value_that_could_be_given(name):
    value = getattr(FINE, name)
    several = isinstance(value, tuple | dict)
    text = ",".join(value) if several else "" if value is None else str(value)
    assert KNOBS[name].kind.read(text) == value


def test_options_come_before_the_environment_before_the_file_before_defaults(tmp_path):
    file = tmp_path / "macaz.toml"
    file.write_text('port = 1001\nhost = "::1"\nbot_pace = 1\nmetrics = "off"\n')
    settings = read_settings(
        {"port": "1003", "host": None},
        file=file,
        environ={"MACAZ_PORT": "1002", "MACAZ_BOT_PACE": "0.25", "HOME": "/"},
        defaults={"log_level": "warning", "metrics": "all"},
    )
    assert (settings.port, settings.host, settings.bot_pace) == (1003, "::1", 0.25)
    assert (settings.metrics, settings.log_level, settings.log_format) == ("off", "warning", "text")


def test_the_environment_names_the_file(tmp_path):
    file = tmp_path / "macaz.toml"
    file.write_text('trusted_proxies = ["10.0.0.0/8", "::1"]\n')
    settings = read_settings(environ={"MACAZ_CONFIG": str(file)})
    assert settings.trusted_proxies == ("10.0.0.0/8", "::1")


def test_an_origin_is_read_as_browsers_write_it():
    settings = read_settings({"origin": " https://Play.Example.org/ "}, environ={})
    assert settings.origin == "https://play.example.org"


def test_a_list_is_written_with_commas():
    settings = read_settings({"trusted_proxies": "127.0.0.1, ::1"}, environ={})
    assert settings.trusted_proxies == ("127.0.0.1", "::1")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "eighty"),
        ("port", 65536),
        ("port", -1),
        ("port", True),
        ("port", 80.5),
        ("bot_pace", "nan"),
        ("bot_pace", "-1"),
        ("bot_pace", True),
        ("bot_limit", 0),
        ("log_format", "xml"),
        ("log_format", 1),
        ("metrics", True),
        ("trusted_proxies", "next-door"),
        ("trusted_proxies", [1]),
        ("host", 1),
        ("editions", 7),
        ("sockets", 0),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place_and_what_was_expected(tmp_path, name, value):
    with pytest.raises(SettingsError) as caught:
        read_settings({name: value}, environ={})
    [problem] = caught.value.problems
    assert problem == f"{KNOBS[name].flag}: {value!r} is not {KNOBS[name].kind.expected}."


def test_everything_unreadable_is_said_at_once(tmp_path):
    file = tmp_path / "macaz.toml"
    file.write_text("prot = 80\nport = '?'\nquux = 1\n")
    with pytest.raises(SettingsError) as caught:
        read_settings(
            {"drain": "x"}, file=file, environ={"MACAZ_SOCKET": "1", "MACAZ_SOCKETS": "many"}
        )
    text = str(caught.value)
    assert len(caught.value.problems) == 6
    for words in (
        f"{file}: there is no setting 'prot'. Did you mean 'port'?",
        f"{file}: there is no setting 'quux'.",
        f"{file}, port: '?' is not a whole number from 0 to 65535.",
        "MACAZ_SOCKET in the environment: there is no such setting. Did you mean MACAZ_SOCKETS?",
        "MACAZ_SOCKETS in the environment: 'many' is not a whole number of at least 1.",
        "--drain: 'x' is not seconds, from 0 to 600.",
    ):
        assert words in text


def test_what_others_keep_in_the_environment_is_left_alone():
    names = ("MACAZ_CACHE_DIR", "MACAZ_TEST_GAMES", "MACAZ_SOMETHING_ELSE")
    assert read_settings(environ=dict.fromkeys(names, "1")).port == KNOBS["port"].kind.read("8124")


@pytest.mark.parametrize("content", [None, "port = ", b"\xff"])
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path, content):
    file = tmp_path / "macaz.toml"
    if content is not None:
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(SettingsError) as caught:
        read_settings(file=file, environ={})
    [problem] = caught.value.problems
    assert str(file) in problem


def test_no_secret_is_ever_shown():
    settings = Settings(
        secret=SECRET,
        database="postgresql://ana:hush/hush@db/games?sslpassword=quiet",
        redis="redis://:p@ss@events:6379/0",
    )
    for text in (repr(settings), str(settings), str(shown(settings))):
        for word in (SECRET, "hush", "quiet", "p@ss"):
            assert word not in text
        assert "@db/games" in text
        assert "@events:6379/0" in text


def test_an_error_does_not_show_a_secret_either():
    for name, value in (("secret", [SECRET]), ("host", [SECRET])):
        shows = SECRET in _message(name, value)
        assert shows == (name == "host")


def _message(name: str, value: Any) -> str:
    with pytest.raises(SettingsError) as caught:
        read_settings({name: value}, environ={})
    return str(caught.value)


def test_the_defaults_can_be_started():
    check(FINE)
    assert FINE.local
    assert not FINE.secure


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"host": "0.0.0.0"}, "origin is missing: others can reach 0.0.0.0"),
        ({"host": "::"}, "origin is missing"),
        ({"host": "games.example.org"}, "origin is missing"),
        ({"host": ""}, "host is missing"),
        ({"origin": "play.example.org"}, "must be like https://play.example.org"),
        ({"origin": "ftp://play.example.org"}, "must be like https://"),
        ({"origin": "http://"}, "must be like https://"),
        ({"origin": "http://a:b:c"}, "must be like https://"),
        ({"origin": "http://play.example.org/games"}, "such as http://play.example.org."),
        ({"origin": "http://play.example.org:80"}, "leave :80 out"),
        ({"origin": "https://play.example.org"}, "trusted_proxies is missing"),
        ({"database": "mysql://x"}, "database: 'mysql' is no database Macaz knows"),
        ({"database": "sqlite://"}, "database: "),
        ({"secret": "short"}, "5 signs are too few"),
        ({"redis": "redis://events"}, "several nodes, and these need one PostgreSQL"),
        ({"stand_in": "gredy"}, "Did you mean 'greedy'?"),
        ({"editions": Path("nowhere")}, "there is no folder nowhere"),
    ],
)
def test_half_a_configuration_is_refused(changes, words):
    [problem] = problems_of(replace(FINE, **changes))
    assert words in problem


@pytest.mark.parametrize(
    "changes",
    [
        {"host": "0.0.0.0", "origin": "http://games.lan:8124"},
        {"host": "localhost"},
        {"origin": "https://play.example.org:8443", "trusted_proxies": ("127.0.0.1",)},
        {"secret": SECRET},
        {"database": "postgresql://db/games", "redis": "redis://events:6379/0"},
    ],
)
def test_a_whole_one_is_not(changes):
    check(replace(FINE, **changes))


def test_what_is_not_installed_is_named(monkeypatch):
    from macaz.server.store import place

    def find(name: str) -> Any:
        return None if name in ("psycopg", "redis") else find_spec(name)

    for module in (settings_check, place):
        monkeypatch.setattr(module, "find_spec", find)
    nodes = replace(FINE, database="postgresql://db/games", redis="redis://events:6379/0")
    problems = problems_of(nodes)
    assert len(problems) == 2
    for package, problem in zip(("psycopg", "redis"), problems, strict=True):
        assert f"needs {'the package ' * (package == 'redis')}{package}" in problem
        assert "pip install '.[nodes]'" in problem


def database_problem(path: Path) -> str:
    [problem] = problems_of(replace(FINE, database=f"sqlite:///{path}"))
    assert problem.startswith("database: ")
    return problem


def test_a_place_where_no_database_can_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    assert f"no folder {tmp_path}/missing " in database_problem(tmp_path / "missing" / "macaz.db")
    assert f"no folder {tmp_path}/file " in database_problem(tmp_path / "file" / "macaz.db")
    assert "folder is not a file" in database_problem(tmp_path / "folder")
    if sys.platform == "linux":  # where no user can create a file, not even root
        assert "No file can be made in the folder /proc" in database_problem(Path("/proc/macaz.db"))
    check(replace(FINE, database=f"sqlite:///{tmp_path}/new.db"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_missing_rights_are_named():
    # A separate process: root, who may do everything, becomes another user for good.
    program = f"from {__name__} import *; check_that_missing_rights_are_named()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def check_that_missing_rights_are_named() -> None:
    check(FINE)  # loads modules that another user may not be able to load
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOT_ROOT)
        os.setuid(NOT_ROOT)
    with TemporaryDirectory() as name:
        folder = Path(name)
        database = folder / "macaz.db"
        database.touch(0o400)
        assert "may not be read and written by this user" in database_problem(database)
        maps = folder / "maps"
        maps.mkdir(0o000)
        [problem] = problems_of(replace(FINE, editions=maps))
        assert "may not be read" in problem
        folder.chmod(0o500)
        assert "No file can be made" in database_problem(folder / "other.db")
        folder.chmod(0o700)


def test_the_default_place_need_not_be_there_yet(tmp_path, monkeypatch):
    own = tmp_path / "home" / "macaz"
    monkeypatch.setattr("platformdirs.user_data_dir", lambda _: str(own))
    check(Settings())
    assert not list(tmp_path.iterdir())
    own.parent.touch()
    [problem] = problems_of(Settings())
    assert f"no folder {own.parent} " in problem


def test_a_broken_map_of_the_host_is_refused_before_the_start(tmp_path):
    (tmp_path / "broken.toml").write_text("name = 1\n")
    problems = problems_of(replace(FINE, editions=tmp_path))
    assert problems
    assert all(problem.startswith("editions: broken.toml: ") for problem in problems)


def test_all_problems_are_listed_at_once():
    problems = problems_of(replace(FINE, host="0.0.0.0", secret="short", stand_in="unknown"))
    assert [problem.split()[0] for problem in problems] == ["origin", "secret:", "stand_in:"]
    error = SettingsError(problems)
    assert all(problem in str(error) for problem in problems)
    assert pickle.loads(pickle.dumps(error)).problems == problems


def test_an_address_with_a_password_is_not_repeated():
    settings = replace(FINE, redis="radish://:hush@events", database="mysql://ana:hush@db/games")
    assert "hush" not in "\n".join(problems_of(settings))


def test_a_map_whose_id_is_taken_is_refused(tmp_path):
    from macaz.edition import edition_text, load_edition

    tiny = edition_text(load_edition("tiny"))
    (tmp_path / "a.toml").write_text(tiny.replace('id = "tiny"', 'id = "europe"'))
    (tmp_path / "b.toml").write_text(tiny.replace('id = "tiny"', 'id = "mine"'))
    (tmp_path / "c.toml").write_text(tiny.replace('id = "tiny"', 'id = "mine"'))
    with pytest.raises(SettingsError) as refused:
        check(Settings(editions=tmp_path))
    said = str(refused.value)
    assert "a.toml: its id 'europe' is that of an edition that comes with Macaz" in said
    assert "c.toml: its id 'mine' is that of b.toml" in said


def test_what_cannot_be_read_and_what_cannot_work_are_told_at_once():
    with pytest.raises(SettingsError) as refused:
        read_settings({"port": "many", "secret": "short", "stand_in": "unknown"}, environ={})
    assert len(refused.value.problems) == 3
