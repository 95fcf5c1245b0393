"""Makes puzzles: positions of bots' games in which one move is clearly the best.

`make.py` runs it, on all cores, in a folder that a later run goes on with (`store.py`). A job is
one game (`find.py`): bots play it, its positions are compared a little, the promising ones more,
and what is left is confirmed with other seeds and more tries. Then bots try to solve it
(`solvers.py`). Of all that was found, `choose.py` takes as many as are wanted, of all kinds.
"""
