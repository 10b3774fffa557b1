# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The legacy KEMs when libcrypto fails below them (legacy_failures.c), and what the command
says."""

import os
import pathlib
import subprocess

import pytest

SOURCE = pathlib.Path(__file__).parent / "legacy_failures.c"
SANITIZE = "-fsanitize=address,undefined"


@pytest.fixture(scope="module")
def program(build, root, tmp_path_factory):
    path = tmp_path_factory.mktemp("legacy") / "legacy_failures"
    folder = build("asan-ubsan", targets=["codekem_legacy"])
    subprocess.run(
        [
            "gcc",
            "-std=c11",
            "-g",
            "-Wall",
            "-Wextra",
            "-Wconversion",
            "-Werror",
            SANITIZE,
            f"-I{root / 'include'}",
            SOURCE,
            "-o",
            path,
            folder / "libcodekem-legacy.a",
            folder / "libcodekem.a",
            "-lcrypto",
        ],
        check=True,
    )
    return path


@pytest.mark.parametrize("what", ["memory", "provider"])
def test_failures_of_libcrypto_are_reported(what, program):
    done = subprocess.run([program, what], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("BIKE-L1-v4.2-aes") == {"memory": 6, "provider": 2}[what]


def test_command_reports_a_failure_and_leaves_no_file(command, tmp_path):
    configuration = tmp_path / "openssl.cnf"
    configuration.write_text(
        "openssl_conf = all\n[all]\nproviders = only\n[only]\nnull = none\n[none]\nactivate = 1\n"
    )
    folder = tmp_path / "keys"
    folder.mkdir()
    arguments = [
        "keygen",
        "--kem",
        "BIKE-L1-v4.2-aes",
        "--public",
        folder / "p",
        "--secret",
        folder / "s",
    ]
    done = subprocess.run(
        [command, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"OPENSSL_CONF": str(configuration)},
    )
    assert done.returncode != 0
    assert "a helper library failed" in done.stderr
    assert list(folder.iterdir()) == []
    assert subprocess.run([command, *arguments], check=False).returncode == 0
