# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stack, heap and wiping of every KEM and entry point, on every back end."""

import re

import pytest

from tests import memory_findings
from tests.memory import stack_table
from tests.memory_findings import PUBLIC, check_residue

BOTH = ("stack", "workspace")
OPERATIONS = {(name, place) for name in ("keypair", "encaps", "decaps", "check") for place in BOTH}
OPERATIONS |= {(name, "workspace") for name in ("derive", *PUBLIC)}
BATCHES = {(f"{name}-batch", place) for name in ("keypair", "encaps", "decaps") for place in BOTH}
BATCHES |= {("keypair-batch-random", "workspace")}
BATCHES |= {(f"{name}-batch-one-key", "stack") for name in ("encaps", "decaps")}
# Of Classic McEliece: what needs memory for keys is in the caller's memory only.
MCELIECE = OPERATIONS - {("keypair", "stack"), ("check", "stack")}
MCELIECE |= {
    (name, "workspace")
    for name in (
        *("expand", "prepare", "decaps-prepared", "encaps-random", "begin", "begin-random"),
        *("absorb", "end", "rows-begin", "rows-make"),
    )
}
MCELIECE_SETS = ["mceliece348864", "mceliece460896", "mceliece6688128", "mceliece6960119"]
MASKED_BOTH = ("keypair", "encaps", "decaps")
MCELIECE_SETS.append("mceliece8192128")


# `make test` has those of gcc.
PRESETS = ["gcc", pytest.param("clang", marks=pytest.mark.long)]


def uses_libcrypto(kem):
    return "-aes" in kem


@pytest.fixture(scope="module")
def kems(internals):
    """kems(level=None) returns the names of the KEMs of both libraries, of one level or all."""

    def names(level=None):
        every = [*internals.kems(), *internals.legacy_kems()]
        return [kem.name for kem in every if level in (None, kem.claimed_nist_level)]

    return names


@pytest.fixture(scope="module")
def measure(build):
    """measure(preset, back end, subjects, ...) returns the findings and the depth that is wiped."""
    known = {}

    def run(preset, backend, subjects, *options, operations="all", small=False):
        key = (preset, backend, *subjects, *options, operations, small)
        definitions = {"CODEKEM_SMALL": "ON", "CODEKEM_BUILD_CLI": "OFF"} if small else {}
        if key not in known:
            folder = build(preset, targets=("memory",), **definitions)
            known[key] = memory_findings.measure(
                folder, backend, subjects, *options, operations=operations
            )
        return known[key]

    return run


@pytest.fixture(params=PRESETS)
def wiped(request, fast_backend_name, measure, kems):
    """What is told of every KEM, and how deep the stack is wiped."""
    return measure(request.param, fast_backend_name, kems())


@pytest.fixture
def findings(wiped):
    return wiped[0]


def check_operations(findings, names):
    """Every operation of these KEMs at least is measured."""
    measured = {}
    for finding in findings:
        measured.setdefault(finding["kem"], set()).add((finding["operation"], finding["place"]))
    assert set(measured) >= set(names)
    assert all(operations == OPERATIONS for operations in measured.values())


def test_every_operation_is_measured(findings, kems):
    check_operations(findings, kems())


def check_findings(findings, wiped):
    """Nothing is left, and the memory is what the header promises."""
    check_residue(findings, wiped)
    for finding in findings:
        stated = 1024 if finding["operation"] in PUBLIC else stack_table.STACK_MARGIN
        if finding["place"] == "stack":
            stated += finding["workspace"]
            stated += BATCH_SEEDS_BYTES if finding["operation"].endswith("-batch") else 0
        assert finding["stack"] <= stated, finding
        assert finding["heap"] == 0 or uses_libcrypto(finding["kem"]), finding


BATCH_SEEDS_BYTES = 4096  # of the stack: seeds that are drawn for a batch


def test_nothing_is_left_behind_and_stack_is_as_stated(wiped):
    check_findings(*wiped)


