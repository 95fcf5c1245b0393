"""`python -m macaz` is `macaz`."""

from macaz.cli import main

if __name__ == "__main__":
    main()
