# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Looks for divisions and branches in machine code: what was compiled, and from which lines.

Divisions take a time that depends on their operands on most processors, and memory checkers do not
report them. Which ones there may be is in public_divisions.py.
"""

import functools
import posixpath
import re
import shlex
import subprocess

from tests.written_divisions import source_of

# The instructions, also those of vectors and of floating point, and what compilers call in their
# place. That counts bits by tables, too.
DIVISION = re.compile(
    r"\b__(?:u?div|u?mod|u?divmod|popcount|clz|ctz)[a-z]+\d\b|\b__aeabi_[a-z]*div(?:mod)?\b"
    r"|\bi?div[bwlq]?\b|\bf(?:i?div|i?divr|sqrt)[a-z]*\b|\bv?(?:div|sqrt)[ps][sdh]\b"  # x86
    r"|\b[us]div[a-z.]*\b|\bv(?:div|sqrt)\.f\d+\b"  # Arm
    r"|\b(?:div|rem)u?w?\b|\bv?f?r?(?:div|rem|sqrt)u?\.[a-z]+\b"  # RISC-V
    r"|^(?:dl?g?r?|dsgf?r?|d[deix][bt]?r?|sq[dex]b?r?)\s"  # s390x
    r"|\b[if]\d+(?:x\d+)?\.(?:div|rem|sqrt)\w*"  # WebAssembly
    r"|\b(?:l?l?div|fmod|remainder|remquo|sqrt)[fl]?\b"  # of a C library
)

# Not constant time, by design: the reference back end.
NOT_CONSTANT_TIME = {
    f"src/{name}_reference.c"
    for name in [
        *[
            "mceliece/goppa/benes/benes",
            "kem/bike/counters",
            "mceliece/goppa/bitmatrix/bitmatrix",
            "mceliece/goppa/gf2m/gf2m",
        ],
        *[
            "kem/gf2x/reference/gf2x",
            "kem/hqc/codes",
            "common/keccak/keccak",
            "mceliece/mceliece_ops",
        ],
        *[
            "sofia/mq4/mq4",
            "mceliece/goppa/recurrence/recurrence",
            "mceliece/goppa/sort/sort",
            "kem/sparse/sparse",
        ],
    ]
}
# What ships of a build, folders and targets of CMake's; tests, examples and the evaluation do not.
SHIPPED = {
    "": "*",
    "apps/key-encoding": "*",
    "apps/openssl-provider": "*",
    "devices/riscv": "board",
}
NOT_SHIPPED = (*NOT_CONSTANT_TIME, "apps/openssl-provider/benchmark/")
# The endings of files for one instruction set (cmake/isa.cmake).
INSTRUCTION_SETS = re.compile(
    r"_(avx2|vpclmul|gfni|avx512|neon|neon32|neon64|neon_sha3|rvv|zbc|m4|wasm)\.[cS]$"
)


def disassemble(*paths, options=(), objdump="objdump"):
    text = subprocess.run(
        [objdump, "-dr", "--no-show-raw-insn", *options, *map(str, paths)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert text.count("file format ") == len(paths)
    return text


def is_division(line):
    """Tells whether a line of a disassembly has a division, or calls one."""
    return DIVISION.search(line.partition("\t")[2].lstrip()) is not None


def source_line(line, root):
    """Returns the file and the line of the source that a line of a disassembly names, or None; not
    those of headers of the compiler."""
    match = re.match(r"(?:; )?(\S+\.[chS]|\S+\.cpp):(\d+)(?: \(discriminator \d+\))?$", line)
    source = match and resolved(root, match[1])
    return (source, int(match[2])) if source and source.is_relative_to(root) else None


@functools.cache
def resolved(root, name):
    return (root / name).resolve()


def name_in(root, path):
    """Returns how the lists here name a file: below src/ without that."""
    return path.relative_to(root).as_posix().removeprefix("src/")


def divisions(path, root, objdump="objdump"):
    """Returns {(file, function)} of the source lines from which the divisions in an object with
    debug information come."""
    found, place = set(), None
    for line in disassemble(path, options=["-l"], objdump=objdump).splitlines():
        if re.match(r"[0-9a-f]+ <[^.].*>:$", line):  # no label inside of a function
            place = None
        elif is_division(line):
            assert place is not None, f"no source line for {line}"
            source, number = place
            found.add((name_in(root, source), source_of(source).function_at(number)))
        else:
            place = source_line(line, root) or place
    return found


def objects_that_divide(objects, objdump="objdump"):
    """Returns those of the objects that have a division."""
    found = set()
    for line in disassemble(*objects, objdump=objdump).splitlines():
        if match := re.match(r"(.*):\s+file format ", line):
            path = match[1]
        elif is_division(line):
            found.add(path)
    return sorted(path for path in objects if str(path) in found)


def with_lines(command, output, cwd):
    """Compiles once more as a command does, with debug information, which changes no code."""
    words = shlex.split(command)
    for option in ["-MF", "-MT"]:
        at = words.index(option)
        del words[at : at + 2]
    words.remove("-MD")
    words[words.index("-o") + 1] = str(output)
    subprocess.run([*words, "-g1"], cwd=cwd, check=True, capture_output=True)
    return output


def divisions_of_build(folder, root, into, objdump="objdump"):
    """Returns {(file, function)} of all divisions in what ships of a build by Ninja; `into` is a
    folder for what is compiled on the way."""
    objects = [folder / name for name in shipped_objects(folder, root).values()]
    found = set()
    for number, path in enumerate(objects_that_divide(objects, objdump)):
        name = path.relative_to(folder)
        commands = subprocess.run(
            ["ninja", "-C", folder, "-t", "commands", name],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        output = into / f"{number}-{path.name}"
        command = commands.splitlines()[-1]
        found |= divisions(with_lines(command, output, folder), root, objdump)
    return found


# A conditional branch of x86-64 and where it leads.
BRANCH = re.compile(r" *([0-9a-f]+):\t(?:j(?!mp)[a-z]+) +([0-9a-f]+)")


def branches(path, root):
    """Returns {(file, text of the source line)} of the conditional branches in an object for
    x86-64, without those that lead back and those of the lines that begin a loop with a counter."""
    found, place = set(), None
    for line in disassemble(path, options=["-l"]).splitlines():
        place = source_line(line, root) or place
        if re.match(r"[0-9a-f]+ <.*>:$", line):
            place = None
        elif (match := BRANCH.match(line)) and int(match[2], 16) > int(match[1], 16):
            assert place is not None, f"no source line for {line}"
            text = place[0].read_text().splitlines()[place[1] - 1].strip()
            if not text.startswith("for ("):
                found.add((name_in(root, place[0]), text))
    return found


def shipped_objects(folder, root):
    """Returns {source: object} of what ships of a build, without the reference back end: names
    below root and below the folder."""
    found = {}
    for part, target in SHIPPED.items():
        for path in sorted((folder / part / "CMakeFiles").glob(f"{target}.dir/**/*.o*")):
            name = path.relative_to(folder / part).as_posix()
            match = re.match(r"CMakeFiles/[^/]+\.dir/(.+)\.(?:o|obj)$", name)
            inner = match[1].replace("__/", "../") if match else ""
            source = posixpath.normpath(f"{part}/{inner}".lstrip("/"))
            # An older build may have left objects of files that are gone.
            if (root / source).is_file() and not source.startswith(NOT_SHIPPED):
                found[source] = path.relative_to(folder)
    return found


def sources_not_read(folder, root, *sets):
    """Returns the sources below src/ of which a build has no object, though they are for all
    processors or for one of these instruction sets."""
    return {
        name
        for path in sorted((root / "src").rglob("*.[cS]"))
        for name in [path.relative_to(root).as_posix()]
        for one in [INSTRUCTION_SETS.search(name)]
        if (one is None or one[1] in sets) and name not in NOT_CONSTANT_TIME
    } - set(shipped_objects(folder, root))
