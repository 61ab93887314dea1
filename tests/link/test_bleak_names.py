"""What tablewire uses of bleak and dbus-fast is there, by name, by signature and by form.

These are the real libraries, as installed: a newer one that renames anything fails here, with the name,
before somebody's table does.
"""

from __future__ import annotations

import asyncio
import enum
import inspect
import typing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import bleak
import bleak.exc
import dbus_fast
import dbus_fast.aio
import pytest
from bleak.args import bluez as bluez_args
from bleak.backends.bluezdbus import manager, version
from bleak.backends.bluezdbus.client import BleakClientBlueZDBus
from bleak.backends.bluezdbus.manager import BlueZManager
from bleak.backends.bluezdbus.scanner import BleakScannerBlueZDBus
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection

CALLS: list[tuple[Callable[..., Any], tuple[object, ...], dict[str, object]]] = [
    (bleak.BleakScanner, (print,), {"service_uuids": None, "bluez": {"adapter": "hci0"}}),
    (bleak.BleakScanner.start, (None,), {}),
    (bleak.BleakScanner.stop, (None,), {}),
    (
        bleak.BleakClient,
        ("device",),
        {"disconnected_callback": print, "timeout": 1.0, "bluez": {"adapter": "hci0"}},
    ),
    (bleak.BleakClient.connect, (None,), {}),
    (bleak.BleakClient.disconnect, (None,), {}),
    (bleak.BleakClient.start_notify, (None, "characteristic", print), {}),
    (bleak.BleakClient.write_gatt_char, (None, "characteristic", b"data"), {"response": False}),
    (BLEDevice, ("address", "name", {}), {}),
    (manager.get_global_bluez_manager, (), {}),
    (version.BlueZFeatures.check_bluez_version, (), {}),
    (dbus_fast.aio.MessageBus, (), {"bus_type": dbus_fast.BusType.SYSTEM}),
    (dbus_fast.aio.MessageBus.connect, (None,), {}),
    (dbus_fast.aio.MessageBus.call, (None, "message"), {}),
    (dbus_fast.aio.MessageBus.disconnect, (None,), {}),
    (dbus_fast.aio.MessageBus.wait_for_disconnect, (None,), {}),
    (dbus_fast.unpack_variants, ({},), {}),
]
"""Each callable that is used, with arguments as they are given."""

COROUTINES = [
    bleak.BleakScanner.start,
    bleak.BleakScanner.stop,
    bleak.BleakClient.connect,
    bleak.BleakClient.disconnect,
    bleak.BleakClient.start_notify,
    bleak.BleakClient.write_gatt_char,
    manager.get_global_bluez_manager,
    version.BlueZFeatures.check_bluez_version,
]


@pytest.mark.parametrize(
    ("call", "arguments", "options"), CALLS, ids=lambda value: getattr(value, "__qualname__", None)
)
def test_what_is_called_takes_what_it_is_given(
    call: Callable[..., Any], arguments: tuple[object, ...], options: dict[str, object]
) -> None:
    inspect.signature(call).bind(*arguments, **options)
    # An option that only a catch-all takes is one that bleak ignores, or warns of.
    named = {
        name
        for name, parameter in inspect.signature(call).parameters.items()
        if parameter.kind is not parameter.VAR_KEYWORD
    }
    assert set(options) <= named


@pytest.mark.parametrize("coroutine", COROUTINES, ids=lambda call: call.__qualname__)
def test_what_is_awaited_can_be_awaited(coroutine: Callable[..., Any]) -> None:
    assert inspect.iscoroutinefunction(coroutine)


def test_an_adapter_is_named_as_an_argument_of_its_own() -> None:
    assert "adapter" in typing.get_type_hints(bluez_args.BlueZScannerArgs)
    assert "adapter" in typing.get_type_hints(bluez_args.BlueZClientArgs)


def test_pairing_is_off_unless_it_is_asked_for() -> None:
    assert inspect.signature(bleak.BleakClient).parameters["pair"].default is False


def test_notifications_come_one_by_one_unless_something_else_is_asked_for() -> None:
    # AcquireNotify, the other way, loses data when its reader is slow.
    source = inspect.getsource(BleakClientBlueZDBus.start_notify)
    assert '"use_start_notify", True' in source


