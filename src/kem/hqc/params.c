/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The parameter sets of HQC. */
#include <assert.h>

#include "hqc/hqc.h"
#include "sparse/sparse.h"

/* By hand from the specification [HQC, 2 and A.2]: n, n1, the bytes of k, n2 / 128, omega, and
 * omega_r = omega_e. */
#define CHECK_SET(level, n, n1, k, copies, weight, weight_r)                              \
  static_assert(HQC_N_##level == (n) && HQC_N1_##level == (n1) && HQC_K_##level == (k) && \
                    HQC_COPIES_##level == (copies) && HQC_WEIGHT_##level == (weight) &&   \
                    HQC_WEIGHT_R_##level == (weight_r),                                   \
                "HQC-" #level)
CHECK_SET(1, 17669, 46, 16, 3, 66, 75);
CHECK_SET(3, 35851, 56, 24, 5, 100, 114);
CHECK_SET(5, 57637, 90, 32, 5, 131, 149);
static_assert(HQC_SAMPLE_BOUND_1 == 16767881, "utilde's threshold of HQC-1");
static_assert(HQC_SAMPLE_BOUND_3 == 16742417, "that of HQC-3");
static_assert(HQC_SAMPLE_BOUND_5 == 16772367, "that of HQC-5");

#define DEFINE_CODE(code_length, bytes)                                               \
  static_assert((code_length) % 2 == 0 && (code_length) <= REED_SOLOMON_MAX_LENGTH && \
                    ((code_length) - (bytes)) / 2 <= REED_SOLOMON_MAX_DELTA,          \
                "memory for the code");                                               \
  static const struct reed_solomon code_##code_length##_##bytes = {                   \
      .length = (code_length),                                                        \
      .message_bytes = (bytes),                                                       \
      .delta = ((code_length) - (bytes)) / 2,                                         \
      .generator = HQC_GENERATOR_##code_length##_##bytes,                             \
  };
HQC_CODES(DEFINE_CODE)

#define CODE(code_length, bytes) CODE_NAME(code_length, bytes)
#define CODE_NAME(code_length, bytes) code_##code_length##_##bytes

static_assert(HQC_MAX_WEIGHT <= SPARSE_MAX_POSITIONS, "memory for positions");

#define DEFINE_PARAMS(level)                                                     \
  static_assert(HQC_WEIGHT_R_##level <= HQC_MAX_WEIGHT, "memory for positions"); \
  static_assert(HQC_WEIGHT_##level <= HQC_MAX_WEIGHT, "memory for positions");   \
  static_assert(HQC_K_##level <= HQC_MAX_MESSAGE_BYTES, "memory for messages");  \
  const struct hqc_params ckem_hqc_level##level = {                              \
      .ring = &GF2X_RING(HQC_N_##level),                                         \
      .outer_code = &CODE(HQC_N1_##level, HQC_K_##level),                        \
      .copies = HQC_COPIES_##level,                                              \
      .key_weight = HQC_WEIGHT_##level,                                          \
      .error_weight = HQC_WEIGHT_R_##level,                                      \
      .sample_bound = HQC_SAMPLE_BOUND_##level,                                  \
      .barrett = HQC_BARRETT_##level,                                            \
  };
HQC_LEVELS(DEFINE_PARAMS)
