# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What depends on a terminal: refusal of secrets, colours, progress."""

import os
import pty
import re
import subprocess
import typing

import pytest

from apps.command.tests.key_files import KEM, assert_hides, contents, read_file


class Result:
    """What a command did whose standard output or standard error was a terminal."""

    def __init__(self, status, terminal, other):
        self.status = status
        self.terminal = terminal
        self.other = other


@pytest.fixture
def on_terminal(command, tmp_path):
    """on_terminal("stdout", "list") runs the command with that stream on a terminal."""

    def run(stream, *arguments, env=None):
        terminal, child_end = pty.openpty()
        environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        environment.update({"TERM": "xterm", **(env or {})})
        other = "stderr" if stream == "stdout" else "stdout"
        streams: dict[str, typing.Any] = {stream: child_end, other: subprocess.PIPE}
        with subprocess.Popen(
            [command, *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            **streams,
        ) as process:
            os.close(child_end)
            shown = b""
            while True:
                try:
                    piece = os.read(terminal, 65536)
                except OSError:  # the other end is closed: all has been read
                    break
                if not piece:
                    break
                shown += piece
            rest = getattr(process, other).read()
            process.wait(timeout=600)
        os.close(terminal)
        return Result(process.returncode, shown, rest)

    return run


@pytest.mark.parametrize("target", ["-", "/dev/stdout"])
def test_secret_is_not_shown_on_a_terminal(on_terminal, exchange, tmp_path, target):
    before = contents(tmp_path)
    done = on_terminal(
        "stdout",
        "decaps",
        "--secret",
        exchange.secret,
        "--ciphertext",
        exchange.ciphertext,
        "--shared",
        target,
    )
    assert done.status == 1
    assert b"is a terminal, and the output is secret; redirect it" in done.other
    assert not done.terminal
    assert contents(tmp_path) == before


def test_public_key_is_no_text_for_a_terminal(on_terminal, tmp_path):
    done = on_terminal("stdout", "keygen", "--kem", KEM, "--public", "-", "--secret", "sk")
    assert done.status == 1
    assert b"is a terminal, and the output is binary; redirect it" in done.other
    assert not contents(tmp_path)


def test_force_shows_a_secret_on_a_terminal(on_terminal, exchange):
    done = on_terminal(
        "stdout",
        "decaps",
        "--secret",
        exchange.secret,
        "--ciphertext",
        exchange.ciphertext,
        "--shared",
        "-",
        "--force",
    )
    assert done.status == 0
    # The terminal turns line ends and some control bytes of the secret into others.
    assert done.terminal.startswith(b"codekem 1 shared-secret BIKE-L1 32\r\n")


def test_secret_goes_into_a_pipe_although_errors_go_to_a_terminal(on_terminal, exchange):
    done = on_terminal(
        "stderr",
        "decaps",
        "--secret",
        exchange.secret,
        "--ciphertext",
        exchange.ciphertext,
        "--shared",
        "-",
    )
    assert (done.status, done.terminal) == (0, b"")
    assert read_file(done.other)[2] == exchange.payloads.shared


@pytest.mark.parametrize(
    "stream, arguments",
    [
        ("stdout", ["list"]),
        ("stdout", ["selftest", "--kem", KEM, "--backend", "portable"]),
        ("stdout", ["speed", "--kem", KEM, "--seconds", "0.001"]),
        ("stderr", ["nonsense"]),
    ],
)
def test_colours_on_terminals_only(on_terminal, run, stream, arguments):
    def coloured(text):
        return b"\x1b[" in text

    assert coloured(on_terminal(stream, *arguments).terminal)
    assert not coloured(on_terminal(stream, *arguments, env={"NO_COLOR": "1"}).terminal)
    assert not coloured(on_terminal(stream, *arguments, env={"TERM": "dumb"}).terminal)
    assert coloured(on_terminal(stream, *arguments, env={"NO_COLOR": ""}).terminal)
    piped = run(*arguments)
    assert not coloured(piped.stdout + piped.stderr)


def test_colours_do_not_shift_the_columns(on_terminal, succeed):
    arguments = ["selftest", "--kem", KEM, "--backend", "portable"]
    shown = on_terminal("stdout", *arguments).terminal.replace(b"\r\n", b"\n")
    plain = succeed(*arguments).stdout
    assert re.sub(rb"\x1b\[[0-9;]*m", b"", shown) == plain


def test_progress_is_shown_on_a_terminal_and_leaves_no_trace(on_terminal):
    done = on_terminal("stderr", "speed", "--kem", KEM, "--seconds", "0.001", "--json")
    assert done.status == 0
    for step in (b"[1/3] BIKE-L1 keygen", b"[2/3] BIKE-L1 encaps", b"[3/3] BIKE-L1 decaps"):
        assert step in done.terminal
    assert done.terminal.endswith(b"\r\x1b[K")


def test_messages_on_a_terminal_hide_secrets(on_terminal, exchange):
    done = on_terminal(
        "stderr", "encaps", "--public", exchange.secret, "--ciphertext", "ct", "--shared", "ss"
    )
    assert done.status == 1
    assert_hides(
        subprocess.CompletedProcess([], 1, done.other, done.terminal), exchange.payloads.secret
    )
