/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Many operations of HQC at once [HQC, 11]: hashing, sampling and expansion of a group side by
 * side, and once what depends on the key alone, where several operations share it. */
#include <assert.h>
#include <string.h>

#include "base/ct.h"
#include "hqc/hashes.h"
#include "hqc/hqc.h"
#include "hqc/hqc_steps.h"
#include "hqc/pke.h"
#include "hqc/sampling.h"

/* What one operation of a group keeps for itself. */
struct lane {
  uint8_t seeds[2 * HQC_SEED_BYTES];
  uint8_t h_ek[HQC_SEED_BYTES];
  uint8_t k_theta[2 * HQC_SEED_BYTES];
  uint8_t message[HQC_MAX_MESSAGE_BYTES]; /* sigma while a key pair is made */
  uint8_t rejected[HQC_SECRET_BYTES];
  uint8_t first[HQC_MAX_FIRST_BYTES]; /* candidates for y */
  uint32_t r2[HQC_MAX_WEIGHT];        /* words, before they become positions */
  uint32_t e[HQC_MAX_WEIGHT];
  uint32_t r1[HQC_MAX_WEIGHT];
};

/* All small values of a group. */
struct lanes {
  struct keccak_many many;
  struct lane lane[HQC_GROUP];
};

static_assert(sizeof(struct lanes) <= 8 * HQC_LANES_WORDS, "memory for a group");

/* The memory of a batch. */
struct hqc_batch {
  struct hqc_memory memory; /* of single operations, which the steps use */
  const struct hqc_params *params;
  struct lanes *lanes;
  uint64_t *h[HQC_GROUP];
  uint64_t *y_memory;
  struct hqc_factor y; /* of the last key that was drawn */
  size_t count;        /* operations of the group */
};

static struct hqc_batch take_batch(const struct hqc_variant *variant, const struct backend *backend,
                                   struct arena arena) {
  const size_t stride = variant->params->ring->stride;
  struct hqc_batch batch = {.params = variant->params};

  batch.lanes = (struct lanes *)(void *)arena_take(&arena, HQC_LANES_WORDS);
  for (size_t i = 0; i < HQC_GROUP; i++) {
    batch.h[i] = arena_take(&arena, stride);
  }
  batch.y_memory = arena_take(&arena, stride);
  batch.memory = ckem_hqc_take_memory(variant, backend, arena);
  return batch;
}

/* Starts a group: as many operations as the back end permutes states at once, or those left. */
static void start_group(struct hqc_batch *batch, size_t left) {
  const struct keccak_ops *keccak = batch->memory.pke.backend->keccak;

  batch->count = left < keccak->width ? left : keccak->width;
  ckem_hqc_start_many(&batch->lanes->many, keccak, batch->count);
}

/* Pointers to one field of each lane. */
#define EACH_LANE(pointers, batch, field)                    \
  for (size_t lane_i = 0; lane_i < HQC_GROUP; lane_i++) {    \
    (pointers)[lane_i] = (batch)->lanes->lane[lane_i].field; \
  }

/* --- Keys ------------------------------------------------------------------------------------- */

/* The sponges of the group draw the first candidates of y and x from seed_dk. */
static void open_secret_streams(struct hqc_batch *batch, const uint8_t *const seed_dk[]) {
  uint8_t *first[HQC_GROUP];

  EACH_LANE(first, batch, first);
  ckem_hqc_xof_open_many(&batch->lanes->many, seed_dk);
  ckem_keccak_many_squeeze(&batch->lanes->many, first,
                           ckem_hqc_first_bytes(batch->memory.pke.variant));
}

/* Draws y of lane i, and leaves the stream behind it in the memory of single operations. Returns
 * false if it is stuck. */
static bool draw_y(struct hqc_batch *batch, size_t i) {
  const struct hqc_pke *pke = &batch->memory.pke;
  uint32_t *positions = batch->memory.secrets->draws.r1;

  ckem_keccak_many_copy_one(&batch->lanes->many, i, pke->stream);
  const bool good = ckem_hqc_sample_rejection_from(pke->variant, pke->backend, pke->stream,
                                                   batch->lanes->lane[i].first, positions);
  batch->y = ckem_hqc_pke_make_factor(pke, batch->y_memory, positions, batch->params->key_weight);
  return good;
}

/* Expands the seeds of the group to h. */
static void expand_many(struct hqc_batch *batch, const uint8_t *const seed_ek[]) {
  ckem_hqc_xof_open_many(&batch->lanes->many, seed_ek);
  ckem_hqc_sample_uniform_many(batch->params, &batch->lanes->many, batch->h);
}

