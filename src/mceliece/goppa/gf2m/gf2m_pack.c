/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Between numbers and planes: four transposes of 16 x 16 bits in sixteen words. */
#include "gf2m/gf2m_pack.h"

/* Swaps bit i of 16 of word k with bit k of 16 of word i, for each of the four parts of words. */
static void transpose(uint64_t x[16]) {
  static const uint64_t masks[4] = {0x00FF00FF00FF00FF, 0x0F0F0F0F0F0F0F0F, 0x3333333333333333,
                                    0x5555555555555555};

  for (unsigned round = 0; round < 4; round++) {
    const unsigned j = 8U >> round;
    for (unsigned k = 0; k < 16; k++) {
      if ((k & j) == 0) {
        const uint64_t t = (x[k] >> j ^ x[k + j]) & masks[round];
        x[k + j] ^= t;
        x[k] ^= t << j;
      }
    }
  }
}

void ckem_gf2m_pack_words(const struct gf2m_field *field, uint64_t *out, const uint16_t *in,
                          size_t count) {
  for (size_t word = 0; word < (count + 511) / 512 * 8; word++) {
    uint64_t *to = out + word / 8 * GF2M_BLOCK_WORDS(field->degree) + word % 8;
    uint64_t x[16] = {0};
    for (size_t e = 0; e < 64 && 64 * word + e < count; e++) {
      x[e % 16] |= (uint64_t)in[64 * word + e] << e / 16 * 16;
    }
    transpose(x);
    for (unsigned b = 0; b < field->degree; b++) {
      to[(size_t)b * GF2M_PLANE_WORDS] = x[b];
    }
  }
}

void ckem_gf2m_unpack_words(const struct gf2m_field *field, uint16_t *out, const uint64_t *in,
                            size_t count) {
  for (size_t word = 0; 64 * word < count; word++) {
    const uint64_t *from = in + word / 8 * GF2M_BLOCK_WORDS(field->degree) + word % 8;
    uint64_t x[16] = {0};
    for (unsigned b = 0; b < field->degree; b++) {
      x[b] = from[(size_t)b * GF2M_PLANE_WORDS];
    }
    transpose(x);
    for (size_t e = 0; e < 64 && 64 * word + e < count; e++) {
      out[64 * word + e] = (uint16_t)(x[e % 16] >> e / 16 * 16);
    }
  }
}
