/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sorting in C alone. */
#include "base/ct.h"
#include "sort/sort.h"

/* Numbers in a row of a tile, and in a tile. */
#define ROW ((size_t)8)
#define TILE (ROW * ROW)

#define number uint32_t
#define TEMPLATE_NUMBER u32
#include "sort/sort_network.template.h"
#undef number
#undef TEMPLATE_NUMBER

#define number uint64_t
#define TEMPLATE_NUMBER u64
#include "sort/sort_network.template.h"

const struct sort_ops ckem_sort_portable = {
    .name = "portable",
    .sort_u32 = sort_u32,
    .sort_u64 = sort_u64,
};
