"""A fast random stream for simulations, the same on every target.

xoshiro128++ on 32-bit words kept in 64-bit integers. Real games draw from `macaz.fair` instead;
the rules themselves hold no generator.
"""

WORD = 0xFFFFFFFF


def mix(x):
    """Scramble 32 bits."""
    x = ((x ^ (x >> 16)) * 0x7FEB352D) & WORD
    x = ((x ^ (x >> 15)) * 0x846CA68B) & WORD
    return x ^ (x >> 16)


def seed_dice(d, seed, game):
    """Start the stream of one game of a seeded series; seed and game are non-negative."""
    x = mix((seed & WORD) ^ 0x9E3779B9)
    y = mix((x + (seed >> 32)) & WORD)
    z = mix((y + (game & WORD)) & WORD)
    z = mix((z + (game >> 32)) & WORD)
    for i in range(4):
        z = (z + 0x9E3779B9) & WORD
        d.word[i] = mix(mix(z ^ x) ^ y)
    d.word[0] |= 1  # the state must not be all zeros


def next_word(d):
    """The next 32 random bits."""
    w0 = d.word[0]
    w1 = d.word[1]
    w2 = d.word[2]
    w3 = d.word[3]
    total = (w0 + w3) & WORD
    result = (((total << 7) | (total >> 25)) + w0) & WORD
    w2 ^= w0
    w3 ^= w1
    d.word[1] = w1 ^ w2
    d.word[0] = w0 ^ w3
    d.word[2] = w2 ^ ((w1 << 9) & WORD)
    d.word[3] = ((w3 << 11) | (w3 >> 21)) & WORD
    return result


def below(d, n):
    """A number from 0 to n - 1, each equally likely (Lemire's method, with its rejection)."""
    product = next_word(d) * n
    if (product & WORD) < n:
        spill = (WORD + 1) % n
        while (product & WORD) < spill:
            product = next_word(d) * n
    return product >> 32
