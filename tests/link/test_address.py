"""What a person may type for a board, and that it is understood the same way each time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewire.link.address import (
    Address,
    AnyBoard,
    BleBoard,
    SerialNumber,
    SerialPath,
    format_address,
    is_same_number,
    is_same_path,
    parse_address,
)

TYPED: list[tuple[str, Address]] = [
    ("auto", AnyBoard()),
    (" AUTO ", AnyBoard()),
    ("/dev/ttyACM0", SerialPath("/dev/ttyACM0")),
    ("/dev/serial/by-id/usb-Arduino_55-if00", SerialPath("/dev/serial/by-id/usb-Arduino_55-if00")),
    ("./board", SerialPath("./board")),
    ("ttyACM0", SerialPath("/dev/ttyACM0")),
    ("ttyUSB12", SerialPath("/dev/ttyUSB12")),
    ("ttyS0", SerialPath("/dev/ttyS0")),
    ("cuaU0", SerialPath("/dev/cuaU0")),
    ("COM10", SerialPath("COM10")),
    ("com10", SerialPath("COM10")),
    ("COM3:", SerialPath("COM3")),
    (r"\\.\COM10", SerialPath("COM10")),
    (r"\\?\com256", SerialPath("COM256")),
    (r"\\.\pipe\board", SerialPath(r"\\.\pipe\board")),
    ("/dev/cu.usbmodem14201", SerialPath("/dev/cu.usbmodem14201")),
    ("cu.usbmodem14201", SerialPath("/dev/cu.usbmodem14201")),
    ("/dev/tty.usbmodem14201", SerialPath("/dev/cu.usbmodem14201")),
    ("tty.usbserial-1410", SerialPath("/dev/cu.usbserial-1410")),
    ("75735303431351E0C171", SerialNumber("75735303431351E0C171")),
    ("ttyrannosaurus", SerialNumber("ttyrannosaurus")),
    ("comfort", SerialNumber("comfort")),
    ("serial:auto", SerialNumber("auto")),
    ("Serial: COM7", SerialNumber("COM7")),
    ("ble", BleBoard()),
    ("BLE", BleBoard()),
    ("ble:tablewire", BleBoard("tablewire")),
    ("ble: our table: the big one ", BleBoard("our table: the big one")),
    ("ble:a/b", BleBoard("a/b")),
    ("ble:aa:bb:cc:dd:ee:0f", BleBoard("AA:BB:CC:DD:EE:0F")),
    ("ble:AA-BB-CC-DD-EE-0F", BleBoard("AA:BB:CC:DD:EE:0F")),
    (
        "ble:6e400001-b5a3-f393-e0a9-e50e24dcca9e",
        BleBoard("6E400001-B5A3-F393-E0A9-E50E24DCCA9E"),
    ),
    ("ble:HMSoft", BleBoard("HMSoft")),
]


@pytest.mark.parametrize(("text", "address"), TYPED, ids=[text for text, _ in TYPED])
def test_a_board_is_named_in_many_ways(text: str, address: Address) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no board is named"),
        ("   ", "no board is named"),
        ("ble:", "must be followed by a name"),
        ("ble:  ", "must be followed by a name"),
        ("serial:", "must be followed by a serial number"),
        ("/dev/tty\x1b[31mACM0", "no control characters"),
        ("a\0b", "no control characters"),
        ("ble:one\u2028two", "no control characters"),
        ("/" + "p" * 5000, "at most 4096 characters, not 5001"),
        ("1" * 127, "a serial number has at most 126"),
        ("ble:" + "n" * 249, "at most 248 characters"),
    ],
)
def test_what_names_no_board_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        parse_address(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 120


@given(st.text(max_size=60))
def test_whatever_is_typed_is_an_address_that_reads_back_or_a_refusal(text: str) -> None:
    try:
        address = parse_address(text)
    except ValueError as error:
        address, refusal = None, str(error)
    else:
        refusal = ""
    assert refusal.isprintable()
    assert address is None or parse_address(format_address(address)) == address


PLAIN = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40)


@given(PLAIN | st.sampled_from(["auto", "ble", "COM3", "ttyACM0", "serial:", "ble:x", "a/b"]))
def test_a_serial_number_reads_back_whatever_it_looks_like(number: str) -> None:
    assert parse_address(format_address(SerialNumber(number))) == SerialNumber(number)


@pytest.mark.parametrize("path", ["auto", "ble", "board", "ble:x", "75735303431351E0C171"])
def test_a_file_with_the_name_of_something_else_is_still_a_path(path: str) -> None:
    assert parse_address(format_address(SerialPath(path))) == SerialPath(f"./{path}")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("COM10", "com10", True),
        (r"\\.\COM10", "COM10", True),
        ("COM1", "COM10", False),
        ("/dev/ttyACM0", "/dev/ttyACM0", True),
        ("/dev/ttyACM0", "/dev/ttyacm0", False),
        ("/dev/tty.usbmodem1", "/dev/cu.usbmodem1", True),
    ],
)
def test_only_windows_does_not_look_at_the_case_of_a_port(one: str, other: str, same: bool) -> None:
    assert is_same_path(one, other) is same


def test_a_serial_number_is_the_same_in_capitals() -> None:
    assert is_same_number("55a3f0", " 55A3F0")
    assert not is_same_number("55a3f0", "55a3f")
