# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The meaning of the processor's functions is what the processor does, for random operands.

Every meaning of every module of this folder is run for itself, on the operands that it is for.
"""

import functools
import importlib
import pathlib
import re
import secrets

import llvmlite.binding as llvm
import numpy as np
import pytest

from proofs.kernels import lookups, proved
from proofs.kernels.engine.bits import ANYTHING
from proofs.kernels.engine.compared import CASES
from proofs.kernels.engine.integers import chosen
from proofs.kernels.engine.interpreter import Machine
from proofs.kernels.engine.ir import Module, Unsupported
from proofs.kernels.engine.prove import by_sample
from proofs.kernels.engine.samples import Samples
from proofs.kernels.engine.texts import read_module
from tests.c_library import FFI, aligned, call

SAMPLES = 40
X86 = r"llvm\\?\.x86\\?\."


# --- Which meanings there are ---------------------------------------------------------------------


def modules():
    """Returns the modules of this folder that are no tests."""
    paths = [path for folder in ("", "engine") for path in (proved.HERE / folder).glob("*.py")]
    names = [
        path.relative_to(proved.ROOT).with_suffix("").as_posix().replace("/", ".")
        for path in sorted(paths)
        if not path.stem.startswith(("test_", "conftest"))
    ]
    return [importlib.import_module(name) for name in names]


def is_table(value):
    """Tells whether a value is a list of patterns and meanings."""
    return isinstance(value, list) and all(
        isinstance(row, tuple) and len(row) == 2 and isinstance(row[0], re.Pattern) for row in value
    )


@functools.cache
def meanings():
    """Returns all meanings of this folder: (pattern, function), each once."""
    for module in modules():  # some add to the tables of others
        assert module
    tables = [value for module in modules() for value in vars(module).values() if is_table(value)]
    return list({id(row[1]): row for table in tables for row in table}.values())


def title(meaning):
    """Returns module and name of a meaning."""
    return f"{meaning.__module__.rpartition('.')[2]}.{meaning.__qualname__.split('.<')[0]}"


# --- Running them ---------------------------------------------------------------------------------


class Values(Samples):
    """Samples with what some meanings want of a domain."""

    def __init__(self, pattern, meaning):
        super().__init__(SAMPLES)
        self.meanings = [(pattern, meaning)]

    def largest(self, *numbers):
        """See Terms."""
        best = numbers[0]
        for number in numbers[1:]:
            best = chosen(self, self.less(best, number), number, best)
        return best

    def polynomial(self, pool):
        """See recurrences.Choices."""
        return lookups.polynomial(self, pool)

    def function(self, name, arguments, bits):
        """See Terms: an absolute value."""
        (x,) = arguments
        assert name == "absolute" and bits == x.size
        sign = np.full(bits, x[-1], dtype=object)
        return self.subtract(self.xor(x, sign), sign)


def shape(type_):
    """Returns the elements of a type and the bits of each."""
    count, _, element = type_.strip("<>").rpartition(" x ") if "x" in type_ else ("1", "", type_)
    return int(count), int(element[1:])


def bits_of(type_):
    """Returns the bits of a type."""
    count, width = shape(type_)
    return count * width


def program(name, case, immediate):
    """Returns IR of f(out, operands...) that calls a function of the processor."""
    parameters = ", ".join(f"ptr %p{i}" for i in range(len(case.operands)))
    loads = "\n".join(
        f"  %x{i} = load {t}, ptr %p{i}, align 1" for i, t in enumerate(case.operands)
    )
    values = [f"{t} %x{i}" for i, t in enumerate(case.operands)]
    types = list(case.operands)
    if immediate is not None:
        types.append(case.immediate_type)
        values.append(f"{types[-1]} {immediate}")
    return f"""
