/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The function that newlib declares, but does not have. */
#define _POSIX_C_SOURCE 200112L
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

int posix_memalign(void **memory, size_t alignment, size_t length) {
  *memory = memalign(alignment, length);
  return *memory != NULL ? 0 : ENOMEM;
}
