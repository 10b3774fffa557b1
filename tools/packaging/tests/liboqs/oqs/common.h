/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* As oqs/sha3.h here. */
#ifndef CODEKEM_TESTS_OQS_COMMON_H
#define CODEKEM_TESTS_OQS_COMMON_H

#include <stddef.h>

typedef enum { OQS_ERROR = -1, OQS_SUCCESS = 0 } OQS_STATUS;

void *OQS_MEM_aligned_alloc(size_t alignment, size_t size);
void OQS_MEM_aligned_free(void *memory);

#endif
