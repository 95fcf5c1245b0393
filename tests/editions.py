"""The editions that tests run with.

`MAIN` has every mechanism, and tests of the whole program are repeated for each of them. The other
maps bring no rule of their own: `tests/edition/test_own_maps.py` tests them, in less time.
"""

MAIN = ("europe", "old-west", "tiny", "usa", "usa-classic")
OWN = ("caribbean", "ireland", "romania")
