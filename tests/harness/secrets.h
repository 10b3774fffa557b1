/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Marking memory as secret for the two checkers: valgrind's memcheck and clang's MemorySanitizer.
 *
 * Both report a branch or an address that depends on an undefined value. Secrets are declared
 * undefined, so what they report is a dependence of time on a secret.
 */
#ifndef CODEKEM_TESTS_HARNESS_SECRETS_H
#define CODEKEM_TESTS_HARNESS_SECRETS_H

#include <stdbool.h>
#include <stddef.h>

/* From here on, a branch or an address must not depend on buffer[length]. */
void mark_secret(void *buffer, size_t length);

/* From here on, buffer[length] is public. */
void mark_public(void *buffer, size_t length);

/* Returns the number of bytes in buffer[length] that hold a secret bit. */
size_t count_secret_bytes(const void *buffer, size_t length);

/* Returns true if a checker watches this process; false in an ordinary run. */
bool checker_is_running(void);

#endif
