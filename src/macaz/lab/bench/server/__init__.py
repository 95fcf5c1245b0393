"""Benchmarks of the table server, with an echo server for comparison: `macaz bench server`."""
