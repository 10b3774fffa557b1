/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The fuzzers are linked with libcrypto: there is nothing to load. */
#include "libcrypto_on_demand.h"

#include <stddef.h>

const char *libcrypto_load(void) {
  return NULL;
}
