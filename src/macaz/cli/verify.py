"""`macaz verify`: whether the cards of a recorded game were dealt as committed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--announced",
    metavar="TEXT",
    help="What was published before the game: the commitment, or a file with the announcement.",
)
@click.option(
    "--nonce",
    metavar="HEX",
    help="A nonce that your own client added to the deal: 64 hex digits. It must have been used.",
)
@click.option(
    "--edition",
    metavar="NAME",
    help="The edition of the game, where it is not found as the record names it.",
)
def verify(file: Path, announced: str | None, nonce: str | None, edition: str | None) -> None:
    """Draw every card of a recorded game again, and say whether they were dealt as committed.

    The status is 0 if all of them follow from the secret, and 1 if not or if that cannot be
    known. "Fair" it says only with --announced: a file alone cannot tell what was promised.
    """
    from macaz.game.record import RecordError, folders_of, verify_record

    if announced is not None and not re.fullmatch(r"[0-9a-fA-F]{64}", announced):
        if not Path(announced).is_file():
            raise click.BadParameter(f"{announced!r} is neither 64 hex digits nor a file")
        announced = Path(announced).read_text(encoding="utf-8", errors="replace")
    if nonce is not None and not re.fullmatch(r"[0-9a-fA-F]{64}", nonce):
        raise click.BadParameter(f"{nonce!r} is not 64 hex digits")
    try:
        proof = verify_record(
            file.read_bytes(),
            announced=announced,
            nonce=nonce and nonce.lower(),
            edition=edition,
            folders=folders_of(file),
        )
    except RecordError as error:
        click.echo(f"{file}: {error}")
        sys.exit(1)
    except ValueError as error:  # the announcement has no commitment
        raise click.ClickException(f"{error}.") from None
    click.echo(f"{file}: {proof.message}")
    if proof.origin is not None:
        click.echo(proof.origin)
    if nonce is not None and proof.follows:
        click.echo("The nonce that you kept is in this deal.")
    if proof.verdict == "consistent" and announced is None:
        click.echo(f"Compare the commitment with the one you were given: {proof.commitment}")
    sys.exit(0 if proof.follows else 1)
