"""`macaz verify`: check that a recorded game was dealt as committed."""

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
    help="The commitment published before the game, or a file with the announcement.",
)
@click.option(
    "--nonce",
    metavar="HEX",
    help="Check that this nonce of your client is part of the deal: 64 hex digits.",
)
@click.option(
    "--edition",
    metavar="NAME",
    help="The edition of the game, if the one that the record names is not found.",
)
def verify(file: Path, announced: str | None, nonce: str | None, edition: str | None) -> None:
    """Deal a recorded game again from its secret, and check that the cards are the same.

    The exit status is 0 if they are, and 1 if they are not or if it cannot be determined. It
    reports "fair" only with --announced: a record alone does not prove what was committed. It
    never does so for a game played in a browser, which was its own host.
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
    if proof.verdict == "consistent" and announced is None and not proof.in_browser:
        click.echo(f"Compare the commitment with the one you were given: {proof.commitment}")
    sys.exit(0 if proof.follows else 1)
