"""Running a network without NumPy, from weights of one byte.

A layer adds up rows of weights, each times its input; most inputs are 0, and their rows are left
out. A row has one factor, which its weights are multiplied with. Sums are of single precision and
in a fixed order, so the result is the same on every processor.
"""

from math import sqrt

from macaz.bots.compiled.layout import INTENTS, PAID_WITH, WISHES
from macaz.bots.compiled.numbers import exp

EPSILON = 1e-5  # of the normalisation, against division by zero
LARGEST = 30.0  # logit of a win, at most

# What a network forecasts: numbers of a row.
WORTH = 0
WIN = 1
FORECASTS = 2


def add_rows(weights, first, layers, n, sums):
    """Add the picked rows of weights to the sums, from row `first` on, each times its amount."""
    k = 0
    while k + 4 <= n:
        # Four rows at once, so that the sums are read and written a fourth as often.
        row0 = weights[first + layers.picked[k]]
        row1 = weights[first + layers.picked[k + 1]]
        row2 = weights[first + layers.picked[k + 2]]
        row3 = weights[first + layers.picked[k + 3]]
        a0 = layers.amounts[k]
        a1 = layers.amounts[k + 1]
        a2 = layers.amounts[k + 2]
        a3 = layers.amounts[k + 3]
        for j in range(len(sums)):
            sums[j] += (a0 * row0[j] + a1 * row1[j]) + (a2 * row2[j] + a3 * row3[j])
        k += 4
    while k < n:
        row = weights[first + layers.picked[k]]
        a = layers.amounts[k]
        for j in range(len(sums)):
            sums[j] += a * row[j]
        k += 1


def pick_inputs(network, words, layers):
    """Pick the rows of the inputs that are not 0; `words` has them, eight bytes in each."""
    n = 0
    for i in range(len(network.columns)):
        column = network.columns[i] + 0
        x = (words[column >> 3] >> (8 * (column & 7))) & 255
        if x != 0:
            if x > 127:
                x -= 256
            layers.picked[n] = i
            layers.amounts[n] = network.factors[i] * x
            n += 1
    return n


def pick_units(values, factors, first, scale, layers):
    """Pick the rows of the units that are not 0, scaled."""
    n = 0
    for j in range(len(values)):
        if values[j] != 0.0:
            layers.picked[n] = j
            layers.amounts[n] = values[j] * scale * factors[first + j]
            n += 1
    return n


def norm(values):
    """One over the root mean square."""
    total = 0.0
    for j in range(len(values)):
        total += values[j] * values[j]
    return 1.0 / sqrt(total / len(values) + EPSILON)


def rectify(values):
    """Negative values become 0."""
    for j in range(len(values)):
        if values[j] < 0.0:
            values[j] = 0.0


def add_biases(biases, values):
    """Add biases to values."""
    for j in range(len(values)):
        values[j] += biases[j]


def infer(network, questions, layers, i):
    """Run a network on row i: write its wishes, and what it says of the ending."""
    hidden = layers.units[0]
    inner = layers.units[1]
    for j in range(len(hidden)):
        hidden[j] = network.biases[0, j]
    n = pick_inputs(network, questions.row_words[i], layers)
    add_rows(network.weights, 0, layers, n, hidden)
    rectify(hidden)
    first = len(network.columns)
    layer = 1
    while layer < len(network.biases):
        for j in range(len(inner)):
            inner[j] = network.biases[layer, j]
        n = pick_units(hidden, network.factors, first, norm(hidden), layers)
        add_rows(network.weights, first, layers, n, inner)
        rectify(inner)
        first += len(hidden)
        n = pick_units(inner, network.factors, first, 1.0, layers)
        add_biases(network.biases[layer + 1], hidden)
        add_rows(network.weights, first, layers, n, hidden)
        first += len(hidden)
        layer += 2
    speak(network, questions, layers, hidden, first, i)


def speak(network, questions, layers, hidden, first, i):
    """Write the outputs of the last hidden units, for row i."""
    scale = norm(hidden)
    wishes = questions.wishes[i]
    for j in range(WISHES):
        wishes[j] = network.speak_biases[j]
    n = pick_units(hidden, network.factors, first, scale, layers)
    add_rows(network.speak, 0, layers, n, wishes)
    asked = questions.rows[i]
    for j in range(INTENTS):
        wishes[j] += network.trust[0] * asked.hint[j]
    for j in range(PAID_WITH):
        wishes[INTENTS + j] += network.trust[1] * asked.hint_color[j]
    for k in range(FORECASTS):
        total = 0.0
        for j in range(len(hidden)):
            total += hidden[j] * network.forecasts[k, j]
        layers.values[i, k] = total * scale + network.speak_biases[WISHES + k]
    logit = max(-LARGEST, min(layers.values[i, WIN], LARGEST))
    layers.values[i, WIN] = 1.0 / (1.0 + exp(-logit))
