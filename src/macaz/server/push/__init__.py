"""Web Push: notices for browsers whose page is closed, through push services."""
