"""What is put into the system beside the program: the udev rule and the service, as files.

Owns where these files are and what they are called there. Must not know who puts them there.
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent

UDEV_RULE = _FOLDER / "70-tablewire.rules"
"""What udev does when a board is plugged in."""
SERVICE = _FOLDER / "tablewire.service"
"""The table as a service of systemd."""
