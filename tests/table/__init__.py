"""Tests of the table: sensors at moments in, moves and messages out."""
