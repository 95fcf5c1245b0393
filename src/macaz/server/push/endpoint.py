"""Which addresses of push services are used. Guests send them, so they could be any address."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

MOST_CHARACTERS = 1024
HTTPS_PORT = 443
_NAME = re.compile(r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*")
_NAT64 = IPv6Network("64:ff9b::/96")  # its last four bytes are an IPv4 address


def origin_of(endpoint: str) -> str:
    """The scheme, name and port of an address, as push services want to see it."""
    parts = urlsplit(endpoint)
    return f"{parts.scheme}://{parts.netloc}"


def is_allowed(endpoint: str, hosts: Iterable[str]) -> bool:
    """Whether an address is https, and at one of these hosts: `name`, `*.name` or `name:port`."""
    if len(endpoint) > MOST_CHARACTERS or not endpoint.isascii() or not endpoint.isprintable():
        return False
    try:
        parts = urlsplit(endpoint)
        port = parts.port or HTTPS_PORT
    except ValueError:
        return False
    plain = parts.scheme == "https" and "@" not in parts.netloc and " " not in endpoint
    return plain and any(_matches(parts, port, host.lower()) for host in hosts)


def _matches(parts: SplitResult, port: int, host: str) -> bool:
    name, _, wanted = host.partition(":")
    if port != int(wanted or HTTPS_PORT):
        return False
    asked = parts.hostname or ""
    if not _NAME.fullmatch(asked):
        return False
    return asked.endswith(name[1:]) if name.startswith("*.") else asked == name


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet: not of this machine or its network."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        inner = IPv4Address(int(ip) & 0xFFFF_FFFF) if ip in _NAT64 else None
        ip = ip.ipv4_mapped or ip.sixtofour or inner or ip
    return ip.is_global and not ip.is_multicast
