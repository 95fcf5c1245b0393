"""What a public forge reads agrees with the project: workflows, templates, the citation."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # PyYAML ships no types

ROOT = Path(__file__).parents[1]
FORGE = ROOT / ".github"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WORKFLOWS = sorted(FORGE.glob("workflows/*.yml"))


def load(path: Path) -> dict[Any, Any]:
    loaded: dict[Any, Any] = yaml.safe_load(path.read_text())
    return loaded


def jobs(name: str) -> dict[str, Any]:
    found: dict[str, Any] = load(FORGE / "workflows" / name)["jobs"]
    return found


def supported() -> list[str]:
    """The versions of Python that the package names."""
    lines = "\n".join(PROJECT["classifiers"])
    return re.findall(r"^Programming Language :: Python :: (3\.\d+)$", lines, re.MULTILINE)


def test_every_supported_python_is_tested() -> None:
    versions = supported()
    assert PROJECT["requires-python"] == f">={versions[0]}"
    job = jobs("test.yml")["test"]
    assert job["strategy"]["matrix"]["python"] == versions
    assert any(step.get("run", "").startswith("make test ") for step in job["steps"])
    others = jobs("test.yml")["systems"]["strategy"]["matrix"]["python"]
    assert others == [versions[0], versions[-1]]


def test_a_release_is_tested_and_built_before_it_is_published() -> None:
    release = jobs("release.yml")
    assert release["test"]["uses"] == "./.github/workflows/test.yml"
    publish = release["publish"]
    assert set(publish["needs"]) == {"test", "build"}
    assert publish["permissions"] == {"id-token": "write"}
    assert all("permissions" not in job for name, job in release.items() if name != "publish")
    # `on` is a truth value in YAML 1.1.
    [pattern] = load(FORGE / "workflows/release.yml")[True]["push"]["tags"]
    assert pattern == "v*"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_has_few_rights_and_no_secret(path: Path) -> None:
    workflow = load(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert "secrets" not in path.read_text()
    targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for target in re.findall(r"\bmake ([a-z-]+)", re.sub(r"#.*", "", path.read_text())):
        assert target in targets, target


def test_the_citation_is_of_this_project() -> None:
    citation = load(ROOT / "CITATION.cff")
    assert citation["title"].lower() == PROJECT["name"]
    assert citation["license"] == PROJECT["license"]
    assert citation["authors"] == PROJECT["authors"]


def test_issue_forms_ask_each_thing_once() -> None:
    forms = sorted(FORGE.glob("ISSUE_TEMPLATE/*.yml"))
    assert forms
    for path in forms:
        asked = [part["id"] for part in load(path)["body"] if part["type"] != "markdown"]
        assert len(asked) == len(set(asked))


@pytest.mark.parametrize("name", ["SECURITY.md", "CODE_OF_CONDUCT.md"])
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)\s#]+)", (ROOT / name).read_text()):
        assert (ROOT / target).exists(), target
