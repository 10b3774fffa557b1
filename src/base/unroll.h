/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A hint for loops whose counts are constants only after inlining, and whose arrays must become
 * registers: UNROLL in front of the loop asks for all of its iterations in a row. */
#ifndef CODEKEM_BASE_UNROLL_H
#define CODEKEM_BASE_UNROLL_H

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 80")
#else
#define UNROLL
#endif

#endif
