# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Outputs that cannot be written: the reason is named, and no file appears or changes."""

import os
import resource
import subprocess

import pytest

from apps.command.tests.key_files import KEM, contents

KEYGEN = ["keygen", "--kem", KEM]


def closed_pipe():
    """Returns the writing end of a pipe that nobody will read."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def test_existing_file_is_kept(fail, exchange):
    for public, secret, name in [
        (exchange.public, "new", "bob.pub"),
        ("new", exchange.secret, "bob.key"),
    ]:
        fail(
            *KEYGEN,
            "--public",
            public,
            "--secret",
            secret,
            says=[f"{name}: exists already", "--force"],
        )
    fail(
        "encaps",
        "--public",
        exchange.public,
        "--ciphertext",
        exchange.ciphertext,
        "--shared",
        "new",
        says="to-bob.ct: exists already",
    )
    fail(
        "encaps",
        "--public",
        exchange.public,
        "--ciphertext",
        "new",
        "--shared",
        exchange.shared,
        says="alice.ss: exists already",
    )
    fail(
        "decaps",
        "--secret",
        exchange.secret,
        "--ciphertext",
        exchange.ciphertext,
        "--shared",
        exchange.shared,
        says="alice.ss: exists already",
    )


def test_missing_directory(fail):
    for public, secret in [("nowhere/pk", "sk"), ("pk", "nowhere/sk")]:
        fail(
            *KEYGEN,
            "--public",
            public,
            "--secret",
            secret,
            says=["nowhere/", "cannot be written: No such file or directory; check"],
        )


def test_file_where_a_directory_belongs(fail, exchange):
    fail(*KEYGEN, "--public", "bob.pub/pk", "--secret", "sk", says="Not a directory; check")


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_directory_as_output(fail, tmp_path, force):
    (tmp_path / "folder").mkdir()
    for name in ("folder", "folder/", "."):
        fail(*KEYGEN, "--public", "pk", "--secret", name, *force, says=f"{name}: is a directory")


def test_empty_name_and_trailing_slash(fail):
    fail(*KEYGEN, "--public", "pk", "--secret", "new/", says="'new/': is not the name of a file")
    fail(*KEYGEN, "--public", "pk", "--secret", "", says="'': is not the name of a file")


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_symbolic_link_to_nothing(fail, tmp_path, force):
    (tmp_path / "link").symlink_to("nowhere")
    fail(
        *KEYGEN,
        "--public",
        "pk",
        "--secret",
        "link",
        *force,
        says="link: is a symbolic link to nothing",
    )
    assert (tmp_path / "link").is_symlink()


def test_directory_in_which_nothing_can_be_created(fail):
    fail(*KEYGEN, "--public", "pk", "--secret", "/proc/sk", says="/proc/sk: cannot be written: ")


def test_name_too_long(fail):
    fail(*KEYGEN, "--public", "pk", "--secret", "x" * 300, says="File name too long; choose")


# --- Full disks and limits ------------------------------------------------------------------------


@pytest.mark.parametrize("public, secret", [("pk", "/dev/full"), ("/dev/full", "sk")])
def test_full_device(fail, public, secret):
    fail(
        *KEYGEN,
        "--public",
        public,
        "--secret",
        secret,
        says="/dev/full: cannot be written: No space left on device; free some space",
    )


def test_full_device_behind_standard_output(fail, exchange):
    with open("/dev/full", "wb") as full:
        fail(
            "encaps",
            "--public",
            exchange.public,
            "--ciphertext",
            "-",
            "--shared",
            "out.ss",
            stdout=full,
            says="standard output: cannot be written: No space left on device",
        )


def test_full_device_changes_no_existing_file(fail, exchange):
    fail(
        *KEYGEN,
        "--public",
        exchange.public,
        "--secret",
        "/dev/full",
        "--force",
        says="/dev/full: cannot be written",
    )


@pytest.mark.parametrize("limit, name", [(100, "pk"), (2000, "sk")])
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_limit_of_file_sizes(fail, limit, name, force, tmp_path):
    """2000 bytes have room for the public key, but not for the secret key, the second output."""
    if force:
        (tmp_path / "pk").write_bytes(b"old public key")
        (tmp_path / "sk").write_bytes(b"old secret key")
    fail(
        *KEYGEN,
        "--public",
        "pk",
        "--secret",
        "sk",
        *force,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        says=[f"{name}: cannot be written: File too large", "ulimit -f"],
    )


def test_no_room_on_a_file_system(fail, tmp_path):
    """A file system of two pages, mounted where only the command sees it."""
    (tmp_path / "small").mkdir()
    mount = 'mount -t tmpfs -o size=8k,mode=777 none small && exec "$0" "$@"'
    probe = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "true"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    if probe.returncode != 0:
        pytest.skip(
            f"small file system not tried: this system lets no one mount one "
            f"({probe.stderr.strip()}); /dev/full and limits stand in for it"
        )
    fail(
        *KEYGEN,
        "--public",
        "small/pk",
        "--secret",
        "small/sk",
        prefix=["unshare", "--map-root-user", "--mount", "sh", "-c", mount],
        says="small/sk: cannot be written: No space left on device; free some space",
    )


# --- Pipes and closed streams ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        [*KEYGEN, "--public", "-", "--secret", "sk"],
        [*KEYGEN, "--public", "pk", "--secret", "-"],
        ["kat", "--kem", KEM],
        ["list"],
    ],
)
def test_closed_pipe(fail, arguments):
    pipe = closed_pipe()
    try:
        fail(*arguments, stdout=pipe, says="standard output: cannot be written: Broken pipe; keep")
    finally:
        os.close(pipe)


@pytest.mark.parametrize(
    "arguments",
    [
        [*KEYGEN, "--public", "-", "--secret", "sk"],
        [*KEYGEN, "--public", "pk", "--secret", "-"],
        [*KEYGEN, "--public", "/dev/null", "--secret", "-"],
        ["list"],
    ],
)
def test_closed_standard_output(fail, arguments):
    """No file that the command opens may become its standard output."""
    fail(
        *arguments,
        stdout=None,
        preexec_fn=lambda: os.close(1),
        says="standard output: cannot be written: Bad file descriptor",
    )


def test_closed_standard_error_hides_no_failure(run, tmp_path):
    done = run(
        "encaps",
        "--public",
        "nowhere",
        "--ciphertext",
        "ct",
        "--shared",
        "ss",
        stderr=None,
        preexec_fn=lambda: os.close(2),
    )
    assert done.returncode == 1
    assert not contents(tmp_path)


# --- One place for two outputs --------------------------------------------------------------------


@pytest.mark.parametrize(
    "public, secret",
    [
        ("-", "-"),
        ("same", "same"),
        ("same", "./same"),
        ("same", "../{here}/same"),
        ("-", "/dev/stdout"),
        ("/dev/stdout", "-"),
    ],
)
def test_two_outputs_in_one_place(fail, tmp_path, public, secret):
    fail(
        *KEYGEN,
        "--public",
        public,
        "--secret",
        secret.format(here=tmp_path.name),
        status=2,
        says="is named for two outputs",
    )


def test_two_outputs_over_one_existing_file(fail, tmp_path):
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "link").symlink_to("old")
    fail(
        *KEYGEN,
        "--public",
        "old",
        "--secret",
        "link",
        "--force",
        status=2,
        says="is named for two outputs",
    )


def test_output_over_an_input(fail, exchange):
    fail(
        "encaps",
        "--public",
        exchange.public,
        "--ciphertext",
        exchange.public,
        "--shared",
        "new",
        "--force",
        status=2,
        says="bob.pub: is both an input and an output",
    )
    fail(
        "decaps",
        "--secret",
        exchange.secret,
        "--ciphertext",
        exchange.ciphertext,
        "--shared",
        "./bob.key",
        "--force",
        status=2,
        says="./bob.key: is both an input and an output",
    )
