"""The steps from the first release's tables to today's, run when a server starts.

A change to `schema.py` needs a new module in `versions`, whose `down_revision` is the one before.
A released step is never changed. tests/server/test_migrations.py fails while the two differ.
"""
