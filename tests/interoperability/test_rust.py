# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC against RustCrypto's hqc-kem, in both directions and on rejected ciphertexts."""

import json
import os
import re
import shutil
import subprocess

import pytest

NEEDED = (1, 85)  # hqc-kem is written in Rust's edition of 2024


def rust_version():
    """Returns the version of cargo as a pair, (0, 0) if there is none."""
    if shutil.which("cargo") is None:
        return 0, 0
    text = subprocess.run(
        ["cargo", "--version"], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    return tuple(int(part) for part in re.match(r"cargo (\d+)\.(\d+)", text).groups())


def test_hqc_agrees_with_rustcrypto(root, build, library):
    if rust_version() < NEEDED:
        pytest.skip(
            f"not compared with RustCrypto: needs Rust {NEEDED[0]}.{NEEDED[1]} or later; "
            "Debian 12 has 1.63"
        )
    target = build.folder("rust-peers")
    made = subprocess.run(
        ["cargo", "build", "--release", "--locked", "--features", "rustcrypto"],
        cwd=root / "evaluation" / "peers" / "rust",
        env={**os.environ, "CARGO_TARGET_DIR": target},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout[-3000:]
    check_samples(target / "release" / "codekem-peers")
    done = subprocess.run(
        [target / "release" / "codekem-peers", "agree", library.path, "20"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert (
        len(
            re.findall(
                r"^HQC-[135]: agrees with RustCrypto in both directions, 20 times$",
                done.stdout,
                re.MULTILINE,
            )
        )
        == 3
    )


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
