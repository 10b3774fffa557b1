# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Which tests tools/mutants.py runs for a mistake in a file of src/, those first that find most."""

import pathlib
import re

from tools.mutant_copy import BUILDS, EMULATED, OWN_BUILD, ROOT
from tools.source_folders import included_as

PYTHON = ROOT / ".venv" / "bin" / "python"

# Folders of src/ that only some schemes have, and tests by scheme.
FAMILY = {
    **dict.fromkeys(["benes", "bitmatrix", "gf2m", "recurrence", "sort", "mceliece"], "mceliece"),
    **dict.fromkeys(["mq4", "sofia"], "sofia"),
    "hybrid": "hybrid",
    "legacy": "legacy",
}
# Before the proofs of equivalence, what has found most first, with builds by gcc; and behind them.
BATCHES = [
    "tests/platforms/test_conformance.py",
    "-k",
    "processor and gcc-few or versions or reference",
]
TESTS = {
    "kem": [
        BATCHES,
        ["tests/properties/test_padding.py"],
        ["tests/kat/test_response_files.py", "tests/kat/test_decapsulation.py"],
    ],
    "mceliece": [
        ["tests/mceliece/test_interface.py", "tests/mceliece/test_outside_support.py"],
        ["tests/mceliece"],
    ],
    "sofia": [["tests/sofia"]],
    "hybrid": [["tests/hybrid"]],
    "masked": [["tests/masked"]],
    "legacy": [["tests/legacy", "tests/kat/test_response_files.py"]],
}
OTHER_PRESETS = ("asan-ubsan", "msan", "i686", "s390x")
DIVISIONS = "tests/constant_time/test_divisions.py"
MORE_TESTS = {
    "kem": [
        ["tests/properties"],
        ["tests/unit", "tests/kat/test_platforms.py", "tests/sanitizers/test_sanitizers.py"],
        ["tests/memory/test_memory.py", "tests/constant_time/test_checkers.py", DIVISIONS],
        ["tests/constant_time/test_hqc_leaks.py"],
    ],
    "mceliece": [
        ["tests/properties/test_contract.py", "tests/unit", "tests/sanitizers/test_mceliece.py"],
        ["tests/memory/test_memory.py", "tests/constant_time/test_checkers.py", DIVISIONS],
    ],
    "sofia": [
        ["tests/properties/test_contract.py", "tests/unit", "tests/sanitizers/test_sofia.py"],
        ["tests/memory/test_memory.py", "tests/constant_time/test_checkers.py", DIVISIONS],
    ],
    "hybrid": [
        ["tests/unit", "tests/sanitizers/test_hybrid.py"],
        ["tests/memory/test_memory.py", "tests/constant_time/test_checkers.py", DIVISIONS],
    ],
    "masked": [
        ["tests/sanitizers/test_masked.py"],
        ["tests/memory/test_memory.py", "tests/constant_time/test_checkers.py", DIVISIONS],
    ],
    "legacy": [["tests/kat/test_platforms.py", "tests/constant_time/test_checkers.py"]],
}
SOUNDNESS = {
    "kem": ["proofs/soundness/test_soundness.py", "proofs/soundness/test_hqc.py"],
    "mceliece": [
        "proofs/soundness/test_mceliece.py",
        "proofs/soundness/test_mceliece_operations.py",
    ],
    "sofia": ["proofs/soundness/test_sofia.py"],
}
# Tests of builds for other processors; {} is the name of the build.
EMULATED_TESTS = {
    "kem": [
        ["tests/platforms/test_conformance.py", "-k", "{}"],
        ["tests/platforms/test_targets.py", "-k", "{}"],
        ["tests/platforms/test_memory_elsewhere.py", "-k", "{} and not mceliece"],
    ],
    "mceliece": [
        ["tests/platforms/test_mceliece.py", "-k", "{}"],
        ["tests/platforms/test_memory_elsewhere.py", "-k", "{} and mceliece"],
    ],
    "sofia": [["tests/platforms/test_sofia.py", "-k", "{}"]],
    "hybrid": [["tests/platforms/test_hybrid.py", "-k", "{}"]],
    "masked": [["tests/platforms/test_masked.py", "-k", "{}"]],
    "legacy": [["tests/platforms/test_targets.py", "-k", "{} and known_answers"]],
}
ELSEWHERE = {
    "cortex-m4": {
        "kem": [
            ["devices/tests/test_cortex_m4.py", "-k", "known_answers"],
            ["devices/tests/test_conformance.py"],
            ["devices/tests/test_cortex_m4.py"],
        ],
        "mceliece": [
            ["devices/tests/test_cortex_m4_mceliece.py", "-k", "answers or mathematics or vectors"],
            ["devices/tests/test_cortex_m4_mceliece.py"],
        ],
    },
    "wasm32": {
        "kem": [
            ["tests/platforms/test_systems.py", "-k", "webassembly and (known_answers or steps)"],
            ["tests/platforms/test_systems.py", "-k", "webassembly"],
            ["tests/platforms/test_conformance.py", "-k", "webassembly"],
            ["bindings/tests/test_wasm.py"],
        ]
    },
}


