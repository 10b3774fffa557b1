/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The interface for keys that do not fit: short, prepared, in pieces, on demand. */
#include <assert.h>
#include <string.h>

#include "backends.h"
#include "base/bytes.h"
#include "base/entry.h"
#include "base/profile.h"
#include "base/wipe.h"
#include "codekem_mceliece.h"
#include "kem.h"
#include "mceliece/mceliece.h"
#include "mceliece/rows.h"

static_assert(CODEKEM_MCELIECE_SHORT_SECRET_KEY == MCELIECE_SHORT_KEY_BYTES, "short keys");

static bool is_aligned(const void *memory) {
  return (uintptr_t)memory % CODEKEM_WORKSPACE_ALIGNMENT == 0;
}

/* Inline, because the stack is wiped below the function that calls this. */
#define INLINE static inline __attribute__((always_inline))

/* Wipes what a call took of the caller's memory, and ends it. */
INLINE void forget(void *workspace, size_t length, uint64_t before) {
  ckem_secure_wipe(workspace, length);
  entry_end(before);
}

/* Ends an encapsulation, or a step of one: on a small device these go less deep than other
 * operations, 596 bytes, of which 468 are Keccak's (devices/tests). */
#if PROFILE_M4_ONLY
static __attribute__((noinline)) void forget_step(uint64_t before) {
  unsigned char below[592];

  (void)before;
  ckem_secure_wipe(below, sizeof below);
}
#else
INLINE void forget_step(uint64_t before) {
  entry_end(before);
}
#endif

/* --- Encapsulation --------------------------------------------------------------------------- */

codekem_status codekem_mceliece_encaps_random(const codekem_kem *kem, uint8_t *ciphertext,
                                              uint8_t *shared_secret, const uint8_t *public_key,
                                              codekem_random_function random, void *context,
                                              void *workspace, size_t workspace_length) {
  const struct mceliece_variant *variant = ckem_mceliece_variant_of_kem(kem);
  const struct backend *backend = ckem_backend_in_use();
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (backend == NULL) {
    status = CODEKEM_ERROR_BACKEND;
  } else if (variant != NULL && ciphertext != NULL && shared_secret != NULL && public_key != NULL &&
             random != NULL && workspace != NULL) {
    status = CODEKEM_ERROR_WORKSPACE;
    if (is_aligned(workspace) && workspace_length >= kem->length_encaps_workspace) {
      const struct arena arena = {workspace, kem->length_encaps_workspace / 8};
      const uint64_t before = ckem_entry_begin();

      status = ckem_mceliece_encaps(variant, backend, ciphertext, shared_secret, public_key, random,
                                    context, arena);
      ckem_secure_wipe(workspace, kem->length_encaps_workspace);
      forget_step(before);
    }
  }
  if (status != CODEKEM_OK) {
    clear_output(ciphertext, kem->length_ciphertext);
    clear_output(shared_secret, kem->length_shared_secret);
  }
  return status;
}

/* --- Short secret keys ------------------------------------------------------------------------ */

codekem_status codekem_mceliece_expand_secret_key(const codekem_kem *kem, uint8_t *secret_key,
                                                  const uint8_t *short_key, void *workspace,
                                                  size_t workspace_length) {
  const struct mceliece_variant *variant = ckem_mceliece_variant_of_kem(kem);
  const struct backend *backend = ckem_backend_in_use();
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (backend == NULL) {
    status = CODEKEM_ERROR_BACKEND;
  } else if (variant != NULL && secret_key != NULL && short_key != NULL && workspace != NULL) {
    status = CODEKEM_ERROR_WORKSPACE;
    if (is_aligned(workspace) && workspace_length >= kem->length_check_workspace) {
      const struct arena arena = {workspace, kem->length_check_workspace / 8};
      const uint64_t before = ckem_entry_begin();

      status = ckem_mceliece_expand_short_key(variant, backend, secret_key, short_key, arena);
      forget(workspace, kem->length_check_workspace, before);
      ckem_mceliece_wipe_key_stack();
    }
  }
  if (status != CODEKEM_OK) {
    clear_output(secret_key, kem->length_secret_key);
  }
  return status;
}

/* --- Prepared keys ---------------------------------------------------------------------------- */

