# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The staged copies that packages are made from: their files, and their known answers."""

import hashlib
import json

import pytest

import package_stage


def changed(base, change):
    """Applies a change as package_stage.known_answer_text describes it."""
    out = bytearray(base)
    for offset, length, value in change["xor"]:
        for i in range(offset, offset + length):
            out[i] ^= value
    return bytes(out)


@pytest.mark.parametrize("name", package_stage.KEMS)
def test_known_answers_hold(name, library):
    answers = json.loads(package_stage.known_answer_text())["kems"][name]
    kem = library.kem(name)
    keys, ciphertexts = {None: bytes(kem.length_secret_key)}, {None: bytes(kem.length_ciphertext)}
    for number, record in enumerate(answers["records"]):
        public, secret = library.keypair(kem, bytes.fromhex(record["keypair_seed"]))
        ciphertext, shared = library.encaps(kem, public, bytes.fromhex(record["encaps_seed"]))
        keys[number], ciphertexts[number] = secret, ciphertext
        for field, value in [("public_key", public), ("secret_key", secret)]:
            assert hashlib.sha256(value).hexdigest() == record[f"{field}_sha256"]
            assert len(value) == answers[f"{field}_bytes"]
        assert hashlib.sha256(ciphertext).hexdigest() == record["ciphertext_sha256"]
        assert shared.hex() == record["shared_secret"]
    assert len(keys) == 6
    assert len(answers["rejections"]) >= 12
    for case in answers["rejections"]:
        ciphertext = changed(ciphertexts[case["ciphertext"]["of"]], case["ciphertext"])
        secret = changed(keys[case["secret_key"]["of"]], case["secret_key"])
        assert library.decaps(kem, ciphertext, secret).hex() == case["shared_secret"], case["what"]


def test_stage_has_the_library_and_the_licences(tmp_path):
    copy = package_stage.stage(
        "key-encoding", tmp_path / "copy", library="native", vectors="answers.json"
    )
    assert (copy / "native" / "include" / "codekem.h").is_file()
    assert (copy / "native" / "src" / "gf2x" / "avx512" / "gf2x_avx512.c").is_file()
    assert not (copy / "native" / "src" / "legacy").exists()
    assert (copy / "LICENSE-MIT").is_file()
    assert json.loads((copy / "answers.json").read_text())["version"] == package_stage.version()


def test_stage_empties_what_was_there(tmp_path):
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / "old").write_text("left from before")
    package_stage.stage("key-encoding", tmp_path / "copy")
    assert not (tmp_path / "copy" / "old").exists()
