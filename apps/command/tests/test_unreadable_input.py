# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Inputs that cannot be read, or never end: a clear error, and no more memory than a key takes."""

import ctypes
import os
import resource
import threading

import pytest

from apps.command.tests.key_files import KEM


def drop_override_of_permissions():
    """Gives up the capabilities by which root passes over the permissions of files."""
    libc = ctypes.CDLL(None, use_errno=True)
    pr_capbset_drop, cap_dac_override, cap_dac_read_search = 24, 1, 2
    for capability in (cap_dac_override, cap_dac_read_search):
        # Taken out of the bounding set, a capability is gone after exec, also for root.
        if libc.prctl(pr_capbset_drop, capability, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")


def test_missing_input(fail):
    fail(
        "encaps",
        "--public",
        "nowhere.pub",
        "--ciphertext",
        "out.ct",
        "--shared",
        "out.ss",
        says=["nowhere.pub: cannot be read: No such file or directory", "check the name"],
    )


def test_directory_as_input(fail, tmp_path):
    (tmp_path / "folder").mkdir()
    fail(
        "encaps",
        "--public",
        "folder",
        "--ciphertext",
        "out.ct",
        "--shared",
        "out.ss",
        says="folder: cannot be read: Is a directory; name a file",
    )


def test_unreadable_input(run, exchange):
    exchange.public.chmod(0)
    options = {}
    if os.geteuid() == 0:
        # Root may read everything: give up that right, and only that one.
        options["preexec_fn"] = drop_override_of_permissions
    before = sorted(exchange.public.parent.iterdir())
    done = run(
        "encaps",
        "--public",
        exchange.public,
        "--ciphertext",
        "out.ct",
        "--shared",
        "out.ss",
        text=True,
        **options,
    )
    assert done.returncode == 1
    assert "bob.pub: cannot be read: Permission denied; check the permissions" in done.stderr
    assert sorted(exchange.public.parent.iterdir()) == before


def test_closed_standard_input(fail):
    fail(
        "encaps",
        "--public",
        "-",
        "--ciphertext",
        "out.ct",
        "--shared",
        "out.ss",
        stdin=None,
        preexec_fn=lambda: os.close(0),
        says="standard input: cannot be read: Bad file descriptor",
    )


@pytest.mark.parametrize("form", [[], ["--format", "raw", "--kem", KEM]], ids=["codekem", "raw"])
def test_endless_device_needs_no_endless_memory(fail, form):
    limit = 256 << 20  # bytes of address space
    fail(
        "encaps",
        "--public",
        "/dev/zero",
        "--ciphertext",
        "out.ct",
        "--shared",
        "out.ss",
        *form,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        says="got more" if form else "/dev/zero: is not a codekem file",
    )


def test_endless_named_pipe_with_a_good_beginning(fail, exchange, tmp_path):
    os.mkfifo(tmp_path / "fifo")

    def feed():
        try:
            with open(tmp_path / "fifo", "wb", buffering=0) as fifo:
                fifo.write(exchange.public.read_bytes())
                while True:
                    fifo.write(b"x" * 65536)
        except BrokenPipeError:
            pass

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    fail(
        "encaps",
        "--public",
        "fifo",
        "--ciphertext",
        "out.ct",
        "--shared",
        "out.ss",
        says="fifo: goes on after its end",
    )
    feeder.join(timeout=600)
    assert not feeder.is_alive()


def test_sparse_giant_is_not_read_to_its_end(fail, tmp_path):
    with (tmp_path / "giant").open("wb") as file:
        file.write(b"codekem 1 public-key BIKE-L1 1541\n")
        file.truncate(1 << 40)
    os.mkdir(tmp_path / "d")
    (tmp_path / "giant").rename(tmp_path / "d" / "giant")  # out of the sight of fail()
    fail(
        "encaps",
        "--public",
        "d/giant",
        "--ciphertext",
        "out.ct",
        "--shared",
        "out.ss",
        says="d/giant: goes on after its end",
    )


def test_two_inputs_from_one_stream(fail, exchange):
    fail(
        "decaps",
        "--secret",
        "-",
        "--ciphertext",
        "-",
        "--shared",
        "out.ss",
        status=2,
        says="only one input can be standard input",
    )
    fail(
        "decaps",
        "--secret",
        "-",
        "--ciphertext",
        "/dev/stdin",
        "--shared",
        "out.ss",
        status=2,
        input=exchange.secret.read_bytes(),
        says="are the same stream",
    )
