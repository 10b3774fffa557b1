/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keccak-f[1600] for any processor. */
#include "keccak/keccak.h"

#define TEMPLATE_SUFFIX portable
#include "keccak/keccak_one.template.h"

static void permute_pair_portable(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  permute_portable(first);
  permute_portable(second);
}

const struct keccak_ops ckem_keccak_portable = {
    .name = "portable",
    .permute = permute_portable,
    .permute_pair = permute_pair_portable,
    .width = 1,
    .permute_many = permute_portable,
};
