# SPDX-License-Identifier: Apache-2.0 OR MIT
"""codekem selftest: checks every KEM on every back end, and notices what is wrong."""

import hashlib
import json
import re
import subprocess

import pytest

from apps.command.tests.link import link_anew
from tools import mistakes


def rows(text):
    return [line.split() for line in text.splitlines()[1:] if " ok" in line or "FAILED" in line]


def without_warnings(succeed):
    """The KEMs that are checked if none is named."""
    kems = json.loads(succeed("list", "--json").stdout)["kems"]
    return [kem["name"] for kem in kems if "warning" not in kem]


def test_classic_mceliece_passes_if_named(succeed):
    names = ["mceliece348864", "mceliece348864pcf", "mceliece6960119f"]
    backends = succeed("list", "--backends", text=True).stdout.split()
    arguments = [word for name in names for word in ("--kem", name)]
    chosen = [word for name in backends[1:] for word in ("--backend", name)]
    text = succeed("selftest", *arguments, *chosen, text=True).stdout
    assert rows(text) == [
        [name, backend, "ok", "ok", "ok"] for name in names for backend in backends[1:]
    ]


@pytest.mark.parametrize("every", [pytest.param(True, marks=pytest.mark.long), False])
def test_every_kem_passes_on_every_back_end(every, succeed):
    """But on the reference, which is slow: all checks by it are long."""
    names = [*without_warnings(succeed), "SOFIA-4-128"]
    backends = succeed("list", "--backends", text=True).stdout.split()
    backends = backends if every else backends[1:]
    chosen = [] if every else [word for name in backends for word in ("--backend", name)]
    text = succeed("selftest", *chosen, text=True).stdout
    assert rows(text) == [
        [name, backend, "ok", "ok", "ok"] for name in names for backend in backends
    ]
    assert text.endswith(f"\n{3 * len(names) * len(backends)} checks passed, 0 failed\n")


def test_choice_of_kems_and_back_ends(succeed):
    text = succeed(
        "selftest", "--kem", "BIKE-L3", "--kem", "BIKE-L1", "--backend", "portable", text=True
    ).stdout
    assert [row[:2] for row in rows(text)] == [["BIKE-L3", "portable"], ["BIKE-L1", "portable"]]


def test_known_answers_are_those_of_the_library_seed_by_seed(root, library):
    """The digests in the command belong to the seeds that its comments name."""
    source = (root / "apps/command/known_answers.cpp").read_text(encoding="ascii")
    answers = dict(re.findall(r'\{"([^"]+)",\s*"([0-9a-f]{64})"\}', source))
    for name in ("BIKE-L1", "BIKE-L3", "BIKE-L5"):
        kem = library.kem(name)
        public, secret = library.keypair(kem, bytes(range(kem.length_keypair_seed)))
        ciphertext, shared = library.encaps(
            kem, public, bytes(255 - i for i in range(kem.length_encaps_seed))
        )
        digest = hashlib.sha3_256(public + secret + ciphertext + shared).hexdigest()
        assert answers[name] == digest


@pytest.mark.parametrize("mistake", mistakes.cases("cli/broken library"))
def test_broken_library_is_noticed(root, command, tmp_path, mistake):
    """The command is linked anew, with one function of the library replaced by a faulty one. Three
    columns must say so: known answer, exchange, rejection."""
    wrapped, fault = mistake.anchor.removeprefix("__wrap_"), mistake.name
    broken = link_anew(root, command, tmp_path / "codekem", "broken_library.c", [wrapped], [fault])
    done = subprocess.run(
        [broken, "selftest", "--kem", "BIKE-L1"],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "codekem: error: the self-test failed; do not use this build on this machine\n"
    )
    assert rows(done.stdout)
    for row in rows(done.stdout):
        assert row[2:] == mistake.more["says"], done.stdout
