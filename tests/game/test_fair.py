"""Chance: commitment, uniform draws, and verification."""

from __future__ import annotations

import hashlib
import hmac
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from macaz.edition.board import COLORS
from macaz.game import Game
from macaz.game.fair import SECRET_BYTES, Dealer, Share, pledge_of
from macaz.game.record import announcement, dump_record, load_record, verify_record
from macaz.game.record.text import end_line

DOCS = Path(__file__).parents[2] / "docs" / "fairness.md"


class Digests:
    """Replaces the HMAC: returns the given digests, and records the arguments."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)
        self.asked: list[bytes] = []

    def copy(self) -> Digests:
        return self

    def update(self, message: bytes) -> None:
        self.asked.append(message)

    def digest(self) -> bytes:
        four, self.numbers = self.numbers[:4], self.numbers[4:]
        return b"".join(n.to_bytes(8, "big") for n in four)


def rigged(*numbers: int) -> tuple[Dealer, Digests]:
    dealer = Dealer(bytes(SECRET_BYTES))
    digests = Digests(*numbers)
    dealer._key = digests  # type: ignore[assignment]
    return dealer, digests


def play(game: Game, seed: int = 1, moves: int = 10_000) -> Game:
    rng = random.Random(seed)
    for _ in range(moves):
        if game.over:
            break
        game.push(rng.choice(game.legal_moves.actions))
    return game


def secretive(name: object = 5) -> Dealer:
    """A dealer with a secret that is the same in every run, but not a seed."""
    return Dealer(hashlib.sha256(f"secret {name}".encode()).digest())


def tiny(**settings: object) -> Game:
    settings = {"dealer": secretive(), "target": "plain", **settings}
    return Game("tiny", 2, **settings)  # type: ignore[arg-type]


def reseal(text: str) -> str:
    """A forger would do this: make the last line match."""
    above, _, last = text.rstrip("\n").rpartition("\n")
    turns = int(re.findall(r"\d+", last)[0])
    return f"{above}\n{end_line(turns, above + chr(10))}\n"


# -- the draw --------------------------------------------------------------------------------------


@pytest.mark.parametrize("ways", [1, 2, 3, 5, 110, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1, 2**64])
def test_numbers_that_would_favour_the_low_ways_are_rejected(ways: int) -> None:
    limit = 2**64 - 2**64 % ways
    # Each result has the same number of inputs below the limit, and most inputs are below it.
    assert limit % ways == 0
    assert limit >= 2**63
    dealer, _ = rigged(limit - 1, 0, 0, 0)
    assert dealer.draw(0, ways) == ways - 1
    if limit < 2**64:
        dealer, _ = rigged(limit, 2**64 - 1, limit, 1, 0, 0, 0, 0)
        assert dealer.draw(0, ways) == 1 % ways


def test_a_block_of_rejected_numbers_leads_to_the_next_block() -> None:
    high = 2**64 - 1
    dealer, digests = rigged(high, high, high, high, 7, 0, 0, 0)
    assert dealer.draw(3, 2**63 + 1) == 7
    assert digests.asked == [bytes(7) + b"\3" + bytes(4), bytes(7) + b"\3" + bytes(3) + b"\1"]


@pytest.mark.parametrize("ways", [2, 3, 7, 12])
def test_each_way_comes_about_as_often(ways: int) -> None:
    dealer = Dealer.seeded("even")
    each = 2_000
    counts = Counter(dealer.draw(i, ways) for i in range(each * ways))
    assert set(counts) == set(range(ways))
    # Chi-square with up to 11 degrees of freedom: 50 would be one chance in a million.
    assert sum((n - each) ** 2 / each for n in counts.values()) < 50


def test_the_draw_is_the_documented_one() -> None:
    secret = bytes(range(32))
    message = b"macaz chance 1" + (9).to_bytes(8, "big") + bytes(4)
    first = int.from_bytes(hmac.new(secret, message, hashlib.sha256).digest()[:8], "big")
    assert Dealer(secret).draw(9, 110) == first % 110
    assert Dealer(secret).commitment == hashlib.sha256(secret).hexdigest()


def test_no_outcome_depends_on_the_others() -> None:
    dealer = Dealer.seeded(1)
    forward = [dealer.draw(i, 50) for i in range(40)]
    assert [dealer.draw(i, 50) for i in reversed(range(40))] == forward[::-1]


@pytest.mark.parametrize("ways", [0, -1, 2**64 + 1])
def test_impossible_ways_are_refused(ways: int) -> None:
    with pytest.raises(ValueError, match="ways"):
        Dealer.seeded(1).draw(0, ways)


def test_a_secret_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        Dealer(b"abc")
    assert Dealer.random().secret != Dealer.random().secret


def test_the_global_random_state_has_no_part_in_it() -> None:
    random.seed(1)
    before = random.getstate()
    one = play(tiny())
    assert random.getstate() == before
    random.seed(2)
    assert dump_record(play(tiny())) == dump_record(one)
    assert dump_record(play(tiny(dealer=secretive(6)))) != dump_record(one)


# -- the proof -------------------------------------------------------------------------------------


def test_a_whole_game_is_proved() -> None:
    game = play(tiny())
    proof = verify_record(dump_record(game), announced=announcement(game), target="plain")
    assert proof.fair
    assert proof.follows
    assert proof.checked == game.chance_count
    assert proof.commitment == game.commitment
    assert "Fair" in proof.message


def test_a_file_alone_proves_nothing() -> None:
    game = play(tiny())
    proof = verify_record(dump_record(game), target="plain")
    assert (proof.verdict, proof.fair, proof.follows) == ("consistent", False, True)
    assert proof.checked == game.chance_count
    assert "The file alone does not prove" in proof.message


@pytest.mark.parametrize(
    "shares", [None, [Share(pledge_of(b"a" * 32), (b"a" * 32).hex()), Share()]]
)
def test_a_browser_is_no_independent_host(shares: list[Share] | None) -> None:
    game = play(tiny(dealer=Dealer(b"s" * 32, shares)))
    said = announcement(game)
    assert verify_record(dump_record(game), announced=said, target="plain").fair
    game.in_browser = True
    text = dump_record(game)
    for announced in (None, game.commitment, said):
        proof = verify_record(text, announced=announced, target="plain")
        assert (proof.verdict, proof.fair, proof.follows) == ("consistent", False, True)
        assert proof.checked == game.chance_count
        assert "no independent host published the commitment" in proof.message
        assert "player's own browser" in str(proof.origin)
        assert "the host could not choose" not in str(proof.origin)
    wrong = verify_record(text, announced="0" * 64, target="plain")
    assert wrong.verdict == "not-announced"
    other = secretive()
    forged = text.replace(str(game.commitment), other.commitment)
    forged = reseal(forged.replace((b"s" * 32).hex(), other.secret.hex()))
    assert verify_record(forged, target="plain").verdict == "unfair"


def test_a_commitment_without_the_terms_proves_less() -> None:
    game = play(tiny())
    text = dump_record(game)
    proof = verify_record(text, announced=game.commitment, target="plain")
    assert (proof.verdict, proof.follows) == ("consistent", True)
    assert "not all announced" in proof.message
    assert "edition, fingerprint, seats, seat 1, seat 2, first" in proof.message
    said = announcement(game)
    for term in ("edition", "fingerprint", "seats", "seat 2", "first"):
        less = re.sub(rf"(?m)^{term}: .*\n", "", said)
        assert less != said
        proof = verify_record(text, announced=less, target="plain")
        assert proof.verdict == "consistent"
        assert f"({term})" in proof.message


def test_options_are_terms_too() -> None:
    game = Game("old-west+alvin", 2, dealer=secretive(), target="plain")
    text, said = dump_record(game, disclose=True), announcement(game)
    assert verify_record(text, announced=said, target="plain").fair
    less = said.replace("options: alvin\n", "")
    assert verify_record(text, announced=less, target="plain").verdict == "consistent"
    plain = Game("old-west", 2, dealer=secretive(), target="plain")
    proof = verify_record(dump_record(plain, disclose=True), announced=said, target="plain")
    assert proof.verdict == "not-announced"


def test_what_is_announced_twice_must_be_the_same() -> None:
    game = play(tiny())
    said = announcement(game)
    for two in (f"{said}first: 2\n", f"first: 2\n{said}"):
        proof = verify_record(dump_record(game), announced=two, target="plain")
        assert proof.verdict == "not-announced"


# -- seeds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [5, "Friday", "", " a: b\n", "5"])
def test_a_seeded_game_proves_nothing(seed: int | str) -> None:
    game = play(Game("tiny", 2, seed=seed, target="plain"))
    text = dump_record(game)
    assert "\nseed: " in text
    assert "commitment" not in text
    assert "secret" not in text
    proof = verify_record(text, target="plain")
    assert (proof.verdict, proof.fair, proof.follows) == ("seeded", False, True)
    assert "proves nothing" in proof.message
    assert proof.checked == game.chance_count
    assert dump_record(load_record(text, target="plain")) == text
    with pytest.raises(ValueError, match="seed"):
        announcement(game)
    announced = verify_record(text, announced=game.commitment, target="plain")
    assert announced.verdict == "not-announced"


def test_a_seed_that_does_not_lead_to_the_game_is_found() -> None:
    text = dump_record(play(Game("tiny", 2, seed=5, target="plain")))
    proof = verify_record(reseal(text.replace("seed: 5", "seed: 6")), target="plain")
    assert proof.verdict == "unfair"
    assert "from the seed follows" in proof.message


def test_a_seed_and_a_secret_do_not_go_together() -> None:
    text = dump_record(play(tiny()))
    forged = reseal(text.replace("\ncommitment", "\nseed: 5\ncommitment"))
    with pytest.raises(ValueError, match="a game with a seed has no commitment"):
        load_record(forged, target="plain")


def test_a_long_game_is_proved() -> None:
    game = play(Game("usa", 3, dealer=secretive(), target="plain"))
    assert verify_record(dump_record(game), target="plain").checked == game.chance_count


def test_moves_taken_back_do_not_matter() -> None:
    game = play(tiny(), moves=9)
    for _ in range(4):
        game.pop()
    assert verify_record(dump_record(play(game, 9)), target="plain").follows


def test_every_changed_card_is_found_and_named() -> None:
    game = play(Game("usa-classic", 2, dealer=secretive(), target="plain"), moves=12)
    lines = dump_record(game, disclose=True).split("\n")
    found = 0
    for number, line in enumerate(lines, 1):
        for old in re.finditer(r"deal ([a-z]+)(?=;|$)", line):
            for new in COLORS[::3]:
                forged = line[: old.start(1)] + new + line[old.end(1) :]
                changed = reseal("\n".join([*lines[: number - 1], forged, *lines[number:]]))
                try:
                    proof = verify_record(changed, target="plain")
                except ValueError:
                    continue  # against the rules: the record itself is rejected
                if forged != line:
                    assert (proof.verdict, proof.line) == ("unfair", number)
                    assert (proof.dealt, proof.due) == (f"deal {new}", old[0])
                    assert f"line {number}" in proof.message
                    found += 1
    assert found >= 10  # enough forgeries follow the rules for the test to be meaningful


def test_another_first_seat_is_found() -> None:
    text = dump_record(tiny(), disclose=True)
    mine = re.search(r"begin: first (\d)", text)
    assert mine
    other = 3 - int(mine[1])
    names = {"Seat 1": "Seat 2", "Seat 2": "Seat 1"}
    body = re.sub(r"(?<=cards |ckets )(Seat \d)", lambda m: names[m[1]], text)
    proof = verify_record(reseal(body.replace(mine[0], f"begin: first {other}")), target="plain")
    assert (proof.verdict, proof.turn) == ("unfair", 0)
    assert (proof.dealt, proof.due) == (f"first {other}", f"first {mine[1]}")


def test_without_commitment_nothing_is_proved() -> None:
    game = tiny(dealer=None)
    proof = verify_record(dump_record(game), target="plain")
    assert proof.verdict == "no-commitment"
    with pytest.raises(ValueError, match="no dealer"):
        announcement(game)


def test_the_secret_is_told_after_the_game_only_if_so_wished() -> None:
    game = play(tiny(), moves=5)
    hidden = dump_record(game)
    assert game.dealer
    assert game.dealer.secret.hex() not in hidden
    assert verify_record(hidden, target="plain").verdict == "no-secret"
    assert verify_record(dump_record(game, disclose=True), target="plain").follows
    assert verify_record(dump_record(play(game)), target="plain").follows


def test_a_secret_that_does_not_fit_is_named() -> None:
    text = dump_record(play(tiny()))
    other = Dealer.seeded("another").secret.hex()
    forged = reseal(re.sub(r"(?<=secret: )\w+", other, text))
    proof = verify_record(forged, target="plain")
    assert proof.verdict == "wrong-secret"
    assert proof.line == forged.split("\n").index(f"secret: {other}") + 1
    with pytest.raises(ValueError, match="does not fit the commitment"):
        load_record(forged, target="plain")


def test_what_was_announced_binds_edition_table_first_seat_and_secret() -> None:
    game = tiny(first=0)
    said = announcement(game)
    text = dump_record(play(game))
    assert verify_record(text, announced=said, target="plain").fair
    assert verify_record(text, announced=f"\ufeff{text}", target="plain").verdict == "fair"
    swaps = [
        ("first: 1", "first: chance"),
        ("edition: tiny", "edition: usa"),
        ("seat 1: S", "seat 1: X"),
    ]
    for old, new in [*swaps, (str(game.commitment), "0" * 64)]:
        assert old in said
        proof = verify_record(text, announced=said.replace(old, new), target="plain")
        assert proof.verdict == "not-announced"
        assert new.split(": ")[-1] in proof.message
    with pytest.raises(ValueError, match="commitment"):
        verify_record(text, announced="hello", target="plain")


def test_the_ten_lines_of_the_documentation_prove_a_game() -> None:
    blocks = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    code = next(b for b in blocks if "hmac" in b)
    assert len([line for line in code.splitlines() if line.strip()]) <= 12
    game = play(tiny())
    assert game.dealer
    space: dict[str, object] = {}
    exec(code, space)
    drawn = space["draw"]
    assert callable(drawn)
    for index, ways in enumerate([2, 15, 3, 110, 2**63 + 1]):
        assert drawn(game.dealer.secret, index, ways) == game.dealer.draw(index, ways)
