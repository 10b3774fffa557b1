/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Inverses and syndromes of HQC with AVX-512, with what they are in the field of the standard. */
#include "hqc/codes_avx512.c"

ISA_BEGIN_AVX512

void unit_invert(uint8_t *out, const uint8_t *in) {
  _mm512_storeu_si512(out, from_aes(invert(to_aes(_mm512_loadu_si512(in)))));
}

void unit_invert_half(uint8_t *out, const uint8_t *in) {
  const half x = _mm256_loadu_si256((const half *)(const void *)in);
  const half inverse = invert_half(_mm512_castsi512_si256(to_aes(_mm512_zextsi256_si512(x))));

  _mm256_storeu_si256((half *)(void *)out,
                      _mm512_castsi512_si256(from_aes(_mm512_zextsi256_si512(inverse))));
}

/* out[2][64]: the syndromes, and the same from last to first. */
void unit_syndromes(const struct reed_solomon *code, uint8_t *out, const uint8_t *received) {
  struct decoder d;

  memset(&d, 0, sizeof d);
  memcpy(d.received[0], received, code->length);
  for (size_t i = 0; i < 2; i++) {
    _mm512_storeu_si512(d.received[i], to_aes(_mm512_loadu_si512(d.received[i])));
  }
  compute_syndromes_avx512(code, &d);
  _mm512_storeu_si512(out, from_aes(_mm512_loadu_si512(d.syndromes + LOCATOR_BYTES)));
  _mm512_storeu_si512(out + 64, from_aes(_mm512_loadu_si512(d.reversed)));
}

ISA_END
