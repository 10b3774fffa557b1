# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pools of keys: from within (pool_check.c), in handshakes, and what the configuration may say."""

import os
import subprocess

import pytest

from tests.checked_builds import THREAD_SANITIZER
from tests.tls_programs import run, write_configuration
from tools import mistakes


@pytest.fixture(scope="module")
def pool_check(build):
    return build("gcc", targets=["pool_check"]) / "bin" / "pool_check"


def test_pools_keep_their_promises(pool_check):
    done = subprocess.run([pool_check], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


RACES = ["pool_races_0", *mistakes.of("provider/races")]


@pytest.mark.parametrize("name", RACES)
def test_threads_without_races(name, build, tmp_path):
    """Key shares from several threads under ThreadSanitizer, with the pool as it is (0), without
    its lock (1) and with a lock that does not order memory (2).

    OpenSSL itself is not instrumented. Nothing of it has to be suppressed: its locks are those of
    the system, which ThreadSanitizer knows.
    """
    folder = build("gcc", targets=["test_threads", *RACES], **THREAD_SANITIZER)
    path = write_configuration(tmp_path / "cnf", "codekem", "pool.size = 4\n")
    done = subprocess.run(
        [folder / "bin" / name, path],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"TSAN_OPTIONS": "halt_on_error=1:exitcode=66"},
    )
    said = done.stdout + done.stderr
    if name == "pool_races_0":
        assert done.returncode == 0 and "96 shares of 6 threads" in said, said
        assert "WARNING" not in said
    else:
        assert done.returncode == 66 and "ThreadSanitizer: data race" in said, said
        assert "apps/openssl-provider/pool.c" in said  # in one of the stacks


@pytest.mark.parametrize("group", ["bikel1", "x25519_bikel1", "hqc1"])
def test_handshakes_with_pools(group, programs, module, tmp_path):
    """Several threads of one client, more handshakes than a pool has keys."""
    path = write_configuration(tmp_path / "cnf", module, "pool.size = 8\npool.seconds = 5\n")
    done = subprocess.run(
        [
            programs / "bin" / "codekem_handshakes",
            *["--group", group, "--provider", "codekem", "--module-path", module.parent],
            *["--count", "40", "--threads", "4"],
        ],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"OPENSSL_CONF": str(path)},
    )
    assert done.returncode == 0 and group in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    "entry, complaint",
    [
        ("pool.size = 257", "pool.size = 257: expected a number from 0 to 256"),
        ("pool.size = -1", "expected a number from 0 to 256"),
        ("pool.size = 8 keys", "expected a number from 0 to 256"),
        ("pool.seconds = 0", "pool.seconds = 0: expected a number from 1 to 3600"),
        ("pool.size = 8\npool.seconds = 3601", "expected a number from 1 to 3600"),
    ],
)
def test_wrong_settings_of_pools_are_refused(entry, complaint, module, openssl_path, tmp_path):
    path = write_configuration(tmp_path / "openssl.cnf", module, entry)
    # Loaded by the command: OpenSSL drops the errors of providers that it activates.
    before, section = path.read_text().split("[codekem_section]")
    path.write_text(before + "[codekem_section]" + section.replace("activate = 1\n", ""))
    done = run([openssl_path, "list", "-providers", "-provider", "codekem"], path, check=False)
    assert done.returncode != 0 and complaint in done.stdout, done.stdout
