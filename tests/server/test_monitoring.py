"""The example dashboard and alert rules use only metrics that a server has."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client.parser import text_string_to_metric_families

from macaz.server.metrics import Metrics
from macaz.server.schedule import Priority

FOLDER = Path(__file__).parents[2] / "examples" / "monitoring"
# Metrics of Prometheus itself and its client.
OTHERS = {"up", "process_resident_memory_bytes", "process_cpu_seconds_total"}


def figures() -> dict[str, set[str]]:
    """The names of the metrics that can be queried, with their labels."""
    metrics = Metrics()
    metrics.requested("/", 200)
    metrics.refusals.labels("storage")
    metrics.thinking.labels("greedy")
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(metrics.text().decode()):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def expressions() -> list[str]:
    board = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
    rules = yaml.safe_load((FOLDER / "alerts.yml").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return asked + [rule["expr"] for group in rules["groups"] for rule in group["rules"]]


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_asks_for_what_there_is(expression):
    known = figures()
    asked = re.findall(r"\b((?:macaz|process)_\w+|up)\b(?:\{([^}]*)\})?", expression)
    assert asked
    for name, selectors in asked:
        assert name in known or name in OTHERS
        labels = set(re.findall(r"(\w+)\s*=~?", selectors)) - {"instance", "job"}
        assert labels <= known.get(name, set())
    grouped = re.findall(r"by \(([^)]*)\)", expression)
    labels = {label.strip() for group in grouped for label in group.split(",")} - {"instance"}
    assert labels <= set().union(*(known.get(name, set()) for name, _ in asked))
    assert expression.count("(") == expression.count(")")
    for priority in re.findall(r'priority="(\w+)"', expression):
        assert priority.upper() in Priority.__members__


def test_every_new_figure_of_thinking_and_health_is_on_the_dashboard():
    told = " ".join(expressions())
    for name in figures():
        if name.startswith("macaz_") and not name.endswith(("_created", "_sum", "_count")):
            assert name in told or name.startswith("macaz_commit_batch")


def test_the_dashboard_can_be_imported_and_every_alert_says_what_to_do():
    board: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
    assert {one["name"] for one in board["templating"]["list"]} == {"source", "instance"}
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]}
    assert len(places) == len(board["panels"])
    rules = yaml.safe_load((FOLDER / "alerts.yml").read_text(encoding="utf-8"))
    for rule in (rule for group in rules["groups"] for rule in group["rules"]):
        assert set(rule["annotations"]) == {"summary", "description"}
        assert rule["labels"]["severity"] in ("page", "warn")
