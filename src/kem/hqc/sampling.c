/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Drawing ring elements and positions from an extendable-output function [HQC, 5]. */
#include "hqc/sampling.h"

#include <stdbool.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "sparse/sparse.h"

/* Makes a ring element in place of its ring->bytes bytes, of which unused bits are dropped. */
static void element_from_bytes(const struct gf2x_ring *ring, uint64_t *out) {
  const uint8_t *bytes = (const uint8_t *)out;

  /* For the proof of memory safety: what has values already needs no unrolling. */
  //@ loop unroll 0;
  for (size_t i = 0; i < ring->words; i++) {
    out[i] = load_le64(bytes + 8 * i);
  }
  out[ring->words - 1] &= (UINT64_C(1) << (ring->r_bits % 64)) - 1;
}

void ckem_hqc_sample_uniform(const struct hqc_params *params, struct keccak_sponge *stream,
                             uint64_t *out, struct keccak_task *beside) {
  const struct gf2x_ring *ring = params->ring;

  memset(out, 0, ring->stride * sizeof *out);
  ckem_keccak_squeeze_beside(stream, (uint8_t *)out, ring->bytes, beside);
  element_from_bytes(ring, out);
}

struct keccak_task ckem_hqc_begin_uniform(const struct hqc_params *params,
                                          struct keccak_sponge *stream, uint64_t *out) {
  const struct gf2x_ring *ring = params->ring;

  memset(out, 0, ring->stride * sizeof *out);
  return (struct keccak_task){.sponge = stream, .out = (uint8_t *)out, .length = ring->bytes};
}

void ckem_hqc_end_uniform(const struct hqc_params *params, struct keccak_task *task,
                          uint64_t *out) {
  ckem_keccak_end_task(task);
  element_from_bytes(params->ring, out);
}

/* Returns candidate mod n for candidate < 2^24, without a division. */
static uint32_t reduce(uint32_t n, uint32_t barrett, uint32_t candidate) {
  const uint32_t quotient = (uint32_t)((uint64_t)candidate * barrett >> 32);
  const uint32_t remainder = candidate - quotient * n; /* below 2 n */

  return remainder - (n & ~ct_mask_less_u32(remainder, n));
}

/* Discards what is between length bytes and a multiple of 8. */
static void discard_behind(struct keccak_sponge *stream, size_t length) {
  uint8_t discarded[8];

  ckem_keccak_squeeze(stream, discarded, (8 - length % 8) % 8);
  ckem_secure_wipe(discarded, sizeof discarded);
}

void ckem_hqc_squeeze_rounded(struct keccak_sponge *stream, uint8_t *out, size_t length) {
  ckem_keccak_squeeze(stream, out, length);
  discard_behind(stream, length);
}

/* Squeezes length bytes as the revision does. */
static void squeeze(const struct hqc_variant *variant, struct keccak_sponge *stream, uint8_t *out,
                    size_t length) {
  if (variant->tag_5_0_0) {
    ckem_hqc_squeeze_rounded(stream, out, length);
  } else {
    ckem_keccak_squeeze(stream, out, length);
  }
}

/* Returns the candidate of 24 bits in the first three of four bytes, least significant byte first
 * but for the tag 5.0.0. */
static uint32_t read_candidate(bool tag_5_0_0, const uint8_t *bytes) {
  const uint32_t word = load_le32(bytes);
  const uint32_t reversed = (word & 0xFF) << 16 | (word & 0xFF00) | (word >> 16 & 0xFF);

  return tag_5_0_0 ? reversed : word & 0xFFFFFF;
}

/* Makes positions of as many candidates, whether they are in range or not. Returns a mask: all of
 * them are. */
static uint32_t reduce_all(const struct hqc_variant *variant, uint32_t *positions,
                           const uint8_t *batch, uint32_t count) {
  /* In variables, which no store of positions can change. */
  const uint32_t n = variant->params->ring->r_bits;
  const uint32_t barrett = variant->params->barrett;
  const uint64_t bound = variant->params->sample_bound;
  const bool tag_5_0_0 = variant->tag_5_0_0;
  uint64_t borrows = UINT64_MAX;

  //@ loop unroll 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t candidate = read_candidate(tag_5_0_0, batch + 3 * (size_t)i);
    borrows &= candidate - bound;
    positions[i] = reduce(n, barrett, candidate);
  }
  return ct_mask_bit_u32((uint32_t)(borrows >> 63));
}

