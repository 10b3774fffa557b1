/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key management as OpenSSL asks for it [OSSL, provider-keymgmt]: over the functions of key.h. */
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <string.h>

#include "dispatch.h"
#include "key.h"

#ifndef OSSL_PKEY_PARAM_ML_KEM_SEED /* OpenSSL before 3.5 */
#define OSSL_PKEY_PARAM_ML_KEM_SEED "seed"
#endif
#define PARAM_SEED OSSL_PKEY_PARAM_ML_KEM_SEED
#define PARAM_SECURITY_CATEGORY "security-category" /* in core_names.h since 3.5 */

/* What is asked of a key that is being generated. */
struct generation {
  const struct provider *provider;
  const struct algorithm *algorithm;
  const codekem_kem *kem;
  int selection;
  bool has_seed;
  bool for_tls; /* a group was named, as libssl does: the key is for one handshake */
  uint8_t seed[CODEKEM_MAX_KEYPAIR_SEED];
};

/* --- Generation ------------------------------------------------------------------------------- */

static int generation_set_params(void *data, const OSSL_PARAM params[]);

static void *generation_new(void *data, const struct algorithm *algorithm, int selection,
                            const OSSL_PARAM params[]) {
  const struct provider *provider = data;
  struct generation *generation = OPENSSL_zalloc(sizeof *generation);

  if (generation == NULL) {
    (void)RAISE(provider, REASON_NO_MEMORY, "generating a key of %s", algorithm->name);
    return NULL;
  }
  generation->provider = provider;
  generation->algorithm = algorithm;
  generation->kem = offer_of(provider, algorithm)->kem; /* not NULL: else it is not offered */
  generation->selection = selection;
  if (!generation_set_params(generation, params)) {
    OPENSSL_clear_free(generation, sizeof *generation);
    return NULL;
  }
  return generation;
}

static void generation_free(void *data) {
  OPENSSL_clear_free(data, sizeof(struct generation));
}

/* libssl names the group to every key type, because some of them need it. */
static bool check_group(const struct generation *generation, const OSSL_PARAM *param) {
  const struct algorithm *algorithm = generation->algorithm;
  const char *name = NULL;

  if (!OSSL_PARAM_get_utf8_string_ptr(param, &name) || name == NULL) {
    return RAISE(generation->provider, REASON_WRONG_GROUP, "%s: the group is not a string",
                 algorithm->name);
  }
  return ckem_algorithm_same_name(name, algorithm->name) ||
         RAISE(generation->provider, REASON_WRONG_GROUP, "%s is not a group of %s", name,
               algorithm->name);
}

static bool take_seed(struct generation *generation, const OSSL_PARAM *param) {
  const struct algorithm *algorithm = generation->algorithm;
  const size_t expected = generation->kem->length_keypair_seed;
  void *seed = generation->seed;
  size_t length = 0;

  if (algorithm->classical != NULL) {
    return RAISE(generation->provider, REASON_NOT_SUPPORTED, "%s: hybrids have no seed",
                 algorithm->name);
  }
  if (param->data_type != OSSL_PARAM_OCTET_STRING || param->data_size != expected) {
    return RAISE(generation->provider, REASON_BAD_LENGTH,
                 "a seed of %s has %zu bytes (-pkeyopt hexseed:...), not %zu", algorithm->name,
                 expected, param->data_size);
  }
  generation->has_seed =
      OSSL_PARAM_get_octet_string(param, &seed, sizeof generation->seed, &length) != 0;
  return generation->has_seed;
}

static int generation_set_params(void *data, const OSSL_PARAM params[]) {
  struct generation *generation = data;
  const OSSL_PARAM *param;

  if (params == NULL) {
    return 1;
  }
  param = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_GROUP_NAME);
  if (param != NULL) {
    if (!check_group(generation, param)) {
      return 0;
    }
    generation->for_tls = true;
  }
  param = OSSL_PARAM_locate_const(params, PARAM_SEED);
  return param == NULL || take_seed(generation, param);
}

