"""The rules, once: small functions over flat records, in the Python that Numba compiles."""
