"""The installed pyserial has every name that is used here, with the meaning that is relied on.

Nothing is stood in for: what can be had on a pseudo-terminal is done there; what only Windows and macOS have
is read in the sources that are installed with it.
"""

import ast
import errno
import inspect
import io
import os
import re
import time
from pathlib import Path

import pytest
import serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo
from tests.link.pty_board import PtyBoard

from tablewire.link import faults

INSTALLED = Path(serial.__file__).parent
HOST = Path(__file__).parents[2] / "host" / "tablewire"

USED_BY_NAME = {
    "serial": {"Serial", "SerialTimeoutException"},
    "serial.tools.list_ports": {"comports"},
    "serial.tools.list_ports_common": {"ListPortInfo"},
}
"""What the package takes from pyserial; what each of them has to be is below."""


def used() -> dict[str, set[str]]:
    """What every file of the package imports from pyserial, or reaches through it."""
    names: dict[str, set[str]] = {}
    for path in HOST.rglob("*.py"):
        text = path.read_text("utf-8")
        imports_any = re.search(r"^\s*(import|from) serial\b", text, re.MULTILINE)
        nodes = list(ast.walk(ast.parse(text))) if imports_any else []
        imports = any(isinstance(n, ast.Import) and n.names[0].name == "serial" for n in nodes)
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "serial":
                names.setdefault(str(node.module), set()).update(alias.name for alias in node.names)
            elif imports and isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "serial":
                names.setdefault("serial", set()).add(node.attr)
    return names


def test_every_name_that_is_used_is_looked_at_here() -> None:
    assert used() == USED_BY_NAME


def test_the_version_is_one_that_was_read() -> None:
    assert tuple(map(int, serial.__version__.split(".")[:2])) >= (3, 5)


def test_a_port_is_made_with_the_settings_that_are_given() -> None:
    base = inspect.signature(serial.serialutil.SerialBase.__init__).parameters
    assert list(base)[1:3] == ["port", "baudrate"]
    assert {"timeout", "write_timeout", "exclusive"} <= set(base)
    # No port, so nothing is opened yet: that is where DTR is settled on Windows.
    port = serial.Serial(None, 500_000, timeout=0, write_timeout=0.1, exclusive=True)
    assert not port.is_open
    assert (port.baudrate, port.timeout, port.write_timeout, port.exclusive) == (500_000, 0, 0.1, True)
    port.dtr = False
    assert port.dtr is False
    assert serial.Serial().dtr is True


def test_a_port_has_the_calls_that_are_made(board: PtyBoard) -> None:
    port = serial.Serial(None, 500_000, timeout=0, write_timeout=0.1, exclusive=True)
    port.port = str(board.path)
    port.open()
    assert os.ttyname(port.fileno()) == str(board.path.readlink())
    assert isinstance(port, io.RawIOBase)
    assert port.in_waiting == 0
    assert port.read(1) == b""
    assert port.write(b"abc") == 3
    assert board.hear(3) == b"abc"
    board.say(b"xy")
    port.timeout = 60
    assert port.read(2) == b"xy"
    assert port.out_waiting == 0
    port.reset_output_buffer()
    port.close()
    port.close()
    assert not port.is_open


def test_a_cancelled_read_returns_at_once_also_when_it_begins_later(board: PtyBoard) -> None:
    with serial.Serial(str(board.path), timeout=3600) as port:
        port.cancel_read()
        assert port.read(1) == b""


def test_a_read_of_one_byte_returns_as_soon_as_there_is_one(board: PtyBoard) -> None:
    with serial.Serial(str(board.path), timeout=3600) as port:
        board.say(b"z")
        began_s = time.monotonic()
        assert port.read(1) == b"z"
        assert time.monotonic() - began_s < 60


def test_the_exceptions_are_what_is_caught() -> None:
    assert issubclass(serial.SerialTimeoutException, serial.SerialException)
    assert issubclass(serial.SerialException, OSError)
    assert serial.SerialException(errno.EBUSY, "text").errno == errno.EBUSY
    assert serial.SerialException("text").errno is None


def test_a_line_that_takes_nothing_is_a_timeout(board: PtyBoard) -> None:
    with (
        serial.Serial(str(board.path), write_timeout=0.01) as port,
        pytest.raises(serial.SerialTimeoutException),
    ):
        port.write(bytes(1_000_000))


