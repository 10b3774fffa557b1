# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys in DER and PEM: SubjectPublicKeyInfo [RFC5280, 4.1] and PrivateKeyInfo [RFC5958, 2], whose
content is a seed, a secret key, or both, as for ML-KEM [RFC9935, 6].

Nothing here knows the KEMs: keys are bytes below an object identifier, which is its content in DER.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import NamedTuple

INTEGER, BIT_STRING, OCTET_STRING, OBJECT_IDENTIFIER, SEQUENCE = 0x02, 0x03, 0x04, 0x06, 0x30
SEED, ATTRIBUTES, PUBLIC_KEY = 0x80, 0xA0, 0x81
MAX_OID_BYTES = 128


class PrivateParts(NamedTuple):
    """What a private key in a file has: a seed, a secret key, or both, and maybe a public key."""

    oid: bytes
    seed: bytes | None
    secret_key: bytes | None
    public_key: bytes | None


# --- Writing --------------------------------------------------------------------------------------


def element(tag: int, *parts: bytes) -> bytes:
    content = b"".join(parts)
    if len(content) < 0x80:
        return bytes([tag, len(content)]) + content
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def algorithm(oid: bytes) -> bytes:
    return element(SEQUENCE, element(OBJECT_IDENTIFIER, oid))


def write_public(oid: bytes, public_key: bytes) -> bytes:
    return element(SEQUENCE, algorithm(oid), element(BIT_STRING, b"\0", public_key))


def write_private(oid: bytes, seed: bytes | None, secret_key: bytes | None) -> bytes:
    """Returns the key with those of its parts that are given."""
    if secret_key is None:
        content = element(SEED, seed or b"")
    elif seed is None:
        content = element(OCTET_STRING, secret_key)
    else:
        both = element(OCTET_STRING, seed), element(OCTET_STRING, secret_key)
        content = element(SEQUENCE, *both)
    return element(
        SEQUENCE, element(INTEGER, b"\0"), algorithm(oid), element(OCTET_STRING, content)
    )


def write_pem(label: str, der: bytes) -> bytes:
    text = base64.b64encode(der).decode("ascii")
    lines = "".join(f"{text[i : i + 64]}\n" for i in range(0, len(text), 64))
    return f"-----BEGIN {label}-----\n{lines}-----END {label}-----\n".encode("ascii")


# --- Reading --------------------------------------------------------------------------------------


class Reader:
    """Bytes from whose front elements are taken."""

    __slots__ = ("_data",)

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def rest(self) -> bytes:
        return self._data

    def take(self, tag: int) -> Reader | None:
        """Takes off the element with a tag and returns its content; None if another is there, or
        its length is not in DER."""
        data = self._data
        if len(data) < 2 or data[0] != tag:
            return None
        length, start = data[1], 2
        if length >= 0x80:
            start += length - 0x80
            length = int.from_bytes(data[2:start], "big")
            # One form for each length, the shortest; a form of no bytes is 0.
            if len(data) < start or length < 0x80 or length >> 8 * (start - 3) == 0:
                return None
        if len(data) - start < length:
            return None
        self._data = data[start + length :]
        return Reader(data[start : start + length])

    def end(self) -> None:
        if self._data:
            raise ValueError("the key has something behind its end")

    def oid(self) -> bytes:
        """Takes off the AlgorithmIdentifier, which must have no parameters."""
        identifier = self.take(SEQUENCE)
        found = identifier.take(OBJECT_IDENTIFIER) if identifier is not None else None
        if identifier is None or found is None or not is_oid(found.rest()):
            raise ValueError("the key has no object identifier that can be read")
        if len(identifier):
            raise ValueError(
                "the key has parameters beside its object identifier, and none belong there"
            )
        return found.rest()


