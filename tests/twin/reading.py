"""What a reader of type A tags does, straight from ISO/IEC 14443-3: requests, selection, collisions."""

from __future__ import annotations

from functools import reduce

from tests.twin.rack import Err, Heard, Irq, Rack, Reg

REQA, WUPA = b"\x26", b"\x52"
SELECT = (0x93, 0x95)
KEEP_AFTER_COLLISION = 0x80
NOT_VALID = 0x20


def crc_a(data: bytes) -> bytes:
    """CRC_A as annex B of the standard writes it, low byte first."""
    crc = 0x6363
    for byte in data:
        byte ^= crc & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return bytes((crc & 0xFF, crc >> 8))


def bcc(data: bytes) -> int:
    """The check byte behind four of a UID."""
    return reduce(lambda left, right: left ^ right, data)


def request(rack: Rack, command: bytes = REQA) -> Heard:
    """A short frame of seven bits."""
    return rack.transceive(command, last_bits=7)


def halt(rack: Rack) -> Heard:
    """HLTA; the timer says that nothing came."""
    return rack.transceive(b"\x50\x00" + crc_a(b"\x50\x00"))


def level(rack: Rack, select: int) -> bytes:
    """Four bytes of one level, whatever collides: of two tags the one with a one in the first collision."""
    known = [0] * 40
    count = 0
    rack.write(Reg.COLL, 0)
    while True:
        sent = bytes(
            sum(bit << at for at, bit in enumerate(known[from_ : from_ + 8])) for from_ in range(0, count, 8)
        )
        frame = bytes((select, ((2 + count // 8) << 4) | count % 8)) + sent
        heard = rack.transceive(frame, last_bits=count % 8, align=count % 8)
        assert Irq.RX in heard.irq, "a tag that was there a moment ago says nothing"
        base = count - count % 8
        end = 40
        if Err.COLLISION in heard.error:
            assert not heard.coll & NOT_VALID
            end = base + (heard.coll & 0x1F or 32)
        for at in range(count, end):
            known[at] = heard.data[(at - base) // 8] >> (at - base) % 8 & 1
        if end == 40 and Err.COLLISION not in heard.error:
            assert not heard.error
            data = bytes(sum(known[from_ + at] << at for at in range(8)) for from_ in range(0, 40, 8))
            assert bcc(data[:4]) == data[4]
            return data[:4]
        known[end - 1] = 1
        count = end


def select_tag(rack: Rack) -> str:
    """The UID of one tag that has answered a request; it is ACTIVE then."""
    uid = b""
    for select in SELECT:
        part = level(rack, select)
        frame = bytes((select, 0x70)) + part + bytes((bcc(part),))
        heard = rack.transceive(frame + crc_a(frame))
        assert heard.data[1:] == crc_a(heard.data[:1])
        if not heard.data[0] & 4:
            return (uid + part).hex().upper()
        assert part[0] == 0x88
        uid += part[1:]
    raise AssertionError("a third level")


def inventory(rack: Rack, command: bytes = REQA, most: int = 40) -> list[str]:
    """Every tag in the field, each selected and halted."""
    found: list[str] = []
    for _ in range(most):
        if Irq.RX not in request(rack, command).irq:
            return found
        found.append(select_tag(rack))
        halt(rack)
        command = REQA
    raise AssertionError("no end of tags")
