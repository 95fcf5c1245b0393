"""Bots against bots: the same deals with the seats rotated, ratings, a report."""
