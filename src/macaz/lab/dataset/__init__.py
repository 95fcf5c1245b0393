"""Games as Parquet files for learners: a row for each game, a row for each decision."""
