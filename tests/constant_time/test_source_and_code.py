# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the checkers cannot see: divisions in the machine code, and each declassification."""

import re
import subprocess

import pytest

from checked_builds import OPTIMISATIONS, build_checked

# Divisions take a time that depends on their operands on most processors. Memory checkers do not
# report them. These functions divide by, and only by, public numbers.
PUBLIC_DIVISIONS = {
    ("gf2x_power.c", "gf2x_power_apply"): "positions of the walk: the ring and the exponent",
}

# Not constant time, by design.
NOT_CONSTANT_TIME = re.compile(r"_reference\.c$")

DIVISION = re.compile(r"\b(?:div|idiv)[bwlq]?\b|\b__(?:u?div|u?mod|u?divmod|popcount|clz|ctz)[a-z]+\d\b")

# File of src/, how many declassifications it has, and why they are public. A new one needs a line
# here, a comment that begins with "Public:" beside it, and one in docs/security.md.
DECLASSIFICATIONS = {
    "bike/bike.c": (1, "the verdict of check_secret_key"),
    "hqc/hqc.c": (2, "the seed in the public key; the verdict of check_secret_key"),
    "hqc/sampling.c": (1, "which draws of the rejection sampler were accepted"),
    "bike/sampling.c": (1, "which draws of the rejection sampler of BIKE v4.2 were accepted"),
}


def divisions(path):
    """Returns {(source file, function)} that divide, from the disassembly of an archive or program."""
    text = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", path], capture_output=True,
                          text=True, check=True).stdout
    found, functions, source, function = set(), 0, "", ""
    for line in text.splitlines():
        if match := re.match(r"(\S+):\s+file format", line):
            source = match[1].removesuffix(".o")
        elif match := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            function = match[1].split(".")[0]  # compilers add .constprop.0 and the like
            functions += 1
        elif DIVISION.search(line.partition("\t")[2]):
            found.add((source, function))
    assert functions > 0, "objdump printed no code"
    return found


@pytest.mark.parametrize("optimisation", OPTIMISATIONS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_nothing_secret_is_divided(compiler, optimisation, build):
    folder = build_checked(build, "valgrind", compiler, optimisation)
    found = set()
    for name in ["libcodekem.a", "libcodekem-legacy.a"]:
        found |= {place for place in divisions(folder / name)
                  if not NOT_CONSTANT_TIME.search(place[0])}
    assert found - set(PUBLIC_DIVISIONS) == set()
    assert set(PUBLIC_DIVISIONS) <= found, "an exception that is not needed any more"


def test_division_is_found(build):
    program = build_checked(build, "valgrind", "gcc", "-O2") / "bin" / "ct_harness_leak1"
    assert "leak_by_division" in {function for _, function in divisions(program)}


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
