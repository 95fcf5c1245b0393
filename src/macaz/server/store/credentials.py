"""Where people are signed in: the sessions of browsers and the tokens of programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import asdict
from sqlalchemy import CompoundSelect, Connection, Select, delete, insert, select, union_all, update

from macaz.server.store.conflict import insert_or
from macaz.server.store.database import Database
from macaz.server.store.rows import PersonRow, SessionRow, TokenRow
from macaz.server.store.schema import person, session, subscription, token

_CHUNK = 500  # ids in one query
_VALID = session.c.ended_at.is_(None)
_VALID_TOKEN = token.c.revoked_at.is_(None)


class Credentials:
    """The sessions of browsers and the tokens of programs: where people are signed in."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_session(
        self, session_id: str, person_id: str, digest: str, label: str
    ) -> SessionRow:
        """Keep the SHA-256 of the cookie of a new session."""
        row = self._new(session_id, person_id, digest, label)
        await self._database.change(insert(session).values(asdict(row)))
        return row

    async def adopt_session(self, session_id: str, person_id: str, digest: str, label: str) -> None:
        """Make a cookie of an older version a session, if the person never had a session.

        Requests that do so at the same time, on any node, make one session.
        """
        row = self._new(session_id, person_id, digest, label)
        known = select(session.c.id).where(session.c.person_id == person_id).limit(1)

        def adopt(connection: Connection) -> None:
            if connection.execute(known).first() is None:
                connection.execute(
                    insert_or(connection, session).values(asdict(row)).on_conflict_do_nothing()
                )

        await self._database.write(adopt)

    async def session_by_digest(self, digest: str) -> tuple[SessionRow, PersonRow] | None:
        """A session that has not ended, and its person, by the SHA-256 of its cookie."""
        query = (
            select(session, person)
            .join(person, person.c.id == session.c.person_id)
            .where(session.c.digest == digest, _VALID)
        )
        width = len(session.c)
        return await self._database.first(
            query, lambda *row: (SessionRow(*row[:width]), PersonRow(*row[width:]))
        )

    async def sessions_of(self, person_id: str) -> list[SessionRow]:
        """The sessions of a person that have not ended, oldest first."""
        query = (
            select(session)
            .where(session.c.person_id == person_id, _VALID)
            .order_by(session.c.created_at, session.c.id)
        )
        return await self._database.all(query, SessionRow)

    async def use_session(self, session_id: str) -> None:
        """Remember that a session was used now."""
        await self._database.change(
            update(session).where(session.c.id == session_id).values(used_at=self._database.clock())
        )

    async def end_session(self, person_id: str, session_id: str) -> bool:
        """End a session; False if the person has no such session, or it has ended already.

        Its browser is told of nothing any more.
        """
        ended = (
            update(session)
            .where(session.c.id == session_id, session.c.person_id == person_id, _VALID)
            .values(ended_at=self._database.clock())
        )
        untold = delete(subscription).where(
            subscription.c.session_id == session_id, subscription.c.person_id == person_id
        )

        def end(connection: Connection) -> bool:
            # First the session, which `Subscriptions.keep` locks: so what that adds is deleted.
            done = connection.execute(ended).rowcount == 1
            connection.execute(untold)
            return done

        done: bool = await self._database.write(end)
        return done

    async def add_token(
        self, token_id: str, person_id: str, digest: str, label: str, *, by: str | None = None
    ) -> TokenRow | None:
        """Keep the SHA-256 of a new token; None if `by`, the credential that asks, has ended."""
        row = TokenRow(token_id, person_id, digest, label, self._database.clock(), None, None)

        def add(connection: Connection) -> bool:
            connection.execute(_lock(person_id))
            if by is not None and connection.execute(_valid([by])).first() is None:
                return False
            connection.execute(insert(token).values(asdict(row)))
            return True

        return row if await self._database.write(add) else None

    async def token_by_digest(self, digest: str) -> TokenRow | None:
        """A token that is valid, by its SHA-256."""
        query = select(token).where(token.c.digest == digest, _VALID_TOKEN)
        return await self._database.first(query, TokenRow)

    async def tokens_of(self, person_id: str) -> list[TokenRow]:
        """The valid tokens of a person, oldest first."""
        query = (
            select(token)
            .where(token.c.person_id == person_id, _VALID_TOKEN)
            .order_by(token.c.created_at, token.c.id)
        )
        return await self._database.all(query, TokenRow)

    async def use_token(self, token_id: str) -> None:
        """Remember that a token was used now."""
        await self._database.change(
            update(token).where(token.c.id == token_id).values(used_at=self._database.clock())
        )

    async def revoke_token(self, person_id: str, token_id: str) -> bool:
        """Make a token of a person invalid; False if the person has no such valid token."""
        revoked = (
            update(token)
            .where(
                token.c.id == token_id,
                token.c.person_id == person_id,
                _VALID_TOKEN,
            )
            .values(revoked_at=self._database.clock())
        )
        return await self._database.change(revoked) == 1

    async def end_all(self, person_id: str, *, keep: str | None = None) -> None:
        """End all sessions and revoke all tokens of a person, except the credential `keep`."""
        now = self._database.clock()
        sessions = update(session).where(session.c.person_id == person_id, _VALID)
        tokens = update(token).where(token.c.person_id == person_id, _VALID_TOKEN)
        untold = delete(subscription).where(subscription.c.person_id == person_id)
        if keep is not None:
            sessions = sessions.where(session.c.id != keep)
            tokens = tokens.where(token.c.id != keep)
            untold = untold.where(subscription.c.session_id != keep)

        def end(connection: Connection) -> None:
            connection.execute(_lock(person_id))
            connection.execute(sessions.values(ended_at=now))
            connection.execute(untold)  # after the sessions, as in `end_session`
            connection.execute(tokens.values(revoked_at=now))

        await self._database.write(end)

    async def valid(self, ids: Iterable[str]) -> set[str]:
        """Those of these sessions and tokens that have not ended."""
        wanted = list(dict.fromkeys(ids))

        def ask(connection: Connection) -> set[str]:
            found: set[str] = set()
            for start in range(0, len(wanted), _CHUNK):
                found.update(connection.scalars(_valid(wanted[start : start + _CHUNK])))
            return found

        return await self._database.read(ask)

    def _new(self, session_id: str, person_id: str, digest: str, label: str) -> SessionRow:
        now = self._database.clock()
        return SessionRow(session_id, person_id, digest, label, now, now, None)


def _valid(ids: list[str]) -> CompoundSelect[Any]:
    """Those of these credentials that have not ended."""
    return union_all(
        select(session.c.id).where(session.c.id.in_(ids), _VALID),
        select(token.c.id).where(token.c.id.in_(ids), _VALID_TOKEN),
    )


def _lock(person_id: str) -> Select[Any]:
    """Lock a person, so that `add_token` waits for `end_all`, on PostgreSQL.

    Otherwise a token asked for by a session just before its end could be missed by that end. SQLite
    has one writer.
    """
    return select(person.c.id).where(person.c.id == person_id).with_for_update()
