/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Recurrences as in the textbook, with a division in each step. Not constant time. */
#include <string.h>

#include "recurrence/recurrence.h"

static uint64_t find_reference(const struct gf2m_field *field, uint16_t *connection,
                               const uint16_t *sequence, size_t length, uint64_t *scratch) {
  uint16_t previous[RECURRENCE_MAX_LENGTH + 1] = {0, 1};
  uint16_t saved[RECURRENCE_MAX_LENGTH + 1];
  uint16_t divisor = 1;
  size_t found = 0;

  (void)scratch;
  memset(connection, 0, (length + 1) * sizeof *connection);
  connection[0] = 1;
  for (size_t n = 0; n < 2 * length; n++) {
    uint16_t discrepancy = 0;

    for (size_t i = 0; i <= n && i <= length; i++) {
      discrepancy ^= ckem_gf2m_multiply(field, connection[i], sequence[n - i]);
    }
    const uint16_t factor =
        ckem_gf2m_multiply(field, discrepancy, ckem_gf2m_inverse(field, divisor));
    memcpy(saved, connection, (length + 1) * sizeof *saved);
    for (size_t i = 0; i <= length; i++) {
      connection[i] ^= ckem_gf2m_multiply(field, factor, previous[i]);
    }
    if (discrepancy != 0 && 2 * found <= n) {
      found = n + 1 - found;
      divisor = discrepancy;
      memcpy(previous, saved, (length + 1) * sizeof *saved);
    }
    memmove(previous + 1, previous, length * sizeof *previous);
    previous[0] = 0;
  }
  return found == length ? ~UINT64_C(0) : 0;
}

static void power_sequence_reference(const struct gf2m_field *field,
                                     const struct recurrence_ring *ring, uint16_t *sequence,
                                     const uint16_t *beta, uint64_t *scratch) {
  const size_t length = ring->length;
  uint16_t power[RECURRENCE_MAX_LENGTH] = {1};

  (void)scratch;
  for (size_t n = 0; n < 2 * length; n++) {
    uint16_t product[2 * RECURRENCE_MAX_LENGTH] = {0};

    sequence[n] = power[0];
    for (size_t i = 0; i < length; i++) {
      for (size_t j = 0; j < length; j++) {
        product[i + j] ^= ckem_gf2m_multiply(field, power[i], beta[j]);
      }
    }
    for (size_t i = 2 * length - 2; i >= length; i--) {
      for (size_t j = 0; j < ring->terms; j++) {
        product[i - length + ring->low[j]] ^=
            ckem_gf2m_multiply(field, product[i], ring->low_value[j]);
      }
    }
    memcpy(power, product, length * sizeof *power);
  }
}

const struct recurrence_ops ckem_recurrence_reference = {
    .name = "reference",
    .find = find_reference,
    .power_sequence = power_sequence_reference,
};
