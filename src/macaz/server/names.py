"""Names that people can mistake for each other."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from macaz.server.refusal import Refusal

# Letters without ink that are neither spaces nor format characters: Hangul fillers, empty Braille.
BLANK = "\u115f\u1160\u3164\uffa0\u2800"

# What UTS 39 (unicode.org/reports/tr39, confusables.txt) maps to Latin letters and digits, for the
# scripts and signs that names are likely to be forged with. NFKC has already replaced the letters
# of mathematics, of full width and in circles, and accents are removed before and after.
_LOOKALIKES = {
    "3": "З",
    "6": "б",
    "a": "ɑᴀаα",
    "b": "ƀƅʙЬь",
    "c": "ᴄсϲ",
    "d": "ðđᴅԁ",
    "e": "ᴇе",
    "g": "ɡɢց",
    "h": "ħʜһհ",
    "i": "ıɨɩɪіι",
    "j": "ȷᴊјϳ",
    "k": "ĸᴋкκ",
    "l": "1I|łǀʟІӀӏΙ",
    "n": "ŋɴηո",
    "o": "øᴏоοσօ",
    "p": "þᴘрρ",
    "q": "ԛզ",
    "r": "ʀг",
    "s": "ꜱѕ",
    "t": "ŧᴛ",
    "u": "ʉʋᴜυս",
    "v": "ᴠѵν",
    "w": "ᴡԝω",
    "x": "х×",
    "y": "ʏуүγ",
    "z": "ᴢ",
    "A": "АΑ",
    "B": "ВΒ",
    "C": "СϹ",
    "D": "ÐĐƉ",
    "E": "ЕΕ",
    "G": "Ԍ",
    "H": "ĦНΗ",
    "J": "ЈͿ",
    "K": "КΚ",
    "L": "Ł",
    "M": "МΜ",
    "N": "Ν",
    "O": "0ØОΟՕ",
    "P": "РΡ",
    "Q": "Ԛ",
    "S": "ЅՏ",
    "T": "ŦТΤ",
    "U": "Ս",
    "V": "Ѵ",
    "W": "Ԝ",
    "X": "ХΧ",
    "Y": "УҮΥ",
    "Z": "Ζ",
    "ae": "æӕ",
    "oe": "œ",
    "rn": "mᴍ",
    "AE": "ÆӔ",
    "OE": "Œ",
}
_PROTOTYPES = str.maketrans({sign: meant for meant, signs in _LOOKALIKES.items() for sign in signs})


def _visible(text: str) -> str:
    """A text without accents, spaces and everything that cannot be seen."""
    return "".join(
        sign
        for sign in unicodedata.normalize("NFD", text)
        if unicodedata.category(sign)[0] not in "MZC" and sign not in BLANK
    )


def _skeleton(text: str) -> str:
    """A form that is equal for texts that look alike, as in UTS 39."""
    return _visible(_visible(unicodedata.normalize("NFKC", text)).translate(_PROTOTYPES))


def can_be_seen(name: str) -> bool:
    """Whether a name has at least one visible letter."""
    return bool(_visible(name))


def alike(one: str, other: str) -> bool:
    """Whether two names look the same, in capital or small letters."""
    # Some letters are confusable only as capitals (I and l), some only as small ones (r n and m).
    return any(
        _skeleton(meant(one).casefold()) == _skeleton(meant(other).casefold())
        for meant in (_skeleton, str)
    )


def check_name(name: str, others: Iterable[str | None]) -> None:
    """Refuse a name that looks like another one at the same table."""
    for other in others:
        if other is not None and alike(name, other):
            raise Refusal(
                "name-taken",
                f"“{other}” is at this table already. Choose a name that does not look like it.",
                name=other,
            )
