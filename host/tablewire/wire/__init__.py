"""Bytes <-> frames <-> messages, and the rules of one session with a board. Pure: no I/O, no clock."""
