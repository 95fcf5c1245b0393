"""The laboratory: simulations, environments, datasets, tournaments, training, benchmarks."""
