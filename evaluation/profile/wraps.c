/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Puts the accounting of parts.h around the functions of the library.
 *
 * Nothing in the library knows of this. The functions of a back end are reached through pointers,
 * so a back end of wrapped functions stands in for the real one; the linker (--wrap) puts the other
 * functions below in front of those of the library wherever one file calls into another.
 */
#include "wraps.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "backends.h"
#include "base/wipe.h"
#include "bike/counters.h"
#include "bike/decoder.h"
#include "bike/sampling.h"
#include "gf2x/gf2x.h"
#include "hqc/codes.h"
#include "hqc/reed_muller.h"
#include "hqc/sampling.h"
#include "keccak/keccak.h"
#include "parts.h"
#include "sparse/sparse.h"

/* --- Whose hash is this? ---------------------------------------------------------------------- */

/* What runs. The parts of the sponges follow from the order in which they are started. */
static struct profiled_operation running;
static unsigned sha3_started; /* sponges of SHA-3, so far, in this operation */

/* The sponges of this operation; addresses are used again, so the newest entry counts. */
#define MAX_SPONGES 16
static struct {
  const struct keccak_sponge *sponge;
  enum part part;
} sponges[MAX_SPONGES];
static unsigned sponge_count;

/* Parts for which the two states of permute_pair work; set around calls that use it. */
static enum part pair[2];
static bool pair_is_set;

void wraps_begin(const struct profiled_operation *operation) {
  running = *operation;
  sha3_started = 0;
  sponge_count = 0;
  pair_is_set = false;
}

static bool in_keypair(void) {
  return running.operation == OPERATION_KEYPAIR;
}

/* The part that draws sparse elements. */
static enum part sparse_part(void) {
  if (running.scheme == SCHEME_HQC) {
    return PART_SAMPLING;
  }
  return in_keypair() ? PART_PRNG : PART_H;
}

/* The part of the hash that is started as number `index` of those with SHA-3 [BIKE, S4 and S10]. */
static enum part bike_hash_part(unsigned index) {
  static const enum part plain[] = {PART_L, PART_K};
  static const enum part bound_encaps[] = {PART_H, PART_L, PART_K};
  static const enum part bound_decaps[] = {PART_L, PART_H, PART_K};

  if (!running.binds_public_key) {
    assert(index < 2);
    return plain[index];
  }
  assert(index < 3);
  return running.operation == OPERATION_ENCAPS ? bound_encaps[index] : bound_decaps[index];
}

/* [HQC, 3]: G and I are SHA3-512; H and J are SHA3-256, and H comes first. */
static enum part hqc_hash_part(size_t rate_bytes, unsigned *started_256) {
  if (rate_bytes == SHA3_512_RATE_BYTES) {
    return in_keypair() ? PART_I : PART_G;
  }
  *started_256 += 1;
  return *started_256 == 1 ? PART_H : PART_J;
}

/* The hash that makes the shared secret, or, in front of it, the stream of a seed. */
static enum part mceliece_sponge_part(void) {
  const bool stream = running.operation == OPERATION_ENCAPS && sponge_count == 0;

  return stream ? PART_XOF : PART_K;
}

static enum part new_sponge_part(size_t rate_bytes, uint8_t suffix) {
  if (running.scheme == SCHEME_MCELIECE) {
    return mceliece_sponge_part();
  }
  if (suffix == KECCAK_SUFFIX_SHAKE) {
    return running.scheme == SCHEME_HQC ? PART_XOF : sparse_part();
  }
  if (running.scheme == SCHEME_HQC) {
    return hqc_hash_part(rate_bytes, &sha3_started);
  }
  return bike_hash_part(sha3_started++);
}

static enum part part_of(const struct keccak_sponge *sponge) {
  for (unsigned i = sponge_count; i-- > 0;) {
    if (sponges[i].sponge == sponge) {
      return sponges[i].part;
    }
  }
  return PART_OTHER;
}

/* --- Functions that one file of the library calls in another ---------------------------------- */

#define WRAP(result, name, ...)      \
  result __real_##name(__VA_ARGS__); \
  result __wrap_##name(__VA_ARGS__); \
  result __wrap_##name(__VA_ARGS__)

WRAP(void, ckem_keccak_init, struct keccak_sponge *sponge, const struct keccak_ops *ops,
     size_t rate_bytes, uint8_t suffix) {
  if (account_is_open()) {
    assert(sponge_count < MAX_SPONGES);
    sponges[sponge_count].sponge = sponge;
    sponges[sponge_count].part = new_sponge_part(rate_bytes, suffix);
    sponge_count += 1;
  }
  account_enter(part_of(sponge), KERNEL_KECCAK);
  __real_ckem_keccak_init(sponge, ops, rate_bytes, suffix);
  account_leave();
}

