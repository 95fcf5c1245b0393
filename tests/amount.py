"""How many random games are played; fewer where plain Python is traced, to measure coverage."""

import os

USUAL = 100
GAMES = int(os.environ.get("MACAZ_TEST_GAMES", USUAL))  # of each table; more for a long check
SPARSE = GAMES < USUAL
