/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The operations of BIKE's decoder for any odd r, fast where nothing is secret. */
#ifndef CODEKEM_EVALUATION_PUBLIC_OPS_H
#define CODEKEM_EVALUATION_PUBLIC_OPS_H

#include "base/backend.h"

/* Returns a back end for ckem_bike_decode that takes a syndrome where others take a ciphertext: the
 * only product by mul in ckem_bike_decode is c0 * h0, and here mul copies its first factor.
 *
 * With base == NULL all operations are those of this file. They branch on the data and use it as
 * addresses, so they are for experiments only. Otherwise they are those of base, but for mul.
 *
 * The back end remembers the last product, so one thread at a time may use it. */
const struct backend *public_backend(const struct backend *base);

#endif
