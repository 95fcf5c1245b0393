"""Removes secrets from logs and messages: passwords, tokens, cookies, links to seats."""

from __future__ import annotations

import re

HIDDEN = "[hidden]"

# Every repetition is bounded or can start in few places, as clients choose what is logged.
_URL_PASSWORD = re.compile(r"(?<=://)([^\s/@:]*):[^\s/]*(?=@)")
_QUERY = re.compile(r"\?[^\s\"'<>?]+")
_COOKIES = re.compile(r"(?i)(cookie:\s{0,3})[^\r\n\"'}]+")
_NAMED = re.compile(
    r"(?i)((?:password|passwd|secret|token|cookie|authorization|csrf|signature)[\w-]{0,30}"
    r"(?:[\"']?\s{0,3}[:=]|[\"']\s{0,3},)\s{0,3}(?:b(?=[\"']))?)(?!\[hidden\])"
    r"(?:(?:bearer|basic)\s{1,3})?(\"[^\"]*\"|'[^']*'|[^\s,;&)}\]]+)"
)
_LONG = re.compile(r"(?<![\w-])[A-Za-z0-9_-]{20,}")
# Identifiers: ConnectionRefusedError, some_long_name, --bot-workers.
_NAME = re.compile(r"_*(?:[A-Z]{1,4}[a-z]{2,})+|[a-z_-]+|[A-Z_-]+")
# The other parts of a signed value, with dots between.
_REST = re.compile(r"(?<=\[hidden\])(?:\.[\w-]+)+|(?:[\w-]{1,60}\.){1,3}(?=\[hidden\])")


def without_password(url: str) -> str:
    """The address of a database without the password in it."""
    url = re.sub(r"(?<=://)([^/@:]*):.*(?=@)", rf"\1:{HIDDEN}", url)
    return re.sub(r"(?i)([?&][\w-]*password=)[^&]*", rf"\1{HIDDEN}", url)


def redact(text: str) -> str:
    """The text without secrets.

    A token is known by its name, or by its shape: 20 signs or more in a row that are no name.
    Nothing after the `?` of a path is kept.
    """
    text = _URL_PASSWORD.sub(rf"\1:{HIDDEN}", text)
    text = _QUERY.sub(f"?{HIDDEN}", text)
    text = _COOKIES.sub(rf"\1{HIDDEN}", text)
    text = _NAMED.sub(rf"\1{HIDDEN}", text)
    text = _LONG.sub(lambda run: run[0] if _NAME.fullmatch(run[0]) else HIDDEN, text)
    return _REST.sub("", text)
