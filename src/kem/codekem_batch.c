/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public interface: many operations at once. */
#include <string.h>

#include "base/wipe.h"
#include "codekem.h"
#include "kem.h"

/* Seeds that are drawn at a time. So a batch with random seeds takes one inversion for so many
 * keys: more would save less than a twelfth of a key's time, and take more of the stack. */
#define BATCH_SEEDS 32

/* Room for them: what a call takes of the stack must not grow by more (tests/memory). Of longer
 * seeds than any KEM of this library has, fewer are drawn at a time. */
#define SEEDS_BYTES (BATCH_SEEDS * CODEKEM_MAX_KEYPAIR_SEED)

/* Returns how many seeds are drawn next. */
static size_t next_seeds(size_t left, size_t seed_length) {
  const size_t fit = SEEDS_BYTES / seed_length;
  const size_t most = fit < BATCH_SEEDS ? fit : BATCH_SEEDS;

  return left < most ? left : most;
}

static uint8_t *at(uint8_t *first, size_t i, size_t distance) {
  return first == NULL ? NULL : first + i * distance;
}

static const uint8_t *at_input(const uint8_t *first, size_t i, size_t distance) {
  return first == NULL ? NULL : first + i * distance;
}

struct kem_call ckem_kem_call_of_batch(const struct kem_call *batch, size_t i) {
  const codekem_kem *kem = batch->kem;
  const size_t seed_length =
      batch->entry == KEM_KEYPAIR ? kem->length_keypair_seed : kem->length_encaps_seed;
  struct kem_call call = *batch;

  call.out.public_key = at(batch->out.public_key, i, kem->length_public_key);
  call.out.secret_key = at(batch->out.secret_key, i, kem->length_secret_key);
  call.out.ciphertext = at(batch->out.ciphertext, i, kem->length_ciphertext);
  call.out.shared_secret = at(batch->out.shared_secret, i, kem->length_shared_secret);
  call.in.seed = at_input(batch->in.seed, i, seed_length);
  call.in.public_key = at_input(batch->in.public_key, i, batch->batch.public_key_stride);
  call.in.secret_key = at_input(batch->in.secret_key, i, batch->batch.secret_key_stride);
  call.in.ciphertext = at_input(batch->in.ciphertext, i, kem->length_ciphertext);
  return call;
}

/* Runs a batch whose seeds are there: at once where the scheme can, else one after the other. */
static codekem_status run_with_seeds(struct kem_call *call) {
  const struct kem_way many = ckem_kem_way(call, true);
  const struct kem_way single = ckem_kem_way(call, false);
  codekem_status status = CODEKEM_OK;

  if (call->batch.count > 1 && many.operation != NULL) {
    return ckem_kem_start(call, &many);
  }
  for (size_t i = 0; status == CODEKEM_OK && i < call->batch.count; i++) {
    struct kem_call one = ckem_kem_call_of_batch(call, i);
    status = ckem_kem_start(&one, &single);
  }
  return status;
}

/* Draws count <= BATCH_SEEDS seeds, with one request for each. */
static bool draw_seeds(const struct kem_call *call, const struct kem_way *way, size_t count,
                       uint8_t *seeds) {
  uint8_t drawn[KEM_MAX_REQUEST_BYTES];
  bool good = true;

  for (size_t i = 0; good && i < count; i++) {
    good = ckem_kem_draw(call, way, drawn);
    if (good) {
      memcpy(seeds + i * way->seed_length, drawn, way->seed_length);
    }
  }
  ckem_secure_wipe(drawn, sizeof drawn);
  return good;
}

static codekem_status run_drawing(const struct kem_call *call, const struct kem_way *way) {
  uint8_t seeds[SEEDS_BYTES];
  size_t some;
  codekem_status status = CODEKEM_OK;

  for (size_t done = 0; status == CODEKEM_OK && done < call->batch.count; done += some) {
    struct kem_call part = ckem_kem_call_of_batch(call, done);
    some = next_seeds(call->batch.count - done, way->seed_length);
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
