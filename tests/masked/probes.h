/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* In place of the barriers of src/masked/shares.h: values that pass one are recorded, and the test
 * gives the fresh bits. */
#ifndef CODEKEM_TESTS_MASKED_PROBES_H
#define CODEKEM_TESTS_MASKED_PROBES_H

#include <stddef.h>
#include <stdint.h>

struct masks;

uint64_t masked_probe(uint64_t value);
uint64_t masked_probe_fresh(struct masks *masks, size_t lanes);

#define masked_hide(x) ((masked_word)masked_probe(x))
#define masked_hide_lane(x) masked_probe(x)

#endif
