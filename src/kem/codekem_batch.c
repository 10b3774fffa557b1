/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public interface: many operations at once. */
#include "base/wipe.h"
#include "codekem.h"
#include "kem.h"

/* Seeds that are drawn at a time. So a batch with random seeds takes one inversion for so many
 * keys: more would save less than a twelfth of a key's time, and take more of the stack. */
#define BATCH_SEEDS 32

/* Room for them: what a call takes of the stack must not grow by more (tests/memory). Of longer
 * seeds than any KEM of this library has, fewer are drawn at a time. */
#define SEEDS_BYTES (BATCH_SEEDS * CODEKEM_MAX_KEYPAIR_SEED)

/* Returns how many seeds are drawn next: the last of them with all bytes of its request. */
static size_t next_seeds(size_t left, const struct kem_way *way) {
  const size_t fit = (SEEDS_BYTES - way->request) / way->seed_length + 1;
  const size_t most = fit < BATCH_SEEDS ? fit : BATCH_SEEDS;

  return left < most ? left : most;
}

static uint8_t *at(uint8_t *first, size_t i, size_t distance) {
  return first == NULL ? NULL : first + i * distance;
}

static const uint8_t *at_input(const uint8_t *first, size_t i, size_t distance) {
  return first == NULL ? NULL : first + i * distance;
}

/* Moves a call of a batch i operations on. */
static void move_on(struct kem_call *call, size_t i) {
  const codekem_kem *kem = call->kem;
  const size_t seed_length =
      call->entry == KEM_KEYPAIR ? kem->length_keypair_seed : kem->length_encaps_seed;

  call->out.public_key = at(call->out.public_key, i, kem->length_public_key);
  call->out.secret_key = at(call->out.secret_key, i, kem->length_secret_key);
  call->out.ciphertext = at(call->out.ciphertext, i, kem->length_ciphertext);
  call->out.shared_secret = at(call->out.shared_secret, i, kem->length_shared_secret);
  call->in.seed = at_input(call->in.seed, i, seed_length);
  call->in.public_key = at_input(call->in.public_key, i, call->batch.public_key_stride);
  call->in.secret_key = at_input(call->in.secret_key, i, call->batch.secret_key_stride);
  call->in.ciphertext = at_input(call->in.ciphertext, i, kem->length_ciphertext);
}

/* Runs a batch whose seeds are there: at once where the scheme can, else one after the other. */
static codekem_status run_with_seeds(struct kem_call *call) {
  struct kem_way way = ckem_kem_way(call, true);
  struct kem_call one = *call;
  codekem_status status = CODEKEM_OK;

  if (KEM_BATCHES && call->batch.count > 1 && way.operation != NULL) {
    return ckem_kem_start(call, &way);
  }
  way = ckem_kem_way(call, false);
  for (size_t i = 0; status == CODEKEM_OK && i < call->batch.count; i++) {
    move_on(&one, i > 0);
    status = ckem_kem_start(&one, &way);
  }
  return status;
}

/* Draws count seeds, with one request for each: what is more than a seed the next one covers. */
static bool draw_seeds(const struct kem_call *call, const struct kem_way *way, size_t count,
                       uint8_t *seeds) {
  bool good = true;

  for (size_t i = 0; good && i < count; i++) {
    good = ckem_kem_draw(call, way, seeds + i * way->seed_length);
  }
  return good;
}

static codekem_status run_drawing(const struct kem_call *call, const struct kem_way *way) {
  uint8_t seeds[SEEDS_BYTES];
  size_t some;
  codekem_status status = CODEKEM_OK;

  for (size_t done = 0; status == CODEKEM_OK && done < call->batch.count; done += some) {
    struct kem_call part = *call;
    move_on(&part, done);
    some = next_seeds(call->batch.count - done, way);
    part.batch.count = some;
    part.in.seed = seeds;
    status = draw_seeds(call, way, some, seeds) ? run_with_seeds(&part) : CODEKEM_ERROR_RANDOM;
  }
  ckem_secure_wipe(seeds, sizeof seeds);
  return status;
}

static codekem_status run_many(struct kem_call *call) {
  const struct kem_way way = ckem_kem_way(call, false);

  return way.request == 0 || call->in.seed != NULL ? run_with_seeds(call) : run_drawing(call, &way);
}

/* --- The entry points ------------------------------------------------------------------------- */

codekem_status codekem_kem_keypair_batch(const codekem_kem *kem, size_t count, uint8_t *public_keys,
                                         uint8_t *secret_keys, const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_KEYPAIR,
                          .out = {.public_key = public_keys, .secret_key = secret_keys},
                          .batch = {.count = count}};
  return ckem_kem_call(&call, count == 0 || (public_keys != NULL && secret_keys != NULL), options,
                       run_many);
}

codekem_status codekem_kem_encaps_batch(const codekem_kem *kem, size_t count, uint8_t *ciphertexts,
                                        uint8_t *shared_secrets, const uint8_t *public_keys,
                                        size_t public_key_stride, const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_ENCAPS,
                          .out = {.ciphertext = ciphertexts, .shared_secret = shared_secrets},
                          .in = {.public_key = public_keys},
                          .batch = {.count = count, .public_key_stride = public_key_stride}};
  return ckem_kem_call(
      &call, count == 0 || (ciphertexts != NULL && shared_secrets != NULL && public_keys != NULL),
      options, run_many);
}

codekem_status codekem_kem_decaps_batch(const codekem_kem *kem, size_t count,
                                        uint8_t *shared_secrets, const uint8_t *ciphertexts,
                                        const uint8_t *secret_keys, size_t secret_key_stride,
                                        const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_DECAPS,
                          .out = {.shared_secret = shared_secrets},
                          .in = {.ciphertext = ciphertexts, .secret_key = secret_keys},
                          .batch = {.count = count, .secret_key_stride = secret_key_stride}};
  return ckem_kem_call(
      &call, count == 0 || (shared_secrets != NULL && ciphertexts != NULL && secret_keys != NULL),
      options, run_many);
}
