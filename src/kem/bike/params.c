/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parameters of the three levels [BIKE, S2 and S7.3]. */
#include "bike/bike.h"

const struct bike_params bike_level1 = {
    .ring = &gf2x_ring_12323,
    .key_weight = 71,
    .error_weight = 134,
    .threshold_constant = 67650000,
    .threshold_slope = 34861,
    .threshold_multiplier = 1759219,
    .threshold_shift = 43,
    .threshold_minimum = 36,
    .masked_threshold = 37,
    .uniform_error_draws = 271,
};

const struct bike_params bike_level3 = {
    .ring = &gf2x_ring_24659,
    .key_weight = 103,
    .error_weight = 199,
    .threshold_constant = 3051760,
    .threshold_slope = 1053,
    .threshold_multiplier = 21990233,
    .threshold_shift = 42,
    .threshold_minimum = 52,
    .masked_threshold = 53,
    .uniform_error_draws = 373,
};

const struct bike_params bike_level5 = {
    .ring = &gf2x_ring_40973,
    .key_weight = 137,
    .error_weight = 264,
    .threshold_constant = 223481250,
    .threshold_slope = 50289,
    .threshold_multiplier = 1407375,
    .threshold_shift = 44,
    .threshold_minimum = 69,
    .masked_threshold = 70,
    .uniform_error_draws = 605,
};
