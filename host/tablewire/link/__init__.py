"""Bytes in, bytes out: the ports a board can hang on. I/O only."""
