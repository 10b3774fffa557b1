# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Answers the lines of run.py by PyPI's pqcrypto (code of PQClean), whose HQC is that of the tag
v5.0.0: run.py --program 'python tests/wycheproof/peers/pqcrypto_lines.py' FILE. It takes no
randomness."""

import sys

import pqcrypto.kem.hqc_128
import pqcrypto.kem.hqc_192
import pqcrypto.kem.hqc_256

KEMS = {
    "HQC-1-v5.0.0": pqcrypto.kem.hqc_128,
    "HQC-3-v5.0.0": pqcrypto.kem.hqc_192,
    "HQC-5-v5.0.0": pqcrypto.kem.hqc_256,
}

for line in sys.stdin:
    step, kem, *texts = line.split()
    if step != "decaps" or kem not in KEMS:
        print("inexpressible", flush=True)
        continue
    secret_key, ciphertext = (bytes.fromhex(text.strip("-")) for text in texts)
    try:
        print(bytes(KEMS[kem].decaps(secret_key, ciphertext)).hex(), flush=True)
    except Exception as error:  # noqa: BLE001 (of whatever kind its refusals are)
        print(f"refused {error}", flush=True)