@pytest.mark.long
@pytest.mark.parametrize("preset", ["gcc", "clang"])
def test_reference_keeps_to_its_memory(preset, measure, library, kems):
    findings, depth = measure(preset, "reference", kems(1))  # minutes at the higher levels
    check_operations(findings, kems(1))
    check_findings(findings, depth)
    check_small_threads(findings, library)


@pytest.mark.long
@pytest.mark.parametrize("preset", PRESETS)
def test_batches_keep_to_their_memory(preset, fast_backend_name, measure, kems):
    findings, depth = measure(preset, fast_backend_name, kems(1), operations="batches")
    assert {(f["operation"], f["place"]) for f in findings} == BATCHES
    check_findings(findings, depth)


@pytest.mark.parametrize("preset", PRESETS)
def test_hybrids_keep_to_their_memory(preset, library, measure):
    """The stack is that of the KEM, but for the check of a secret key."""
    subjects = ["HQC-1-X25519", "HQC-5-X25519", "BIKE-L1-X25519"]
    findings, depth = measure(preset, library.call["backend_current"](), subjects)
    check_operations(findings, subjects)
    check_findings(findings, depth)


@pytest.mark.parametrize("preset", PRESETS)
def test_hqc_in_shares_keeps_to_its_memory(preset, library, measure):
    """Every share and every mask is gone after a call."""
    subjects = ["MASKED-HQC-1", "MASKED-HQC-5"]
    findings, depth = measure(preset, library.call["backend_current"](), subjects)
    both = {(name, place) for name in MASKED_BOTH for place in ("stack", "workspace")}
    assert {(f["operation"], f["place"]) for f in findings} == both | {
        ("import", "stack"),
        ("refresh", "stack"),
    }
    check_findings(findings, depth)


@pytest.mark.parametrize("preset", PRESETS)
def test_mceliece_keeps_to_its_memory(preset, fast_backend_name, measure):
    """Each entry point; the plain set has more of them than the others."""
    findings, depth = measure(preset, fast_backend_name, ["mceliece348864"])
    assert {(f["operation"], f["place"]) for f in findings} == MCELIECE | {
        ("in-pages", "workspace")
    }
    check_findings(findings, depth)


@pytest.mark.long
@pytest.mark.parametrize("preset", ["gcc", "clang"])
@pytest.mark.parametrize("form", ["", "f", "pc", "pcf"])
@pytest.mark.parametrize("name", MCELIECE_SETS)
def test_all_of_mceliece_keeps_to_its_memory(name, form, preset, fast_backend_name, measure):
    findings, depth = measure(preset, fast_backend_name, [name + form])
    pages = set() if form.endswith("f") else {("in-pages", "workspace")}
    assert {(f["operation"], f["place"]) for f in findings} == MCELIECE | pages
    check_findings(findings, depth)


@pytest.mark.long
@pytest.mark.parametrize("preset", ["gcc", "clang"])
def test_all_batches_keep_to_their_memory(preset, fast_backend_name, measure, kems):
    subjects = [*kems(), "mceliece348864f"]
    findings, depth = measure(preset, fast_backend_name, subjects, operations="batches")
    check_findings(findings, depth)


@pytest.mark.long
@pytest.mark.parametrize("preset", ["gcc", "clang"])
def test_small_build_leaves_nothing_behind(preset, fast_backend_name, measure, kems):
    """CODEKEM_SMALL wipes less where less is used, and only there."""
    findings, depth = measure(preset, fast_backend_name, kems(1), small=True)
    assert [f for f in findings if f["residue"] != "none"] == []
    secret = [f for f in findings if f["operation"] not in PUBLIC]
    assert [f for f in secret if not 0 < f["depth"] < depth] == []


