"""Tables over the network: one writer for each game, every action committed before it is told."""
