"""A push service on this machine, over https, and a browser that can read what it gets."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from macaz.server.push import sender
from macaz.server.push.encrypt import decode64, encode64


def _hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    """RFC 5869 for at most 32 bytes, written again."""
    return hmac.digest(hmac.digest(salt, secret, hashlib.sha256), info + b"\1", hashlib.sha256)[
        :length
    ]


class Browser:
    """The keys of a subscription; `read` decrypts a notice as RFC 8291 says."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = b"sixteen bytes .."
        self.public = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )

    def subscription(self, endpoint: str, language: str = "en") -> dict[str, str]:
        keys = {"p256dh": encode64(self.public), "auth": encode64(self._auth)}
        return {"endpoint": endpoint, **keys, "language": language}

    def read(self, body: bytes) -> dict[str, Any]:
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        public, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
        info = b"WebPush: info\0" + self.public + public
        secret = _hkdf(self._auth, self._key.exchange(ec.ECDH(), point), info, 32)
        key = _hkdf(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _hkdf(salt, secret, b"Content-Encoding: nonce\0", 12)
        text = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert text[-1:] == b"\2", "the last record"
        found: dict[str, Any] = msgspec.json.decode(text[:-1])
        return found


def check_token(header: str, origin: str, key: str) -> dict[str, Any]:
    """The claims of an `Authorization` header, if its signature is that of the key (RFC 8292)."""
    parts = dict(part.split("=", 1) for part in header.removeprefix("vapid ").split(", "))
    assert parts["k"] == key
    head, claims, signature = parts["t"].split(".")
    raw = decode64(signature)
    numbers = (int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode64(key)).verify(
        encode_dss_signature(*numbers), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256())
    )
    found: dict[str, Any] = msgspec.json.decode(decode64(claims))
    assert found["aud"] == origin
    return found


@dataclass
class PushService:
    """It keeps what it gets; `answer` is its next answer by path, and None hangs."""

    loop: asyncio.AbstractEventLoop
    port: int = 0
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    answer: dict[str, int | None] = field(default_factory=dict)
    hanging: list[asyncio.StreamWriter] = field(default_factory=list)

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    def endpoint(self, path: str) -> str:
        return f"https://{self.host}/{path}"

    def hang_up(self) -> None:
        """Close the connections on which nothing was answered."""
        for writer in self.hanging:
            self.loop.call_soon_threadsafe(writer.close)
        self.hanging.clear()

    async def notices(self, number: int) -> list[tuple[str, dict[str, str], bytes]]:
        """What it got, when there are so many."""
        async with asyncio.timeout(60):
            while len(self.got) < number:
                await asyncio.sleep(0.02)
        return self.got

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode().split("\r\n")
                pairs = (line.partition(": ") for line in lines if line)
                headers = {name.lower(): value for name, _, value in pairs}
                body = await reader.readexactly(int(headers["content-length"]))
                path = first.split()[1].removeprefix("/")
                self.got.append((path, headers, body))
                status = self.answer.get(path, 201)
                if status is None:
                    self.hanging.append(writer)
                    continue
                writer.write(f"HTTP/1.1 {status} X\r\ncontent-length: 0\r\n\r\n".encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@contextmanager
def push_service(folder: Path) -> Iterator[PushService]:
    """A push service that the servers of this process believe and may connect to."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    file = folder / "push.pem"
    file.write_bytes(_certificate())
    context.load_cert_chain(file)
    trusted = ssl.create_default_context(cafile=str(file))
    loop = asyncio.new_event_loop()
    service = PushService(loop)

    async def listen() -> asyncio.Server:
        return await asyncio.start_server(service.serve, "localhost", 0, ssl=context)

    server = loop.run_until_complete(listen())
    service.port = server.sockets[0].getsockname()[1]
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sender, "certificates", lambda: trusted)
        patch.setattr(sender, "is_public", lambda address: True)
        yield service

    async def close() -> None:
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    asyncio.run_coroutine_threadsafe(close(), loop).result(30)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(30)
    loop.close()


def _certificate() -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)
