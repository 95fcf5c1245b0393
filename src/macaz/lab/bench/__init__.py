"""Benchmarks of Macaz, and of other engines for comparison: `macaz bench`."""
