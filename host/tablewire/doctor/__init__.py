"""What stands between a person and a game on this computer: looked at, judged, said. Nothing is changed."""
