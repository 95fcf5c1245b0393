"""`Game`: what it accepts, rejects and records."""

import copy
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from macaz import Dealer, Game, IllegalMove, InvalidMove, MacazError
from macaz.game.events import game_events
from macaz.game.fair import Share, pledge_of
from macaz.game.moves import Choose, Claim, Keep, Mark, Station
from macaz.game.record import dump_record
from macaz.game.worlds import sample_world


def choosing() -> Game:
    return Game("tiny", 2, seed=3, first=0, target="plain")


def test_a_seat_makes_its_own_moves_only() -> None:
    game = choosing()
    other = next(iter(game.legal_moves_of(1)))
    for move in (other, game.parse(other)):
        with pytest.raises(IllegalMove):
            game.push(move, seat=0)
    with pytest.raises(ValueError, match="no seat 5"):
        game.push(other, seat=5)
    with pytest.raises(ValueError, match="no seat 5"):
        game.legal_moves_of(5)
    game.push(other, seat=1)
    assert game.deciding == (0,)
    with pytest.raises(IllegalMove):
        game.push(other, seat=1)


def test_a_choice_in_words_is_the_named_seats() -> None:
    game = choosing()
    words = game.text(next(iter(game.legal_moves_of(1))))
    game.push(words, seat=1)
    assert game.deciding == (0,)


def test_a_refusal_reveals_no_tickets() -> None:
    game = choosing()
    names = {game.notation.ticket_name(t) for t in range(len(game.edition.board.tickets))}
    for action in range(game.spec.actions):
        if not game.engine.is_legal(game.state, action):
            with pytest.raises(IllegalMove) as refused:
                game.push(action)
            assert not any(name in str(refused.value) for name in names)


@pytest.mark.parametrize(
    "move",
    [
        *(None, 3.0, ["x"], "", "claim", "take ²", "claim Brașov–Sinaia red ²", "²" * 5000),
        *("claim Brașov–Sinaia red " + "9" * 5000, "pay loco " + "9" * 5000, -1, 10**30),
        *(Claim(9999, 0, 0), Keep((999,)), Choose(9, (0,))),
        *(Station(99, 0, 0), Mark(0, 0, 3)),
    ],
    ids=lambda move: repr(move)[:30],
)
def test_nonsense_is_an_invalid_move_and_changes_nothing(move: object) -> None:
    game = choosing()
    before = game.state.tobytes()
    with pytest.raises(InvalidMove):
        game.push(move)  # type: ignore[arg-type]
    assert game.state.tobytes() == before
    assert move not in game.legal_moves


def test_numbers_of_numpy_are_numbers() -> None:
    game = choosing()
    action = np.int64(game.legal_moves_of(0).actions[0])
    assert action in game.legal_moves
    assert game.push(action) == int(action)


def test_stations_of_another_colour_are_not_what_too_many_locomotives_mean() -> None:
    game = Game("europe", 2, seed=1, target="plain")
    with pytest.raises(InvalidMove):
        game.parse(Station(0, 0, 3))


def test_pop_takes_back_a_decision_and_its_chance() -> None:
    game = choosing()
    count, before = game.chance_count, game.state.tobytes()
    moves = [game.push(game.legal_moves.actions[0]) for _ in range(6)]
    after = game.state.tobytes()
    for _ in moves:
        game.pop()
    assert (game.chance_count, game.state.tobytes()) == (count, before)
    for move in moves:
        game.push(move)
    assert game.state.tobytes() == after
    game = choosing()
    with pytest.raises(IndexError):
        game.pop()


def everything(game: Game) -> dict[str, object]:
    """All observable properties of a game."""
    own = {name: value for name, value in vars(game).items() if name != "state"}
    views = [bytes(game.view(seat)) for seat in (None, *range(game.seats))]
    legal = [game.legal_moves_of(seat).actions for seat in range(game.seats)]
    asked = (game.seats, game.turn, game.deciding, game.over, game.chance_pending, repr(game))
    return {
        **own,
        "state": game.state.tobytes(),
        "history": tuple(game.history),
        "events": list(game_events(game)),
        "views": views,
        "legal": legal,
        "asked": asked,
        "outcome": game.outcome,
        "standing": game.standing(),
        "record": dump_record(game, game.date or "2026-01-02", disclose=True),
    }


