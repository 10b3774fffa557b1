/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* UNROLL in front of a loop asks the compiler to unroll it completely. For loops whose counts are
 * constants only after inlining, and whose arrays must be kept in registers. Sanitizers put checks
 * into every copy, which takes compilers minutes, so their builds keep loops as they are. */
#ifndef CODEKEM_BASE_UNROLL_H
#define CODEKEM_BASE_UNROLL_H

#if defined(CODEKEM_KEEP_LOOPS)
#define UNROLL
#elif defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 80")
#else
#define UNROLL
#endif

#endif
