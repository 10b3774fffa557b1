/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public interface: many operations at once. */
#include <string.h>

#include "base/bytes.h"
#include "base/random.h"
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
      batch->out.ciphertext == NULL ? kem->length_keypair_seed : kem->length_encaps_seed;
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

/* An operation, its stack, and the bytes of memory that it needs: for one, and for a batch. */
struct ways {
  kem_operation *single;
  kem_operation *batch;
  kem_on_stack *single_on_stack;
  kem_on_stack *batch_on_stack;
  size_t single_needed;
  size_t batch_needed;
};

/* Runs a batch whose buffers are there, in the way that is there. */
static codekem_status run_batch(struct kem_call *call, const struct ways *ways,
                                const struct kem_workspace *workspace) {
  codekem_status status = CODEKEM_OK;

  if (call->batch.count > 1 && ways->batch != NULL) {
    call->operation = ways->batch;
    return ckem_kem_start(call, ways->batch_on_stack, ways->batch_needed, workspace);
  }
  for (size_t i = 0; status == CODEKEM_OK && i < call->batch.count; i++) {
    struct kem_call one = ckem_kem_call_of_batch(call, i);
    one.operation = ways->single;
    status = ckem_kem_start(&one, ways->single_on_stack, ways->single_needed, workspace);
  }
  return status;
}

/* Zeroes the outputs of all operations after a failure. */
static void clear_all(uint8_t *out, size_t count, size_t length) {
  clear_output(out, count * length);
}

/* --- The operations --------------------------------------------------------------------------- */