declare {case.result} @{name}({", ".join(types)})
define void @f(ptr %out, {parameters}) {{
{loads}
  %y = call {case.result} @{name}({", ".join(values)})
  store {case.result} %y, ptr %out, align 1
  ret void
}}
"""


def run(text, domain, operands, size):
    """Returns the codes that f writes to so many bytes."""
    module = Module({}, {}, [])
    read_module(str(llvm.parse_assembly(text)), module, "")
    machine = Machine(module, domain)
    pointers = [machine.memory("out", size)]
    for codes in operands:
        pointers.append(machine.memory("operand", codes.size // 8))
        pointers[-1].memory.bits[:] = codes
    machine.call("f", pointers)
    return pointers[0].memory.bits


class Native:
    """The function f of a text, as this processor runs it."""

    def __init__(self, text):
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        features = llvm.get_host_cpu_features().flatten()
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=features
        )
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)

    def __call__(self, size, operands):
        out = aligned(64)
        memory = [aligned(64) for _ in operands]
        for place, operand in zip(memory, operands, strict=True):
            place[: len(operand)] = operand
        kind = f"void (*)({', '.join(['void *'] * (1 + len(memory)))})"
        call(FFI.cast(kind, self._engine.get_function_address("f")), out, *memory)
        return int.from_bytes(out[:size], "little")


# --- What each meaning is for ---------------------------------------------------------------------
# A preparation changes the codes of operands, lists [element][bit], so that the meaning takes them.


def known(operand, bits=None):
    """The same value in all samples; with bits, these alone of the whole operand."""

    def prepare(operands):
        codes = operands[operand]
        value = secrets.randbits(bits or codes.size)
        codes.flat = [-(value >> at & 1) for at in range(codes.size)]

    return prepare


def linear_table(operands):
    """Tables of which each is the multiples of something, and numbers in them."""
    table, indices = operands
    for block in range(0, table.shape[0], 16):
        for at in range(16):
            if at & (at - 1):
                low = at & -at
                table[block + at] = table[block + low] ^ table[block + (at ^ low)]
        table[block] = 0
    indices[:, 7] = 0


def known_table(operands):
    """A table that is known, and numbers in it."""
    known(0)(operands)
    operands[1][:, 7] = 0


PREPARED = {
    "intrinsics.shuffle_bytes": [known(1), known_table],
    "intrinsics.permute": [known(1)],
    "intrinsics.permute_two": [known(1)],
    "intrinsics.shift_by_register": [known(1), known(1, 6), known(1, 6), known(1, 7)],
    "intrinsics.deposit": [known(1)],
    "intrinsics.funnel_left": [known(2)],
    "intrinsics.funnel_right": [known(2)],
    "intrinsics.on_known": [lambda operands: [known(at)(operands) for at in range(2)]],
    "terms.shuffle_bytes": [known(1), known_table],
    "recurrences.shuffle_bytes": [None, linear_table],
}


# --- Tests ----------------------------------------------------------------------------------------

PAIRS = [
    (name, pattern, meaning)
    for name in CASES
    for pattern, meaning in meanings()
    if pattern.fullmatch(name)
]


def test_every_meaning_of_the_processor_is_compared():
    """Also those in a table that nobody knows of: all patterns that name x86 in a source."""
    compared_patterns = {pattern.pattern for _, pattern, _ in PAIRS}
    of_x86 = {pattern.pattern for pattern, _ in meanings() if re.match(X86, pattern.pattern)}
    assert of_x86 <= compared_patterns
    texts = [pathlib.Path(module.__file__).read_text(encoding="utf-8") for module in modules()]
    written = {text for all_ in texts for text in re.findall(rf'rf?"({X86}[^"]*)"', all_)}
    assert {text for text in written if "{" not in text} <= of_x86
    assert len([text for text in written if "{" in text]) == 2  # shift_by_register, shift_each
    assert {name for name in CASES if not any(name == pair[0] for pair in PAIRS)} == set()


def test_what_is_not_compared_is_refused():
    """A function of the processor that has a meaning, but is in no list of what is compared."""
    text = program("llvm.x86.avx2.permd", CASES["llvm.x86.avx2.permd"], None)
    text = text.replace("llvm.x86.avx2.permd", "llvm.x86.avx512.permvar.hi.512")
    text = text.replace("<8 x i32>", "<32 x i16>")
    with pytest.raises(Unsupported):
        run(text, Samples(1), [np.zeros(512, dtype=object)] * 2, 64)


@pytest.mark.parametrize(
    ("name", "pattern", "meaning"),
    PAIRS,
    ids=[f"{title(meaning)}-{name.removeprefix('llvm.')}" for name, _, meaning in PAIRS],
)
def test_the_meaning_is_that_of_the_processor(cpu_flags, name, pattern, meaning):
    """Random operands, as the meaning takes them, and once more with small numbers."""
    case = CASES[name]
    if case.flag not in cpu_flags:
        pytest.skip(f"this processor lacks {case.flag}, so {name} is not compared")
    for immediate in case.immediates:
        function = Native(program(name, case, immediate))
        for prepare in PREPARED.get(title(meaning), [None]):
            for small in [(), case.small] if case.small and prepare is None else [()]:
                agree(Values(pattern, meaning), name, immediate, function, prepare, small)


def agree(domain, name, immediate, function, prepare, small):
    """Runs a function of the processor and its meaning."""
    case = CASES[name]
    operands = [domain.random(bits_of(type_)).reshape(shape(type_)) for type_ in case.operands]
    for at, bits in small:
        operands[at][:, bits:] = 0
    if prepare is not None:
        prepare(operands)
    operands = [codes.ravel() for codes in operands]
    size = bits_of(case.result) // 8
    found = run(program(name, case, immediate), domain, operands, size)
    said = [at for at, code in enumerate(found) if code is not ANYTHING]
    mask = sum(1 << at for at in said)
    found[[at for at in range(found.size) if not mask >> at & 1]] = 0
    assert len(said) >= min(16, found.size)
    values = [[v.to_bytes(len(x) // 8, "little") for v in by_sample(x, SAMPLES)] for x in operands]
    for at, value in enumerate(by_sample(found, SAMPLES)):
        assert value == function(size, [operand[at] for operand in values]) & mask
