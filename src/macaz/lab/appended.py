"""Files that grow line by line, so that a run that was stopped goes on where it was."""

from __future__ import annotations

from typing import IO


def drop_incomplete_line(file: IO[bytes]) -> None:
    """Truncate an incomplete last line, as after a power failure."""
    end = file.seek(0, 2)
    keep = end
    while keep:
        start = max(0, keep - 2**16)
        file.seek(start)
        found = file.read(keep - start).rfind(b"\n")
        if found >= 0:
            keep = start + found + 1
            break
        keep = start
    if keep < end:
        file.truncate(keep)


def lock(file: IO[bytes]) -> bool:
    """Keep other programs out of an open file; False if one has it already."""
    try:
        import fcntl
    except ImportError:  # Windows: no lock
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
