"""Write the frames and streams of the shared vectors as files, one each, for the fuzzer to begin with.

python3 corpus.py WIRE_JSON FOLDER
"""

import json
import sys
from pathlib import Path


def main(vectors: Path, folder: Path) -> None:
    """One file for each frame and each hard stream."""
    known = json.loads(vectors.read_text(encoding="utf-8"))
    for row in known["messages"]:
        (folder / f"message-{row['name']}").write_bytes(bytes.fromhex(row["frame"]))
    for row in known["streams"]:
        (folder / f"stream-{row['name'].replace(' ', '-')}").write_bytes(bytes.fromhex(row["hex"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
