/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The self-tests, for programs that must run them: a known answer, and a key pair that is
 * consistent [FIPS 140-3]. In a file of their own, so that a static library brings them only where
 * they are called.
 *
 * The digests come from models of the specifications, not from this library; those of HQC of 2023
 * from the crates oqs-sys and pqcrypto-hqc.
 */
#include <string.h>

#include "backends.h"
#include "base/bytes.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "codekem.h"
#include "keccak/keccak.h"
#include "kem.h"

#define DIGEST_BYTES 32

#define REJECTED_BYTES 8

/* For the seeds that fill_seed makes, in hexadecimal: SHA3-256 of public key || secret key ||
 * ciphertext || shared secret, and the first bytes of the secret of that ciphertext with its first
 * bit flipped. */
struct answer {
  const char *kem;
  const char *digest;
  const char *rejected;
};

// clang-format off
static const struct answer self_test_answers[] = {
    {"BIKE-L1",
     "6f5f68b2bd69224e95cadbbb9b17c794fb93ccc61a5bc6c57896bbdcd4fa8231",
     "a9bb54bd8b8c4adf"},
    {"BIKE-L3",
     "d1a87d17f8653fddb417ac7f0ef073ab09a672682f836c4019bdcd45614ebf71",
     "2c1b0de257719960"},
    {"BIKE-L5",
     "66872688053e2e5d23a237c22b4ef091b8468eb35f917a8c866271a3f64be467",
     "38008ef47f331c70"},
    {"HQC-1",
     "238df7830c8e34d1cd2b6dfeb65bd8a49f77d6151c2b917060d57873d6a5788b",
     "10980297ce3fcaa4"},
    {"HQC-3",
     "5b179ee392e19ce631aa8c9ee16a8bfc6ab1b803b7092714c4f5185b6a216b78",
     "64d1bc23eeb14b98"},
    {"HQC-5",
     "a1a8e5bb290c5a952d5510246018cdd03a92ce12cb7e66adfe15a7f5edef210d",
     "32c7a57fc8cf11fd"},
    {"mceliece348864",
     "8cc94b4094680550aa6627c0c8e802c649ca2edf97d6767869b62df57f172c3b",
     "472903f605ebc8bd"},
    {"mceliece348864pc",
     "1f3258874da0256c0739d6460c47cc73fbc43cd1f5ac15936e606cda7718883b",
     "b9c452358d156303"},
    {"mceliece348864f",
     "6853c67f4edb98c1321e80cc6be3b6852acd04ed4f95f09f282b44e519d031a8",
     "f2641d154befff8c"},
    {"mceliece348864pcf",
     "a22dc1436eb64b3df5583907e6855ee7a529ea1bd9ac3bbaa67cf4b00f8e98b8",
     "ffd98076235fb952"},
    {"mceliece460896",
     "4ac34a2613fb8ac5ae7ae09d5ba59c2d46c4e8d6c935a02d7e6fe75199865e9d",
     "fe0b04a502109c63"},
    {"mceliece460896pc",
     "93faaf8b3d1d17e984ea3ee299a086e88105f0c9dedf466a23407f04c8486f2f",
     "7af8d43a46fac708"},
    {"mceliece460896f",
     "e8ffc71a4163617f2445bc122b0e7c5f7ca95ebd422cc2d9c633e9fc3fedd88f",
     "7a4a3fbef19bb274"},
    {"mceliece460896pcf",
     "92e220ed7939c683585d3c96270923e2e47fd613b1521b5806c64f53da457928",
     "1518034c2c467797"},
    {"mceliece6688128",
     "2e2ce81277dceab002bb7b2499b6ea3c2d4e9f3bbab7ff12c8a90cac271f732d",
     "4f1f0a5d419b5f8e"},
    {"mceliece6688128pc",
     "e62d1d5af05330dc082404f36e69bfb2455ca4b9b3887d9bd81328ea5b929481",
     "912a9f08ae1ed83f"},
    {"mceliece6688128f",
     "2e2ce81277dceab002bb7b2499b6ea3c2d4e9f3bbab7ff12c8a90cac271f732d",
     "4f1f0a5d419b5f8e"},
    {"mceliece6688128pcf",
     "e62d1d5af05330dc082404f36e69bfb2455ca4b9b3887d9bd81328ea5b929481",
     "912a9f08ae1ed83f"},
    {"mceliece6960119",
     "fd818b38494641a5f2cdedafec06e3919d383d71062f47eec23effa6d333ca62",
     "5acf8b145abac8dd"},
    {"mceliece6960119pc",
     "a6bcea21f7e5223f19eef5013c1084e90a0e6b1b99e63c209697a5f2ece78fb1",
     "4f13649a58355c1d"},
    {"mceliece6960119f",
     "fd818b38494641a5f2cdedafec06e3919d383d71062f47eec23effa6d333ca62",
     "5acf8b145abac8dd"},
    {"mceliece6960119pcf",
     "a6bcea21f7e5223f19eef5013c1084e90a0e6b1b99e63c209697a5f2ece78fb1",
     "4f13649a58355c1d"},
    {"mceliece8192128",
     "2808e75ca0a88b0625a3bb226ac954ed7e33d3853adc5391361aee465720eaad",
     "03cc8050cbd2bbae"},
    {"mceliece8192128pc",
     "a49c7f4e498d626faa5440ae087e49fa4b2d0062e9c925f8a190535d89a2b86c",
     "13922cc8658326a3"},
    {"mceliece8192128f",
     "2808e75ca0a88b0625a3bb226ac954ed7e33d3853adc5391361aee465720eaad",
     "03cc8050cbd2bbae"},
    {"mceliece8192128pcf",
     "a49c7f4e498d626faa5440ae087e49fa4b2d0062e9c925f8a190535d89a2b86c",
     "13922cc8658326a3"},
    {"HQC-1-v5.0.0",
     "d981221d50b41a4313fc3d6a7c5ad1eacc33c0b870679122aed71085ae921f1d",
     "735ef30615512b86"},
    {"HQC-3-v5.0.0",
     "a3362508b5e95fa8a3347f304423f1de08d421f0e320a0c86d0e74867ab94c35",
     "223cafbd625122fa"},
    {"HQC-5-v5.0.0",
     "5a22e7e3d71d7ec2cc339dfa4f625e587f0732fe333c3938425c7f3b72ce17ea",
     "2ba176f56cdddcbf"},
    {"HQC-128-2023",
     "f35af9ba36af2e05af89f1e18c966081d99f7db454bafd65f5109c335b0c07fd",
     "f6fa2ca41eab8f40"},
    {"HQC-192-2023",
     "d6eb819dd3e34b106f5fc3feceaa4ea7d85fea75916b196f19bf6190a3ffd6c4",
     "bc9bb5d00f9f0ac9"},
    {"HQC-256-2023",
     "4434dec995767e49664d5288394e9eb1d6867c3ef4ff3b207f57d820f9774b1d",
     "ee08b8b44fffc12e"},
    {"BIKE-L1-v4.2-aes",
     "3eb5df5864c90ce026126487a8176cf11080b3daf58b100dc91479b32a1fe0d6",
     "79f853d365375ff2"},
    {"BIKE-L3-v4.2-aes",
     "9df1723d52c24311bc66c3e326508cfd51f192811b1fbfe9b9ce6c00ae80612d",
     "27c16525ce16ae36"},
    {"BIKE-L5-v4.2-aes",
     "f0c5b9636ab952e755a260474c9a7deb22efcbb6cc836860c0226c21df05aaf1",
     "ac13f4593ecc7293"},
    {"BIKE-L1-v4.2-aes-bind",
     "b2c675c2b126a1c6086d7ecd716145a0d5aedc45920cbdfce408a5c962a2ed32",
     "0425939a28e67ac1"},
    {"BIKE-L3-v4.2-aes-bind",
     "c68c28a4f41af287b16485d9c2120120afcaa3f7a78fef4570e8eb4709b06c9f",
     "fcbd938e97100793"},
    {"BIKE-L5-v4.2-aes-bind",
     "fa2a7e94d34d497d7048251c89fc8d6db75504089433741683cd756ee8e8f4d3",
     "46d7dd4f14d4c050"},
    {"BIKE-L1-v4.2-sha3",
     "478c86848e950a2ad632998a02dbccc7cf341aa40d3411376c16c00154b31d80",
     "f51434a331a66a9e"},
    {"BIKE-L3-v4.2-sha3",
     "ddd198c992c4bc5028aba22d90acf28f6b648f5eb3b660e9efadfed241d361ed",
     "ae58cd3d01bf1294"},
    {"BIKE-L5-v4.2-sha3",
     "3a30e1d0cf1f230603ce2bc945fbac10162e8b34aa427361ccabb2243f2e0766",
     "7e5d65107e06ec83"},
    {"BIKE-L1-v4.2-sha3-bind",
     "ef8b62e684204228a3914a6d933a90808bb7bb71a6a79f9f0178aeb0c7b8692c",
     "488d45335882ff82"},
    {"BIKE-L3-v4.2-sha3-bind",
     "43418810db29a04f4a1ffc73f3a4567d40931ccbce8cf46a99ae666992bbc386",
     "0b3030e8d27ab53f"},
    {"BIKE-L5-v4.2-sha3-bind",
     "7a78b9a04cfa5816af8e66fac4dbe7c95e8d0d36da39f4faa8f5e0006745fd38",
     "219b095e6400f874"},
};
// clang-format on

