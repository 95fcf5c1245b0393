"""Nonces that players add to a deal: the derivation, the record and its proof."""

from __future__ import annotations

import hashlib
import json
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from macaz.cli import main
from macaz.game import Game
from macaz.game.fair import NONCE_BYTES, Dealer, Share, deal_key, pledge_of
from macaz.game.record import (
    RecordError,
    announcement,
    dump_record,
    load_record,
    save_record,
    verify_record,
)
from macaz.game.record.text import end_line

HERE = Path(__file__).parents[1]
# The page's own tests read the same file: web/src/game/proof.test.ts.
VECTORS = json.loads((HERE / "golden" / "nonces.json").read_text())
DOCS = HERE.parent / "docs" / "fairness.md"


def nonce(name: object) -> bytes:
    return hashlib.sha256(f"nonce {name}".encode()).digest()


def told(name: object) -> Share:
    return Share(pledge_of(nonce(name)), nonce(name).hex())


def untold(name: object) -> Share:
    return Share(pledge_of(nonce(name)))


def dealer(*shares: Share, name: object = 5) -> Dealer:
    return Dealer(hashlib.sha256(f"secret {name}".encode()).digest(), shares)


def played(*shares: Share, seed: int = 1, name: object = 5) -> Game:
    game = Game("tiny", len(shares), dealer=dealer(*shares, name=name), target="plain")
    rng = random.Random(seed)
    while not game.over:
        game.push(rng.choice(game.legal_moves.actions))
    return game


def reseal(text: str) -> str:
    """A forger would do this: make the last line match."""
    above, _, last = text.rstrip("\n").rpartition("\n")
    turns = int(re.findall(r"\d+", last)[0])
    return f"{above}\n{end_line(turns, above + chr(10))}\n"


def changed(text: str, pattern: str, value: str) -> str:
    found, count = re.subn(pattern, value, text, flags=re.MULTILINE)
    assert count == 1
    return reseal(found)


# -- the derivation --------------------------------------------------------------------------------


def test_pledges_are_those_of_the_vectors() -> None:
    for vector in VECTORS["pledges"]:
        assert pledge_of(bytes.fromhex(vector["nonce"])) == vector["pledge"]


def test_keys_and_draws_are_those_of_the_vectors() -> None:
    for vector in VECTORS["deals"]:
        secret = bytes.fromhex(vector["secret"])
        shares = [Share(**share) for share in vector["shares"]]
        assert deal_key(secret, shares).hex() == vector["key"]
        deals = Dealer(secret, shares)
        assert deals.commitment == vector["commitment"]
        for draw in vector["draws"]:
            assert deals.draw(draw["index"], draw["ways"]) == draw["way"]


def test_the_lines_of_the_documentation_derive_the_same_key() -> None:
    blocks = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    space: dict[str, object] = {}
    exec(next(b for b in blocks if "def deal_key" in b), space)
    by_hand = space["deal_key"]
    assert callable(by_hand)
    shares = [told(1), untold(2), Share()]
    lines = [None if s.pledge is None else s.nonce or "missing" for s in shares]
    assert by_hand(bytes(32), lines) == deal_key(bytes(32), shares)


@given(st.lists(st.sampled_from(["none", "untold", "a", "b"]), min_size=2, max_size=6))
def test_no_two_tables_of_shares_lead_to_one_key(kinds: list[str]) -> None:
    """The deal depends on which seats add a nonce, and on their order."""
    known = {"none": Share(), "untold": untold("a"), "a": told("a"), "b": told("b")}
    shares = [known[kind] for kind in kinds]
    key = deal_key(bytes(32), shares)
    for seat, share in enumerate(shares):
        for other in known.values():
            if other != share:
                assert deal_key(bytes(32), [*shares[:seat], other, *shares[seat + 1 :]]) != key
    assert deal_key(bytes(32), [*shares, Share()]) != key


def test_without_shares_the_secret_alone_decides_as_ever() -> None:
    alone, empty = Dealer(bytes(32)), Dealer(bytes(32), (Share(), Share()))
    assert alone.shares is None
    assert alone.commitment == empty.commitment
    assert [alone.draw(i, 1000) for i in range(9)] != [empty.draw(i, 1000) for i in range(9)]


