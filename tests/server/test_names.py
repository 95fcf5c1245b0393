"""Names that look alike are not allowed at one table."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.harness import Client
from tests.server.test_tables import close, link, people, tell

from macaz.server.names import alike, can_be_seen, check_name
from macaz.server.people import one_line
from macaz.server.refusal import Refusal

SAME = [
    ("Ana", "Ana"),
    ("Ana", "ANA"),
    ("Ana", "Аna"),  # Cyrillic А
    ("Ana", "Anа"),  # Cyrillic а
    ("Ana", "Αna"),  # Greek Alpha
    ("Ana", "Ａｎａ"),  # full width
    ("Ana", "𝐀𝐧𝐚"),  # mathematical
    ("Ana", "Ⓐⓝⓐ"),
    ("Ana", "Ánă"),
    ("Ana", "A\u0301\u0302na"),
    ("Ana", "An\ufe0fa"),  # a variation selector
    ("Ana", "An\u034fa"),  # a combining grapheme joiner
    ("Ana", "A na"),
    ("Ștefan", "Stefan"),
    ("Ion", "lon"),  # l for I
    ("Ion", "1on"),
    ("ION", "I0N"),
    ("Olga", "0lga"),
    ("Olga", "Οlga"),  # Greek Omicron
    ("Олег", "Oлeг"),  # Latin O and e
    ("Bill", "BiII"),
    ("Mara", "Мara"),  # Cyrillic М
    ("Emma", "ЕММА"),  # all Cyrillic
    ("Tom", "ΤΟΜ"),  # all Greek
    ("Emma", "Ernma"),
    ("Søren", "Soren"),
    ("Łukasz", "Lukasz"),
    ("Đorđe", "Dorde"),
    ("Işık", "Isik"),
    ("Weiß", "WEISS"),
    ("Νίκος", "ΝΙΚΟΣ"),
    ("Æsa", "aesa"),
    ("Greedy", "Grееdy"),
]
OTHER = [
    ("Ana", "Ina"),
    ("Ana", "Ana 2"),
    ("Ana", "Anna"),
    ("Ali", "All"),
    ("Emil", "Emi"),
    ("Random 1", "Random 2"),
    ("Иван", "Ivan"),  # another script, but not similar enough to be confused
    ("李", "王"),
    ("🦊", "🦉"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_these_look_the_same(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_these_do_not(one: str, other: str) -> None:
    assert not alike(one, other)
    assert not alike(other, one)


@given(st.text(min_size=1, max_size=24), st.text(min_size=1, max_size=24))
def test_any_two_names_can_be_compared(one: str, other: str) -> None:
    assert alike(one, one)
    assert alike(one, other) == alike(other, one)
    assert alike(one, unicodedata.normalize("NFD", one))


@given(st.text(min_size=1, max_size=24))
def test_every_name_has_ink(text: str) -> None:
    try:
        name = one_line(text)
    except Refusal as refusal:
        assert refusal.code == "bad-value"  # noqa: PT017
    else:
        assert can_be_seen(name)
        assert one_line(name) == name


def test_the_refusal_says_which_name_it_looks_like() -> None:
    with pytest.raises(Refusal, match="“Ana” is at this table already") as refused:
        check_name("Аnа", [None, "Ion", "Ana"])
    assert (refused.value.code, refused.value.name) == ("name-taken", "Ana")


async def taken(client: Client, path: str, body: object) -> str:
    """The existing name that is too similar."""
    answer = await client.ask("POST", path, body)
    told = answer.json()
    assert (answer.status_code, told["code"]) == (409, "name-taken"), answer.text
    assert told["name"] in told["message"]
    return str(told["name"])


def test_a_name_that_looks_like_anothers_is_changed_at_the_table(tmp_path):
    async def story(address: str) -> None:
        ana, false = await people(address, "Ana", "Аnа")
        table = await ana.table("me", "person", "greedy", edition="usa", listed=True)
        assert await taken(false, f"/tables/{table}/sit", {}) == "Ana"
        assert await taken(false, f"/tables/{table}/sit", {"name": "GREEDY"}) == "Greedy"
        info = await ana.get(f"/tables/{table}")
        assert (info["seats"][1]["name"], info["status"]) == (None, "waiting")
        assert await false.post(f"/tables/{table}/sit", {"name": "Ina"})
        info = await ana.get(f"/tables/{table}")
        assert (info["seats"][1]["name"], info["status"]) == ("Ina", "running")
        # The person's own name is unchanged, and a new name elsewhere changes nothing here.
        await ana.ask("PUT", "/me", {"name": "Ina", "color": "blue"})
        info = await ana.get(f"/tables/{table}")
        assert [s["name"] for s in info["seats"]] == ["Ana", "Ina", "Greedy"]
        await close(ana, false)

    tell(tmp_path, story)


@pytest.mark.parametrize("kind", ["join", "seat"])
def test_a_link_refuses_a_name_and_is_not_used_up(tmp_path, kind):
    async def story(address: str) -> None:
        ana, false = await people(address, "Ana", "ANA")
        table = await ana.table("me", "person")
        secret = await link(ana, table, kind, 1 if kind == "seat" else None)
        assert await taken(false, "/links/open", {"token": secret}) == "Ana"
        opened = await false.post("/links/open", {"token": secret, "name": "Ina"})
        assert opened == {"table": table, "seat": 1}
        await close(ana, false)

    tell(tmp_path, story)


def test_no_table_is_made_with_names_that_look_alike(tmp_path):
    async def story(address: str) -> None:
        [ana] = await people(address, "Greedy")
        seats = [{"kind": "person"}, {"kind": "person"}, {"kind": "bot", "bot": "greedy"}]
        wish = {"edition": "usa", "seats": seats}
        assert await taken(ana, "/tables", wish) == "Greedy"
        assert await taken(ana, "/tables", wish | {"mine": ["Ion", "1on"]}) == "Ion"
        assert (await ana.get("/me/tables"))["tables"] == []
        await ana.post("/tables", wish | {"mine": ["Ion", "Ana"]})
        await close(ana)

    tell(tmp_path, story)


def test_a_seat_that_moves_to_another_device_keeps_its_name(tmp_path):
    async def story(address: str) -> None:
        ana, phone = await people(address, "Ana", "Random")
        table = await ana.table("me", "random")
        secret = await link(ana, table, "seat", 0)
        await phone.post("/links/open", {"token": secret})
        info = await phone.get(f"/tables/{table}")
        assert info["seats"][0]["name"] == "Ana"
        await close(ana, phone)

    tell(tmp_path, story)
