"""What people are told: aids for planning, advice in a game, reviews of finished games."""