/* In front of what the decoder prepares; s stands behind it. */
struct mceliece_prepared {
  const codekem_kem *kem;
  const struct backend *backend;
  uint8_t room[CODEKEM_WORKSPACE_ALIGNMENT - 2 * sizeof(void *)];
};

static size_t prepared_bytes(const struct mceliece_variant *variant) {
  return sizeof(struct mceliece_prepared) + 8 * MCELIECE_PREPARED_WORDS(variant->params->m);
}

size_t codekem_mceliece_prepared_length(const codekem_kem *kem) {
  const struct mceliece_variant *variant = ckem_mceliece_variant_of_kem(kem);

  return variant == NULL ? 0 : prepared_bytes(variant) + mceliece_error_bytes(variant->params);
}

codekem_status codekem_mceliece_prepare_secret_key(const codekem_kem *kem, void *prepared,
                                                   size_t prepared_length,
                                                   const uint8_t *secret_key, void *workspace,
                                                   size_t workspace_length) {
  const struct mceliece_variant *variant = ckem_mceliece_variant_of_kem(kem);
  const struct backend *backend = ckem_backend_in_use();
  struct mceliece_prepared *header = prepared;
  codekem_status status = CODEKEM_OK;

  if (variant == NULL || prepared == NULL || secret_key == NULL || workspace == NULL) {
    status = CODEKEM_ERROR_NULL;
  } else if (backend == NULL) {
    status = CODEKEM_ERROR_BACKEND;
  } else if (!is_aligned(prepared) || prepared_length < codekem_mceliece_prepared_length(kem) ||
             !is_aligned(workspace) || workspace_length < kem->length_decaps_workspace) {
    status = CODEKEM_ERROR_WORKSPACE;
  }
  if (status != CODEKEM_OK) {
    clear_output(prepared, prepared_length);
    return status;
  }
  const struct arena arena = {workspace, kem->length_decaps_workspace / 8};
  const struct mceliece_secret_key_layout layout = mceliece_lay_out_secret_key(variant->params);
  const uint64_t before = ckem_entry_begin();

  memset(header, 0, sizeof *header);
  header->kem = kem;
  header->backend = backend;
  ckem_mceliece_decoder_prepare(variant->params, backend, (uint64_t *)(header + 1),
                                secret_key + layout.goppa, secret_key + layout.control, arena);
  memcpy((uint8_t *)prepared + prepared_bytes(variant), secret_key + layout.rejection,
         mceliece_error_bytes(variant->params));
  forget(workspace, kem->length_decaps_workspace, before);
  return CODEKEM_OK;
}

