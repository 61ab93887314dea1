"""What stands between a person and a game on this computer: looked at, judged, and said. Nothing is changed."""
