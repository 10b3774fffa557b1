# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The meaning of NEON's functions is what an Arm processor does, as QEMU emulates it.

Each function is compiled by LLVM to the instruction that it stands for and called under QEMU with
operands from standard input (units/neon_calls.c). Every meaning that some domain gives it must
agree, and no function that the kernels for Arm call may lack a case.
"""

import dataclasses
import os
import re
import secrets
import struct
import subprocess

import llvmlite.binding as llvm
import numpy as np
import pytest

from proofs.kernels import lookups
from proofs.kernels.engine import integers, intrinsics, terms
from proofs.kernels.engine.bits import joined
from proofs.kernels.engine.clang import run
from proofs.kernels.engine.integers import chosen
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.intrinsics_arm import PRODUCTS
from proofs.kernels.engine.ir import Module
from proofs.kernels.engine.prove import by_sample
from proofs.kernels.engine.samples import Samples
from proofs.kernels.engine.texts import read_module
from tools.source_folders import include_options

TRIPLE = "aarch64-linux-gnu"
FEATURES = "+neon,+aes,+sha3"
SAMPLES = 80
TRIES = 8  # with other values of what must be known
SLOT, SLOTS = 64, 5  # bytes of an operand in units/neon_calls.c, and how many there are
SHA3 = "-march=armv8.2-a+crypto+sha3"

# Where domains find meanings: each list that names a function is tried alone.
LISTS = {
    "intrinsics": intrinsics.INTRINSICS,
    "integers": integers.MEANINGS,
    "lookups": lookups.MEANINGS,
    "terms": terms.MEANINGS,
}


@dataclasses.dataclass
class Case:
    """A function: its result, its operands and what its meaning in intrinsics.py needs."""

    result: str
    operands: list
    immediates: tuple = ()  # each one is a case of its own
    known: tuple = ()  # operands that the meanings for known values want known
    kept: int = 0  # bits of the result that count, if not all of them
    kind: str = "i32"  # of the immediate
    distances: tuple = ()  # operands that say by how many places to shift


BYTES, WORDS, LONG = "<16 x i8>", "<4 x i32>", "<2 x i64>"
SHORT = "<8 x i16>"
CASES = {
    "aarch64.crypto.bcaxu.v2i64": Case(LONG, [LONG] * 3),
    "aarch64.crypto.eor3u.v2i64": Case(LONG, [LONG] * 3),
    "aarch64.crypto.rax1": Case(LONG, [LONG] * 2),
    "aarch64.crypto.xar": Case(LONG, [LONG] * 2, (0, 1, 23, 63), kind="i64"),
    "aarch64.neon.abs.v8i16": Case(SHORT, [SHORT]),
    "aarch64.neon.pmul.v16i8": Case(BYTES, [BYTES] * 2),
    "aarch64.neon.pmul.v8i8": Case("<8 x i8>", ["<8 x i8>"] * 2),
    "aarch64.neon.pmull.v8i16": Case(SHORT, ["<8 x i8>"] * 2),
    "aarch64.neon.pmull64": Case(BYTES, ["i64"] * 2),
    "aarch64.neon.tbl1.v16i8": Case(BYTES, [BYTES] * 2),
    "aarch64.neon.tbl2.v16i8": Case(BYTES, [BYTES] * 3),
    "aarch64.neon.tbl4.v16i8": Case(BYTES, [BYTES] * 5),
    "aarch64.neon.uaddv.i32.v16i8": Case("i32", [BYTES], kept=8),
    "aarch64.neon.uaddv.i32.v4i32": Case("i32", [WORDS]),
    "aarch64.neon.umax.v4i32": Case(WORDS, [WORDS] * 2),
    "aarch64.neon.umax.v8i16": Case(SHORT, [SHORT] * 2),
    "aarch64.neon.umaxv.i32.v8i16": Case("i32", [SHORT], kept=16),
    "aarch64.neon.umin.v4i32": Case(WORDS, [WORDS] * 2),
    "aarch64.neon.umin.v8i16": Case(SHORT, [SHORT] * 2),
    "aarch64.neon.uqxtn.v4i16": Case("<4 x i16>", [WORDS]),
    "aarch64.neon.uqxtn.v8i8": Case("<8 x i8>", [SHORT]),
    "aarch64.neon.ushl.v2i64": Case(LONG, [LONG] * 2, known=(1,), distances=(1,)),
    "aarch64.neon.ushl.v4i32": Case(WORDS, [WORDS] * 2, known=(1,), distances=(1,)),
    "aarch64.neon.vsli.v16i8": Case(BYTES, [BYTES] * 2, (0, 1, 4, 7)),
    "aarch64.neon.vsli.v2i64": Case(LONG, [LONG] * 2, (0, 1, 63)),
    "aarch64.neon.vsri.v16i8": Case(BYTES, [BYTES] * 2, (1, 4, 8)),
    "aarch64.neon.vsri.v2i64": Case(LONG, [LONG] * 2, (1, 45, 64)),
    "bitreverse.i8": Case("i8", ["i8"]),
    "ctpop.v16i8": Case(BYTES, [BYTES]),
    "fshl.i64": Case("i64", ["i64"] * 3, known=(2,)),
    "umax.i64": Case("i64", ["i64"] * 2, known=(0, 1)),
    "umin.i64": Case("i64", ["i64"] * 2, known=(0, 1)),
}
# LD1 to LD4 and ST1 to ST4: the vectors that are read or written.
MEMORY = {
    f"aarch64.neon.{name}.{short}.p0": [type_] * int(name[-1])
    for name in ("ld1x2", "ld1x4", "ld2", "ld4", "st1x2", "st1x4", "st2", "st4")
    for short, type_ in (("v2i64", LONG), ("v16i8", BYTES))
}


def slot(i):
    """Returns IR that makes %p{i} the address of an operand."""
    return f"  %p{i} = getelementptr i8, ptr %in, i64 {SLOT * i}"


def ordinary(name, case, immediate):
    """Returns the declaration of a function and the body of one that calls it."""
    types, values, lines = list(case.operands), [], []
    for i, type_ in enumerate(case.operands):
        lines += [slot(i), f"  %x{i} = load {type_}, ptr %p{i}, align 1"]
        values.append(f"{type_} %x{i}")
    if immediate is not None:
        types.append(case.kind)
        values.append(f"{case.kind} {immediate}")
    lines.append(f"  %y = call {case.result} @llvm.{name}({', '.join(values)})")
    if case.kept:
        lines.append(f"  %z = trunc {case.result} %y to i{case.kept}")
    stored = f"i{case.kept} %z" if case.kept else f"{case.result} %y"
    lines.append(f"  store {stored}, ptr %out, align 1")
    return f"declare {case.result} @llvm.{name}({', '.join(types)})\n", "\n".join(lines)


def through_memory(name, vectors):
    """The same for a function that reads or writes several vectors."""
    if ".st" in name:
        lines, values = [], []
        for i, type_ in enumerate(vectors):
            lines += [slot(i), f"  %x{i} = load {type_}, ptr %p{i}, align 1"]
            values.append(f"{type_} %x{i}")
        lines.append(f"  call void @llvm.{name}({', '.join(values)}, ptr %out)")
        return f"declare void @llvm.{name}({', '.join(vectors)}, ptr)\n", "\n".join(lines)
    result = f"{{ {', '.join(vectors)} }}"
    lines = [f"  %y = call {result} @llvm.{name}(ptr %in)"]
    for i, type_ in enumerate(vectors):
        lines.append(f"  %x{i} = extractvalue {result} %y, {i}")
        lines.append(f"  %q{i} = getelementptr i8, ptr %out, i64 {16 * i}")
        lines.append(f"  store {type_} %x{i}, ptr %q{i}, align 1")
    return f"declare {result} @llvm.{name}(ptr)\n", "\n".join(lines)


def in_assembly(text, square):
    """The same for an instruction of gf2x_neon.h, which the interpreter also knows as a square."""
    lines = []
    for i in range(2):
        lines += [slot(i), f"  %x{i} = load {LONG}, ptr %p{i}, align 1"]
    other = "%x0" if square else "%x1"
    lines.append(f'  %y = call {LONG} asm {text}, "=w,w,w"({LONG} %x0, {LONG} {other})')
    lines.append(f"  store {LONG} %y, ptr %out, align 1")
    return "", "\n".join(lines)


def bodies():
    """Yields (name, immediate) of each function, and the IR of what it needs and does."""
    for name, case in CASES.items():
        for immediate in case.immediates or (None,):
            yield (name, immediate), ordinary(name, case, immediate)
    for name, vectors in MEMORY.items():
        yield (name, None), through_memory(name, vectors)
    for text in PRODUCTS:
        yield (text, None), in_assembly(text, square=False)
        yield (text, "square"), in_assembly(text, square=True)


def name_of(name, immediate=None):
    """Returns the name of the function that calls one."""
    name = name.strip('"').split()[0]
    return name if immediate is None else f"{name}_{immediate}"


def definition(name, body):
    """Returns IR of a function."""
    return f"define void @{name}(ptr %out, ptr %in) {{\n{body}\n  ret void\n}}\n"


class Program:
    """All functions, as a program that QEMU runs and as a module that the interpreter reads."""

    def __init__(self, compiler, emulator, root, folder):
        head = f'target triple = "{TRIPLE}"\n'
        head += "".join(dict.fromkeys(declaration for _, (declaration, _) in bodies()))
        definitions = {
            name_of(*key): definition(name_of(*key), body) for key, (_, body) in bodies()
        }
        self.module = Module({}, {}, [])
        read_module(str(llvm.parse_assembly(head + "".join(definitions.values()))), self.module, "")
        # llvmlite compiles no assembly: the program has it from the library
        for name in (name_of(*key) for key, _ in bodies() if key[0] in PRODUCTS):
            definitions[name] = f"declare void @{name}(ptr, ptr)\n"
        addresses = ", ".join(f"ptr @{name}" for name in definitions)
        table = f"@functions = constant [{len(definitions)} x ptr] [{addresses}]\n"
        compiled = llvm.parse_assembly(head + "".join(definitions.values()) + table)
        folder.mkdir(parents=True, exist_ok=True)
        functions, program = folder / "functions.o", folder / "calls"
        functions.write_bytes(machine_for_arm().emit_object(compiled))
        source = root / "proofs/kernels/units/neon_calls.c"
        include = include_options(root)
        options = ["-std=c11", "-O1", "-static", *include, "-o", str(program)]
        run([compiler, *options, str(source), str(functions)], folder)
        self._command = [emulator, "-cpu", "max", str(program)]
        self._numbers = {name: number for number, name in enumerate(definitions)}

    def on_processor(self, name, operands):
        """Returns what a function writes, as integers, for lists of operands."""
        number = self._numbers[name]
        requests = b""
        for some in operands:
            slots = b"".join(value.to_bytes(SLOT, "little") for value in some)
            requests += struct.pack("<I", number) + slots.ljust(SLOT * SLOTS, b"\0")
        done = subprocess.run(self._command, input=requests, stdout=subprocess.PIPE, check=True)
        found = [done.stdout[at : at + SLOT] for at in range(0, len(done.stdout), SLOT)]
        return [int.from_bytes(out, "little") for out in found]

    def by_meaning(self, name, operands, meanings):
        """Returns the same by the interpreter, with a list of meanings."""
        domain = Numbers(len(operands), meanings)
        machine = Machine(self.module, domain)
        memory = [machine.memory("out", SLOT), machine.memory("in", SLOT * SLOTS)]
        for at, values in enumerate(zip(*operands, strict=True)):
            start = 8 * SLOT * at
            memory[1].memory.bits[start : start + 8 * SLOT] = codes_of(values, 8 * SLOT)
        memory[0].memory.bits[:] = 0
        machine.call(name, memory)
        return by_sample(memory[0].memory.bits, len(operands))


def machine_for_arm():
    """Returns LLVM's compiler for Arm."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(features=FEATURES)


