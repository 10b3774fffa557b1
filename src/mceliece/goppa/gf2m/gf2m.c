/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Single elements of GF(2^m), and which implementation of vectors a back end has. */
#include "gf2m/gf2m.h"

#include "base/ct.h"

uint16_t ckem_gf2m_point(const struct gf2m_field *field, uint32_t i) {
  uint32_t reversed = i;

  reversed = (reversed & 0x5555) << 1 | (reversed >> 1 & 0x5555);
  reversed = (reversed & 0x3333) << 2 | (reversed >> 2 & 0x3333);
  reversed = (reversed & 0x0F0F) << 4 | (reversed >> 4 & 0x0F0F);
  reversed = (reversed & 0x00FF) << 8 | (reversed >> 8 & 0x00FF);
  return (uint16_t)(reversed >> (16 - field->degree));
}

uint16_t ckem_gf2m_multiply(const struct gf2m_field *field, uint16_t a, uint16_t b) {
  const unsigned m = field->degree;
  uint32_t product = 0;

  for (unsigned i = 0; i < m; i++) {
    product ^= (uint32_t)a << i & ct_mask_bit_u32((uint32_t)b >> i);
  }
  for (unsigned i = 2 * m - 2; i >= m; i--) {
    product ^= field->modulus << (i - m) & ct_mask_bit_u32(product >> i);
  }
  return (uint16_t)product;
}

uint16_t ckem_gf2m_inverse(const struct gf2m_field *field, uint16_t a) {
  uint16_t power = a;  /* a^(2^i - 1) */

  for (unsigned i = 1; i < field->degree - 1; i++) {
    power = ckem_gf2m_multiply(field, ckem_gf2m_multiply(field, power, power), a);
  }
  return ckem_gf2m_multiply(field, power, power);
}

#define BACKEND(id, name, supported, gf2x, keccak, sparse, goppa, ...) \
  BACKEND_TAKES(BACKEND_##id, ckem_gf2m_##goppa)

const struct gf2m_ops *ckem_gf2m_ops_of(const struct backend *backend) {
  switch (backend->id) {
    BACKEND_OTHERWISE(ckem_gf2m_portable)
#include "backend.def"
  }
}
