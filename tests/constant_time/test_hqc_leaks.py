# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The places where implementations of HQC have leaked, each checked by name and alone.

Other tests check whole operations; these say which function leaks, with each compiler.
"""

import hashlib

import pytest

from tests import watched
from tests.checked_builds import BUILDS, build_checked
from tests.machine_code import branches, divisions
from tools import known_answers, mistakes

# Rows of tests/harness/hqc_functions.c, and what leaked elsewhere.
LEAKS = {
    "rejection_sampling": "comparing positions that were drawn, until one is equal",
    "modulo_by_n": "reducing a candidate modulo n",
    "sampling_of_2023": "reducing words modulo n, n - 1, ... and replacing positions",
    "fixed_weight_sampling": "replacing positions that are there twice",
    "support_to_vector": "writing ones to the words that positions point to",
    "peak_search": "the search for the peak in Reed-Muller decoding",
    "error_values": "errors and their places in Reed-Solomon decoding",
    "field_multiplication": "tables and branches in GF(256)",
    "ciphertext_comparison": "comparing the ciphertext with the one encrypted again",
}

# The objects whose conditional branches are looked at. All must be of loops, which count, but for
# these: a part of the source line, and on what the branch depends.
SCANNED = ["codes_portable", "codes_avx2", "reed_muller", "sparse_portable", "sparse_avx2"]
PUBLIC_BRANCHES = {
    "if ((i & distance) == 0)": "loop counters",
    "memset(syndromes + count": "a length of the code",
    "memset(e.bytes + GF256_LANES * vectors": "a length of the code",
    "while (n >> 1 >= bit)": "an exponent, which is a length of the code",
    "if ((n & bit) != 0)": "the same exponent",
    "*part = ": "the loop counter, whether it is odd",
    "memcpy(padded, positions + done": "the number of positions",
    "if (2 * g + 1 < count)": "the same",
    "r < in_squares ? square + r / 2 : last": "the number of rows",
    "if (last_is_square)": "the same",
}
# The beginning of the loops over distances, to which gcc gives the line where the function ends.
MISPLACED_BRANCHES = {("kem/hqc/reed_muller.c", "}")}


@pytest.fixture
def compiled(build):
    """compiled(compiler, optimisation) returns a build with the objects and hqc_functions.c."""
    return lambda *pair: build_checked(build, "valgrind", *pair)


def object_of(folder, source):
    """Returns the path of an object of the library."""
    (path,) = (folder / "CMakeFiles" / "codekem_objects.dir").rglob(f"{source}.c.o")
    return path


@pytest.mark.parametrize("compiler, optimisation", BUILDS)
@pytest.mark.parametrize("backend", ["portable", "avx2"])
def test_no_leak_in_functions(backend, compiler, optimisation, watch):
    built = (compiler, optimisation)
    lines = watched.lines_of("HQC", LEAKS)
    status, output, reports = watch("valgrind", backend, lines, "taint_functions", built)
    assert status == 0, reports[-5000:]
    assert watched.operations_of(output) == {"HQC": set(LEAKS)}


@pytest.mark.parametrize("mistake", mistakes.cases("constant_time/HQC"))
def test_leaky_variant_is_reported_in(mistake, watch):
    lines = ["leak itself", f"HQC {mistake.name}"]
    status, _, reports = watch("valgrind", "reference", lines, "taint_functions", first=True)
    assert status == watched.REPORTED, reports
    assert f"({mistake.name}" in reports or "hqc_functions.c" in reports


# --- What valgrind does not see: divisions; and branches on paths that did not run ----------------


@pytest.mark.parametrize("compiler, optimisation", BUILDS)
def test_no_division_by_n(compiler, optimisation, compiled, root):
    folder = compiled(compiler, optimisation)
    # It has sampling.c and hqc_steps.c inside, and one division to be found.
    (own,) = (folder / "tests").rglob("hqc_functions.c.o")
    assert divisions(own, root) == {("tests/harness/hqc_functions.c", "leak_by_division")}
    assert not [found for name in SCANNED for found in divisions(object_of(folder, name), root)]


@pytest.mark.parametrize("compiler, optimisation", BUILDS)
def test_no_branch_in_field_and_codes(compiler, optimisation, compiled, root):
    folder = compiled(compiler, optimisation)
    found = {
        (file, line)
        for name in SCANNED
        for file, line in branches(object_of(folder, name), root)
        if not any(part in line for part in PUBLIC_BRANCHES)
    }
    assert found - MISPLACED_BRANCHES == set()


@pytest.mark.parametrize("compiler, optimisation", BUILDS)
def test_branch_in_field_and_codes_is_noticed(compiler, optimisation, compiled, root):
    """The reference branches on field elements and degrees, whatever the compiler."""
    path = object_of(compiled(compiler, optimisation), "codes_reference")
    lines = {line for _, line in branches(path, root)}
    assert lines & {
        "if (evaluate_reference(locator, parity, x) == 0) {",
        "if (gap == 0) {",
        "if (2 * degree <= n) {",
        "if ((b >> i & 1) != 0) {",
    }, lines


# --- The comparison covers the whole ciphertext ---------------------------------------------------


def rejected_secret(kem, ciphertext, secret_key):
    """J = SHA3-256(H(ek) || sigma || ciphertext || 3), and what docs/kems.md says of 2023."""
    if known_answers.is_hqc_2023(kem.name):
        sigma = secret_key[40 : kem.length_secret_key - kem.length_public_key]
        return hashlib.shake_256(sigma + ciphertext + b"\x05").digest(64)
    length = kem.length_public_key
    sigma = secret_key[length + 32 : kem.length_secret_key - 32]
    key_hash = hashlib.sha3_256(secret_key[:length] + b"\x01").digest()
    return hashlib.sha3_256(key_hash + sigma + ciphertext + b"\x03").digest()


def accepted_changes(library, name, step=1):
    """Returns the bytes of a ciphertext that can be changed without being noticed."""
    kem = library.kem(name)
    record = known_answers.read_records(name)[0]
    ciphertext, secret_key, shared = record["ct"], record["sk"], record["ss"]
    assert library.decaps(kem, ciphertext, secret_key) == shared
    unnoticed = []
    for position in sorted({*range(0, len(ciphertext), step), len(ciphertext) - 1}):
        bad = bytearray(ciphertext)
        bad[position] ^= 1 << position % 8
        if library.decaps(kem, bytes(bad), secret_key) != rejected_secret(
            kem, bytes(bad), secret_key
        ):
            unnoticed.append(position)
    return unnoticed


@pytest.mark.parametrize(
    "name",
    [
        *("HQC-1", "HQC-128-2023"),
        *[
            pytest.param(name, marks=pytest.mark.long)
            for name in ("HQC-3", "HQC-5", "HQC-256-2023")
        ],
    ],
)
def test_every_byte_of_the_ciphertext_is_compared(name, internals):
    """u, its unused bits, v, and the salt to its last byte."""
    assert accepted_changes(internals, name) == []


@pytest.mark.parametrize("backend", ["portable", "avx2"])
def test_every_byte_of_the_ciphertext_is_compared_by(backend, library):
    if not library.backends()[backend]:
        pytest.skip(f"this processor lacks {backend}")
    with library.backend(backend):
        assert accepted_changes(library, "HQC-1", step=16) == []


@pytest.mark.parametrize("mistake", mistakes.cases("constant_time/comparison"))
def test_incomplete_comparison_is_noticed(mistake, broken_library):
    first, last = mistake.more["bytes"]  # of HQC-1 that are compared no more
    unnoticed = accepted_changes(broken_library(mistake), "HQC-1")
    assert unnoticed == list(range(first, last + 1))
