"""Which ports are offered, in which order, and that listing holds no table up."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from tablewire.link.faults import Cause, LinkRefused, Tried
from tablewire.link.no_boards import why_no_board
from tablewire.link.ports import (
    KNOWN_USB,
    SerialPort,
    in_order,
    is_known,
    list_serial_ports,
    look_for_ports,
    what_it_is,
)

MEGA = (0x2341, 0x0042)
CH340 = (0x1A86, 0x7523)
PRINTER = (0x1D50, 0x6029)


def info(
    path: str,
    usb_id: tuple[int, int] | None = None,
    number: str | None = None,
    product: str | None = None,
    hwid: str = "n/a",
) -> ListPortInfo:
    """What pyserial tells of a port."""
    told = ListPortInfo(path, skip_link_detection=True)
    if usb_id is not None:
        told.vid, told.pid = usb_id
    told.serial_number, told.product, told.hwid = number, product, hwid
    return told


def lister(*told: ListPortInfo) -> Callable[[], Iterable[ListPortInfo]]:
    return lambda: list(told)


def paths(ports: Iterable[SerialPort]) -> list[str]:
    return [port.path for port in ports]


# ---- listing ----


def test_the_ports_of_this_computer_are_listed() -> None:
    listed = look_for_ports(limit_s=60)
    assert all(Path(port.path).exists() for port in listed.ports)
    assert not {port.path for port in listed.ports} & {tried.port for tried in listed.left_out}


def test_a_port_is_told_with_all_that_is_known_of_it() -> None:
    (port,) = list_serial_ports(lister=lister(info("/dev/ttyACM0", MEGA, " 75735 ", "Arduino Mega 2560")))
    assert port == SerialPort("/dev/ttyACM0", MEGA, "75735", "Arduino Mega 2560")
    assert is_known(port)
    assert what_it_is(port) == "Arduino Mega 2560 R3"


def test_what_is_not_known_is_told_in_its_own_words_or_in_none() -> None:
    assert what_it_is(SerialPort("/dev/ttyACM0", PRINTER, description="MK3S printer")) == "MK3S printer"
    assert what_it_is(SerialPort("/dev/ttyACM0", PRINTER)) == "USB serial port"
    assert what_it_is(SerialPort("/dev/ttyAMA0")) == "serial port"


def test_words_from_a_device_are_one_short_line_and_rubbish_is_no_serial_number() -> None:
    (port,) = list_serial_ports(
        lister=lister(info("/dev/ttyUSB0", CH340, "\x01\x02", "\x1b[2J\n" + "x" * 500))
    )
    assert port.description.isprintable()
    assert len(port.description) == 80
    assert port.serial_number is None


def test_the_order_is_the_same_each_time_and_counts_as_people_do() -> None:
    told = [info(f"/dev/ttyACM{n}", MEGA) for n in (10, 9, 2, 0)] + [
        info("COM3", CH340),
        info("COM12", CH340),
    ]
    expected = ["/dev/ttyACM0", "/dev/ttyACM2", "/dev/ttyACM9", "/dev/ttyACM10", "COM3", "COM12"]
    assert paths(list_serial_ports(lister=lister(*told))) == expected
    assert paths(list_serial_ports(lister=lister(*reversed(told)))) == expected


def test_a_port_under_two_names_is_listed_once_with_its_lasting_names(tmp_path: Path) -> None:
    port = tmp_path / "ttyACM0"
    port.touch()
    by_id = tmp_path / "serial" / "by-id"
    by_id.mkdir(parents=True)
    (by_id / "usb-Arduino_75735-if00").symlink_to(port)
    told = lister(info(str(by_id / "usb-Arduino_75735-if00"), MEGA), info(str(port), MEGA))
    (listed,) = look_for_ports(lister=told, dev=tmp_path).ports
    assert listed.path == str(port)
    assert listed.aliases == (str(by_id / "usb-Arduino_75735-if00"),)


def test_the_two_names_of_a_port_on_macos_or_windows_are_one_port() -> None:
    told = lister(
        info("/dev/cu.usbmodem1", MEGA),
        info("/dev/tty.usbmodem1", MEGA),
        info("COM3", MEGA),
        info("com3", MEGA),
    )
    assert paths(list_serial_ports(lister=told)) == ["/dev/cu.usbmodem1", "COM3"]


@pytest.mark.parametrize("error", [OSError(5, "x"), ValueError("a\nb"), TypeError("None"), KeyError(5)])
def test_whatever_a_driver_raises_while_listing_is_one_line(error: Exception) -> None:
    def fail() -> Iterable[ListPortInfo]:
        raise error

    with pytest.raises(LinkRefused, match="cannot list the serial ports") as caught:
        list_serial_ports(lister=fail)
    assert str(caught.value).isprintable()


class HangingLister:
    """Hangs until it is released."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.entered = threading.Event()
        self.count = 0

    def __call__(self) -> list[ListPortInfo]:
        self.count += 1
        self.entered.set()
        self.release.wait(60)
        return [info("/dev/ttyACM0", MEGA)]


