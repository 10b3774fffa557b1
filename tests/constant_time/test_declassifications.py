# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the checkers are told not to look at: each declassification."""

import re

# File of src/, how many declassifications it has, and why they are public. A new one needs a line
# here, a comment that begins with "Public:" beside it, and one in docs/results/constant-time.md.
DECLASSIFICATIONS = {
    "kem/bike/bike.c": (1, "the verdict of check_secret_key"),
    "mceliece/goppa/bitmatrix/bitmatrix.c": (2, "whether a matrix could be factored"),
    "mceliece/goppa/bitmatrix/bitmatrix_avx512.c": (1, "whether a matrix could be factored"),
    "kem/hqc/hqc.c": (1, "the verdict of check_secret_key"),
    "kem/hqc/hqc_batch.c": (1, "the seeds in the public keys"),
    "kem/hqc/pke.c": (1, "the seed in the public key"),
    "kem/hqc/sampling.c": (4, "which draws of the rejection sampler were accepted"),
    "kem/self_test.c": (1, "the verdict of a self-test"),
    "hybrid/hybrid.c": (2, "which candidates for a scalar were refused; the verdict of a check"),
    "masked/operations.c": (4, "the public key, the salt, the ciphertext"),
    "masked/positions.c": (2, "which draws of the rejection sampler were accepted"),
    "masked/shares.c": (1, "random orders, which follow from no secret"),
    "mceliece/keys.c": (2, "verdicts on secret keys"),
    "mceliece/matrix.c": (3, "that an attempt failed; the public key"),
    "mceliece/pages.c": (2, "that an attempt failed; the public key"),
    "mceliece/rows.c": (1, "rows of the public key"),
    "mceliece/sampling.c": (2, "which numbers were in range; that an attempt failed"),
    "legacy/hqc_2023.c": (1, "the verdict of check_secret_key"),
    "sofia/sofia_sign.c": (
        5,
        "the public key, the hash in the signature, the sameness of messages",
    ),
    "kem/bike/sampling.c": (1, "which draws of the rejection sampler of BIKE v4.2 were accepted"),
}


def test_every_declassification_is_documented(root):
    found = {}
    for path in sorted((root / "src").rglob("*.c")):
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines):
            if "ct_declassify(" in line:
                name = path.relative_to(root / "src").as_posix()
                found[name] = found.get(name, 0) + 1
                assert re.match(r"\s*/\* Public: ", lines[number - 1]), f"{name}:{number + 1}"
    assert found == {name: count for name, (count, _) in DECLASSIFICATIONS.items()}
    page = (root / "docs" / "results" / "constant-time.md").read_text()
    for name in found:
        assert f"`src/{name}`" in page
