"""Each rule is implemented once: its expressions are found only in the file it belongs to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "macaz"
# The rule, what its expression looks like, and the one file that has it.
RULES = {
    "a face-up locomotive only as the first card": (
        r"!= LOCO or s\.phase == TURN",
        "kernel/table.py",
    ),
    "the cost of the next station": (r"marks_used\(s, \w+(\.turn)?\) \+ 1", "kernel/table.py"),
    "a marker only on a free end of the route": (
        r"route_ends\(spec, s\) & free_cities\(spec, s\)",
        "kernel/table.py",
    ),
    "the cost of a marker": (r"spec\.marker_cards", ("kernel/table.py", "kernel/pay.py")),
    "the price of an action": (
        r"spec\.claim_locos",
        ("kernel/pay.py", "game/compiled/check_board.py"),  # whether there is such a payment
    ),
    "tickets to keep": (
        r"spec\.(draw|setup)_keep",
        ("kernel/table.py", "game/compiled/check_tickets.py"),  # how many were kept before
    ),
    "few trains begin the last round": (r"<= spec\.last_trains", "kernel/table.py"),
    "too many face-up locomotives": (r"s\.row\[LOCO\] >= spec", "kernel/table.py"),
    "no second card": (r"row_size == s\.row\[LOCO\]", "kernel/table.py"),
    "what a revealed card counts as": (r"c == color or c == LOCO", "kernel/table.py"),
    "markers that are left": (r"marks_used\(s, \w+\) < spec\.markers", "kernel/table.py"),
    "the lanes of one pair": (r"spec\.parallel\b", "kernel/table.py"),
    "who scores a route": (
        r"spec\.controllers\b",
        ("kernel/table.py", "game/compiled/check_board.py"),  # whether scores follow from routes
    ),
    "who captures Alvin": (r"s\.alvin_holder != ", "kernel/table.py"),
    "when the last round begins": (r"<= spec\.last_trains", "kernel/table.py"),
    "the turns of the last round": (r"s\.turn\) % spec\.seats", "kernel/table.py"),
    "the extra cards of a tunnel": (r"locos > s\.extra", "kernel/legal.py"),
    "payments with locomotives only": (
        r"PAYS - 1",
        ("kernel/pay.py", "game/moves.py", "lab/env/static.py"),
    ),
    "the locomotives of a payment": (r"% 3\b|// 3\b|3 \* c", ()),
}
# In other modules, which call the kernel; modules that declare, check or show a rule may name it.
ELSEWHERE = {
    "the lanes of one pair": (r"\bparallel_from\b", ("edition/rules.py",)),
    "the lanes of one pair, as compiled": (r"\[\"parallel\"\]|\[\"multi\"\]", ()),
    "the network": (r"\[\"touch\"\]|\[\"near\"\]", ()),
    "few trains begin the last round": (r"[<>]=? *(\w+\.)*last_trains", ()),
    "too many face-up locomotives": (r"[<>]=? *(\w+\.)*row_locomotives", ()),
    "tickets to keep": (r"rules\.draw_keep if|min\((\w+\.)*draw_keep", ()),
    "what a revealed card counts as": (r"revealed\[LOCOMOTIVE\]", ()),
    "the cost of a marker": (r"\bmarker_cards\b", ("edition/rules.py", "lab/env/openspiel.py")),
    "who scores a route": (r"\bcontrollers\b", ("edition/rules.py", "edition/check.py")),
    "the points of a route": (r"points\[.*\blength\b|route_points\[", ("edition/check.py",)),
    "the price of a station": (r"marks.*\) \+ 1", ()),
}
COMPILED = (
    *("kernel", "game/compiled", "bots/compiled", "help/compiled"),
    *("lab/env/compiled", "lab/train/compiled"),
)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_stands_once(rule):
    pattern, home = RULES[rule]
    homes = {home} if isinstance(home, str) else set(home)
    found = {
        str(path.relative_to(SOURCE))
        for folder in COMPILED
        for path in (SOURCE / folder).glob("*.py")
        if re.search(pattern, path.read_text())
    }
    assert found <= homes
    if isinstance(home, str):
        assert found == homes, "the expression has changed: update the pattern here"


@pytest.mark.parametrize("rule", ELSEWHERE)
def test_no_other_module_repeats_a_rule(rule):
    pattern, homes = ELSEWHERE[rule]
    found = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] != "kernel" and "compiled" not in path.parts
        if re.search(pattern, path.read_text())
    }
    assert found == set(homes)
