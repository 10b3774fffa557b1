/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The contracts of the heavy operations, as a back end.
 *
 * products.c, counters.c, kernels.c and (of the permutation) squeezing.c prove that the portable
 * code keeps them; operation.c and batch.c may then use them in its place.
 */
#ifndef CODEKEM_TESTS_CONTRACTS_H
#define CODEKEM_TESTS_CONTRACTS_H

#include "base/backend.h"
#include "keccak/keccak.h"

/* Its operations do no more than their contract says: they demand what it demands and set their
 * outputs to anything. Only the weight of an element is that of the portable back end. */
extern const struct backend contracts;

/* Its permutation. */
extern const struct keccak_ops keccak_contracts;

/* The portable back end as the library has it. */
extern const struct backend portable;

#endif
