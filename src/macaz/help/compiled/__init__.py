"""The analysis behind all help with moves, in the subset of Python that Numba compiles.

It compares moves by *tries*: games from a world that fits a view, played to their end by style.
Like the players it uses only what the deciding seat may know.
"""
