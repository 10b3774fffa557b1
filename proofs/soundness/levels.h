/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* More of a level than frama_c.h has, for BIKE and HQC alone. */
#ifndef CODEKEM_TESTS_LEVELS_H
#define CODEKEM_TESTS_LEVELS_H

#if defined(HQC)
#define COPIES OF_LEVEL(HQC_COPIES_, LEVEL) /* of a code word of Reed and Muller */
#define CODE_LENGTH (CODE_BITS / 128 / COPIES) /* of Reed and Solomon's code */
#define ERROR_LENGTH R_BITS /* errors are drawn below this */
#else
#define ERROR_LENGTH (2 * R_BITS)
#endif

#endif
