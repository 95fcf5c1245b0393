"""HTML pages of reports: Jinja templates, and the one style sheet that they contain."""

from __future__ import annotations

from pathlib import Path

_STYLE = Path(__file__).with_name("pages.css")


def write_html(path: Path, template: Path, **names: object) -> None:
    """Write a page from a template, which has `names` and the style sheet as `style`."""
    import jinja2

    pages = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template.parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    style = _STYLE.read_text(encoding="utf-8")
    page = pages.get_template(template.name).render(style=style, **names)
    path.write_text(page, encoding="utf-8", newline="\n")