WRAP(void, ckem_keccak_absorb, struct keccak_sponge *sponge, const uint8_t *data, size_t length) {
  account_enter(part_of(sponge), KERNEL_KECCAK);
  __real_ckem_keccak_absorb(sponge, data, length);
  account_leave();
}

WRAP(void, ckem_keccak_finish, struct keccak_sponge *sponge) {
  account_enter(part_of(sponge), KERNEL_KECCAK);
  __real_ckem_keccak_finish(sponge);
  account_leave();
}

WRAP(void, ckem_keccak_squeeze, struct keccak_sponge *sponge, uint8_t *out, size_t length) {
  /* The word is already there; reading the clock would take longer than the call. */
  if (length <= 8 && sponge->position + length <= sponge->rate_bytes) {
    __real_ckem_keccak_squeeze(sponge, out, length);
    return;
  }
  account_enter(part_of(sponge), KERNEL_KECCAK);
  __real_ckem_keccak_squeeze(sponge, out, length);
  account_leave();
}

WRAP(void, ckem_keccak_absorb_pair, struct keccak_sponge *first, const uint8_t *first_data,
     size_t first_length, struct keccak_sponge *second, const uint8_t *second_data,
     size_t second_length) {
  account_enter(part_of(first), KERNEL_KECCAK);
  pair[0] = part_of(first);
  pair[1] = part_of(second);
  pair_is_set = true;
  __real_ckem_keccak_absorb_pair(first, first_data, first_length, second, second_data,
                                 second_length);
  pair_is_set = false;
  account_leave();
}

WRAP(void, ckem_keccak_squeeze_beside, struct keccak_sponge *sponge, uint8_t *out, size_t length,
     struct keccak_task *task) {
  account_enter(part_of(sponge), KERNEL_KECCAK);
  if (task != NULL) {
    pair[0] = part_of(sponge);
    pair[1] = part_of(task->sponge);
    pair_is_set = true;
  }
  __real_ckem_keccak_squeeze_beside(sponge, out, length, task);
  pair_is_set = false;
  account_leave();
}

WRAP(void, ckem_keccak_end_task, struct keccak_task *task) {
  account_enter(part_of(task->sponge), KERNEL_KECCAK);
  __real_ckem_keccak_end_task(task);
  account_leave();
}

/* Of the keys of Classic McEliece; within keccak.c no other function is wrapped. */
WRAP(void, ckem_shake256, const struct keccak_ops *ops, uint8_t *out, size_t out_length,
     const uint8_t *in, size_t length) {
  if (running.scheme != SCHEME_MCELIECE) {
    __real_ckem_shake256(ops, out, out_length, in, length);
    return;
  }
  account_enter(PART_XOF, KERNEL_KECCAK);
  __real_ckem_shake256(ops, out, out_length, in, length);
  account_leave();
}

WRAP(bool, ckem_bike_sample_biased, const struct sparse_ops *ops,
     const struct bike_symmetric *symmetric, struct bike_prf *prf, uint32_t *positions,
     size_t count, uint32_t length) {
  account_enter(sparse_part(), KERNEL_POSITIONS);
  const bool good = __real_ckem_bike_sample_biased(ops, symmetric, prf, positions, count, length);
  account_leave();
  return good;
}

WRAP(bool, ckem_bike_sample_rejection, const struct bike_symmetric *symmetric, struct bike_prf *prf,
     uint32_t *positions, size_t count, uint32_t length) {
  account_enter(sparse_part(), KERNEL_POSITIONS);
  const bool good = __real_ckem_bike_sample_rejection(symmetric, prf, positions, count, length);
  account_leave();
  return good;
}

WRAP(bool, ckem_bike_sample_fixed_draws, const struct bike_symmetric *symmetric,
     struct bike_prf *prf, uint32_t *positions, size_t count, uint32_t length, uint32_t draws) {
  account_enter(sparse_part(), KERNEL_POSITIONS);
  const bool good =
      __real_ckem_bike_sample_fixed_draws(symmetric, prf, positions, count, length, draws);
  account_leave();
  return good;
}

WRAP(void, ckem_bike_decode, const struct bike_params *params, const struct backend *backend,
     uint64_t *const e[2], const uint64_t *c0, const struct bike_decoder_key *key,
     bike_decoder_observer *observer, void *context, struct arena arena) {
  account_enter(PART_DECODING, KERNEL_REST);
  __real_ckem_bike_decode(params, backend, e, c0, key, observer, context, arena);
  account_leave();
}

WRAP(void, ckem_gf2x_invert, const struct gf2x_ops *ops, const struct gf2x_ring *ring,
     uint64_t *out, const uint64_t *a, uint64_t *scratch) {
  account_enter(PART_INVERSION, KERNEL_REST);
  __real_ckem_gf2x_invert(ops, ring, out, a, scratch);
  account_leave();
}

