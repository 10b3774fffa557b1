/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Many operations of BIKE at once: one inversion for all keys, hashes and generators of a group
 * side by side [BIKE, S6]. */
#include "bike/bike.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "bike/bike_steps.h"
#include "bike/decoder.h"
#include "bike/sampling.h"
#include "bike/symmetric.h"
#include "sparse/sparse.h"

/* What all operations of a batch use. */
struct bike_batch {
  const struct bike_variant *variant;
  const struct backend *backend;
  const struct gf2x_ring *ring;
  uint32_t *words[BIKE_GROUP];    /* what the generators gave, two position lists long */
  uint32_t *positions[2];
  uint64_t *scratch;
};

static size_t group_from(size_t first, size_t count, size_t largest) {
  return count - first < largest ? count - first : largest;
}

static void take_lists(struct bike_batch *batch, size_t group, struct arena *arena) {
  for (size_t i = 0; i < group; i++) {
    batch->words[i] = (uint32_t *)(void *)arena_take(arena, 2 * BIKE_POSITIONS_WORDS);
  }
  for (int b = 0; b < 2; b++) {
    batch->positions[b] = (uint32_t *)(void *)arena_take(arena, BIKE_POSITIONS_WORDS);
  }
}

/* --- Key pairs -------------------------------------------------------------------------------- */

/* Runs the generators of a group of seeds, where the sampler takes a fixed number of words. */
static bool draw_words(const struct bike_batch *batch, const uint8_t *const seeds[], size_t group,
                       size_t words) {
  return batch->variant->uniform_sampling ||
         ckem_bike_prf_many(batch->variant->symmetric, batch->backend->keccak, group, batch->words,
                            words, seeds);
}

/* Sets the positions of both halves of key number i of a group. */
static bool key_positions(const struct bike_batch *batch, size_t i, const uint8_t *seed,
                          struct arena arena) {
  const struct bike_variant *variant = batch->variant;
  const size_t weight = variant->params->key_weight;

  if (variant->uniform_sampling) {
    return ckem_bike_sample_key(variant, batch->backend, batch->positions, seed, arena);
  }
  for (size_t b = 0; b < 2; b++) {
    memcpy(batch->positions[b], batch->words[i] + b * weight, weight * sizeof(uint32_t));
    ckem_bike_pick_biased(batch->backend->sparse, batch->positions[b], weight, batch->ring->r_bits);
  }
  return true;
}

/* Writes the position lists and dense halves of a secret key, and its sigma; h is set to h0. */
static void write_secret(const struct bike_batch *batch, uint8_t *secret_key, const uint8_t *sigma,
                         uint64_t *h) {
  const struct bike_secret_key_layout layout = ckem_bike_lay_out_secret_key(batch->variant->params);
  const size_t weight = batch->variant->params->key_weight;

  for (int b = 1; b >= 0; b--) {
    batch->backend->sparse->set_positions(batch->ring, h, batch->positions[b], weight, 0);
    for (size_t i = 0; i < weight; i++) {
      store_le32(secret_key + layout.support[b] + 4 * i, batch->positions[b][i]);
    }
    ckem_gf2x_encode(batch->ring, secret_key + layout.h[b], h);
  }
  memcpy(secret_key + layout.sigma, sigma, BIKE_SEED_BYTES);
}

/* The ring elements of a batch of keys. */
struct bike_elements {
  uint64_t *product; /* of all h0; then its inverse */
  uint64_t *before;  /* the product of the keys before one */
  uint64_t *h;
  uint64_t *unit;
  uint64_t *quotient;
};

/* Draws all secret keys and multiplies their h0. What the product was before a key stays in the
 * secret key, in the place of the public one, which is not known yet. */
