/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The public interface: the table of all KEMs, argument checks, and the entry points. */
#include "codekem.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "backends.h"
#include "base/bytes.h"
#include "base/entry.h"
#include "base/random.h"
#include "base/stack.h"
#include "base/wipe.h"
#include "kem.h"

const char *codekem_version(void) {
  return CODEKEM_VERSION_STRING;
}

const char *codekem_status_text(codekem_status status) {
  switch (status) {
    case CODEKEM_OK:
      return "success";
    case CODEKEM_ERROR_NULL:
      return "a required pointer is NULL";
    case CODEKEM_ERROR_RANDOM:
      return "the source of randomness failed";
    case CODEKEM_ERROR_WORKSPACE:
      return "the workspace, or the stack of this thread, is too small, or it is not aligned";
    case CODEKEM_ERROR_PUBLIC_KEY:
      return "the public key is malformed";
    case CODEKEM_ERROR_SECRET_KEY:
      return "the secret key is malformed";
    case CODEKEM_ERROR_CIPHERTEXT:
      return "the ciphertext is malformed";
    case CODEKEM_ERROR_BACKEND:
      return "there is no such back end, or this processor cannot run it";
    case CODEKEM_ERROR_INTERNAL:
      return "a helper library failed, or hashing gave nothing of use";
    case CODEKEM_ERROR_OPTIONS:
      return "the options do not fit this call, or their size is not that of the structure";
    case CODEKEM_ERROR_OVERLAP:
      return "a buffer that is written overlaps another one";
  }
  return "unknown status";
}

