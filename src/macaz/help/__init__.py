"""Help for human players: planning aids, advice during a game, reviews of finished games."""
