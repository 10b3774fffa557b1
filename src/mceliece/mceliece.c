/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encapsulation and decapsulation of Classic McEliece [MCE, 6 to 8]. */
#include "mceliece/mceliece.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"

void ckem_mceliece_open_stream(struct keccak_sponge *stream, const struct keccak_ops *keccak,
                               const uint8_t *seed) {
  const uint8_t prefix = 3; /* not used elsewhere */

  ckem_keccak_init(stream, keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_keccak_absorb(stream, &prefix, 1);
  ckem_keccak_absorb(stream, seed, MCELIECE_SEED_BYTES);
  ckem_keccak_finish(stream);
}

bool ckem_mceliece_random_from_stream(void *context, uint8_t *out, size_t length) {
  ckem_keccak_squeeze(context, out, length);
  return true;
}

codekem_status ckem_mceliece_encaps(const struct mceliece_variant *variant,
                                    const struct backend *backend, uint8_t *ciphertext,
                                    uint8_t *shared_secret, const uint8_t *public_key,
                                    codekem_random_function random, void *context,
                                    struct arena arena) {
#if PROFILE_M4_ONLY
  if (MCELIECE_ENCAPS_M4_HAS(variant->params->m, variant->params->t)) {
    return ckem_mceliece_encaps_m4(variant, backend, ciphertext, shared_secret, public_key, random,
                                   context, arena);
  }
#endif
  const struct mceliece_params *params = variant->params;
  const struct mceliece_ops *ops = ckem_mceliece_ops_of(backend);
  struct mceliece_encaps_memory *memory =
      (struct mceliece_encaps_memory *)arena_take(&arena, MCELIECE_ENCAPS_WORDS);
  const codekem_status status = ckem_mceliece_draw_error(
      params, ops, memory->encoder.error, mceliece_draw_memory(&memory->encoder), random, context);

  if (status != CODEKEM_OK) {
    return status;
  }
  ckem_mceliece_encoder_begin(&memory->encoder, params);
  ckem_mceliece_encoder_absorb(&memory->encoder, params, ops, public_key,
                               mceliece_public_key_bytes(params));
  return ckem_mceliece_encoder_end(&memory->encoder, variant, backend->keccak, &memory->sponge,
                                   ciphertext, shared_secret)
             ? CODEKEM_OK
             : CODEKEM_ERROR_PUBLIC_KEY;
}

codekem_status ckem_mceliece_encaps_derand(const struct kem_call *call, struct arena arena) {
  const struct mceliece_variant *variant = call->kem->internal->variant;
  struct keccak_sponge *stream = (struct keccak_sponge *)arena.next;

  /* ckem_mceliece_encaps_m4 takes that memory only after the stream was read. */
  if (!PROFILE_M4_ONLY || !MCELIECE_ENCAPS_M4_HAS(variant->params->m, variant->params->t)) {
    arena_take(&arena, MCELIECE_STREAM_WORDS);
  }
  ckem_mceliece_open_stream(stream, call->backend->keccak, call->in.seed);
  return ckem_mceliece_encaps(variant, call->backend, call->out.ciphertext, call->out.shared_secret,
                              call->in.public_key, ckem_mceliece_random_from_stream, stream, arena);
}

static struct mceliece_decaps_memory *take_decaps_memory(struct arena *arena) {
  return (struct mceliece_decaps_memory *)arena_take(
      arena, ARENA_BYTES_TO_WORDS(sizeof(struct mceliece_decaps_memory)));
}

/* From the error in memory, and the verdict of the decoder, to the shared secret. */
static void finish_decaps(const struct mceliece_variant *variant, const struct backend *backend,
                          struct mceliece_decaps_memory *memory, uint64_t genuine,
                          uint8_t *shared_secret, const uint8_t *ciphertext,
                          const uint8_t *rejection) {
  const struct mceliece_params *params = variant->params;
  const size_t error_bytes = mceliece_error_bytes(params);
  uint8_t *error = (uint8_t *)memory->error;

  for (size_t i = 0; i < MCELIECE_ERROR_WORDS; i++) {
    store_le64(error + 8 * i, memory->error[i]); /* in place */
  }
  if (variant->confirms) {
    const uint8_t *confirmation = ciphertext + mceliece_syndrome_bytes(params);
    uint64_t differences = 0;

    ckem_mceliece_hash(backend->keccak, &memory->sponge, memory->confirmation, 2, error,
                       error_bytes, NULL, 0);
    for (size_t i = 0; i < MCELIECE_HASH_BYTES; i++) {
      differences |= (uint64_t)(memory->confirmation[i] ^ confirmation[i]);
    }
    genuine &= ct_mask_zero_u64(differences);
  }
  for (size_t i = 0; i < error_bytes; i++) {
    error[i] = (uint8_t)ct_select_u32((uint32_t)genuine, error[i], rejection[i]);
  }
  ckem_mceliece_hash(backend->keccak, &memory->sponge, shared_secret, (uint8_t)(genuine & 1), error,
                     error_bytes, ciphertext, mceliece_ciphertext_bytes(variant));
}

#if defined(CODEKEM_HAVE_M4)
/* The parts of a key, and its weights or NULL. */
struct m4_key {
  const uint32_t *weights;
  const uint8_t *goppa, *control, *rejection;
};

/* In the memory of one vector and little more: the error, and all that comes after it, takes the
 * place of the vector. */
static codekem_status decaps_m4(const struct mceliece_variant *variant,
                                const struct backend *backend, uint8_t *shared_secret,
                                const uint8_t *ciphertext, const struct m4_key *key,
                                struct arena arena) {
  const struct mceliece_params *params = variant->params;
  uint64_t *vector = arena_take(&arena, MCELIECE_VECTOR_M4_WORDS(params->m));
  uint64_t *side = arena.next;

  static_assert(offsetof(struct mceliece_decaps_memory, error) == 0 &&
                    sizeof(struct mceliece_decaps_memory) <= 8 * MCELIECE_VECTOR_M4_WORDS(12),
                "the error is in front of the vector");
  if (!ckem_mceliece_check_ciphertext(variant, ciphertext)) {
    return CODEKEM_ERROR_CIPHERTEXT;
  }
  if (key->weights != NULL) {
    memcpy(vector, key->weights, 4 * GF2M_M4_FIELD_WORDS(params->m));
  } else {
    ckem_mceliece_weights_m4(params, (uint32_t *)vector, key->goppa, side);
  }
  const uint64_t genuine = ckem_mceliece_decode_m4(params, (uint32_t *)vector, key->goppa,
                                                   key->control, ciphertext, side);
  finish_decaps(variant, backend, (struct mceliece_decaps_memory *)vector, genuine, shared_secret,
                ciphertext, key->rejection);
  return CODEKEM_OK;
}
#endif

codekem_status ckem_mceliece_decaps_with(const struct mceliece_variant *variant,
                                         const struct backend *backend, uint8_t *shared_secret,
                                         const uint8_t *ciphertext, const uint64_t *prepared,
                                         const uint8_t *rejection, struct arena arena) {
#if defined(CODEKEM_HAVE_M4)
  if (PROFILE_M4_ONLY || backend->id == BACKEND_M4) {
    const uint8_t *kept =
        (const uint8_t *)(prepared + MCELIECE_VECTOR_M4_WORDS(variant->params->m));
    const struct m4_key key = {(const uint32_t *)prepared, kept, kept + 2 * MCELIECE_MAX_T,
                               rejection};

    return decaps_m4(variant, backend, shared_secret, ciphertext, &key, arena);
  }
#endif
  struct mceliece_decaps_memory *memory = take_decaps_memory(&arena);

  if (!ckem_mceliece_check_ciphertext(variant, ciphertext)) {
    return CODEKEM_ERROR_CIPHERTEXT;
  }
  finish_decaps(variant, backend, memory,
                ckem_mceliece_decode(variant->params, backend, memory->error, prepared, ciphertext,
                                     arena),
                shared_secret, ciphertext, rejection);
  return CODEKEM_OK;
}

codekem_status ckem_mceliece_decaps(const struct kem_call *call, struct arena arena) {
  const struct mceliece_variant *variant = call->kem->internal->variant;
  const struct backend *backend = call->backend;
  uint8_t *shared_secret = call->out.shared_secret;
  const uint8_t *ciphertext = call->in.ciphertext;
  const uint8_t *secret_key = call->in.secret_key;
#if defined(CODEKEM_HAVE_M4)
  if (PROFILE_M4_ONLY || backend->id == BACKEND_M4) {
    const struct mceliece_secret_key_layout places = mceliece_lay_out_secret_key(variant->params);
    const struct m4_key key = {NULL, secret_key + places.goppa, secret_key + places.control,
                               secret_key + places.rejection};

    return decaps_m4(variant, backend, shared_secret, ciphertext, &key, arena);
  }
#endif
  const struct mceliece_params *params = variant->params;
  const struct mceliece_secret_key_layout layout = mceliece_lay_out_secret_key(params);
  uint64_t *prepared = arena_take(&arena, MCELIECE_PREPARED_WORDS(params->m));

  ckem_mceliece_decoder_prepare(params, backend, prepared, secret_key + layout.goppa,
                                secret_key + layout.control, arena);
  return ckem_mceliece_decaps_with(variant, backend, shared_secret, ciphertext, prepared,
                                   secret_key + layout.rejection, arena);
}

static const struct mceliece_params *mceliece_params_of(const struct mceliece_variant *variant) {
  return variant->params;
}

bool ckem_mceliece_check_public_key(const void *variant, const uint8_t *public_key) {
  const struct mceliece_params *params = mceliece_params_of(variant);
  const size_t row_bytes = mceliece_row_bytes(params);
  const size_t used = mceliece_columns(params) % 8;
  uint32_t unused = 0;

  for (size_t i = 1; used != 0 && i <= mceliece_rows(params); i++) {
    unused |= (uint32_t)public_key[i * row_bytes - 1] >> used;
  }
  return unused == 0;
}

bool ckem_mceliece_check_ciphertext(const void *variant, const uint8_t *ciphertext) {
  const struct mceliece_params *params = mceliece_params_of(variant);
  const size_t used = mceliece_rows(params) % 8;

  return used == 0 || ciphertext[mceliece_syndrome_bytes(params) - 1] >> used == 0;
}
