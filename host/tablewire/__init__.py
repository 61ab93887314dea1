"""tablewire: a companion for physical game tables."""

__version__ = "0.1.0"
