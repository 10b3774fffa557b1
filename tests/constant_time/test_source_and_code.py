# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the checkers cannot see: divisions in the machine code, and each declassification."""

import re
import subprocess

from checked_builds import OPTIMISATIONS, build_checked

# Divisions take a time that depends on their operands on most processors. Memory checkers do not
# report them. These functions divide, and public numbers only: file of src/, functions, what.
PUBLIC_DIVISIONS = {
    "gf2x/gf2x_power.c": ({"gather_columns", "scatter_columns"}, "the ring and the exponent"),
    "gf2x/gf2x_power_avx2.c": ({"gather_columns", "scatter_columns"}, "the ring and the exponent"),
    "gf2x/gf2x_power_avx512.c": ({"gather_columns", "scatter_columns", "find_progression",
                                  "find_walk"}, "the ring and the exponent"),
    "gf2x/gf2x_mul_avx512.c": ({"can_split", "chunk_split", "chunk_product_vectors",
                                "multiply_chunk"}, "lengths"),
    "gf2x/gf2x_units_avx512.c": ({"find_split", "gf2x_units_scratch_avx512",
                                  "gf2x_multiply_units_avx512"}, "lengths"),
    "hqc/reed_solomon_steps.h": ({"list_position_points"}, "a loop counter"),
}

# Not constant time, by design.
NOT_CONSTANT_TIME = re.compile(r"_reference\.c$")

# The instructions, and the functions that compilers call in their place.
DIVISION = re.compile(
    r"\b(?:div|idiv)[bwlq]?\b|\b__(?:u?div|u?mod|u?divmod|popcount|clz|ctz)[a-z]+\d\b")

# File of src/, how many declassifications it has, and why they are public. A new one needs a line
# here, a comment that begins with "Public:" beside it, and one in docs/security.md.
DECLASSIFICATIONS = {
    "bike/bike.c": (1, "the verdict of check_secret_key"),
    "hqc/hqc.c": (2, "the seed in the public key; the verdict of check_secret_key"),
    "hqc/sampling.c": (1, "which draws of the rejection sampler were accepted"),
    "bike/sampling.c": (1, "which draws of the rejection sampler of BIKE v4.2 were accepted"),
}


def enclosing_function(lines, number):
    """Returns the name of the function around a line of C, which begins in the first column."""
    for line in reversed(lines[:number]):
        if match := re.match(r"[a-zA-Z_].*?\b(\w+)\(", line):
            return match[1]
    return "?"


def disassemble(path, *options):
    text = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", *options, path],
                          capture_output=True, text=True, check=True).stdout
    assert "file format elf" in text
    return text


def divisions(path, root):
    """Returns {(file, function)} of the source lines from which the divisions in an object come."""
    found, place = set(), None
    if not any(DIVISION.search(line.partition("\t")[2]) for line in disassemble(path).splitlines()):
        return found  # finding the source lines takes long
    text = disassemble(path, "-l")
    for line in text.splitlines():
        if match := re.match(r"(\S+\.[ch]):(\d+)(?: \(discriminator \d+\))?$", line):
            source = (root / match[1]).resolve()
            if source.is_relative_to(root):  # not in a header of the compiler
                place = source, int(match[2])
        elif re.match(r"[0-9a-f]+ <.*>:$", line):
            place = None
        elif DIVISION.search(line.partition("\t")[2]):
            assert place is not None, f"no source line for {line}"
            name = enclosing_function(place[0].read_text().splitlines(), place[1])
            found.add((place[0].relative_to(root).as_posix().removeprefix("src/"), name))
    return found


def objects_of_the_library(folder, root):
    """Returns the objects, without those that are not constant time by design."""
    found = []
    for parent in [folder / "CMakeFiles" / "codekem_objects.dir",
                   folder / "CMakeFiles" / "codekem_legacy.dir"]:
        for path in parent.rglob("*.c.o"):
            source = root / path.relative_to(parent).with_suffix("")
            # An older build may have left objects of files that are gone.
            if source.exists() and not NOT_CONSTANT_TIME.search(source.name):
                found.append(path)
    assert len(found) > 20
    return found


def test_nothing_secret_is_divided(build, root):
    found = set()
    for compiler in ["gcc", "clang"]:
        for optimisation in OPTIMISATIONS:
            folder = build_checked(build, "valgrind", compiler, optimisation)
            for path in objects_of_the_library(folder, root):
                found |= divisions(path, root)
    allowed = {(name, function) for name, (functions, _) in PUBLIC_DIVISIONS.items()
               for function in functions}
    assert found - allowed == set()
    assert allowed - found == set(), "exceptions that are not needed any more"


def test_division_is_found(build, root):
    objects = build_checked(build, "valgrind", "gcc", "-O2") / "tests" / "constant_time"
    leak, = objects.rglob("ct_harness_leak1.dir/leak.c.o")
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
