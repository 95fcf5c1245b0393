"""Training games, in the subset of Python that is compiled."""