/* KeyGen from the group's seeds, up to s of one after the other. */
static void make_seeds(struct hqc_batch *batch, const uint8_t *const seeds[]) {
  struct keccak_many *many = &batch->lanes->many;
  uint8_t *out[HQC_GROUP];
  const uint8_t *in[HQC_GROUP];

  ckem_hqc_xof_open_many(many, seeds);
  EACH_LANE(out, batch, rejected); /* seed_pke: nothing is rejected here */
  ckem_keccak_many_squeeze(many, out, HQC_SEED_BYTES);
  EACH_LANE(out, batch, message);
  ckem_keccak_many_squeeze(many, out, batch->params->outer_code->message_bytes);
  EACH_LANE(in, batch, rejected);
  EACH_LANE(out, batch, seeds);
  ckem_hqc_hash_i_many(many, out, in);
}

/* Returns false if a stream is stuck. */
static bool make_s(struct hqc_batch *batch, size_t i) {
  const struct hqc_pke *pke = &batch->memory.pke;
  uint32_t *positions = batch->memory.secrets->draws.r1;
  uint64_t *s = batch->h[i]; /* takes the place of h */

  bool good = draw_y(batch, i);
  ckem_hqc_pke_multiply(pke, s, s, batch->y);
  good = ckem_hqc_sample_rejection(pke->variant, pke->backend, pke->stream, positions) && good;
  ckem_hqc_pke_add_ones_at(pke, s, positions, batch->params->key_weight);
  return good;
}

codekem_status ckem_hqc_keypair_batch(const struct kem_call *call, struct arena arena) {
  const struct hqc_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  const size_t count = call->batch.count;
  uint8_t *public_keys = call->out.public_key;
  uint8_t *secret_keys = call->out.secret_key;
  const uint8_t *seeds = call->in.seed;
  const struct hqc_params *params = variant->params;
  const size_t public_bytes = HQC_SEED_BYTES + params->ring->bytes;
  const struct hqc_secret_key_layout layout = ckem_hqc_lay_out_secret_key(params);
  const size_t secret_bytes = layout.seed_kem + HQC_SEED_BYTES;
  struct hqc_batch batch = take_batch(variant, backend, arena);
  const uint8_t *in[HQC_GROUP];
  bool good = true;

  for (size_t first = 0; first < count; first += batch.count) {
    start_group(&batch, count - first);
    for (size_t i = 0; i < batch.count; i++) {
      in[i] = seeds + (first + i) * HQC_SEED_BYTES;
    }
    make_seeds(&batch, in);
    for (size_t i = 0; i < batch.count; i++) {
      in[i] = batch.lanes->lane[i].seeds + HQC_SEED_BYTES;
      /* Public: it is part of the public key. */
      ct_declassify(in[i], HQC_SEED_BYTES);
    }
    expand_many(&batch, in);
    EACH_LANE(in, &batch, seeds);
    open_secret_streams(&batch, in);
    for (size_t i = 0; i < batch.count; i++) {
      const struct lane *lane = &batch.lanes->lane[i];
      uint8_t *public_key = public_keys + (first + i) * public_bytes;
      uint8_t *secret_key = secret_keys + (first + i) * secret_bytes;
      good = make_s(&batch, i) && good;
      memcpy(public_key, lane->seeds + HQC_SEED_BYTES, HQC_SEED_BYTES);
      ckem_gf2x_encode(params->ring, public_key + HQC_SEED_BYTES, batch.h[i]);
      memcpy(secret_key, public_key, public_bytes);
      memcpy(secret_key + layout.dk_pke, lane->seeds, HQC_SEED_BYTES);
      memcpy(secret_key + layout.sigma, lane->message, params->outer_code->message_bytes);
      memcpy(secret_key + layout.seed_kem, seeds + (first + i) * HQC_SEED_BYTES, HQC_SEED_BYTES);
    }
  }
  return good ? CODEKEM_OK : CODEKEM_ERROR_INTERNAL;
}

/* --- What encapsulation and decapsulation share ----------------------------------------------- */

/* H(ek) and h of the group's public keys. With one key for all it is done once for the batch: done
 * says that it has been. */
