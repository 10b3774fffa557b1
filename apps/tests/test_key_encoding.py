# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The reader and writer of keys in DER alone, and mistakes in it. What needs a KEM, as that seed
and secret key belong together, is in test_same_verdict.py."""

import subprocess

import pytest

from tests.malformed_keys import body, parts_of, private_keys, public_keys, shared_cases
from tools import mistakes

SOURCE = "apps/key-encoding/key_der.c"
# Found by the KEM, or by whoever looks an identifier up.
OF_OTHERS = (
    *["padding", "all zero", "byte too few", "byte too many", "no key", "too short", "too long"],
    *["another pair", "changed", "another s", "wrong secret", "secret of zeros", "is too"],
    *["algorithm", "an empty public key", "identifier of RustCrypto", "ML-KEM", "of Bouncy"],
    *["lines before", "the label"],
)


@pytest.fixture(scope="module")
def cases(command, tmp_path_factory):
    """(kind, what is wrong or "", DER, whether it is good) of HQC-1."""
    folder = tmp_path_factory.mktemp("keys")
    for number in ("good", "other"):
        pair = ["--public", folder / f"{number}.pub", "--secret", folder / f"{number}.key"]
        form = ["--format", "pem", "--form", "both"]
        subprocess.run([command, "keygen", "--kem", "HQC-1", *form, *pair], check=True)
    texts = [(folder / name).read_text() for name in ("good.key", "good.pub", "other.pub")]
    found = []
    for kind in ("private", "public"):
        for what, text, good, _ in shared_cases(kind, "HQC-1", parts_of(*texts)):
            found.append((kind, what, text, good))
    found += [("private", what, text, not what) for what, text in private_keys(texts[0])]
    found += [("public", what, text, not what) for what, text in public_keys(texts[1])]
    return [
        (kind, what or "what is right", body(text), good)
        for kind, what, text, good in found
        if good or not any(words in what for words in OF_OTHERS)
    ]


def wrong_verdicts(source, root, folder, cases):
    """Compiles the reader with a source; returns what it takes that is wrong, and refuses."""
    (folder / "key_der.c").write_text(source)
    program = folder / "reader"
    files = [folder / "key_der.c", root / "apps/tests/der_reader.c"]
    options = ["-std=c11", "-w", f"-I{root / 'apps/key-encoding'}", f"-I{root / 'apps'}"]
    subprocess.run(["gcc", *options, *files, "-o", program, "-lcrypto"], check=True)
    lines = "".join(f"{kind} {der.hex()}\n" for kind, _, der, _ in cases)
    done = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    said = done.stdout.splitlines()
    assert len(said) == len(cases)
    return [
        "what is written is read" if answer == "lost" else what
        for (_, what, _, good), answer in zip(cases, said, strict=True)
        if answer.startswith("ok ") != good
    ]


def test_reader_takes_what_is_right_alone(cases, root, tmp_path):
    assert wrong_verdicts((root / SOURCE).read_text(), root, tmp_path, cases) == []
    assert len(cases) > 50


@pytest.mark.parametrize("mistake", mistakes.cases("key-encoding/reader"))
def test_careless_reader_is_noticed(mistake, cases, root, tmp_path):
    source = mistake.changed((root / SOURCE).read_text())
    assert mistake.by in wrong_verdicts(source, root, tmp_path, cases)
