/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* memcpy, memmove and memset by words where both sides allow it: picolibc's go byte by byte. Timing
 * depends on addresses and lengths alone. */
#include <stddef.h>
#include <stdint.h>

/* A word of anything. */
typedef uint32_t __attribute__((may_alias)) word;

/* The compiler must not find these functions in these loops. */
#define AS_WRITTEN __attribute__((optimize("no-tree-loop-distribute-patterns")))

void *memcpy(void *restrict to, const void *restrict from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int value, size_t length);

AS_WRITTEN void *memcpy(void *restrict to, const void *restrict from, size_t length) {
  uint8_t *next = to;
  const uint8_t *source = from;

  if ((((uintptr_t)next ^ (uintptr_t)source) & 3) == 0) {
    for (; length > 0 && ((uintptr_t)next & 3) != 0; length--) {
      *next++ = *source++;
    }
    for (; length >= 16; length -= 16, next += 16, source += 16) {
      const word *in = (const word *)(const void *)source;
      word *out = (word *)(void *)next;
      const word a = in[0], b = in[1], c = in[2], d = in[3];
      out[0] = a;
      out[1] = b;
      out[2] = c;
      out[3] = d;
    }
  }
  for (; length > 0; length--) {
    *next++ = *source++;
  }
  return to;
}

AS_WRITTEN void *memmove(void *to, const void *from, size_t length) {
  uint8_t *next = to;
  const uint8_t *source = from;

  if ((uintptr_t)next - (uintptr_t)source >= length) { /* what memcpy reads is still there */
    return memcpy(to, from, length);
  }
  while (length-- > 0) {
    next[length] = source[length];
  }
  return to;
}

AS_WRITTEN void *memset(void *to, int value, size_t length) {
  uint8_t *next = to;
  const word pattern = (uint8_t)value * 0x01010101u;

  for (; length > 0 && ((uintptr_t)next & 3) != 0; length--) {
    *next++ = (uint8_t)value;
  }
  for (; length >= 16; length -= 16, next += 16) {
    word *out = (word *)(void *)next;
    out[0] = pattern;
    out[1] = pattern;
    out[2] = pattern;
    out[3] = pattern;
  }
  for (; length > 0; length--) {
    *next++ = (uint8_t)value;
  }
  return to;
}
