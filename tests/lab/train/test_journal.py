"""A training logs its progress, and a resumed one continues the log."""

from __future__ import annotations

import math
import re

import msgspec
import numpy as np
import pytest
from tests.lab.train.runs import make_network, progress_after, rating, settings
from tests.lab.train.test_events import records, scalars

from macaz.errors import MacazError
from macaz.lab.train.events import PATTERN
from macaz.lab.train.folder import CHECKPOINT, LOG, RATINGS, SETTINGS, begin, read_settings
from macaz.lab.train.journal import Journal, log_of_network, read_log
from macaz.lab.train.lines import add_line
from macaz.lab.train.ratings import read_ratings


def keep(folder, iterations, **numbers):
    with Journal(folder, device="a machine") as journal:
        for iteration in iterations:
            journal.add(progress_after(iteration, **numbers))


def test_an_iteration_is_a_line_and_an_event(tmp_path):
    keep(tmp_path, range(1, 4), **{"wins/greedy": 0.25})
    log = read_log(tmp_path)
    assert [line.iteration for line in log] == [1, 2, 3]
    assert (log[2].games, log[2].decisions, log[2].device) == (30, 3000, "a machine")
    assert log[2].numbers["wins/greedy"] == 0.25
    [path] = tmp_path.glob(PATTERN)
    events = records(path)[1:]
    assert [event[2] for event in events] == [1, 2, 3]
    shown = scalars(events[2])
    assert (shown["wins/greedy"], shown["progress/games"], shown["seconds/games"]) == (
        0.25,
        30,
        0.5,
    )


def test_a_resumed_training_forgets_what_came_after_its_checkpoint(tmp_path):
    keep(tmp_path, range(1, 8))
    for iteration in (3, 6):
        add_line(tmp_path / RATINGS, rating(iteration, "greedy"))
    keep(tmp_path, range(5, 7), again=1.0)
    log = read_log(tmp_path)
    assert [line.iteration for line in log] == [1, 2, 3, 4, 5, 6]
    assert ["again" in line.numbers for line in log] == [False] * 4 + [True] * 2
    assert [one.iteration for one in read_ratings(tmp_path)] == [3]
    _, path = sorted(tmp_path.glob(PATTERN))
    start, *events = records(path)[1:]
    assert start[2] == 5
    assert [event[2] for event in events] == [5, 6]


def test_a_line_that_was_cut_off_is_no_line(tmp_path):
    keep(tmp_path, range(1, 4))
    path = tmp_path / LOG
    path.write_bytes(path.read_bytes()[:-20])
    assert [line.iteration for line in read_log(tmp_path)] == [1, 2]
    keep(tmp_path, [3])
    assert [line.iteration for line in read_log(tmp_path)] == [1, 2, 3]


def test_a_line_that_was_cut_off_is_not_glued_to_the_next(tmp_path):
    path = tmp_path / RATINGS
    for iteration in (1, 2):
        add_line(path, rating(iteration, "greedy"))
    path.write_bytes(path.read_bytes()[:-20])
    add_line(path, rating(3, "greedy"))
    assert [one.iteration for one in read_ratings(tmp_path)] == [1, 3]
    path.write_bytes(b'{"iterat')
    add_line(path, rating(4, "greedy"))
    assert [one.iteration for one in read_ratings(tmp_path)] == [4]


def test_a_line_that_is_none_is_named(tmp_path):
    (tmp_path / LOG).write_text("{}\n")
    with pytest.raises(MacazError, match=r"log\.jsonl, line 1"):
        read_log(tmp_path)


@pytest.mark.parametrize("name", [LOG, RATINGS])
def test_a_line_that_is_none_is_named_where_a_training_goes_on(name, tmp_path):
    keep(tmp_path, [1])
    add_line(tmp_path / RATINGS, rating(1, "greedy"))
    with (tmp_path / name).open("a") as file:
        file.write("no line\n")
    with pytest.raises(MacazError, match=rf"{re.escape(name)}, line 2 .* Delete that line"):
        keep(tmp_path, [2])


def test_the_log_of_a_network_ends_where_the_network_does(tmp_path):
    keep(tmp_path, range(1, 6))
    assert [line.iteration for line in log_of_network(tmp_path)] == [1, 2, 3, 4, 5], "no network"
    make_network(tmp_path, 3)
    assert [line.iteration for line in log_of_network(tmp_path)] == [1, 2, 3]


def test_numbers_of_numpy_are_numbers_and_what_is_none_is_left_out(tmp_path):
    keep(tmp_path, [1], kl=np.float32(0.5), loss=math.nan)
    assert read_log(tmp_path)[0].numbers == {"kl": 0.5, "learning/entropy": 0.5}


def test_settings_are_kept(tmp_path):
    begin(tmp_path / "new", settings(), resume=False)
    assert read_settings(tmp_path / "new") == settings()


@pytest.mark.parametrize("name", [SETTINGS, CHECKPOINT])
def test_a_folder_that_has_a_training_is_not_begun_again(name, tmp_path):
    (tmp_path / name).write_text("")
    with pytest.raises(MacazError, match="--resume"):
        begin(tmp_path, settings(), resume=False)


def test_another_network_is_another_training(tmp_path):
    begin(tmp_path, settings(), resume=False)
    begin(tmp_path, msgspec.structs.replace(settings(), minutes=9.0), resume=True)
    assert read_settings(tmp_path).minutes == 9
    for change, words in (({"width": 7}, "width is 64, not 7"), ({"seats": (2, 3, 4)}, "seats is")):
        with pytest.raises(MacazError, match=words):
            begin(tmp_path, msgspec.structs.replace(settings(), **change), resume=True)


def test_a_folder_without_a_training_cannot_go_on(tmp_path):
    with pytest.raises(MacazError, match="has no training"):
        begin(tmp_path / "nothing", settings(), resume=True)
    assert not (tmp_path / "nothing").exists()
