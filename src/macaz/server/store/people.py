"""Persons and their tokens, and what the server keeps for itself."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import asdict
from sqlalchemy import Connection, insert, select, update

from macaz.server.store.access import Access
from macaz.server.store.conflict import insert_or
from macaz.server.store.rows import PersonRow, TokenRow
from macaz.server.store.schema import person, setting, token


class People(Access):
    """The part of the store about persons."""

    async def add_person(self, person_id: str, name: str, color: str) -> PersonRow:
        """Remember somebody new."""
        row = PersonRow(person_id, name, color, self._clock())
        await self._change(insert(person).values(asdict(row)))
        return row

    async def person(self, person_id: str) -> PersonRow | None:
        """Somebody, by id."""
        return await self._first(select(person).where(person.c.id == person_id), PersonRow)

    async def change_person(self, person_id: str, name: str, color: str) -> bool:
        """Give somebody another name and colour; False if there is nobody."""
        changed = update(person).where(person.c.id == person_id).values(name=name, color=color)
        return await self._change(changed) == 1

    async def add_token(self, token_id: str, person_id: str, digest: str, label: str) -> TokenRow:
        """Keep the SHA-256 of a new token."""
        row = TokenRow(token_id, person_id, digest, label, self._clock(), None, None)
        await self._change(insert(token).values(asdict(row)))
        return row

    async def token_by_digest(self, digest: str) -> TokenRow | None:
        """A token that is valid, by its SHA-256."""
        query = select(token).where(token.c.digest == digest, token.c.revoked_at.is_(None))
        return await self._first(query, TokenRow)

    async def tokens_of(self, person_id: str) -> list[TokenRow]:
        """The valid tokens of somebody, oldest first."""
        query = (
            select(token)
            .where(token.c.person_id == person_id, token.c.revoked_at.is_(None))
            .order_by(token.c.created_at, token.c.id)
        )
        return await self._all(query, TokenRow)

    async def use_token(self, token_id: str) -> None:
        """Remember that a token was used now."""
        await self._change(
            update(token).where(token.c.id == token_id).values(used_at=self._clock())
        )

    async def revoke_token(self, person_id: str, token_id: str) -> bool:
        """Make a token of somebody invalid; False if they have no such valid token."""
        revoked = (
            update(token)
            .where(
                token.c.id == token_id,
                token.c.person_id == person_id,
                token.c.revoked_at.is_(None),
            )
            .values(revoked_at=self._clock())
        )
        return await self._change(revoked) == 1

    async def setting(self, name: str, make: Callable[[], str]) -> str:
        """A value of the server's own, made when first asked for: the same on all nodes."""
        query = select(setting.c.value).where(setting.c.name == name)

        def create(connection: Connection) -> str:
            connection.execute(
                insert_or(connection, setting)
                .values(name=name, value=make())
                .on_conflict_do_nothing()
            )
            kept: str = connection.execute(query).scalar_one()
            return kept

        found = await self._first(query, str)
        if found is not None:
            return found
        made: str = await self._write(create)
        return made
