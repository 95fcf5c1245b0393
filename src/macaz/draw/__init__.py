"""Drawing boards: the positions of cities, tracks and labels, and the coasts below them.

`layout` computes the positions, `outlines` distorts the coasts to match, `check` verifies that
nothing overlaps. The result is a `Plate`: numbers and SVG paths for a page to draw.
"""
