# SPDX-License-Identifier: Apache-2.0 OR MIT
"""No branch and no address depends on a secret: valgrind and MemorySanitizer watch every row of
every scheme (tests/harness). docs/security.md says what each check can and cannot see.

In `make test` valgrind has the smallest sets, by gcc. MemorySanitizer, whose build takes as long as
all of that, is long; it has AVX-512, which valgrind cannot run, and of which test_traces.py has
cases in `make test`. Functions alone are in test_hqc_leaks.py.
"""

import concurrent.futures

import pytest

from tests import watched
from tests.checked_builds import BUILDS, build_checked
from tests.mceliece_library import NAMES, McEliece
from tools import mistakes

LONG = pytest.mark.long
CHECKERS = ["valgrind", pytest.param("msan", marks=LONG)]

OPERATIONS = ["keypair", "encaps", "decaps", "check"]
BATCHES = ["keypair-batch"]
BATCHES += [f"{name}-batch{which}" for which in ("", "-one-key") for name in ("encaps", "decaps")]
SOFIA = ["keypair", "sign", "verify"]

# Rows of Classic McEliece by the name of what leaked elsewhere:
PARTS = {
    # row operations that follow matrix bits, control bits that follow a permutation
    "keypair": ["keypair"],
    "encaps": ["encaps", "encaps-random"],  # sorted positions, zeros of the error that are skipped
    "pieces": ["begin-random", "end"],  # the same, with a public key in pieces
    "decaps": ["decaps"],  # weight and degree of the locator; the verdict
    "prepared": ["decaps-prepared"],  # the same with a prepared key
    "short_key": ["expand"],  # the ordering of the field by a library's sort
    "check": ["check"],  # comparison of a secret key
    "derive": ["derive"],  # support elements by table look-up
    "rows": ["rows-make"],  # rows of a secret matrix by its bits
    "pages": ["in-pages"],  # pivots and swaps of a secret matrix; only sets without f have it
}
SMALL, PAGED, PADDED = "mceliece348864f", "mceliece348864", "mceliece6960119pcf"


# --- KEMs, SOFIA ----------------------------------------------------------------------------------
# The others are the same code for other lengths, or draw and hash otherwise. Batches and single
# calls share their steps, so one KEM of each scheme shows the rest.
QUICK = {"BIKE-L1": OPERATIONS + BATCHES, "HQC-1": OPERATIONS + BATCHES, "SOFIA-4-128": SOFIA}


@pytest.mark.slow
@pytest.mark.parametrize("subject", QUICK)
@pytest.mark.parametrize(
    "checker, backend",
    [
        ("valgrind", "portable"),
        ("valgrind", "avx2"),
        pytest.param("msan", "avx512", marks=LONG),
    ],
)
def test_checker_finds_nothing(checker, backend, subject, clean):
    clean(checker, backend, {subject: QUICK[subject]})


# The group and the combiner; what is of the KEM has tests above.
HYBRID = {"HQC-1-X25519": OPERATIONS}


@pytest.mark.parametrize(
    "checker, backend",
    [
        ("valgrind", "avx2"),
        pytest.param("valgrind", "portable", marks=LONG),
        pytest.param("msan", "avx512", marks=LONG),
    ],
)
def test_checker_finds_nothing_in_hybrids(checker, backend, clean):
    clean(checker, backend, HYBRID)


@LONG
@pytest.mark.parametrize("compiler, optimisation", BUILDS)
def test_valgrind_finds_nothing_in_other_builds_of_hybrids(compiler, optimisation, clean):
    subjects = {f"{kem}-X25519": OPERATIONS for kem in ("HQC-5", "BIKE-L1")}
    clean("valgrind", "avx2", subjects, (compiler, optimisation))


# In shares: every share and every mask is a secret of its own.
MASKED = {"MASKED-HQC-1": ["keypair", "import", "refresh", "encaps", "decaps"]}


