"""Environments for learners: the observation, many games at once, and what others' tools expect."""
