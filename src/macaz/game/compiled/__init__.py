"""What of positions is compiled with the kernel, in its manner of writing.

A position that is written by hand is a draft: `complete` adds what follows from the rest, and
`check` lists what is impossible in it. Python and the page call the same functions.
"""
