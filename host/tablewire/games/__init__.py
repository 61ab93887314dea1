"""The games: a base contract, and one folder per game. Pure."""
