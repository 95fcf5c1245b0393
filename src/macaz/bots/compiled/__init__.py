"""Players in the subset of Python that Numba compiles, on top of the kernel's own functions.

They read a state record, but only what the deciding seat may know of it: its own row of `hand`
and its own tickets, of other hands the sum, and whatever is public. So they decide the same on a
whole state, in a playout, as on what a view tells.
"""
