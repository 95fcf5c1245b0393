"""Statistics of how bots play, from the records of tournaments: `python tools/behaviour --help`."""

from __future__ import annotations

import argparse
import sys

import annotate
import blocking
import forecasts
import pool
import show
from macaz.errors import MacazError

COMMANDS = {
    "figures": show,
    "annotate": annotate,
    "blocking": blocking,
    "forecasts": forecasts,
    "pool": pool,
}


def main() -> None:
    """Run a command; an error that the user can correct is printed without a traceback."""
    parser = argparse.ArgumentParser(
        prog="behaviour", description=(__doc__ or "").partition(":")[0]
    )
    parsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        about = (module.__doc__ or "").strip()
        command = parsers.add_parser(
            name,
            help=about.partition("\n")[0],
            description=about,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    args = parser.parse_args()
    try:
        args.run(args)
    except MacazError as error:
        sys.exit(f"behaviour: {error}")


if __name__ == "__main__":
    main()