def test_listing_that_hangs_holds_nobody_up_and_is_never_doubled() -> None:
    hanging = HangingLister()
    for _ in range(5):
        with pytest.raises(LinkRefused, match="listing the serial ports hangs") as caught:
            list_serial_ports(0.01, hanging)
        assert caught.value.cause is Cause.HANGS
    assert hanging.count == 1
    hanging.release.set()
    # The driver has come back: the next look is a new one.
    assert paths(list_serial_ports(60, hanging)) == ["/dev/ttyACM0"]


def test_listing_that_hangs_ends_when_the_program_does() -> None:
    hanging, stop = HangingLister(), threading.Event()
    said: list[str] = []

    def look() -> None:
        with pytest.raises(LinkRefused) as caught:
            list_serial_ports(3600, hanging, stop=stop)
        said.append(str(caught.value))

    looking = threading.Thread(target=look)
    looking.start()
    assert hanging.entered.wait(60)
    stop.set()
    looking.join(60)
    assert said == ["the serial ports are not listed: the program ends"]
    hanging.release.set()


# ---- what cannot be a board ----


@pytest.mark.parametrize(
    ("path", "is_usb", "hardware", "words"),
    [
        ("/dev/rfcomm0", False, "", "would call another device"),
        ("/dev/cu.Bluetooth-Incoming-Port", False, "", "of macOS itself"),
        ("/dev/cu.debug-console", False, "", "of macOS itself"),
        ("/dev/cu.wlan-debug", False, "", "of macOS itself"),
        ("/dev/cu.JBLFlip5", False, "", "would call another device"),
        (
            "COM5",
            False,
            r"BTHENUM\{00001101-0000-1000-8000-00805F9B34FB}_LOCALMFG&0002",
            "would call another",
        ),
        ("COM3", False, r"PCI\VEN_8086 Intel(R) Active Management Technology - SOL (COM3)", "from afar"),
    ],
)
def test_what_cannot_be_a_board_is_left_out_with_the_reason(
    path: str, is_usb: bool, hardware: str, words: str, tmp_path: Path
) -> None:
    assert words in str(why_no_board(path, is_usb=is_usb, hardware=hardware, sys=tmp_path))


@pytest.mark.parametrize(
    ("path", "is_usb"),
    [
        ("/dev/ttyACM0", True),
        ("/dev/cu.usbserial-1410", True),
        ("/dev/cu.SLAB_USBtoUART", True),
        ("COM3", True),
        ("COM1", False),
        ("/dev/ttyAMA0", False),
        ("/dev/ttyS1", False),
    ],
)
def test_what_may_be_a_board_is_not_left_out(path: str, is_usb: bool, tmp_path: Path) -> None:
    assert why_no_board(path, is_usb=is_usb, sys=tmp_path) is None


