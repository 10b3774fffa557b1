# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Looks for divisions and branches in machine code of x86-64 and of what tests/platforms knows."""

import re
import subprocess

# Divisions take a time that depends on their operands on most processors. Memory checkers do not
# report them. These functions divide, and public numbers only: file of src/, functions, what.
PUBLIC_DIVISIONS = {
    "codekem_batch.c": ({"next_seeds"}, "how many seeds have room"),
    "gf2x/gf2x_power.c": ({"gather_columns", "scatter_columns"}, "the ring and the exponent"),
    "gf2x/avx2/gf2x_power_avx2.c": (
        {"gather_columns", "scatter_columns"},
        "the ring and the exponent",
    ),
    "gf2x/avx512/gf2x_power_avx512.c": (
        {
            "gather_columns_avx512",
            "scatter_columns_avx512",
            "find_progression_avx512",
            "find_walk_avx512",
        },
        "the ring and the exponent",
    ),
    "gf2x/avx512/gf2x_mul_avx512.c": (
        {
            "can_split_avx512",
            "chunk_split_avx512",
            "gf2x_chunk_product_vectors_avx512",
            "gf2x_multiply_chunk_avx512",
        },
        "lengths",
    ),
    "gf2x/avx512/gf2x_units_avx512.c": (
        {"find_split_avx512", "gf2x_units_scratch_avx512", "gf2x_multiply_units_avx512"},
        "lengths",
    ),
    "legacy/hqc_2023_symmetric.c": ({"remainder_as_fraction"}, "the ring and a loop counter"),
    "hqc/reed_solomon_steps.template.h": ({"list_position_points"}, "a loop counter"),
    "benes/benes_find.c": ({"add_bases"}, "a loop counter"),
    "benes/benes_vectors.template.h": ({"TEMPLATE_NAME"}, "a loop counter"),
    "gf2m/gf2m_avx2.c": ({"sum_groups_avx2"}, "a loop counter"),
    "gf2m/gf2m_transform.template.h": ({"TEMPLATE_NAME"}, "lengths"),
    "mceliece/encoder.c": ({"mceliece_encoder_absorb"}, "lengths"),
    "mceliece/pages.c": ({"make_rows", "write_square"}, "loop counters and a length"),
}

# Not constant time, by design.
NOT_CONSTANT_TIME = re.compile(r"_reference\.c$")

# The instructions, and the functions that compilers call in their place.
DIVISION = re.compile(
    r"\b(?:div|idiv)[bwlq]?\b|\b__(?:u?div|u?mod|u?divmod|popcount|clz|ctz)[a-z]+\d\b"  # x86-64
    r"|\b[us]div\b|\b__aeabi_[ul]*i?div(?:mod)?\b|\b(?:div|rem)u?w?\b"
)  # Arm, RISC-V


def enclosing_function(lines, number):
    """Returns the name of the function around a line of C, which begins in the first column."""
    for line in reversed(lines[:number]):
        if match := re.match(r"[a-zA-Z_].*?\b(\w+)\(", line):
            return match[1]
    return "?"


def disassemble(path, *options, objdump="objdump"):
    text = subprocess.run(
        [objdump, "-dr", "--no-show-raw-insn", *options, path],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "file format elf" in text
    return text


def divisions(path, root, objdump="objdump"):
    """Returns {(file, function)} of the source lines from which the divisions in an object come."""
    found, place = set(), None
    if not any(
        DIVISION.search(line.partition("\t")[2])
        for line in disassemble(path, objdump=objdump).splitlines()
    ):
        return found  # finding the source lines takes long
    text = disassemble(path, "-l", objdump=objdump)
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


# A conditional branch of x86-64 and where it leads.
BRANCH = re.compile(r" *([0-9a-f]+):\t(?:j(?!mp)[a-z]+) +([0-9a-f]+)")


def branches(path, root):
    """Returns {(file, text of the source line)} of the conditional branches in an object for
    x86-64, without those that lead back and those of the lines that begin a loop with a counter."""
    found, place = set(), None
    for line in disassemble(path, "-l").splitlines():
        if match := re.match(r"(\S+\.[ch]):(\d+)(?: \(discriminator \d+\))?$", line):
            source = (root / match[1]).resolve()
            if source.is_relative_to(root):  # not in a header of the compiler
                place = source, int(match[2])
        elif re.match(r"[0-9a-f]+ <.*>:$", line):
            place = None
        elif (match := BRANCH.match(line)) and int(match[2], 16) > int(match[1], 16):
            assert place is not None, f"no source line for {line}"
            text = place[0].read_text().splitlines()[place[1] - 1].strip()
            if not text.startswith("for ("):
                found.add((place[0].relative_to(root).as_posix().removeprefix("src/"), text))
    return found


def objects_of_the_library(folder, root):
    """Returns the objects, without those that are not constant time by design."""
    found = []
    for parent in [
        folder / "CMakeFiles" / "codekem_objects.dir",
        folder / "CMakeFiles" / "codekem_legacy.dir",
        folder / "CMakeFiles" / "codekem_mceliece.dir",
        folder / "CMakeFiles" / "codekem_code_mathematics.dir",
    ]:
        for path in parent.rglob("*.c.o"):
            source = root / path.relative_to(parent).with_suffix("")
            # An older build may have left objects of files that are gone.
            if source.exists() and not NOT_CONSTANT_TIME.search(source.name):
                found.append(path)
    assert len(found) > 20
    return found
