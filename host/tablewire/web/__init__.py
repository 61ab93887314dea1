"""The page and its state document over HTTP. Reads snapshots; never touches the game's objects."""
