/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The contracts of the four heavy operations, as a back end.
 *
 * kernels.c proves that the portable code keeps them; operation.c may then use them in its place.
 */
#ifndef CODEKEM_TESTS_CONTRACTS_H
#define CODEKEM_TESTS_CONTRACTS_H

#include "base/backend.h"

/* Products, set_positions and the counters do no more than their contract says: they demand what it
 * demands and set their outputs to anything. All other operations are the portable ones. */
extern const struct backend contracts;

/* The portable back end as the library has it. */
extern const struct backend portable;

#endif
