/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public interface: the table of KEMs in shares, what every call checks, and its memory. */
#include "codekem_masked.h"

#include <assert.h>
#include <stdalign.h>

#include "backends.h"
#include "base/bytes.h"
#include "base/entry.h"
#include "base/random.h"
#include "base/stack.h"
#include "base/wipe.h"
#include "hqc/hqc_kems.h"
#include "masked/operations.h"

static_assert(CODEKEM_MASKED_SHARES == MASKED_SHARES && MASKED_ORDER >= 1 && MASKED_ORDER <= 3,
              "the order of the build");

#define MAX_SEED \
  (CODEKEM_MAX_ENCAPS_SEED > HQC_SEED_BYTES ? CODEKEM_MAX_ENCAPS_SEED : HQC_SEED_BYTES)

enum masked_entry {
  MASKED_KEYPAIR,
  MASKED_IMPORT,
  MASKED_REFRESH,
  MASKED_ENCAPS,
  MASKED_DECAPS,
};

/* A call of an entry point; buffers that it does not have are NULL. */
struct masked_request {
  const codekem_masked_kem *kem;
  enum masked_entry entry;
  const codekem_masked_options *options;
  const struct backend *backend;
  uint8_t *public_key, *secret_key, *ciphertext, *shared_secret;
  const uint8_t *public_key_in, *secret_key_in, *plain_key_in, *ciphertext_in;
};

typedef codekem_status masked_on_stack(const struct masked_request *request);

struct codekem_masked_internal {
  const struct hqc_params *params;
  masked_on_stack *on_stack;
};

/* --- A call in its memory --------------------------------------------------------------------- */

/* The bytes of a seed that a call draws, in one share. */
static size_t seed_length_of(const struct masked_request *request) {
  const codekem_kem *kem = request->kem->kem;

  return request->entry == MASKED_KEYPAIR  ? kem->length_keypair_seed
         : request->entry == MASKED_ENCAPS ? kem->length_encaps_seed
                                           : 0;
}

/* Draws bytes from the source of seeds. */
static bool draw_seed(const codekem_masked_options *options, uint8_t *out, size_t length) {
  return options->random != NULL ? options->random(options->random_context, out, length)
                                 : ckem_random_from_system(NULL, out, length);
}

/* Starts the masks of a call from the source of masks, or from that of seeds. */
static bool start_masks(struct masks *masks, const codekem_masked_options *options) {
  uint8_t seed[MASKS_SEED_BYTES];
  const bool good = options->masks != NULL
                        ? options->masks(options->masks_context, seed, sizeof seed)
                        : draw_seed(options, seed, sizeof seed);

  if (good) {
    ckem_masks_init(masks, seed, options->masks, options->masks_context);
  }
  ckem_secure_wipe(seed, sizeof seed);
  return good;
}

static bool run_masked_operation(const struct masked_request *request,
                                 const struct masked_call *call, const uint8_t *seed) {
  switch (request->entry) {
    case MASKED_KEYPAIR:
      return ckem_masked_hqc_keypair(call, request->public_key, request->secret_key, seed);
    case MASKED_IMPORT:
      return ckem_masked_hqc_import(call, request->secret_key, request->plain_key_in);
    case MASKED_REFRESH:
      return ckem_masked_hqc_refresh(call, request->secret_key);
    case MASKED_ENCAPS:
      return ckem_masked_hqc_encaps(call, request->ciphertext, request->shared_secret,
                                    request->public_key_in, seed);
    case MASKED_DECAPS:
      return ckem_masked_hqc_decaps(call, request->shared_secret, request->ciphertext_in,
                                    request->secret_key_in);
  }
  return false;
}

static codekem_status run_in_arena(const struct masked_request *request, struct arena arena) {
  uint8_t seed[MASKED_SHARES * MAX_SEED];
  const size_t seed_length = MASKED_SHARES * seed_length_of(request);
  const uint8_t *given = request->options->seed;
  struct masked_call call = {.params = request->kem->internal->params,
                             .backend = request->backend,
                             .small = (struct masked_small *)(void *)arena_take(
                                 &arena, ARENA_BYTES_TO_WORDS(sizeof(struct masked_small)))};
  codekem_status status = CODEKEM_ERROR_RANDOM;

  call.arena = arena;
  if (start_masks(&call.small->masks, request->options) &&
      (seed_length == 0 || given != NULL || draw_seed(request->options, seed, seed_length))) {
    const bool good = run_masked_operation(request, &call, given != NULL ? given : seed);
    status = call.small->masks.failed ? CODEKEM_ERROR_RANDOM
             : good                   ? CODEKEM_OK
                                      : CODEKEM_ERROR_INTERNAL;
  }
  ckem_secure_wipe(seed, sizeof seed);
  return status;
}

