/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finding known secrets in memory. */
#ifndef CODEKEM_TESTS_HARNESS_RESIDUE_H
#define CODEKEM_TESTS_HARNESS_RESIDUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes in a row that make a find. */
#define RESIDUE_WINDOW 16

/* Returns true if some RESIDUE_WINDOW bytes in a row of secret[secret_length] are anywhere in
 * memory[length], at any alignment. Windows that are nearly all zero do not count: they are
 * everywhere. */
bool residue_contains(const uint8_t *memory, size_t length, const uint8_t *secret,
                      size_t secret_length);

#endif
