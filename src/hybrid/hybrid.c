/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A KEM and a nominal group as one KEM: the framework UG [HYBRID, 5.3].
 *
 * Its operations call those of the KEM in the same memory, so a hybrid needs the KEM's working
 * memory, and little besides on the stack, which the entry points wipe.
 */
#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "codekem_hybrid.h"
#include "keccak/keccak.h"
#include "kem.h"

#define SCALAR_BYTES CODEKEM_HYBRID_SCALAR
#define SEED_BYTES CODEKEM_HYBRID_SEED
#define MAX_KEM_SECRET 64 /* of a KEM that goes into a hybrid: HQC-256-2023 of codekem-legacy */
#define HYBRID_VERSION "draft-irtf-cfrg-hybrid-kems-12"

/* What stands in codekem_hybrid.state. */
struct hybrid_state {
  struct codekem_kem_internal internal;
  struct kem_stacks stacks;
};

static_assert(sizeof(struct hybrid_state) <= sizeof((codekem_hybrid *)0)->state, "see the header");

/* The secrets of a call that are not in the memory of the KEM. */
struct hybrid_secrets {
  uint8_t seeds[KEM_MAX_REQUEST_BYTES + CODEKEM_HYBRID_MAX_GROUP_SEED]; /* of the KEM, the group */
  uint8_t scalar[SCALAR_BYTES];
  uint8_t of_kem[MAX_KEM_SECRET];
  uint8_t of_group[SCALAR_BYTES];
  struct keccak_sponge sponge;
};

/* A secret key: seed, secret key of the KEM, scalar, public key of the hybrid. */
struct hybrid_layout {
  size_t of_kem, scalar, public_key;
};

static const codekem_hybrid *hybrid_of(const struct kem_call *call) {
  return call->kem->internal->variant;
}

static struct hybrid_layout lay_out_hybrid_key(const codekem_hybrid *hybrid) {
  const size_t scalar = SEED_BYTES + hybrid->post_quantum->length_secret_key;

  return (struct hybrid_layout){SEED_BYTES, scalar, scalar + SCALAR_BYTES};
}

/* Returns a call of the KEM for an operation of its own, without buffers. */
static struct kem_call kem_part_of(const struct kem_call *call) {
  return (struct kem_call){.kem = hybrid_of(call)->post_quantum,
                           .entry = call->entry,
                           .options = call->options,
                           .backend = call->backend,
                           .batch = {.count = 1}};
}

static const struct kem_operations *operations_of_part(const struct kem_call *call) {
  return hybrid_of(call)->post_quantum->internal->operations;
}

/* --- The group -------------------------------------------------------------------------------- */

/* Takes a candidate for a scalar. Returns false if it is 0, or not below the order. */
static bool take_candidate(const codekem_hybrid_group *group, uint8_t *scalar,
                           const uint8_t *candidate) {
  uint32_t borrow = 0;
  uint32_t any = 0;

  memcpy(scalar, candidate, SCALAR_BYTES);
  if (group->order == NULL) {
    return true;
  }
  for (size_t i = SCALAR_BYTES; i-- > 0;) {
    borrow = ((uint32_t)scalar[i] - group->order[i] - borrow) >> 31;
    any |= scalar[i];
  }
  uint32_t good = ct_mask_bit_u32(borrow) & ~ct_mask_zero_u32(any);
  /* Public: that a candidate was refused, which has nothing to do with the one that is taken. */
  ct_declassify(&good, sizeof good);
  return good != 0;
}

/* Draws a scalar from the first length bytes of a seed. */
static bool draw_scalar(const codekem_hybrid_group *group, uint8_t *scalar, const uint8_t *seed,
                        size_t length) {
  for (size_t i = 0; i + SCALAR_BYTES <= length; i += SCALAR_BYTES) {
    if (take_candidate(group, scalar, seed + i)) {
      return true;
    }
  }
  return false;
}

