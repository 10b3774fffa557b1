/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What all entry points share: what a call must have, its options, its memory, and its end. */
#include <stddef.h>
#include <stdint.h>

#include "backends.h"
#include "base/bytes.h"
#include "base/entry.h"
#include "base/random.h"
#include "base/stack.h"
#include "base/wipe.h"
#include "kem.h"

codekem_status ckem_kem_run(const struct kem_call *call, uint64_t *words, size_t count) {
  const uint64_t before = ckem_entry_begin();
  const struct arena arena = {words, count};
  const codekem_status status = call->operation(call, arena);

  ckem_secure_wipe(words, count * sizeof *words);
  entry_end(before);
  return status;
}

struct kem_way ckem_kem_way(const struct kem_call *call, bool for_batch) {
  const codekem_kem *kem = call->kem;
  const struct kem_operations *operations = kem->internal->operations;
  const struct kem_stacks *stacks = kem->internal->stacks;
  const bool batch = KEM_BATCHES && for_batch;
  struct kem_way way = {NULL, NULL, 0, 0, 0};

  switch (call->entry) {
    case KEM_KEYPAIR:
      way.operation = batch ? operations->keypair_batch : operations->keypair;
      way.on_stack = batch ? stacks->keypair_batch : stacks->keypair;
      way.needed = batch ? kem->length_keypair_batch_workspace : kem->length_keypair_workspace;
      way.request = kem->internal->keypair_request;
      way.seed_length = kem->length_keypair_seed;
      break;
    case KEM_ENCAPS:
      way.operation = batch ? operations->encaps_batch : operations->encaps;
      way.on_stack = batch ? stacks->encaps_batch : stacks->encaps;
      way.needed = batch ? kem->length_encaps_batch_workspace : kem->length_encaps_workspace;
      way.request = kem->internal->encaps_request;
      way.seed_length = kem->length_encaps_seed;
      break;
    case KEM_DECAPS:
      way.operation = batch ? operations->decaps_batch : operations->decaps;
      way.on_stack = batch ? stacks->decaps_batch : stacks->decaps;
      way.needed = batch ? kem->length_decaps_batch_workspace : kem->length_decaps_workspace;
      break;
    case KEM_CHECK_SECRET_KEY:
    case KEM_DERIVE_PUBLIC_KEY:
      way.operation = call->entry == KEM_CHECK_SECRET_KEY ? operations->check_secret_key
                                                          : operations->derive_public_key;
      way.on_stack = stacks->check;
      way.needed = kem->length_check_workspace;
      break;
  }
  return way;
}

bool ckem_kem_draw(const struct kem_call *call, const struct kem_way *way, uint8_t *out) {
  const codekem_options *options = call->options;

  return options->random != NULL ? options->random(options->random_context, out, way->request)
                                 : ckem_random_from_system(NULL, out, way->request);
}

codekem_status ckem_kem_start(struct kem_call *call, const struct kem_way *way) {
  const codekem_options *options = call->options;

  call->operation = way->operation;
  call->backend = ckem_backend_in_use();
  if (call->backend == NULL) {
    return CODEKEM_ERROR_BACKEND;
  }
  if (options->workspace == NULL) {
    return way->on_stack != NULL && ckem_stack_has_room(way->needed + KEM_STACK_MARGIN)
               ? way->on_stack(call)
               : CODEKEM_ERROR_WORKSPACE;
  }
  if (options->workspace_length < way->needed ||
      (uintptr_t)options->workspace % CODEKEM_WORKSPACE_ALIGNMENT != 0) {
    return CODEKEM_ERROR_WORKSPACE;
  }
  return ckem_kem_run(call, options->workspace, way->needed / sizeof(uint64_t));
}

/* --- What every call checks ------------------------------------------------------------------- */

/* No version of the options will have as many bytes: what says so was never set. */
#define MOST_OPTIONS 1024