/* Bytes that follow each other from first on, in steps of 1 or -1. */
static void fill_seed(uint8_t *seed, size_t length, int first, int step) {
  for (size_t i = 0; i < length; i++) {
    seed[i] = (uint8_t)(first + step * (int)i);
  }
}

static const struct answer *known_answer_of(const codekem_kem *kem) {
  for (size_t i = 0; i < sizeof self_test_answers / sizeof self_test_answers[0]; i++) {
    if (strcmp(self_test_answers[i].kem, kem->method_name) == 0) {
      return &self_test_answers[i];
    }
  }
  return NULL;
}

/* Returns whether bytes[length] are those that are written in lower case; both are public. */
static bool is_written(const uint8_t *bytes, size_t length, const char *text) {
  static const char digits[] = "0123456789abcdef";
  unsigned different = 0;

  for (size_t i = 0; i < length; i++) {
    different |= (unsigned)(text[2 * i] ^ digits[bytes[i] >> 4]);
    different |= (unsigned)(text[2 * i + 1] ^ digits[bytes[i] & 15]);
  }
  return different == 0;
}

/* The caller's memory: a key pair, a ciphertext and two secrets one behind the other; a seed, and
 * the workspace of a call. */
struct self_test {
  uint8_t *public_key, *secret_key, *ciphertext, *sent, *received, *seed;
  codekem_options in_workspace;
};