static bool draw_secret_keys(const struct bike_batch *batch, const struct bike_elements *elements,
                             size_t count, uint8_t *secret_keys, const uint8_t *seeds,
                             struct arena arena) {
  const struct bike_secret_key_layout layout = ckem_bike_lay_out_secret_key(batch->variant->params);
  const size_t length = layout.sigma + BIKE_SEED_BYTES;
  const uint8_t *group_seeds[BIKE_GROUP];

  memset(elements->product, 0, batch->ring->stride * sizeof(uint64_t));
  elements->product[0] = 1;
  for (size_t first = 0; first < count; first += BIKE_GROUP) {
    const size_t group = group_from(first, count, BIKE_GROUP);
    for (size_t i = 0; i < group; i++) {
      group_seeds[i] = seeds + (first + i) * BIKE_KEYPAIR_SEED_BYTES;
    }
    if (!draw_words(batch, group_seeds, group, 2 * (size_t)batch->variant->params->key_weight)) {
      return false;
    }
    for (size_t i = 0; i < group; i++) {
      uint8_t *secret_key = secret_keys + (first + i) * length;
      if (!key_positions(batch, i, group_seeds[i], arena)) {
        return false;
      }
      write_secret(batch, secret_key, group_seeds[i] + BIKE_SEED_BYTES, elements->h);
      ckem_gf2x_encode(batch->ring, secret_key + layout.public_key, elements->product);
      if (first + i == 0) {
        memcpy(elements->product, elements->h, batch->ring->stride * sizeof(uint64_t));
      } else {
        ckem_gf2x_invert_push(batch->backend->gf2x, batch->ring, elements->product, elements->h,
                              elements->unit, batch->scratch);
      }
    }
  }
  return true;
}

codekem_status ckem_bike_keypair_batch(const struct kem_call *call, struct arena arena) {
  const struct bike_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  const size_t count = call->batch.count;
  uint8_t *public_keys = call->out.public_key;
  uint8_t *secret_keys = call->out.secret_key;
  const uint8_t *seeds = call->in.seed;
  const struct gf2x_ring *ring = variant->params->ring;
  const struct bike_secret_key_layout layout = ckem_bike_lay_out_secret_key(variant->params);
  struct bike_batch batch = {.variant = variant, .backend = backend, .ring = ring};
  const struct bike_elements elements = {
      .product = arena_take(&arena, ring->stride),
      .before = arena_take(&arena, ring->stride),
      .h = arena_take(&arena, ring->stride),
      .unit = arena_take(&arena, ring->stride),
      .quotient = arena_take(&arena, ring->stride),
  };

  take_lists(&batch, BIKE_GROUP, &arena);
  struct arena rest = arena; /* the sampler's memory is that of the inversion */
  batch.scratch = arena_take(&arena, GF2X_INVERT_SCRATCH_WORDS(ring->r_bits));
  if (!draw_secret_keys(&batch, &elements, count, secret_keys, seeds, rest)) {
    return CODEKEM_ERROR_INTERNAL;
  }
  ckem_gf2x_invert(backend->gf2x, ring, elements.product, elements.product, batch.scratch);
  for (size_t i = count; i-- > 0;) {
    uint8_t *secret_key = secret_keys + i * (layout.sigma + BIKE_SEED_BYTES);
    uint8_t *public_key = public_keys + i * ring->bytes;
    if (i == 0) {
      memcpy(elements.quotient, elements.product, ring->stride * sizeof(uint64_t));
    } else {
      ckem_gf2x_decode(ring, elements.before, secret_key + layout.public_key);
      ckem_gf2x_decode(ring, elements.h, secret_key + layout.h[0]);
      ckem_gf2x_invert_pop(backend->gf2x, ring, elements.quotient, elements.product,
                           elements.before, elements.h, elements.unit, batch.scratch);
    }
    ckem_gf2x_decode(ring, elements.h, secret_key + layout.h[1]);
    backend->gf2x->mul(ring, elements.quotient, elements.quotient, elements.h, batch.scratch);
    ckem_gf2x_encode(ring, public_key, elements.quotient);
    memcpy(secret_key + layout.public_key, public_key, ring->bytes);
  }
  return CODEKEM_OK;
}

/* --- Errors of a group ------------------------------------------------------------------------ */

/* What the encapsulations of a group hash to, one behind the other. */
struct bike_group {
  size_t count;
  const uint8_t *public_keys[BIKE_GROUP];
  uint8_t *messages[BIKE_GROUP];   /* m */
  uint8_t *seeds[BIKE_GROUP];      /* of the error */
  uint8_t *errors[BIKE_GROUP];     /* the input of L */
};

static void take_group(struct bike_group *group, const struct gf2x_ring *ring, size_t count,
                       struct arena *arena) {
  for (size_t i = 0; i < count; i++) {
    group->messages[i] = (uint8_t *)arena_take(arena, BIKE_SEED_WORDS);
    group->seeds[i] = (uint8_t *)arena_take(arena, BIKE_SEED_WORDS);
    group->errors[i] = (uint8_t *)arena_take(arena, BIKE_ERROR_BYTES_WORDS(ring->r_bits));
  }
}

