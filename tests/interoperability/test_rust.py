# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC against RustCrypto's hqc-kem, Classic McEliece against the crates classic-mceliece-rust and
oqs (liboqs), in both directions and on rejected ciphertexts."""

import json
import os
import re
import shutil
import subprocess

import pytest

from tests.mceliece_library import SETS

pytestmark = pytest.mark.long  # cargo builds the crates
NEEDED = (1, 85)  # hqc-kem is written in Rust's edition of 2024


def rust_version():
    """Returns the version of cargo as a pair, (0, 0) if there is none."""
    if shutil.which("cargo") is None:
        return 0, 0
    text = subprocess.run(
        ["cargo", "--version"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    return tuple(int(part) for part in re.match(r"cargo (\d+)\.(\d+)", text).groups())


@pytest.fixture(scope="module")
def peers(root, build):
    """peers("rustcrypto", ...) returns the path of the program with these features."""

    def make(*features):
        if rust_version() < NEEDED:
            pytest.skip(
                f"not compared with {' and '.join(features)}: needs Rust "
                f"{NEEDED[0]}.{NEEDED[1]} or later; Debian 12 has 1.63"
            )
        target = build.folder("rust-peers")
        made = subprocess.run(
            ["cargo", "build", "--release", "--locked", "--features", ",".join(features)],
            cwd=root / "evaluation" / "peers" / "rust",
            env={**os.environ, "CARGO_TARGET_DIR": target},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert made.returncode == 0, made.stdout[-3000:]
        return target / "release" / "codekem-peers"

    return make


def agreeing(program, library, peer, rounds):
    """Returns the KEMs that agree with a peer."""
    done = subprocess.run(
        [program, "agree", library.path, str(rounds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return re.findall(
        rf"^(\S+): agrees with {peer} in both directions, {rounds} times$",
        done.stdout,
        re.MULTILINE,
    )


# One build for both: cargo would make the program again for other features.
QUICK = ("rustcrypto", "mceliece-rust")


def test_hqc_agrees_with_rustcrypto(peers, library):
    program = peers(*QUICK)
    check_samples(program)
    assert agreeing(program, library, "RustCrypto", 20) == ["HQC-1", "HQC-3", "HQC-5"]


def test_mceliece_agrees_with_a_crate_in_rust(peers, internals):
    """The crate has one set in each build."""
    found = agreeing(peers(*QUICK), internals, "classic-mceliece-rust", 3)
    assert found == ["mceliece348864f"]


# cargo builds liboqs, which takes more than a minute of two cores
def test_kems_agree_with_the_crate_of_liboqs(peers, internals):
    found = agreeing(peers("liboqs"), internals, "liboqs", 2)
    assert found == ["BIKE-L1", "BIKE-L3", "BIKE-L5", *SETS]


def check_samples(program):
    """What the evaluation takes from the program: sizes, and batches of samples."""
    listed = json.loads(
        subprocess.run([program, "list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    )
    hqc = next(row for row in listed if (row["library"], row["kem"]) == ("RustCrypto", "HQC-1"))
    assert [hqc[f"{part}_bytes"] for part in ("public_key", "ciphertext")] == [2241, 4433]
    batch = json.loads(
        subprocess.run(
            [program, "times", "RustCrypto", "HQC-1", "1000", "5"],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
    )
    for unit in ("nanoseconds", "cycles"):
        if batch[unit] is not None:
            assert [len(batch[unit][o]) for o in ("keygen", "encaps", "decaps")] == [5, 5, 5]
            assert all(value > 0 for samples in batch[unit].values() for value in samples)
    assert 0 <= batch["waited"] <= 15
    wrong = subprocess.run(
        [program, "times", "RustCrypto", "HQC-2", "1", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert wrong.returncode == 1 and "there is no HQC-2" in wrong.stderr
