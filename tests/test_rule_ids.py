"""Every rule of docs/rules.md has a test that names it, and no test names a rule that is not there.

The tests are read, not run: this file alone can be run to see what is missing.
"""

# mypy: check-untyped-defs=False

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RULES = TESTS.parent / "docs" / "rules.md"
ID = re.compile(r"^[-*]? ?\*\*([A-Z]\d+)\*\*", re.MULTILINE)


def rule_ids() -> list[str]:
    return ID.findall(RULES.read_text(encoding="utf-8"))


def marked_ids(source: str) -> list[str]:
    """The ids of every `pytest.mark.rule(...)` that decorates a test of a source text."""
    return [
        argument.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule"
        for argument in mark.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def ids_with_tests() -> Counter[str]:
    return Counter(
        rule
        for path in sorted(TESTS.rglob("test_*.py"))
        for rule in marked_ids(path.read_text(encoding="utf-8"))
    )


def test_no_id_is_given_twice():
    assert [rule for rule, n in Counter(rule_ids()).items() if n > 1] == []


def test_the_families_are_numbered_without_gaps():
    families: dict[str, list[int]] = {}
    for rule in rule_ids():
        families.setdefault(rule[0], []).append(int(rule[1:]))
    assert families
    for family, numbers in families.items():
        assert numbers == list(range(1, len(numbers) + 1)), f"rules {family}"


def test_every_rule_has_a_test():
    assert sorted(set(rule_ids()) - set(ids_with_tests())) == []


def test_every_marked_id_is_a_rule():
    assert sorted(set(ids_with_tests()) - set(rule_ids())) == []


def test_a_tests_name_begins_with_its_rule():
    for path in sorted((TESTS / "rules").glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for rule in marked_ids(ast.unparse(node)):
                    assert node.name.startswith(f"test_{rule.lower()}_"), (
                        f"{path.name}: {node.name}"
                    )


def test_rules_named_in_the_source_exist():
    known = set(rule_ids())
    named = {
        rule
        for path in (TESTS.parent / "src").rglob("*.py")
        for group in re.findall(
            r"\(((?:[A-Z]\d+(?:, | to )?)+)\)", path.read_text(encoding="utf-8")
        )
        for rule in re.findall(r"[A-Z]\d+", group)
    }
    assert named - known == set()


@pytest.mark.parametrize(
    ("source", "ids"),
    [
        ("@pytest.mark.rule('D3')\ndef test_x(): ...", ["D3"]),
        ("@pytest.mark.slow\n@pytest.mark.rule('D3')\ndef test_x(): ...", ["D3"]),
        ("# pytest.mark.rule('D3')\ndef test_x(): ...", []),
    ],
)
def test_marks_are_read_from_the_source(source, ids):
    assert marked_ids(source) == ids
