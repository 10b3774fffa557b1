/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The back ends of this build and the choice between them. */
#ifndef CODEKEM_BACKENDS_H
#define CODEKEM_BACKENDS_H

#include "base/backend.h"

/* Returns the back end in use: the one selected, or the one that CODEKEM_CPU names, or the best.
 * Returns NULL if CODEKEM_CPU names none that can run here. Thread-safe. */
const struct backend *ckem_backend_in_use(void);

#endif
