/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Marks what the functions of a back end put out as secret again; for MemorySanitizer.
 *
 * MemorySanitizer follows undefined bits through a sum, a difference or a product position by
 * position, without carries. So it forgets them in the upper half of a product, which the sampler
 * uses, and in a mask made from a borrow. All outputs of a back end are secret by contract: here
 * they get their marks back, and each function is checked with inputs that are secret throughout.
 *
 * The linker puts this in front of ckem_backend_in_use (--wrap).
 */
#include "backends.h"
#include "bike/counters.h"
#include "gf2x/gf2x.h"
#include "hqc/codes.h"
#include "secrets.h"
#include "sparse/sparse.h"

const struct backend *__real_ckem_backend_in_use(void);
const struct backend *__wrap_ckem_backend_in_use(void);
const struct bike_counters *__real_ckem_bike_counters_of(const struct backend *backend);
const struct bike_counters *__wrap_ckem_bike_counters_of(const struct backend *backend);
const struct hqc_codes *__real_ckem_hqc_codes_of(const struct backend *backend);
const struct hqc_codes *__wrap_ckem_hqc_codes_of(const struct backend *backend);

/* The back end that is checked. */
static const struct backend *real;

static void mark_element(const struct gf2x_ring *ring, uint64_t *element) {
  /* Not the padding above r: it is zero, and may be known to be. */
  mark_secret(element, ring->r_bits / 64 * sizeof *element);
}

static void marked_mul(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                       const uint64_t *b, uint64_t *scratch) {
  real->gf2x->mul(ring, out, a, b, scratch);
  mark_element(ring, out);
}

static void marked_mul_add(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                           const uint64_t *b0, const uint64_t *a1, const uint64_t *b1,
                           uint64_t *scratch) {
  real->gf2x->mul_add(ring, out, a0, b0, a1, b1, scratch);
  mark_element(ring, out);
}

static void marked_square_times(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                                uint32_t k, uint64_t *scratch) {
  real->gf2x->square_times(ring, out, a, k, scratch);
  mark_element(ring, out);
}

static uint32_t marked_weight(const struct gf2x_ring *ring, const uint64_t *a) {
  uint32_t result = real->gf2x->weight(ring, a);

  mark_secret(&result, sizeof result);
  return result;
}

static void marked_pick_distinct(uint32_t *positions, const uint32_t *words, size_t count,
                                 uint32_t length) {
  real->sparse->pick_distinct(positions, words, count, length);
  mark_secret(positions, count * sizeof *positions);
}

static void marked_set_positions(const struct gf2x_ring *ring, uint64_t *out,
                                 const uint32_t *positions, size_t count, uint32_t first) {
  real->sparse->set_positions(ring, out, positions, count, first);
  mark_element(ring, out);
}

static void marked_count_unsatisfied(const struct gf2x_ring *ring, uint64_t *reached,
                                     uint32_t threshold, uint64_t *reached_low,
                                     uint32_t threshold_low, const uint64_t *syndrome,
                                     const uint32_t *support, size_t count, uint64_t *scratch) {
  mark_secret(&threshold, sizeof threshold);
  mark_secret(&threshold_low, sizeof threshold_low);
  __real_ckem_bike_counters_of(real)->count_unsatisfied(
      ring, reached, threshold, reached_low, threshold_low, syndrome, support, count, scratch);
  mark_element(ring, reached);
  if (reached_low != NULL) {
    mark_element(ring, reached_low);
  }
}

static void marked_reed_muller_decode(uint8_t *symbols, const uint64_t *in, size_t count,
                                      size_t copies) {
  __real_ckem_hqc_codes_of(real)->reed_muller_decode(symbols, in, count, copies);
  mark_secret(symbols, count);
}

static void marked_reed_solomon_encode(const struct reed_solomon *code, uint8_t *codeword,
                                       const uint8_t *message) {
  __real_ckem_hqc_codes_of(real)->reed_solomon_encode(code, codeword, message);
  mark_secret(codeword, code->length);
}

static void marked_reed_solomon_decode(const struct reed_solomon *code, uint8_t *message,
                                       const uint8_t *received) {
  __real_ckem_hqc_codes_of(real)->reed_solomon_decode(code, message, received);
  mark_secret(message, code->message_bytes);
}

const struct bike_counters *__wrap_ckem_bike_counters_of(const struct backend *backend) {
  static struct bike_counters bike;

  bike = *__real_ckem_bike_counters_of(backend);
  bike.count_unsatisfied = marked_count_unsatisfied;
  return &bike;
}

const struct hqc_codes *__wrap_ckem_hqc_codes_of(const struct backend *backend) {
  static struct hqc_codes hqc;

  hqc = *__real_ckem_hqc_codes_of(backend);
  hqc.reed_muller_decode = marked_reed_muller_decode;
  hqc.reed_solomon_encode = marked_reed_solomon_encode;
  hqc.reed_solomon_decode = marked_reed_solomon_decode;
  return &hqc;
}

const struct backend *__wrap_ckem_backend_in_use(void) {
  static struct gf2x_ops gf2x;
  static struct sparse_ops sparse;
  static struct backend marking;

  real = __real_ckem_backend_in_use();
  if (real == NULL) {
    return NULL;
  }
  marking = *real;
  gf2x = *real->gf2x;
  gf2x.mul = marked_mul;
  gf2x.mul_add = marked_mul_add;
  gf2x.square_times = marked_square_times;
  gf2x.weight = marked_weight;
  marking.gf2x = &gf2x;
  sparse = *real->sparse;
  sparse.pick_distinct = marked_pick_distinct;
  sparse.set_positions = marked_set_positions;
  marking.sparse = &sparse;
  return &marking;
}