def back_end(mutant):
    """Returns the suffix of a file for one back end; empty if it is for several."""
    stem = pathlib.PurePath(mutant["file"]).name.split(".")[0]
    names = [*OWN_BUILD, "avx2", "vpclmul", "gfni", "avx512", "portable", "reference"]
    return next((one for one in names if stem == one or stem.endswith(f"_{one}")), "")


def folder_in_src(file):
    """Returns the folder of src/ that a file belongs to, such as gf2x."""
    return included_as(file).partition("/")[0]


def text_of_proofs(path):
    """Returns the text of a test of equivalence, with what it imports and the units it names."""
    folder, text = path.parent, path.read_text(encoding="utf-8")
    for name in re.findall(r"^from proofs\.kernels\.(\w+) import", text, re.MULTILINE):
        if name != "engine":  # which names no file of the library
            text += (folder / f"{name}.py").read_text(encoding="utf-8")
    units = [unit for unit in folder.glob("units/*.c") if unit.name in text]
    return text + "".join(unit.read_text(encoding="utf-8") for unit in units)


def proofs_of(file):
    """Returns the tests of equivalence that name the folder of a file."""
    folder = folder_in_src(file)
    found = []
    for path in sorted((ROOT / "proofs/kernels").glob("test_*.py")):
        text = text_of_proofs(path)
        if f"{folder}/" in text or (folder == "base" and '.c"' in text):
            found.append([f"proofs/kernels/{path.name}"])
    return found


def selections(mutant):
    """Returns which tests are run for a mutant: lists of arguments, the quick ones first."""
    name, proofs = mutant["build"], proofs_of(mutant["file"])
    family = FAMILY.get(folder_in_src(mutant["file"]), "kem")
    if name in ELSEWHERE:
        return [*ELSEWHERE[name].get(family, []), *proofs]
    if name in EMULATED:
        words = [[word.format(name) for word in one] for one in EMULATED_TESTS[family]]
        return [*words, *proofs]
    found = [*TESTS[family], *proofs, *MORE_TESTS[family]]
    if back_end(mutant) in ("", "portable") and family in SOUNDNESS:
        found.append(SOUNDNESS[family])
    return found


def preset_of(mutant, arguments):
    """Returns the preset whose builds alone are made for tests; None if it is any."""
    if "::" in arguments[0]:  # one test, whose parameters name it if it is another one
        words = f"-{arguments[0].partition('[')[2].rstrip(']')}-"
        named = [name for name in OTHER_PRESETS if f"-{name}-" in words]
        return named[0] if named else BUILDS[mutant["build"]][0]
    if mutant["build"] in {**EMULATED, **ELSEWHERE}:
        return mutant["build"]
    return "gcc" if any(arguments in quick for quick in TESTS.values()) else None


def pytest(arguments, stage, *more):
    """Returns the command for a part of the tests, in one process."""
    options = ["-p", "no:xdist", "-p", "no:cacheprovider", "-p", "tests.mutant_answers"]
    options += ["-q", "-rfE", "--tb=line", "-m", "long" if stage == "long" else "not long"]
    return [PYTHON, "-m", "pytest", *options, *more, *arguments]
