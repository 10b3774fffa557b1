/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* HQC-1, -3 and -5 in the version of 2025-08-22, chosen by LEVEL. */
#ifndef CODEKEM_HLS_HQC_PARAMETERS_H
#define CODEKEM_HLS_HQC_PARAMETERS_H

#ifndef LEVEL
#define LEVEL 1
#endif
/* levels: made by parameters/generate.py */
#if LEVEL == 1
#define N 17669      /* bits of a polynomial */
#define SYMBOLS 46   /* of the Reed-Solomon code */
#define MESSAGE 16   /* symbols of its message */
#define COPIES 3     /* of a Reed-Muller word */
#define WEIGHT 66    /* of x and y */
#define WEIGHT_R 75  /* of r1, r2 and e */
#define BOUND 16767881 /* candidates from here on are refused: the greatest multiple of N */
#elif LEVEL == 3
#define N 35851
#define SYMBOLS 56
#define MESSAGE 24
#define COPIES 5
#define WEIGHT 100
#define WEIGHT_R 114
#define BOUND 16742417
#elif LEVEL == 5
#define N 57637
#define SYMBOLS 90
#define MESSAGE 32
#define COPIES 5
#define WEIGHT 131
#define WEIGHT_R 149
#define BOUND 16772367
#else
#error "LEVEL is 1, 3 or 5"
#endif
/* levels: end */
#define LENGTH SYMBOLS
/* Of an array of positions: the first half holds a vector, the second is for what is not kept. */
#define POSITIONS (LEVEL == 5 ? 512 : 256)

#endif
