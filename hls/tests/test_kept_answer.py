# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HQC-1 from C gives the known answer that hls/ has of its own, where the repository's are not.

answer.json is the first record of tests/vectors/hqc/HQC-1.rsp, with the coins of its operations;
test_operations.py compares it with that, and all others besides.
"""

import json
import pathlib

from hls.tests import hqc_operations

KEPT = pathlib.Path(__file__).with_name("answer.json")


def test_software_gives_the_kept_answer(folder):
    kept = json.loads(KEPT.read_text(encoding="ascii"))
    answer = {name: bytes.fromhex(value) for name, value in kept.items()}
    operations = hqc_operations.software(1, folder)
    secret_key = operations.keygen(answer["keypair_seed"])
    assert secret_key == answer["sk"] and secret_key.startswith(answer["pk"])
    found = operations.encaps(answer["pk"], answer["encaps_seed"])
    assert found == [answer["ct"], answer["ss"]]
    assert operations.decaps(secret_key, answer["ct"]) == answer["ss"]
    wrong = bytes([answer["ct"][0] ^ 1]) + answer["ct"][1:]
    assert operations.decaps(secret_key, wrong) != answer["ss"]  # altered: rejected in silence
