/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the wrapped functions must know of the operation that runs, to tell its hashes apart. */
#ifndef CODEKEM_EVALUATION_WRAPS_H
#define CODEKEM_EVALUATION_WRAPS_H

#include <stdbool.h>

enum scheme { SCHEME_BIKE, SCHEME_HQC, SCHEME_MCELIECE };

enum operation { OPERATION_KEYPAIR, OPERATION_ENCAPS, OPERATION_DECAPS, OPERATION_COUNT };

struct profiled_operation {
  enum scheme scheme;
  enum operation operation;
  bool binds_public_key; /* the variants of BIKE 4.2 whose error depends on the public key */
};

/* To be called before each operation. */
void wraps_begin(const struct profiled_operation *operation);

#endif
