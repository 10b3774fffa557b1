# SPDX-License-Identifier: Apache-2.0 OR MIT
"""OpenSSL's libcrypto is loaded for PEM and AES, and for nothing else."""

import re
import subprocess

import pytest

from apps.command.tests.key_files import KEM


def test_command_is_not_linked_with_libcrypto(command, need):
    dynamic = subprocess.run(
        [need("readelf"), "-d", command], capture_output=True, text=True, check=True
    ).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*?)\]", dynamic)
    assert any(name.startswith("libc.so") for name in needed)
    assert not any("crypto" in name or "ssl" in name for name in needed)


@pytest.fixture
def loads(run):
    """loads("list") says whether the command loads libcrypto."""

    def check(*arguments):
        done = run(*arguments, env={"LD_DEBUG": "files"}, text=True)
        assert done.returncode == 0 and "libc.so" in done.stderr
        return "libcrypto" in done.stderr

    return check


def test_libcrypto_is_loaded_where_it_is_needed(loads):
    for arguments in (
        ["list"],
        ["list", "--names"],
        ["list", "--json"],
        ["--help"],
        ["kat", "--kem", "HQC-1", "--count", "1"],
        ["kat", "--kem", "HQC-128-2023", "--count", "1"],
        ["selftest", "--kem", "HQC-128-2023", "--backend", "portable"],
        ["selftest", "--kem", KEM, "--backend", "portable"],
        ["keygen", "--kem", KEM, "--public", "pk", "--secret", "sk"],
        ["encaps", "--public", "pk", "--ciphertext", "ct", "--shared", "ss"],
        ["decaps", "--secret", "sk", "--ciphertext", "ct", "--shared", "ss2"],
    ):
        assert not loads(*arguments), arguments
    for arguments in (
        ["keygen", "--kem", KEM, "--public", "p", "--secret", "s", "--format", "pem"],
        ["kat", "--kem", KEM, "--count", "1"],
        ["selftest", "--kem", "BIKE-L1-v4.2-aes", "--backend", "portable"],
    ):
        assert loads(*arguments), arguments


def test_missing_libcrypto_is_named(fail, succeed, tmp_path_factory):
    """The loader finds an empty file in libcrypto's place."""
    folder = tmp_path_factory.mktemp("libraries")
    for version in range(3, 5):
        (folder / f"libcrypto.so.{version}").touch()
    broken = {"LD_LIBRARY_PATH": str(folder)}
    for arguments in (
        ["keygen", "--kem", KEM, "--public", "p", "--secret", "s", "--format", "pem"],
        ["keygen", "--kem", "BIKE-L1-v4.2-aes", "--public", "p", "--secret", "s"],
        ["kat", "--kem", KEM, "--count", "1"],
    ):
        fail(
            *arguments,
            env=broken,
            says=["libcrypto, which this needs, cannot be loaded", "install OpenSSL 3"],
        )
    succeed("keygen", "--kem", KEM, "--public", "p", "--secret", "s", env=broken)
