/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the processor and the operating system allow. */
#ifndef CODEKEM_BASE_CPU_H
#define CODEKEM_BASE_CPU_H

#include <stdbool.h>

/* AVX2, BMI1, BMI2, LZCNT, POPCNT and PCLMULQDQ, all that base/isa.h lets the compiler use,
 * with the 256-bit registers saved by the operating system. */
bool ckem_cpu_has_avx2(void);

/* The same with VPCLMULQDQ, carry-less products in registers of 256 bits. */
bool ckem_cpu_has_avx2_vpclmul(void);

/* The same with GFNI besides, products of 8 x 8 bit matrices. */
bool ckem_cpu_has_avx2_gfni(void);

/* AVX-512 F, BW, DQ, VL, VBMI, VBMI2, VPOPCNTDQ with VPCLMULQDQ and GFNI, and everything of
 * ckem_cpu_has_avx2, with the 512-bit and mask registers saved by the operating system. */
bool ckem_cpu_has_avx512(void);

/* Registers of 256 bits, of 512 bits with masks: the processor has them, and the operating system
 * saves them. */
bool ckem_cpu_has_ymm(void);
bool ckem_cpu_has_zmm(void);

/* AArch64 with PSTATE.DIT. */
bool ckem_cpu_has_dit(void);

/* AArch64 with NEON, which all of them have, and PMULL on 64-bit words; 32-bit Arm with NEON. */
bool ckem_cpu_has_neon(void);

/* The same with the instructions for SHA-3: EOR3, RAX1, XAR and BCAX. */
bool ckem_cpu_has_neon_sha3(void);

/* RISC-V with vectors (V 1.0). */
bool ckem_cpu_has_rvv(void);

/* The same with Zvbc, carry-less multiplication on vectors. */
bool ckem_cpu_has_rvv_zvbc(void);

/* RISC-V with Zbc, carry-less multiplication. */
bool ckem_cpu_has_zbc(void);

#endif
