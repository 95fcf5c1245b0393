"""Records: writing and reading are exact inverses, and every damage is reported."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import pickle
import random
import re
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.editions import MAIN
from tests.golden.make import FOLDER, Case, cases, make
from tests.golden.make import play as varied

from macaz.cli import main
from macaz.edition import load_edition
from macaz.edition.board import City
from macaz.game import Game
from macaz.game.fair import Dealer
from macaz.game.record import (
    RecordError,
    announcement,
    dump_record,
    load_record,
    open_record,
    save_record,
    verify_record,
)
from macaz.game.record.text import end_line

DOCS = Path(__file__).parents[2] / "docs" / "records.md"
ODD = ["", " ", "a: b", "x\ny", 'say "hi"', '"', "back\\slash", "👩‍🚀", "; end", "Ana (seat 1)"]
ODD += ["\u202eright", "é", "e\u0301", "\0", "[red]", "12 34", "# no", "x" * 5_000, "\u2028", "a,b"]


def game_of(edition: str = "tiny", seats: int = 2, moves: int = 10_000, **settings: object) -> Game:
    """A game with a secret, the same in every run; `seeded=True` makes it a seed."""
    seed = settings.pop("seed", 3)
    how: dict[str, object] = {"dealer": Dealer(hashlib.sha256(f"{seed}".encode()).digest())}
    if settings.pop("seeded", False):
        how = {"seed": seed}
    new = Game(edition, seats, target="plain", **how, **settings)  # type: ignore[arg-type]
    return varied(new, random.Random(str(seed)), moves)


def load(text: str | bytes, **settings: object) -> Game:
    return load_record(text, target="plain", **settings)  # type: ignore[arg-type]


def reseal(text: str) -> str:
    above, _, last = text.rstrip("\n").rpartition("\n")
    turns = int(re.findall(r"\d+", last)[0])
    return f"{above}\n{end_line(turns, above + chr(10))}\n"


def refused(text: str | bytes, **settings: object) -> RecordError:
    with pytest.raises(RecordError) as caught:
        load(text, **settings)
    error = caught.value
    assert isinstance(error.line, int)
    size = text.count("\n") if isinstance(text, str) else text.count(b"\n")
    assert 1 <= error.line <= size + 1
    assert str(error).startswith(f"line {error.line}: ")
    return error


# -- writing and reading ---------------------------------------------------------------------------

PLACES = [(e, s) for e in ("tiny", "usa", "europe", "old-west+alvin") for s in (2, 3)]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    place=st.sampled_from(PLACES),
    seed=st.integers(0, 2**32),
    moves=st.one_of(st.integers(0, 30), st.just(10_000)),
    names=st.lists(st.one_of(st.sampled_from(ODD), st.text()), min_size=3, max_size=3),
    first=st.sampled_from([None, 0, 1]),
    date=st.one_of(st.none(), st.dates(), st.datetimes()),
    disclose=st.booleans(),
    seeded=st.booleans(),
)
def test_any_game_goes_there_and_back(
    place: tuple[str, int],
    seed: int,
    moves: int,
    names: list[str],
    first: int | None,
    date: datetime.date | None,
    disclose: bool,
    seeded: bool,
) -> None:
    edition, seats = place
    game = game_of(
        edition, seats, moves, seed=seed, seeded=seeded, names=names[:seats], first=first
    )
    text = dump_record(game, date, disclose)
    again = load(text)
    assert again.history == game.history
    assert again.state.tobytes() == game.state.tobytes()
    assert again.names == game.names
    assert again.first_fixed == first
    assert again.commitment == game.commitment
    assert dump_record(again, disclose=disclose) == text
    assert dump_record(load(text.encode()), disclose=disclose) == text
    copied = dump_record(game.copy(), date)
    assert dump_record(load(copied)) == copied


def test_a_loaded_game_goes_on_as_it_would_have() -> None:
    game = game_of("europe", 3, 40)
    again = load(dump_record(game, disclose=True))
    for _ in range(10):
        assert again.pop() == game.pop()
    for one in (game, again):
        varied(one, random.Random(8))
    assert dump_record(again) == dump_record(game)


@pytest.mark.parametrize("seeded", [True, False])
def test_a_game_saved_before_chance_has_acted_goes_on(seeded: bool) -> None:
    for moves in range(6):
        whole = game_of("usa", 2, moves + 1, seeded=seeded)
        stopped = game_of("usa", 2, moves, seeded=seeded)
        dealer, stopped.dealer = stopped.dealer, None
        decision = next(s for s in reversed(whole.history) if s.seat is not None)
        stopped.push(decision.number)  # and nothing is dealt
        stopped.dealer = dealer
        again = load(dump_record(stopped, disclose=True))
        assert again.deciding
        assert again.history == whole.history
        assert dump_record(varied(again, random.Random(1))) == dump_record(
            varied(whole, random.Random(1))
        )


def test_a_game_from_a_position_has_no_record() -> None:
    game = game_of("tiny", 2, 5)
    later = Game.from_state("tiny", 2, game.state, target="plain")
    with pytest.raises(RecordError, match=r"began with a position; use position.dump_position"):
        dump_record(later)
    with pytest.raises(RecordError, match="began with a position"):
        dump_record(later.copy())


def test_the_secret_of_a_game_that_goes_on_is_kept(tmp_path: Path) -> None:
    game = game_of("tiny", 2, 5)
    assert game.dealer
    secret = game.dealer.secret.hex()
    save_record(tmp_path / "game.macaz", game)
    for text in (dump_record(game), (tmp_path / "game.macaz").read_text("utf-8")):
        assert secret not in text
        assert f"commitment: {game.commitment}" in text
        again = load(text)
        assert (again.dealer, again.commitment) == (None, game.commitment)
    assert secret in dump_record(game, disclose=True)
    assert secret in dump_record(varied(game, random.Random(1)), disclose=False)


def test_a_game_of_chance_by_hand_may_stop_anywhere() -> None:
    game = Game("tiny", 2, dealer=None, target="plain")
    for _ in range(14):
        text = dump_record(game)
        again = load(text)
        assert again.history == game.history
        assert dump_record(again) == text
        if game.chance_pending:
            game.push_chance(game.engine.chance_outcome(game.state, 0))
        else:
            game.push(game.legal_moves.actions[0])


@pytest.mark.parametrize("name", ODD)
def test_odd_names_keep_to_their_line(name: str) -> None:
    game = game_of(names=[name, name])
    text = dump_record(game)
    assert len(text.splitlines()) == text.count("\n")
    assert load(text).names == (name, name)


def test_half_a_character_is_no_name() -> None:
    with pytest.raises(RecordError, match="seat 2 is not text"):
        dump_record(game_of(names=["Ana", "\ud800"]))


def test_dates() -> None:
    game = game_of(moves=3)
    assert "\ndate: 2025-03-09\n" in dump_record(game, datetime.date(2025, 3, 9))
    text = dump_record(game, "2025-03-09T20:15:00+02:00")
    assert load(text).date == "2025-03-09T20:15:00+02:00"
    for bad in ("yesterday", "2025-13-01", "2025-03-09\n10:00", " 2025-03-09"):
        with pytest.raises(RecordError, match=r"not a date|month"):
            dump_record(game, bad)


@pytest.mark.parametrize("settings", [{}, {"seeded": True}, {"moves": 12}])
def test_a_game_played_in_a_browser_says_so(settings: dict[str, object]) -> None:
    game = game_of(**settings)  # type: ignore[arg-type]
    plain = dump_record(game, date="2025-03-09", disclose=True)
    game.in_browser = True
    text = dump_record(game, date="2025-03-09", disclose=True)
    mark = "date: 2025-03-09\nplayed: in a browser\n"
    assert text == reseal(plain.replace("date: 2025-03-09\n", mark))
    loaded = load(text)
    assert loaded.in_browser
    assert loaded.copy().in_browser
    assert dump_record(loaded, disclose=True) == text
    assert not load(plain).in_browser
    if "seeded" not in settings:
        assert "played" not in announcement(game)


def test_results_name_the_tie_break() -> None:
    game = game_of()
    outcome = game.outcome
    assert outcome
    text = dump_record(game)
    assert f"Seat 1 {outcome.totals[0]}, Seat 2 {outcome.totals[1]}; winner" in text
    fake = dataclasses.replace(outcome, winners=(0,), tie_break="tickets")
    game.__class__ = type("Fake", (Game,), {"outcome": fake})
    assert "; winner Seat 1 by tickets\n" in dump_record(game)
    fake = dataclasses.replace(outcome, winners=(0, 1), tie_break="shared")
    game.__class__ = type("Fake", (Game,), {"outcome": fake})
    assert "; shared by Seat 1 and Seat 2\n" in dump_record(game)


# -- files -----------------------------------------------------------------------------------------


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "game.macaz"
    game = game_of()
    path.write_text("something else")
    save_record(path, game, "2025-03-09")
    assert path.read_bytes().decode() == dump_record(game, "2025-03-09")
    assert open_record(path, target="plain").history == game.history
    assert [p.name for p in tmp_path.iterdir()] == ["game.macaz"]


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.macaz"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError("no space")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        save_record(path, game_of(moves=2))
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("game.macaz", "old")]


def test_many_may_save_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "game.macaz"
    games = [game_of(seed=seed) for seed in range(4)]
    texts = {dump_record(game) for game in games}
    failed: list[Exception] = []

    def save(game: Game) -> None:
        try:
            for _ in range(20):
                save_record(path, game)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=save, args=[game]) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert path.read_bytes().decode() in texts
    assert [p.name for p in tmp_path.iterdir()] == ["game.macaz"]


def test_a_file_that_is_for_few_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "game.macaz"
    path.write_text("old")
    path.chmod(0o600)
    save_record(path, game_of(moves=2))
    assert path.stat().st_mode & 0o777 == 0o600


def test_windows_line_ends_and_a_byte_order_mark_are_let_pass() -> None:
    text = dump_record(game_of())
    for variant in (text.replace("\n", "\r\n"), "\ufeff" + text):
        assert dump_record(load(variant)) == text
        assert dump_record(load(variant.encode())) == text
    assert "CR LF" in refused(text.replace("\n", "\r\n", 3)).problem


# -- custom maps -----------------------------------------------------------------------------------


@pytest.fixture
def islands(tmp_path: Path) -> Path:
    text = (DOCS.parent / "editions.md").read_text(encoding="utf-8")
    found = re.search(r'```toml title="islands.toml"\n(.*?)```', text, re.DOTALL)
    assert found
    path = tmp_path / "my maps+old" / "islands.toml"
    path.parent.mkdir()
    path.write_text(found[1].replace("Village", "Village (upper)"), encoding="utf-8")
    return path


def test_a_map_of_ones_own_is_named_without_its_folder(islands: Path, tmp_path: Path) -> None:
    game = game_of(f"{islands}+rich")
    text = dump_record(game)
    assert f"\nedition: {game.edition.qualified_id}\n" in text
    assert "\nfile: islands.toml\n" in text
    assert str(islands.parent) not in text
    assert str(islands.parent) not in announcement(game)
    error = refused(text)
    assert "'islands.toml', which was not found" in error.problem
    assert error.line == text.split("\n").index("file: islands.toml") + 1
    assert dump_record(load(text, folders=[tmp_path, islands.parent])) == text
    moved = islands.rename(tmp_path / "elsewhere.toml")
    assert load(text, edition=f"{moved}+rich").history == game.history
    assert load(text, edition=load_edition(moved, ["rich"])).history == game.history
    error = refused(text, edition=str(moved))
    assert "fingerprint" in error.problem
    assert error.line == 3


def test_a_map_is_found_beside_its_record_or_here(
    islands: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(f"{islands}+rich")
    beside, far = islands.with_name("game.macaz"), tmp_path / "game.macaz"
    save_record(beside, game)
    save_record(far, game)
    assert open_record(beside, target="plain").history == game.history
    with pytest.raises(RecordError, match="not found"):
        open_record(far, target="plain")
    for command in (["replay"], ["verify"], ["position", "export"]):
        assert run(*command, beside)[0] == 0
        status, output = run(*command, far)
        assert (status != 0, "islands.toml" in output) == (True, True)
        assert run(*command, far, "--edition", f"{islands}+rich")[0] == 0
    monkeypatch.chdir(islands.parent)
    assert open_record(far, target="plain").history == game.history


def test_a_record_opens_no_file_it_names(islands: Path, tmp_path: Path) -> None:
    game = game_of(f"{islands}+rich")
    text = dump_record(game)
    private = tmp_path / "private.toml"
    private.write_text('password = "hunter2"\n', encoding="utf-8")
    for name in (str(private), "../private.toml", "my maps+old/islands.toml", "..", "C:x.toml"):
        forged = reseal(text.replace("file: islands.toml", f"file: {name}"))
        error = refused(forged, folders=[tmp_path, islands.parent])
        assert "without a folder" in error.problem
    forged = reseal(text.replace("file: islands.toml", "file: private.toml"))
    error = refused(forged, folders=[tmp_path])
    assert "not found" in error.problem
    for name in (str(private), "./private.toml", "private.toml", f"{islands}+rich"):
        forged = reseal(re.sub("edition: .*\nfingerprint: (.*)\n", f"edition: {name}\n", text))
        error = refused(forged.replace("\nfile: islands.toml", ""), folders=[tmp_path])
        assert "there is no edition" in error.problem
        assert "hunter2" not in str(error)
        assert "password" not in str(error)
    # A file of that name with another map is skipped.
    (tmp_path / "islands.toml").write_text('password = "hunter2"\n', encoding="utf-8")
    error = refused(text, folders=[tmp_path])
    assert "hunter2" not in str(error)
    assert load(text, folders=[tmp_path, islands.parent]).history == game.history


def test_a_city_with_a_semicolon_is_refused() -> None:
    edition = load_edition("tiny")
    cities = (City("a; b", 0, 0), *edition.board.cities[1:])
    board = dataclasses.replace(edition.board, cities=cities)
    with pytest.raises(RecordError, match="semicolon"):
        dump_record(Game(dataclasses.replace(edition, board=board), target="plain"))


# -- damage ----------------------------------------------------------------------------------------

TEXT = dump_record(game_of("tiny", 2, names=["Ana", "Bog: dan"]), "2025-03-09")
WEST = dump_record(game_of("old-west+alvin", 3, 60), "2025-03-09")


@pytest.mark.parametrize("text", [TEXT, WEST], ids=["tiny", "west"])
def test_a_record_cut_off_anywhere_is_refused(text: str) -> None:
    data = text.encode()
    for size in range(0, len(data), 1 if len(data) < 3_000 else 37):
        refused(data[:size])


@pytest.mark.parametrize("text", [TEXT, WEST], ids=["tiny", "west"])
def test_a_lost_doubled_or_swapped_line_is_refused(text: str) -> None:
    lines = text.split("\n")[:-1]
    for i in range(len(lines)):
        refused("\n".join([*lines[:i], *lines[i + 1 :], ""]))
        refused("\n".join([*lines[:i], lines[i], *lines[i:], ""]))
        if i:
            refused("\n".join([*lines[: i - 1], lines[i], lines[i - 1], *lines[i + 1 :], ""]))


@settings(max_examples=400, deadline=None)
@given(st.sampled_from([TEXT, TEXT, WEST]), st.data())
def test_an_altered_character_is_refused(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text) - 1))
    new = data.draw(st.one_of(st.characters(), st.sampled_from('0123456789abcdef ;:"\n')))
    changed = text[:at] + new + text[at + 1 :]
    if changed == text:
        return
    error = refused(changed)
    # Usually the line itself is named; errors that only the seal detects are reported for the last.
    line = text[:at].count("\n") + 1
    assert error.line is not None
    assert line <= error.line + 1


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_an_altered_byte_is_refused(data: st.DataObject) -> None:
    raw = bytearray(TEXT.encode())
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    refused(bytes(raw))


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(), st.binary(), st.text().map(lambda t: f"macaz record 1\n{t}\n")))
def test_any_other_text_is_refused(text: str | bytes) -> None:
    refused(text)
    refused(text, sealed=False)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_an_edited_record_is_read_or_refused_with_a_line(data: st.DataObject) -> None:
    lines = TEXT.split("\n")
    i = data.draw(st.integers(0, len(lines) - 1))
    lines[i] = data.draw(st.one_of(st.text(), st.sampled_from(lines)))
    try:
        load("\n".join(lines), sealed=False)
    except RecordError as error:
        assert error.line is not None  # noqa: PT017


def swap(old: str, new: str, text: str = TEXT) -> str:
    assert re.search(old, text), old
    return reseal(re.sub(old, new, text, count=1))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (swap("macaz record 1", "macaz record 2"), 1, "another format"),
        (swap("macaz record 1", "hello"), 1, "not a record"),
        (swap("edition: tiny", "edition: tinny"), 2, "Did you mean 'tiny'"),
        (swap("edition: tiny", "edition: tiny+fog"), 2, "no options"),
        (swap("edition: tiny", 'edition: "tiny'), 2, "JSON"),
        (swap(r"fingerprint: \w+", "fingerprint: 0"), 3, "map or its rules differ"),
        (swap("seats: 2", "seats: 7"), 4, "1 to 6"),
        (swap("seats: 2", "seats: 6"), 12, "'seat 3:'"),
        (swap("seats: 2", "seats: 1"), 6, "no seat 2"),
        (swap("seat 1: Ana", "seat 1: Ann"), 14, "expected 'cards Ann: …'"),
        (swap("seat 1: Ana", r'seat 1: "An\\u0061"'), 5, "expected 'seat 1: Ana'"),
        (swap("first: chance", "first: 3"), 7, "1 to 2"),
        (swap("date: 2025-03-09", "date: soon"), 8, "not a date"),
        (swap("date: 2025-03-09", "played: at home"), 8, "expected 'in a browser'"),
        (swap("date: ", "played: in a browser\ndate: "), 8, "expected 'date: 2025-03-09'"),
        (swap("date", "data"), 8, "did you mean 'date'"),
        (swap("date: 2025-03-09", "first: 1"), 8, "already, on line 7"),
        (swap("commitment: ..", "commitment: x"), 9, "64 digits"),
        (swap("result: .*", "result: unfinished"), 10, "expected 'result: Ana"),
        (swap("secret: ..", "secret: 00"), 11, "does not fit the commitment"),
        (swap("\n\n", "\nwhat is this\n\n"), 12, "not a header"),
        (swap("begin: first .", "begin: first 7"), 13, "is not possible"),
        (swap("begin: first .", "begin: deal red"), 13, "as in 'first 2'"),
        (swap("row: deal [a-z]+", "row: deal pink"), 16, "as in 'deal"),
        (swap("row: deal [a-z]+", "row: deal purple"), 16, "is not possible"),
        (swap("deal ticket [^;]*", "deal ticket Oz–Ur 3"), 17, "no ticket 'Oz"),
        (swap("\n1 ", "\n2 "), 21, "expected '1 "),
        (TEXT + "more\n", TEXT.count("\n") + 1, "follows the last line"),
        (TEXT + "\n", TEXT.count("\n") + 1, "follows the last line"),
        (re.sub("after [0-9]+", "after 99", TEXT), TEXT.count("\n"), "should have 99 turns"),
        (re.sub("turns: ....", "turns: 0000", TEXT), TEXT.count("\n"), "seal"),
        (swap("2025-03-09", "2025-03-08").replace("-08", "-07"), TEXT.count("\n"), "seal"),
        (TEXT[:-18] + "\n", TEXT.count("\n"), "16 digits"),
        ("", 1, "empty"),
        (TEXT.replace("Ana", "A\tna", 1), 5, "U+0009"),
    ],
)
def test_damage_is_named(text: str, line: int, words: str) -> None:
    error = refused(text)
    assert (error.line, words in error.problem) == (line, True), str(error)


def test_what_is_against_the_rules_is_named() -> None:
    lines = TEXT.split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("1 "))
    head = lines[first].partition(": ")[0] if "Ana" in lines[first] else '1 "Bog: dan"'
    for move, words in [
        ("claim Oz–Ur red 1", "no route 'Oz"),
        ("fly", "not a move"),
        ("pass", "'pass'"),
        ("deal red", "not a move"),
        ("", "not a move"),
    ]:
        text = "\n".join([*lines[:first], f"{head}: {move}", *lines[first + 1 :]])
        error = refused(text)
        assert (error.line, words in error.problem) == (first + 1, True), str(error)
    joined = "\n".join([*lines[:first], f"{lines[first]}; pass", *lines[first + 1 :]])
    assert "new line" in refused(joined).problem
    cut = lines[first].rpartition(";")[0] or lines[first]
    if cut != lines[first]:
        error = refused("\n".join([*lines[:first], cut, *lines[first + 1 :]]))
        assert "not finished" in error.problem
    over = "\n".join([*lines[:-2], lines[-3], *lines[-2:]])
    assert "game was over" in refused(over).problem


def test_not_utf8_names_its_line() -> None:
    data = TEXT.encode().replace(b"Ana", b"An\xff", 1)
    assert refused(data).line == 5


def test_an_error_travels_between_processes() -> None:
    error = refused("hello")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line) == (str(error), error.line)


# -- records written by hand -----------------------------------------------------------------------


def test_a_game_may_be_edited_by_hand() -> None:
    lines = TEXT.split("\n")
    body = lines.index("") + 1
    turns = [i for i, line in enumerate(lines) if re.match(r"\d+ ", line)]
    cut = lines[: turns[3]]  # no end, another result, numbers in any form
    cut[turns[2]] = re.sub(r"^\d+", "77", cut[turns[2]])
    text = "\n".join(cut)
    refused(text + "\n")
    game = load(text, sealed=False)
    assert not game.over
    assert "\n3 " in dump_record(game)
    assert verify_record(dump_record(game, disclose=True), target="plain").follows
    assert body < turns[0]
    # Cities in either order, in any case, as people write them.
    name = re.search(r"claim ([^–]+)–(\S+?) (red|blue|green|loco) ", TEXT)
    if name:
        text = TEXT.replace(name[0], f"claim {name[2]}–{name[1]} {name[3]} ", 1)
        assert load(text, sealed=False).history == load(TEXT).history
        refused(text)


# -- golden records --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", list(cases()), ids=lambda c: c.path.stem)
def test_golden(case: Case) -> None:
    text = case.path.read_bytes().decode()
    game = load(text)
    assert dump_record(game) == text
    assert game.over == (case.what == "finished")
    assert verify_record(text, target="plain").verdict == "seeded"
    assert make(case) == text, "the rules have changed: python -m tests.golden.make, and review"


def test_every_edition_and_option_has_golden_records() -> None:
    found = {path.stem for path in FOLDER.glob("*.macaz")}
    for name in MAIN:
        for option in ("", *(f"+{o.name}" for o in load_edition(name).available_options)):
            assert any(stem.rsplit("-", 2)[0] == name + option for stem in found), name + option
    assert found == {case.path.stem for case in cases()}


def test_the_example_of_the_documentation_is_a_record() -> None:
    blocks = re.findall(r"```text\n(macaz record 1\n.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert blocks
    for text in blocks:
        assert dump_record(load(text)) == text
        assert verify_record(text, target="plain").follows


# -- the command line ------------------------------------------------------------------------------


def run(*args: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(main, [str(a) for a in args])
    return result.exit_code, result.output


def test_verify_command(tmp_path: Path) -> None:
    game = game_of()
    path, said = tmp_path / "game.macaz", tmp_path / "said.txt"
    save_record(path, game)
    said.write_text(announcement(game), encoding="utf-8")
    status, output = run("verify", path)
    assert status == 0
    assert "Consistent" in output
    assert "The file alone does not prove" in output
    assert str(game.commitment) in output
    status, output = run("verify", path, "--announced", str(game.commitment))
    assert (status, "not all announced" in output, "Fair" in output) == (0, True, False)
    status, output = run("verify", path, "--announced", said)
    assert (status, "Fair" in output) == (0, True)
    status, output = run("verify", path, "--announced", "0" * 64)
    assert (status, "Announced was" in output) == (1, True)
    assert run("verify", path, "--announced", "nonsense")[0] == 2
    game.in_browser = True
    save_record(path, game)
    status, output = run("verify", path)
    assert (status, "Consistent" in output, "played in a browser" in output) == (0, True, True)
    assert "you were given" not in output
    path.write_text(TEXT[:-30], encoding="utf-8")
    status, output = run("verify", path)
    assert (status, f"line {TEXT.count(chr(10))}" in output) == (1, True)
    assert run("verify", tmp_path / "none.macaz")[0] == 2


def test_replay_command(tmp_path: Path) -> None:
    path = tmp_path / "game.macaz"
    game = game_of("europe", 2, names=["Ana", "[red]\x1b"])
    save_record(path, game)
    status, output = run("replay", path)
    assert status == 0
    assert "\x1b" not in output
    assert "[red]" in output
    assert "Ana got a card" in output
    mine = run("replay", path, "--seat", "1", "--all")[1]
    assert "Ana got a card" not in mine
    assert run("replay", path, "--open", "--turn", "5")[1].lstrip().startswith("5")
    assert run("replay", path, "--turn", "9999")[0] == 2
    assert run("replay", path, "--seat", "3")[0] == 2
    assert "browser" not in output
    game.in_browser = True
    save_record(path, game)
    assert "Played or begun in a browser, without a server." in run("replay", path)[1]
    path.write_text("hello\n", encoding="utf-8")
    status, output = run("replay", path)
    assert (status, "line 1: not a record" in output) == (2, True)


def test_replay_has_the_columns_of_the_phases() -> None:
    from macaz.cli.replay import Film

    def headings(edition: object) -> list[object]:
        game = Game(edition, 2, seed=1, target="plain")  # type: ignore[arg-type]
        return [column.header for column in Film(game, None, False).table(0).columns]

    assert "stations" in headings("europe")
    assert "markers" in headings("old-west")
    edition = load_edition("tiny")  # it has no such phases, even with these numbers
    rules = dataclasses.replace(edition.rules, stations=2, markers=2)
    found = headings(dataclasses.replace(edition, rules=rules))
    assert "stations" not in found
    assert "markers" not in found


def test_replay_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from rich.console import Console

    from macaz.cli import replay

    game = game_of("old-west+alvin", 3, 60)
    game.in_browser = True
    film = replay.Film(game, None, True)
    shown = Console(file=io.StringIO(), record=True)
    shown.print(film.screen(0))
    assert "played in a browser" in shown.export_text()
    for i in range(0, len(film.frames), 5):
        Console(file=io.StringIO()).print(film.screen(i))
    seen: list[int] = []

    def screen(i: int) -> str:
        seen.append(i)
        return ""

    monkeypatch.setattr(film, "screen", screen)
    keys = iter(["b", "\r", " ", "\x1b[C", "\x1b[D", "g", "g", "x", "q"])
    monkeypatch.setattr("click.getchar", lambda: next(keys))
    console = Console(file=io.StringIO())
    answers = iter(["3", "x"])
    monkeypatch.setattr(console, "input", lambda _: next(answers))
    replay.watch(console, film, 0)
    third = film.at_turn(3)
    assert seen == [0, 0, 1, 2, 3, 2, third, third, third]