def test_a_scan_tells_name_services_and_strength() -> None:
    assert {"local_name", "service_uuids", "rssi"} <= set(AdvertisementData._fields)
    assert set(BLEDevice.__slots__) >= {"address", "name", "details"}


def test_a_device_is_connected_by_the_path_and_properties_that_it_carries() -> None:
    device = BLEDevice("C0:00:00:00:00:01", "tablewire", {"path": "/org/bluez/hci0/dev_X", "props": {}})
    client = bleak.BleakClient(device)
    assert client.address == "C0:00:00:00:00:01"
    source = inspect.getsource(BleakClientBlueZDBus.__init__)
    assert 'details["path"]' in source
    assert 'details.get("props")' in source
    assert '{"path": path, "props": props}' in inspect.getsource(BleakScannerBlueZDBus)


def test_a_board_that_is_connected_already_is_taken_over() -> None:
    source = inspect.getsource(BleakClientBlueZDBus.connect)
    assert "manager.is_connected(self._device_path)" in source


def test_services_and_characteristics_say_what_they_are() -> None:
    assert isinstance(inspect.getattr_static(bleak.BleakClient, "services"), property)
    assert callable(BleakGATTServiceCollection.__iter__)
    for kind, names in {
        BleakGATTService: ("uuid", "description", "characteristics"),
        BleakGATTCharacteristic: ("uuid", "properties", "max_write_without_response_size"),
    }.items():
        assert all(isinstance(inspect.getattr_static(kind, name), property) for name in names)


def test_the_size_of_a_write_is_asked_for_anew_each_time() -> None:
    sizes = iter((20, 244))
    characteristic = BleakGATTCharacteristic(
        None, 1, "uuid", ["write-without-response"], lambda: next(sizes), typing.cast(BleakGATTService, None)
    )
    assert characteristic.max_write_without_response_size == 20
    assert characteristic.max_write_without_response_size == 244


ERRORS = [
    bleak.exc.BleakError,
    bleak.exc.BleakBluetoothNotAvailableError,
    bleak.exc.BleakDBusError,
    bleak.exc.BleakDeviceNotFoundError,
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_every_error_of_bleak_is_one_of_its_own_family(error: type[Exception]) -> None:
    assert issubclass(error, bleak.exc.BleakError)


def test_the_errors_say_which() -> None:
    reasons = bleak.exc.BleakBluetoothNotAvailableReason
    assert issubclass(reasons, enum.Enum)
    assert {
        "NO_BLUETOOTH",
        "NO_BLE_CENTRAL_ROLE",
        "DENIED_BY_USER",
        "DENIED_BY_SYSTEM",
        "DENIED_BY_UNKNOWN",
        "POWERED_OFF",
    } <= {reason.name for reason in reasons}
    off = bleak.exc.BleakBluetoothNotAvailableError("off", reasons.POWERED_OFF)
    assert off.reason is reasons.POWERED_OFF
    assert bleak.exc.BleakDBusError("org.bluez.Error.Failed", ["text"]).dbus_error == "org.bluez.Error.Failed"


def test_the_bus_of_a_loop_can_be_found_and_closed() -> None:
    # bleak has no call for it: these three are its own affair, and `radio_bleak.let_go` does without them.
    assert isinstance(manager._global_instances, dict)

    async def made() -> BlueZManager:
        return BlueZManager()

    # In a thread of its own: where a browser is driven, this one has a loop that runs.
    with ThreadPoolExecutor(1) as thread:
        instance = thread.submit(asyncio.run, made()).result()
    assert instance._bus is None
    assert instance._bus_watcher_task is None


def test_the_version_check_has_the_mark_that_ends_it() -> None:
    assert isinstance(version.BlueZFeatures.checked_bluez_version, bool)
    assert "checked_bluez_version" in inspect.getsource(BleakClientBlueZDBus.connect)


def test_dbus_fast_has_what_the_look_at_bluez_needs() -> None:
    message = dbus_fast.Message(destination="org.bluez", path="/", interface="a.b", member="C")
    assert {"message_type", "error_name", "body"} <= set(dir(message))
    assert {"ERROR", "METHOD_RETURN"} <= set(dbus_fast.MessageType.__members__)
    assert issubclass(dbus_fast.AuthError, Exception)
    assert issubclass(dbus_fast.InvalidAddressError, Exception)
