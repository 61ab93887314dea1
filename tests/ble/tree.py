"""The objects a D-Bus service shows: paths, interfaces, properties, and the signals that tell of changes.

Owns GetManagedObjects, Get and GetAll, and the three signals. Must not know what the objects are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from dbus_fast import Message, Variant

PROPERTIES = "org.freedesktop.DBus.Properties"
OBJECTS = "org.freedesktop.DBus.ObjectManager"

Send = Callable[[Message], None]
Properties = dict[str, Variant]
Interfaces = dict[str, Properties]


@dataclass
class Refusal(Exception):  # noqa: N818 - the word says what happened
    """A call that is answered by an error: its D-Bus name and its text."""

    name: str
    text: str


def unknown_object(path: str) -> Refusal:
    """What the D-Bus library answers for a path where nothing is."""
    return Refusal("org.freedesktop.DBus.Error.UnknownObject", f"Method called on unknown object {path}")


class Tree:
    """What there is; every change is told through `send`."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._objects: dict[str, Interfaces] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._objects

    def add(self, path: str, interfaces: Interfaces) -> None:
        """Show an object."""
        self._objects[path] = interfaces
        self._send(Message.new_signal("/", OBJECTS, "InterfacesAdded", "oa{sa{sv}}", [path, interfaces]))

    def remove(self, path: str) -> None:
        """Take an object away, and everything below it first."""
        for one in sorted((p for p in self._objects if f"{p}/".startswith(f"{path}/")), reverse=True):
            names = list(self._objects.pop(one))
            self._send(Message.new_signal("/", OBJECTS, "InterfacesRemoved", "oas", [one, names]))

    def change(
        self, path: str, interface: str, changed: Mapping[str, Variant], gone: Iterable[str] = ()
    ) -> None:
        """Set properties, or take some away, and say so, also of values that are the same as before."""
        if path not in self._objects:
            return
        properties = self._objects[path][interface]
        properties.update(changed)
        gone = [name for name in gone if properties.pop(name, None) is not None]
        if changed or gone:
            body = [interface, dict(changed), gone]
            self._send(Message.new_signal(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", body))

    def value(self, path: str, interface: str, name: str) -> object:
        """A property's value; None when it has none."""
        variant = self._objects.get(path, {}).get(interface, {}).get(name)
        return None if variant is None else variant.value

    def answer(self, call: Message) -> Message | None:
        """The answer to a question about objects and properties; None when the call is no such question."""
        path = call.path or "/"
        match (call.interface, call.member):
            case (interface, "GetManagedObjects") if interface == OBJECTS:
                return Message.new_method_return(call, "a{oa{sa{sv}}}", [self._objects])
            case (interface, "GetAll") if interface == PROPERTIES:
                found = self._interface(path, call.body[0])
                return Message.new_method_return(call, "a{sv}", [found])
            case (interface, "Get") if interface == PROPERTIES:
                found = self._interface(path, call.body[0])
                if call.body[1] not in found:
                    raise Refusal(
                        "org.freedesktop.DBus.Error.InvalidArgs", f"No such property {call.body[1]}"
                    )
                return Message.new_method_return(call, "v", [found[call.body[1]]])
        return None

    def _interface(self, path: str, interface: str) -> Properties:
        if path not in self._objects:
            raise unknown_object(path)
        if interface not in self._objects[path]:
            raise Refusal("org.freedesktop.DBus.Error.InvalidArgs", f"No such interface {interface}")
        return self._objects[path][interface]
