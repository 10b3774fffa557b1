/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the KEMs of the HQC family share, for each revision, wherever it is defined. */
#ifndef CODEKEM_HQC_HQC_KEMS_H
#define CODEKEM_HQC_HQC_KEMS_H

#include "hqc/hqc.h"
#include "hqc/hqc_levels.h"
#include "kem.h"

/* With HQC_WORKSPACE_WORDS for each operation. */
#define HQC_DECLARE_STACKS(level) extern const struct kem_stacks ckem_hqc_level##level##_stacks;
HQC_LEVELS(HQC_DECLARE_STACKS)
#undef HQC_DECLARE_STACKS

/* Defines a KEM of a level with its variant, as objects of their own: a linker can drop those that
 * nobody names. What a revision says: whether its sampling is that of the tag v5.0.0, its
 * operations, the bytes of its keys, ciphertext, secret and seed of a key pair, and the memory of
 * its batches. */
#define HQC_DEFINE_KEM(object, name, level, version, old, tag, kem_operations, public_key, \
                       secret_key, ciphertext, secret, keypair_seed, batch_workspace)      \
  static const struct hqc_variant object##_variant = {                                     \
      .params = &ckem_hqc_level##level,                                                    \
      .tag_5_0_0 = (tag),                                                                  \
  };                                                                                       \
  static const struct codekem_kem_internal object##_internal = {                           \
      .operations = &(kem_operations),                                                     \
      .variant = &object##_variant,                                                        \
      .stacks = &ckem_hqc_level##level##_stacks,                                           \
      .keypair_request = (keypair_seed),                                                   \
      .encaps_request = HQC_K_##level + HQC_SALT_BYTES,                                    \
  };                                                                                       \
  const codekem_kem object = {                                                             \
      .method_name = (name),                                                               \
      .family = "HQC",                                                                     \
      .alg_version = (version),                                                            \
      .superseded = (old),                                                                 \
      .security = "IND-CCA2",                                                              \
      .ind_cca = true,                                                                     \
      .claimed_nist_level = HQC_CATEGORY_##level,                                          \
      .length_public_key = (public_key),                                                   \
      .length_secret_key = (secret_key),                                                   \
      .length_ciphertext = (ciphertext),                                                   \
      .length_shared_secret = (secret),                                                    \
      .length_keypair_seed = (keypair_seed),                                               \
      .length_encaps_seed = HQC_K_##level + HQC_SALT_BYTES,                                \
      .length_keypair_workspace = 8 * HQC_WORKSPACE_WORDS(HQC_N_##level),                  \
      .length_encaps_workspace = 8 * HQC_WORKSPACE_WORDS(HQC_N_##level),                   \
      .length_decaps_workspace = 8 * HQC_WORKSPACE_WORDS(HQC_N_##level),                   \
      .length_check_workspace = 8 * HQC_WORKSPACE_WORDS(HQC_N_##level),                    \
      .length_keypair_batch_workspace = (batch_workspace),                                 \
      .length_encaps_batch_workspace = (batch_workspace),                                  \
      .length_decaps_batch_workspace = (batch_workspace),                                  \
      .internal = &object##_internal,                                                      \
  }

#endif
