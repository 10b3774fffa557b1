/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parameters of the levels. */
#include <assert.h>

#include "bike/bike.h"

/* By hand from the specification [BIKE, S2 and S7.3]. */
static_assert(BIKE_R_1 == 12323 && BIKE_D_1 == 71 && BIKE_T_1 == 134, "level 1");
static_assert(BIKE_R_3 == 24659 && BIKE_D_3 == 103 && BIKE_T_3 == 199, "level 3");
static_assert(BIKE_R_5 == 40973 && BIKE_D_5 == 137 && BIKE_T_5 == 264, "level 5");

/* The decimals of the threshold, multiplied by five million, 200,000, and 12.5 million. */
#define CHECK_THRESHOLD(level, factor, slope, constant, minimum)                                  \
  static_assert(BIKE_THRESHOLD_SLOPE_##level * INT64_C(100000000) == (factor) * INT64_C(slope) && \
                    BIKE_THRESHOLD_CONSTANT_##level * INT64_C(10000) ==                           \
                        (factor) * INT64_C(constant) &&                                           \
                    BIKE_THRESHOLD_MINIMUM_##level == (minimum),                                  \
                "threshold of level " #level)
CHECK_THRESHOLD(1, 5000000, 697220, 135300, 36);   /* max(0.0069722 S + 13.530, 36) */
CHECK_THRESHOLD(3, 200000, 526500, 152588, 52);    /* max(0.005265 S + 15.2588, 52) */
CHECK_THRESHOLD(5, 12500000, 402312, 178785, 69);  /* max(0.00402312 S + 17.8785, 69) */

#define DEFINE_PARAMS(level)                                     \
  const struct bike_params ckem_bike_level##level = {            \
      .ring = &GF2X_RING(BIKE_R_##level),                        \
      .key_weight = BIKE_D_##level,                              \
      .error_weight = BIKE_T_##level,                            \
      .threshold_constant = BIKE_THRESHOLD_CONSTANT_##level,     \
      .threshold_slope = BIKE_THRESHOLD_SLOPE_##level,           \
      .threshold_multiplier = BIKE_THRESHOLD_MULTIPLIER_##level, \
      .threshold_shift = BIKE_THRESHOLD_SHIFT_##level,           \
      .threshold_minimum = BIKE_THRESHOLD_MINIMUM_##level,       \
      .masked_threshold = (BIKE_D_##level + 1) / 2 + 1,          \
      .uniform_error_draws = BIKE_UNIFORM_DRAWS_##level,         \
  };
BIKE_LEVELS(DEFINE_PARAMS)