static size_t padded(size_t length) {
  const size_t alignment = CODEKEM_WORKSPACE_ALIGNMENT;

  return (length + alignment - 1) / alignment * alignment;
}

static size_t largest(size_t a, size_t b) {
  return a > b ? a : b;
}

static size_t values_length(const codekem_kem *kem) {
  return padded(kem->length_public_key + kem->length_secret_key + kem->length_ciphertext +
                2 * kem->length_shared_secret + KEM_MAX_REQUEST_BYTES);
}

static size_t workspace_length(const codekem_kem *kem) {
  return largest(kem->length_keypair_workspace,
                 largest(kem->length_encaps_workspace, kem->length_decaps_workspace));
}

size_t codekem_kem_self_test_workspace(const codekem_kem *kem) {
  return kem == NULL ? 0 : values_length(kem) + workspace_length(kem);
}

static codekem_status lay_out(struct self_test *test, const codekem_kem *kem, void *workspace,
                              size_t length) {
  static const codekem_options defaults = {.size = sizeof defaults};

  if (kem == NULL || workspace == NULL) {
    return CODEKEM_ERROR_NULL;
  }
  if (length < codekem_kem_self_test_workspace(kem) ||
      (uintptr_t)workspace % CODEKEM_WORKSPACE_ALIGNMENT != 0) {
    return CODEKEM_ERROR_WORKSPACE;
  }
  test->public_key = workspace;
  test->secret_key = test->public_key + kem->length_public_key;
  test->ciphertext = test->secret_key + kem->length_secret_key;
  test->sent = test->ciphertext + kem->length_ciphertext;
  test->received = test->sent + kem->length_shared_secret;
  test->seed = test->received + kem->length_shared_secret;
  test->in_workspace = defaults; /* EVA warns of a compound literal here */
  test->in_workspace.workspace = (uint8_t *)workspace + values_length(kem);
  test->in_workspace.workspace_length = workspace_length(kem);
  return CODEKEM_OK;
}

