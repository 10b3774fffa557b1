/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * What a scheme gives to the entry points of codekem.c: its operations, and the memory of each.
 *
 * The way down from codekem_kem_decaps, say, without a workspace:
 *   codekem_kem_decaps_with      (codekem.c) describes the call
 *   ckem_kem_call                (call.c)    checks arguments and options, clears after a failure
 *   ckem_kem_start               (call.c)    takes the back end, chooses where the memory is
 *   bike_level1_decaps_on_stack  (bike_kems.c, by KEM_STACK) has the memory on its stack
 *   ckem_kem_run                 (call.c)    calls the operation, and wipes the memory
 *   ckem_bike_decaps             (bike.c)
 */
#ifndef CODEKEM_KEM_H
#define CODEKEM_KEM_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/backend.h"
#include "codekem.h"

/* Builds for small devices do batches one after the other, and have neither code nor memory for
 * them. Nor do they name what they lack: without optimization that would have to be there. */
#if defined(CODEKEM_SMALL) || defined(CODEKEM_NO_BATCHES)
#define KEM_BATCHES 0
#define KEM_BATCH(function) NULL
#else
#define KEM_BATCHES 1
#define KEM_BATCH(function) (function)
#endif

struct kem_call;

/* Does what a call asks for, in the memory of an arena. */
typedef codekem_status kem_operation(const struct kem_call *call, struct arena arena);

/* Runs a call with memory from the stack, as much as its operation needs. */
typedef codekem_status kem_on_stack(const struct kem_call *call);

/* What entry points do. */
enum kem_entry {
  KEM_KEYPAIR,
  KEM_ENCAPS,
  KEM_DECAPS,
  KEM_CHECK_SECRET_KEY,
  KEM_DERIVE_PUBLIC_KEY,
};

/* One call of an entry point. Buffers that the operation does not have are NULL. */
struct kem_call {
  const codekem_kem *kem;
  enum kem_entry entry;
  const codekem_options *options; /* checked, never NULL */
  const struct backend *backend;
  kem_operation *operation;
  struct {
    uint8_t *public_key;
    uint8_t *secret_key;
    uint8_t *ciphertext;
    uint8_t *shared_secret;
  } out;
  struct {
    const uint8_t *seed;
    const uint8_t *public_key;
    const uint8_t *secret_key;
    const uint8_t *ciphertext;
  } in;
  /* The pointers above are those of the first of count operations, 1 where it is no batch. The
   * others follow at the lengths of the KEM, but for input keys: they are strides apart, 0 where
   * all are one. */
  struct {
    size_t count;
    size_t public_key_stride;
    size_t secret_key_stride;
  } batch;
};

/* The operations of a scheme. Each finds its buffers in call->out and call->in, the scheme's own
 * description of the KEM in call->kem->internal->variant, and in the arena at least the
 * length_*_workspace that the KEM states. The checks of public keys and of ciphertexts need no
 * memory. */
struct kem_operations {
  kem_operation *keypair;          /* seed to public_key, secret_key */
  kem_operation *encaps;           /* public_key, seed to ciphertext, shared_secret */
  kem_operation *decaps;           /* ciphertext, secret_key to shared_secret */
  kem_operation *check_secret_key; /* secret_key */
  kem_operation *derive_public_key; /* secret_key to public_key */
  /* The same for batches of two and more; where one is NULL, the batch is one call after the other.
   * The results are those of single calls, bit for bit. */
  kem_operation *keypair_batch;
  kem_operation *encaps_batch;
  kem_operation *decaps_batch;
  bool (*good_public_key)(const void *variant, const uint8_t *public_key);
  bool (*good_ciphertext)(const void *variant, const uint8_t *ciphertext);
};

/* The functions with the stack of each operation; NULL where no stack holds what it needs. */
struct kem_stacks {
  kem_on_stack *keypair;
  kem_on_stack *encaps;
  kem_on_stack *decaps;
  kem_on_stack *check; /* of check_secret_key and derive_public_key */
  kem_on_stack *keypair_batch;
  kem_on_stack *encaps_batch;
  kem_on_stack *decaps_batch;
};

/* The largest request of any KEM to a source of randomness: HQC-256-2023 of codekem-legacy. */
#define KEM_MAX_REQUEST_BYTES 112

struct codekem_kem_internal {
  const struct kem_operations *operations;
  const void *variant;
  const struct kem_stacks *stacks;
  size_t keypair_request; /* bytes that keypair and encaps ask of a source of randomness; */
  size_t encaps_request; /* the seed is the first of them */
  size_t most_lower; /* of lower_first_threshold in the options of a decapsulation */
};

/* Runs the operation of a call in words[count] and wipes them. */
codekem_status ckem_kem_run(const struct kem_call *call, uint64_t *words, size_t count);

/* --- For entry points ------------------------------------------------------------------------- */

/* An operation of a KEM, its stack, and the bytes of memory that it needs; then the bytes that it
 * asks of a source of randomness, and those of them that are the seed: 0 if it draws none. */
struct kem_way {
  kem_operation *operation;
  kem_on_stack *on_stack;
  size_t needed;
  size_t request;
  size_t seed_length;
};

/* Returns the way of a call. For a batch, in builds that have them, the operation is NULL if the
 * scheme has none for many. */
struct kem_way ckem_kem_way(const struct kem_call *call, bool for_batch);

/* Fills out[way->request] from the source of the call. Returns false if it failed. */
bool ckem_kem_draw(const struct kem_call *call, const struct kem_way *way, uint8_t *out);

/* Takes the back end in use and runs a call in its workspace or, without one, on the stack. Errors:
 * CODEKEM_ERROR_BACKEND, CODEKEM_ERROR_WORKSPACE, and those of the operation. */
codekem_status ckem_kem_start(struct kem_call *call, const struct kem_way *way);

/* Returns true if what the call writes overlaps another of its buffers, or if no memory holds them:
 * by the addresses and lengths alone. */
bool ckem_kem_overlaps(const struct kem_call *call);

/* Does what every entry point does around run, which may rely on call: checks that there is a KEM
 * and that the call is complete, takes the options, refuses buffers that overlap, and zeroes the
 * outputs after another failure. */
codekem_status ckem_kem_call(struct kem_call *call, bool complete, const codekem_options *options,
                             codekem_status (*run)(struct kem_call *call));

/* The stack beside the words that a call may use: frames, and what is wiped below them. */
#define KEM_STACK_MARGIN 16384

/* Defines the function name, which runs a call in words_ 64-bit words of its stack. */
#define KEM_STACK(name, words_)                                             \
  static_assert(8 * (words_) + KEM_STACK_MARGIN <= CODEKEM_MAX_STACK,       \
                #name " takes more stack than the public header promises"); \
  static codekem_status name(const struct kem_call *call) {                 \
    alignas(CODEKEM_WORKSPACE_ALIGNMENT) uint64_t words[words_];            \
    return ckem_kem_run(call, words, words_);                               \
  }                                                                         \
  static_assert(1, "so that a semicolon may follow")

/* The same for a batch. */
#if KEM_BATCHES
#define KEM_BATCH_STACK(name, words_) KEM_STACK(name, words_)
#else
#define KEM_BATCH_STACK(name, words_) static_assert(1, "no code for batches")
#endif

#endif