WRAP(void, ckem_gf2x_decode, const struct gf2x_ring *ring, uint64_t *out, const uint8_t *in) {
  account_enter(PART_BYTES, KERNEL_REST);
  __real_ckem_gf2x_decode(ring, out, in);
  account_leave();
}

WRAP(void, ckem_gf2x_encode, const struct gf2x_ring *ring, uint8_t *out, const uint64_t *a) {
  account_enter(PART_BYTES, KERNEL_REST);
  __real_ckem_gf2x_encode(ring, out, a);
  account_leave();
}

WRAP(void, ckem_hqc_sample_uniform, const struct hqc_params *params, struct keccak_sponge *stream,
     uint64_t *out, struct keccak_task *beside) {
  account_enter(PART_XOF, KERNEL_REST);
  __real_ckem_hqc_sample_uniform(params, stream, out, beside);
  account_leave();
}

WRAP(void, ckem_hqc_end_uniform, const struct hqc_params *params, struct keccak_task *task,
     uint64_t *out) {
  account_enter(PART_XOF, KERNEL_REST);
  __real_ckem_hqc_end_uniform(params, task, out);
  account_leave();
}

WRAP(bool, ckem_hqc_sample_rejection_beside, const struct hqc_variant *variant,
     const struct backend *backend, struct keccak_sponge *stream, uint32_t *positions,
     struct keccak_task *beside) {
  account_enter(PART_SAMPLING, KERNEL_POSITIONS);
  const bool good =
      __real_ckem_hqc_sample_rejection_beside(variant, backend, stream, positions, beside);
  account_leave();
  return good;
}

WRAP(void, ckem_hqc_sample_fixed, const struct hqc_variant *variant, const struct backend *backend,
     struct keccak_sponge *stream, uint32_t *positions, struct keccak_task *beside) {
  account_enter(PART_SAMPLING, KERNEL_POSITIONS);
  __real_ckem_hqc_sample_fixed(variant, backend, stream, positions, beside);
  account_leave();
}

WRAP(void, ckem_reed_muller_encode, uint64_t *out, const uint8_t *symbols, size_t count,
     size_t copies) {
  account_enter(PART_REED_MULLER_ENCODING, KERNEL_REST);
  __real_ckem_reed_muller_encode(out, symbols, count, copies);
  account_leave();
}

/* Wiping inside another part is short and belongs to it; the clock would cost more. */
WRAP(void, ckem_secure_wipe, void *buffer, size_t length) {
  if (!account_is_open() || account_owner() != PART_OTHER) {
    __real_ckem_secure_wipe(buffer, length);
    return;
  }
  account_enter(PART_WIPING, KERNEL_REST);
  __real_ckem_secure_wipe(buffer, length);
  account_leave();
}

WRAP(void, ckem_secure_wipe_stack, void) {
  account_enter(PART_WIPING, KERNEL_REST);
  __real_ckem_secure_wipe_stack();
  account_leave();
}

/* --- Functions of a back end ------------------------------------------------------------------ */

const struct bike_counters *__real_ckem_bike_counters_of(const struct backend *backend);
const struct bike_counters *__wrap_ckem_bike_counters_of(const struct backend *backend);
const struct hqc_codes *__real_ckem_hqc_codes_of(const struct backend *backend);
const struct hqc_codes *__wrap_ckem_hqc_codes_of(const struct backend *backend);

static const struct backend *real; /* the back end that is profiled */

static void timed_mul(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                      const uint64_t *b, uint64_t *scratch) {
  account_enter(PART_MULTIPLICATION, KERNEL_PRODUCT);
  real->gf2x->mul(ring, out, a, b, scratch);
  account_leave();
}

static void timed_mul_add(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a0,
                          const uint64_t *b0, const uint64_t *a1, const uint64_t *b1,
                          uint64_t *scratch) {
  account_enter(PART_MULTIPLICATION, KERNEL_PRODUCT);
  real->gf2x->mul_add(ring, out, a0, b0, a1, b1, scratch);
  account_leave();
}

static void timed_square_times(const struct gf2x_ring *ring, uint64_t *out, const uint64_t *a,
                               uint32_t k, uint64_t *scratch) {
  account_enter(PART_MULTIPLICATION, KERNEL_POWER);
  real->gf2x->square_times(ring, out, a, k, scratch);
  account_leave();
}

static uint32_t timed_weight(const struct gf2x_ring *ring, const uint64_t *a) {
  account_enter(PART_OTHER, KERNEL_WEIGHT);
  const uint32_t weight = real->gf2x->weight(ring, a);
  account_leave();
  return weight;
}

