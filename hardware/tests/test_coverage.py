# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Line and toggle coverage by the operations of test_core.py and the benches; the summary reads it
right."""

import inspect
import subprocess
import sys

import pytest

from hardware.tests import (
    bench_models,
    hqc_modules,
    simulated,
    test_core,
    test_hqc_core,
    test_modules,
)

FAST = test_core.FAST
SCRIPT = simulated.HARDWARE / "sim" / "coverage.py"
# At least these shares are reached (docs/hardware-verification.md has the figures).
LINES_AT_LEAST, TOGGLES_AT_LEAST = 0.89, 0.94
WITH_BENCHES = 0.91, 0.945
# The same for the HQC core alone, by test_hqc_core.py.
HQC_AT_LEAST = 0.88, 0.97


def operations():
    """Returns the tests of the core that belong to make test and need the core alone."""
    return [
        function
        for name, function in sorted(vars(test_core).items())
        if name.startswith("test_")
        and list(inspect.signature(function).parameters) == ["core"]
        and not getattr(function, "pytestmark", [])
    ]


def hqc_operations():
    """Returns (name, function, arguments) of the tests of the HQC core that need `fast` alone."""
    found = []
    for name, function in sorted(vars(test_hqc_core).items()):
        names = list(inspect.signature(function).parameters) if name.startswith("test_") else []
        if names == ["checked"]:
            if not any(mark.name == "long" for mark in getattr(function, "pytestmark", [])):
                found.append((name, function, ()))
        elif names == ["checked", "parameters"]:
            found.append((name, function, (FAST,)))
        elif names == ["checked", "parameters", "wrong"]:
            found.append((name, function, (FAST, range(19))))
    return found


def summary_of(files, lines_at_least, toggles_at_least):
    """Prints the summary of the files; fails if less was reached. Returns the points by module."""
    modules = simulated.coverage.merge(files)
    print(simulated.coverage.table(modules))
    for kind, least in [("line", lines_at_least), ("toggle", toggles_at_least)]:
        reached, there = simulated.coverage.total(modules, kind)
        assert least * there <= reached <= there, kind
    return modules


@pytest.mark.long
def test_coverage_of_the_whole_core_and_with_the_benches(build, bench):
    folder = build.folder("hardware-coverage")
    program = simulated.build.build_core(folder, FAST, coverage=True)
    for old in folder.glob("*.dat"):
        old.unlink()
    word = simulated.cycles.PRESETS[FAST["PRESET"]]["WORD"]
    assert len(operations()) >= 8
    for operation in operations():
        packets = simulated.Packets(FAST["LEVEL"])
        one = simulated.Core(program, packets, word, f"coverage={folder / operation.__name__}.dat")

        def core(one=one, **parameters):
            assert parameters == FAST
            return one

        try:
            operation(core)
        finally:
            one.close()
    files = sorted(folder.glob("*.dat"))
    assert len(files) == len(operations())
    modules = summary_of(files, LINES_AT_LEAST, TOGGLES_AT_LEAST)
    sources = {path.stem for path in (simulated.HARDWARE / "rtl").rglob("*.sv")}
    assert set(modules) <= sources
    assert len(modules) >= 20
    for top, name, parameters in test_modules.MODULES:
        if not top.startswith(bench_models.OTHER_CORES):
            files.append(bench(top, name, parameters, coverage=True) / "coverage.dat")
    summary_of(files, *WITH_BENCHES)


@pytest.mark.long
def test_coverage_of_the_hqc_core(build):
    folder = build.folder("hardware-coverage-hqc")
    program = simulated.build.build_core(folder, FAST, coverage=True, scheme="hqc")
    for old in folder.glob("*.dat"):
        old.unlink()
    word = simulated.hqc_cycles.PRESETS[FAST["PRESET"]]["WORD"]
    assert len(hqc_operations()) >= 6
    for name, operation, arguments in hqc_operations():
        packets = simulated.HqcPackets(FAST["LEVEL"])
        one = simulated.Core(program, packets, word, f"coverage={folder / name}.dat")

        def checked(one=one, **parameters):
            assert parameters == FAST
            return test_hqc_core.Checked(lambda **_: one, parameters)

        try:
            operation(checked, *arguments)
        finally:
            one.close()
    files = sorted(folder.glob("*.dat"))
    assert len(files) == len(hqc_operations())
    modules = summary_of(files, *HQC_AT_LEAST)
    sources = {path.stem for path in simulated.build.rtl_files("hqc")}
    assert set(modules) <= sources
    # All but packages, what only the bus has, and what the preset leaves out.
    assert {top for top, *_ in hqc_modules.MODULES} - {"hqc_axi"} <= set(modules)


def point(page, line, count, name=""):
    fields = {"f": "/rtl/a.sv", "l": line, "n": 5, "page": page, "o": name, "h": "T"}
    text = "".join(f"\x01{key}\x02{value}" for key, value in fields.items())
    return f"C '{text}' {count}"


def write(path, *points):
    path.write_text("\n".join(["# SystemC::Coverage-3", *points]) + "\n")
    return path


def test_files_and_instances_are_merged(tmp_path):
    one = write(
        tmp_path / "one.dat",
        point("v_line/a__R5", 1, 0),
        point("v_branch/a__R5", 2, 0),
        point("v_toggle/a__R5", 3, 0, "x:0->1"),
        point("v_toggle/b", 3, 4, "y:0->1"),
    )
    two = write(
        tmp_path / "two.dat",
        point("v_line/a__R7", 1, 3),
        point("v_branch/a__R7", 2, 0),
        point("v_toggle/a__R7", 3, 1, "x:0->1"),
    )
    modules = simulated.coverage.merge([one, two])
    shares = {
        name: (simulated.coverage.share(kinds["line"]), simulated.coverage.share(kinds["toggle"]))
        for name, kinds in modules.items()
    }
    assert shares == {"a": ((1, 2), (1, 1)), "b": ((0, 0), (1, 1))}
    assert simulated.coverage.missing(modules, "a") == ["a.sv:2: branch "]
    assert "all" in simulated.coverage.table(modules)


def test_other_files_are_refused(tmp_path):
    for text, says in [
        ("", "is not coverage of Verilator"),
        ("text\n", "is not coverage of Verilator"),
        ("# SystemC::Coverage-3\nnonsense\n", "unknown line"),
    ]:
        (tmp_path / "bad.dat").write_text(text)
        done = subprocess.run(
            [sys.executable, SCRIPT, tmp_path / "bad.dat"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert says in done.stderr


def test_core_without_coverage_says_so(program, tmp_path):
    done = subprocess.run(
        [program(**FAST), f"coverage={tmp_path / 'none.dat'}"],
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "built without coverage" in done.stderr
    assert not (tmp_path / "none.dat").exists()