static const OSSL_PARAM *generation_settable(void *data, void *provider) {
  static const OSSL_PARAM settable[] = {
      OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
      OSSL_PARAM_octet_string(PARAM_SEED, NULL, 0),
      OSSL_PARAM_END,
  };
  (void)data;
  (void)provider;
  return settable;
}

static void *generation_run(void *data, OSSL_CALLBACK *callback, void *argument) {
  const struct generation *generation = data;
  struct key *key = ckem_key_new(generation->provider, generation->algorithm);

  (void)callback; /* progress: nothing here takes long */
  (void)argument;
  if (key == NULL) {
    return NULL;
  }
  /* Without the key pair it is "parameters": what a TLS server fills with the client's share. */
  if ((generation->selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0 &&
      !ckem_key_generate(key, generation->has_seed ? generation->seed : NULL,
                         generation->for_tls)) {
    ckem_key_free(key);
    return NULL;
  }
  return key;
}

/* --- What a key holds ------------------------------------------------------------------------- */

static void key_management_free(void *data) {
  ckem_key_free(data);
}

/* A decoder passes the key that it made by reference; it becomes the caller's. */
static void *key_management_load(const void *reference, size_t length) {
  struct key *key = NULL;

  if (length == sizeof key) {
    memcpy(&key, reference, sizeof key);
    memset((void *)(uintptr_t)reference, 0, sizeof key);
  }
  return key;
}

static int key_management_has(const void *data, int selection) {
  const struct key *key = data;

  return key != NULL && ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) == 0 || key->has_public) &&
         ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 || key->has_secret);
}

static int key_management_match(const void *data1, const void *data2, int selection) {
  const struct key *a = data1;
  const struct key *b = data2;

  if (a->algorithm != b->algorithm) {
    return 0;
  }
  if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && a->has_public && b->has_public) {
    return ckem_key_equal_public(a, b); /* one public key, one secret key */
  }
  if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0) {
    return ckem_key_equal_secret(a, b);
  }
  return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0;
}

