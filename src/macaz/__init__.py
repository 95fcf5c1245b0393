"""Macaz plays the Ticket to Ride family of railway games."""
