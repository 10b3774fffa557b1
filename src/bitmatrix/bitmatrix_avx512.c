/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* For now what is portable. */
#include "base/isa.h"
#include "bitmatrix/bitmatrix.h"

#if defined(CODEKEM_HAVE_AVX512)

static void load_avx512(uint32_t rows, bool window, uint64_t *left, uint32_t first,
                      const uint64_t *panel) {
  bitmatrix_portable.load(rows, window, left, first, panel);
}

static bool factor_avx512(uint32_t rows, bool window, uint64_t *factors, uint64_t *pivots,
                        uint64_t *left, uint64_t *scratch) {
  return bitmatrix_portable.factor(rows, window, factors, pivots, left, scratch);
}

static void solve_avx512(uint32_t rows, const uint64_t *factors, uint64_t *panel,
                       uint64_t *scratch) {
  bitmatrix_portable.solve(rows, factors, panel, scratch);
}

const struct bitmatrix_ops bitmatrix_avx512 = {
    .name = "avx512",
    .load = load_avx512,
    .factor = factor_avx512,
    .solve = solve_avx512,
};

#endif
