/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Included before every file that Frama-C reads: what version 25 lacks, and the level analysed. */
#ifndef CODEKEM_TESTS_FRAMA_C_H
#define CODEKEM_TESTS_FRAMA_C_H

#define _Alignas(bytes) __attribute__((__aligned__(bytes)))
#define _Alignof(type) __alignof__(type)

#define CODEKEM_VERSION "analysed"

/* The scheme, BIKE unless HQC is defined, and LEVEL, which is 1, 3 or 5, from the command line:
 * the ring, and the weights of keys and errors. MESSAGE and CODE_BITS are k and n1 n2 of HQC. */
#if defined(HQC)
#if LEVEL == 1
#define R_BITS 17669
#define KEY_WEIGHT 66
#define ERROR_WEIGHT 75
#define MESSAGE 16
#define CODE_BITS 17664
#define RING gf2x_ring_17669
#define HQC_PARAMS hqc_level1
#elif LEVEL == 3
#define R_BITS 35851
#define KEY_WEIGHT 100
#define ERROR_WEIGHT 114
#define MESSAGE 24
#define CODE_BITS 35840
#define RING gf2x_ring_35851
#define HQC_PARAMS hqc_level3
#elif LEVEL == 5
#define R_BITS 57637
#define KEY_WEIGHT 131
#define ERROR_WEIGHT 149
#define MESSAGE 32
#define CODE_BITS 57600
#define RING gf2x_ring_57637
#define HQC_PARAMS hqc_level5
#endif
#elif LEVEL == 1
#define R_BITS 12323
#define KEY_WEIGHT 71
#define ERROR_WEIGHT 134
#define RING gf2x_ring_12323
#elif LEVEL == 3
#define R_BITS 24659
#define KEY_WEIGHT 103
#define ERROR_WEIGHT 199
#define RING gf2x_ring_24659
#elif LEVEL == 5
#define R_BITS 40973
#define KEY_WEIGHT 137
#define ERROR_WEIGHT 264
#define RING gf2x_ring_40973
#endif

#endif
