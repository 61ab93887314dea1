"""What a UART hears of bytes that were sent at another rate than its own.

Owns start bit, eight data bits, stop bit, and where they are sampled. Must not know frames, ports or time.
"""

from __future__ import annotations

_STOP_BIT = 9


def resample(data: bytes, sent_baud: int, sampled_baud: int) -> bytes:
    """The bytes that a receiver at `sampled_baud` delivers of bytes sent without a pause at `sent_baud`.

    A byte whose stop bit is missing is delivered as it was read, as USB bridges and the ATmega do; the next
    one begins at the next falling edge. Up to about 5 % apart, nothing is changed.
    """
    if sent_baud == sampled_baud or not data:
        return data
    bits = [1]  # the line is idle, then speaks, then is idle again
    for byte in data:
        bits += [0, *(byte >> place & 1 for place in range(8)), 1]

    def level(at: int) -> int:
        return bits[at] if at < len(bits) else 1

    heard = bytearray()
    edge = 1
    while edge < len(bits):
        if not (bits[edge] == 0 and bits[edge - 1] == 1):
            edge += 1
            continue
        # The middle of the receiver's bit k, in bits of the sender; whole numbers, so nothing is rounded.
        at = [edge + (2 * k + 1) * sent_baud // (2 * sampled_baud) for k in range(_STOP_BIT + 1)]
        if level(at[0]) == 1:  # over before its middle: no start bit
            edge += 1
            continue
        heard.append(sum(level(at[1 + place]) << place for place in range(8)))
        # Beyond the middle of the stop bit the receiver looks for the next start.
        edge = at[_STOP_BIT] + 1
    return bytes(heard)
