# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the command leaves in its memory: no key and no secret, whatever happened to it."""

import base64
import subprocess

import pytest

from apps.command.tests.key_files import KEM, read_file

WATCHED = 24  # bytes: enough for no chance hit
# Where they begin, in every format: at the end of a BIKE key's list of positions. What was given
# back is overwritten from its beginning, and the polynomials behind the list are mostly zeros.
START = 530


@pytest.fixture(scope="module")
def watch(tmp_path_factory, root):
    library = tmp_path_factory.mktemp("watch") / "memory_watch.so"
    subprocess.run(
        [
            "gcc",
            "-shared",
            "-fPIC",
            "-O2",
            "-o",
            library,
            root / "apps/command/tests/memory_watch.c",
        ],
        check=True,
    )
    return library


@pytest.fixture
def left_in_memory(run, watch, tmp_path):
    """left_in_memory(part, "decaps", ...) runs a command; returns whether its memory holds that
    part of a secret at the end, "found" or "nothing", and the exit status."""

    def look(part, *arguments, **options):
        assert len(set(part)) > 6, "too regular to be found once only"
        inverted = bytes(byte ^ 0xFF for byte in part)
        done = run(
            *arguments,
            **options,
            env={
                "LD_PRELOAD": str(watch),
                "MEMORY_WATCH_SECRET": inverted.hex(),
                "MEMORY_WATCH_RESULT": str(tmp_path / "found"),
            },
        )
        return (tmp_path / "found").read_text(), done.returncode

    return look


def test_the_watch_sees_what_is_left(left_in_memory):
    """A file name stays in memory: in the arguments, and in a string."""
    name = "a-file-that-is-not-there-0123456789abcdef"
    assert left_in_memory(
        name.encode(), "encaps", "--public", name, "--ciphertext", "ct", "--shared", "ss"
    ) == ("found", 1)


@pytest.mark.parametrize("form", ["codekem", "raw", "seed", "both"])
def test_decapsulation_leaves_nothing(left_in_memory, succeed, form, tmp_path):
    in_pem = form in ("seed", "both")
    extra = ["--format", "pem" if in_pem else form, "--kem", KEM]
    forms = ["--form", form] if in_pem else []
    succeed("keygen", "--public", "pk", "--secret", "sk", *extra, *forms)
    succeed("encaps", "--public", "pk", "--ciphertext", "ct", "--shared", "ss", *extra)
    succeed("keygen", "--public", "pk2", "--secret", "sk2", "--kem", KEM)
    text = (tmp_path / "sk").read_bytes()
    start = 80 if form == "seed" else START  # in base64 behind what stands before the seed
    parts = [text[start : start + WATCHED], (tmp_path / "ss").read_bytes()[-WATCHED - 20 : -20]]
    if in_pem:
        der = base64.b64decode(b"".join(text.splitlines()[1:-1]))
        parts.append(der[-WATCHED:] if form == "seed" else der[START : START + WATCHED])
    for number, watched in enumerate(parts):
        assert left_in_memory(
            watched,
            "decaps",
            "--secret",
            "sk",
            "--ciphertext",
            "ct",
            "--shared",
            f"out{number}",
            *extra,
        ) == ("nothing", 0)
        assert left_in_memory(
            watched, "encaps", "--public", "sk", "--ciphertext", "x", "--shared", "y", *extra
        ) == ("nothing", 1)


@pytest.mark.parametrize(
    "arguments",
    [
        ["decaps", "--secret", "raw.key", "--ciphertext", "to-bob.ct", "--shared", "out"],
        ["encaps", "--public", "raw.key", "--ciphertext", "out.ct", "--shared", "out"],
        [
            "decaps",
            "--secret",
            "raw.key",
            "--ciphertext",
            "to-bob.ct",
            "--shared",
            "out",
            "--format",
            "pem",
        ],
        [
            "decaps",
            "--secret",
            "raw.key",
            "--ciphertext",
            "to-bob.ct",
            "--shared",
            "out",
            "--format",
            "raw",
            "--kem",
            "HQC-1",
        ],
        [
            "decaps",
            "--secret",
            "raw.key",
            "--ciphertext",
            "missing",
            "--shared",
            "out",
            "--format",
            "raw",
            "--kem",
            KEM,
        ],
    ],
    ids=["no format", "as public key", "as PEM", "other KEM", "no ciphertext"],
)
def test_refused_secret_key_leaves_nothing(left_in_memory, exchange, tmp_path, arguments):
    secret = read_file(exchange.secret.read_bytes())[2]
    (tmp_path / "raw.key").write_bytes(secret)
    assert left_in_memory(secret[START : START + WATCHED], *arguments) == ("nothing", 1)