static codekem_status keypairs(const codekem_kem *kem, size_t count, uint8_t *public_keys,
                               uint8_t *secret_keys, const uint8_t *seeds,
                               const struct kem_workspace *workspace) {
  const struct kem_operations *operations = kem->internal->operations;
  const struct kem_stacks *stacks = kem->internal->stacks;
  const struct ways ways = {
      operations->keypair,   operations->keypair_batch,     stacks->keypair,
      stacks->keypair_batch, kem->length_keypair_workspace, kem->length_keypair_batch_workspace};
  struct kem_call call = {.kem = kem,
                          .out = {.public_key = public_keys, .secret_key = secret_keys},
                          .in = {.seed = seeds},
                          .batch = {.count = count}};

  if (count == 0) {
    return CODEKEM_OK;
  }
  if (public_keys == NULL || secret_keys == NULL || seeds == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  return run_batch(&call, &ways, workspace);
}

static codekem_status encapsulations(const codekem_kem *kem, size_t count, uint8_t *ciphertexts,
                                     uint8_t *shared_secrets, const uint8_t *public_keys,
                                     size_t public_key_stride, const uint8_t *seeds,
                                     const struct kem_workspace *workspace) {
  const struct kem_operations *operations = kem->internal->operations;
  const struct kem_stacks *stacks = kem->internal->stacks;
  const struct ways ways = {
      operations->encaps,   operations->encaps_batch,     stacks->encaps,
      stacks->encaps_batch, kem->length_encaps_workspace, kem->length_encaps_batch_workspace};
  struct kem_call call = {.kem = kem,
                          .out = {.ciphertext = ciphertexts, .shared_secret = shared_secrets},
                          .in = {.public_key = public_keys, .seed = seeds},
                          .batch = {.count = count, .public_key_stride = public_key_stride}};

  if (count == 0) {
    return CODEKEM_OK;
  }
  if (ciphertexts == NULL || shared_secrets == NULL || public_keys == NULL || seeds == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  return run_batch(&call, &ways, workspace);
}

static codekem_status keypair_batch(const codekem_kem *kem, size_t count, uint8_t *public_keys,
                                    uint8_t *secret_keys, const uint8_t *seeds,
                                    const struct kem_workspace *workspace) {
  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  const codekem_status status = keypairs(kem, count, public_keys, secret_keys, seeds, workspace);
  if (status != CODEKEM_OK) {
    clear_all(public_keys, count, kem->length_public_key);
    clear_all(secret_keys, count, kem->length_secret_key);
  }
  return status;
}

static codekem_status encaps_batch(const codekem_kem *kem, size_t count, uint8_t *ciphertexts,
                                   uint8_t *shared_secrets, const uint8_t *public_keys,
                                   size_t public_key_stride, const uint8_t *seeds,
                                   const struct kem_workspace *workspace) {
  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  const codekem_status status = encapsulations(kem, count, ciphertexts, shared_secrets, public_keys,
                                               public_key_stride, seeds, workspace);
  if (status != CODEKEM_OK) {
    clear_all(ciphertexts, count, kem->length_ciphertext);
    clear_all(shared_secrets, count, kem->length_shared_secret);
  }
  return status;
}

static codekem_status decaps_batch(const codekem_kem *kem, size_t count, uint8_t *shared_secrets,
                                   const uint8_t *ciphertexts, const uint8_t *secret_keys,
                                   size_t secret_key_stride,
                                   const struct kem_workspace *workspace) {
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (count == 0) {
    return CODEKEM_OK;
  }
  if (shared_secrets != NULL && ciphertexts != NULL && secret_keys != NULL) {
    const struct kem_operations *operations = kem->internal->operations;
    const struct kem_stacks *stacks = kem->internal->stacks;
    const struct ways ways = {
        operations->decaps,   operations->decaps_batch,     stacks->decaps,
        stacks->decaps_batch, kem->length_decaps_workspace, kem->length_decaps_batch_workspace};
    struct kem_call call = {.kem = kem,
                            .out = {.shared_secret = shared_secrets},
                            .in = {.secret_key = secret_keys, .ciphertext = ciphertexts},
                            .batch = {.count = count, .secret_key_stride = secret_key_stride}};
    status = run_batch(&call, &ways, workspace);
  }
  if (status != CODEKEM_OK) {
    clear_all(shared_secrets, count, kem->length_shared_secret);
  }
  return status;
}

/* --- With a source of randomness -------------------------------------------------------------- */

/* Draws count <= BATCH_SEEDS seeds, one request of request bytes for each, of which seed_length are
 * used. */
static bool draw_seeds(uint8_t *seeds, size_t count, size_t seed_length, size_t request,
                       codekem_random_function random, void *context) {
  uint8_t drawn[KEM_MAX_REQUEST_BYTES];
  bool good = random != NULL;

  for (size_t i = 0; good && i < count; i++) {
    good = random(context, drawn, request);
    if (good) {
      memcpy(seeds + i * seed_length, drawn, seed_length);
    }
  }
  ckem_secure_wipe(drawn, sizeof drawn);
  return good;
}

static codekem_status keypair_batch_random(const codekem_kem *kem, size_t count,
                                           uint8_t *public_keys, uint8_t *secret_keys,
                                           codekem_random_function random, void *context,
                                           const struct kem_workspace *workspace) {
  uint8_t seeds[SEEDS_BYTES];
  size_t some;
  codekem_status status = random == NULL ? CODEKEM_ERROR_NULL : CODEKEM_OK;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  for (size_t done = 0; status == CODEKEM_OK && done < count; done += some) {
    some = next_seeds(count - done, kem->length_keypair_seed);
    status = draw_seeds(seeds, some, kem->length_keypair_seed, kem->internal->keypair_request,
                        random, context)
                 ? keypairs(kem, some, at(public_keys, done, kem->length_public_key),
                            at(secret_keys, done, kem->length_secret_key), seeds, workspace)
                 : CODEKEM_ERROR_RANDOM;
  }
  if (status != CODEKEM_OK) {
    clear_all(public_keys, count, kem->length_public_key);
    clear_all(secret_keys, count, kem->length_secret_key);
  }
  ckem_secure_wipe(seeds, sizeof seeds);
  return status;
}

static codekem_status encaps_batch_random(const codekem_kem *kem, size_t count,
                                          uint8_t *ciphertexts, uint8_t *shared_secrets,
                                          const uint8_t *public_keys, size_t public_key_stride,
                                          codekem_random_function random, void *context,
                                          const struct kem_workspace *workspace) {
  uint8_t seeds[SEEDS_BYTES];
  size_t some;
  codekem_status status = random == NULL ? CODEKEM_ERROR_NULL : CODEKEM_OK;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  for (size_t done = 0; status == CODEKEM_OK && done < count; done += some) {
    some = next_seeds(count - done, kem->length_encaps_seed);
    status = draw_seeds(seeds, some, kem->length_encaps_seed, kem->internal->encaps_request, random,
                        context)
                 ? encapsulations(kem, some, at(ciphertexts, done, kem->length_ciphertext),
                                  at(shared_secrets, done, kem->length_shared_secret),
                                  at_input(public_keys, done, public_key_stride), public_key_stride,
                                  seeds, workspace)
                 : CODEKEM_ERROR_RANDOM;
  }
  if (status != CODEKEM_OK) {
    clear_all(ciphertexts, count, kem->length_ciphertext);
    clear_all(shared_secrets, count, kem->length_shared_secret);
  }
  ckem_secure_wipe(seeds, sizeof seeds);
  return status;
}

/* --- The entry points ------------------------------------------------------------------------- */

codekem_status codekem_kem_keypair_batch(const codekem_kem *kem, size_t count, uint8_t *public_keys,
                                         uint8_t *secret_keys) {
  return keypair_batch_random(kem, count, public_keys, secret_keys, ckem_random_from_system, NULL,
                              NULL);
}

codekem_status codekem_kem_encaps_batch(const codekem_kem *kem, size_t count, uint8_t *ciphertexts,
                                        uint8_t *shared_secrets, const uint8_t *public_keys,
                                        size_t public_key_stride) {
  return encaps_batch_random(kem, count, ciphertexts, shared_secrets, public_keys,
                             public_key_stride, ckem_random_from_system, NULL, NULL);
}

codekem_status codekem_kem_decaps_batch(const codekem_kem *kem, size_t count,
                                        uint8_t *shared_secrets, const uint8_t *ciphertexts,
                                        const uint8_t *secret_keys, size_t secret_key_stride) {
  return decaps_batch(kem, count, shared_secrets, ciphertexts, secret_keys, secret_key_stride,
                      NULL);
}

codekem_status codekem_kem_keypair_batch_derand(const codekem_kem *kem, size_t count,
                                                uint8_t *public_keys, uint8_t *secret_keys,
                                                const uint8_t *seeds) {
  return keypair_batch(kem, count, public_keys, secret_keys, seeds, NULL);
}

codekem_status codekem_kem_encaps_batch_derand(const codekem_kem *kem, size_t count,
                                               uint8_t *ciphertexts, uint8_t *shared_secrets,
                                               const uint8_t *public_keys, size_t public_key_stride,
                                               const uint8_t *seeds) {
  return encaps_batch(kem, count, ciphertexts, shared_secrets, public_keys, public_key_stride,
                      seeds, NULL);
}

codekem_status codekem_kem_keypair_batch_random(const codekem_kem *kem, size_t count,
                                                uint8_t *public_keys, uint8_t *secret_keys,
                                                codekem_random_function random, void *context) {
  return keypair_batch_random(kem, count, public_keys, secret_keys, random, context, NULL);
}

codekem_status codekem_kem_encaps_batch_random(const codekem_kem *kem, size_t count,
                                               uint8_t *ciphertexts, uint8_t *shared_secrets,
                                               const uint8_t *public_keys, size_t public_key_stride,
                                               codekem_random_function random, void *context) {
  return encaps_batch_random(kem, count, ciphertexts, shared_secrets, public_keys,
                             public_key_stride, random, context, NULL);
}

codekem_status codekem_kem_keypair_batch_workspace(const codekem_kem *kem, size_t count,
                                                   uint8_t *public_keys, uint8_t *secret_keys,
                                                   const uint8_t *seeds, void *workspace,
                                                   size_t workspace_length) {
  const struct kem_workspace own = {workspace, workspace_length};
  return keypair_batch(kem, count, public_keys, secret_keys, seeds, &own);
}

codekem_status codekem_kem_encaps_batch_workspace(const codekem_kem *kem, size_t count,
                                                  uint8_t *ciphertexts, uint8_t *shared_secrets,
                                                  const uint8_t *public_keys,
                                                  size_t public_key_stride, const uint8_t *seeds,
                                                  void *workspace, size_t workspace_length) {
  const struct kem_workspace own = {workspace, workspace_length};
  return encaps_batch(kem, count, ciphertexts, shared_secrets, public_keys, public_key_stride,
                      seeds, &own);
}

codekem_status codekem_kem_decaps_batch_workspace(
    const codekem_kem *kem, size_t count, uint8_t *shared_secrets, const uint8_t *ciphertexts,
    const uint8_t *secret_keys, size_t secret_key_stride, void *workspace,
    size_t workspace_length) {
  const struct kem_workspace own = {workspace, workspace_length};
  return decaps_batch(kem, count, shared_secrets, ciphertexts, secret_keys, secret_key_stride,
                      &own);
}

codekem_status codekem_kem_keypair_batch_random_workspace(
    const codekem_kem *kem, size_t count, uint8_t *public_keys, uint8_t *secret_keys,
    codekem_random_function random, void *context, void *workspace, size_t workspace_length) {
  const struct kem_workspace own = {workspace, workspace_length};
  return keypair_batch_random(kem, count, public_keys, secret_keys, random, context, &own);
}

codekem_status codekem_kem_encaps_batch_random_workspace(
    const codekem_kem *kem, size_t count, uint8_t *ciphertexts, uint8_t *shared_secrets,
    const uint8_t *public_keys, size_t public_key_stride, codekem_random_function random,
    void *context, void *workspace, size_t workspace_length) {
  const struct kem_workspace own = {workspace, workspace_length};
  return encaps_batch_random(kem, count, ciphertexts, shared_secrets, public_keys,
                             public_key_stride, random, context, &own);
}
