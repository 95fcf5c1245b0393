"""Bots against bots: the same deals with the seats rotated, ratings, a report."""

PATIENCE = 60.0  # seconds that a decision may take, unless the settings say otherwise