def is_oid(content: bytes) -> bool:
    """Says whether these are numbers, none of them cut off or longer than there need be."""
    starts = [0, *(place + 1 for place, byte in enumerate(content) if byte < 0x80)]
    return (
        0 < len(content) <= MAX_OID_BYTES
        and content[-1] < 0x80
        and all(content[start] != 0x80 for start in starts[:-1])
    )


def oid_text(content: bytes) -> str:
    """Returns an object identifier in numbers with dots."""
    numbers, number = [], 0
    for byte in content:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(number)
            number = 0
    first = min(numbers[0] // 40, 2)
    return ".".join(map(str, [first, numbers[0] - 40 * first, *numbers[1:]]))


def whole(der: bytes) -> Reader:
    reader = Reader(der)
    info = reader.take(SEQUENCE)
    if info is None:
        raise ValueError("the content is not a key in DER, or it is cut off")
    reader.end()
    return info


def bits(content: Reader | None) -> bytes:
    data = content.rest() if content is not None else b""
    if data[:1] != b"\0":
        raise ValueError("the key has no bit string, of whole bytes, with the public key")
    return data[1:]


def read_public(der: bytes) -> tuple[bytes, bytes]:
    """Returns the object identifier and the public key. Raises ValueError."""
    info = whole(der)
    oid = info.oid()
    public_key = bits(info.take(BIT_STRING))
    info.end()
    return oid, public_key


def read_version(info: Reader) -> int:
    version = info.take(INTEGER)
    if version is None or not len(version):
        raise ValueError("the private key does not begin with the version of a PrivateKeyInfo")
    if version.rest() not in (b"\0", b"\1"):
        raise ValueError("the private key is of a later version than 0 and 1, the only ones known")
    return version.rest()[0]


def read_content(content: Reader) -> tuple[bytes | None, bytes | None]:
    """Returns the seed and the secret key, of which one may be None."""
    both = content.take(SEQUENCE)
    if both is not None:
        seed, secret_key = both.take(OCTET_STRING), both.take(OCTET_STRING)
        good = seed is not None and secret_key is not None and not len(both)
    else:
        seed, secret_key = content.take(SEED), content.take(OCTET_STRING)
        good = (seed is None) != (secret_key is None)
    if not good or len(content):
        raise ValueError("the private key is neither a seed, nor a secret key, nor both")
    return (
        None if seed is None else seed.rest(),
        None if secret_key is None else secret_key.rest(),
    )


def read_private(der: bytes) -> PrivateParts:
    """Raises ValueError unless this is a PrivateKeyInfo of version 0 or 1."""
    info = whole(der)
    version = read_version(info)
    oid = info.oid()
    content = info.take(OCTET_STRING)
    if content is None:
        raise ValueError("the key has no octet string with the private key")
    info.take(ATTRIBUTES)
    public = info.take(PUBLIC_KEY)
    if public is not None and version == 0:
        raise ValueError("the private key has a public key, which its version 0 does not allow")
    public_key = None if public is None else bits(public)
    info.end()
    return PrivateParts(oid, *read_content(content), public_key)


PEM = re.compile(
    rb"^-----BEGIN ([ -,.-~]*)-----[ \t]*\r?\n(.*?)^-----END \1-----[ \t]*\r?$",
    re.DOTALL | re.MULTILINE,
)


def read_pem(label: str, text: bytes) -> bytes:
    """Returns the DER of the first PEM in a text, which must have this label. Raises ValueError."""
    found = PEM.search(text)
    if found is None:
        raise ValueError("this is not in PEM, or it is cut off")
    kind = found[1].decode("ascii")
    if kind == "ENCRYPTED PRIVATE KEY":
        raise ValueError(
            "the key is encrypted, which this package does not undo; openssl pkey does"
        )
    if kind != label:
        raise ValueError(f"this is a {kind[:40]}, where a {label} belongs")
    try:
        return base64.b64decode(b"".join(found[2].split()), validate=True)
    except binascii.Error:
        raise ValueError("the text between the first and the last line is not base64") from None
