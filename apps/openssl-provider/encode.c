/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encoders as OpenSSL asks for them [OSSL, provider-encoder]: keys in DER, in PEM and as text. */
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/pem.h>

#include "dispatch.h"
#include "key_asn1.h"

#define MAX_PASSPHRASE 1024 /* OpenSSL's own limit */
#define BYTES_OF_LINE 15    /* as OpenSSL prints keys */

struct encoder {
  const struct provider *provider;
  EVP_CIPHER *cipher; /* encrypts private keys; NULL: do not */
  char *properties;   /* a query, of what else encryption takes; NULL: the defaults */
};

static void *encoder_new(void *provider) {
  struct encoder *encoder = OPENSSL_zalloc(sizeof *encoder);

  if (encoder != NULL) {
    encoder->provider = provider;
  }
  return encoder;
}

static void encoder_free(void *data) {
  struct encoder *encoder = data;

  if (encoder != NULL) {
    EVP_CIPHER_free(encoder->cipher);
    OPENSSL_free(encoder->properties);
    OPENSSL_free(encoder);
  }
}

static const OSSL_PARAM *encoder_settable(void *provider) {
  static const OSSL_PARAM settable[] = {
      OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_CIPHER, NULL, 0),
      OSSL_PARAM_utf8_string(OSSL_ENCODER_PARAM_PROPERTIES, NULL, 0),
      OSSL_PARAM_END,
  };
  (void)provider;
  return settable;
}

static int encoder_set_params(void *data, const OSSL_PARAM params[]) {
  struct encoder *encoder = data;
  const OSSL_PARAM *param = OSSL_PARAM_locate_const(params, OSSL_ENCODER_PARAM_CIPHER);
  const OSSL_PARAM *properties = OSSL_PARAM_locate_const(params, OSSL_ENCODER_PARAM_PROPERTIES);
  const char *name = NULL;
  const char *query = NULL;

  if (param == NULL) {
    return 1;
  }
  if (!OSSL_PARAM_get_utf8_string_ptr(param, &name) ||
      (properties != NULL && !OSSL_PARAM_get_utf8_string_ptr(properties, &query))) {
    return 0;
  }
  EVP_CIPHER_free(encoder->cipher);
  OPENSSL_free(encoder->properties);
  encoder->cipher = NULL;
  encoder->properties = NULL;
  if (name == NULL) {
    return 1;
  }
  encoder->cipher = EVP_CIPHER_fetch(encoder->provider->library_context, name, query);
  if (query != NULL) {
    encoder->properties = OPENSSL_strdup(query);
  }
  return encoder->cipher != NULL && (query == NULL || encoder->properties != NULL);
}

/* --- DER and PEM ------------------------------------------------------------------------------ */

static uint8_t *encrypt(const struct encoder *encoder, const struct key *key,
                        OSSL_PASSPHRASE_CALLBACK *ask, void *ask_argument, size_t *length) {
  char passphrase[MAX_PASSPHRASE];
  size_t passphrase_length = 0;
  uint8_t *der = NULL;

  if (encoder->cipher == NULL) {
    (void)RAISE(encoder->provider, REASON_NOT_SUPPORTED,
                "%s: no cipher was named to encrypt the key with", key->algorithm->name);
  } else if (ask == NULL ||
             !ask(passphrase, sizeof passphrase, &passphrase_length, NULL, ask_argument)) {
    (void)RAISE(encoder->provider, REASON_NO_PASSPHRASE, "%s", key->algorithm->name);
  } else {
    der = ckem_key_write_encrypted(key, encoder->cipher, encoder->properties, passphrase,
                                   passphrase_length, length);
  }
  OPENSSL_cleanse(passphrase, sizeof passphrase);
  return der;
}

/* Writes der[length] to OpenSSL's stream, in PEM if label is not NULL. */
static bool write_out(const struct encoder *encoder, OSSL_CORE_BIO *out, const char *label,
                      const uint8_t *der, size_t length) {
  BIO *stream = BIO_new_from_core_bio(encoder->provider->library_context, out);
  bool good = stream != NULL;

  if (good && label != NULL) {
    good = PEM_write_bio(stream, label, "", der, (long)length) > 0;
  } else if (good) {
    good = BIO_write(stream, der, (int)length) == (int)length;
  }
  BIO_free(stream);
  return good;
}

/* What the encoders of one structure do, in DER or PEM. */
enum structure { PUBLIC_KEY, PRIVATE_KEY, ENCRYPTED_PRIVATE_KEY };

static int encode(void *data, OSSL_CORE_BIO *out, const struct key *key, enum structure structure,
                  bool pem, OSSL_PASSPHRASE_CALLBACK *ask, void *ask_argument) {
  const struct encoder *encoder = data;
  const char *label = "PUBLIC KEY";
  size_t length = 0;
  uint8_t *der;
  bool good;

  if (key == NULL || !(structure == PUBLIC_KEY ? key->has_public : key->has_secret)) {
    return RAISE(encoder->provider, REASON_KEY_MISSING, "nothing to encode");
  }
  if (structure == PUBLIC_KEY) {
    der = ckem_key_write_public(key, &length);
  } else if (structure == PRIVATE_KEY && encoder->cipher == NULL) {
    label = "PRIVATE KEY";
    der = ckem_key_write_private(key, &length);
  } else {
    label = "ENCRYPTED PRIVATE KEY";
    der = encrypt(encoder, key, ask, ask_argument, &length);
  }
  if (der == NULL) {
    return 0;
  }
  good = write_out(encoder, out, pem ? label : NULL, der, length);
  OPENSSL_clear_free(der, length);
  return good;
}