/* Runs a call in words[count] and wipes them. */
static codekem_status run_masked_call(const struct masked_request *request, uint64_t *words,
                                      size_t count) {
  const uint64_t before = ckem_entry_begin();
  const struct arena arena = {words, count};
  const codekem_status status = run_in_arena(request, arena);

  ckem_secure_wipe(words, count * sizeof *words);
  entry_end(before);
  return status;
}

/* --- The KEMs --------------------------------------------------------------------------------- */

#define LEVEL_WORDS(level)                                                  \
  MASKED_WORKSPACE_WORDS(HQC_N_##level, HQC_N1_##level, HQC_COPIES_##level, \
                         MASKED_LARGER(HQC_WEIGHT_##level, HQC_WEIGHT_R_##level))

#define DEFINE_MASKED(level)                                                                   \
  static_assert(8 * LEVEL_WORDS(level) + KEM_STACK_MARGIN <= CODEKEM_MAX_STACK, "the stack");  \
  static_assert(CODEKEM_MASKED_MAX_SECRET_KEY >=                                               \
                    MASKED_SECRET_KEY_BYTES(HQC_N_##level, HQC_K_##level),                     \
                "secret keys");                                                                \
  extern const codekem_kem ckem_hqc_##level;                                                   \
  static codekem_status masked_level##level##_on_stack(const struct masked_request *request) { \
    alignas(CODEKEM_WORKSPACE_ALIGNMENT) uint64_t words[LEVEL_WORDS(level)];                   \
    return run_masked_call(request, words, LEVEL_WORDS(level));                                \
  }                                                                                            \
  static const struct codekem_masked_internal masked_level##level##_internal = {               \
      .params = &ckem_hqc_level##level,                                                        \
      .on_stack = masked_level##level##_on_stack,                                              \
  };                                                                                           \
  static const codekem_masked_kem masked_level##level = {                                      \
      .kem = &ckem_hqc_##level,                                                                \
      .shares = MASKED_SHARES,                                                                 \
      .length_secret_key = MASKED_SECRET_KEY_BYTES(HQC_N_##level, HQC_K_##level),              \
      .length_shared_secret = MASKED_SHARES * HQC_SECRET_BYTES,                                \
      .length_workspace = 8 * LEVEL_WORDS(level),                                              \
      .internal = &masked_level##level##_internal,                                             \
  };
HQC_LEVELS(DEFINE_MASKED)

const codekem_masked_kem *codekem_masked_find(const char *name) {
#define LISTED(level) &masked_level##level,
  static const codekem_masked_kem *const kems[] = {HQC_LEVELS(LISTED)};
#undef LISTED

  for (size_t i = 0; name != NULL && i < sizeof kems / sizeof kems[0]; i++) {
    if (strcmp(kems[i]->kem->method_name, name) == 0) {
      return kems[i];
    }
  }
  return NULL;
}

/* --- What every call checks ------------------------------------------------------------------- */

static bool fits_options(const struct masked_request *request) {
  const codekem_masked_options *options = request->options;
  const bool draws = seed_length_of(request) != 0;

  return options->size == sizeof *options &&
         (options->workspace != NULL || options->workspace_length == 0) &&
         (options->random != NULL || options->random_context == NULL) &&
         (options->masks != NULL || options->masks_context == NULL) &&
         (options->seed == NULL || draws);
}

struct buffer {
  const void *at;
  size_t length;
};

/* Whether one of the first written buffers overlaps another; where there is none, it is NULL. */
static bool buffers_overlap(const struct buffer *buffers, size_t count, size_t written) {
  for (size_t i = 0; i < count; i++) {
    const uintptr_t first = (uintptr_t)buffers[i].at;
    if (buffers[i].at == NULL || buffers[i].length == 0) {
      continue;
    }
    if (buffers[i].length > UINTPTR_MAX - first) {
      return true;
    }
    for (size_t j = 0; j < i && j < written; j++) {
      const uintptr_t other = (uintptr_t)buffers[j].at;
      const bool apart =
          first < other ? other - first >= buffers[i].length : first - other >= buffers[j].length;
      if (buffers[j].at != NULL && buffers[j].length != 0 && !apart) {
        return true;
      }
    }
  }
  return false;
}

static bool masked_call_overlaps(const struct masked_request *r) {
  const codekem_masked_kem *kem = r->kem;
  const struct buffer buffers[] = {
      {r->public_key, kem->kem->length_public_key},
      {r->secret_key, kem->length_secret_key},
      {r->ciphertext, kem->kem->length_ciphertext},
      {r->shared_secret, kem->length_shared_secret},
      {r->options->workspace, r->options->workspace_length},
      {r->options, sizeof *r->options},
      {r->options->seed, MASKED_SHARES * seed_length_of(r)},
      {r->public_key_in, kem->kem->length_public_key},
      {r->secret_key_in, kem->length_secret_key},
      {r->plain_key_in, kem->kem->length_secret_key},
      {r->ciphertext_in, kem->kem->length_ciphertext},
  };

  return buffers_overlap(buffers, sizeof buffers / sizeof buffers[0], 5);
}

static codekem_status start_masked_call(struct masked_request *request) {
  const codekem_masked_options *options = request->options;
  const codekem_masked_kem *kem = request->kem;

  request->backend = ckem_backend_in_use();
  if (request->backend == NULL) {
    return CODEKEM_ERROR_BACKEND;
  }
  if (options->workspace == NULL) {
    return ckem_stack_has_room(kem->length_workspace + KEM_STACK_MARGIN)
               ? kem->internal->on_stack(request)
               : CODEKEM_ERROR_WORKSPACE;
  }
  if (options->workspace_length < kem->length_workspace ||
      (uintptr_t)options->workspace % CODEKEM_WORKSPACE_ALIGNMENT != 0) {
    return CODEKEM_ERROR_WORKSPACE;
  }
  return run_masked_call(request, options->workspace, kem->length_workspace / sizeof(uint64_t));
}

static codekem_status masked_call(struct masked_request *request, bool complete,
                                  const codekem_masked_options *options) {
  static const codekem_masked_options defaults = {.size = sizeof defaults};
  const codekem_masked_kem *kem = request->kem;
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  request->options = options == NULL ? &defaults : options;
  if (complete) {
    status = CODEKEM_ERROR_OPTIONS;
    if (fits_options(request)) {
      if (masked_call_overlaps(request)) {
        return CODEKEM_ERROR_OVERLAP;
      }
      status = start_masked_call(request);
    }
  }
  if (status != CODEKEM_OK) {
    clear_output(request->public_key, kem->kem->length_public_key);
    clear_output(request->ciphertext, kem->kem->length_ciphertext);
    clear_output(request->shared_secret, kem->length_shared_secret);
    if (request->entry != MASKED_REFRESH) { /* that key is still good */
      clear_output(request->secret_key, kem->length_secret_key);
    }
  }
  return status;
}

codekem_status codekem_masked_keypair(const codekem_masked_kem *kem, uint8_t *public_key,
                                      uint8_t *secret_key, const codekem_masked_options *options) {
  struct masked_request request = {
      .kem = kem, .entry = MASKED_KEYPAIR, .public_key = public_key, .secret_key = secret_key};

  return masked_call(&request, public_key != NULL && secret_key != NULL, options);
}

codekem_status codekem_masked_import_key(const codekem_masked_kem *kem, uint8_t *masked_key,
                                         const uint8_t *secret_key,
                                         const codekem_masked_options *options) {
  struct masked_request request = {
      .kem = kem, .entry = MASKED_IMPORT, .secret_key = masked_key, .plain_key_in = secret_key};

  return masked_call(&request, masked_key != NULL && secret_key != NULL, options);
}

codekem_status codekem_masked_refresh_key(const codekem_masked_kem *kem, uint8_t *masked_key,
                                          const codekem_masked_options *options) {
  struct masked_request request = {.kem = kem, .entry = MASKED_REFRESH, .secret_key = masked_key};

  return masked_call(&request, masked_key != NULL, options);
}

codekem_status codekem_masked_encaps(const codekem_masked_kem *kem, uint8_t *ciphertext,
                                     uint8_t *shared_secret, const uint8_t *public_key,
                                     const codekem_masked_options *options) {
  struct masked_request request = {.kem = kem,
                                   .entry = MASKED_ENCAPS,
                                   .ciphertext = ciphertext,
                                   .shared_secret = shared_secret,
                                   .public_key_in = public_key};

  return masked_call(&request, ciphertext != NULL && shared_secret != NULL && public_key != NULL,
                     options);
}

codekem_status codekem_masked_decaps(const codekem_masked_kem *kem, uint8_t *shared_secret,
                                     const uint8_t *ciphertext, const uint8_t *masked_key,
                                     const codekem_masked_options *options) {
  struct masked_request request = {.kem = kem,
                                   .entry = MASKED_DECAPS,
                                   .shared_secret = shared_secret,
                                   .ciphertext_in = ciphertext,
                                   .secret_key_in = masked_key};

  return masked_call(&request, shared_secret != NULL && ciphertext != NULL && masked_key != NULL,
                     options);
}

void codekem_masked_join(uint8_t *out, const uint8_t *shares, size_t length) {
  if (out == NULL || shares == NULL) {
    return;
  }
  for (size_t i = 0; i < length; i++) {
    uint8_t value = 0;
    for (size_t s = 0; s < MASKED_SHARES; s++) {
      value ^= shares[s * length + i];
    }
    out[i] = value;
  }
}
