"""The encryption of a notice for one browser (RFC 8291, RFC 8188), and who sends it (RFC 8292)."""

from __future__ import annotations

import base64
import binascii
import os
import time

import msgspec

from macaz.errors import MissingExtra

try:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
except ImportError as error:
    raise MissingExtra("cryptography", "Telling people of their turn", "push") from error

CURVE = ec.SECP256R1()
RECORD_BYTES = 4096  # one record holds any notice
PADDED_BYTES = 512  # the length of a notice would tell how long the names in it are
TOKEN_SECONDS = 12 * 3600  # RFC 8292 allows 24 hours


def encode64(data: bytes) -> str:
    """Base64 for addresses, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode64(text: str) -> bytes:
    """The bytes of `encode64`, padded or not; raises `ValueError`."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error


def new_key() -> str:
    """A new private key, as it is kept."""
    return encode64(ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(32))


def check_keys(p256dh: str, auth: str) -> None:
    """Raise `ValueError` unless a browser's keys can be used."""
    ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode64(p256dh))
    if len(decode64(auth)) != 16:
        raise ValueError("the secret is not 16 bytes long")


def encrypt(text: bytes, p256dh: str, auth: str) -> bytes:
    """The body of a request that only the browser with these keys can read."""
    receiver = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode64(p256dh))
    sender = ec.generate_private_key(CURVE)  # a new one for each notice
    public, salt = _point(sender.public_key()), os.urandom(16)
    info = b"WebPush: info\0" + _point(receiver) + public
    shared = _derive(sender.exchange(ec.ECDH(), receiver), decode64(auth), info, 32)
    key = _derive(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(shared, salt, b"Content-Encoding: nonce\0", 12)
    padded = text + b"\2" + bytes(-(len(text) + 1) % PADDED_BYTES)
    head = salt + RECORD_BYTES.to_bytes(4) + bytes([len(public)]) + public
    return head + AESGCM(key).encrypt(nonce, padded, None)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Identification:
    """The key by which push services recognise this server.

    `contact` is where the makers of a push service can reach its host, or nothing. Raises
    `ValueError` for what is no key.
    """

    def __init__(self, key: str, contact: str) -> None:
        self._key = ec.derive_private_key(int.from_bytes(decode64(key)), CURVE)
        self._contact = contact
        self.public = encode64(_point(self._key.public_key()))

    def header(self, audience: str) -> str:
        """The `Authorization` header for a push service, by its origin."""
        claims: dict[str, object] = {"aud": audience, "exp": int(time.time()) + TOKEN_SECONDS}
        if self._contact:
            claims["sub"] = self._contact
        parts = [
            encode64(msgspec.json.encode(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims)
        ]
        signed = ".".join(parts).encode()
        r, s = decode_dss_signature(self._key.sign(signed, ec.ECDSA(hashes.SHA256())))
        signature = encode64(r.to_bytes(32) + s.to_bytes(32))
        return f"vapid t={signed.decode()}.{signature}, k={self.public}"
