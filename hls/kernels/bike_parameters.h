/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* BIKE by LEVEL: R bits of a polynomial, D positions of a key's halves, T errors. */
#ifndef CODEKEM_HLS_BIKE_PARAMETERS_H
#define CODEKEM_HLS_BIKE_PARAMETERS_H

#include "hls.h"

#ifndef LEVEL
#define LEVEL 1
#endif
/* The threshold is (BASE + SLOPE * weight) / divisor, at least LEAST; division by RECIPROCAL. */
/* levels: made by parameters/generate.py */
#if LEVEL == 1
enum { R = 12323, D = 71, T = 134, LEAST = 36 };
enum { BASE = 67650000, SLOPE = 34861, RECIPROCAL = 1759219, RECIPROCAL_SHIFT = 43 };
#elif LEVEL == 3
enum { R = 24659, D = 103, T = 199, LEAST = 52 };
enum { BASE = 3051760, SLOPE = 1053, RECIPROCAL = 21990233, RECIPROCAL_SHIFT = 42 };
#else
#error "LEVEL is 1 or 3"
#endif
/* levels: end */
#ifndef WORD
#define WORD 64 /* bits of a word of a polynomial */
#endif
#if WORD == 64
typedef uint64_t word;
#else
typedef unsigned _BitInt(WORD) word;
#endif
enum { WORDS = (R + WORD - 1) / WORD, DOUBLED = 2 * WORDS + 2 };
#define LAST_MASK (((word)1 << R % WORD) - 1) /* the bits of a polynomial's last word */

#endif