codekem_status codekem_mceliece_decaps_prepared(const codekem_kem *kem, uint8_t *shared_secret,
                                                const uint8_t *ciphertext, const void *prepared,
                                                void *workspace, size_t workspace_length) {
  const struct mceliece_variant *variant = ckem_mceliece_variant_of_kem(kem);
  const struct mceliece_prepared *header = prepared;
  codekem_status status = CODEKEM_ERROR_NULL;

  if (kem == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (variant != NULL && shared_secret != NULL && ciphertext != NULL && prepared != NULL &&
      workspace != NULL) {
    if (!is_aligned(prepared) || !is_aligned(workspace) ||
        workspace_length < kem->length_decaps_workspace) {
      status = CODEKEM_ERROR_WORKSPACE;
    } else if (header->kem != kem || header->backend != ckem_backend_in_use()) {
      status = CODEKEM_ERROR_BACKEND;
    } else {
      const struct arena arena = {workspace, kem->length_decaps_workspace / 8};
      const uint64_t before = ckem_entry_begin();

      status =
          ckem_mceliece_decaps_with(variant, header->backend, shared_secret, ciphertext,
                                    (const uint64_t *)(header + 1),
                                    (const uint8_t *)prepared + prepared_bytes(variant), arena);
      forget(workspace, kem->length_decaps_workspace, before);
    }
  }
  if (status != CODEKEM_OK) {
    clear_output(shared_secret, kem->length_shared_secret);
  }
  return status;
}

/* --- Encapsulation to a public key that comes in pieces --------------------------------------- */

/* What codekem_mceliece_encapsulation holds. */
struct encapsulation {
  const codekem_kem *kem; /* stays after the end or a failure: outputs have its lengths */
  bool under_way;
  struct mceliece_encoder encoder;
};

static_assert(sizeof(struct encapsulation) <= sizeof(codekem_mceliece_encapsulation),
              "an encapsulation under way");

/* Wipes an encapsulation, but for its KEM: the steps that follow refuse. Passes status on. */
static codekem_status close_encapsulation(codekem_mceliece_encapsulation *encapsulation,
                                          const codekem_kem *kem, codekem_status status) {
  struct encapsulation *own = (struct encapsulation *)encapsulation;

  if (encapsulation != NULL) {
    ckem_secure_wipe(encapsulation, sizeof *encapsulation);
    own->kem = kem;
  }
  return status;
}

codekem_status codekem_mceliece_encaps_begin(const codekem_kem *kem,
                                             codekem_mceliece_encapsulation *encapsulation,
                                             codekem_random_function random, void *context) {
  const struct mceliece_variant *variant = ckem_mceliece_variant_of_kem(kem);
  const struct backend *backend = ckem_backend_in_use();
  struct encapsulation *own = (struct encapsulation *)encapsulation;
  struct mceliece_draw *draw;
  codekem_status status;

  if (variant == NULL || encapsulation == NULL || random == NULL) {
    return close_encapsulation(encapsulation, kem, CODEKEM_ERROR_NULL);
  }
  if (backend == NULL) {
    return close_encapsulation(encapsulation, kem, CODEKEM_ERROR_BACKEND);
  }
  const uint64_t before = ckem_entry_begin();
  draw = mceliece_draw_memory(&own->encoder);
  status = ckem_mceliece_draw_error(variant->params, ckem_mceliece_ops_of(backend),
                                    own->encoder.error, draw, random, context);
  if (status == CODEKEM_OK) {
    ckem_secure_wipe(draw, sizeof *draw);
    ckem_mceliece_encoder_begin(&own->encoder, variant->params);
    own->kem = kem;
    own->under_way = true;
  } else {
    close_encapsulation(encapsulation, kem, status);
  }
  forget_step(before);
  return status;
}

codekem_status codekem_mceliece_encaps_begin_derand(
    const codekem_kem *kem, codekem_mceliece_encapsulation *encapsulation, const uint8_t *seed) {
  const struct backend *backend = ckem_backend_in_use();
  struct keccak_sponge stream;
  codekem_status status;

  if (seed == NULL) {
    return close_encapsulation(encapsulation, kem, CODEKEM_ERROR_NULL);
  }
  if (backend == NULL) {
    return close_encapsulation(encapsulation, kem, CODEKEM_ERROR_BACKEND);
  }
  const uint64_t before = ckem_entry_begin();
  ckem_mceliece_open_stream(&stream, backend->keccak, seed);
  status =
      codekem_mceliece_encaps_begin(kem, encapsulation, ckem_mceliece_random_from_stream, &stream);
  ckem_secure_wipe(&stream, sizeof stream);
  forget_step(before);
  return status;
}

codekem_status codekem_mceliece_encaps_absorb(codekem_mceliece_encapsulation *encapsulation,
                                              const uint8_t *piece, size_t length) {
  struct encapsulation *own = (struct encapsulation *)encapsulation;
  const struct backend *backend = ckem_backend_in_use();

  if (own == NULL || !own->under_way) {
    return CODEKEM_ERROR_NULL;
  }
  if (piece == NULL && length > 0) {
    return close_encapsulation(encapsulation, own->kem, CODEKEM_ERROR_NULL);
  }
  if (backend == NULL) {
    return close_encapsulation(encapsulation, own->kem, CODEKEM_ERROR_BACKEND);
  }
  const uint64_t before = ckem_entry_begin();
  ckem_mceliece_encoder_absorb(&own->encoder, ckem_mceliece_variant_of_kem(own->kem)->params,
                               ckem_mceliece_ops_of(backend), piece, length);
  forget_step(before);
  return CODEKEM_OK;
}

codekem_status codekem_mceliece_encaps_end(codekem_mceliece_encapsulation *encapsulation,
                                           uint8_t *ciphertext, uint8_t *shared_secret) {
  struct encapsulation *own = (struct encapsulation *)encapsulation;
  const struct backend *backend = ckem_backend_in_use();
  codekem_status status = CODEKEM_ERROR_NULL;
  struct keccak_sponge sponge;

  if (own == NULL || own->kem == NULL) {
    clear_output(shared_secret, MCELIECE_HASH_BYTES); /* of every KEM */
    return CODEKEM_ERROR_NULL;
  }
  const uint64_t before = ckem_entry_begin();
  if (backend == NULL) {
    status = CODEKEM_ERROR_BACKEND;
  } else if (own->under_way && ciphertext != NULL && shared_secret != NULL) {
    status = ckem_mceliece_encoder_end(&own->encoder, ckem_mceliece_variant_of_kem(own->kem),
                                       backend->keccak, &sponge, ciphertext, shared_secret)
                 ? CODEKEM_OK
                 : CODEKEM_ERROR_PUBLIC_KEY;
  }
  if (status != CODEKEM_OK) {
    clear_output(ciphertext, own->kem->length_ciphertext);
    clear_output(shared_secret, own->kem->length_shared_secret);
  }
  ckem_secure_wipe(&sponge, sizeof sponge);
  ckem_secure_wipe(own, sizeof *own);
  forget_step(before);
  return status;
}

/* --- Rows of a public key made on demand ------------------------------------------------------ */

/* In front of what makes the rows. */
struct rows_header {
  const codekem_kem *kem;
  const struct backend *backend;
  uint8_t room[CODEKEM_WORKSPACE_ALIGNMENT - 2 * sizeof(void *)];
};

size_t codekem_mceliece_rows(const codekem_kem *kem) {
  const struct mceliece_variant *variant = ckem_mceliece_variant_of_kem(kem);

  return variant == NULL ? 0 : mceliece_rows(variant->params);
}

size_t codekem_mceliece_rows_length(const codekem_kem *kem) {
  const struct mceliece_variant *variant = ckem_mceliece_variant_of_kem(kem);

  return variant == NULL
             ? 0
             : sizeof(struct rows_header) + 8 * ckem_mceliece_rows_words(variant->params);
}

codekem_status codekem_mceliece_rows_begin(const codekem_kem *kem, void *memory, size_t length,
                                           const uint8_t *secret_key, void *workspace,
                                           size_t workspace_length) {
  const struct mceliece_variant *variant = ckem_mceliece_variant_of_kem(kem);
  const struct backend *backend = ckem_backend_in_use();
  struct rows_header *header = memory;
  codekem_status status = CODEKEM_OK;

  if (variant == NULL || memory == NULL || secret_key == NULL || workspace == NULL) {
    status = CODEKEM_ERROR_NULL;
  } else if (backend == NULL) {
    status = CODEKEM_ERROR_BACKEND;
  } else if (!is_aligned(memory) || length < codekem_mceliece_rows_length(kem) ||
             !is_aligned(workspace) || workspace_length < kem->length_check_workspace) {
    status = CODEKEM_ERROR_WORKSPACE;
  }
  if (status != CODEKEM_OK) {
    clear_output(memory, length);
    return status;
  }
  const struct arena arena = {workspace, kem->length_check_workspace / 8};
  const uint64_t before = ckem_entry_begin();

  status = ckem_mceliece_rows_prepare(variant->params, backend, (uint64_t *)(header + 1),
                                      secret_key, arena);
  if (status != CODEKEM_OK) {
    ckem_secure_wipe(memory, length);
  } else {
    memset(header, 0, sizeof *header);
    header->kem = kem;
    header->backend = backend;
  }
  forget(workspace, kem->length_check_workspace, before);
  ckem_mceliece_wipe_key_stack();
  return status;
}

codekem_status codekem_mceliece_rows_make(const codekem_kem *kem, uint8_t *rows, size_t first,
                                          size_t count, void *memory) {
  const struct mceliece_variant *variant = ckem_mceliece_variant_of_kem(kem);
  struct rows_header *header = memory;

  if (variant == NULL || rows == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (first > mceliece_rows(variant->params) || count > mceliece_rows(variant->params) - first) {
    return CODEKEM_ERROR_WORKSPACE;
  }
  if (memory == NULL || !is_aligned(memory) || header->kem != kem) {
    clear_output(rows, count * mceliece_row_bytes(variant->params));
    return memory == NULL ? CODEKEM_ERROR_NULL : CODEKEM_ERROR_WORKSPACE;
  }
  const uint64_t before = ckem_entry_begin();
  ckem_mceliece_rows_write(variant->params, header->backend, rows, first, count,
                           (uint64_t *)(header + 1));
  entry_end(before);
  return CODEKEM_OK;
}