/* Draws the scalar of an encapsulation. Of a seed that comes from a source of randomness only the
 * first candidate was asked for, and if that is refused, which happens once in 2^32 calls, others
 * are: so no call has to have the memory for all. */
static codekem_status draw_fresh_scalar(const struct kem_call *call, uint8_t *scalar) {
  const codekem_hybrid *hybrid = hybrid_of(call);
  const codekem_hybrid_group *group = &hybrid->group;
  const uint8_t *seed = call->in.seed + hybrid->post_quantum->length_encaps_seed;
  const struct kem_way way = {.request = SCALAR_BYTES};
  uint8_t candidate[SCALAR_BYTES];
  codekem_status status = CODEKEM_OK;

  if (call->options->seed != NULL) {
    return draw_scalar(group, scalar, seed, group->length_seed) ? CODEKEM_OK
                                                                : CODEKEM_ERROR_INTERNAL;
  }
  bool good = take_candidate(group, scalar, seed);
  for (size_t tries = group->length_seed / SCALAR_BYTES; !good && status == CODEKEM_OK; tries--) {
    if (tries == 1) {
      status = CODEKEM_ERROR_RANDOM; /* no source gives so many numbers beyond the order */
    } else if (!ckem_kem_draw(call, &way, candidate)) {
      status = CODEKEM_ERROR_RANDOM;
    } else {
      good = take_candidate(group, scalar, candidate);
    }
  }
  ckem_secure_wipe(candidate, sizeof candidate);
  return status;
}

static bool may_be_element(const codekem_hybrid_group *group, const uint8_t *element) {
  return group->first_byte == 0 || element[0] == group->first_byte;
}

static bool make_secret(const codekem_hybrid_group *group, uint8_t *secret, const uint8_t *element,
                        const uint8_t *scalar) {
  return may_be_element(group, element) && group->secret(group->context, secret, element, scalar);
}

/* --- The combiner ----------------------------------------------------------------------------- */

