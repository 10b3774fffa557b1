/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Linear recurrences over GF(2^12) and GF(2^13): the shortest one of a sequence (Berlekamp and
 * Massey), and sequences whose recurrence is a minimal polynomial.
 *
 * Everything is secret but the field and lengths, on which timing depends; the reference is not
 * constant time.
 */
#ifndef CODEKEM_RECURRENCE_RECURRENCE_H
#define CODEKEM_RECURRENCE_RECURRENCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/backend.h"
#include "base/isa.h"
#include "gf2m/gf2m.h"

#define RECURRENCE_MAX_LENGTH 128

/* Memory of a search and of a sequence of powers. With AVX2 the tables of beta take 16 KiB. */
#if defined(CODEKEM_HAVE_AVX2)
#define RECURRENCE_FIND_WORDS 416
#define RECURRENCE_POWERS_WORDS 2304
#else
#define RECURRENCE_FIND_WORDS 96
#define RECURRENCE_POWERS_WORDS 96
#endif

/* GF(q)[y] modulo y^length + the sum of low_value[i] y^low[i], i < terms; length is from 64 to
 * RECURRENCE_MAX_LENGTH. */
struct recurrence_ring {
  uint32_t length;
  uint8_t terms;
  uint8_t low[4];
  uint8_t low_value[4];
};

/* One implementation. */
struct recurrence_ops {
  const char *name;

  /* Finds the shortest recurrence of sequence[2 length]: the sum of connection[i] sequence[n - i]
   * over i <= length is 0 for length <= n < 2 length. connection[length + 1] has an arbitrary
   * factor; connection[0] is not 0. Returns a mask: the recurrence is as long as length. If it is
   * longer, connection says nothing. length is from 64 to RECURRENCE_MAX_LENGTH. scratch:
   * RECURRENCE_FIND_WORDS, aligned to 64 bytes. */
  uint64_t (*find)(const struct gf2m_field *field, uint16_t *connection, const uint16_t *sequence,
                   size_t length, uint64_t *scratch);

  /* Sets sequence[i], i < 2 length, to the coefficient of y^0 of beta^i. Its shortest recurrence is
   * that of the minimal polynomial of beta if the ring is a field. Bits of beta[length] from the
   * field's degree on must be 0. scratch: RECURRENCE_POWERS_WORDS, aligned to 64 bytes. */
  void (*power_sequence)(const struct gf2m_field *field, const struct recurrence_ring *ring,
                         uint16_t *sequence, const uint16_t *beta, uint64_t *scratch);
};

/* Returns the implementation for a back end; the portable one where it has none of its own. */
const struct recurrence_ops *ckem_recurrence_ops_of(const struct backend *backend);

extern const struct recurrence_ops ckem_recurrence_reference;
extern const struct recurrence_ops ckem_recurrence_portable;
extern const struct recurrence_ops ckem_recurrence_avx2;
extern const struct recurrence_ops ckem_recurrence_avx512;
extern const struct recurrence_ops ckem_recurrence_neon;

#endif
