"""Cir*Kis: the board, the pieces, the rules, and how its pieces read on the sensors. Pure."""
