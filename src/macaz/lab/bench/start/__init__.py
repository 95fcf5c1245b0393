"""Measures a first start, with an empty home and cache: `macaz bench start`."""