def test_of_32_ports_that_linux_names_those_without_hardware_are_left_out_and_the_console(
    tmp_path: Path,
) -> None:
    tty = tmp_path / "class" / "tty"
    for n in range(32):
        (tty / f"ttyS{n}").mkdir(parents=True)
        (tty / f"ttyS{n}" / "type").write_text("4\n" if n < 2 else "0\n")
    (tty / "console").mkdir()
    (tty / "console" / "active").write_text("tty0 ttyS0\n")
    told = lister(*(info(f"/dev/ttyS{n}") for n in range(32)), info("/dev/ttyACM0", MEGA))
    listed = look_for_ports(lister=told, sys=tmp_path)
    assert paths(listed.ports) == ["/dev/ttyACM0", "/dev/ttyS1"]
    assert listed.left_out[0] == Tried("/dev/ttyS0", "the console of this computer is on it")
    assert listed.left_out[1] == Tried("/dev/ttyS2", "there is no hardware behind it")
    assert len(listed.left_out) == 31


# ---- order ----


@dataclass(frozen=True)
class Last:
    port: str
    serial_number: str | None = None
    usb_id: tuple[int, int] | None = None
    kind: str = "serial"


ARDUINO = SerialPort("/dev/ttyACM0", MEGA, "75735")
CLONE = SerialPort("/dev/ttyUSB0", CH340)
OTHER_CLONE = SerialPort("/dev/ttyUSB1", CH340)
A_PRINTER = SerialPort("/dev/ttyACM1", PRINTER, "CZPX")
UART = SerialPort("/dev/ttyS0")
ALL = (ARDUINO, A_PRINTER, UART, CLONE, OTHER_CLONE)


def test_known_boards_are_asked_first_then_other_usb_and_the_computers_own_ports_last() -> None:
    assert in_order(ALL, None) == ((), (ARDUINO, CLONE, OTHER_CLONE), (A_PRINTER,), (UART,))


def test_the_last_good_board_is_asked_before_all_others_wherever_it_is_plugged_in() -> None:
    moved = Last("/dev/ttyACM7", "75735", MEGA)
    assert in_order(ALL, moved) == ((ARDUINO,), (CLONE, OTHER_CLONE), (A_PRINTER,), (UART,))


def test_a_board_without_a_serial_number_is_known_by_its_place() -> None:
    assert in_order(ALL, Last("/dev/ttyUSB1", None, CH340))[0] == (OTHER_CLONE,)
    assert in_order(ALL, Last("/dev/ttyS0"))[0] == (UART,)
    # Something else is plugged in there now.
    assert in_order(ALL, Last("/dev/ttyACM1", None, MEGA))[0] == ()


def test_copies_with_one_serial_number_are_all_asked_that_at_the_old_place_first() -> None:
    twins = [SerialPort(f"/dev/ttyUSB{n}", CH340, "0001") for n in range(3)]
    assert paths(in_order(twins, Last("/dev/ttyUSB2", "0001", CH340))[0]) == [
        "/dev/ttyUSB2",
        "/dev/ttyUSB0",
        "/dev/ttyUSB1",
    ]


def test_a_last_good_board_on_bluetooth_is_at_no_port() -> None:
    assert in_order(ALL, Last("AA:BB:CC:DD:EE:0F", kind="ble"))[0] == ()


def test_no_port_is_lost_or_doubled_by_putting_them_in_order() -> None:
    for last in (None, Last("/dev/ttyACM0", "75735", MEGA), Last("/dev/ttyACM0", "75735"), Last("COM3", "x")):
        ordered = [port for tier in in_order(ALL, last) for port in tier]
        assert sorted(ordered, key=str) == sorted(ALL, key=str)


def test_every_known_id_is_a_usb_id_with_a_name() -> None:
    for (vendor, product), name in KNOWN_USB.items():
        assert 0 < vendor < 0x10000
        assert 0 < product < 0x10000
        assert name.isprintable()
