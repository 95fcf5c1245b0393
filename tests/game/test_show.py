"""Games and views for people: text and pictures, which show no more than a seat may see."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.game.test_values import EDITIONS, played

from macaz import Game, View, load_edition, sample_world
from macaz.edition import Edition, edition_text, read_edition
from macaz.edition.picture import SEAT_COLORS
from macaz.edition.plate import Plate, stored_plate
from macaz.game.moves import Claim, Move

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["Ana", "Bogdan <b>"]


def shapes(svg: str | None, fill: str) -> int:
    """How many shapes of a picture have a colour."""
    assert svg is not None
    return sum(shape.get("fill") == fill for shape in ElementTree.fromstring(svg).iter())


def texts(svg: str) -> str:
    return "\n".join(text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_pictures_show_every_train_and_token(edition) -> None:
    game = played(edition, 150, names=NAMES)
    for shown in (game, game.view(0), game.view(None)):
        svg = shown._repr_svg_()
        view = game.view(None)
        for seat in range(game.seats):
            trains = sum(game.edition.board.routes[r].length for r in view.routes_of(seat))
            legend = 1  # the token before the name
            count = trains + len(view.marks_of(seat)) + legend
            assert shapes(svg, SEAT_COLORS[seat]) == count


def test_a_picture_marks_the_last_move() -> None:
    game = Game("tiny", 2, seed=1, names=NAMES)
    claims: list[Move] = []
    while not claims:
        assert 'stroke="#ffd400"' not in game._repr_svg_()
        claims = [move for move in game.legal_moves if isinstance(move, Claim)]
        game.push(claims[0] if claims else game.legal_moves[0])
    assert game._repr_svg_().count('stroke="#ffd400"') == 1
    assert "claimed" in str(game).splitlines()[-1]


def test_a_view_shows_its_tickets_and_its_hand() -> None:
    game = played("europe", 30)
    view = game.view(0)
    svg = view._repr_svg_()
    assert svg.count("<line ") == len(view.tickets) + len(view.offer) > 0
    for name in (game.notation.ticket_name(ticket) for ticket in view.tickets):
        assert name in " ".join(texts(svg).split("\n"))
        assert name in str(view)
        assert name not in str(game)
    assert "Hand: " in str(view)
    assert "Hand: " not in str(game)
    assert "<line " not in game._repr_svg_()


@pytest.mark.parametrize("seat", [None, 0])
@pytest.mark.parametrize("moves", [0, 1, 30])
def test_hidden_state_changes_no_text_and_no_picture(seat, moves) -> None:
    game = played("europe", moves)
    view = game.view(seat)
    world = sample_world(view, np.random.default_rng(8))
    assert world.tobytes() != game.state.tobytes()
    other = View.of(view.spec, world, seat)
    assert (str(other), other._repr_svg_()) == (str(view), view._repr_svg_())
    if seat is None:
        one, two = (Game.from_state("europe", 2, state) for state in (game.state, world))
        assert (str(one), one._repr_svg_()) == (str(two), two._repr_svg_())


def test_the_last_move_is_told_as_a_spectator_saw_it() -> None:
    game = Game("tiny", 2, seed=7, names=NAMES)
    for seat in (0, 1):
        game.push(game.legal_moves_of(seat)[0], seat)
        assert str(game).endswith(f"{NAMES[seat]} kept 1 ticket. {NAMES[seat]} gave back 1 ticket.")
    drawer = game.names[game.turn or 0]
    game.push("blind")
    assert str(game).endswith(f"{drawer} drew a card from the deck.")
    assert f"{drawer} drew a card from the deck." in " ".join(texts(game._repr_svg_()).split("\n"))


def test_the_end_shows_the_totals() -> None:
    game = played("tiny", 400)
    assert game.outcome is not None
    first, *seats = str(game).splitlines()
    assert first == "Tiny: the game is over"
    for line, total in zip(seats, game.outcome.totals, strict=False):
        assert f"points {total}, " in line


def test_an_edition_shows_its_board() -> None:
    edition = load_edition("europe")
    svg = edition._repr_svg_()
    assert svg is not None
    assert all(city.label in texts(svg) for city in edition.board.cities)
    assert read_edition(edition_text(edition))._repr_svg_() is None  # it has no stored plate


def test_a_custom_map_is_drawn_once(monkeypatch) -> None:
    drawn: list[Edition] = []

    def draw(edition: Edition) -> Plate:
        drawn.append(edition)
        plate = stored_plate(load_edition("tiny"))
        assert plate is not None
        return plate

    monkeypatch.setattr("macaz.draw.plates.draw", draw)
    edition = read_edition(edition_text(load_edition("tiny")), source="own.toml")
    game = Game(edition, 2, seed=1)
    assert game._repr_svg_() == game.copy()._repr_svg_()
    assert drawn == [edition]
    moved = replace(edition, plate=None)  # equal, but another drawing
    Game(moved, 2, seed=1)._repr_svg_()
    assert len(drawn) == 2


def test_a_game_that_waits_for_chance_can_be_shown() -> None:
    game = Game("old-west", 2, dealer=None)
    assert str(game).startswith("Old West: chance to act (deal-first)")
    assert shapes(game._repr_svg_(), SEAT_COLORS[0]) == 1