static void timed_permute_pair(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  if (!account_is_open() || !pair_is_set) {
    real->keccak->permute_pair(first, second);
    return;
  }
  account_enter_shared();
  real->keccak->permute_pair(first, second);
  account_leave_shared(pair[0], pair[1], KERNEL_KECCAK);
}

static void timed_pick_distinct(uint32_t *positions, const uint32_t *words, size_t count,
                                uint32_t length) {
  account_enter(sparse_part(), KERNEL_POSITIONS);
  real->sparse->pick_distinct(positions, words, count, length);
  account_leave();
}

static void timed_set_positions(const struct gf2x_ring *ring, uint64_t *out,
                                const uint32_t *positions, size_t count, uint32_t first) {
  account_enter(sparse_part(), KERNEL_COEFFICIENTS);
  real->sparse->set_positions(ring, out, positions, count, first);
  account_leave();
}

static void timed_order_support(const struct gf2x_ring *ring, uint32_t *support, size_t weight) {
  account_enter(PART_DECODING, KERNEL_ORDER);
  __real_ckem_bike_counters_of(real)->order_support(ring, support, weight);
  account_leave();
}

static void timed_count_unsatisfied(const struct gf2x_ring *ring, uint64_t *reached,
                                    uint32_t threshold, uint64_t *reached_low,
                                    uint32_t threshold_low, const uint64_t *syndrome,
                                    const uint32_t *support, size_t weight, uint64_t *scratch) {
  account_enter(PART_DECODING, KERNEL_COUNTERS);
  __real_ckem_bike_counters_of(real)->count_unsatisfied(
      ring, reached, threshold, reached_low, threshold_low, syndrome, support, weight, scratch);
  account_leave();
}

static void timed_reed_muller_decode(uint8_t *symbols, const uint64_t *in, size_t count,
                                     size_t copies) {
  account_enter(PART_REED_MULLER_DECODING, KERNEL_REST);
  __real_ckem_hqc_codes_of(real)->reed_muller_decode(symbols, in, count, copies);
  account_leave();
}

static void timed_reed_solomon_encode(const struct reed_solomon *code, uint8_t *codeword,
                                      const uint8_t *message) {
  account_enter(PART_REED_SOLOMON_ENCODING, KERNEL_REST);
  __real_ckem_hqc_codes_of(real)->reed_solomon_encode(code, codeword, message);
  account_leave();
}

static void timed_reed_solomon_decode(const struct reed_solomon *code, uint8_t *message,
                                      const uint8_t *received) {
  account_enter(PART_REED_SOLOMON_DECODING, KERNEL_REST);
  __real_ckem_hqc_codes_of(real)->reed_solomon_decode(code, message, received);
  account_leave();
}

const struct bike_counters *__wrap_ckem_bike_counters_of(const struct backend *backend) {
  const struct bike_counters *ops = __real_ckem_bike_counters_of(backend);
  static struct bike_counters bike;

  if (!account_is_open()) {
    return ops;
  }
  bike = *ops;
  bike.order_support = ops->order_support != NULL ? timed_order_support : NULL;
  bike.count_unsatisfied = timed_count_unsatisfied;
  return &bike;
}

const struct hqc_codes *__wrap_ckem_hqc_codes_of(const struct backend *backend) {
  const struct hqc_codes *ops = __real_ckem_hqc_codes_of(backend);
  static struct hqc_codes hqc;

  if (!account_is_open()) {
    return ops;
  }
  hqc = *ops;
  hqc.reed_muller_decode = timed_reed_muller_decode;
  hqc.reed_solomon_encode = timed_reed_solomon_encode;
  hqc.reed_solomon_decode = timed_reed_solomon_decode;
  return &hqc;
}

const struct backend *__real_ckem_backend_in_use(void);
const struct backend *__wrap_ckem_backend_in_use(void);

const struct backend *__wrap_ckem_backend_in_use(void) {
  static struct gf2x_ops gf2x;
  static struct keccak_ops keccak;
  static struct sparse_ops sparse;
  static struct backend timed;

  real = __real_ckem_backend_in_use();
  if (real == NULL || !account_is_open()) {
    return real;
  }
  timed = *real;
  gf2x = *real->gf2x;
  gf2x.mul = timed_mul;
  gf2x.mul_add = timed_mul_add;
  gf2x.square_times = timed_square_times;
  gf2x.weight = timed_weight;
  timed.gf2x = &gf2x;
  keccak = *real->keccak;
  keccak.permute_pair = timed_permute_pair;
  timed.keccak = &keccak;
  sparse = *real->sparse;
  sparse.pick_distinct = timed_pick_distinct;
  sparse.set_positions = timed_set_positions;
  timed.sparse = &sparse;
  return &timed;
}
