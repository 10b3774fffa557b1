/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the library takes of string.h, for targets without a C library: Rust brings the functions on
 * memory. */
#pragma once

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int value, size_t length);
int memcmp(const void *one, const void *other, size_t length);
int strcmp(const char *one, const char *other);