def codes_of(values, bits):
    """Returns codes of the domain of samples from the value in each sample."""
    codes = np.empty(bits, dtype=object)
    codes[:] = [sum((v >> bit & 1) << at for at, v in enumerate(values)) for bit in range(bits)]
    codes[codes == (1 << len(values)) - 1] = -1
    return codes


class Numbers(Samples):
    """Samples with one list of meanings, and with values for what terms.py only names."""

    def __init__(self, count, meanings):
        super().__init__(count)
        self.meanings = meanings

    def largest(self, *numbers):
        """The largest of some numbers."""
        best = numbers[0]
        for number in numbers[1:]:
            best = chosen(self, np.repeat(self.less(best, number), best.size), number, best)
        return best

    def function(self, name, arguments, bits):
        """The absolute value of a number."""
        assert name == "absolute"
        (codes,) = arguments
        sign = np.full(bits, codes[-1], dtype=object)
        return self.subtract(np.array(codes, dtype=object) ^ sign, sign)


def element_of(width, distance):
    """Returns a random number of so many bits, often a small one or one at an end; or one that
    says how far to shift such a number."""
    if distance:
        by = secrets.randbelow(2 * width + 9) - width - 4
        return by & 255 | secrets.randbits(width) >> 8 << 8
    kind = secrets.randbelow(4)
    if kind == 0:
        return secrets.choice([0, 1, (1 << width) - 1, 1 << width - 1, (1 << width - 1) - 1])
    return secrets.randbits(width if kind == 1 else 1 + secrets.randbelow(width))


