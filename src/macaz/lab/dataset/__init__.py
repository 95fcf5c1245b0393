"""Writes games as Parquet files for machine learning: one row per game, one per decision."""