def test_a_port_that_is_locked_is_refused_with_the_number_of_the_error(board: PtyBoard) -> None:
    with (
        serial.Serial(str(board.path), exclusive=True),
        pytest.raises(serial.SerialException) as caught,
    ):
        serial.Serial(str(board.path), exclusive=True)
    assert caught.value.errno in (errno.EAGAIN, errno.EWOULDBLOCK)


def test_a_port_that_is_not_there_is_refused_with_the_number_of_the_error(tmp_path: Path) -> None:
    with pytest.raises(serial.SerialException) as caught:
        serial.Serial(str(tmp_path / "nothing"))
    assert caught.value.errno == errno.ENOENT


def test_a_terminal_error_is_in_the_context_of_what_is_raised() -> None:
    with pytest.raises(serial.SerialException) as caught:
        serial.Serial(os.devnull)
    assert faults.error_number(caught.value) == errno.ENOTTY


def test_an_unplugged_port_says_what_is_understood(board: PtyBoard) -> None:
    with serial.Serial(str(board.path), timeout=60) as port:
        board.unplug()
        with pytest.raises(serial.SerialException) as caught:
            port.read(1)
    assert "it was unplugged" in str(faults.lost(str(board.path), caught.value))
    # And so does the other way in which a line ends, which depends on the driver.
    assert faults._HUNG_UP in (INSTALLED / "serialposix.py").read_text("utf-8")


def test_a_listed_port_has_what_is_read_of_it() -> None:
    assert inspect.signature(list_ports.comports).parameters["include_links"].default is False
    told = ListPortInfo("/dev/ttyACM0", skip_link_detection=True)
    assert (told.device, told.name) == ("/dev/ttyACM0", "ttyACM0")
    assert (told.description, told.hwid) == ("n/a", "n/a")
    nothing = (told.vid, told.pid, told.serial_number, told.location, told.product)
    assert nothing == (None, None, None, None, None)
    assert all(isinstance(one, ListPortInfo) for one in list_ports.comports())


# ---- read, since it cannot be run here ----


def source(name: str) -> str:
    """An installed source without its line breaks, for it may be wrapped anyhow."""
    return re.sub(r"\s+", " ", (INSTALLED / name).read_text("utf-8"))


def test_on_windows_dtr_is_applied_with_opening() -> None:
    text = source("serialwin32.py")
    assert "DTR_CONTROL_ENABLE if self._dtr_state else win32.DTR_CONTROL_DISABLE" in text
    opened = text[text.index("def open(self)") : text.index("def _reconfigure_port")]
    assert "self._reconfigure_port()" in opened


def test_on_windows_the_number_of_an_error_stands_in_the_text() -> None:
    text = source("serialwin32.py")
    assert 'SerialException("could not open port {!r}: {!r}".format(self.portstr, ctypes.WinError()))' in text
    assert 'SerialException("ClearCommError failed ({!r})".format(ctypes.WinError()))' in text
    # The form in which Python writes such an error: class, errno, text, file name, number.
    assert faults._WINDOWS_ERROR.search("PermissionError(13, 'Access is denied.', None, 5)")


def test_on_windows_the_prefix_for_high_numbers_is_pyserials_work() -> None:
    assert re.search(
        r"port\.upper\(\)\.startswith\('COM'\) and int\(port\[3:\]\) > 8", source("serialwin32.py")
    )


def test_on_windows_a_waiting_read_can_be_cancelled() -> None:
    assert "def cancel_read(self)" in source("serialwin32.py")
    assert "def reset_output_buffer(self)" in source("serialwin32.py")
    assert "def out_waiting(self)" in source("serialwin32.py")


def test_on_macos_the_ports_are_those_that_wait_for_no_carrier() -> None:
    assert '"IOCalloutDevice"' in source("tools/list_ports_osx.py")


def test_a_speed_that_is_said_again_is_set_again_at_an_open_port() -> None:
    setter = inspect.getsource(vars(serial.serialutil.SerialBase)["baudrate"].fset)
    assert "self._reconfigure_port()" in setter
    # And there, on macOS, by the call that knows any speed.
    assert "fcntl.ioctl(self.fd, IOSSIOSPEED, buf, 1)" in source("serialposix.py")


def test_on_linux_ports_without_hardware_are_listed_and_left_to_us() -> None:
    # Hidden are those of the subsystem "platform" only, which newer kernels no longer say.
    assert 'info.subsystem != "platform"' in source("tools/list_ports_linux.py")
