/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parameter sets of Classic McEliece. */
#include "mceliece/params.h"

#include <assert.h>

/* By hand from the specification [MCE, 2]. */
#define CHECK_SET(size, m, n, t)                                                                  \
  static_assert(MCELIECE_M_##size == (m) && MCELIECE_N_##size == (n) && MCELIECE_T_##size == (t), \
                "set " #size)
CHECK_SET(348864, 12, 3488, 64);
CHECK_SET(460896, 13, 4608, 96);
CHECK_SET(6688128, 13, 6688, 128);
CHECK_SET(6960119, 13, 6960, 119);
CHECK_SET(8192128, 13, 8192, 128);

#define DEFINE_PARAMS(size)                                    \
  const struct mceliece_params ckem_mceliece_params_##size = { \
      .m = MCELIECE_M_##size,                                  \
      .n = MCELIECE_N_##size,                                  \
      .t = MCELIECE_T_##size,                                  \
      .tau = MCELIECE_TAU_##size,                              \
      .terms = MCELIECE_TERMS_##size,                          \
      .low = MCELIECE_LOW_##size,                              \
      .low_value = MCELIECE_LOW_VALUE_##size,                  \
  };
MCELIECE_SETS(DEFINE_PARAMS)
