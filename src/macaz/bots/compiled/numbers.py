"""Arithmetic without a mathematics library, which no two machines compute alike."""


def power(x, n):
    """x to the power of a small whole number, as a product."""
    result = 1.0
    for _ in range(n):
        result *= x
    return result
