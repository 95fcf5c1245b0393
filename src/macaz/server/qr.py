"""QR codes of addresses, for cameras of phones: drawn by the page, printed in a terminal."""

from __future__ import annotations

import io
from itertools import groupby

import segno

from macaz.server import wire

QUIET = 2  # light modules around it in a terminal, where the rest of the screen is dark as well


def qr_code(text: str) -> wire.QrCode:
    """The QR code of a text, as the page draws it; it takes some hundredths of a second."""
    code = segno.make_qr(text, error="m")
    path = ""
    for y, row in enumerate(code.matrix):
        for dark, run in groupby(range(len(row)), key=row.__getitem__):
            first, *rest = run
            path += f"M{first} {y}.5h{len(rest) + 1}" * bool(dark)  # through their middles
    return wire.QrCode(len(code.matrix), path)


def qr_text(text: str) -> str:
    """The QR code of a text, for a terminal with light letters on a dark ground."""
    out = io.StringIO()
    segno.make_qr(text, error="l").terminal(out, border=QUIET, compact=True)
    return out.getvalue()
