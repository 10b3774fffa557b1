# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The KEMs and back ends of the build, as the command codekem lists them."""

import json
import pathlib

from codekem_base.errors import EvaluationError
from codekem_base.parameters import KEMS
from codekem_evaluation import machine

MCELIECE = "Classic McEliece"  # its name as a scheme
OTHERS = {f"ML-KEM-{size}": "ML-KEM" for size in (512, 768, 1024)}


def confirms_plaintext(name):
    """Whether a KEM is a form of Classic McEliece that costs one hash more than another one: these
    are not measured."""
    return name in KEMS and KEMS[name].confirms


def scheme_of(name):
    """Returns the scheme of a KEM by its name: of ours, or of one that peers have."""
    return KEMS[name].family if name in KEMS else OTHERS[name]


def listed(build):
    """Returns (KEMs as in the schema, names of the back ends that run here, the fastest of
    them)."""
    text = machine.output_of([pathlib.Path(build) / "bin" / "codekem", "list", "--json"])
    if text is None:
        raise EvaluationError(f"{build}/bin/codekem does not run; build it with 'make evaluate'")
    document = json.loads(text)
    kems = [
        {
            "name": kem["name"],
            "scheme": kem["family"],
            "level": kem["claimed_nist_category"],
            "version": kem["version"],
            "legacy": kem["legacy"],
            **{
                f"{part}_bytes": kem[f"{part}_bytes"]
                for part in ("public_key", "secret_key", "ciphertext")
            },
        }
        for kem in document["kems"]
        if not confirms_plaintext(kem["name"])
    ]
    backends = [entry["name"] for entry in document["backends"] if entry["supported"]]
    return kems, backends, backends[-1]
