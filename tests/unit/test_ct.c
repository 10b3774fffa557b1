/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The functions of common/base/ct.h that are written differently for 32-bit processors. */
#include "unit_test.h"

#include "base/ct.h"

static void shifts_move_by_every_count(void **state) {
  uint64_t seed = 1;

  (void)state;
  for (unsigned n = 0; n < 64; n++) {
    for (int i = 0; i < 20; i++) {
      const uint64_t x = next_random(&seed);
      uint64_t left = x;
      uint64_t right = x;
      for (unsigned k = 0; k < n; k++) {
        left *= 2;
        right /= 2;
      }
      assert_true(ct_shift_left_u64(x, n) == left);
      assert_true(ct_shift_right_u64(x, n) == right);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shifts_move_by_every_count),
  };

  return cmocka_run_group_tests_name("ct", tests, NULL, NULL);
}