static void read_public_keys(struct hqc_batch *batch, const uint8_t *const public_keys[],
                             bool one_key, bool done) {
  uint8_t *h_ek[HQC_GROUP];

  EACH_LANE(h_ek, batch, h_ek);
  if (!one_key) {
    ckem_hqc_hash_h_many(&batch->lanes->many, batch->params, h_ek, public_keys);
    expand_many(batch, public_keys);
  } else if (!done) {
    const struct hqc_pke *pke = &batch->memory.pke;
    ckem_hqc_hash_h_and_expand(pke->hash, pke->stream, pke->backend->keccak, batch->params, h_ek[0],
                               batch->h[0], public_keys[0]);
    for (size_t i = 1; i < HQC_GROUP; i++) {
      memcpy(h_ek[i], h_ek[0], HQC_SEED_BYTES);
    }
  }
}

/* K and theta of the group, and what theta gives: the words of r2, e and r1. */
static void draw_many(struct hqc_batch *batch, const uint8_t *const messages[],
                      const uint8_t *const salts[]) {
  const struct hqc_variant *variant = batch->memory.pke.variant;
  struct keccak_many *many = &batch->lanes->many;
  const uint8_t *in[HQC_GROUP];
  uint8_t *out[HQC_GROUP];
  uint32_t *words[HQC_GROUP];

  EACH_LANE(in, batch, h_ek);
  EACH_LANE(out, batch, k_theta);
  ckem_hqc_hash_g_many(many, batch->params, out, in, messages, salts);
  EACH_LANE(in, batch, k_theta + HQC_SEED_BYTES);
  ckem_hqc_xof_open_many(many, in);
  EACH_LANE(words, batch, r2);
  ckem_hqc_draw_fixed_many(variant, many, words);
  EACH_LANE(words, batch, e);
  ckem_hqc_draw_fixed_many(variant, many, words);
  EACH_LANE(words, batch, r1);
  ckem_hqc_draw_fixed_many(variant, many, words);
}

/* Puts h and the draws of lane i where the steps of a single encryption expect them. */
static void take_lane(const struct hqc_batch *batch, size_t i, const uint64_t *h) {
  const struct hqc_pke *pke = &batch->memory.pke;
  struct hqc_draws *draws = &batch->memory.secrets->draws;
  struct lane *lane = &batch->lanes->lane[i];
  const size_t bytes = batch->params->error_weight * sizeof(uint32_t);

  ckem_hqc_pick_fixed(pke->variant, pke->backend, lane->r2);
  draws->r2 = ckem_hqc_pke_make_factor(pke, batch->memory.element[0], lane->r2,
                                       batch->params->error_weight);
  memcpy(draws->e, lane->e, bytes);
  ckem_hqc_pick_fixed(pke->variant, pke->backend, draws->e);
  memcpy(draws->r1, lane->r1, bytes);
  ckem_hqc_pick_fixed(pke->variant, pke->backend, draws->r1);
  memcpy(batch->memory.element[1], h, batch->params->ring->stride * sizeof *h);
}

/* --- Encapsulation ---------------------------------------------------------------------------- */

codekem_status ckem_hqc_encaps_batch(const struct kem_call *call, struct arena arena) {
  const struct hqc_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  const size_t count = call->batch.count;
  uint8_t *ciphertexts = call->out.ciphertext;
  uint8_t *shared_secrets = call->out.shared_secret;
  const uint8_t *public_keys = call->in.public_key;
  const size_t public_key_stride = call->batch.public_key_stride;
  const uint8_t *seeds = call->in.seed;
  const struct hqc_params *params = variant->params;
  const size_t message_bytes = params->outer_code->message_bytes;
  const size_t salt_at = params->ring->bytes + ckem_hqc_code_bytes(params);
  const bool one_key = public_key_stride == 0;
  struct hqc_batch batch = take_batch(variant, backend, arena);
  const uint8_t *keys[HQC_GROUP], *messages[HQC_GROUP], *salts[HQC_GROUP];

  for (size_t first = 0; first < count; first += batch.count) {
    start_group(&batch, count - first);
    for (size_t i = 0; i < batch.count; i++) {
      keys[i] = public_keys + (first + i) * public_key_stride;
      messages[i] = seeds + (first + i) * (message_bytes + HQC_SALT_BYTES);
      salts[i] = messages[i] + message_bytes;
    }
    read_public_keys(&batch, keys, one_key, first != 0);
    draw_many(&batch, messages, salts);
    for (size_t i = 0; i < batch.count; i++) {
      uint8_t *ciphertext = ciphertexts + (first + i) * (salt_at + HQC_SALT_BYTES);
      take_lane(&batch, i, batch.h[one_key ? 0 : i]);
      ckem_hqc_encrypt(&batch.memory, ciphertext, keys[i] + HQC_SEED_BYTES, messages[i]);
      memcpy(ciphertext + salt_at, salts[i], HQC_SALT_BYTES);
      memcpy(shared_secrets + (first + i) * HQC_SECRET_BYTES, batch.lanes->lane[i].k_theta,
             HQC_SECRET_BYTES);
    }
  }
  return CODEKEM_OK;
}