size_t ckem_hqc_first_bytes(const struct hqc_variant *variant) {
  const size_t length = 3 * (size_t)variant->params->key_weight;

  return variant->tag_5_0_0 ? (length + 7) / 8 * 8 : length;
}

/* A round fills 98 of 100 places that are left, so that no good stream ever needs as many. */
#define MOST_ROUNDS 100

/* As mark_repeats of struct sparse_ops. */
static void mark_repeats(const struct backend *backend, uint32_t *marks, const uint32_t *positions,
                         uint32_t begin, uint32_t end) {
  if (backend->sparse->mark_repeats != NULL) {
    backend->sparse->mark_repeats(marks, positions, begin, end);
    return;
  }
  //@ loop unroll 0;
  for (uint32_t i = begin; i < end; i++) {
    uint32_t repeated = 0;
    //@ loop unroll 0;
    for (uint32_t j = 0; j < i; j++) {
      const uint32_t difference = positions[i] ^ positions[j];
      repeated |= (difference - 1) & ~difference; /* top bit: the difference is 0 */
    }
    marks[i] = repeated;
  }
}

bool ckem_hqc_sample_rejection(const struct hqc_variant *variant, const struct backend *backend,
                               struct keccak_sponge *stream, uint32_t *positions) {
  return ckem_hqc_sample_rejection_beside(variant, backend, stream, positions, NULL);
}

bool ckem_hqc_sample_rejection_beside(const struct hqc_variant *variant,
                                      const struct backend *backend, struct keccak_sponge *stream,
                                      uint32_t *positions, struct keccak_task *beside) {
  uint8_t first[HQC_MAX_FIRST_BYTES];

  ckem_keccak_squeeze_beside(stream, first, ckem_hqc_first_bytes(variant), beside);
  const bool good = ckem_hqc_sample_rejection_from(variant, backend, stream, first, positions);
  ckem_secure_wipe(first, sizeof first);
  return good;
}

bool ckem_hqc_sample_rejection_from(const struct hqc_variant *variant,
                                    const struct backend *backend, struct keccak_sponge *stream,
                                    const uint8_t *first, uint32_t *positions) {
  const struct hqc_params *params = variant->params;
  const uint32_t weight = params->key_weight;
  /* In variables, which no store into positions can change. */
  const uint32_t n = params->ring->r_bits;
  const uint32_t barrett = params->barrett;
  const uint32_t bound = params->sample_bound;
  const bool tag_5_0_0 = variant->tag_5_0_0;
  uint8_t batch[3 * HQC_MAX_WEIGHT + 1]; /* a candidate is read with the byte behind it */
  uint32_t marks[HQC_MAX_WEIGHT] = {0};
  uint32_t held = 0;

  memset(positions, 0, weight * sizeof *positions);
  memcpy(batch, first, 3 * (size_t)weight);
  batch[3 * (size_t)weight] = 0;
  uint32_t all = reduce_all(variant, positions, batch, weight); /* nearly always they are */
  /* Public: as which of them are in range, below. */
  ct_declassify(&all, sizeof all);
  /* For the proof of memory safety: marks and positions have values, however many of them a round
   * sets, so that it needs neither unrolling nor a state for each number. */
  //@ loop unroll 0;
  for (size_t round = 0; held < weight && round < MOST_ROUNDS; round++) {
    /* Draws only as many candidates as are missing. */
    const uint32_t count = weight - (tag_5_0_0 ? 0 : held);
    uint32_t used = 0;
    if (round > 0) {
      squeeze(variant, stream, batch, 3 * (size_t)count);
    }
    //@ loop unroll 0;
    while (used < count && held < weight) {
      uint32_t end = held;
      /*@ loop unroll 0;
          loop invariant end <= weight; */
      for (; all == 0 && used < count && end < weight; used++) {
        const uint32_t candidate = read_candidate(tag_5_0_0, batch + 3 * used);
        uint32_t small = ct_mask_less_u32(candidate, bound);
        /* Public: which draws were in range says nothing about the values of those that were. */
        ct_declassify(&small, sizeof small);
        if (small != 0) {
          positions[end] = reduce(n, barrett, candidate);
          end += 1;
        }
      }
      if (all != 0) {
        used = count;
        end = weight;
        all = 0;
      }
      mark_repeats(backend, marks, positions, held, end);
      uint32_t any = 0; /* seldom */
      //@ loop unroll 0;
      for (uint32_t i = held; i < end; i++) {
        any |= marks[i] >> 31;
      }
      /* Public: as which of them are, below. */
      ct_declassify(&any, sizeof any);
      if (any == 0) {
        held = end;
      }
      //@ loop unroll 0;
      for (uint32_t i = held; i < end && held < end; i++) {
        uint32_t repeated = marks[i] >> 31;
        /* Public: nor does which of them were repeats. */
        ct_declassify(&repeated, sizeof repeated);
        if (repeated == 0) {
          positions[held] = positions[i];
          held += 1;
        }
      }
    }
  }
  ckem_secure_wipe(batch, sizeof batch);
  const bool good = held == weight;
  for (; held < weight; held++) {
    positions[held] = 0;
  }
  return good;
}

