"""Trains networks by self-play: `macaz train`."""
