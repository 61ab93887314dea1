"""The documents say what is so: commands, options, files, threads, examples and the protocol's frame.

What a reader may type or open is taken out of the text and tried, so that a renamed option or file makes a
test fail here and not at a reader's.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from tests.wire.reference import frame_bytes

from tablewire.cli import cli
from tablewire.games.cirkis.colours import PlayerColour
from tablewire.games.cirkis.options import Options, Rulebook
from tablewire.games.cirkis.pieces import default_piece_set
from tablewire.games.cirkis.tiling import board_json
from tablewire.games.cirkis.wiring import DEFAULT_MAGNETS, peg_sensor, sensor_of
from tablewire.games.ligretto.record import Rules
from tablewire.options import DEFAULT_LISTEN
from tablewire.virtual.commands import parse_command
from tablewire.virtual.tag_commands import tag_language
from tablewire.wire.frame import Decoder, Frame
from tablewire.wire.messages import PAYLOAD_MAX

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
PROTOCOL = (ROOT / "firmware/protocol/README.md").read_text("utf-8")
HARDWARE = (ROOT / "hardware/README.md").read_text("utf-8")
DOCUMENTS = (
    "README.md",
    "CHANGELOG.md",
    "firmware/README.md",
    "firmware/protocol/README.md",
    "firmware/twin/README.md",
    "hardware/README.md",
    "hardware/READERS.md",
    "host/tablewire/games/ligretto/README.md",
    "host/tablewire/packaging/README.md",
    "host/tablewire/web/README.md",
)

FOLDERS = (
    "",
    "host/tablewire",
    "host/tablewire/games/cirkis",
    "host/tablewire/games/ligretto",
    "firmware/protocol",
    "firmware/src",
)
"""Where a file that a document names is looked for, besides its own folder: walks through the code shorten
paths to these."""


def code_blocks(text: str) -> list[str]:
    """What stands between fences."""
    return re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S)


def code_spans(text: str) -> list[str]:
    """What stands between single backticks, outside code blocks."""
    return re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))


def section(text: str, heading: str) -> str:
    """From a heading to the next of any level."""
    return re.split(r"^#+ ", text.split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.M)[0]


def table_column(text: str, index: int) -> list[str]:
    """A column of the one table in `text`, without its head."""
    rows = [line.strip("|").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return [row[index].strip() for row in rows[2:]]


def options_of(command: str) -> set[str]:
    """Every option that a command of the program takes, or one of the commands below it."""
    found = cli.commands[command]
    below = list(found.commands.values()) if isinstance(found, click.Group) else []
    params = [param for one in (found, *below) for param in one.params]
    return {word for option in params if isinstance(option, click.Option) for word in option.opts}


def words_to_type() -> Iterator[tuple[str, ...]]:
    """Every `tablewire ...` of the documents, as words."""
    for name in DOCUMENTS:
        text = (ROOT / name).read_text("utf-8")
        lines = [line for block in code_blocks(text) for line in block.splitlines()]
        for typed in (*code_spans(text), *(line.removeprefix("$ ") for line in lines)):
            if typed.startswith("tablewire "):
                yield tuple(typed.split()[1:])


def test_the_table_of_commands_names_every_command_and_no_other() -> None:
    named = re.findall(r"^\| `tablewire (\w+)", section(README, "Commands"), re.M)
    assert sorted(named) == sorted(cli.commands)


def test_every_command_in_the_documents_exists_and_takes_the_options_shown_with_it() -> None:
    typed = set(words_to_type())
    assert len(typed) > 5
    for command, *words in typed:
        shown = {word.strip("[]") for word in words if word.strip("[").startswith("--")}
        assert command in cli.commands
        assert shown <= options_of(command)


def test_every_option_in_the_readme_belongs_to_some_command() -> None:
    every = {"--help"}.union(*map(options_of, cli.commands))
    shown = {word.strip("[]") for span in code_spans(README) for word in span.split() if "--" in word}
    assert "--data" in shown
    assert {word for word in shown if word.startswith("--")} <= every


@pytest.mark.parametrize("span", [span for span in code_spans(README) if span.startswith("--option ")])
def test_a_game_option_in_the_readme_is_taken(span: str) -> None:
    name = span.removeprefix("--option ").partition("=")[0]
    assert name in {**Options.__dataclass_fields__, **Rules.__dataclass_fields__}


def test_the_readme_names_both_rulebooks() -> None:
    assert {"hasbro", "international"} == {rulebook.value for rulebook in Rulebook}
    assert "`--rulebook hasbro` or\n`international`" in README


def test_the_readme_shows_another_address_in_the_form_of_the_default() -> None:
    port = DEFAULT_LISTEN.partition(":")[2]
    assert f"`--listen 0.0.0.0:{port}`" in README


def test_every_make_target_in_the_readme_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    typed = set(re.findall(r"(?:`|^)make (\w+)", README, re.M))
    assert {"demo", "test"} <= typed <= targets


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_file_a_document_names_exists(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    missing = [link for link in links if not ((ROOT / name).parent / link).exists()]
    files = [
        span
        for span in code_spans(text)
        if re.fullmatch(r"[\w./]+(/|\.(py|toml|c|h|csv|json|md|jsonl))", span) and not span.startswith("/")
    ]
    folders = [(ROOT / name).parent, *(ROOT / folder for folder in FOLDERS)]
    missing += [file for file in files if not any((folder / file).exists() for folder in folders)]
    assert missing == []


def test_every_folder_of_the_package_is_in_the_list_of_files() -> None:
    listed = section(README, "Files")
    folders = [path.parent.name for path in (ROOT / "host/tablewire").glob("*/__init__.py")]
    assert [name for name in folders if f"`{name}/`" not in listed] == []


def threads() -> Iterator[tuple[str, str]]:
    """The name of each thread that the package starts, and the file that starts it."""
    for path in (ROOT / "host/tablewire").rglob("*.py"):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and "threading.Thread" in text:
                named = {key.arg: key.value for key in node.keywords}
                if {"name", "daemon"} <= named.keys():
                    yield (
                        ast.literal_eval(named["name"]),
                        path.relative_to(ROOT / "host/tablewire").as_posix(),
                    )


def test_every_thread_is_in_the_readme_with_the_file_that_starts_it() -> None:
    table = section(README, "Threads")
    told = dict(zip(table_column(table, 0), map(code_spans, table_column(table, 1)), strict=True))
    started = set(threads())
    assert {"game", "link", "players"} <= {name for name, _ in started}
    assert {(name, file) for name, file in started if file not in told.get(name, ())} == set()


def test_the_record_in_the_readme_scores_as_it_says() -> None:
    given, shown = (block for block in code_blocks(section(README, "A game record")) if "{" in block)
    result = CliRunner().invoke(cli, ["score", "-"], input=given)
    assert result.exit_code == 0
    first = shown.splitlines()[1]
    assert first.endswith(", ...}")
    assert result.stdout.startswith(first.removesuffix("...}"))
    assert all(json.loads(line).get("legal", True) for line in result.stdout.splitlines())


def test_the_lines_for_a_simulated_board_are_taken_as_they_stand() -> None:
    spans = code_spans(section(README, "A simulated board to play by hand"))
    programs = [span for span in spans if span.startswith("tablewire ")]
    lines = [span for span in spans if span not in ("ok", "error TEXT", *programs)]
    cards = lines[next(at for at, line in enumerate(lines) if line.startswith("lay ")) :]
    assert (len(programs), len(lines) > 15, len(cards) > 4) == (1, True, True)
    for line in lines:
        (tag_language(16, 4).parse if line in cards else parse_command)(line)


def test_a_frame_built_as_the_protocol_says_is_a_frame() -> None:
    """`frame_bytes` follows the picture: zero, stuffed (type, seq, ack, payload, CRC big-endian), zero."""
    (picture,) = code_blocks(section(PROTOCOL, "Frames"))
    parts = r"type u8, seq u8, ack u8, payload \(at most (\d+) bytes\), CRC-16 big-endian"
    longest = re.fullmatch(rf"00 \| COBS\( {parts} \) \| 00\n", picture)
    assert longest is not None
    payload = bytes(range(int(longest[1])))
    assert Decoder().receive_data(frame_bytes(1, 2, 3, payload)) == [Frame(1, 2, 3, payload)]
    assert Decoder().receive_data(frame_bytes(1, 2, 3, payload + b"!")) == []
    assert len(payload) == PAYLOAD_MAX


def test_the_frame_of_the_readme_is_the_one_of_the_protocol() -> None:
    assert "`00 | COBS(type, seq, ack, payload, CRC) | 00`" in README


def test_the_magnets_and_sensor_numbers_for_builders_are_those_of_the_code() -> None:
    words = {"N_STRONG": "north, strong", "N_WEAK": "north, weak"}
    words |= {name.replace("N_", "S_"): said.replace("north", "south") for name, said in words.items()}
    colours = section(HARDWARE, "Colours")
    rows = dict(zip(table_column(colours, 0), table_column(colours, 1), strict=True))
    assert rows == {str(colour): words[magnet.name] for colour, magnet in DEFAULT_MAGNETS.items()}
    assert "Sensor `s - 1` lies under space `s`; sensor `165 + 9 k + h`" in HARDWARE
    assert "players 0 to 3" in HARDWARE
    assert [colour.value for colour in PlayerColour] == ["purple", "red", "green", "yellow"]
    assert (sensor_of(1), sensor_of(165)) == (0, 164)
    assert (peg_sensor("purple", 0), peg_sensor("green", 15)) == (165, 165 + 9 * 2 + 3)


def test_the_size_of_the_decagon_for_builders_is_that_of_the_board() -> None:
    corners = [corner for space in board_json(default_piece_set())["spaces"] for corner in space["corners"]]
    radius = max((x * x + y * y) ** 0.5 for x, y in corners)
    said = re.search(
        r"corner radius is ([\d.]+) short edges; at (\d+) mm corner to corner, a short\s+edge is ([\d.]+)",
        HARDWARE,
    )
    assert said is not None
    assert float(said[1]) == pytest.approx(radius, abs=0.0005)
    assert float(said[3]) == pytest.approx(int(said[2]) / 2 / radius, abs=0.05)


def test_all_of_the_twin_says_its_licence_and_nothing_else_touches_the_emulator() -> None:
    twin = ROOT / "firmware" / "twin"
    sources = [path for path in twin.rglob("*") if path.suffix in {".c", ".h"}]
    bare = [p.name for p in sources if not re.search(r"GPL-3|General Public", p.read_text("utf-8")[:300])]
    assert (len(sources) > 20, bare) == (True, [])
    others = [path for path in (ROOT / "firmware").glob("[pst]*/*.[ch]") if path.parent != twin]
    assert (len(others) > 20, [path.name for path in others if "simavr" in path.read_text("utf-8")]) == (
        True,
        [],
    )