@pytest.mark.parametrize(
    "checker, backend",
    [
        ("valgrind", "portable"),
        pytest.param("valgrind", "avx2", marks=LONG),
        pytest.param("msan", "portable", marks=LONG),
    ],
)
def test_checker_finds_nothing_in_shares(checker, backend, clean):
    clean(checker, backend, MASKED)


@LONG
@pytest.mark.parametrize("compiler, optimisation", BUILDS)
def test_valgrind_finds_nothing_in_other_builds_in_shares(compiler, optimisation, clean):
    subjects = dict.fromkeys(["MASKED-HQC-3", "MASKED-HQC-5"], MASKED["MASKED-HQC-1"])
    clean("valgrind", "portable", subjects, (compiler, optimisation))


@pytest.fixture
def kems(internals):
    """kems(aes=True) returns {name: whether it is superseded} of the KEMs of both libraries."""

    def names(aes=True):
        every = [*internals.kems(), *internals.legacy_kems()]
        return {kem.name: kem.superseded for kem in every if aes or "-aes" not in kem.name}

    return names


@LONG
@pytest.mark.parametrize("compiler, optimisation", BUILDS)
@pytest.mark.parametrize("old", [False, True])  # which differ in sampling and hashing alone
def test_valgrind_finds_nothing_in_any_kem(old, compiler, optimisation, clean, kems):
    """With both back ends that valgrind can run, side by side."""
    subjects = {name: OPERATIONS for name, superseded in kems().items() if superseded == old}
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        runs = [
            pool.submit(clean, "valgrind", backend, subjects, (compiler, optimisation))
            for backend in ("portable", "avx2")
        ]
    for run in runs:
        run.result()


@LONG
@pytest.mark.parametrize("optimisation", ["-O2", "-O3"])
@pytest.mark.parametrize("backend", ["portable", "avx512"])
def test_memory_sanitizer_finds_nothing_in_any_kem(backend, optimisation, clean, kems):
    subjects = dict.fromkeys(kems(aes=False), OPERATIONS)
    clean("msan", backend, subjects, ("clang-16", optimisation))


@LONG
@pytest.mark.parametrize(
    "checker, compiler, optimisation, backend",
    [
        ("valgrind", "clang", "-Os", "avx2"),
        ("valgrind", "gcc", "-O3", "avx2"),
        ("valgrind", "clang", "-O3", "portable"),
        ("valgrind", "clang", "-O2", "avx2"),
        ("msan", "clang-16", "-O2", "portable"),
    ],
)
def test_checker_finds_nothing_in_other_builds_of_sofia(
    checker, compiler, optimisation, backend, clean
):
    clean(checker, backend, {"SOFIA-4-128": SOFIA}, (compiler, optimisation))


# --- Classic McEliece -----------------------------------------------------------------------------
# MemorySanitizer does not follow carries: of the portable code, parts in which a comparison decides
# everything (the orders of keys that are sorted) would come out unmarked. valgrind follows them.


def parts_of(names, small=SMALL):
    """Returns {subject: {part: rows}}; pages are of a set that has them."""
    found = {small: {name: PARTS[name] for name in names if name != "pages"}}
    return found | ({PAGED: {"pages": PARTS["pages"]}} if "pages" in names else {})


@pytest.mark.slow
@pytest.mark.parametrize(
    "checker, backend, names",
    [
        pytest.param("valgrind", "avx2", PARTS, id="valgrind-avx2"),
        pytest.param("valgrind", "portable", ["encaps", "decaps"], id="valgrind-portable"),
        pytest.param("msan", "avx512", PARTS, id="msan-avx512", marks=LONG),
        pytest.param("valgrind", "portable", PARTS, id="valgrind-portable-all", marks=LONG),
        pytest.param(
            *("msan", "portable", ["encaps", "pieces", "decaps", "prepared", "derive", "rows"]),
            id="msan-portable",
            marks=LONG,
        ),
    ],
)
def test_checker_finds_nothing_in_mceliece(checker, backend, names, clean):
    clean(checker, backend, parts_of(names))


