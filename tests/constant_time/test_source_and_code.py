# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the checkers cannot see: divisions in the machine code, and each declassification."""

import re

import pytest

from checked_builds import COMPILERS, OPTIMISATIONS, QUICK, build_checked
from machine_code import PUBLIC_DIVISIONS, divisions, objects_of_the_library

# File of src/, how many declassifications it has, and why they are public. A new one needs a line
# here, a comment that begins with "Public:" beside it, and one in docs/security.md.
DECLASSIFICATIONS = {
    "bike/bike.c": (1, "the verdict of check_secret_key"),
    "bitmatrix/bitmatrix.c": (2, "whether a matrix could be factored"),
    "bitmatrix/bitmatrix_avx512.c": (1, "whether a matrix could be factored"),
    "hqc/hqc.c": (1, "the verdict of check_secret_key"),
    "hqc/hqc_batch.c": (1, "the seeds in the public keys"),
    "hqc/pke.c": (1, "the seed in the public key"),
    "hqc/sampling.c": (1, "which draws of the rejection sampler were accepted"),
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
    "bike/sampling.c": (1, "which draws of the rejection sampler of BIKE v4.2 were accepted"),
}


ALL = [(compiler, optimisation) for compiler in COMPILERS for optimisation in OPTIMISATIONS]


@pytest.mark.parametrize("builds", [QUICK, pytest.param(ALL, marks=pytest.mark.long)], ids=len)
def test_nothing_secret_is_divided(builds, build, root):
    found = set()
    for compiler, optimisation in builds:
        folder = build_checked(build, "valgrind", compiler, optimisation)
        for path in objects_of_the_library(folder, root):
            found |= divisions(path, root)
    built = {
        path.relative_to(folder).as_posix().partition("/src/")[2].removesuffix(".o")
        for path in objects_of_the_library(folder, root)
    }
    allowed = {
        (name, function)
        for name, (functions, _) in PUBLIC_DIVISIONS.items()
        for function in functions
        if name in built or name.endswith(".h")
    }
    assert found - allowed == set()
    if builds == ALL:
        assert allowed - found == set(), "exceptions that are not needed any more"


def test_division_is_found(build, root):
    objects = build_checked(build, "valgrind", "gcc", "-O2") / "tests" / "constant_time"
    (leak,) = objects.rglob("ct_harness_leak1.dir/leak.c.o")
    assert ("tests/constant_time/leak.c", "leak_by_division") in divisions(leak, root)


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
    security = (root / "docs" / "security.md").read_text()
    for name in found:
        assert f"`src/{name}`" in security
