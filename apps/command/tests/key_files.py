# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files of the command: written and read by rules of our own, and searched for secrets."""

import hashlib

KEM = "BIKE-L1"  # which the tests use where one KEM is enough


def contents(folder):
    """Returns {name: bytes} of the regular files in folder, hidden ones, too."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.is_file() and not path.is_symlink()
    }


def assert_hides(done, secret):
    """Asserts that no eight bytes of secret are in the output, neither plain nor in hexadecimal."""
    output = (done.stdout or b"") + (done.stderr or b"")
    if isinstance(output, str):
        output = output.encode()
    lower = output.lower()
    for i in range(0, len(secret) - 8, 8):
        piece = secret[i : i + 8]
        if len(set(piece)) < 3:
            continue  # a run of zeros proves nothing
        assert piece not in output
        assert piece.hex().encode() not in lower


def make_file(kind, kem, payload, length=None, version=b"1"):
    """Writes a codekem file as docs/file-format.md says, apart from the command's own code."""
    header = (
        b" ".join(
            [
                b"codekem",
                version,
                kind.encode(),
                kem.encode(),
                str(len(payload) if length is None else length).encode(),
            ]
        )
        + b"\n"
    )
    return header + payload + hashlib.sha3_256(header + payload).digest()[:16]


def read_file(data):
    """Returns (kind, KEM, payload) of a codekem file; fails unless it is in canonical form."""
    header, rest = data.split(b"\n", 1)
    mark, version, kind, kem, length = header.decode("ascii").split(" ")
    payload = rest[: int(length)]
    assert (mark, version) == ("codekem", "1")
    assert data == make_file(kind, kem, payload)
    return kind, kem, payload
