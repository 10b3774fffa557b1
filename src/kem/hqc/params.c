/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parameter sets of HQC [HQC, 2 and A.2]. */
#include "hqc/hqc.h"

static const struct reed_solomon code_46_16 = {
    .length = 46,
    .message_bytes = 16,
    .delta = 15,
    .generator = {89,  69,  153, 116, 176, 117, 111, 75,  73,  233, 242, 233, 65, 210, 21,
                  139, 103, 173, 67,  118, 105, 210, 174, 110, 74,  69,  228, 82, 255, 181},
};

static const struct reed_solomon code_56_24 = {
    .length = 56,
    .message_bytes = 24,
    .delta = 16,
    .generator = {45,  216, 239, 24, 253, 104, 27, 40, 107, 50,  163, 210, 227, 134, 224, 158,
                  119, 13,  158, 1,  238, 164, 82, 43, 15,  232, 246, 142, 50,  189, 29,  232},
};

static const struct reed_solomon code_90_32 = {
    .length = 90,
    .message_bytes = 32,
    .delta = 29,
    .generator = {49,  167, 49,  39,  200, 121, 124, 91,  240, 63,  148, 71,  150, 123, 87,
                  101, 32,  215, 159, 71,  201, 115, 97,  210, 186, 183, 141, 217, 123, 12,
                  31,  243, 180, 219, 152, 239, 99,  141, 4,   246, 191, 144, 8,   232, 47,
                  27,  141, 178, 130, 64,  124, 47,  39,  188, 216, 48,  199, 187},
};

const struct hqc_params hqc_level1 = {
    .ring = &gf2x_ring_17669,
    .outer_code = &code_46_16,
    .copies = 3,
    .key_weight = 66,
    .error_weight = 75,
    .sample_bound = 16767881,
    .barrett = 243079,
};

const struct hqc_params hqc_level3 = {
    .ring = &gf2x_ring_35851,
    .outer_code = &code_56_24,
    .copies = 5,
    .key_weight = 100,
    .error_weight = 114,
    .sample_bound = 16742417,
    .barrett = 119800,
};

const struct hqc_params hqc_level5 = {
    .ring = &gf2x_ring_57637,
    .outer_code = &code_90_32,
    .copies = 5,
    .key_weight = 131,
    .error_weight = 149,
    .sample_bound = 16772367,
    .barrett = 74517,
};
