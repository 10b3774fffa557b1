/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Erasing secrets. */
#ifndef CODEKEM_BASE_WIPE_H
#define CODEKEM_BASE_WIPE_H

#include <stddef.h>

/* Overwrites buffer[length] with zeros; the compiler cannot drop it. */
void secure_wipe(void *buffer, size_t length);

#endif
