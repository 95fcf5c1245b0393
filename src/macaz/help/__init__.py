"""Help for human players: planning aids, advice during a game, reviews of finished games."""

from macaz.bots import Limit

LIVE = Limit(effort=400)  # for advice during a game
THOROUGH = Limit(effort=64)  # tries of each compared move, for each decision of a review
