# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC against RustCrypto's hqc-kem, in both directions and on rejected ciphertexts."""

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
    text = subprocess.run(["cargo", "--version"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    return tuple(int(part) for part in re.match(r"cargo (\d+)\.(\d+)", text).groups())


def test_hqc_agrees_with_rustcrypto(root, build, library):
    if rust_version() < NEEDED:
        pytest.skip(f"not compared with RustCrypto: needs Rust {NEEDED[0]}.{NEEDED[1]} or later; "
                    "Debian 12 has 1.63")
    target = build.folder("rust-peers")
    made = subprocess.run(
        ["cargo", "build", "--release", "--locked", "--features", "rustcrypto"],
        cwd=root / "evaluation" / "peers" / "rust", env={**os.environ, "CARGO_TARGET_DIR": target},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert made.returncode == 0, made.stdout[-3000:]
    done = subprocess.run([target / "release" / "codekem-peers", "agree", library.path, "20"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert len(re.findall(r"^HQC-[135]: agrees with RustCrypto in both directions, 20 times$",
                          done.stdout, re.MULTILINE)) == 3
