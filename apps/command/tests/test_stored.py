# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files that released versions wrote: every later version reads them (docs/promises.md).

A file is added for each version that writes another form, and none is ever written anew.
"""

import hashlib
import pathlib

import pytest

STORED = pathlib.Path(__file__).with_name("stored")
CASES = sorted(path.relative_to(STORED).as_posix() for path in STORED.glob("*/*.ct"))
# Of all their bytes, so that none is written anew without a word.
DIGEST = "fae3aaf9145c2f11715cfda85239decc9786a758215aa1f5428ca44e948fc606"


def test_nobody_changed_them():
    digest = hashlib.sha256()
    for path in sorted(STORED.glob("*/*")):
        digest.update(path.relative_to(STORED).as_posix().encode() + b"\0" + path.read_bytes())
    assert digest.hexdigest() == DIGEST
    assert len(CASES) >= 4


@pytest.mark.parametrize("case", CASES)
def test_a_stored_file_is_read(succeed, tmp_path, case):
    """NAME.ct is for NAME.key, NAME.pem.ct for NAME.key.pem; NAME.secret is what they share."""
    ciphertext = STORED / case
    name = ciphertext.name.removesuffix(".ct")
    kem = name.removesuffix(".pem")
    key = ciphertext.with_name(f"{kem}.key{name.removeprefix(kem)}")
    public = ciphertext.with_name(f"{kem}.pub{name.removeprefix(kem)}")
    form = ["--format", "pem"] if name != kem else []
    succeed("decaps", "--secret", key, "--ciphertext", ciphertext, "--shared", "again", *form)
    assert (tmp_path / "again").read_bytes() == ciphertext.with_suffix(".secret").read_bytes()
    succeed("encaps", "--public", public, "--ciphertext", "ct", "--shared", "sent", *form)
    succeed("decaps", "--secret", key, "--ciphertext", "ct", "--shared", "received", *form)
    assert (tmp_path / "sent").read_bytes() == (tmp_path / "received").read_bytes()
