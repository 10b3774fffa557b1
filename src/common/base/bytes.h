/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Little-endian loads and stores that work on every processor, and outputs after a failure. */
#ifndef CODEKEM_BASE_BYTES_H
#define CODEKEM_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t load_le32(const uint8_t *in) {
  return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

static inline void store_le32(uint8_t *out, uint32_t x) {
  for (size_t i = 0; i < 4; i++) {
    out[i] = (uint8_t)(x >> (8 * i));
  }
}

static inline uint64_t load_le64(const uint8_t *in) {
  return (uint64_t)load_le32(in) | (uint64_t)load_le32(in + 4) << 32;
}

static inline void store_le64(uint8_t *out, uint64_t x) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  memcpy(out, &x, sizeof x); /* gcc 12 compiles a loop over the lines below to a long shuffle */
#else
  store_le32(out, (uint32_t)x);
  store_le32(out + 4, (uint32_t)(x >> 32));
#endif
}

/* Zeroes an output after a failure; out may be NULL. */
static inline void clear_output(void *out, size_t length) {
  if (out != NULL) {
    memset(out, 0, length);
  }
}

#endif
