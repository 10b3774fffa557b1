# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command with other KEMs than usual: one alone, and one with a public key of a megabyte."""

import json
import re
import resource
import subprocess

import pytest

from apps.command.tests.key_files import read_file
from apps.command.tests.link import link_anew
from tests.subset_builds import build_subset


@pytest.fixture(scope="module", params=["HQC-1", "BIKE-L1"])
def small(request, build):
    """(KEM, call): call("list") runs the command of a build with that KEM and the legacy ones."""
    name = request.param
    _, program = build_subset(build, name)

    def call(*arguments, **options):
        return subprocess.run(
            [program, *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            **options,
        )

    return name, call


@pytest.mark.long
def test_one_kem_is_listed_and_checked(small):
    name, call = small
    names = call("list", "--names").stdout.split()
    assert names[0] == name
    kems = json.loads(call("list", "--json").stdout)["kems"]
    ours = [kem for kem in kems if kem["family"] != "Classic McEliece"]  # a library of its own
    assert all(kem["legacy"] == (kem["name"] != name) for kem in ours)
    assert call("list").stdout.splitlines()[1].startswith(name)
    done = call("selftest", "--backend", "portable")
    count = 3 * (len(ours) + 1)  # and SOFIA
    assert done.returncode == 0 and f"\n{count} checks passed, 0 failed" in done.stdout
    for each in names:
        done = call("kat", "--kem", each, "--count", "1")
        # Classic McEliece's records are published without a header.
        assert done.returncode == 0 and done.stdout.startswith(("# ", "count = 0\n")), done.stderr


@pytest.mark.long
def test_examples_of_the_help_work_with_one_kem(small, tmp_path):
    name, call = small
    examples = re.findall(r"^  codekem (.*)", call("--help").stdout, re.MULTILINE)
    assert [line.split()[0] for line in examples] == ["keygen", "encaps", "decaps"]
    assert f"--kem {name} " in examples[0]
    for line in examples:
        assert call(*line.split(), cwd=tmp_path).returncode == 0
    assert (tmp_path / "alice.secret").read_bytes() == (tmp_path / "bob.secret").read_bytes()


@pytest.mark.long
def test_kems_that_are_not_in_the_build_are_named(small, command, tmp_path):
    name, call = small
    other = "BIKE-L3" if name == "HQC-1" else "HQC-3"
    done = call("keygen", "--kem", other, "--public", "p", "--secret", "s", cwd=tmp_path)
    assert done.returncode == 2 and f"there is no KEM '{other}'" in done.stderr
    for form in ("pem", "codekem"):
        key = tmp_path / f"{form}.pub"
        subprocess.run(
            [
                command,
                "keygen",
                "--kem",
                other,
                "--public",
                key,
                "--secret",
                tmp_path / f"{form}.key",
                "--format",
                form,
            ],
            check=True,
        )
        done = call(
            "encaps",
            "--public",
            key,
            "--ciphertext",
            "c",
            "--shared",
            "s",
            "--format",
            form,
            cwd=tmp_path,
        )
        assert done.returncode == 1
        assert f"is for the KEM {other}, which this codekem does not have" in done.stderr


WRAPPED = [
    "codekem_kem_at",
    "codekem_kem_count",
    "codekem_kem_find",
    "ckem_key_oid_of_kem",
    "ckem_key_kem_of_oid",
    "codekem_kem_keypair_with",
    "codekem_kem_encaps_with",
    "codekem_kem_decaps_with",
    "codekem_kem_check_public_key",
    "codekem_kem_check_secret_key_with",
    "codekem_kem_check_ciphertext",
]


@pytest.mark.parametrize("superseded", [[], ["SUPERSEDED"]])
def test_facts_about_a_kem_come_from_the_kem(root, command, tmp_path, superseded):
    """Its name says neither that it is superseded nor of which family it is."""
    giant = link_anew(root, command, tmp_path / "giant", "giant_kem.c", WRAPPED, superseded)
    done = subprocess.run([giant, "list", "--json"], capture_output=True, check=True)
    (kem,) = [kem for kem in json.loads(done.stdout)["kems"] if kem["name"] == "GIANT-1"]
    assert kem["legacy"] == bool(superseded)
    done = subprocess.run(
        [giant, "kat", "--kem", "GIANT-1"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and "choose a KEM of the family BIKE, HQC or" in done.stderr


def limit_stack():
    resource.setrlimit(resource.RLIMIT_STACK, (256 << 10, 256 << 10))


@pytest.mark.parametrize("form", ["codekem", "raw", "pem"])
def test_keys_of_a_megabyte(form, root, command, tmp_path):
    giant = link_anew(root, command, tmp_path / "giant", "giant_kem.c", WRAPPED)
    extra = ["--format", form, "--kem", "GIANT-1"]
    for line in (
        "keygen --public pk --secret sk",
        "encaps --public pk --ciphertext ct --shared a",
        "decaps --secret sk --ciphertext ct --shared b",
    ):
        done = subprocess.run(
            [giant, *line.split(), *extra],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=limit_stack,
        )
        assert done.returncode == 0 and not done.stderr, done.stderr
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    size = (tmp_path / "pk").stat().st_size
    assert size == 1357824 if form == "raw" else size > 1357824
    if form == "codekem":
        assert read_file((tmp_path / "pk").read_bytes())[:2] == ("public-key", "GIANT-1")
