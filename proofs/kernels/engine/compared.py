# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Functions of LLVM that are compared with the processor (test_intrinsics.py): every meaning that a
module here gives to one of these names. Code that calls a function of x86 that is not here is
refused, so no proof takes a meaning that nobody compared.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Case:
    """How LLVM declares a function: types, and immediates of a type. flag: what the processor must
    have (in /proc/cpuinfo). small: operands that are compared again with these lowest bits of each
    element alone, for what large numbers hide."""

    flag: str
    result: str
    operands: tuple
    immediates: tuple = (None,)
    immediate_type: str = "i8"
    small: tuple = ()  # of (operand, bits)


def vectors(type_, operands, flag, **more):
    """A function of values of one type."""
    return Case(flag, type_, (type_,) * operands, **more)


B16, B32, B64 = (f"<{n} x i8>" for n in (16, 32, 64))
W8, W16, W32 = (f"<{n} x i16>" for n in (8, 16, 32))
D8, D16 = (f"<{n} x i32>" for n in (8, 16))
Q2, Q4, Q8 = (f"<{n} x i64>" for n in (2, 4, 8))
HALVES = (0, 1, 16, 17)
TRUTHS = (0x96, 0xD2, 0x4B, 0xCA, 0x01)  # functions of three bits
X86 = {
    "pclmulqdq": vectors(Q2, 2, "pclmulqdq", immediates=HALVES),
    "pclmulqdq.256": vectors(Q4, 2, "vpclmulqdq", immediates=HALVES),
    "pclmulqdq.512": vectors(Q8, 2, "vpclmulqdq", immediates=HALVES),
    "vgf2p8affineqb.256": vectors(B32, 2, "gfni", immediates=(0, 0x63)),
    "vgf2p8affineqb.512": vectors(B64, 2, "gfni", immediates=(0, 0x63)),
    "vgf2p8mulb.256": vectors(B32, 2, "gfni"),
    "vgf2p8mulb.512": vectors(B64, 2, "gfni"),
    "ssse3.pshuf.b.128": vectors(B16, 2, "ssse3"),
    "avx2.pshuf.b": vectors(B32, 2, "avx2"),
    "avx512.pshuf.b.512": vectors(B64, 2, "avx512bw"),
    "avx2.permd": vectors(D8, 2, "avx2"),
    "avx512.permvar.qi.256": vectors(B32, 2, "avx512vbmi"),
    "avx512.permvar.qi.512": vectors(B64, 2, "avx512vbmi"),
    "avx512.permvar.si.512": vectors(D16, 2, "avx512f"),
    "avx512.permvar.di.512": vectors(Q8, 2, "avx512f"),
    "avx512.vpermi2var.q.512": vectors(Q8, 3, "avx512f"),
    "avx512.vpermi2var.qi.512": vectors(B64, 3, "avx512vbmi"),
    "avx512.pternlog.q.128": vectors(Q2, 3, "avx512vl", immediates=TRUTHS, immediate_type="i32"),
    "avx512.pternlog.q.256": vectors(Q4, 3, "avx512vl", immediates=TRUTHS, immediate_type="i32"),
    "avx512.pternlog.q.512": vectors(Q8, 3, "avx512f", immediates=TRUTHS, immediate_type="i32"),
    "sse41.pblendvb": vectors(B16, 3, "sse4_1"),
    "avx2.pblendvb": vectors(B32, 3, "avx2"),
    "sse2.psll.q": vectors(Q2, 2, "sse2", small=((1, 6),)),
    "sse2.psrl.q": vectors(Q2, 2, "sse2", small=((1, 6),)),
    "avx2.psll.q": Case("avx2", Q4, (Q4, Q2), small=((1, 6),)),
    "avx2.psrl.q": Case("avx2", Q4, (Q4, Q2), small=((1, 6),)),
    "avx512.psll.q.512": Case("avx512f", Q8, (Q8, Q2), small=((1, 6),)),
    "avx512.psrl.q.512": Case("avx512f", Q8, (Q8, Q2), small=((1, 6),)),
    "avx2.psllv.d.256": vectors(D8, 2, "avx2", small=((1, 6),)),
    "avx2.psllv.q.256": vectors(Q4, 2, "avx2", small=((1, 7),)),
    "avx2.psrlv.q.256": vectors(Q4, 2, "avx2", small=((1, 7),)),
    "avx512.psllv.q.512": vectors(Q8, 2, "avx512f", small=((1, 7),)),
    "avx512.psrlv.q.512": vectors(Q8, 2, "avx512f", small=((1, 7),)),
    "bmi.pdep.32": vectors("i32", 2, "bmi2"),
    "bmi.pdep.64": vectors("i64", 2, "bmi2"),
    "sse41.phminposuw": vectors(W8, 1, "sse4_1", small=((0, 2),)),
    "avx2.packsswb": Case("avx2", B32, (W16,) * 2, small=((0, 8), (1, 7))),
    "avx2.packusdw": Case("avx2", W16, (D8,) * 2, small=((0, 17), (1, 16))),
    "avx2.pmovmskb": Case("avx2", "i32", (B32,)),
}
FLAG = {"immediates": (0,), "immediate_type": "i1"}  # whether some operand gives poison
LLVM = {
    "fshl.i64": vectors("i64", 3, "sse2"),
    "fshl.v2i64": vectors(Q2, 3, "sse2"),
    "fshl.v8i32": vectors(D8, 3, "avx2"),
    "fshl.v8i64": vectors(Q8, 3, "avx512_vbmi2"),
    "fshr.v4i64": vectors(Q4, 3, "avx2"),
    "fshr.v8i64": vectors(Q8, 3, "avx512_vbmi2"),
    "bswap.i64": vectors("i64", 1, "sse2"),
    "bswap.v16i16": vectors(W16, 1, "avx2"),
    "bitreverse.i64": vectors("i64", 1, "sse2"),
    "ctpop.i64": vectors("i64", 1, "popcnt"),
    "ctpop.v16i32": vectors(D16, 1, "avx512f"),
    "ctpop.v8i64": vectors(Q8, 1, "avx512f"),
    "cttz.i64": vectors("i64", 1, "sse2", small=((0, 3),), **FLAG),
    "abs.v16i16": vectors(W16, 1, "avx2", small=((0, 1),), **FLAG),
    "umax.v16i16": vectors(W16, 2, "avx2", small=((0, 2), (1, 2))),
    "umin.v8i64": vectors(Q8, 2, "avx512f", small=((0, 2), (1, 2))),
    "smax.v8i32": vectors(D8, 2, "avx2", small=((0, 2), (1, 2))),
    "smin.v8i32": vectors(D8, 2, "avx2", small=((0, 2), (1, 2))),
    "usub.sat.v32i8": vectors(B32, 2, "avx2", small=((0, 2), (1, 2))),
    "uadd.sat.v32i8": vectors(B32, 2, "avx2", small=((0, 7), (1, 7))),
    "vector.reduce.xor.v8i64": Case("avx512f", "i64", (Q8,)),
    "vector.reduce.add.v8i64": Case("avx512f", "i64", (Q8,)),
}
CASES = {f"llvm.x86.{name}": case for name, case in X86.items()}
CASES |= {f"llvm.{name}": case for name, case in LLVM.items()}


def is_refused(name):
    """Tells whether a name is that of a function of x86 that is not compared."""
    return name.startswith("llvm.x86.") and name not in CASES