static int key_management_validate(const void *data, int selection, int check_type) {
  (void)check_type; /* all checks are quick */
  return ckem_key_check(data, (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0,
                        (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0);
}

static void *key_management_dup(const void *data, int selection) {
  return ckem_key_copy(data, (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0);
}

/* --- Parameters ------------------------------------------------------------------------------- */

static const OSSL_PARAM *key_management_gettable(void *provider) {
  static const OSSL_PARAM gettable[] = {
      OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
      OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
      OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
      OSSL_PARAM_int(PARAM_SECURITY_CATEGORY, NULL),
      OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
      OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
      OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
      OSSL_PARAM_octet_string(PARAM_SEED, NULL, 0),
      OSSL_PARAM_END,
  };
  (void)provider;
  return gettable;
}

/* Sets params[name] to a number, if it is asked for. */
static bool set_number(OSSL_PARAM params[], const char *name, size_t value) {
  OSSL_PARAM *param = OSSL_PARAM_locate(params, name);

  return param == NULL || OSSL_PARAM_set_size_t(param, value);
}

/* Sets params[name] to bytes[length], if it is asked for and the key has it. */
static bool set_bytes(OSSL_PARAM params[], const char *name, bool present, const uint8_t *bytes,
                      size_t length) {
  OSSL_PARAM *param = OSSL_PARAM_locate(params, name);

  return param == NULL || !present || OSSL_PARAM_set_octet_string(param, bytes, length);
}

static int key_management_get_params(void *data, OSSL_PARAM params[]) {
  const struct key *key = data;
  const struct algorithm *algorithm = key->algorithm;
  const codekem_kem *kem = key->kem;
  const size_t public_bytes = ckem_algorithm_public_key_bytes(algorithm, kem);
  const bool pure = algorithm->classical == NULL;

  return set_number(params, OSSL_PKEY_PARAM_BITS, 8 * public_bytes) &&
         set_number(params, OSSL_PKEY_PARAM_SECURITY_BITS, ckem_algorithm_security_bits(kem)) &&
         set_number(params, OSSL_PKEY_PARAM_MAX_SIZE,
                    ckem_algorithm_ciphertext_bytes(algorithm, kem)) &&
         set_number(params, PARAM_SECURITY_CATEGORY, kem->claimed_nist_level) &&
         set_bytes(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, key->has_public, key->public_key,
                   public_bytes) &&
         set_bytes(params, OSSL_PKEY_PARAM_PUB_KEY, key->has_public, key->public_key,
                   public_bytes) &&
         set_bytes(params, OSSL_PKEY_PARAM_PRIV_KEY, pure && key->has_secret, key->secret_key,
                   kem->length_secret_key) &&
         set_bytes(params, PARAM_SEED, pure && key->has_seed, key->seed, kem->length_keypair_seed);
}

static const OSSL_PARAM *key_management_settable(void *provider) {
  static const OSSL_PARAM settable[] = {
      OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
      OSSL_PARAM_END,
  };
  (void)provider;
  return settable;
}

/* Reads a parameter that must be bytes. */
static bool get_bytes(const struct key *key, const OSSL_PARAM *param, const uint8_t **bytes,
                      size_t *length) {
  const void *start = NULL;

  if (!OSSL_PARAM_get_octet_string_ptr(param, &start, length) || start == NULL) {
    return RAISE(key->provider, REASON_BAD_ENCODING, "%s: %s is not a string of bytes",
                 key->algorithm->name, param->key);
  }
  *bytes = start;
  return true;
}

/* Takes the public half from params[name], if it is there. */
static bool take_public(struct key *key, const OSSL_PARAM params[], const char *name) {
  const OSSL_PARAM *param = OSSL_PARAM_locate_const(params, name);
  const uint8_t *bytes = NULL;
  size_t length = 0;

  return param == NULL ||
         (get_bytes(key, param, &bytes, &length) && ckem_key_set_public(key, bytes, length));
}

static int key_management_set_params(void *data, const OSSL_PARAM params[]) {
  return params == NULL || take_public(data, params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
}

/* --- Import and export ------------------------------------------------------------------------ */

static const OSSL_PARAM *key_management_types(int selection) {
  static const OSSL_PARAM pair[] = {
      OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
      OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0),
      OSSL_PARAM_octet_string(PARAM_SEED, NULL, 0),
      OSSL_PARAM_END,
  };
  static const OSSL_PARAM public_only[] = {
      OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
      OSSL_PARAM_END,
  };
  if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0) {
    return pair;
  }
  return (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 ? public_only : NULL;
}

/* Takes the secret half from params, if any part of it is there. */
static bool take_secret(struct key *key, const OSSL_PARAM params[]) {
  const OSSL_PARAM *secret_param = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PRIV_KEY);
  const OSSL_PARAM *seed_param = OSSL_PARAM_locate_const(params, PARAM_SEED);
  const uint8_t *secret = NULL;
  const uint8_t *seed = NULL;
  size_t secret_length = 0;
  size_t seed_length = 0;

  if (secret_param == NULL && seed_param == NULL) {
    return true;
  }
  return (secret_param == NULL || get_bytes(key, secret_param, &secret, &secret_length)) &&
         (seed_param == NULL || get_bytes(key, seed_param, &seed, &seed_length)) &&
         ckem_key_set_secret(key, secret, secret_length, seed, seed_length);
}

static int key_management_import(void *data, int selection, const OSSL_PARAM params[]) {
  struct key *key = data;

  if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0 &&
      !take_public(key, params, OSSL_PKEY_PARAM_PUB_KEY)) {
    return 0;
  }
  if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && !take_secret(key, params)) {
    return 0;
  }
  return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0 || key->has_public ||
         RAISE(key->provider, REASON_KEY_MISSING, "%s: nothing to import", key->algorithm->name);
}

