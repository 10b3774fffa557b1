# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Builds with one KEM alone (CODEKEM_KEMS): provider, command and legacy KEMs offer what there is,
and refuse the others in words, also to the other side of a connection."""

import pytest

from tests.subset_builds import build_subset
from tests.tls_programs import (
    ALGORITHMS,
    GROUPS,
    Handshake,
    free_port,
    run,
    serving,
    write_configuration,
)

LEGACY = [f"BIKE-L{level}-v4.2-aes{bind}" for level in [1, 3, 5] for bind in ["", "-bind"]]
LEGACY += [f"HQC-{bits}-2023" for bits in [128, 192, 256]]

pytestmark = pytest.mark.long


@pytest.fixture(scope="module", params=ALGORITHMS)
def subset(request, build, tmp_path_factory):
    """A build with one KEM: its name, group, module, command and OpenSSL configuration."""
    return Subset(request.param, build, tmp_path_factory.mktemp("subset"))


class Subset:
    def __init__(self, name, build, folder):
        self.name = name
        self.group = ALGORITHMS[name]
        self.groups = [group for group in GROUPS if group.split("_")[-1] == self.group]
        self.build, self.command = build_subset(build, name)
        self.module = self.build / "ossl-modules" / "codekem.so"
        self.configuration = write_configuration(folder / "openssl.cnf", self.module)

    def absent(self):
        """The KEMs that are not in the build, and their groups."""
        return {name: group for name, group in ALGORITHMS.items() if name != self.name}


@pytest.fixture
def fails_in_words():
    """fails_in_words(done, words) checks that a program ended by itself, and said why."""

    def check(done, words):
        assert done.returncode > 0, f"killed or successful: {done.returncode} {done.stdout}"
        assert words in done.stdout, done.stdout

    return check


def test_provider_offers_the_one(subset, openssl_path):
    listed = run([openssl_path, "list", "-kem-algorithms"], subset.configuration).stdout
    rows = [
        line.removesuffix(" @ codekem").strip(" {}").split(", ")[-1]
        for line in listed.splitlines()
        if line.endswith("@ codekem")
    ]
    hybrids = [group for group in subset.groups if group != subset.group]
    assert rows == [subset.name, *hybrids], listed


def test_keys_of_the_one_and_of_others(subset, openssl_path, openssl, fails_in_words, tmp_path):
    def call(*arguments, check=True):
        return run([openssl_path, *arguments], subset.configuration, check=check)

    call("genpkey", "-algorithm", subset.name, "-out", tmp_path / "key")
    assert "Key is valid" in call("pkey", "-in", tmp_path / "key", "-check", "-noout").stdout
    for name in subset.absent():
        fails_in_words(call("genpkey", "-algorithm", name, check=False), name)
        openssl("genpkey", "-algorithm", name, "-out", tmp_path / "other")
        openssl("pkey", "-in", tmp_path / "other", "-pubout", "-out", tmp_path / "other.pub")
        fails_in_words(
            call("pkey", "-in", tmp_path / "other", "-noout", check=False), "Could not read"
        )
        fails_in_words(
            call("pkey", "-pubin", "-in", tmp_path / "other.pub", "-noout", check=False),
            "Could not read",
        )


def test_groups_of_the_one_and_of_others(
    subset, openssl_path, certificates, s_client, openssl, fails_in_words, tmp_path
):
    port = free_port()
    command = [
        openssl_path,
        "s_server",
        "-accept",
        f"127.0.0.1:{port}",
        "-tls1_3",
        "-www",
        "-groups",
        f"{subset.group}:X25519",
        "-cert",
        certificates / "server.crt",
        "-key",
        certificates / "server.key",
    ]
    with serving(command, port, subset.configuration, tmp_path / "log"):
        for group in subset.absent().values():
            mine = run(
                [openssl_path, "s_client", "-connect", f"127.0.0.1:{port}", "-groups", group],
                subset.configuration,
                check=False,
            )
            fails_in_words(mine, f"(-groups, {group}) failed")
            # The other side has all groups, and offers one that this build is without.
            refused = s_client(port, group)
            assert not refused.new and refused.alert == "handshake failure", refused.output
            assert s_client(port, f"{group}:{subset.group}").used(subset.group)
        own = run(
            [
                openssl_path,
                "s_client",
                "-connect",
                f"127.0.0.1:{port}",
                "-groups",
                subset.group,
                "-CAfile",
                certificates / "ca.crt",
            ],
            subset.configuration,
        )
        assert Handshake(own.stdout).new and Handshake(own.stdout).used(subset.group), own.stdout


def test_command_lists_the_one(subset, fails_in_words, openssl, tmp_path):
    listed = run([subset.command, "list", "--names"]).stdout.split()
    ours = [name for name in listed if not name.startswith("mceliece")]  # a library of its own
    assert ours[0] == subset.name and sorted(ours[1:]) == sorted(LEGACY)
    assert subset.name in run([subset.command, "list"]).stdout
    for name in subset.absent():
        done = run(
            [
                subset.command,
                "keygen",
                "--kem",
                name,
                "--public",
                tmp_path / "p",
                "--secret",
                tmp_path / "s",
            ],
            check=False,
        )
        fails_in_words(done, f"there is no KEM '{name}'")
        openssl("genpkey", "-algorithm", name, "-out", tmp_path / "key")
        openssl("pkey", "-in", tmp_path / "key", "-pubout", "-out", tmp_path / "pub")
        done = run(
            [
                subset.command,
                "encaps",
                "--format",
                "pem",
                "--public",
                tmp_path / "pub",
                "--ciphertext",
                tmp_path / "ct",
                "--shared",
                tmp_path / "ss",
            ],
            check=False,
        )
        fails_in_words(done, "codekem: ")


def test_command_exchanges_with_the_one_and_the_legacy_kems(subset, tmp_path):
    for name in [subset.name, *LEGACY]:
        folder = tmp_path / name
        folder.mkdir()
        run(
            [
                subset.command,
                "keygen",
                "--kem",
                name,
                "--public",
                folder / "p",
                "--secret",
                folder / "s",
            ]
        )
        run(
            [
                subset.command,
                "encaps",
                "--public",
                folder / "p",
                "--ciphertext",
                folder / "ct",
                "--shared",
                folder / "a",
            ]
        )
        run(
            [
                subset.command,
                "decaps",
                "--secret",
                folder / "s",
                "--ciphertext",
                folder / "ct",
                "--shared",
                folder / "b",
            ]
        )
        assert (folder / "a").read_bytes() == (folder / "b").read_bytes(), name
