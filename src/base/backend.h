/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A back end: one implementation of each family of mathematics, for one kind of processor.
 *
 * Schemes receive a back end and call through it; they never name one.
 */
#ifndef CODEKEM_BASE_BACKEND_H
#define CODEKEM_BASE_BACKEND_H

#include <stdbool.h>

struct backend {
  const char *name;
  bool (*supported)(void); /* may this processor and operating system run it? */
  const struct gf2x_ops *gf2x;
  const struct keccak_ops *keccak;
  const struct sparse_ops *sparse;
  const struct bike_ops *bike;
  const struct hqc_ops *hqc;
};

#endif
