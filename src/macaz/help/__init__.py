"""What people are told: aids for planning, advice in a game, reviews of finished games."""

from macaz.bots import Limit

LIVE = Limit(effort=400)  # to follow a game while it is played
THOROUGH = Limit(effort=400)  # for each decision of a finished one
