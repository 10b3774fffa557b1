# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem sign-keygen, sign and verify: files, exit status, refusals."""

import hashlib
import os
import stat
import subprocess

import pytest

from tests import sofia_program

NAME = "SOFIA-4-128"


@pytest.fixture
def run(command, tmp_path):
    """run(arguments..., input=bytes) runs the command in tmp_path."""

    def call(*arguments, **more):
        return subprocess.run(
            [command, *arguments], cwd=tmp_path, capture_output=True, check=False, **more
        )

    return call


@pytest.fixture
def signed(run, tmp_path):
    """A key pair, a message and its signature, in files p, s, m, g; returns the folder."""
    (tmp_path / "m").write_bytes(bytes(range(256)) * 1000)
    assert run("sign-keygen", "--public", "p", "--secret", "s").returncode == 0
    assert run(*["sign", "--secret", "s", "--message", "m", "--signature", "g"]).returncode == 0
    return tmp_path


VERIFY = ["verify", "--public", "p", "--message", "m", "--signature", "g"]


def test_round_trip_and_files(run, signed):
    done = run(*VERIFY)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert stat.S_IMODE((signed / "s").stat().st_mode) == 0o600
    for name, kind, length in [
        ("p", "public-key", sofia_program.PUBLIC_KEY),
        ("s", "secret-key", sofia_program.SECRET_KEY),
        ("g", "signature", sofia_program.SIGNATURE),
    ]:
        header = f"codekem 1 {kind} {NAME} {length}\n".encode()
        assert (signed / name).read_bytes().startswith(header)


def test_signature_is_that_of_the_known_answers(run, tmp_path):
    record = sofia_program.records()[3]
    for name, field in [("s", "sk"), ("p", "pk"), ("m", "msg")]:
        (tmp_path / name).write_bytes(record[field])
    sign = ["sign", "--format", "raw", "--secret", "s", "--message", "m", "--signature", "g"]
    assert run(*sign).returncode == 0
    assert hashlib.sha256((tmp_path / "g").read_bytes()).digest() == record["sig_sha256"]
    assert run(*VERIFY, "--format", "raw").returncode == 0


def test_message_through_a_pipe(run, signed):
    message = os.urandom(200001)
    sign = ["sign", "--secret", "s", "--message", "-", "--signature", "g", "--force"]
    assert run(*sign, input=message).returncode == 0
    verify = ["verify", "--public", "p", "--message", "-", "--signature", "g"]
    assert run(*verify, input=message).returncode == 0
    assert run(*verify, input=message + b"x").returncode == 1


@pytest.mark.parametrize("name", ["p", "m", "g"])
def test_changed_input_is_refused(run, signed, name):
    raw = [
        "verify",
        "--format",
        "raw",
        "--public",
        "p.raw",
        "--message",
        "m",
        "--signature",
        "g.raw",
    ]
    for file in ("p", "g"):
        payload = (signed / file).read_bytes().partition(b"\n")[2][:-16]
        (signed / f"{file}.raw").write_bytes(payload)
    assert run(*raw).returncode == 0
    path = signed / (name if name == "m" else f"{name}.raw")
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    done = run(*raw)
    assert done.returncode == 1
    assert b"is not a signature of m for this public key; do not trust" in done.stderr


@pytest.mark.parametrize("name, length", [("p", -1), ("p", 1), ("g", -1), ("g", 1), ("g", None)])
def test_wrong_lengths_are_refused(run, signed, name, length):
    """Also those of tampered.json that functions in C cannot see."""
    for file in ("p", "g"):
        payload = (signed / file).read_bytes().partition(b"\n")[2][:-16]
        if file == name:
            payload = b"" if length is None else (payload + b"\0")[: len(payload) + length]
        (signed / file).write_bytes(payload)
    done = run(*VERIFY, "--format", "raw")
    assert done.returncode == 1
    assert b"has the wrong size" in done.stderr


@pytest.mark.parametrize(
    "arguments, status, says",
    [
        ("verify --public s --message m --signature g", 1, "is a secret key, not a public key"),
        ("verify --public p --message m --signature m", 1, "is not a codekem file"),
        ("verify --public p --message none --signature g", 1, "none: cannot be read"),
        ("sign --secret g --message m --signature x", 1, "is a signature, not a secret key"),
        ("sign --secret s --message m --signature g", 1, "exists"),
        ("sign --secret s --message m --signature m --force", 2, ""),
        ("sign-keygen --public x --secret y --format pem", 2, "no object identifier"),
        ("verify --public p --message m", 2, "--signature is required"),
    ],
)
def test_bad_input_says_what_to_do(run, signed, arguments, status, says):
    done = run(*arguments.split())
    assert done.returncode == status
    assert says.encode() in done.stderr
    assert not (signed / "x").exists()


def test_key_of_a_kem_is_refused(run, signed):
    assert run(*["keygen", "--kem", "HQC-1", "--public", "k", "--secret", "l"]).returncode == 0
    done = run(*["sign", "--secret", "l", "--message", "m", "--signature", "x"])
    assert done.returncode == 1
    assert b"is for HQC-1, not SOFIA-4-128" in done.stderr or b"wrong" in done.stderr


def test_speed_and_selftest(run):
    done = run("speed", "--kem", NAME, "--seconds", "0.01", "--json")
    assert [f'"{name}"'.encode() in done.stdout for name in ("keygen", "sign", "verify")] == [
        True
    ] * 3
    done = run("selftest", "--kem", NAME, "--backend", "portable")
    assert done.stdout.decode().endswith("\n3 checks passed, 0 failed\n")
