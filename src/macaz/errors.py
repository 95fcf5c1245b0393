"""What every error of Macaz is."""


class MacazError(ValueError):
    """Something Macaz was given is wrong; the message says what, and what to do."""
