"""How long a newcomer waits, from an empty home: `macaz bench start`."""