void ckem_hqc_sample_fixed(const struct hqc_variant *variant, const struct backend *backend,
                           struct keccak_sponge *stream, uint32_t *positions,
                           struct keccak_task *beside) {
  const size_t length = 4 * (size_t)variant->params->error_weight;

  ckem_keccak_squeeze_beside(stream, (uint8_t *)positions, length, beside);
  if (variant->tag_5_0_0) {
    discard_behind(stream, length);
  }
  ckem_hqc_pick_fixed(variant, backend, positions);
}

void ckem_hqc_pick_fixed(const struct hqc_variant *variant, const struct backend *backend,
                         uint32_t *positions) {
  const uint32_t count = variant->params->error_weight;
  const uint8_t *bytes = (const uint8_t *)positions;

  for (size_t i = 0; i < count; i++) {
    positions[i] = load_le32(bytes + 4 * i);
  }
  backend->sparse->pick_distinct(positions, positions, count, variant->params->ring->r_bits);
}

/* --- Side by side ----------------------------------------------------------------------------- */

void ckem_hqc_sample_uniform_many(const struct hqc_params *params, struct keccak_many *streams,
                                  uint64_t *const out[]) {
  const struct gf2x_ring *ring = params->ring;
  uint8_t *bytes[KECCAK_MAX_WIDTH] = {NULL};

  for (size_t i = 0; i < streams->count; i++) {
    memset(out[i], 0, ring->stride * sizeof *out[i]);
    bytes[i] = (uint8_t *)out[i];
  }
  ckem_keccak_many_squeeze(streams, bytes, ring->bytes);
  for (size_t i = 0; i < streams->count; i++) {
    element_from_bytes(ring, out[i]);
  }
}

void ckem_hqc_draw_fixed_many(const struct hqc_variant *variant, struct keccak_many *streams,
                              uint32_t *const words[]) {
  const size_t length = 4 * (size_t)variant->params->error_weight;
  uint8_t *bytes[KECCAK_MAX_WIDTH] = {NULL};
  uint8_t discarded[KECCAK_MAX_WIDTH][8];

  for (size_t i = 0; i < streams->count; i++) {
    bytes[i] = (uint8_t *)words[i];
  }
  ckem_keccak_many_squeeze(streams, bytes, length);
  if (variant->tag_5_0_0) {
    for (size_t i = 0; i < streams->count; i++) {
      bytes[i] = discarded[i];
    }
    ckem_keccak_many_squeeze(streams, bytes, (8 - length % 8) % 8);
    ckem_secure_wipe(discarded, sizeof discarded);
  }
}
