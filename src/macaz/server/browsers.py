"""Short names of browsers, for the list of a person's sessions."""

from __future__ import annotations

# The first that a User-Agent contains counts: most browsers also claim to be others.
_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


def browser_name(user_agent: str) -> str:
    """Such as "Firefox, Linux". A part that is not known is left out.

    It has only names from the tables above: a header may hold anything.
    """
    found = (
        next((name for mark, name in names.items() if mark in user_agent), None)
        for names in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(name for name in found if name)
