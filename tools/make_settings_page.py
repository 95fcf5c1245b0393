"""Write docs/settings.md from the declarations of the settings."""

from itertools import groupby
from pathlib import Path

from macaz.server.settings import KNOBS, Knob

PAGE = Path(__file__).resolve().parent.parent / "docs" / "settings.md"
HEAD = """\
# Settings

<!-- Written by tools/make_settings_page.py from the settings' declarations. Do not edit. -->

Everything that `macaz serve` can be told. Each setting has one name, which is a key of the file
(`bot_pace`), an option (`--bot-pace`), and with `MACAZ_` a variable of the environment
(`MACAZ_BOT_PACE`). The option is stronger than the environment, the environment stronger than the
file, and what is in none of them has its default. The file is TOML; `--config FILE` or
`MACAZ_CONFIG` names it:

```toml
origin = "https://play.example.org"
trusted_proxies = ["127.0.0.1"]
log_format = "json"
bot_pace = 0.3
```

In an option or the environment a list has commas between its parts. A name that does not exist
(in the environment: one that looks like a slip of one that does), a value that does not fit and a
setup that cannot work are refused before the start, all of them at once; `macaz serve --check` says
so without starting. It opens neither the database nor the port. How the parts go together is told
in [hosting](hosting.md).
"""


def row(knob: Knob) -> str:
    """A row of the table."""
    default = "" if knob.default == "none" else knob.default
    return f"| `{knob.name}` | {knob.doc} | {knob.kind.expected} | {default} |"


def page() -> str:
    """The whole page."""
    parts = [HEAD.strip()]
    for group, knobs in groupby(KNOBS.values(), lambda knob: knob.group):
        rows = "\n".join(map(row, knobs))
        parts.append(f"## {group}")
        parts.append(f"| setting | meaning | value | default |\n|---|---|---|---|\n{rows}")
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"Wrote {PAGE}")