/* The seeds of all errors, and what the generators give from them. */
static bool draw_errors(const struct bike_batch *batch, const struct bike_group *group) {
  const struct bike_variant *variant = batch->variant;
  const uint8_t *seeds[BIKE_GROUP];
  struct bike_messages hashed = {
      .count = group->count, .first_length = batch->ring->bytes, .second_length = BIKE_SEED_BYTES};

  for (size_t i = 0; i < group->count; i++) {
    hashed.first[i] = group->public_keys[i];
    hashed.second[i] = group->messages[i];
    seeds[i] = variant->bind_public_key ? group->seeds[i] : group->messages[i];
    memcpy(group->seeds[i], group->messages[i], BIKE_SEED_BYTES);
  }
  return (!variant->bind_public_key ||
          ckem_bike_hash_many(variant->symmetric, batch->backend->keccak, &hashed, group->seeds)) &&
         draw_words(batch, seeds, group->count, variant->params->error_weight);
}

/* Sets the error of number i of a group, as hash_to_error does for one. */
static bool set_error(const struct bike_batch *batch, const struct bike_group *group, size_t i,
                      uint64_t *const e[2]) {
  const struct bike_params *params = batch->variant->params;
  const struct bike_symmetric *symmetric = batch->variant->symmetric;
  const struct sparse_ops *sparse = batch->backend->sparse;
  const uint32_t r_bits = batch->ring->r_bits;
  uint32_t *positions = batch->positions[0];
  bool good = true;

  if (batch->variant->uniform_sampling) {
    struct bike_prf *prf = (struct bike_prf *)(void *)batch->scratch;
    good = symmetric->prf_open(prf, batch->backend->keccak, group->seeds[i]);
    if (good) {
      good = ckem_bike_sample_fixed_draws(symmetric, prf, positions, params->error_weight,
                                          2 * r_bits, params->uniform_error_draws);
      symmetric->prf_close(prf);
    }
  } else {
    memcpy(positions, batch->words[i], params->error_weight * sizeof *positions);
    ckem_bike_pick_biased(sparse, positions, params->error_weight, 2 * r_bits);
  }
  if (good) {
    sparse->set_positions(batch->ring, e[0], positions, params->error_weight, 0);
    sparse->set_positions(batch->ring, e[1], positions, params->error_weight, r_bits);
  }
  return good;
}

/* Sets masks[i] = L(error i) for the group. */
static bool hash_errors(const struct bike_batch *batch, const struct bike_group *group,
                        uint8_t *const masks[]) {
  struct bike_messages hashed = {.count = group->count,
                                 .first_length = 2 * (size_t)batch->ring->bytes};

  for (size_t i = 0; i < group->count; i++) {
    hashed.first[i] = group->errors[i];
    hashed.second[i] = NULL;
  }
  return ckem_bike_hash_many(batch->variant->symmetric, batch->backend->keccak, &hashed, masks);
}

/* The function K for the group: shared secrets from messages and ciphertexts. */
static bool hash_to_secrets(const struct bike_batch *batch, const struct bike_group *group,
                            const uint8_t *ciphertexts, uint8_t *shared_secrets) {
  const size_t ciphertext_bytes = batch->ring->bytes + (size_t)BIKE_SEED_BYTES;
  uint8_t *out[BIKE_GROUP];
  struct bike_messages hashed = {
      .count = group->count, .first_length = BIKE_SEED_BYTES, .second_length = ciphertext_bytes};

  for (size_t i = 0; i < group->count; i++) {
    hashed.first[i] = group->messages[i];
    hashed.second[i] = ciphertexts + i * ciphertext_bytes;
    out[i] = shared_secrets + i * BIKE_SEED_BYTES;
  }
  return ckem_bike_hash_many(batch->variant->symmetric, batch->backend->keccak, &hashed, out);
}

/* --- Encapsulations --------------------------------------------------------------------------- */

