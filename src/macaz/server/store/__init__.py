"""What the tables keep: all SQL of the server, on SQLite or PostgreSQL.

`Store` is the door. Nothing here looks into the terms of a game or the entries of its log.
"""