def test_a_nonce_that_was_not_pledged_deals_nothing() -> None:
    with pytest.raises(ValueError, match="pledged"):
        dealer(Share(pledge_of(nonce(1)), nonce(2).hex()), Share())


# -- the record ------------------------------------------------------------------------------------


def test_a_record_has_pledges_from_the_start_and_nonces_with_the_secret() -> None:
    game = Game("tiny", 3, dealer=dealer(told(1), untold(2), Share()), target="plain")
    before = dump_record(game)
    assert f"pledge 1: {pledge_of(nonce(1))}\n" in before
    assert f"pledge 2: {pledge_of(nonce(2))}\n" in before
    assert "pledge 3: none\n" in before
    assert "nonce" not in before
    assert nonce(1).hex() not in before
    open_ = dump_record(game, disclose=True)
    assert f"nonce 1: {nonce(1).hex()}\nnonce 2: missing\n\n" in open_
    for text in (before, open_):
        assert dump_record(load_record(text, target="plain"), disclose=True) == text
    again = load_record(open_, target="plain")
    assert again.dealer
    assert again.dealer.shares == game.shares


def test_a_game_goes_on_from_its_record_with_the_same_chance() -> None:
    whole = played(told(1), untold(2))
    text = dump_record(
        Game("tiny", 2, dealer=dealer(told(1), untold(2)), target="plain"), disclose=True
    )
    again = load_record(text, target="plain")
    for step in whole.history:
        if step.seat is not None:
            again.push(step.number, step.seat)
    assert dump_record(again) == dump_record(whole)


@pytest.mark.parametrize(
    ("pattern", "value", "problem"),
    [
        (r"^pledge 1: .*\n", "", "and a pledge of the same seat"),
        (r"^pledge 3: .*\n", "", "no line 'pledge 3:'"),
        (r"^pledge 2: .*$", "pledge 2: nothing", "64 digits"),
        (r"^nonce 1: .*\n", "", "no line 'nonce 1:'"),
        (r"^nonce 1: .*$", "nonce 1: 00", "64 digits"),
        (r"^nonce 1: ", "nonce 4: ", "no seat 4 for a nonce"),
        (r"^pledge 2: ", "pledge 4: ", "no seat 4 for a pledge"),
        (r"^pledge 1: .*$", "pledge 1: none", "and a pledge of the same seat"),
        (r"^secret: .*\n", "", "needs the header 'secret'"),
        (r"^nonce 1: .*$", f"nonce 1: {nonce(9).hex()}", "does not fit its pledge"),
    ],
)
def test_a_record_with_wrong_shares_cannot_be_read(pattern: str, value: str, problem: str) -> None:
    text = dump_record(played(told(1), untold(2), Share()))
    with pytest.raises(RecordError, match=problem):
        load_record(changed(text, pattern, value), target="plain")


def test_a_seeded_game_has_no_pledges() -> None:
    text = dump_record(Game("tiny", 2, seed=7, target="plain"))
    with pytest.raises(RecordError, match="a game with a seed has no pledge"):
        load_record(
            changed(text, "^first: chance$", "first: chance\npledge 1: none\npledge 2: none"),
            target="plain",
        )


# -- the proof -------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["none", "untold", "told"]), min_size=2, max_size=3),
    st.integers(0, 2**32),
)
def test_every_game_with_nonces_is_proved(kinds: list[str], name: int) -> None:
    kinds_of = {"none": lambda _: Share(), "untold": untold, "told": told}
    shares = [kinds_of[kind](f"{name} {seat}") for seat, kind in enumerate(kinds)]
    game = played(*shares, seed=name, name=name)
    proof = verify_record(dump_record(game), announced=announcement(game), target="plain")
    assert proof.verdict == "fair"
    assert proof.added == tuple(i for i, kind in enumerate(kinds, 1) if kind == "told")
    assert proof.missing == tuple(i for i, kind in enumerate(kinds, 1) if kind == "untold")
    assert proof.origin is not None
    assert ("Only the host" in proof.origin) == (not proof.added)
    for share in shares:
        if share.nonce is not None:
            text = dump_record(game)
            assert verify_record(text, nonce=share.nonce, target="plain").follows


