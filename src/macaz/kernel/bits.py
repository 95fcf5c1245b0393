"""Bit sets in a 64-bit word, of which the kernel uses the low 60 bits.

These two are the only functions with a second form: `compile` replaces them by the machine's
own instructions when it builds for the CPU or the GPU.
"""


def popcount(x):
    """How many bits are set."""
    return x.bit_count()


def lowest(x):
    """The number of the lowest bit that is set; x is not 0."""
    return (x & -x).bit_length() - 1
