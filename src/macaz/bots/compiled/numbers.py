"""Arithmetic without a mathematics library, which no two machines compute alike."""

LOG2_E = 1.4426950408889634
LN2_HIGH = 0.6931471803691238  # ln 2 to 32 bits: its product with a small integer is exact
LN2_LOW = 1.9082149292705877e-10  # the rest of it
TERMS = 14  # of the series: the next one is below the precision of a double
SMALLEST = -700.0  # from here on e to the power of x is taken for 0


def power(x, n):
    """x to the power of a small whole number, as a product."""
    result = 1.0
    for _ in range(n):
        result *= x
    return result


def exp(x):
    """The number e to the power of x, for x up to 700."""
    if x < SMALLEST:
        return 0.0
    half = 0.5
    if x < 0.0:
        half = -0.5
    n = int(x * LOG2_E + half)
    rest = (x - n * LN2_HIGH) - n * LN2_LOW  # at most ln 2 / 2
    found = 1.0
    for i in range(TERMS):
        found = 1.0 + found * rest / (TERMS - i)
    scale = power(2.0, abs(n))
    if n < 0:
        return found / scale
    return found * scale
