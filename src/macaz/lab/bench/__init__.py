"""Measurements of Macaz, and of other engines beside it. `macaz bench` runs them."""
