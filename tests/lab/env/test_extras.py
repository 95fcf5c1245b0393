"""An environment whose package is not installed says which extra to install."""

from __future__ import annotations

import importlib
import pickle
import sys

import pytest

from macaz.errors import MissingExtra
from macaz.lab.env.vector import VectorEnv


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("macaz.lab.env.gymnasium", "gymnasium", "env"),
        ("macaz.lab.env.pettingzoo", "pettingzoo", "env"),
        ("macaz.lab.env.openspiel", "pyspiel", "openspiel"),
    ],
)
def test_a_missing_package_is_named_on_import(module, package, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(MissingExtra, match=rf"\[{extra}\]"):
        importlib.import_module(module)


def test_spaces_need_gymnasium_and_nothing_else_does(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    env = VectorEnv("tiny", seats=2, games=2)
    env.reset()
    with pytest.raises(MissingExtra, match=r"gymnasium.*\[env\]") as caught:
        _ = env.action_space
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
