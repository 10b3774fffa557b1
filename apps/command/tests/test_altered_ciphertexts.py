# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Decapsulation takes every ciphertext of the right length: the command gives the secrets that the
reference code gave for altered ones."""

import subprocess
from types import SimpleNamespace

import pytest

from apps.command.tests.key_files import make_file, read_file
from tools import known_answers

KEMS = ["BIKE-L1", "BIKE-L3", "BIKE-L5", "HQC-1", "HQC-3", "HQC-5"]
LEGACY = ["BIKE-L1-v4.2-aes", "BIKE-L1-v4.2-sha3-bind", "HQC-128-2023"]


@pytest.fixture
def decapsulate(command, tmp_path):
    """decapsulate(kem, form, ciphertext, secret_key) returns the command's result, with the secret
    in `shared`."""

    def run(kem, form, ciphertext, secret_key):
        if form == "codekem":
            ciphertext = make_file("ciphertext", kem, ciphertext)
            secret_key = make_file("secret-key", kem, secret_key)
        for name, data in {"ct": ciphertext, "sk": secret_key}.items():
            (tmp_path / name).write_bytes(data)
        shared = tmp_path / "ss"
        shared.unlink(missing_ok=True)
        done = subprocess.run(
            [
                *[command, "decaps", "--kem", kem, "--format", form],
                *["--secret", "sk", "--ciphertext", "ct", "--shared", "ss"],
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        data = shared.read_bytes() if shared.exists() else None
        if data is not None and form == "codekem":
            data = read_file(data)[2]
        return SimpleNamespace(status=done.returncode, said=done.stderr, shared=data)

    return run


@pytest.mark.parametrize("form", ["raw", "codekem"])
@pytest.mark.parametrize("kem", [*KEMS, *LEGACY])
def test_altered_ciphertexts_give_the_published_secrets(kem, form, decapsulate):
    cases = list(known_answers.rejections(kem))
    assert any("padding" in what for what, *_ in cases)
    for what, ciphertext, secret_key, shared, _ in cases:
        done = decapsulate(kem, form, ciphertext, secret_key)
        assert (done.status, done.said, done.shared) == (0, "", shared), what


@pytest.mark.parametrize("form", ["raw", "codekem"])
@pytest.mark.parametrize("kem", KEMS)
def test_every_bit_of_weight_and_padding_is_taken(kem, form, decapsulate, library):
    """As the library takes it: parities that no encryption has, each unused bit, no bit at all."""
    record = known_answers.read_records(kem)[0]
    ring = {"BIKE-L1": 12323, "BIKE-L3": 24659, "BIKE-L5": 40973}
    ring |= {"HQC-1": 17669, "HQC-3": 35851, "HQC-5": 57637}
    padding = range(ring[kem], (ring[kem] + 7) // 8 * 8)
    assert len(padding) in (3, 5)
    length = len(record["ct"])
    ciphertexts = [known_answers.flip_bits(record["ct"], bits) for bits in ([800], padding)]
    ciphertexts += [known_answers.flip_bits(record["ct"], [bit]) for bit in padding]
    ciphertexts += [bytes(length), b"\xff" * length]
    for ciphertext in ciphertexts:
        done = decapsulate(kem, form, ciphertext, record["sk"])
        expected = library.decaps(library.kem(kem), ciphertext, record["sk"])
        assert (done.status, done.said, done.shared) == (0, "", expected)
        assert expected != record["ss"]


@pytest.mark.parametrize("kem", KEMS)
def test_wrong_length_is_an_error(kem, decapsulate):
    record = known_answers.read_records(kem)[0]
    for ciphertext in (record["ct"][:-1], record["ct"] + b"\0"):
        done = decapsulate(kem, "raw", ciphertext, record["sk"])
        assert done.status == 1 and "has the wrong size" in done.said and done.shared is None


def test_classic_mceliece_refuses_padding_as_its_reference_code(decapsulate, command, tmp_path):
    kem = "mceliece6960119"
    names = subprocess.run(
        [command, "list", "--names"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert f"{kem}f" in names
    keys = ["--kem", f"{kem}f", "--format", "raw"]
    files = {name: tmp_path / name for name in ("pk", "key", "c", "s")}
    for step in (
        ["keygen", "--public", files["pk"], "--secret", files["key"]],
        ["encaps", "--public", files["pk"], "--ciphertext", files["c"], "--shared", files["s"]],
    ):
        subprocess.run([command, *step, *keys], check=True)
    good = files["c"].read_bytes()
    secret_key = files["key"].read_bytes()
    changed = decapsulate(f"{kem}f", "raw", bytes([good[0] ^ 1]) + good[1:], secret_key)
    assert (changed.status, len(changed.shared)) == (0, 32)
    padded = decapsulate(f"{kem}f", "raw", good[:193] + bytes([good[193] | 8]), secret_key)
    assert padded.status == 1 and padded.shared is None
    assert "ct: is not a ciphertext of mceliece6960119f" in padded.said
