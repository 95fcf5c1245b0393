"""All SQL of the server, on SQLite or PostgreSQL.

`Store` has the repositories. Nothing here looks into the terms of a game or the entries of its log.
"""
