"""Maps: new ones suggested from a list of cities, and reports on how a map plays."""