/* Packages for other languages read members where these are, at the size of their pointers. */
#define CHECK_OFFSET(structure, member, of_4, of_8)                                       \
  static_assert(offsetof(structure, member) == (sizeof(void *) == 4 ? (of_4) : (of_8)) || \
                    sizeof(void *) != sizeof(size_t),                                     \
                #member)
CHECK_OFFSET(codekem_kem, length_public_key, 16, 32);
CHECK_OFFSET(codekem_kem, length_encaps_seed, 36, 72);
CHECK_OFFSET(codekem_kem, length_keypair_workspace, 40, 80);
CHECK_OFFSET(codekem_kem, length_decaps_workspace, 48, 96);
CHECK_OFFSET(codekem_kem, length_check_workspace, 64, 128);
CHECK_OFFSET(codekem_options, seed, 4, 8);
CHECK_OFFSET(codekem_options, random, 8, 16);
CHECK_OFFSET(codekem_options, random_context, 12, 24);
CHECK_OFFSET(codekem_options, workspace, 16, 32);
CHECK_OFFSET(codekem_options, workspace_length, 20, 40);

#define KEM(object, name) extern const codekem_kem object;
#include "kems.def"
#undef KEM

/* The KEMs of a build can be chosen with CMake's option CODEKEM_KEMS. */
static const codekem_kem *const kems[] = {
#if defined(CODEKEM_KEM_LIST)
    CODEKEM_KEM_LIST
#else
#define KEM(object, name) &object,
#include "kems.def"
#undef KEM
#endif
};

size_t codekem_kem_count(void) {
  return sizeof kems / sizeof kems[0];
}

const codekem_kem *codekem_kem_at(size_t index) {
  return index < codekem_kem_count() ? kems[index] : NULL;
}

const codekem_kem *codekem_kem_find(const char *name) {
  for (size_t i = 0; name != NULL && i < codekem_kem_count(); i++) {
    if (strcmp(codekem_kem_at(i)->method_name, name) == 0) {
      return codekem_kem_at(i);
    }
  }
  return NULL;
}

void codekem_wipe(void *buffer, size_t length) {
  if (buffer != NULL) {
    ckem_secure_wipe(buffer, length);
  }
}

bool codekem_random_system(void *context, uint8_t *out, size_t length) {
  const bool good = out != NULL && ckem_random_from_system(context, out, length);

  if (!good) {
    clear_output(out, length);
  }
  return good;
}

/* --- Running a call --------------------------------------------------------------------------- */

codekem_status ckem_kem_run(const struct kem_call *call, uint64_t *words, size_t count) {
  const uint64_t before = ckem_entry_begin();
  const struct arena arena = {words, count};
  const codekem_status status = call->operation(call, arena);

  ckem_secure_wipe(words, count * sizeof *words);
  entry_end(before);
  return status;
}

struct kem_way ckem_kem_way(const struct kem_call *call, bool batch) {
  const codekem_kem *kem = call->kem;
  const struct kem_operations *operations = kem->internal->operations;
  const struct kem_stacks *stacks = kem->internal->stacks;
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
  if (unknown != 0 || (options->workspace == NULL && options->workspace_length != 0) ||
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

static bool spans_overlap(struct span a, struct span b) {
  if (a.length == 0 || b.length == 0) {
    return false;
  }
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
    bool bad = spans[i].length > UINTPTR_MAX - spans[i].first;
    for (size_t j = 0; j < i && j < written; j++) {
      bad = bad || spans_overlap(spans[i], spans[j]);
    }
    if (bad) {
      return true;
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

/* --- The entry points ------------------------------------------------------------------------- */

/* Runs a call of one operation, with a seed drawn for it if it needs one and has none. */
static codekem_status run_one(struct kem_call *call) {
  const struct kem_way way = ckem_kem_way(call, false);
  uint8_t seed[KEM_MAX_REQUEST_BYTES];
  codekem_status status = CODEKEM_ERROR_RANDOM;

  if (way.request == 0 || call->in.seed != NULL) {
    return ckem_kem_start(call, &way);
  }
  if (ckem_kem_draw(call, &way, seed)) {
    call->in.seed = seed;
    status = ckem_kem_start(call, &way);
    call->in.seed = NULL;
  }
  ckem_secure_wipe(seed, sizeof seed);
  return status;
}

codekem_status codekem_kem_keypair_with(const codekem_kem *kem, uint8_t *public_key,
                                        uint8_t *secret_key, const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_KEYPAIR,
                          .out = {.public_key = public_key, .secret_key = secret_key},
                          .batch = {.count = 1}};
  return ckem_kem_call(&call, public_key != NULL && secret_key != NULL, options, run_one);
}

codekem_status codekem_kem_encaps_with(const codekem_kem *kem, uint8_t *ciphertext,
                                       uint8_t *shared_secret, const uint8_t *public_key,
                                       const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_ENCAPS,
                          .out = {.ciphertext = ciphertext, .shared_secret = shared_secret},
                          .in = {.public_key = public_key},
                          .batch = {.count = 1}};
  return ckem_kem_call(&call, ciphertext != NULL && shared_secret != NULL && public_key != NULL,
                       options, run_one);
}

codekem_status codekem_kem_decaps_with(const codekem_kem *kem, uint8_t *shared_secret,
                                       const uint8_t *ciphertext, const uint8_t *secret_key,
                                       const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_DECAPS,
                          .out = {.shared_secret = shared_secret},
                          .in = {.ciphertext = ciphertext, .secret_key = secret_key},
                          .batch = {.count = 1}};
  return ckem_kem_call(&call, shared_secret != NULL && ciphertext != NULL && secret_key != NULL,
                       options, run_one);
}

codekem_status codekem_kem_check_secret_key_with(const codekem_kem *kem, const uint8_t *secret_key,
                                                 const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_CHECK_SECRET_KEY,
                          .in = {.secret_key = secret_key},
                          .batch = {.count = 1}};
  return ckem_kem_call(&call, secret_key != NULL, options, run_one);
}

codekem_status codekem_kem_derive_public_key_with(const codekem_kem *kem, uint8_t *public_key,
                                                  const uint8_t *secret_key,
                                                  const codekem_options *options) {
  struct kem_call call = {.kem = kem,
                          .entry = KEM_DERIVE_PUBLIC_KEY,
                          .out = {.public_key = public_key},
                          .in = {.secret_key = secret_key},
                          .batch = {.count = 1}};
  return ckem_kem_call(&call, public_key != NULL && secret_key != NULL, options, run_one);
}

codekem_status codekem_kem_keypair(const codekem_kem *kem, uint8_t *public_key,
                                   uint8_t *secret_key) {
  return codekem_kem_keypair_with(kem, public_key, secret_key, NULL);
}

codekem_status codekem_kem_encaps(const codekem_kem *kem, uint8_t *ciphertext,
                                  uint8_t *shared_secret, const uint8_t *public_key) {
  return codekem_kem_encaps_with(kem, ciphertext, shared_secret, public_key, NULL);
}

codekem_status codekem_kem_decaps(const codekem_kem *kem, uint8_t *shared_secret,
                                  const uint8_t *ciphertext, const uint8_t *secret_key) {
  return codekem_kem_decaps_with(kem, shared_secret, ciphertext, secret_key, NULL);
}

codekem_status codekem_kem_check_secret_key(const codekem_kem *kem, const uint8_t *secret_key) {
  return codekem_kem_check_secret_key_with(kem, secret_key, NULL);
}

codekem_status codekem_kem_derive_public_key(const codekem_kem *kem, uint8_t *public_key,
                                             const uint8_t *secret_key) {
  return codekem_kem_derive_public_key_with(kem, public_key, secret_key, NULL);
}

codekem_status codekem_kem_check_public_key(const codekem_kem *kem, const uint8_t *public_key) {
  if (kem == NULL || public_key == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  return kem->internal->operations->good_public_key(kem->internal->variant, public_key)
             ? CODEKEM_OK
             : CODEKEM_ERROR_PUBLIC_KEY;
}

codekem_status codekem_kem_check_ciphertext(const codekem_kem *kem, const uint8_t *ciphertext) {
  if (kem == NULL || ciphertext == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  return kem->internal->operations->good_ciphertext(kem->internal->variant, ciphertext)
             ? CODEKEM_OK
             : CODEKEM_ERROR_CIPHERTEXT;
}