def test_it_says_who_added_and_who_did_not() -> None:
    text = dump_record(played(told(1), untold(2), told(3)))
    proof = verify_record(text, target="plain")
    assert proof.origin == (
        "Seats 1 and 3 added a nonce to this deal: the host could not choose it. "
        "Seat 2 pledged a nonce and did not publish it in time."
    )
    assert "the nonces fit their pledges" in proof.message


def test_a_host_with_another_secret_is_found() -> None:
    game = played(told(1), Share())
    other = played(told(1), Share(), name="another")
    text = dump_record(other)
    assert verify_record(text, announced=announcement(game), target="plain").verdict == (
        "not-announced"
    )
    commitment = f"commitment: {game.commitment}"
    forged = changed(text, "^commitment: .*$", commitment)
    proof = verify_record(forged, announced=announcement(game), target="plain")
    assert proof.verdict == "wrong-secret"


def test_a_host_that_drops_a_nonce_after_the_deal_is_found() -> None:
    game = played(told(1), told(2))
    text = dump_record(game)
    dropped = changed(text, "^nonce 2: .*$", "nonce 2: missing")
    proof = verify_record(dropped, announced=announcement(game), target="plain")
    assert proof.verdict == "unfair"
    assert "from the secret and the nonces follows" in proof.message


def test_a_host_that_drops_a_nonce_before_the_deal_is_found_by_who_told_it() -> None:
    game = played(told(1), untold(2))
    mine = nonce(2).hex()
    proof = verify_record(
        dump_record(game), announced=announcement(game), nonce=mine, target="plain"
    )
    assert proof.verdict == "not-used"
    assert "pledged for seat 2" in proof.message


def test_a_host_that_replaces_a_pledge_is_found() -> None:
    game, other = played(told(1), told(2)), played(told(1), told(3))
    text = dump_record(other)
    proof = verify_record(text, announced=announcement(game), target="plain")
    assert proof.verdict == "not-announced"
    assert "pledge 2" in proof.message
    proof = verify_record(text, nonce=nonce(2).hex(), target="plain")
    assert proof.verdict == "not-used"
    assert "no seat pledged it" in proof.message


def test_a_host_that_leaves_all_pledges_out_is_found() -> None:
    game = played(told(1), told(2))
    assert game.dealer
    alone = Game("tiny", 2, dealer=Dealer(game.dealer.secret), target="plain")
    while not alone.over:
        alone.push(next(iter(alone.legal_moves)))
    proof = verify_record(dump_record(alone), announced=announcement(game), target="plain")
    assert proof.verdict == "not-announced"
    proof = verify_record(dump_record(game), announced=announcement(alone), target="plain")
    assert proof.verdict == "consistent"
    assert "pledge 1, pledge 2" in proof.message


def test_a_nonce_that_does_not_fit_is_named() -> None:
    game = played(told(1), told(2))
    text = changed(dump_record(game), "^nonce 2: .*$", f"nonce 2: {nonce(3).hex()}")
    proof = verify_record(text, announced=announcement(game), target="plain")
    assert proof.verdict == "wrong-nonce"
    assert proof.line
    assert text.splitlines()[proof.line - 1].startswith("nonce 2:")
    assert not proof.follows
    assert proof.origin is None


def test_old_records_are_proved_as_ever() -> None:
    text = (HERE / "golden" / "tiny-2-finished.macaz").read_text(encoding="utf-8")
    game = load_record(text, target="plain")
    assert game.shares is None
    assert dump_record(game) == text


def run(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, [str(word) for word in words])
    return result.exit_code, result.output


def test_the_command_takes_a_nonce(tmp_path: Path) -> None:
    path = tmp_path / "game.macaz"
    save_record(path, played(told(1), Share()))
    status, output = run("verify", path, "--nonce", nonce(1).hex().upper())
    assert status == 0
    assert "Seat 1 added a nonce" in output
    assert "The nonce that you kept is in this deal." in output
    status, output = run("verify", path, "--nonce", nonce(2).hex())
    assert status == 1
    assert "not in this deal" in output
    status, output = run("verify", path, "--nonce", "12")
    assert status == 2
    assert "64 hex digits" in output
    assert NONCE_BYTES == 32


def test_the_command_says_that_only_the_host_added(tmp_path: Path) -> None:
    path = tmp_path / "game.macaz"
    save_record(path, played(Share(), Share()))
    status, output = run("verify", path)
    assert status == 0
    assert "Only the host added to this deal" in output
