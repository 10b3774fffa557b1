/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Which instruction sets the build has back ends for, and how a file asks for one.
 *
 * CODEKEM_HAVE_AVX2 and so on are defined where processor and compiler allow them. A file for an
 * instruction set has its code between #if defined(CODEKEM_HAVE_AVX2) and #endif and, within it,
 * between ISA_BEGIN_AVX2 and ISA_END: the functions there may use the instructions, whatever the
 * flags of the compiler say. So every file can be given to any compiler, without flags of its own.
 * Functions with vectors as arguments must stand between them, too; system headers must not.
 *
 * For Zbc neither gcc nor clang know such a form: the build gives the flag and defines
 * CODEKEM_HAVE_ZBC (cmake/isa.cmake). CODEKEM_HAVE_M4 is also up to the build, because it has to
 * know about assembly. The vectors of WebAssembly are for a whole module (-msimd128): an engine
 * refuses instructions that it does not know, even in functions that it never calls.
 */
#ifndef CODEKEM_BASE_ISA_H
#define CODEKEM_BASE_ISA_H

#include <stdint.h>

/* What the proofs look at has no vectors. */
#if !defined(__FRAMAC__)

#if defined(__x86_64__) && !defined(__ILP32__)
#define CODEKEM_HAVE_AVX2 1
#if defined(__clang__) ? __clang_major__ >= 9 : __GNUC__ >= 8
#define CODEKEM_HAVE_AVX512 1
#endif
#if defined(__clang__) ? __clang_major__ >= 9 : __GNUC__ >= 10
#define CODEKEM_HAVE_VPCLMUL 1
#define CODEKEM_HAVE_GFNI 1 /* beside VPCLMULQDQ */
#endif
#endif

/* NEON on both kinds of Arm; NEON64 has products of 64-bit words, NEON32 those of bytes alone. */
#if defined(__aarch64__) && !defined(__ILP32__) && defined(__ARM_NEON)
#define CODEKEM_HAVE_NEON 1
#define CODEKEM_HAVE_NEON64 1
/* Before version 16 clang's arm_neon.h has the instructions for SHA-3 only if the flags ask. */
#if defined(__ARM_FEATURE_SHA3) || (defined(__clang__) ? __clang_major__ >= 16 : __GNUC__ >= 9)
#define CODEKEM_HAVE_NEON_SHA3 1
#endif
#endif

/* clang's arm_neon.h wants flags, which CMake gives. Vectors in registers of their own, so not with
 * the ABI that has no floating point. */
#if defined(__arm__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH >= 7 &&       \
    __ARM_ARCH_PROFILE == 'A' && !defined(__SOFTFP__) && !defined(__ARMEB__) && \
    (defined(__ARM_NEON) || !defined(__clang__))
#define CODEKEM_HAVE_NEON 1
#define CODEKEM_HAVE_NEON32 1
#endif

/* V is in assembly (base/rvv.h), which the assembler has to know. */
#if defined(__riscv) && __riscv_xlen == 64 && defined(__linux__) && \
    (defined(__riscv_v) || (defined(__clang__) ? __clang_major__ >= 17 : __GNUC__ >= 12))
#define CODEKEM_HAVE_RVV 1
#endif

#if defined(__riscv_zbc) && __riscv_xlen == 64 && !defined(CODEKEM_HAVE_ZBC)
#define CODEKEM_HAVE_ZBC 1
#endif

#if defined(__wasm_simd128__)
#define CODEKEM_HAVE_WASM 1
#endif

#endif

/* 1 where the processor computes with 32 bits, 0 also on 64-bit processors with short pointers. */
#if UINTPTR_MAX > UINT32_MAX || defined(__x86_64__) || defined(__aarch64__) || defined(__wasm__)
#define ISA_WORDS_OF_32_BITS 0
#else
#define ISA_WORDS_OF_32_BITS 1
#endif

/* For a function that fills the few registers of such a processor: it is not inlined, and gcc does
 * not reorder it before it has given out registers, because that moves more of them to memory. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__FRAMAC__)
#define ISA_IN_ORDER __attribute__((noinline, optimize("no-schedule-insns")))
#elif defined(__clang__)
#define ISA_IN_ORDER __attribute__((noinline))
#else
#define ISA_IN_ORDER
#endif

/* ISA_BEGIN("words of clang", "words of gcc"): the words of the attribute `target`. */
#define ISA_PRAGMA(words) _Pragma(#words)
#if defined(__clang__)
#define ISA_BEGIN(clang_words, gcc_words) \
  ISA_PRAGMA(clang attribute push(__attribute__((target(clang_words))), apply_to = function))
#define ISA_END ISA_PRAGMA(clang attribute pop)
#else
#define ISA_BEGIN(clang_words, gcc_words) \
  ISA_PRAGMA(GCC push_options)            \
  ISA_PRAGMA(GCC target(gcc_words))
#define ISA_END ISA_PRAGMA(GCC pop_options)
#endif

#define ISA_AVX2 "avx2,pclmul,bmi,bmi2,lzcnt,popcnt"
#define ISA_VPCLMUL ISA_AVX2 ",vpclmulqdq"
#define ISA_GFNI ISA_AVX2 ",gfni"
#define ISA_AVX512 \
  ISA_AVX2         \
  ",avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,vpclmulqdq,gfni"

#define ISA_BEGIN_AVX2 ISA_BEGIN(ISA_AVX2, ISA_AVX2)
#define ISA_BEGIN_VPCLMUL ISA_BEGIN(ISA_VPCLMUL, ISA_VPCLMUL)
#define ISA_BEGIN_GFNI ISA_BEGIN(ISA_GFNI, ISA_GFNI)
/* Without the last word gcc makes loops of its own with 256 bits. */
#define ISA_BEGIN_AVX512 ISA_BEGIN(ISA_AVX512, ISA_AVX512 ",prefer-vector-width=512")
#if defined(__arm__)
#define ISA_BEGIN_NEON ISA_BEGIN("neon", "fpu=neon")
#else
#define ISA_BEGIN_NEON ISA_BEGIN("crypto", "+crypto")
#endif
#define ISA_BEGIN_NEON32 ISA_BEGIN_NEON
#define ISA_BEGIN_NEON64 ISA_BEGIN_NEON
#if defined(__ARM_FEATURE_SHA3) || (defined(__ARM_ARCH) && __ARM_ARCH > 8)
#define ISA_BEGIN_NEON_SHA3 ISA_BEGIN("crypto,sha3", "+crypto+sha3")
#else
#define ISA_BEGIN_NEON_SHA3 ISA_BEGIN("crypto,sha3", "arch=armv8.2-a+crypto+sha3")
#endif

#endif
