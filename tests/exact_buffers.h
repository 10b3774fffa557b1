/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What programs that answer lines of standard input share (hybrid_check, mceliece_check): buffers
 * of exactly the lengths needed, so that sanitizers see what is beyond them, and bytes in and out.
 * PROGRAM is the name for messages, defined before this is included.
 */
#ifndef CODEKEM_TESTS_EXACT_BUFFERS_H
#define CODEKEM_TESTS_EXACT_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem.h"

static inline _Noreturn void fail(const char *what) {
  fprintf(stderr, PROGRAM ": %s\n", what);
  exit(1);
}

static inline uint8_t *allocate(size_t length) {
  uint8_t *memory = malloc(length);

  if (memory == NULL && length > 0) {
    fail("out of memory");
  }
  return memory;
}

static inline uint8_t *get(size_t length) {
  uint8_t *bytes = allocate(length);

  if (length > 0 && fread(bytes, 1, length, stdin) != length) {
    fail("the input ends too early");
  }
  return bytes;
}

static inline void put(const void *bytes, size_t length) {
  if (length > 0 && fwrite(bytes, 1, length, stdout) != length) {
    fail("cannot write");
  }
}

static inline void put_status(codekem_status status) {
  const uint8_t byte = (uint8_t)status;

  put(&byte, 1);
}

/* Writes numbers of 32 bits, little-endian. */
static inline void put_numbers(const size_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const uint8_t byte = (uint8_t)(numbers[i] >> shift);
      put(&byte, 1);
    }
  }
}

/* Writes an output and frees it. */
static inline void give(uint8_t *bytes, size_t length) {
  put(bytes, length);
  free(bytes);
}

/* What is left of the randomness that a line brings; draw() is the source that gives it. */
struct stream {
  const uint8_t *bytes;
  size_t length;
};

static inline bool draw(void *context, uint8_t *out, size_t length) {
  struct stream *stream = context;

  if (length > stream->length) {
    return false;
  }
  memcpy(out, stream->bytes, length);
  stream->bytes += length;
  stream->length -= length;
  return true;
}

#endif
