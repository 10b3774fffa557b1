/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Marking memory as secret for the two checkers: valgrind's memcheck and clang's
 * MemorySanitizer. */
#include "secrets.h"

#if defined(CODEKEM_CHECK_VALGRIND)

#include <valgrind/memcheck.h>

void mark_secret(void *buffer, size_t length) {
  (void)VALGRIND_MAKE_MEM_UNDEFINED(buffer, length);
}

void mark_public(void *buffer, size_t length) {
  (void)VALGRIND_MAKE_MEM_DEFINED(buffer, length);
}

static bool byte_is_secret(const unsigned char *byte) {
  unsigned char undefined_bits = 0;

  /* 1: the bits were copied; anything else means that the byte cannot be looked at. */
  return VALGRIND_GET_VBITS(byte, &undefined_bits, 1) == 1 && undefined_bits != 0;
}

bool checker_is_running(void) {
  return RUNNING_ON_VALGRIND != 0;
}

#elif defined(CODEKEM_CHECK_MSAN)

#include <sanitizer/msan_interface.h>

void mark_secret(void *buffer, size_t length) {
  __msan_allocated_memory(buffer, length);
}

void mark_public(void *buffer, size_t length) {
  __msan_unpoison(buffer, length);
}

static bool byte_is_secret(const unsigned char *byte) {
  /* The index of the first byte with a poisoned bit, -1 if there is none. */
  return __msan_test_shadow(byte, 1) == 0;
}

bool checker_is_running(void) {
  return true;
}

#else
#error "build with CODEKEM_CHECK=valgrind or CODEKEM_CHECK=msan"
#endif

size_t count_secret_bytes(const void *buffer, size_t length) {
  const unsigned char *bytes = buffer;
  size_t count = 0;

  for (size_t i = 0; i < length; i++) {
    count += byte_is_secret(bytes + i);
  }
  return count;
}