static int selects_public(void *data, int selection) {
  (void)data;
  return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 &&
         (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0;
}

static int selects_private(void *data, int selection) {
  (void)data;
  return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0;
}

static int selects_any(void *data, int selection) {
  (void)data;
  return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0;
}

/* --- Text ------------------------------------------------------------------------------------- */

/* Prints bytes as OpenSSL prints keys: lines of hexadecimal with colons, indented. */
static bool print_bytes(BIO *out, const char *title, const uint8_t *bytes, size_t length) {
  bool good = BIO_printf(out, "%s:", title) > 0;

  for (size_t i = 0; good && i < length; i++) {
    good = (i % BYTES_OF_LINE != 0 || BIO_puts(out, "\n    ") > 0) &&
           BIO_printf(out, "%02x%s", bytes[i], i + 1 < length ? ":" : "") > 0;
  }
  return good && BIO_puts(out, "\n") > 0;
}

static bool print_key(BIO *out, const struct key *key, int selection) {
  const bool with_secret = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->has_secret;
  bool good =
      BIO_printf(out, "%s %s-Key:\n", key->algorithm->name, with_secret ? "Private" : "Public") > 0;

  if (good && with_secret && key->has_seed) {
    good = print_bytes(out, "seed", key->seed, key->kem->length_keypair_seed);
  }
  if (good && with_secret) {
    good = print_bytes(out, "priv", key->secret_key, key->kem->length_secret_key);
  }
  if (good && key->has_public) {
    good = print_bytes(out, "pub", key->public_key, key->kem->length_public_key);
  }
  return good;
}

static int encode_text(void *data, OSSL_CORE_BIO *out, const void *key, const OSSL_PARAM abstract[],
                       int selection, OSSL_PASSPHRASE_CALLBACK *ask, void *ask_argument) {
  const struct encoder *encoder = data;
  BIO *stream;
  bool good;

  (void)abstract;
  (void)ask;
  (void)ask_argument;
  if (key == NULL) {
    return 0;
  }
  stream = BIO_new_from_core_bio(encoder->provider->library_context, out);
  good = stream != NULL && print_key(stream, key, selection);
  BIO_free(stream);
  return good;
}

/* --- Tables ----------------------------------------------------------------------------------- */

#define ENCODER_FUNCTIONS(name, selects, function)                       \
  static const OSSL_DISPATCH name[] = {                                  \
      DISPATCH(OSSL_FUNC_ENCODER_NEWCTX, encoder_new),                   \
      DISPATCH(OSSL_FUNC_ENCODER_FREECTX, encoder_free),                 \
      DISPATCH(OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS, encoder_settable), \
      DISPATCH(OSSL_FUNC_ENCODER_SET_CTX_PARAMS, encoder_set_params),    \
      DISPATCH(OSSL_FUNC_ENCODER_DOES_SELECTION, selects),               \
      DISPATCH(OSSL_FUNC_ENCODER_ENCODE, function),                      \
      DISPATCH_END,                                                      \
  };

/* OpenSSL passes only keys of this provider here; there are no parameters for foreign keys. */
#define ENCODER(name, selects, structure, pem)                                  \
  static int encode_##name(void *data, OSSL_CORE_BIO *out, const void *key,     \
                           const OSSL_PARAM abstract[], int selection,          \
                           OSSL_PASSPHRASE_CALLBACK *ask, void *ask_argument) { \
    (void)abstract;                                                             \
    (void)selection;                                                            \
    return encode(data, out, key, structure, pem, ask, ask_argument);           \
  }                                                                             \
  ENCODER_FUNCTIONS(name, selects, encode_##name)

ENCODER(public_der, selects_public, PUBLIC_KEY, false)
ENCODER(public_pem, selects_public, PUBLIC_KEY, true)
ENCODER(private_der, selects_private, PRIVATE_KEY, false)
ENCODER(private_pem, selects_private, PRIVATE_KEY, true)
ENCODER(encrypted_der, selects_private, ENCRYPTED_PRIVATE_KEY, false)
ENCODER(encrypted_pem, selects_private, ENCRYPTED_PRIVATE_KEY, true)
ENCODER_FUNCTIONS(text, selects_any, encode_text)

#define PROPERTIES(output, structure) "provider=codekem,output=" output ",structure=" structure

const struct encoder_kind ckem_encoder_kinds[ENCODERS_OF_ALGORITHM] = {
    {PROPERTIES("der", "SubjectPublicKeyInfo"), public_der},
    {PROPERTIES("pem", "SubjectPublicKeyInfo"), public_pem},
    {PROPERTIES("der", "PrivateKeyInfo"), private_der},
    {PROPERTIES("pem", "PrivateKeyInfo"), private_pem},
    {PROPERTIES("der", "EncryptedPrivateKeyInfo"), encrypted_der},
    {PROPERTIES("pem", "EncryptedPrivateKeyInfo"), encrypted_pem},
    {"provider=codekem,output=text", text},
};