static int key_management_export(void *data, int selection, OSSL_CALLBACK *callback,
                                 void *argument) {
  const struct key *key = data;
  OSSL_PARAM params[4];
  size_t count = 0;

  if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && key->has_public) {
    params[count++] = OSSL_PARAM_construct_octet_string(
        OSSL_PKEY_PARAM_PUB_KEY, key->public_key,
        ckem_algorithm_public_key_bytes(key->algorithm, key->kem));
  }
  if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->has_secret) {
    if (key->algorithm->classical != NULL) {
      return RAISE(key->provider, REASON_NOT_SUPPORTED,
                   "%s: secret keys of hybrids are not exported", key->algorithm->name);
    }
    params[count++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, key->secret_key,
                                                        key->kem->length_secret_key);
    if (key->has_seed) {
      params[count++] =
          OSSL_PARAM_construct_octet_string(PARAM_SEED, key->seed, key->kem->length_keypair_seed);
    }
  }
  params[count] = OSSL_PARAM_construct_end();
  return callback(params, argument);
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* OpenSSL does not say which algorithm it means when it makes a key, so each has its own two
 * functions for that, and its own table. */
#define ALGORITHM(identifier, name, kem, classical, group, code_point)                            \
  static void *new_##identifier(void *provider) {                                                 \
    return ckem_key_new(provider, &ckem_provider_algorithms[ALGORITHM_##identifier]);             \
  }                                                                                               \
  static void *generation_new_##identifier(void *provider, int selection,                         \
                                           const OSSL_PARAM params[]) {                           \
    return generation_new(provider, &ckem_provider_algorithms[ALGORITHM_##identifier], selection, \
                          params);                                                                \
  }                                                                                               \
  static const OSSL_DISPATCH functions_##identifier[] = {                                         \
      DISPATCH(OSSL_FUNC_KEYMGMT_NEW, new_##identifier),                                          \
      DISPATCH(OSSL_FUNC_KEYMGMT_GEN_INIT, generation_new_##identifier),                          \
      DISPATCH(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, generation_set_params),                          \
      DISPATCH(OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, generation_settable),                       \
      DISPATCH(OSSL_FUNC_KEYMGMT_GEN, generation_run),                                            \
      DISPATCH(OSSL_FUNC_KEYMGMT_GEN_CLEANUP, generation_free),                                   \
      DISPATCH(OSSL_FUNC_KEYMGMT_FREE, key_management_free),                                      \
      DISPATCH(OSSL_FUNC_KEYMGMT_LOAD, key_management_load),                                      \
      DISPATCH(OSSL_FUNC_KEYMGMT_HAS, key_management_has),                                        \
      DISPATCH(OSSL_FUNC_KEYMGMT_MATCH, key_management_match),                                    \
      DISPATCH(OSSL_FUNC_KEYMGMT_VALIDATE, key_management_validate),                              \
      DISPATCH(OSSL_FUNC_KEYMGMT_DUP, key_management_dup),                                        \
      DISPATCH(OSSL_FUNC_KEYMGMT_GET_PARAMS, key_management_get_params),                          \
      DISPATCH(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, key_management_gettable),                       \
      DISPATCH(OSSL_FUNC_KEYMGMT_SET_PARAMS, key_management_set_params),                          \
      DISPATCH(OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, key_management_settable),                       \
      DISPATCH(OSSL_FUNC_KEYMGMT_IMPORT, key_management_import),                                  \
      DISPATCH(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, key_management_types),                             \
      DISPATCH(OSSL_FUNC_KEYMGMT_EXPORT, key_management_export),                                  \
      DISPATCH(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, key_management_types),                             \
      DISPATCH_END,                                                                               \
  };
#include CODEKEM_PROVIDER_TABLE
#undef ALGORITHM

const OSSL_DISPATCH *const ckem_key_management_functions[ALGORITHMS] = {
#define ALGORITHM(identifier, name, kem, classical, group, code_point) functions_##identifier,
#include CODEKEM_PROVIDER_TABLE
#undef ALGORITHM
};
