/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* As oqs/sha3.h here. */
#ifndef CODEKEM_TESTS_OQS_RAND_H
#define CODEKEM_TESTS_OQS_RAND_H

#include <stddef.h>
#include <stdint.h>

void OQS_randombytes(uint8_t *out, size_t length);

#endif