/* --- Decapsulation ---------------------------------------------------------------------------- */

/* Decrypts the group's ciphertexts to the messages of the lanes. With one key for all, y is drawn
 * once for the batch: done says that it has been. Returns false if a stream is stuck. */
static bool decrypt_group(struct hqc_batch *batch, const uint8_t *const secret_keys[],
                          const uint8_t *const ciphertexts[], bool one_key, bool done) {
  const struct hqc_pke *pke = &batch->memory.pke;
  const size_t dk_pke = ckem_hqc_lay_out_secret_key(batch->params).dk_pke;
  const uint8_t *seeds[HQC_GROUP] = {NULL};
  bool good = true;

  for (size_t i = 0; i < batch->count; i++) {
    seeds[i] = secret_keys[i] + dk_pke;
  }
  if (!one_key || !done) {
    open_secret_streams(batch, seeds);
  }
  for (size_t i = 0; i < batch->count; i++) {
    if (!one_key || (!done && i == 0)) {
      good = draw_y(batch, i) && good;
    }
    ckem_hqc_pke_decrypt_with(pke, batch->lanes->lane[i].message, ciphertexts[i],
                              ciphertexts[i] + batch->params->ring->bytes, batch->y,
                              batch->memory.element[1]);
  }
  return good;
}

/* The secrets of rejected ciphertexts. */
static void hash_rejected(struct hqc_batch *batch, const uint8_t *const secret_keys[],
                          const uint8_t *const ciphertexts[]) {
  const size_t sigma = ckem_hqc_lay_out_secret_key(batch->params).sigma;
  const uint8_t *h_ek[HQC_GROUP], *sigmas[HQC_GROUP] = {NULL};
  uint8_t *rejected[HQC_GROUP];

  for (size_t i = 0; i < batch->count; i++) {
    sigmas[i] = secret_keys[i] + sigma;
  }
  EACH_LANE(h_ek, batch, h_ek);
  EACH_LANE(rejected, batch, rejected);
  ckem_hqc_hash_j_many(&batch->lanes->many, batch->params, rejected, h_ek, sigmas, ciphertexts);
}

codekem_status ckem_hqc_decaps_batch(const struct kem_call *call, struct arena arena) {
  const struct hqc_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  const size_t count = call->batch.count;
  uint8_t *shared_secrets = call->out.shared_secret;
  const uint8_t *ciphertexts = call->in.ciphertext;
  const uint8_t *secret_keys = call->in.secret_key;
  const size_t secret_key_stride = call->batch.secret_key_stride;
  const struct hqc_params *params = variant->params;
  const size_t salt_at = params->ring->bytes + ckem_hqc_code_bytes(params);
  const bool one_key = secret_key_stride == 0;
  struct hqc_batch batch = take_batch(variant, backend, arena);
  const uint8_t *keys[HQC_GROUP], *in[HQC_GROUP], *messages[HQC_GROUP], *salts[HQC_GROUP];
  bool good = true;

  EACH_LANE(messages, &batch, message);
  for (size_t first = 0; first < count; first += batch.count) {
    start_group(&batch, count - first);
    for (size_t i = 0; i < batch.count; i++) {
      keys[i] = secret_keys + (first + i) * secret_key_stride;
      in[i] = ciphertexts + (first + i) * (salt_at + HQC_SALT_BYTES);
      salts[i] = in[i] + salt_at;
    }
    good = decrypt_group(&batch, keys, in, one_key, first != 0) && good;
    read_public_keys(&batch, keys, one_key, first != 0); /* the first part of secret keys */
    draw_many(&batch, messages, salts);
    hash_rejected(&batch, keys, in);
    for (size_t i = 0; i < batch.count; i++) {
      const struct lane *lane = &batch.lanes->lane[i];
      take_lane(&batch, i, batch.h[one_key ? 0 : i]);
      const uint64_t difference = ckem_hqc_compare_encryption(
          &batch.memory, in[i], keys[i] + HQC_SEED_BYTES, lane->message);
      ckem_hqc_select_secret(shared_secrets + (first + i) * HQC_SECRET_BYTES, lane->k_theta,
                             lane->rejected, HQC_SECRET_BYTES, difference);
    }
  }
  return good ? CODEKEM_OK : CODEKEM_ERROR_INTERNAL;
}