@LONG
@pytest.mark.parametrize("backend", ["portable", "avx2"])
@pytest.mark.parametrize(
    "built", [("gcc", "-O3"), ("gcc", "-Os"), ("clang", "-O3"), ("clang-16", "-O2")]
)
def test_valgrind_finds_nothing_in_other_builds_of_mceliece(built, backend, clean):
    clean("valgrind", backend, parts_of(PARTS, PADDED), built)


@LONG
@pytest.mark.parametrize(
    "name", ["mceliece460896f", "mceliece6688128f", PADDED, "mceliece8192128f"]
)
def test_memory_sanitizer_finds_nothing_in_larger_sets(name, clean):
    clean("msan", "avx512", parts_of(PARTS, name))


@LONG
@pytest.mark.parametrize(
    "name", ["mceliece460896f", "mceliece6688128f", "mceliece6960119f", "mceliece8192128f"]
)
def test_valgrind_finds_nothing_in_keys_of_any_size(name, clean):
    """Plain sets differ in how many attempts are made, those with confirmation in nothing."""
    clean("valgrind", "avx2", {name: ["keypair"]})


# Code may do something else where t is 96, 119 or 128.


@pytest.fixture(scope="module")
def mceliece(internals):
    return McEliece(internals)


@pytest.fixture(scope="module")
def keys(mceliece, tmp_path_factory):
    """A file with the keys of all sets, in the order of the library; to make them under a checker
    takes long. Sets with confirmation of the plaintext have the keys of those without."""
    path, made = tmp_path_factory.mktemp("keys") / "keys", {}
    with path.open("wb") as file:
        for name in mceliece.names():
            one = name.replace("pc", "")
            if one not in made:
                made[one] = mceliece.keypair(mceliece.kem(one), bytes(32))
            file.writelines(made[one])
    return path


def test_every_set_of_the_library_is_here(mceliece):
    assert mceliece.names() == NAMES


@pytest.mark.parametrize("backend", [pytest.param("portable", marks=LONG), "avx2"])
def test_valgrind_finds_nothing_in_any_set(backend, clean, keys):
    parts = {name: {part: [part] for part in ("encaps", "decaps")} for name in NAMES}
    clean("valgrind", backend, parts, keys=keys)


# --- The mathematics of Goppa codes ---------------------------------------------------------------
MATHEMATICS = {"mathematics": ["field", "sort", "networks", "matrices"]}
CASES = [
    *[
        pytest.param("valgrind", backend, *built.values, marks=[*built.marks, *marks])
        for built in BUILDS
        for backend, marks in (("portable", [LONG]), ("avx2", []))
    ],
    pytest.param("msan", "portable", "clang-16", "-O2", marks=LONG),
    pytest.param("msan", "avx512", "clang-16", "-O2", marks=LONG),
]


@pytest.mark.parametrize("checker, backend, compiler, optimisation", CASES)
def test_checker_finds_nothing_in_mathematics(checker, backend, compiler, optimisation, clean):
    built = (compiler, optimisation)
    clean(checker, backend, {"goppa": MATHEMATICS}, built, target="taint_functions")


# --- Tests of the tests: what leaks is reported ---------------------------------------------------


@pytest.fixture
def reported(watch):
    """reported(checker, backend, lines, ...) returns the reports; demands that there are some."""

    def run(checker, backend, lines, target="taint_leaky", keys=None):
        status, _, reports = watch(checker, backend, lines, target, first=True, keys=keys)
        assert status == watched.REPORTED, reports
        return reports

    return run


@pytest.mark.parametrize(
    "operation",
    [
        *[pytest.param(name, marks=LONG) for name in OPERATIONS if name != "decaps"],
        *("decaps", "keypair-batch"),
    ],
)
@pytest.mark.parametrize("leak", mistakes.of("constant_time/leak"))
@pytest.mark.parametrize("checker", CHECKERS)
def test_deliberate_leak_is_reported(checker, leak, operation, reported):
    lines = [f"leak {leak}", f"BIKE-L1 {operation}"]
    assert "planted.c" in reported(checker, "portable", lines)  # and not something else


