"""Which card to draw."""

from macaz.kernel.layout import A_BLIND, A_TAKE, CARDS, COLORS, LOCO, TURN

WISH = 10.0  # points of a wish that make a card count twice


def draw_card(spec, y, s, m):
    """The card to take, or the deck: by how much each colour is wanted; -1 if there is none."""
    most = 0.0
    for c in range(CARDS):
        most = max(most, m.want[c])
    wild = y.wild + y.eager * (most + m.want[LOCO]) / WISH
    best = -1
    best_worth = -1.0
    for c in range(COLORS):
        worth = 1.0 + y.eager * m.want[c] / WISH
        if s.row[c] > 0 and worth > best_worth:
            best_worth = worth
            best = spec.base[A_TAKE] + c
    if s.deck_size > 0:
        total = 0.0
        cards = 0
        for c in range(COLORS):
            cards += s.pool[c]
            total += s.pool[c] * (1.0 + y.eager * m.want[c] / WISH)
        cards += s.pool[LOCO]
        total += s.pool[LOCO] * wild
        worth = y.hidden + 1.0
        if cards > 0:
            worth = y.hidden + total / cards
        if worth >= best_worth:
            best_worth = worth
            best = spec.base[A_BLIND] + 0
    if s.phase == TURN and s.row[LOCO] > 0:
        # A locomotive from the row is a whole turn: as good as two other cards?
        if best < 0 or wild > 2.0 * best_worth:
            best = spec.base[A_TAKE] + LOCO
    return best
