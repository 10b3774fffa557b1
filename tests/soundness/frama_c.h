/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Included before every file that Frama-C reads: what version 25 lacks, and the level analysed. */
#ifndef CODEKEM_TESTS_FRAMA_C_H
#define CODEKEM_TESTS_FRAMA_C_H

#define _Alignas(bytes) __attribute__((__aligned__(bytes)))
#define _Alignof(type) __alignof__(type)

#define CODEKEM_VERSION "analysed"

/* LEVEL is 1, 3 or 5, from the command line. */
#if LEVEL == 1
#define R_BITS 12323
#define KEY_WEIGHT 71
#define ERROR_WEIGHT 134
#define RING gf2x_ring_12323
#define HQC_RING gf2x_ring_17669
#define HQC_R_BITS 17669
#elif LEVEL == 3
#define R_BITS 24659
#define KEY_WEIGHT 103
#define ERROR_WEIGHT 199
#define RING gf2x_ring_24659
#define HQC_RING gf2x_ring_35851
#define HQC_R_BITS 35851
#elif LEVEL == 5
#define R_BITS 40973
#define KEY_WEIGHT 137
#define ERROR_WEIGHT 264
#define RING gf2x_ring_40973
#define HQC_RING gf2x_ring_57637
#define HQC_R_BITS 57637
#endif

#endif
