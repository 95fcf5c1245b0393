"""Networks that learn by playing against themselves: `macaz train`."""
