"""Exact plane arithmetic: the ring Z[zeta], zeta = exp(i pi/5), and signs in Z[phi].

Owns the numbers every corner of a Penrose tiling with unit short edges is made of, so that no geometric
question is ever decided by a float. Must not know what is drawn with them.

zeta is a primitive tenth root of unity: zeta^5 = -1 and zeta^4 = zeta^3 - zeta^2 + zeta - 1. The golden ratio
is phi = zeta + 1/zeta, and 1/phi = phi - 1, so scaling by phi either way stays in the ring.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sin, tau

PHI = (1 + 5**0.5) / 2
SIN_36 = sin(tau / 10)
HALF_TURN = 5
"""zeta^5 = -1."""


@dataclass(frozen=True, slots=True, order=True)
class Golden:
    """x + y * phi, exactly."""

    x: int
    y: int

    def sign(self) -> int:
        """-1, 0 or 1, from 2 * (x + y phi) = (2x + y) + y sqrt(5) without a float."""
        plain, root = 2 * self.x + self.y, self.y
        if plain * root >= 0:
            return (plain > 0 or root > 0) - (plain < 0 or root < 0)
        plain_wins = plain * plain > 5 * root * root
        return (plain > 0) - (plain < 0) if plain_wins else (root > 0) - (root < 0)

    def __float__(self) -> float:
        return self.x + self.y * PHI


@dataclass(frozen=True, slots=True, order=True)
class Exact:
    """a + b zeta + c zeta^2 + d zeta^3. The order (lexicographic) means nothing but translation keeps it."""

    a: int = 0
    b: int = 0
    c: int = 0
    d: int = 0

    def __add__(self, other: Exact) -> Exact:
        return Exact(self.a + other.a, self.b + other.b, self.c + other.c, self.d + other.d)

    def __sub__(self, other: Exact) -> Exact:
        return Exact(self.a - other.a, self.b - other.b, self.c - other.c, self.d - other.d)

    def __neg__(self) -> Exact:
        return Exact(-self.a, -self.b, -self.c, -self.d)

    def __mul__(self, other: Exact) -> Exact:
        powers = (other.turned(k) for k in range(4))
        total = ORIGIN
        for factor, power in zip((self.a, self.b, self.c, self.d), powers, strict=True):
            total += Exact(factor * power.a, factor * power.b, factor * power.c, factor * power.d)
        return total

    def turned(self, tenths: int) -> Exact:
        """Rotated about 0 by `tenths` of a full turn, counterclockwise."""
        a, b, c, d = self.a, self.b, self.c, self.d
        for _ in range(tenths % HALF_TURN):
            a, b, c, d = -d, a + d, b - d, c + d
        return Exact(a, b, c, d) if tenths % 10 < HALF_TURN else Exact(-a, -b, -c, -d)

    def conjugate(self) -> Exact:
        """Reflected in the real axis."""
        return Exact(self.a + self.b, -self.b, self.b - self.d, -self.b - self.c)

    def times_phi(self) -> Exact:
        """phi times as far from 0: turned(1) + turned(-1)."""
        a, b, c, d = self.a, self.b, self.c, self.d
        return Exact(a + b - d, c + d, a + b, c + d - a)

    def over_phi(self) -> Exact:
        """The inverse of `times_phi`: times_phi() - self."""
        a, b, c, d = self.a, self.b, self.c, self.d
        return Exact(b - d, c + d - b, a + b - c, c - a)

    def twice_real(self) -> Golden:
        """2 * Re, exactly (cos 36 = phi / 2, cos 72 = (phi - 1) / 2)."""
        return Golden(2 * self.a - self.c + self.d, self.b + self.c - self.d)

    def imaginary(self) -> Golden:
        """Im / sin(36 degrees), exactly (sin 72 = phi sin 36)."""
        return Golden(self.b, self.c + self.d)

    def square_length(self) -> Golden:
        """|z|^2, exactly."""
        a, b, c, d = self.a, self.b, self.c, self.d
        near, far, ends = a * b + b * c + c * d, a * c + b * d, a * d
        return Golden(a * a + b * b + c * c + d * d - far + ends, near + far - ends)

    def __complex__(self) -> complex:
        return complex(float(self.twice_real()) / 2, float(self.imaginary()) * SIN_36)


ORIGIN = Exact()
ONE = Exact(1)
