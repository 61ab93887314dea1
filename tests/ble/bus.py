"""A private system bus: a dbus-daemon of our own, which knows no service but those that tests bring.

Owns the process, its socket and its configuration, all in a folder that goes with it. Must not know BlueZ.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import IO

# No policy but "everybody may": on a real system bus one keeps programs off each other, here all are ours.
# No folder of services: a name that nobody owns stays unknown, as after bluetoothd has died.
_CONFIGURATION = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>private</type>
  <listen>unix:path={path}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="signal"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
  </policy>
</busconfig>
"""

END_LIMIT_S = 10.0  # it ends at once; a busy machine may take its time


class PrivateBus:
    """A running dbus-daemon; `address` is for DBUS_SYSTEM_BUS_ADDRESS. `close` ends it, also after `kill`."""

    def __init__(self) -> None:
        # Not below pytest's folder: a socket's path may have 107 bytes, and a test's name is part of that.
        self._folder = Path(tempfile.mkdtemp(prefix="bus-"))
        self.address = f"unix:path={self._folder / 'socket'}"
        self._process: subprocess.Popen[str] | None = None
        try:
            self.start()
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def start(self) -> None:
        """Start it, at the address it always has. RuntimeError when there is no dbus-daemon, or it fails."""
        (self._folder / "socket").unlink(missing_ok=True)
        configuration = self._folder / "bus.conf"
        configuration.write_text(_CONFIGURATION.format(path=self._folder / "socket"))
        if shutil.which("dbus-daemon") is None:
            raise RuntimeError("there is no dbus-daemon: make system installs it")
        complaints = self._folder / "complaints"  # it is not allowed to raise its limits, and says so
        with complaints.open("a") as stderr:
            self._process = subprocess.Popen(
                [
                    "dbus-daemon",
                    "--nofork",
                    "--nopidfile",
                    f"--config-file={configuration}",
                    "--print-address",
                ],
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        # It says its address once it listens.
        if not _output(self._process).readline():
            self.kill()
            raise RuntimeError(f"dbus-daemon did not start: {complaints.read_text()}")

    def kill(self) -> None:
        """End it as a crash does: whoever is connected finds the connection closed."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait(END_LIMIT_S)
            _output(process).close()

    def close(self) -> None:
        """End it and remove its folder."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


def _output(process: subprocess.Popen[str]) -> IO[str]:
    assert process.stdout is not None
    return process.stdout
