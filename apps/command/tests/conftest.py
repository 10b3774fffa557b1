# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the tests of the command share: running it, its files, and what must hold after a
failure."""

import os
import pathlib
import subprocess
from types import SimpleNamespace

import pytest

from apps.command.tests.key_files import KEM, assert_hides, contents, read_file


@pytest.fixture(scope="session")
def command(request):
    """The path of the command; the variable CODEKEM_COMMAND names one that is built already."""
    given = os.environ.get("CODEKEM_COMMAND")
    if given:
        return pathlib.Path(given).resolve()
    return request.getfixturevalue("build")("gcc") / "bin" / "codekem"


@pytest.fixture
def run(command, tmp_path):
    """run("list", "--json") returns what subprocess.run does; it runs in tmp_path.

    Output is bytes unless text=True. No input, no colours, the best back end, unless the test says
    otherwise. prefix: words before the command, a program that runs it.
    """

    def run_command(*arguments, env=None, prefix=(), **options):
        environment = {
            key: value
            for key, value in os.environ.items()
            if key not in ("CODEKEM_CPU", "NO_COLOR")
        }
        environment.update(env or {})
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run(
            [*prefix, str(command), *map(str, arguments)],
            cwd=tmp_path,
            check=False,
            timeout=600,
            env=environment,
            **options,
        )

    return run_command


@pytest.fixture
def succeed(run):
    """As run, for commands that must succeed and say nothing on standard error."""

    def run_well(*arguments, **options):
        done = run(*arguments, **options)
        assert done.returncode == 0, done.stderr
        assert not done.stderr, done.stderr
        return done

    return run_well


@pytest.fixture
def fail(run, tmp_path):
    """fail("keygen", ..., says="...") checks a failure: status, message, no trace left behind.

    status is 1 unless given. says: a part of the message, or a list of parts. secrets: byte strings
    that must not appear in the output. Files of tmp_path must be as they were before.
    """

    def run_badly(*arguments, says, status=1, secrets=(), **options):
        before = contents(tmp_path)
        done = run(*arguments, **options)
        message = done.stderr.decode() if isinstance(done.stderr, bytes) else done.stderr
        assert done.returncode == status, (done.returncode, message)
        lines = message.splitlines()
        assert len(lines) == 1, message
        assert lines[0].startswith("codekem: error: "), message
        assert ";" in lines[0], f"says what was wrong, but not what to do: {message}"
        for part in [says] if isinstance(says, str) else says:
            assert part in lines[0], message
        for secret in secrets:
            assert_hides(done, secret)
        assert contents(tmp_path) == before, "a failed command left or changed a file"
        return done

    return run_badly


@pytest.fixture
def exchange(succeed, tmp_path):
    """A finished exchange with KEM: paths of the files, and their payloads as bytes."""
    succeed("keygen", "--kem", KEM, "--public", "bob.pub", "--secret", "bob.key")
    succeed("encaps", "--public", "bob.pub", "--ciphertext", "to-bob.ct", "--shared", "alice.ss")
    paths = SimpleNamespace(
        public=tmp_path / "bob.pub",
        secret=tmp_path / "bob.key",
        ciphertext=tmp_path / "to-bob.ct",
        shared=tmp_path / "alice.ss",
    )
    payloads = SimpleNamespace(
        **{name: read_file(path.read_bytes())[2] for name, path in vars(paths).items()}
    )
    return SimpleNamespace(**vars(paths), payloads=payloads)