@pytest.mark.parametrize("checker", CHECKERS)
def test_leak_in_sofia_is_reported(checker, reported):
    (leak,) = mistakes.of("constant_time/sofia")
    lines = [f"leak {leak}", "SOFIA-4-128 sign"]
    assert "planted.c" in reported(checker, "portable", lines)


# What MemorySanitizer loses: sorting in a library that is not instrumented, and carries.
LOST = ["sorted_positions", "verdict"]


def lines_of_mceliece(mistake):
    return [f"leak {mistake.name}", *watched.lines_of(SMALL, PARTS[mistake.by])]


# `make test` has one of each part that is quick here.
@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(mistake, id=name, marks=[] if name in [*LOST, "support"] else LONG)
        for name, mistake in mistakes.of("constant_time/mceliece").items()
    ],
)
def test_valgrind_reports_planted(mistake, reported):
    reported("valgrind", "portable", lines_of_mceliece(mistake))


@LONG
@pytest.mark.parametrize(
    "mistake",
    [case for case in mistakes.cases("constant_time/mceliece") if case.id not in LOST],
)
def test_memory_sanitizer_reports_planted(mistake, reported):
    reported("msan", "portable", lines_of_mceliece(mistake))


@pytest.mark.parametrize(
    "part, t",
    [
        *[("encaps", 119), ("decaps", 119), pytest.param("encaps", 96, marks=LONG)],
        *[pytest.param("decaps", t, marks=LONG) for t in (64, 96, 128)],
    ],
)
def test_leak_of_some_sets_is_reported(part, t, reported, keys):
    lines = [f"leak t={t}"]
    for name in NAMES:
        lines += [f"{name} keys", f"{name} {part}"]
    reports = reported("valgrind", "avx2", lines, keys=keys)
    where = {"encaps": "find_repeat_of_t", "decaps": "wrap_ckem_mceliece_decode"}
    assert where[part] in reports


@pytest.mark.parametrize(
    "operation",
    [pytest.param(name, marks=[] if name == "decaps" else LONG) for name in OPERATIONS],
)
@pytest.mark.parametrize("checker", CHECKERS)
def test_reference_is_reported(checker, operation, reported):
    """The reference back end is not constant time, by design."""
    reported(checker, "reference", [f"BIKE-L1 {operation}"], "taint")


def test_harness_refuses_to_run_unwatched(build):
    program = build_checked(build, "valgrind", "gcc", "-O2") / "bin" / "taint"
    done = watched.run(program, "portable", ["BIKE-L1 decaps"])
    assert done.returncode == 2
    assert "valgrind" in done.stderr


# Of public inputs alone; and the same calls as others here, with seeds in place of randomness.
NOT_WATCHED = {"check-public", "check-ciphertext", "keypair-batch-random"}
NOT_WATCHED |= {"keypair-derand", "encaps-derand"}
# What another row does first, or does as well; traces have SOFIA's rounds alone.
WITHIN = {"begin", "absorb", "prepare", "rows-begin", "rounds"}


@pytest.mark.parametrize("subject", [*QUICK, PAGED])
def test_every_row_is_watched(subject, watch):
    """So a row that is added is named in this file."""
    _, output, _ = watch("valgrind", "portable", [f"{subject} rows"])
    rows = watched.operations_of(output)[subject] - NOT_WATCHED
    if subject == PAGED:
        assert rows - set(BATCHES) - WITHIN == {row for part in PARTS.values() for row in part}
    else:
        assert rows - {"derive"} - WITHIN == set(QUICK[subject])  # derive copies what is public


def test_a_lost_mark_is_noticed(watch):
    """Without its marks a secret that is made comes out public, and the check would say nothing."""
    status, _, reports = watch("valgrind", "portable", ["marks off", "BIKE-L1 encaps"])
    assert status == 2
    assert "the marks were lost" in reports
