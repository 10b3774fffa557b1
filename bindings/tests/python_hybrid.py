# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Answers for bindings/tests/test_hybrid.py, whose head says what: the vectors by the package."""

import hashlib
import json
import pathlib
import sys

from codekem.hybrid import Hybrid


def change(data, how):
    data = bytearray(data)
    at = how["at"] % len(data)
    if "xor" in how:
        data[at] ^= how["xor"]
    else:
        new = bytes.fromhex(how["bytes"])
        data[at : at + len(new)] = new
    return bytes(data)


def outcome(run, *arguments):
    try:
        return run(*arguments).hex()
    except ValueError:
        return None


def answer(vector):
    hybrid = Hybrid(vector["kem"], vector["group"])
    seed, encaps_seed = bytes.fromhex(vector["seed"]), bytes.fromhex(vector["encaps_seed"])
    private_key = hybrid.from_seed_bytes(seed)
    public_key = private_key.public_bytes_raw()
    secret, ciphertext = hybrid.encapsulate(public_key, encaps_seed)
    assert private_key.decapsulate(ciphertext) == secret
    return {
        "label": hybrid.label,
        "public_key_sha256": hashlib.sha256(public_key).hexdigest(),
        "ciphertext_sha256": hashlib.sha256(ciphertext).hexdigest(),
        "shared_secret": secret.hex(),
        "altered": [
            outcome(private_key.decapsulate, change(ciphertext, how)) for how in vector["altered"]
        ],
        "keys": [
            outcome(lambda key: hybrid.encapsulate(key, encaps_seed)[0], change(public_key, how))
            for how in vector["keys"]
        ],
    }


def main():
    vectors = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="ascii"))["vectors"]
    print(json.dumps([answer(vector) for vector in vectors]))


if __name__ == "__main__":
    main()
