"""What a builder needs at the bench: calibrate, look, check the wiring, flash."""
