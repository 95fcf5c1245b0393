"""The games that a network learns from, in the subset of Python that is compiled."""
