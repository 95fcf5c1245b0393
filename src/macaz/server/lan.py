"""The addresses of this machine in the networks it is in, for `macaz play --lan`."""

from __future__ import annotations

import socket
import struct
import sys
from contextlib import suppress
from ipaddress import IPv4Address, ip_address

# Networks inside this machine, and tunnels: a phone in the same Wi-Fi is not in them.
_VIRTUAL = (
    *("br-", "docker", "lxc", "vbox", "veth", "virbr", "vmnet"),
    *("tailscale", "tap", "tun", "wg", "zt"),
)
# Reserved for documentation and used by no host: the route to it is the route to the internet.
_ELSEWHERE = ("198.51.100.1", 9)
_SIOCGIFADDR = 0x8915  # asks Linux for the address of an interface


def lan_addresses() -> tuple[str, ...]:
    """The IPv4 addresses by which others may reach this machine, the likeliest first.

    That is the one on the way to the internet, unless that way is a tunnel.
    """
    routed = _routed()
    found = dict.fromkeys((*routed, *_of_own_name()), False)  # by address: is it virtual
    found |= _of_interfaces()
    usable = [address for address in found if _is_usable(IPv4Address(address))]
    return tuple(sorted(usable, key=lambda one: (found[one], one not in routed)))


def is_public(address: str) -> bool:
    """Whether the whole internet may reach an address."""
    return ip_address(address).is_global


def is_loopback(host: str) -> bool:
    """Whether a host name or an address is that of the machine on which it is used."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_names() -> frozenset[str]:
    """The names by which others in the network may know this machine."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({name, short, f"{short}.local"})


def _is_usable(address: IPv4Address) -> bool:
    return not (
        address.is_loopback
        or address.is_link_local
        or address.is_unspecified
        or address.is_multicast
    )


def _routed() -> tuple[str, ...]:
    """The address that packets to the internet would have; none is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(_ELSEWHERE)
        return (str(probe.getsockname()[0]),)
    return ()


def _of_own_name() -> list[str]:
    with suppress(OSError):
        return socket.gethostbyname_ex(socket.gethostname())[2]
    return []


def _of_interfaces() -> dict[str, bool]:
    """The address of every interface, and whether that is virtual; only Linux is asked."""
    found: dict[str, bool] = {}
    if sys.platform != "linux":
        return found
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # it has no address
                asked = struct.pack("256s", name.encode()[:15])
                told = fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, asked)
                found[socket.inet_ntoa(told[20:24])] = name.startswith(_VIRTUAL)
    return found