def random_operand(type_, distance):
    """Returns a random value of a type."""
    count, _, element = type_.strip("<>").rpartition(" x ")
    width = int(element[1:])
    return joined([element_of(width, distance) for _ in range(int(count or 1))], width)


def random_operands(case, known):
    """Returns operands for each sample; those that are known are the same in all of them."""
    columns = []
    for i, type_ in enumerate(case.operands):
        values = [random_operand(type_, i in case.distances) for _ in range(SAMPLES)]
        columns.append(values[:1] * SAMPLES if i in known else values)
    return list(zip(*columns, strict=True))


def case_of(name):
    """Returns the case of a name; what a function reads from memory is an operand of 64 bytes."""
    if name in CASES:
        return CASES[name]
    if name in PRODUCTS:
        return Case(LONG, [LONG] * 2)
    return Case("", MEMORY[name] if ".st" in name else [f"<{SLOT} x i8>"])


def is_arms(pattern):
    """Tells whether a list's pattern names a function of Arm's."""
    return "aarch64" in pattern.pattern


def lists_with(name):
    """Returns the names of the lists that have a meaning for a function."""
    if name in PRODUCTS:
        return ["intrinsics"]  # where assembly is looked for after all others
    return [
        where
        for where, meanings in LISTS.items()
        if any(pattern.fullmatch(f"llvm.{name}") for pattern, _ in meanings)
    ]


