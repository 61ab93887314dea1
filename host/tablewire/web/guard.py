"""Who may ask, and what every answer carries: Host, Origin, fetch metadata, security headers.

Owns the checks made before any route runs. Must not know the routes, the game or the state document.
"""

import ipaddress
import socket
from collections.abc import Sequence
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

# Everything the page needs is served by this program, so nothing else may load, be sent to, or frame it.
# 'data:' for images is for the icon alone.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
_EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104  compared with, never bound to


class Headers(Protocol):
    """What is asked of a request's headers (the names are compared without case)."""

    def get(self, key: str, /) -> str | None:
        """The value of a header, or None."""


class Refusal(NamedTuple):
    """Why a request is not answered: an HTTP status, a word for programs, a line for people."""

    status: int
    reason: str
    text: str


def is_loopback(host: str) -> bool:
    """Whether an address or name to listen on is reached from this computer only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def allowed_hosts(host: str) -> tuple[str, ...]:
    """The names a request may call this server by, when it listens on `host`."""
    if is_loopback(host):
        return (*_LOOPBACK_NAMES, host)
    own = socket.gethostname().lower()
    return (*_LOOPBACK_NAMES, host, own, f"{own}.local")


def refuse_host(header: str | None, hosts: Sequence[str]) -> Refusal | None:
    """Refuse a Host header that does not name this server: another site's name pointed at our address (DNS
    rebinding).

    Where the server listens on every address, any address written in digits is its own: rebinding needs a
    name.
    """
    name = _hostname(header or "")
    if name is not None and (
        name in hosts or (_is_address(name) and any(h in hosts for h in _EVERY_ADDRESS))
    ):
        return None
    return Refusal(421, "unknown_host", "this address is not one of this table's own names")


def refuse_cross_site(headers: Headers, *, writes: bool) -> Refusal | None:
    """Refuse what another site's page asks a browser to do. Programs that are no browser send none of these
    headers.
    """
    site = headers.get("Sec-Fetch-Site")
    if site is not None and site not in ("same-origin", "none") and (writes or site == "cross-site"):
        return Refusal(403, "cross_site", "requests from other sites are not accepted")
    origin = headers.get("Origin")
    if writes and origin is not None and origin.lower() != f"http://{headers.get('Host')}".lower():
        return Refusal(403, "cross_site", "requests from other sites are not accepted")
    return None


def _hostname(header: str) -> str | None:
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port  # raises ValueError where it is no number
    except ValueError:
        return None
    is_bare = not (parts.path or parts.query or parts.fragment or "@" in header)
    return parts.hostname if is_bare else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
