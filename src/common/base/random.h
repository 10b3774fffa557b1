/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Randomness from the operating system. */
#ifndef CODEKEM_BASE_RANDOM_H
#define CODEKEM_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fills out[length]; waits until the system's generator is seeded. context is not used.
 * Returns false if the system has no generator or it failed; out is then unspecified. */
bool ckem_random_from_system(void *context, uint8_t *out, size_t length);

#endif