/* SHA3-256 of both secrets, the ciphertext, the public key and the label [HYBRID, 5.1.3]. */
static void combine(const struct kem_call *call, struct hybrid_secrets *secrets,
                    const uint8_t *ciphertext, const uint8_t *public_key) {
  const codekem_hybrid *hybrid = hybrid_of(call);
  const codekem_kem *kem = call->kem;
  struct keccak_sponge *sponge = &secrets->sponge;

  ckem_keccak_init(sponge, call->backend->keccak, SHA3_256_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  ckem_keccak_absorb(sponge, secrets->of_kem, hybrid->post_quantum->length_shared_secret);
  ckem_keccak_absorb(sponge, secrets->of_group, SCALAR_BYTES);
  ckem_keccak_absorb(sponge, ciphertext, kem->length_ciphertext);
  ckem_keccak_absorb(sponge, public_key, kem->length_public_key);
  ckem_keccak_absorb(sponge, (const uint8_t *)hybrid->label, strlen(hybrid->label));
  ckem_keccak_finish(sponge);
  ckem_keccak_squeeze(sponge, call->out.shared_secret, CODEKEM_HYBRID_SHARED_SECRET);
}

/* --- The operations --------------------------------------------------------------------------- */

static codekem_status hybrid_keypair(const struct kem_call *call, struct arena arena) {
  const codekem_hybrid *hybrid = hybrid_of(call);
  const codekem_kem *post_quantum = hybrid->post_quantum;
  const codekem_hybrid_group *group = &hybrid->group;
  const struct hybrid_layout layout = lay_out_hybrid_key(hybrid);
  const size_t length = post_quantum->length_keypair_seed;
  uint8_t *public_key = call->out.public_key;
  uint8_t *secret_key = call->out.secret_key;
  uint8_t *scalar = secret_key + layout.scalar;
  struct kem_call part = kem_part_of(call);
  struct hybrid_secrets secrets;

  memcpy(secret_key, call->in.seed, SEED_BYTES);
  ckem_shake256(call->backend->keccak, secrets.seeds, length + group->length_seed, secret_key,
                SEED_BYTES);
  part.in.seed = secrets.seeds;
  part.out.public_key = public_key;
  part.out.secret_key = secret_key + layout.of_kem;
  codekem_status status = operations_of_part(call)->keypair(&part, arena);
  if (status == CODEKEM_OK &&
      !(draw_scalar(group, scalar, secrets.seeds + length, group->length_seed) &&
        group->element(group->context, public_key + post_quantum->length_public_key, scalar))) {
    status = CODEKEM_ERROR_INTERNAL;
  }
  memcpy(secret_key + layout.public_key, public_key, call->kem->length_public_key);
  ckem_secure_wipe(&secrets, sizeof secrets);
  return status;
}

static codekem_status hybrid_encaps(const struct kem_call *call, struct arena arena) {
  const codekem_hybrid *hybrid = hybrid_of(call);
  const codekem_kem *post_quantum = hybrid->post_quantum;
  const codekem_hybrid_group *group = &hybrid->group;
  const uint8_t *public_key = call->in.public_key;
  const uint8_t *element = public_key + post_quantum->length_public_key;
  uint8_t *ciphertext = call->out.ciphertext;
  struct kem_call part = kem_part_of(call);
  struct hybrid_secrets secrets;

  codekem_status status = draw_fresh_scalar(call, secrets.scalar);
  if (status == CODEKEM_OK &&
      !group->element(group->context, ciphertext + post_quantum->length_ciphertext,
                      secrets.scalar)) {
    status = CODEKEM_ERROR_INTERNAL;
  }
  if (status == CODEKEM_OK && !make_secret(group, secrets.of_group, element, secrets.scalar)) {
    status = CODEKEM_ERROR_PUBLIC_KEY;
  }
  if (status == CODEKEM_OK) {
    part.in.seed = call->in.seed;
    part.in.public_key = public_key;
    part.out.ciphertext = ciphertext;
    part.out.shared_secret = secrets.of_kem;
    status = operations_of_part(call)->encaps(&part, arena);
  }
  if (status == CODEKEM_OK) {
    combine(call, &secrets, ciphertext, public_key);
  }
  ckem_secure_wipe(&secrets, sizeof secrets);
  return status;
}

static codekem_status hybrid_decaps(const struct kem_call *call, struct arena arena) {
  const codekem_hybrid *hybrid = hybrid_of(call);
  const codekem_kem *post_quantum = hybrid->post_quantum;
  const struct hybrid_layout layout = lay_out_hybrid_key(hybrid);
  const uint8_t *ciphertext = call->in.ciphertext;
  const uint8_t *secret_key = call->in.secret_key;
  struct kem_call part = kem_part_of(call);
  struct hybrid_secrets secrets;
  codekem_status status = CODEKEM_ERROR_CIPHERTEXT;

  if (make_secret(&hybrid->group, secrets.of_group, ciphertext + post_quantum->length_ciphertext,
                  secret_key + layout.scalar)) {
    part.in.ciphertext = ciphertext;
    part.in.secret_key = secret_key + layout.of_kem;
    part.out.shared_secret = secrets.of_kem;
    status = operations_of_part(call)->decaps(&part, arena);
  }
  if (status == CODEKEM_OK) {
    combine(call, &secrets, ciphertext, secret_key + layout.public_key);
  }
  ckem_secure_wipe(&secrets, sizeof secrets);
  return status;
}

/* Makes the pair again from its seed, and compares all of it. */
static codekem_status hybrid_check_secret_key(const struct kem_call *call, struct arena arena) {
  const codekem_kem *kem = call->kem;
  const uint8_t *secret_key = call->in.secret_key;
  struct kem_call again = *call;
  uint64_t wrong = 0;

  uint8_t *made = (uint8_t *)arena_take(&arena, ARENA_BYTES_TO_WORDS(kem->length_secret_key));
  again.out.secret_key = made;
  again.out.public_key =
      (uint8_t *)arena_take(&arena, ARENA_BYTES_TO_WORDS(kem->length_public_key));
  again.in.seed = secret_key;
  if (hybrid_keypair(&again, arena) != CODEKEM_OK) {
    return CODEKEM_ERROR_SECRET_KEY;
  }
  for (size_t i = 0; i < kem->length_secret_key; i++) {
    wrong |= made[i] ^ secret_key[i];
  }
  uint64_t good = ct_mask_zero_u64(wrong);
  /* Public: the verdict is what the caller asked for. */
  ct_declassify(&good, sizeof good);
  return good != 0 ? CODEKEM_OK : CODEKEM_ERROR_SECRET_KEY;
}

static codekem_status hybrid_derive_public_key(const struct kem_call *call, struct arena arena) {
  (void)arena;
  memcpy(call->out.public_key, call->in.secret_key + lay_out_hybrid_key(hybrid_of(call)).public_key,
         call->kem->length_public_key);
  return CODEKEM_OK;
}

static bool hybrid_good_public_key(const void *variant, const uint8_t *public_key) {
  const codekem_hybrid *hybrid = variant;
  const struct codekem_kem_internal *internal = hybrid->post_quantum->internal;

  return internal->operations->good_public_key(internal->variant, public_key) &&
         may_be_element(&hybrid->group, public_key + hybrid->post_quantum->length_public_key);
}

static bool hybrid_good_ciphertext(const void *variant, const uint8_t *ciphertext) {
  const codekem_hybrid *hybrid = variant;
  const struct codekem_kem_internal *internal = hybrid->post_quantum->internal;

  return internal->operations->good_ciphertext(internal->variant, ciphertext) &&
         may_be_element(&hybrid->group, ciphertext + hybrid->post_quantum->length_ciphertext);
}

static const struct kem_operations hybrid_operations = {
    .keypair = hybrid_keypair,
    .encaps = hybrid_encaps,
    .decaps = hybrid_decaps,
    .check_secret_key = hybrid_check_secret_key,
    .derive_public_key = hybrid_derive_public_key,
    .good_public_key = hybrid_good_public_key,
    .good_ciphertext = hybrid_good_ciphertext,
};

/* --- A hybrid --------------------------------------------------------------------------------- */

/* The memory of the check is rounded up to one of these; what is larger comes from the caller. */
#define SMALL_CHECK_WORDS (48 * 1024 / 8)
#define MEDIUM_CHECK_WORDS (96 * 1024 / 8)
#define LARGE_CHECK_WORDS ((CODEKEM_MAX_STACK - KEM_STACK_MARGIN) / 8)
KEM_STACK(hybrid_small_check_on_stack, SMALL_CHECK_WORDS);
KEM_STACK(hybrid_medium_check_on_stack, MEDIUM_CHECK_WORDS);
KEM_STACK(hybrid_large_check_on_stack, LARGE_CHECK_WORDS);

static void set_check_memory(codekem_kem *kem, struct kem_stacks *stacks,
                             const codekem_kem *post_quantum) {
  const size_t words = ARENA_BYTES_TO_WORDS(kem->length_secret_key) +
                       ARENA_BYTES_TO_WORDS(kem->length_public_key) +
                       ARENA_BYTES_TO_WORDS(post_quantum->length_keypair_workspace);

  stacks->check = NULL;
  kem->length_check_workspace = 8 * words;
  if (words <= SMALL_CHECK_WORDS) {
    stacks->check = hybrid_small_check_on_stack;
    kem->length_check_workspace = 8 * SMALL_CHECK_WORDS;
  } else if (words <= MEDIUM_CHECK_WORDS) {
    stacks->check = hybrid_medium_check_on_stack;
    kem->length_check_workspace = 8 * MEDIUM_CHECK_WORDS;
  } else if (words <= LARGE_CHECK_WORDS) {
    stacks->check = hybrid_large_check_on_stack;
    kem->length_check_workspace = 8 * LARGE_CHECK_WORDS;
  }
}

/* Puts strings one behind the other, the last of them NULL. Returns false if there is no room. */
static bool join_strings(char *out, size_t room, const char *const strings[]) {
  size_t used = 0;

  for (; *strings != NULL; strings++) {
    const size_t length = strlen(*strings);
    if (length >= room - used) {
      return false;
    }
    memcpy(out + used, *strings, length + 1);
    used += length;
  }
  return true;
}

static bool fits_hybrid(const codekem_kem *post_quantum, const codekem_hybrid_group *group) {
  return post_quantum->length_keypair_seed <= KEM_MAX_REQUEST_BYTES &&
         post_quantum->length_encaps_seed <= KEM_MAX_REQUEST_BYTES - SCALAR_BYTES &&
         post_quantum->length_shared_secret <= MAX_KEM_SECRET &&
         group->length_element <= CODEKEM_HYBRID_MAX_ELEMENT &&
         group->length_seed >= SCALAR_BYTES && group->length_seed % SCALAR_BYTES == 0 &&
         group->length_seed <= CODEKEM_HYBRID_MAX_GROUP_SEED;
}

static void set_lengths(codekem_kem *kem, const codekem_kem *post_quantum,
                        const codekem_hybrid_group *group) {
  *kem = *post_quantum;
  kem->alg_version = HYBRID_VERSION;
  kem->length_public_key += group->length_element;
  kem->length_secret_key += SEED_BYTES + SCALAR_BYTES + kem->length_public_key;
  kem->length_ciphertext += group->length_element;
  kem->length_shared_secret = CODEKEM_HYBRID_SHARED_SECRET;
  kem->length_keypair_seed = SEED_BYTES;
  kem->length_encaps_seed += group->length_seed;
  kem->length_keypair_batch_workspace = kem->length_keypair_workspace;
  kem->length_encaps_batch_workspace = kem->length_encaps_workspace;
  kem->length_decaps_batch_workspace = kem->length_decaps_workspace;
}

codekem_status codekem_hybrid_make(codekem_hybrid *hybrid, const codekem_kem *post_quantum,
                                   const codekem_hybrid_group *group) {
  if (hybrid == NULL || post_quantum == NULL || group == NULL || group->name == NULL ||
      group->element == NULL || group->secret == NULL) {
    clear_output(hybrid, sizeof *hybrid);
    return CODEKEM_ERROR_NULL;
  }
  const codekem_hybrid_group copied = *group; /* which may be the hybrid's own */
  struct hybrid_state *state = (struct hybrid_state *)(void *)hybrid->state;
  const char *const name[] = {post_quantum->method_name, "-", copied.name, NULL};
  const char *const label[] = {"codekem-", hybrid->name, "-UG-v0", NULL};

  memset(hybrid, 0, sizeof *hybrid);
  if (!fits_hybrid(post_quantum, &copied) ||
      !join_strings(hybrid->name, sizeof hybrid->name, name) ||
      !join_strings(hybrid->label, sizeof hybrid->label, label)) {
    memset(hybrid, 0, sizeof *hybrid);
    return CODEKEM_ERROR_OPTIONS;
  }
  hybrid->post_quantum = post_quantum;
  hybrid->group = copied;
  set_lengths(&hybrid->kem, post_quantum, &copied);
  state->stacks = *post_quantum->internal->stacks;
  set_check_memory(&hybrid->kem, &state->stacks, post_quantum);
  state->internal.operations = &hybrid_operations;
  state->internal.variant = hybrid;
  state->internal.stacks = &state->stacks;
  state->internal.keypair_request = SEED_BYTES;
  state->internal.encaps_request = post_quantum->length_encaps_seed + SCALAR_BYTES;
  state->internal.most_lower = post_quantum->internal->most_lower;
  hybrid->kem.method_name = hybrid->name;
  hybrid->kem.internal = &state->internal;
  return CODEKEM_OK;
}