/* Encapsulates the group's messages. element: two for the error, and one. */
static bool encapsulate_group(const struct bike_batch *batch, const struct bike_group *group,
                              uint8_t *ciphertexts, uint8_t *shared_secrets,
                              uint64_t *const element[3]) {
  const struct gf2x_ring *ring = batch->ring;
  const size_t ciphertext_bytes = ring->bytes + (size_t)BIKE_SEED_BYTES;
  uint64_t *const e[2] = {element[0], element[1]};
  uint64_t *c0 = element[2];

  if (!draw_errors(batch, group)) {
    return false;
  }
  for (size_t i = 0; i < group->count; i++) {
    if (!set_error(batch, group, i, e)) {
      return false;
    }
    ckem_bike_encode_error(ring, group->errors[i], e);
    ckem_gf2x_decode(ring, c0, group->public_keys[i]);
    batch->backend->gf2x->mul(ring, c0, c0, e[1], batch->scratch);
    ckem_gf2x_add(ring, c0, c0, e[0]);
    ckem_gf2x_encode(ring, ciphertexts + i * ciphertext_bytes, c0);
  }
  if (!hash_errors(batch, group, group->seeds)) {
    return false;
  }
  for (size_t i = 0; i < group->count; i++) {
    ckem_bike_add_seeds(ciphertexts + i * ciphertext_bytes + ring->bytes, group->seeds[i],
                        group->messages[i]);
  }
  return hash_to_secrets(batch, group, ciphertexts, shared_secrets);
}

codekem_status ckem_bike_encaps_batch(const struct kem_call *call, struct arena arena) {
  const struct bike_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  const size_t count = call->batch.count;
  uint8_t *ciphertexts = call->out.ciphertext;
  uint8_t *shared_secrets = call->out.shared_secret;
  const uint8_t *public_keys = call->in.public_key;
  const size_t public_key_stride = call->batch.public_key_stride;
  const uint8_t *messages = call->in.seed;
  const struct gf2x_ring *ring = variant->params->ring;
  const size_t ciphertext_bytes = ring->bytes + (size_t)BIKE_SEED_BYTES;
  struct bike_batch batch = {.variant = variant, .backend = backend, .ring = ring};
  struct bike_group group;
  uint64_t *element[3];
  bool good = true;

  for (int i = 0; i < 3; i++) {
    element[i] = arena_take(&arena, ring->stride);
  }
  take_lists(&batch, BIKE_GROUP, &arena);
  take_group(&group, ring, BIKE_GROUP, &arena);
  batch.scratch = arena_take(&arena, GF2X_MUL_SCRATCH_WORDS(ring->r_bits));
  for (size_t first = 0; good && first < count; first += BIKE_GROUP) {
    group.count = group_from(first, count, BIKE_GROUP);
    for (size_t i = 0; i < group.count; i++) {
      group.public_keys[i] = public_keys + (first + i) * public_key_stride;
      memcpy(group.messages[i], messages + (first + i) * BIKE_SEED_BYTES, BIKE_SEED_BYTES);
    }
    good = encapsulate_group(&batch, &group, ciphertexts + first * ciphertext_bytes,
                             shared_secrets + first * BIKE_SEED_BYTES, element);
  }
  return good ? CODEKEM_OK : CODEKEM_ERROR_INTERNAL;
}

/* --- Decapsulations --------------------------------------------------------------------------- */

/* The elements of a decapsulation, and what its decoder takes. */
struct bike_opening {
  struct bike_params decoder_params;
  uint64_t *h[2];
  uint64_t *e[2];
  uint64_t *expected[2];
  uint64_t *c0;
  uint32_t *support[2];
};

/* Decodes the group's ciphertexts: their errors. Keys that are the same are read once. */
static void decode_group(const struct bike_batch *batch, const struct bike_group *group,
                         const struct bike_opening *opening, const uint8_t *ciphertexts,
                         const uint8_t *const secret_keys[], const uint8_t *loaded,
                         struct arena arena) {
  const struct bike_params *params = batch->variant->params;
  const size_t ciphertext_bytes = batch->ring->bytes + (size_t)BIKE_SEED_BYTES;
  const struct bike_decoder_key key = {
      {opening->h[0], opening->h[1]}, {opening->support[0], opening->support[1]}, true};

  for (size_t i = 0; i < group->count; i++) {
    if (secret_keys[i] != loaded) {
      ckem_bike_load_secret_key(params, opening->h, opening->support, secret_keys[i]);
      ckem_bike_order_support(params, batch->backend, opening->support);
      loaded = secret_keys[i];
    }
    ckem_gf2x_decode(batch->ring, opening->c0, ciphertexts + i * ciphertext_bytes);
    ckem_bike_decode(&opening->decoder_params, batch->backend, opening->e, opening->c0, &key, NULL,
                     NULL, arena);
    ckem_bike_encode_error(batch->ring, group->errors[i], opening->e);
  }
}

