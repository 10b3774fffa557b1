/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values by tables of sums, with the bits of 64 places in a word. */
#include "mq4/mq4.h"

#define TEMPLATE_SUFFIX portable
#define VECTOR uint64_t
#define VECTOR_WORDS 1
#define ADD(a, b) ((a) ^ (b))
#define MASK(a, b) ((a) & (b))
#define ZERO 0
#define IN_REGISTER(x) (void)0
#define WIDTHS(do) \
  do (8) do(12) do(14)

#include "mq4/mq4_value.template.h"
#include "mq4/mq4_tables.template.h"

const struct mq4_ops ckem_mq4_portable = {
    .name = "portable",
    .value = value_portable,
    .evaluate = evaluate_portable,
};
