# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example keys of draft-massimo-lamps-hqc-certificates, and keys of others by their object
identifiers (docs/reports/hqc-certificates.md)."""

import base64
import hashlib
import json
import pathlib

import pytest

from parameters.table import TABLE, der_of_oid
from tests.malformed_keys import BIT_STRING, OCTET_STRING, SEED, SEQUENCE, element, pem
from tests.tls_programs import run

ROOT = pathlib.Path(__file__).resolve().parents[3]
DRAFT = json.loads((ROOT / "tests/vectors/hqc/draft-certificates.json").read_text())
SEED_BYTES = bytes.fromhex(DRAFT["seed"])
LEVELS = ["1", "3", "5"]
BOUNCY_CASTLE = {"1": "1.3.6.1.4.1.22554.5.9.1", "3": "1.3.6.1.4.1.22554.5.9.2"}
BOUNCY_CASTLE |= {"5": "1.3.6.1.4.1.22554.5.9.3"}


def private_file(oid, seed=SEED_BYTES):
    algorithm = element(SEQUENCE, element(6, der_of_oid(oid)))
    content = element(OCTET_STRING, element(SEED, seed))
    return pem("PRIVATE KEY", element(SEQUENCE, b"\2\1\0" + algorithm + content))


def public_file(oid, public):
    algorithm = element(SEQUENCE, element(6, der_of_oid(oid)))
    bits = element(BIT_STRING, b"\0" + public)
    return pem("PUBLIC KEY", element(SEQUENCE, algorithm + bits))


@pytest.fixture
def codekem(command, tmp_path):
    """codekem("keygen", ...) runs the command with PEM in an empty folder."""

    def call(*arguments, **options):
        words = ["env", "-C", tmp_path, command, *arguments, "--format", "pem", "--force"]
        return run(words, **options)

    return call


def exchange(codekem, library, kem, oid, folder):
    """Writes a pair of a KEM with an object identifier and has the command exchange a secret."""
    public, secret = library.keypair(library.kem(kem), SEED_BYTES)
    (folder / "key").write_text(private_file(oid))
    (folder / "pub").write_text(public_file(oid, public))
    encaps = ["--public", "pub", "--ciphertext", "ct", "--shared", "a"]
    decaps = ["--secret", "key", "--ciphertext", "ct", "--shared", "b"]
    codekem("encaps", "--kem", kem, *encaps)
    codekem("decaps", "--kem", kem, *decaps)
    shared = (folder / "a").read_bytes()
    assert shared == (folder / "b").read_bytes()
    return shared == library.decaps(library.kem(kem), (folder / "ct").read_bytes(), secret)


@pytest.mark.parametrize("level", LEVELS)
def test_examples_of_the_draft_are_keys_of_the_tag(level, library):
    """And not of the reference's revision, which HQC-1 follows: the sizes are the same."""
    names = f"HQC-{level}-v5.0.0", f"HQC-{level}"
    pairs = [library.keypair(library.kem(name), SEED_BYTES) for name in names]
    digests = [hashlib.sha256(public).hexdigest() for public, _ in pairs]
    row = DRAFT["levels"][level]
    assert digests == [row["draft_sha256"], row["reference_sha256"]]
    assert len(pairs[0][0]) == len(pairs[1][0])


@pytest.mark.parametrize("level", LEVELS)
def test_object_identifiers_of_the_draft_are_refused(level, codekem, library, tmp_path):
    """They are ML-KEM's."""
    oid = DRAFT["levels"][level]["oid"]
    text = private_file(oid)
    der = base64.b64decode("".join(text.splitlines()[1:-1]))
    assert len(der) == 54 and der[-32:] == SEED_BYTES  # as the draft's appendix has it
    (tmp_path / "key").write_text(text)
    public, _ = library.keypair(library.kem(f"HQC-{level}-v5.0.0"), SEED_BYTES)
    (tmp_path / "pub").write_text(public_file(oid, public))
    (tmp_path / "ct").write_bytes(bytes(library.kem(f"HQC-{level}").length_ciphertext))
    for arguments in (
        ["encaps", "--public", "pub", "--ciphertext", "out", "--shared", "ss"],
        ["decaps", "--secret", "key", "--ciphertext", "ct", "--shared", "ss"],
    ):
        done = codekem(*arguments, check=False)
        assert done.returncode == 1
        assert f"another algorithm (its object identifier is {oid})" in done.stdout
        assert not (tmp_path / "ss").exists()


@pytest.mark.parametrize("level", LEVELS)
def test_keys_of_others_are_read_as_their_revision(level, codekem, library, tmp_path):
    """RustCrypto's are of the reference's revision, Bouncy Castle's of the tag."""
    ours = TABLE.find(f"HQC-{level}")
    tag = f"HQC-{level}-v5.0.0"
    assert exchange(codekem, library, ours.name, f"{TABLE.arc}.{ours.oid}", tmp_path)
    assert exchange(codekem, library, ours.name, ours.read_oid, tmp_path)
    assert TABLE.find(tag).read_oid == BOUNCY_CASTLE[level]
    assert exchange(codekem, library, tag, BOUNCY_CASTLE[level], tmp_path)


def test_what_is_written_has_our_object_identifier(codekem, tmp_path):
    for form in ("seed", "both", "expanded"):
        pair = ["--public", "pub", "--secret", "key"]
        codekem("keygen", "--kem", "HQC-1", "--form", form, *pair)
        for name in ("pub", "key"):
            text = (tmp_path / name).read_text()
            der = base64.b64decode("".join(text.splitlines()[1:-1]))
            (ours, others) = TABLE.identifiers(TABLE.find("HQC-1"))
            assert element(6, ours) in der[:60] and element(6, others) not in der[:60]
