"""The twin: the compiled firmware on a simulated chip, for tests and for trying things without a board.

The chip itself is a program of its own (firmware/twin, GPL-3 because of libsimavr) that this package speaks
to through pipes.
"""
