# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Lists the memory operands of a program's instructions, for tests/harness/path.c.

    python3 memory_operands.py PROGRAM > TABLE

Each line: address of the instruction, kind, base, index, scale, displacement. Kinds: m, an address;
s, a string instruction; d, a division (with the register that it divides by as base, if it is one);
g, a gather or scatter, whose addresses come from a vector.
"""

import re
import subprocess
import sys

REGISTERS = [
    "rax",
    "rbx",
    "rcx",
    "rdx",
    "rsi",
    "rdi",
    "rbp",
    "rsp",
    *(f"r{i}" for i in range(8, 16)),
]
NONE = len(REGISTERS)

INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t(\S.*)$")
# displacement(base, index, scale), AT&T syntax
ADDRESS = re.compile(r"(-?0x[0-9a-f]+)?\((%\w+)?(?:,(%\w+),(\d))?\)")
PREFIXES = {"rep", "repz", "repnz", "lock", "data16", "notrack", "bnd", "cs", "ds", "es", "rex.W"}
STRING = re.compile(r"(movs|stos|lods|scas|cmps)[bwlq]?$")
NO_ACCESS = re.compile(r"(lea|nop)[wlq]?$")


def number_of(name):
    """Returns the number of a register, whatever its width; NONE for rip."""
    if name is None or name == "%rip":
        return NONE
    name = name[1:]
    if re.fullmatch(r"r\d+[dwb]", name):
        name = name[:-1]
    if re.fullmatch(r"e[a-ds][a-z]", name):
        name = "r" + name[1:]
    elif name in ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp"):
        name = "r" + name
    elif name in ("al", "bl", "cl", "dl"):
        name = f"r{name[0]}x"
    elif name in ("sil", "dil", "bpl", "spl"):
        name = f"r{name[:2]}"
    return REGISTERS.index(name)


def operands(program):
    """Yields (address, kind, base, index, scale, displacement), in the order of addresses."""
    text = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", program], capture_output=True, text=True, check=True
    ).stdout
    for line in text.splitlines():
        match = INSTRUCTION.match(line)
        if not match:
            continue
        words = match[2].split("#")[0].split()
        while words and words[0] in PREFIXES:
            words.pop(0)
        if not words or NO_ACCESS.match(words[0]):
            continue
        arguments = " ".join(words[1:])
        division = re.fullmatch(r"i?div[bwlq]?", words[0])
        if division and (register := re.fullmatch(r"(%\w+)", arguments)):
            yield match[1], "d", number_of(register[1]), NONE, 1, 0
        for address in ADDRESS.finditer(arguments):
            displacement, base, index, scale = address.groups()
            if index and re.match(r"%[xyz]mm", index):
                yield match[1], "g", NONE, NONE, 1, 0
                continue
            kind = "d" if division else "s" if STRING.match(words[0]) else "m"
            yield (
                match[1],
                kind,
                number_of(base),
                number_of(index),
                int(scale or 1),
                int(displacement or "0", 16),
            )


if __name__ == "__main__":
    for row in operands(sys.argv[1]):
        print(*row)
