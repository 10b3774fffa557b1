# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The meaning of the processor's functions is what the processor does, for random operands."""

import ctypes
import secrets

import llvmlite.binding as llvm
import numpy as np
import pytest

from codekem_ctypes import aligned
from equivalence import lookups
from equivalence.interpreter import Machine
from equivalence.ir import Module
from equivalence.modules import read_module
from equivalence.prove import by_sample
from equivalence.samples import Samples

SAMPLES = 40

# name: type of the result, types of the vector operands, those that must be known, immediates,
# the processor's flags (of /proc/cpuinfo)
CASES = {
    "pclmulqdq": ("<2 x i64>", ["<2 x i64>"] * 2, [], [0, 1, 16, 17], "pclmulqdq"),
    "pclmulqdq.512": ("<8 x i64>", ["<8 x i64>"] * 2, [], [0, 1, 16, 17], "vpclmulqdq"),
    "vgf2p8affineqb.512": ("<64 x i8>", ["<64 x i8>"] * 2, [], [0, 0x63], "gfni"),
    "vgf2p8mulb.256": ("<32 x i8>", ["<32 x i8>"] * 2, [], [None], "gfni"),
    "avx2.pshuf.b": ("<32 x i8>", ["<32 x i8>"] * 2, [1], [None], "avx2"),
    "avx512.pshuf.b.512": ("<64 x i8>", ["<64 x i8>"] * 2, [1], [None], "avx512bw"),
    "avx512.permvar.qi.512": ("<64 x i8>", ["<64 x i8>"] * 2, [1], [None], "avx512vbmi"),
    "avx512.vpermi2var.q.512": ("<8 x i64>", ["<8 x i64>"] * 3, [1], [None], "avx512f"),
    "avx512.pternlog.q.512": ("<8 x i64>", ["<8 x i64>"] * 3, [], [0x96, 0xD2, 0x4B], "avx512f"),
    "avx2.pblendvb": ("<32 x i8>", ["<32 x i8>"] * 3, [], [None], "avx2"),
    "avx512.psllv.q.512": ("<8 x i64>", ["<8 x i64>"] * 2, [1], [None], "avx512f"),
    "avx2.psll.q": ("<4 x i64>", ["<4 x i64>", "<2 x i64>"], [1], [None], "avx2"),
    "avx2.psrl.q": ("<4 x i64>", ["<4 x i64>", "<2 x i64>"], [1], [None], "avx2"),
}
# Of these the numbers may be anything as well (lookups.py).
LOOKUPS = {
    "avx2.pshuf.b": CASES["avx2.pshuf.b"],
    "avx512.pshuf.b.512": CASES["avx512.pshuf.b.512"],
    "avx2.packusdw": ("<16 x i16>", ["<8 x i32>"] * 2, [], [None], "avx2"),
}
IMMEDIATE_TYPES = {"avx512.pternlog.q.512": "i32"}


class Looked(Samples):
    """Samples with look-ups by numbers that are not known."""

    meanings = lookups.MEANINGS + Samples.meanings


def program(name, case, immediate):
    """Returns IR of f(out, operands...) that calls a function of the processor."""
    result, operands, _, _, _ = case
    parameters = ", ".join(f"ptr %p{i}" for i in range(len(operands)))
    loads = "\n".join(f"  %x{i} = load {t}, ptr %p{i}, align 1" for i, t in enumerate(operands))
    values = [f"{t} %x{i}" for i, t in enumerate(operands)]
    types = list(operands)
    if immediate is not None:
        types.append(IMMEDIATE_TYPES.get(name, "i8"))
        values.append(f"{types[-1]} {immediate}")
    return f"""
declare {result} @llvm.x86.{name}({", ".join(types)})
define void @f(ptr %out, {parameters}) {{
{loads}
  %y = call {result} @llvm.x86.{name}({", ".join(values)})
  store {result} %y, ptr %out, align 1
  ret void
}}
"""


def size_of(type_):
    """Returns the bytes of a vector type."""
    count, _, element = type_.strip("<>").split()
    return int(count) * int(element[1:]) // 8


def engine_for(text):
    """Compiles IR for this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features
    )
    return llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)


def on_processor(engine, result_size, operands):
    """Calls f."""
    out = aligned(64)
    memory = [aligned(64) for _ in operands]
    for place, operand in zip(memory, operands, strict=True):
        ctypes.memmove(place, operand, len(operand))
    pointers = [ctypes.addressof(place) for place in (out, *memory)]
    kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(pointers))
    kind(engine.get_function_address("f"))(*pointers)
    return int.from_bytes(bytes(out)[:result_size], "little")


@pytest.mark.parametrize(
    ("name", "immediate"), [(name, i) for name, case in CASES.items() for i in case[3]]
)
def test_the_meaning_is_that_of_the_processor(cpu_flags, name, immediate):
    """Random operands; numbers of elements and distances of shifts are known, as in the kernels."""
    agree(cpu_flags, name, CASES[name], immediate, Samples(SAMPLES))


@pytest.mark.parametrize("name", LOOKUPS)
def test_looking_up_is_that_of_the_processor(cpu_flags, name):
    """Random operands, numbers too."""
    result, operands, _, _, flag = LOOKUPS[name]
    agree(cpu_flags, name, (result, operands, [], [None], flag), None, Looked(SAMPLES))


def agree(cpu_flags, name, case, immediate, samples):
    """Runs a function of the processor and its meaning."""
    result, operands, fixed, _, flag = case
    if flag not in cpu_flags:
        pytest.skip(f"this processor lacks {flag}")
    text = program(name, case, immediate)
    engine = engine_for(text)
    module = Module({}, {}, [])
    read_module(str(llvm.parse_assembly(text)), module, "")
    machine = Machine(module, samples)
    pointers, values = [machine.memory("out", size_of(result))], []
    for i, type_ in enumerate(operands):
        size = size_of(type_)
        pointers.append(machine.memory(f"operand {i}", size))
        codes = samples.random(8 * size)
        if i in fixed:
            known = secrets.randbelow(70) if "ps" in name and "shuf" not in name else None
            known = secrets.randbits(8 * size) if known is None else known
            codes[:] = [-(known >> bit & 1) for bit in range(8 * size)]
        pointers[-1].memory.bits[:] = codes
        values.append([value.to_bytes(size, "little") for value in by_sample(codes, SAMPLES)])
    machine.call("f", pointers)
    found = by_sample(np.asarray(pointers[0].memory.bits, dtype=object), SAMPLES)
    for at in range(SAMPLES):
        expected = on_processor(engine, size_of(result), [operand[at] for operand in values])
        assert found[at] == expected
