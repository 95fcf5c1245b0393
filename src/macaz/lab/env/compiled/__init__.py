"""What of the environments is compiled with the kernel, in its manner of writing."""
