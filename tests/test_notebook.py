"""The notebook of the examples runs, and shows what its code gives."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOL = runpy.run_path(str(ROOT / "tools" / "make_notebook.py"))


def test_the_notebook_shows_what_its_code_gives():
    text = TOOL["NOTEBOOK"].read_text(encoding="utf-8")
    notebook = json.loads(text)
    assert TOOL["executed"](notebook) == notebook, "run: .venv/bin/python tools/make_notebook.py"
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] for cell in cells)
    shown = [data for cell in cells for out in cell["outputs"] for data in out.get("data", ())]
    assert shown.count("image/svg+xml") == 3  # a game, a view and a game on a large board
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    assert len(text) < 250_000


def test_a_cell_that_fails_fails():
    with pytest.raises(ZeroDivisionError):
        TOOL["outputs_of"]("print(1)\n1 / 0", {}, 1)
    [printed, result] = TOOL["outputs_of"]("print(1)\n'two'", {}, 1)
    assert printed["text"] == ["1\n"]
    assert result["data"] == {"text/plain": ["'two'"]}
