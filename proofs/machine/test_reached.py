# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What operations run, and no proof ran, is named."""

import json
import subprocess
import sys

from proofs.machine import prove

MODULE = "proofs.machine.reached"


def test_what_no_proof_ran_is_named(build, root, tmp_path):
    """With a proof of the permutation alone: it is not named, and what else HQC runs is."""
    library = build("gcc", targets=["codekem_shared"]) / "libcodekem.so"
    record = tmp_path / "proved.json"
    row = prove.run(library, "keccak_ops.permute-avx2-permute")
    record.write_text(json.dumps({"proofs": [row]}), encoding="utf-8")
    command = [sys.executable, "-m", MODULE, library, record, "--kem", "HQC-1", "--backend"]
    done = subprocess.run([*command, "avx2"], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    *named, total = done.stdout.splitlines()
    names = {line.partition(":")[0] for line in named}
    assert {"set_positions_avx2", "reed_solomon_decode_avx2", "mul_avx2"} <= names
    assert not names & {name.partition("@")[0] for name in row["ran"]}
    assert not {name for name in names if name.endswith(("avx512", "gfni", "vpclmul"))}
    assert total.endswith("instructions that ran are proved")