static codekem_status encapsulate_known(struct self_test *test, const codekem_kem *kem,
                                        const uint8_t *public_key) {
  codekem_options options = test->in_workspace;

  fill_seed(test->seed, kem->length_encaps_seed, 0xFF, -1);
  options.seed = test->seed;
  return codekem_kem_encaps_with(kem, test->ciphertext, test->sent, public_key, &options);
}

/* Returns whether the two secrets are equal, in the same time for all. */
static bool secrets_agree(const struct self_test *test, const codekem_kem *kem) {
  uint32_t difference = 0;

  for (size_t i = 0; i < kem->length_shared_secret; i++) {
    difference |= (uint32_t)(test->sent[i] ^ test->received[i]);
  }
  uint32_t equal = ct_mask_zero_u32(difference);
  /* Public: the verdict, for which the caller asks. */
  ct_declassify(&equal, sizeof equal);
  return equal != 0;
}

/* Makes the key pair and the ciphertext, and compares them with the answer. */
static codekem_status known_exchange(struct self_test *test, const codekem_kem *kem,
                                     const struct answer *answer) {
  codekem_options options = test->in_workspace;
  uint8_t digest[DIGEST_BYTES];

  fill_seed(test->seed, kem->length_keypair_seed, 0, 1);
  options.seed = test->seed;
  codekem_status status =
      codekem_kem_keypair_with(kem, test->public_key, test->secret_key, &options);
  if (status == CODEKEM_OK) {
    status = encapsulate_known(test, kem, test->public_key);
  }
  if (status != CODEKEM_OK) {
    return status;
  }
  ckem_sha3_256(ckem_backend_in_use()->keccak, digest, test->public_key,
                (size_t)(test->received - test->public_key));
  return is_written(digest, sizeof digest, answer->digest) ? CODEKEM_OK : CODEKEM_ERROR_INTERNAL;
}

static codekem_status decapsulate(struct self_test *test, const codekem_kem *kem,
                                  const uint8_t *secret_key) {
  return codekem_kem_decaps_with(kem, test->received, test->ciphertext, secret_key,
                                 &test->in_workspace);
}

/* The same of the two decapsulations, of the ciphertext and of an altered one. */
static codekem_status known_secrets(struct self_test *test, const codekem_kem *kem,
                                    const struct answer *answer) {
  codekem_status status = decapsulate(test, kem, test->secret_key);

  if (status == CODEKEM_OK && !secrets_agree(test, kem)) {
    status = CODEKEM_ERROR_INTERNAL;
  }
  if (status == CODEKEM_OK) {
    test->ciphertext[0] ^= 1;
    status = decapsulate(test, kem, test->secret_key);
  }
  if (status == CODEKEM_OK && !is_written(test->received, REJECTED_BYTES, answer->rejected)) {
    status = CODEKEM_ERROR_INTERNAL;
  }
  return status;
}

codekem_status codekem_kem_self_test(const codekem_kem *kem, void *workspace,
                                     size_t workspace_length) {
  struct self_test test;
  codekem_status status = lay_out(&test, kem, workspace, workspace_length);

  if (status != CODEKEM_OK) {
    return status;
  }
  const struct answer *answer = known_answer_of(kem);
  status = answer == NULL ? CODEKEM_ERROR_INTERNAL : known_exchange(&test, kem, answer);
  if (status == CODEKEM_OK) {
    status = known_secrets(&test, kem, answer);
  }
  ckem_secure_wipe(workspace, values_length(kem));
  return status;
}

codekem_status codekem_kem_check_pair(const codekem_kem *kem, const uint8_t *public_key,
                                      const uint8_t *secret_key, void *workspace,
                                      size_t workspace_length) {
  struct self_test test;
  codekem_status status = lay_out(&test, kem, workspace, workspace_length);

  if (status != CODEKEM_OK) {
    return status;
  }
  status = encapsulate_known(&test, kem, public_key);
  if (status == CODEKEM_OK) {
    status = decapsulate(&test, kem, secret_key);
  }
  if (status == CODEKEM_OK && !secrets_agree(&test, kem)) {
    status = CODEKEM_ERROR_SECRET_KEY;
  }
  ckem_secure_wipe(workspace, values_length(kem));
  return status;
}
