"""Measurements of the table server, beside a bare echo. `macaz bench server` runs them."""
