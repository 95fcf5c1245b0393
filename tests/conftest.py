"""What all tests share."""

import os

from hypothesis import settings

# Tables on a terminal of another width would wrap elsewhere.
os.environ.pop("COLUMNS", None)
os.environ.pop("LINES", None)

# The first example may compile the kernel. `thorough` is for a long night:
# HYPOTHESIS_PROFILE=thorough make test
settings.register_profile("quick", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
