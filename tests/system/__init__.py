"""Tests of the whole table: a virtual board, a real pseudo-terminal, pyserial, SQLite and the core."""
