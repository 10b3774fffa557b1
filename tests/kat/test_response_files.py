# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The response files that `codekem kat` prints, against the published ones."""

import hashlib
import json
import subprocess

import pytest

from tests.fixtures import HIGH_LEVEL
from tools import known_answers

PUBLISHED = known_answers.published_digests()


def kat_output(command, kem, backend_name, *arguments):
    done = subprocess.run(
        [command, "kat", "--kem", kem, "--backend", backend_name, *arguments],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def check_digest(command, kem, backend_name):
    text = kat_output(command, kem, backend_name)
    assert len(text) == PUBLISHED[kem]["bytes"]
    assert hashlib.sha256(text).hexdigest() == PUBLISHED[kem]["sha256"]
    bare = text[text.index(b"\n\n") + 2 : -1]
    assert hashlib.sha256(bare).hexdigest() == PUBLISHED[kem]["bare_sha256"]


def test_every_kem_has_a_published_digest(command):
    done = subprocess.run([command, "list", "--json"], capture_output=True, text=True, check=True)
    listed = json.loads(done.stdout)["kems"]
    # tests/mceliece has the known answers of the others
    names = {kem["name"] for kem in listed if kem["family"] != "Classic McEliece"}
    assert names == set(PUBLISHED)


@pytest.mark.parametrize("kem", [kem for kem in PUBLISHED if "excerpt" in PUBLISHED[kem]])
def test_first_records_match_byte_for_byte(kem, backend_name, command):
    published = (known_answers.folder_of(kem) / PUBLISHED[kem]["excerpt"]).read_bytes()
    count = str(PUBLISHED[kem]["excerpt_records"])
    assert kat_output(command, kem, backend_name, "--count", count) == published


# Of the other levels, which take the same code longer, `make test` has the first records, above.
@pytest.mark.parametrize(
    "kem",
    [
        pytest.param(kem, marks=pytest.mark.long if HIGH_LEVEL.search(kem) else [])
        for kem in PUBLISHED
    ],
)
def test_all_100_records_match_the_digest(kem, fast_backend_name, command):
    check_digest(command, kem, fast_backend_name)


@pytest.mark.long
@pytest.mark.parametrize("kem", PUBLISHED)
def test_all_100_records_match_the_digest_with_the_reference(kem, command):
    check_digest(command, kem, "reference")
