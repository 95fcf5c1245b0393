"""Games on a Ray cluster of several processes, one of which is killed during a game."""

from __future__ import annotations

import sys

import pytest
from tests.lab.arena.bad_bots import teach_processes
from tests.lab.arena.test_run import job, untimed

from macaz.errors import MissingExtra
from macaz.lab.arena.cluster import connect, run_on_cluster
from macaz.lab.arena.settings import ArenaError
from macaz.lab.arena.work import play

ray = pytest.importorskip("ray")


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """A cluster of two machines with a core each, as far as Ray can tell."""
    from ray.cluster_utils import Cluster

    teach_processes(monkeypatch, tmp_path)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    nodes = Cluster()
    try:
        for _ in range(2):
            nodes.add_node(num_cpus=1, include_dashboard=False, object_store_memory=80 * 2**20)
        nodes.wait_for_nodes()
        yield nodes
    finally:
        ray.shutdown()
        nodes.shutdown()


@pytest.mark.slow
def test_a_killed_worker_costs_no_game_and_none_counts_twice(cluster, tmp_path):
    connect(cluster.address)
    jobs = [job("greedy", "random", deal=deal) for deal in range(3)]
    accident = [job("random", "parentaccident", deal=deal) for deal in range(3, 6)]
    found = list(run_on_cluster([*jobs, *accident]))
    assert (tmp_path / "accident").exists(), "the crash has happened"
    assert sorted(result.deal for result in found) == [0, 1, 2, 3, 4, 5]
    assert {result.failures for result in found} == {("", "")}
    for result in found:
        if result.deal < 3:
            assert untimed(result) == untimed(play(jobs[result.deal]))


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nonsense", "127.0.0.1:99999"])
def test_a_wrong_address_is_said_at_once(address):
    with pytest.raises(ArenaError, match=f"no Ray cluster at '{address}'"):
        connect(address)


def test_it_needs_ray(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"\[cluster\]"):
        connect("auto")