@pytest.fixture(scope="module")
def program(need, build, root):
    """See Program."""
    folder = build.folder("equivalence") / os.environ.get("PYTEST_XDIST_WORKER", "main") / "arm"
    return Program(need("aarch64-linux-gnu-gcc"), need("qemu-aarch64"), root, folder)


def agree(program, key, where, meanings):
    """Tells whether a meaning gives what the processor gives, for random operands."""
    case, function = case_of(key[0]), name_of(*key)
    known = case.known if where == "intrinsics" else ()
    found, tried = [], []
    for _ in range(TRIES if known else 1):
        operands = random_operands(case, known)
        found += program.by_meaning(function, operands, meanings)
        tried += operands
    return found == program.on_processor(function, tried)


@pytest.mark.long
@pytest.mark.parametrize("key", [key for key, _ in bodies()], ids=lambda key: name_of(*key))
def test_the_meaning_is_that_of_the_processor(program, key):
    """By each list of meanings that names the function."""
    for where in lists_with(key[0]):
        assert agree(program, key, where, LISTS[where]), where


def wrong(meaning):
    """Returns a meaning with a mistake: in the lowest bit, or in the order of vectors."""

    def changed(machine, type_, types, arguments):
        if type_.kind == "void":
            arguments = [*arguments[-2::-1], arguments[-1]]
        result = meaning(machine, type_, types, arguments)
        if isinstance(result, list):
            return result[::-1]
        if result is not None:
            result = machine.codes(result, type_.bits).copy()
            result[0] = ~result[0]
        return result

    return changed


@pytest.mark.long
@pytest.mark.parametrize(
    ("where", "pattern"),
    [(where, p.pattern) for where, meanings in LISTS.items() for p, _ in meanings if is_arms(p)],
)
def test_a_wrong_meaning_is_found(program, where, pattern):
    """Each that names a function of Arm's, in each list."""
    key = next(key for key, _ in bodies() if re.fullmatch(pattern, f"llvm.{key[0]}"))
    meanings = [(p, wrong(m) if p.pattern == pattern else m) for p, m in LISTS[where]]
    assert not agree(program, key, where, meanings)


@pytest.mark.long
def test_every_function_that_kernels_call_is_compared(sources, need, root):
    """Of those that a list has a meaning for; the others end a proof."""
    need("clang")
    called = set()
    for path in sorted((root / "src").rglob("*neon*.c")):
        target = f"{TRIPLE} {SHA3}" if "sha3" in path.stem else TRIPLE
        module = sources.module([path.relative_to(root / "src").as_posix()], target)
        called |= set(re.findall(r"^declare .*?@llvm\.(aarch64\.[\w.]+)\(", module.texts[0], re.M))
    assert called
    assert {name for name in called if lists_with(name)} <= CASES.keys() | MEMORY.keys()
