"""`Dockerfile` and `compose.yaml` fit the server: its settings, its port, its health, its files."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml  # type: ignore[import-untyped]  # PyYAML ships no types
from tests.server.harness import serving, settings

from macaz.server.settings import DEFAULT_PORT, KNOBS, Settings
from macaz.server.settings.check import problems_of
from macaz.server.settings.read import read_settings

ROOT = Path(__file__).parents[1]
GIVEN = {"DOMAIN": "play.example.org", "POSTGRES_PASSWORD": "password"}
OTHER_VARIABLES = {"MACAZ_CACHE_DIR"}  # not a setting of the server


def steps() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, each with its arguments."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    whole = re.sub(r"\\\n\s*", "", text).splitlines()
    found = [line.partition(" ") for line in whole if line]
    return [(name, rest) for name, _, rest in found]


def final_stage() -> dict[str, list[str]]:
    """The instructions of the image itself, by name."""
    last = max(n for n, (name, _) in enumerate(steps()) if name == "FROM")
    found: dict[str, list[str]] = {}
    for name, rest in steps()[last:]:
        found.setdefault(name, []).append(rest)
    return found


def image_variables() -> dict[str, str]:
    [text] = final_stage()["ENV"]
    return dict(part.split("=", 1) for part in text.split())


def services() -> dict[str, Any]:
    """What compose.yaml starts, with the variables filled in."""
    text = (ROOT / "compose.yaml").read_text()
    filled = re.sub(r"\$\{(\w+)(?::\?[^}]*)?\}", lambda found: GIVEN[found[1]], text)
    loaded: dict[str, Any] = yaml.safe_load(filled)
    return loaded


def composed() -> tuple[dict[str, str], Settings]:
    """The variables of the app in compose.yaml, and the settings that they make."""
    variables = image_variables() | services()["services"]["app"]["environment"]
    return variables, read_settings(environ=variables)


def test_every_variable_is_a_setting() -> None:
    variables, _ = composed()
    named = {name for name in variables if name.startswith("MACAZ_")} - OTHER_VARIABLES
    assert named <= {f"MACAZ_{name.upper()}" for name in KNOBS}


def test_a_server_starts_with_the_settings_of_compose() -> None:
    _, chosen = composed()
    assert problems_of(chosen) == ()
    assert (chosen.origin, chosen.secure) == ("https://play.example.org", True)


def test_the_image_alone_lacks_only_the_address_that_people_type(tmp_path: Path) -> None:
    variables = image_variables()
    folder = "sqlite:////var/lib/macaz/"
    assert variables["MACAZ_DATABASE"].startswith(folder)
    assert final_stage()["VOLUME"] == ["/var/lib/macaz"]
    variables["MACAZ_DATABASE"] = variables["MACAZ_DATABASE"].replace(
        folder, f"sqlite:///{tmp_path}/"
    )
    [problem] = problems_of(read_settings(environ=variables))
    assert problem.startswith("origin is missing")


def test_the_proxy_is_trusted_and_reaches_the_app() -> None:
    loaded = services()
    _, chosen = composed()
    [subnet] = loaded["networks"]["default"]["ipam"]["config"]
    assert chosen.trusted_proxies == (subnet["subnet"],)
    command = loaded["services"]["proxy"]["command"]
    assert command[command.index("--to") + 1] == f"app:{DEFAULT_PORT}"
    assert "ports" not in loaded["services"]["app"]  # only the proxy can be reached from outside


def test_the_services_that_the_app_names_are_there_and_healthy_first() -> None:
    loaded = services()["services"]
    _, chosen = composed()
    named = {urlsplit(url).hostname for url in (chosen.database, chosen.redis)}
    assert named == set(loaded["app"]["depends_on"]) == {"database", "events"}
    for name in named:
        assert loaded[name]["healthcheck"]["test"]
    database = loaded["database"]["environment"]
    assert f"//{database['POSTGRES_USER']}:{database['POSTGRES_PASSWORD']}@" in chosen.database


def test_a_stop_is_not_cut_short() -> None:
    grace = services()["services"]["app"]["stop_grace_period"]
    assert float(grace.removesuffix("s")) > composed()[1].drain


def test_the_image_runs_without_root_at_its_port() -> None:
    stage = final_stage()
    assert stage["EXPOSE"] == [str(DEFAULT_PORT)] == [image_variables()["MACAZ_PORT"]]
    [user] = stage["USER"]
    assert int(user) > 0  # a number, as some systems check that it is not 0
    assert f"--uid {user} " in stage["RUN"][0]
    assert (stage["ENTRYPOINT"], stage["CMD"]) == (['["macaz"]'], ['["serve"]'])


def test_the_health_check_asks_the_server(tmp_path: Path) -> None:
    [text] = final_stage()["HEALTHCHECK"]
    command = json.loads(text.partition("CMD ")[2])
    assert command[0] == "python"

    def status(port: int) -> int:
        return subprocess.run(
            [sys.executable, *command[1:]],
            env={**os.environ, "MACAZ_PORT": str(port)},
            stderr=subprocess.DEVNULL,
            check=False,
        ).returncode

    with serving(settings(tmp_path, origin="https://play.example.org")) as served:
        port = int(served.address.rpartition(":")[2])
        assert status(port) == 0
    assert status(port) == 1  # it has stopped


def test_what_is_copied_into_the_image_is_there_and_not_ignored() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]

    def ignored(name: str) -> bool:
        verdict = False
        for rule in rules:  # the last that fits decides
            if fnmatch.fnmatch(name.partition("/")[0], rule.removeprefix("!")) or name == rule:
                verdict = not rule.startswith("!")
        return verdict

    copied = [name for step, rest in steps() if step == "COPY" for name in rest.split()[:-1]]
    files = [name for name in copied if name != "." and not name.startswith(("--", "/"))]
    assert files
    hook = (ROOT / "hatch_build.py").name
    package = ["pyproject.toml", hook, "README.md", "LICENSE", "src/macaz", "web/package.json"]
    for name in (*files, *package):
        assert (ROOT / name).exists(), name
        assert not ignored(name), name
    assert ignored("tests")
    assert ignored(".git")
    assert ignored("web/node_modules")
    used = {name for _, rest in steps() for name in re.findall(r"requirements/\w+\.txt", rest)}
    assert used <= set(files)


@pytest.mark.parametrize("name", ["compose.yaml", "Dockerfile"])
def test_it_names_the_page_that_explains_it(name: str) -> None:
    assert "docs/hosting.md" in (ROOT / name).read_text()
