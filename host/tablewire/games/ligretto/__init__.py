"""Ligretto: forty cards a deck, no turns, and piles in the middle that everybody plays on."""
