# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Stack, heap and wiping of every KEM and operation, on every back end."""

import importlib.util
import re
import subprocess

import pytest

LINE = re.compile(
    r"(?P<kem>\S+) (?P<operation>\S+) (?P<place>stack|workspace) stack=(?P<stack>\d+) "
    r"workspace=(?P<workspace>\d+) depth=(?P<depth>\d+) heap=(?P<heap>\d+) "
    r"residue=(?P<residue>\w+)$"
)
NUMBERS = ["stack", "workspace", "depth", "heap"]
OPERATIONS = {
    ("keypair", "stack"),
    ("keypair", "workspace"),
    ("encaps", "stack"),
    ("encaps", "workspace"),
    ("decaps", "stack"),
    ("decaps", "workspace"),
    ("check", "stack"),
    ("check", "workspace"),
}


def uses_libcrypto(kem):
    return "-aes" in kem


@pytest.fixture(scope="module")
def stack_table(root):
    spec = importlib.util.spec_from_file_location(
        "stack_table", root / "tests" / "memory" / "stack_table.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def measure(build):
    """measure(preset, back end, ...) returns the findings and the depth that is wiped."""
    known = {}

    def run(preset, backend, *options, small=False):
        if backend == "reference":  # minutes at the higher levels
            options += ("--level", "1")
        key = (preset, backend, options, small)
        definitions = {"CODEKEM_SMALL": "ON", "CODEKEM_BUILD_CLI": "OFF"} if small else {}
        if key not in known:
            program = (
                build(preset, targets=("memory_check",), **definitions) / "bin" / "memory_check"
            )
            done = subprocess.run(
                [program, backend, *options], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr
            first, *lines = done.stdout.splitlines()
            findings = [LINE.match(line).groupdict() for line in lines]
            for finding in findings:
                finding |= {name: int(finding[name]) for name in NUMBERS}
            known[key] = findings, int(first.removeprefix("wiped "))
        return known[key]

    return run


@pytest.fixture(params=["gcc", "clang"])
def findings(request, backend_name, measure):
    """What memory_check tells of every KEM."""
    return measure(request.param, backend_name)[0]


@pytest.fixture(params=["gcc", "clang"])
def wiped(request, backend_name, measure):
    return measure(request.param, backend_name)


def test_every_operation_is_measured(findings, library, backend_name):
    measured = {}
    for finding in findings:
        measured.setdefault(finding["kem"], set()).add((finding["operation"], finding["place"]))
    assert set(measured) >= {
        kem.name
        for kem in library.kems()
        if backend_name != "reference" or kem.claimed_nist_level == 1
    }
    assert all(operations == OPERATIONS for operations in measured.values())


def test_nothing_is_left_behind(findings):
    assert [f for f in findings if f["residue"] != "none"] == []


def test_stack_is_as_stated(findings, stack_table):
    for finding in findings:
        stated = stack_table.STACK_MARGIN
        if finding["place"] == "stack":
            stated += finding["workspace"]
        assert finding["stack"] <= stated, finding


def test_functions_stay_within_the_part_of_the_stack_that_is_wiped(wiped):
    findings, depth = wiped
    for finding in findings:
        assert 0 < finding["depth"] < depth, finding


BATCH_SEEDS_BYTES = 4096  # of the stack: seeds that are drawn for a batch


@pytest.mark.parametrize("preset", ["gcc", "clang"])
def test_batches_keep_to_their_memory(preset, fast_backend_name, measure, stack_table):
    findings, depth = measure(preset, fast_backend_name, "--batches", "--level", "1")
    assert {(f["operation"], f["place"]) for f in findings} == {
        (f"{operation}-batch", place)
        for operation in ("keypair", "encaps", "decaps")
        for place in ("stack", "workspace")
    }
    for finding in findings:
        assert finding["residue"] == "none", finding
        # Where a batch is one call after the other, what the call before wiped counts as touched.
        one_by_one = finding["kem"].endswith("-2023")
        assert finding["depth"] > 0, finding
        assert one_by_one or finding["depth"] < depth, finding
        assert finding["heap"] == 0 or uses_libcrypto(finding["kem"]), finding
        stated = stack_table.STACK_MARGIN
        if finding["place"] == "stack":
            stated += finding["workspace"] + BATCH_SEEDS_BYTES
        assert finding["stack"] <= stated, finding


@pytest.mark.parametrize("preset", ["gcc", "clang"])
def test_small_build_leaves_nothing_behind(preset, fast_backend_name, measure):
    """CODEKEM_SMALL wipes less where less is used, and only there."""
    findings, depth = measure(preset, fast_backend_name, "--level", "1", small=True)
    assert [f for f in findings if f["residue"] != "none"] == []
    assert [f for f in findings if not 0 < f["depth"] < depth] == []


def test_heap_is_not_used(findings):
    assert [f for f in findings if f["heap"] > 0 and not uses_libcrypto(f["kem"])] == []


def test_stack_table_in_the_documentation_is_current(library, stack_table, root):
    text = (root / "docs" / "security.md").read_text()
    expected = "\n".join(stack_table.table(library))
    assert expected in text, f"the table must be:\n{expected}"
    assert f"{stack_table.STACK_MARGIN // 1024} KiB" in text


def test_header_states_the_stack(library, stack_table, root):
    """The largest of each level; the versions of a level take as much."""
    text = (root / "include" / "codekem.h").read_text()
    stated = dict(re.findall(r"(HQC-\d|BIKE-L\d) (\d+)(?=[, ])", text))
    assert {
        kem.name: stack_table.kibibytes(stack_table.stack(kem.length_decaps_workspace))
        for kem in library.kems()
        if kem.name in stated
    } == stated
    assert len(stated) == 6


def test_hqc_runs_on_small_threads(library, findings, stack_table):
    """64 KiB on any call: stated and measured."""
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


# --- Tests of the tests ---------------------------------------------------------------------------


def test_missing_wipe_is_found(measure):
    findings, _ = measure("gcc", "portable", "--no-wipe")
    assert [f for f in findings if f["residue"] == "none"] == []
    assert "secret" in {f["residue"] for f in findings}


def test_heap_calls_are_counted(measure):
    """The legacy KEMs use the heap, through libcrypto."""
    findings, _ = measure("gcc", "portable")
    assert all(
        f["heap"] > 0 for f in findings if uses_libcrypto(f["kem"]) and f["operation"] != "check"
    )