/* Takes the options of a caller, if they fit the call. */
static codekem_status take_options(struct kem_call *call, const codekem_options *options) {
  static const codekem_options defaults = {.size = sizeof defaults};
  const bool draws = call->entry == KEM_KEYPAIR || call->entry == KEM_ENCAPS;
  const size_t most_lower = call->entry == KEM_DECAPS ? call->kem->internal->most_lower : 0;
  uint8_t unknown = 0;

  call->options = options == NULL ? &defaults : options;
  if (options == NULL) {
    return CODEKEM_OK;
  }
  if (options->size < sizeof *options || options->size > MOST_OPTIONS) {
    return CODEKEM_ERROR_OPTIONS;
  }
  for (size_t i = sizeof *options; i < options->size; i++) {
    unknown |= ((const uint8_t *)options)[i];
  }
  if (unknown != 0 || options->lower_first_threshold > most_lower ||
      (options->workspace == NULL && options->workspace_length != 0) ||
      (options->random == NULL && options->random_context != NULL) ||
      (options->seed != NULL && (options->random != NULL || !draws)) ||
      (options->random != NULL && !draws)) {
    return CODEKEM_ERROR_OPTIONS;
  }
  call->in.seed = options->seed;
  return CODEKEM_OK;
}

/* The memory from the first of the items at a pointer to the end of the last. */
struct span {
  uintptr_t first;
  size_t length;
};

static struct span span_of(const void *at, size_t count, size_t length, size_t stride) {
  struct span span = {(uintptr_t)at, length};

  if (at == NULL || count == 0) {
    span.length = 0;
  } else if (count > 1) {
    const bool fits = stride <= (SIZE_MAX - length) / (count - 1);
    span.length = fits ? (count - 1) * stride + length : SIZE_MAX;
  }
  return span;
}

/* Neither is empty. */
static bool spans_overlap(struct span a, struct span b) {
  return a.first < b.first ? b.first - a.first < a.length : a.first - b.first < b.length;
}

bool ckem_kem_overlaps(const struct kem_call *call) {
  const codekem_kem *kem = call->kem;
  const size_t count = call->batch.count;
  const size_t seed =
      call->entry == KEM_KEYPAIR ? kem->length_keypair_seed : kem->length_encaps_seed;
  const size_t public_key = kem->length_public_key;
  const size_t secret_key = kem->length_secret_key;
  const size_t ciphertext = kem->length_ciphertext;
  const size_t shared_secret = kem->length_shared_secret;
  const struct span spans[] = {
      span_of(call->out.public_key, count, public_key, public_key),
      span_of(call->out.secret_key, count, secret_key, secret_key),
      span_of(call->out.ciphertext, count, ciphertext, ciphertext),
      span_of(call->out.shared_secret, count, shared_secret, shared_secret),
      span_of(call->options->workspace, 1, call->options->workspace_length, 0),
      span_of(call->options, 1, call->options->size, 0),
      span_of(call->in.seed, count, seed, seed),
      span_of(call->in.public_key, count, public_key, call->batch.public_key_stride),
      span_of(call->in.secret_key, count, secret_key, call->batch.secret_key_stride),
      span_of(call->in.ciphertext, count, ciphertext, ciphertext),
  };
  const size_t written = 5; /* of them */

  for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
    if (spans[i].length > UINTPTR_MAX - spans[i].first) {
      return true;
    }
    for (size_t j = 0; spans[i].length != 0 && j < i && j < written; j++) {
      if (spans[j].length != 0 && spans_overlap(spans[i], spans[j])) {
        return true;
      }
    }
  }
  return false;
}

codekem_status ckem_kem_call(struct kem_call *call, bool complete, const codekem_options *options,
                             codekem_status (*run)(struct kem_call *call)) {
  const codekem_kem *kem = call->kem;
  const size_t count = call->batch.count;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  codekem_status status = complete ? take_options(call, options) : CODEKEM_ERROR_NULL;
  if (status == CODEKEM_OK) {
    if (ckem_kem_overlaps(call)) {
      return CODEKEM_ERROR_OVERLAP;
    }
    status = run(call);
  }
  if (status != CODEKEM_OK) {
    clear_output(call->out.public_key, count * kem->length_public_key);
    clear_output(call->out.secret_key, count * kem->length_secret_key);
    clear_output(call->out.ciphertext, count * kem->length_ciphertext);
    clear_output(call->out.shared_secret, count * kem->length_shared_secret);
  }
  return status;
}