/* Compares the group's errors with those of their messages, and replaces the messages that are
 * wrong by sigma. */
static bool check_group(const struct bike_batch *batch, const struct bike_group *group,
                        const struct bike_opening *opening, const uint8_t *const secret_keys[]) {
  const struct gf2x_ring *ring = batch->ring;
  const size_t sigma = ckem_bike_lay_out_secret_key(batch->variant->params).sigma;

  if (!draw_errors(batch, group)) {
    return false;
  }
  for (size_t i = 0; i < group->count; i++) {
    if (!set_error(batch, group, i, opening->expected)) {
      return false;
    }
    ckem_gf2x_decode(ring, opening->e[0], group->errors[i]);
    ckem_gf2x_decode(ring, opening->e[1], group->errors[i] + ring->bytes);
    const uint8_t accepted = (uint8_t)ckem_bike_equal_pairs(ring, opening->e, opening->expected);
    for (size_t j = 0; j < BIKE_SEED_BYTES; j++) {
      const uint8_t rejected = secret_keys[i][sigma + j];
      group->messages[i][j] = (uint8_t)(rejected ^ (accepted & (group->messages[i][j] ^ rejected)));
    }
  }
  return true;
}

codekem_status ckem_bike_decaps_batch(const struct kem_call *call, struct arena arena) {
  const struct bike_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  const size_t count = call->batch.count;
  uint8_t *shared_secrets = call->out.shared_secret;
  const uint8_t *ciphertexts = call->in.ciphertext;
  const uint8_t *secret_keys = call->in.secret_key;
  const size_t secret_key_stride = call->batch.secret_key_stride;
  const struct gf2x_ring *ring = variant->params->ring;
  const struct bike_secret_key_layout layout = ckem_bike_lay_out_secret_key(variant->params);
  const size_t ciphertext_bytes = ring->bytes + (size_t)BIKE_SEED_BYTES;
  struct bike_batch batch = {.variant = variant, .backend = backend, .ring = ring};
  struct bike_group group;
  struct bike_opening opening = {.decoder_params = ckem_bike_decoder_params(call)};
  const uint8_t *keys[BIKE_DECAPS_GROUP];
  const uint8_t *loaded = NULL;
  bool good = true;

  for (int b = 0; b < 2; b++) {
    opening.h[b] = arena_take(&arena, ring->stride);
    opening.e[b] = arena_take(&arena, ring->stride);
    opening.support[b] = (uint32_t *)(void *)arena_take(&arena, BIKE_POSITIONS_WORDS);
  }
  opening.c0 = arena_take(&arena, ring->stride);
  take_group(&group, ring, BIKE_DECAPS_GROUP, &arena);
  for (size_t first = 0; good && first < count; first += BIKE_DECAPS_GROUP) {
    const uint8_t *some = ciphertexts + first * ciphertext_bytes;
    struct arena decoding = arena; /* decoding and hashing use the same memory */
    struct arena hashing = arena;
    group.count = group_from(first, count, BIKE_DECAPS_GROUP);
    for (size_t i = 0; i < group.count; i++) {
      keys[i] = secret_keys + (first + i) * secret_key_stride;
      group.public_keys[i] = keys[i] + layout.public_key;
    }
    decode_group(&batch, &group, &opening, some, keys, loaded, decoding);
    loaded = keys[group.count - 1];
    opening.expected[0] = arena_take(&hashing, ring->stride);
    opening.expected[1] = arena_take(&hashing, ring->stride);
    take_lists(&batch, BIKE_DECAPS_GROUP, &hashing);
    batch.scratch = arena_take(&hashing, BIKE_PRF_WORDS);
    good = hash_errors(&batch, &group, group.messages);
    for (size_t i = 0; good && i < group.count; i++) {
      ckem_bike_add_seeds(group.messages[i], group.messages[i],
                          some + i * ciphertext_bytes + ring->bytes);
    }
    good = good && check_group(&batch, &group, &opening, keys) &&
           hash_to_secrets(&batch, &group, some, shared_secrets + first * BIKE_SEED_BYTES);
  }
  return good ? CODEKEM_OK : CODEKEM_ERROR_INTERNAL;
}
