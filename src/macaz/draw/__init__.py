"""How a board is drawn: where cities, tracks and labels go, and the land below them.

`layout` decides where everything lies, `outlines` bends the coasts along with it, `check` proves
that nothing covers anything else. What comes out is a `Plate`: plain numbers and paths in units of
the drawing, y pointing down, for whoever draws it.
"""
