/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parameter sets of Classic McEliece [MCE, 2]. */
#include "mceliece/params.h"

const struct mceliece_params mceliece_params_348864 = {
    .m = 12, .n = 3488, .t = 64, .tau = 128, .terms = 3, .low = {0, 1, 3}, .low_value = {2, 1, 1}};

const struct mceliece_params mceliece_params_460896 = {.m = 13,
                                                       .n = 4608,
                                                       .t = 96,
                                                       .tau = 192,
                                                       .terms = 4,
                                                       .low = {0, 6, 9, 10},
                                                       .low_value = {1, 1, 1, 1}};

const struct mceliece_params mceliece_params_6688128 = {.m = 13,
                                                        .n = 6688,
                                                        .t = 128,
                                                        .tau = 256,
                                                        .terms = 4,
                                                        .low = {0, 1, 2, 7},
                                                        .low_value = {1, 1, 1, 1}};

const struct mceliece_params mceliece_params_6960119 = {
    .m = 13, .n = 6960, .t = 119, .tau = 238, .terms = 2, .low = {0, 8}, .low_value = {1, 1}};

const struct mceliece_params mceliece_params_8192128 = {.m = 13,
                                                        .n = 8192,
                                                        .t = 128,
                                                        .tau = 128,
                                                        .terms = 4,
                                                        .low = {0, 1, 2, 7},
                                                        .low_value = {1, 1, 1, 1}};
