"""The line numbers of tables and keys in a TOML text, which tomllib does not give.

It is only used on text that tomllib has accepted, so it does not check the syntax.
"""

from __future__ import annotations

import re
from collections import Counter

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""'  # long strings first: they begin like short ones
    r"|'''.*?'''"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*"
    r"|\n"
    r"|[\[\]{}=,]"
    r"|[^\s\[\]{}=,\#\"']+"
    r"|[^\S\n]+",
    re.DOTALL,
)


class Lines:
    """The line of each place in a file: "rules.hand", "routes[12]", "options.alvin.phases"."""

    def __init__(self, text: str) -> None:
        self._lines: dict[str, int] = {}
        _Scan(self._lines).read(text)

    def of(self, place: str) -> int | None:
        """The line of a place, or of the innermost place around it that is in the file."""
        while place:
            if place in self._lines:
                return self._lines[place]
            place = place[: max(place.rfind("."), place.rfind("["), 0)]
        return None


class _Scan:
    """A single pass over the text, with the current table, key and open brackets."""

    def __init__(self, lines: dict[str, int]) -> None:
        self.lines = lines
        self.line = 1
        self.table = ""
        self.tables: Counter[str] = Counter()
        self.place = ""
        self.entries = 0
        self.open: list[str] = []
        self.words: list[str] = []

    def read(self, text: str) -> None:
        """Record the line of every table, key and list entry."""
        header = False  # inside the brackets of a [table] line
        in_value = False
        for token in _TOKEN.findall(text):
            if token == "\n" and not self.open:
                if header:
                    self.enter_table()
                header = in_value = False
                self.words = []
            elif token.startswith("#") or token.isspace():
                pass
            elif in_value:
                self.value_token(token)
            elif token == "=":
                in_value = True
                self.enter_key()
            elif token == "[":
                header = True
                self.words.append(token)
            elif token != "]":
                self.words.append(token.strip("\"'"))
            self.line += token.count("\n")
        if header:
            self.enter_table()

    def enter_table(self) -> None:
        """Handle a [table] or [[table]] line."""
        name = "".join(word for word in self.words if word != "[")
        if self.words.count("[") == 2:
            index = self.tables[name]
            self.tables[name] += 1
            self.lines.setdefault(name, self.line)
            name = f"{name}[{index}]"
        self.table = name
        self.lines.setdefault(name, self.line)

    def enter_key(self) -> None:
        """Handle the key of a `key = value` line."""
        key = "".join(self.words)
        self.place = f"{self.table}.{key}" if self.table else key
        self.entries = 0
        self.lines.setdefault(self.place, self.line)
        while "." in key:  # a.b = 1 is in the table a
            key = key.rpartition(".")[0]
            self.lines.setdefault(f"{self.table}.{key}" if self.table else key, self.line)

    def value_token(self, token: str) -> None:
        """Handle a token of a value; each inline table directly in a list is an entry."""
        if token == "{" and self.open == ["["]:
            self.lines[f"{self.place}[{self.entries}]"] = self.line
            self.entries += 1
        if token in ("[", "{"):
            self.open.append(token)
        elif token in ("]", "}"):
            self.open.pop()
