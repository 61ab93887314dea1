"""The virtual board: real bytes from simulated sensors, with named faults, and computer players."""
