"""The lessons: their positions and answers in the kernel, and all five by clicks in the page."""

from __future__ import annotations

import runpy
from pathlib import Path

from tests.page.test_local_games import data_files
from tests.page.units import ROOT, run_vitest

TOOL = "tools/make_lessons.py"


def test_the_positions_of_the_lessons_are_up_to_date():
    made = runpy.run_path(str(ROOT / TOOL))
    stale = f"stale; run: .venv/bin/python {TOOL}"
    assert made["FILE"].read_text(encoding="utf-8") == made["text"](), stale


def test_every_step_has_an_answer_that_the_kernel_accepts(tmp_path: Path):
    made = data_files()
    (tmp_path / "index.json").write_bytes(made.index)
    for name, content in made.files.items():
        (tmp_path / name).write_bytes(content)
    done = run_vitest("tests/lessons.test.ts", MACAZ_LESSONS=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