def test_stack_table_in_the_documentation_is_current(library, root):
    text = (root / "docs" / "security.md").read_text()
    expected = "\n".join(stack_table.table(library))
    assert expected in text, f"the table must be:\n{expected}"
    assert f"{stack_table.STACK_MARGIN // 1024} KiB" in text


def test_earlier_versions_take_as_much_as_those_in_the_table(library):
    def workspaces(kem):
        return (
            kem.length_keypair_workspace,
            kem.length_encaps_workspace,
            kem.length_decaps_workspace,
        )

    now = {kem.name: workspaces(kem) for kem in library.kems() if not kem.superseded}
    earlier = [kem for kem in library.kems() if kem.superseded]
    assert len(now) == 6 and len(earlier) == 9
    assert not [kem.name for kem in earlier if workspaces(kem) != now[kem.name.partition("-v")[0]]]


def test_header_states_the_stack(library, root):
    """The largest of each level; the versions of a level take as much."""
    text = (root / "include" / "codekem.h").read_text()
    stated = dict(re.findall(r"(HQC-\d|BIKE-L\d) (\d+)(?=[, ])", text))
    assert {
        kem.name: stack_table.kibibytes(stack_table.stack(kem.length_decaps_workspace))
        for kem in library.kems()
        if kem.name in stated
    } == stated
    assert len(stated) == 6


def test_hqc_runs_on_small_threads(library, findings):
    check_small_threads(findings, library)


def check_small_threads(findings, library):
    """64 KiB on any call of HQC: stated and measured."""
    names = [kem.name for kem in library.kems() if kem.name.startswith("HQC-")]
    stated = [
        stack_table.stack(getattr(kem, f"length_{operation}_workspace"))
        for kem in library.kems()
        if kem.name in names
        for operation in ("keypair", "encaps", "decaps")
    ]
    measured = [f["stack"] for f in findings if f["kem"] in names]
    assert len(stated) == 18 and measured
    assert max(stated) <= 64 * 1024 and max(measured) <= 64 * 1024


# --- SOFIA ----------------------------------------------------------------------------------------
SOFIA = "SOFIA-4-128"
HEADER_BYTES = 16384  # of the stack, beside the workspace


@pytest.mark.parametrize("preset", PRESETS)
def test_sofia_keeps_to_its_memory(preset, fast_backend_name, measure):
    findings, depth = measure(preset, fast_backend_name, [SOFIA])
    assert len(findings) == 6
    check_residue(findings, depth)
    for finding in findings:
        stated = HEADER_BYTES + (finding["workspace"] if finding["place"] == "stack" else 0)
        assert finding["stack"] <= stated, finding
        assert finding["heap"] == 0, finding


# --- Tests of the tests ---------------------------------------------------------------------------


def test_missing_wipe_is_found(measure, kems):
    findings, _ = measure("gcc", "portable", kems(1), "wipe none")
    # To derive a public key of BIKE copies it, and meets no secret.
    secret = [f for f in findings if f["operation"] not in PUBLIC | {"derive"}]
    assert [f for f in secret if f["residue"] == "none"] == []
    assert "secret" in {f["residue"] for f in findings}


def test_registers_that_are_not_wiped_are_found(measure, fast_backend_name, kems):
    """memcpy has used them, whatever the back end."""
    findings, _ = measure("gcc", fast_backend_name, kems(1), "wipe stack")
    assert "registers" in {f["residue"] for f in findings}


def test_heap_calls_are_counted(measure, kems):
    """The legacy KEMs use the heap, through libcrypto."""
    findings, _ = measure("gcc", "portable", kems())
    assert all(
        f["heap"] > 0
        for f in findings
        if uses_libcrypto(f["kem"]) and f["operation"] in ("keypair", "encaps", "decaps")
    )


def test_missing_wipe_of_sofia_is_found(measure, fast_backend_name):
    findings, _ = measure("gcc", fast_backend_name, [SOFIA], "wipe none")
    assert all(f["residue"] != "none" for f in findings if f["operation"] != "verify")
