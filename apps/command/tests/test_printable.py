# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Whatever a message quotes, a terminal shows it and does not obey it."""

import os

import pytest

# What a name holds, and how it is shown.
NAMES = [
    (b"a\x1b[2Jb", r"a\x1b[2Jb"),
    (b"a\nb\rc\td\x7f", r"a\nb\x0dc\x09d\x7f"),
    (b"a\x9bb\xff", r"a\x9bb\xff"),  # no UTF-8
    ("a\x9b31mb".encode(), r"a\u{9b}31mb"),  # a control character of UTF-8
    ("a\u202egnp.b\u2066".encode(), r"a\u{202e}gnp.b\u{2066}"),
    (b"a\xc0\x9bb", r"a\xc0\x9bb"),  # overlong
    (b"a\xed\xa0\x80b", r"a\xed\xa0\x80b"),  # a surrogate
    (b"a\xf4\x90\x80\x80", r"a\xf4\x90\x80\x80"),  # beyond the last character
    (b"a\xe2\x82", r"a\xe2\x82"),  # cut off
    ("grün-鍵-🔑".encode(), "grün-鍵-🔑"),
]

# Where names come in, and what stands before them in the message.
PLACES = {
    "input": (
        ["encaps", "--public", None, "--ciphertext", "ct", "--shared", "ss"],
        "{}: cannot be",
    ),
    "output": (["keygen", "--kem", "BIKE-L1", "--public", "pk", "--secret", None], "{}: cannot be"),
    "KEM": (["keygen", "--kem", None, "--public", "pk", "--secret", "sk"], "there is no KEM '{}'"),
    "format": (
        ["keygen", "--kem", "BIKE-L1", "--public", "pk", "--secret", "sk", "--format", None],
        "there is no format '{}'",
    ),
    "back end": (["speed", "--backend", None], "there is no back end '{}'"),
    "command": ([None], "there is no command '{}'"),
    "argument": (["list", None], "one argument too many, '{}'"),
    "number": (["kat", "--kem", "BIKE-L1", "--count", None], "--count = {}"),
}


@pytest.fixture
def says(run):
    def check(arguments, expected, **options):
        done = run(*arguments, **options)
        assert done.returncode in (1, 2) and not done.stdout
        message = done.stderr.decode()  # which must be UTF-8
        assert expected in message
        assert message.endswith("\n") and not {c for c in message[:-1] if c < " " or c == "\x7f"}
        return message

    return check


@pytest.mark.parametrize("name, shown", NAMES)
@pytest.mark.parametrize("place", PLACES)
def test_names_in_arguments(says, place, name, shown):
    arguments, message = PLACES[place]
    if place in ("input", "output"):
        name, shown = b"nowhere/" + name, "nowhere/" + shown
    says([os.fsdecode(name) if word is None else word for word in arguments], message.format(shown))


@pytest.mark.parametrize("name, shown", NAMES)
def test_names_in_the_environment(says, name, shown):
    says(["list"], f"the back end '{shown}'", env={"CODEKEM_CPU": os.fsdecode(name)})
    says(
        ["speed", "--backend", "simulated"],
        shown,
        env={"CODEKEM_SIMULATED": os.fsdecode(b"./" + name)},
    )


@pytest.mark.parametrize("name, shown", NAMES)
def test_names_of_files_with_bad_contents(says, tmp_path, name, shown):
    path = os.fsencode(tmp_path) + b"/" + name
    with open(path, "wb") as file:
        file.write(b"nothing")
    says(
        ["encaps", "--public", os.fsdecode(name), "--ciphertext", "ct", "--shared", "ss"],
        f"{shown}: is not a codekem file",
    )
