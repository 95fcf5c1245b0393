"""What a server counts: each server for itself, in words that are documented."""

from __future__ import annotations

from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from macaz.server.metrics import Metrics

PAGE = Path(__file__).parents[2] / "docs" / "hosting.md"


def samples(metrics: Metrics) -> dict[tuple[str, ...], float]:
    found = {}
    for family in text_string_to_metric_families(metrics.text().decode()):
        for sample in family.samples:
            found[(sample.name, *sample.labels.values())] = sample.value
    return found


def test_what_is_told_is_counted():
    metrics = Metrics()
    metrics.tables.inc()
    metrics.sockets.set(3)
    metrics.actions.labels("person").inc()
    metrics.actions.labels("bot").inc(2)
    metrics.committed(0.003, 5)
    metrics.fan_out.observe(0.001)
    metrics.thinking.labels("greedy").observe(0.02)
    metrics.refusals.labels("not-your-turn").inc()
    metrics.requested("/tables/{table}", 200)
    metrics.bus_lag.observe(0.01)
    metrics.bus_disconnects.inc()
    found = samples(metrics)
    assert found["macaz_tables",] == 1
    assert found["macaz_sockets",] == 3
    assert found["macaz_actions_total", "person"] == 1
    assert found["macaz_actions_total", "bot"] == 2
    assert found["macaz_commit_seconds_bucket", "0.0025"] == 0
    assert found["macaz_commit_seconds_bucket", "0.005"] == 1
    assert found["macaz_commit_batch_sum",] == 5
    assert found["macaz_fan_out_seconds_count",] == 1
    assert found["macaz_thinking_seconds_count", "greedy"] == 1
    assert found["macaz_refusals_total", "not-your-turn"] == 1
    assert found["macaz_http_requests_total", "/tables/{table}", "200"] == 1
    assert found["macaz_bus_lag_seconds_count",] == 1
    assert found["macaz_bus_disconnects_total",] == 1


def test_two_servers_in_one_process_count_for_themselves():
    one, other = Metrics(), Metrics()
    one.tables.inc()
    assert samples(other)["macaz_tables",] == 0


def test_counters_are_there_before_anything_happens():
    assert samples(Metrics())["macaz_actions_total", "person"] == 0


def test_every_figure_is_in_the_page_about_hosting():
    page = PAGE.read_text(encoding="utf-8")
    families = text_string_to_metric_families(Metrics().text().decode())
    names = {f.name for f in families if f.name.startswith("macaz_")}
    assert len(names) >= 11
    assert [name for name in names if f"`{name.removesuffix('_created')}" not in page] == []
