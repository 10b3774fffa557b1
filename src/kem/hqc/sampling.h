/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Drawing ring elements and positions from an extendable-output function [HQC, 5]. */
#ifndef CODEKEM_HQC_SAMPLING_H
#define CODEKEM_HQC_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "hqc/hqc.h"
#include "keccak/keccak.h"

/* What draws takes a task to do side by side (ckem_keccak_squeeze_beside), or NULL. */

/* Draws a uniform ring element from stream. */
void ckem_hqc_sample_uniform(const struct hqc_params *params, struct keccak_sponge *stream,
                             uint64_t *out, struct keccak_task *beside);

/* The same as a task, which ckem_hqc_end_uniform ends. */
struct keccak_task ckem_hqc_begin_uniform(const struct hqc_params *params,
                                          struct keccak_sponge *stream, uint64_t *out);
void ckem_hqc_end_uniform(const struct hqc_params *params, struct keccak_task *task, uint64_t *out);

/* Draws key_weight distinct positions by rejection [HQC, 5.2]. Returns false if the stream gave too
 * few for too long, as only one that is stuck does; those that are missing are then 0.
 * Timing: shows how many candidates were drawn and which were accepted, which says nothing about
 * the values and does not depend on a ciphertext [HQC, 15.2]. */
bool ckem_hqc_sample_rejection(const struct hqc_variant *variant, const struct backend *backend,
                               struct keccak_sponge *stream, uint32_t *positions);
bool ckem_hqc_sample_rejection_beside(const struct hqc_variant *variant,
                                      const struct backend *backend, struct keccak_sponge *stream,
                                      uint32_t *positions, struct keccak_task *beside);

/* The same, where first holds what the stream gave before: ckem_hqc_first_bytes. */
bool ckem_hqc_sample_rejection_from(const struct hqc_variant *variant,
                                    const struct backend *backend, struct keccak_sponge *stream,
                                    const uint8_t *first, uint32_t *positions);

/* Bytes of the first candidates, at most HQC_MAX_FIRST_BYTES. */
size_t ckem_hqc_first_bytes(const struct hqc_variant *variant);
#define HQC_MAX_FIRST_BYTES 400

/* Draws error_weight distinct positions [HQC, 5.3]. Timing: constant. */
void ckem_hqc_sample_fixed(const struct hqc_variant *variant, const struct backend *backend,
                           struct keccak_sponge *stream, uint32_t *positions,
                           struct keccak_task *beside);

/* For a group side by side: uniform elements from many streams; and the words of
 * ckem_hqc_sample_fixed, which ckem_hqc_pick_fixed turns into positions, in place. */
void ckem_hqc_sample_uniform_many(const struct hqc_params *params, struct keccak_many *streams,
                                  uint64_t *const out[]);
void ckem_hqc_draw_fixed_many(const struct hqc_variant *variant, struct keccak_many *streams,
                              uint32_t *const words[]);
void ckem_hqc_pick_fixed(const struct hqc_variant *variant, const struct backend *backend,
                         uint32_t *positions);

/* Squeezes length bytes and then discards up to a multiple of 8, as earlier revisions do. */
void ckem_hqc_squeeze_rounded(struct keccak_sponge *stream, uint8_t *out, size_t length);

#endif
