"""A static site: the page and the data files in a folder, for hosts that only serve files.

Its page needs no server: `index.html` says so, with a `meta` element that the page reads. The page
is built with relative addresses, so the folder can be served under any path.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from macaz import __version__
from macaz.errors import MacazError
from macaz.server import page
from macaz.server.data_files import make_data_files
from macaz.server.editions import Catalog
from macaz.server.middleware import POLICY

LIST = "macaz-site.json"  # what was written: only a folder with nothing else is replaced
FORMAT = "macaz site 1"
SERVER = '<meta name="macaz-server" content="none" />'
NOT_IN_META = ("frame-ancestors",)  # directives that browsers accept only in a header


class SiteError(MacazError):
    """A site cannot be written; the message says what to do."""


class SiteList(msgspec.Struct, frozen=True):
    """The list of the files of a site, which lies beside them."""

    format: str
    version: str
    files: tuple[str, ...]


def write_site(
    folder: Path, catalog: Catalog, progress: Callable[[str], None] = lambda _: None
) -> int:
    """Write a site, or replace one that was written before; returns its size in bytes.

    The folder has the whole site or is as it was: an interruption leaves nothing behind.
    """
    if problem := page.missing_page():
        raise SiteError(problem)
    target = folder.resolve()
    _check_replaceable(target, str(folder))
    target.parent.mkdir(parents=True, exist_ok=True)
    with _draft_beside(target) as draft:
        progress("the page")
        _copy_page(draft)
        progress("maps, rules and bots")
        _write_data(draft / "data", catalog)
        files = tuple(_files_of(draft))
        listed = SiteList(FORMAT, __version__, files)
        (draft / LIST).write_bytes(msgspec.json.format(msgspec.json.encode(listed)) + b"\n")
        size = sum((draft / name).stat().st_size for name in (*files, LIST))
        _replace(target, draft)
    return size


def _files_of(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if not path.is_dir() or path.is_symlink():
            yield path.relative_to(folder).as_posix()


def _check_replaceable(target: Path, name: str) -> None:
    """Raise `SiteError` for anything but an empty or missing folder, or a site of Macaz."""
    if not target.exists():
        return
    if not target.is_dir():
        raise SiteError(f"{name} is not a folder. Choose another name.")
    if not any(target.iterdir()):
        return
    try:
        listed = msgspec.json.decode((target / LIST).read_bytes(), type=SiteList)
    except (OSError, msgspec.MsgspecError):
        raise SiteError(
            f"{name} is not empty, and is no site that Macaz wrote. Choose another folder."
        ) from None
    if more := sorted({*_files_of(target)} - {*listed.files, LIST}):
        raise SiteError(
            f"{name} has files that Macaz did not write, such as {more[0]}. "
            "Move them elsewhere, or choose another folder."
        )


@contextlib.contextmanager
def _draft_beside(target: Path) -> Iterator[Path]:
    """A new folder beside the target, removed at the end if it is still there."""
    draft = target.with_name(f".{target.name}-{secrets.token_hex(4)}.tmp")
    draft.mkdir()
    try:
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _replace(target: Path, draft: Path) -> None:
    """Put the draft in the place of the target."""
    old = draft.with_suffix(".old")
    existed = target.exists()
    if existed:
        target.rename(old)
    try:
        draft.rename(target)
    except BaseException:
        if existed:
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _copy_page(draft: Path) -> None:
    built = page.page_folder()
    shutil.copytree(built, draft, dirs_exist_ok=True)
    html = (built / "index.html").read_text("utf-8")
    (draft / "index.html").write_text(site_html(html), "utf-8")


def site_html(html: str) -> str:
    """The page for a static site: it says that there is no server, and has the content policy."""
    directives = [part for part in POLICY.split("; ") if not part.startswith(NOT_IN_META)]
    policy = f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(directives)}" />'
    # Before everything that the policy is for; the character set must come first.
    charset = re.search(r"<meta charset=[^>]*>", html)
    if charset is None:
        raise SiteError("the page is damaged: it names no character set. Build it again.")
    end = charset.end()
    return f"{html[:end]}\n    {policy}\n    {SERVER}{html[end:]}"


def _write_data(folder: Path, catalog: Catalog) -> None:
    folder.mkdir()
    data = make_data_files(catalog)
    for name in data.names():
        content = data.read(name)
        assert content is not None
        (folder / name).write_bytes(content)