def played(moves: int) -> Game:
    shares = (Share(pledge_of(b"n" * 32), (b"n" * 32).hex()), Share())
    dealer = Dealer(b"s" * 32, shares)
    game = Game("tiny", 2, dealer=dealer, first=1, names=("Ana", "Ion"), target="plain")
    game.date = "2026-01-02"
    while not game.over and moves:
        game.push(game.legal_moves.actions[-1])
        moves -= 1
    return game


@pytest.mark.parametrize("moves", [0, 1, 9, 1000])
def test_a_copy_has_everything(moves: int) -> None:
    game = played(moves)
    for other in (game.copy(), game.copy().copy(), copy.copy(game)):
        assert everything(other) == everything(game)
    # The copies continue in the same way.
    other = game.copy()
    for _ in range(10):
        for one in (game, other):
            if not one.over:
                one.push(one.legal_moves.actions[0])
        assert everything(other) == everything(game)


def test_a_copy_goes_its_own_way() -> None:
    for changed, kept in (("copy", "game"), ("game", "copy")):
        game = played(9)
        pair = {"game": game, "copy": game.copy()}
        before = everything(pair[kept])
        one = pair[changed]
        one.push(one.legal_moves.actions[0])
        one.pop()
        one.pop()
        one.state["hand"][0, 0] = 9
        one.history.clear()
        one.names, one.date = ("Eva", "Dan"), None
        one.resume(None)
        assert everything(pair[kept]) == before


def test_a_copy_without_the_dealer_foresees_nothing() -> None:
    game = played(2)
    trial = game.copy(dealer=False)
    assert (trial.dealer, trial.commitment, trial.shares) == (None, None, None)
    assert trial.history == game.history
    assert trial.chance_count == game.chance_count
    trial.push("blind")
    assert trial.chance_pending
    trial.pop()
    assert trial.state.tobytes() == game.state.tobytes()


def test_a_copy_sets_no_game_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game = played(9)

    def refuse(*_: object) -> None:
        raise AssertionError("a copy is cheap")

    monkeypatch.setattr(type(game.engine), "new_state", refuse)
    monkeypatch.setattr(type(game.engine), "actor", refuse)
    monkeypatch.setattr("macaz.game.compile_spec", refuse)
    game.copy()
    game.copy(dealer=False)


def test_a_world_becomes_a_game() -> None:
    game = choosing()
    world = sample_world(game.view(0), np.random.default_rng(1))
    study = Game.from_state("tiny", 2, world, dealer=Dealer.seeded(4), target="plain")
    assert study.view(0) == game.view(0)
    assert not study.from_start
    while not study.over:
        study.push(study.legal_moves.actions[0])
    assert study.outcome


def test_an_interrupted_push_is_finished_by_the_next() -> None:
    game = choosing()
    for _ in range(2):
        game.push(game.legal_moves.actions[0])
    action = game.parse("blind")
    game._apply(action, 0)  # as if Ctrl-C came before the card was dealt
    assert game.chance_pending
    game.push("blind")
    assert not game.chance_pending


def test_what_contradicts_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="not both"):
        Game("tiny", 2, seed=1, dealer=None)
    with pytest.raises(ValueError, match="dealer"):
        Game("tiny", 2, dealer="secrte")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="2 to 3 players"):
        Game("tiny", 4)
    with pytest.raises(ValueError, match="no seat 2"):
        Game("tiny", 2, first=2)
    with pytest.raises(ValueError, match="names"):
        Game("tiny", 2, names=["Ana"])


def test_every_error_is_of_one_family() -> None:
    with pytest.raises(MacazError):
        Game("nowhere", 2)
    with pytest.raises(MacazError):
        choosing().push("jump")


def test_engines_serve_many_threads() -> None:
    games = [Game("usa-classic", 2, seed=seed) for seed in range(4)]
    engine = games[0].engine
    for game in games:
        for _ in range(30):
            game.push(game.legal_moves.actions[-1])
    right = [engine.legal(game.state, game.deciding[0]) for game in games]
    start = threading.Barrier(4)

    def ask(i: int) -> bool:
        start.wait()
        seat = games[i].deciding[0]
        return all(engine.legal(games[i].state, seat) == right[i] for _ in range(3000))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(4)))


def test_a_game_shows_where_it_is() -> None:
    assert repr(choosing()) == "<Game tiny, 2 seats, choose, Seat 1 to decide>"
    assert "before" not in repr(choosing().history[0])
