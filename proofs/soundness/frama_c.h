/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Included before every file that Frama-C reads: what version 25 lacks, and the level analysed. */
#ifndef CODEKEM_TESTS_FRAMA_C_H
#define CODEKEM_TESTS_FRAMA_C_H

#define _Alignas(bytes) __attribute__((__aligned__(bytes)))
#define _Alignof(type) __alignof__(type)

#define CODEKEM_VERSION "analysed"

/* The scheme, BIKE unless HQC is defined, and LEVEL, which is 1, 3 or 5, from the command line:
 * the ring, and the weights of keys and errors. MESSAGE and CODE_BITS are k and n1 n2 of HQC. */
#define OF_LEVEL(name, level) OF_LEVEL_PASTED(name, level)
#define OF_LEVEL_PASTED(name, level) name##level
#if defined(HQC)
#include "hqc/hqc_levels.h"
#define R_BITS OF_LEVEL(HQC_N_, LEVEL)
#define KEY_WEIGHT OF_LEVEL(HQC_WEIGHT_, LEVEL)
#define ERROR_WEIGHT OF_LEVEL(HQC_WEIGHT_R_, LEVEL)
#define MESSAGE OF_LEVEL(HQC_K_, LEVEL)
#define CODE_BITS OF_LEVEL(HQC_CODE_BITS_, LEVEL)
#define HQC_PARAMS OF_LEVEL(ckem_hqc_level, LEVEL)
#elif defined(LEVEL)
#include "bike/bike_levels.h"
#define R_BITS OF_LEVEL(BIKE_R_, LEVEL)
#define KEY_WEIGHT OF_LEVEL(BIKE_D_, LEVEL)
#define ERROR_WEIGHT OF_LEVEL(BIKE_T_, LEVEL)
#define BIKE_PARAMS OF_LEVEL(ckem_bike_level, LEVEL)
#endif
#define RING OF_LEVEL(ckem_gf2x_ring_, R_BITS)

#endif
