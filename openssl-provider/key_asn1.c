/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keys in DER: SubjectPublicKeyInfo and PrivateKeyInfo, written and read. */
#include "key_asn1.h"

#include <openssl/asn1.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>
#include <string.h>

#define MAX_OID_TEXT 128
#define DEFAULT_ENCRYPTION (-1) /* PKCS8_encrypt_ex: PBES2 with the cipher given */
#define SEED_TAG 0              /* [0] IMPLICIT OCTET STRING: a private key that is a seed alone */

/* Returns the object identifier of key, which the caller frees or passes on; NULL if none. */
static ASN1_OBJECT *object_of(const struct key *key) {
  const char *oid = key->provider->settings[key->algorithm - provider_algorithms].oid;

  return oid == NULL ? NULL : OBJ_txt2obj(oid, 1);
}

/* Returns the pure algorithm with this object identifier, or NULL. */
static const struct algorithm *find_algorithm(const struct provider *provider,
                                              const ASN1_OBJECT *object) {
  char text[MAX_OID_TEXT];

  if (object == NULL || OBJ_obj2txt(text, sizeof text, object, 1) <= 0) {
    return NULL;
  }
  for (size_t i = 0; i < PURE_ALGORITHMS; i++) {
    if (strcmp(text, provider->settings[i].oid) == 0) {
      return &provider_algorithms[i];
    }
  }
  return NULL;
}

static uint8_t *writing_failed(const struct key *key) {
  (void)RAISE(key->provider, REASON_NO_MEMORY, "writing a key of %s", key->algorithm->name);
  return NULL;
}

/* --- Writing ---------------------------------------------------------------------------------- */

uint8_t *key_write_public(const struct key *key, size_t *length) {
  const size_t key_bytes = key->kem->length_public_key;
  ASN1_OBJECT *object = object_of(key);
  X509_PUBKEY *info = X509_PUBKEY_new();
  uint8_t *copy = OPENSSL_memdup(key->public_key, key_bytes);
  uint8_t *der = NULL;
  int written;

  if (object == NULL || info == NULL || copy == NULL ||
      !X509_PUBKEY_set0_param(info, object, V_ASN1_UNDEF, NULL, copy, (int)key_bytes)) {
    ASN1_OBJECT_free(object);
    OPENSSL_free(copy);
    X509_PUBKEY_free(info);
    return writing_failed(key);
  }
  written = i2d_X509_PUBKEY(info, &der);
  X509_PUBKEY_free(info);
  *length = written > 0 ? (size_t)written : 0;
  return written > 0 ? der : writing_failed(key);
}

/* Writes what is in a private key: SEQUENCE { seed, secret key }, or the secret key alone. */
static uint8_t *write_content(const struct key *key, size_t *length) {
  const int secret_bytes = (int)key->kem->length_secret_key;
  const int seed_bytes = (int)key->kem->length_keypair_seed;
  int inner = ASN1_object_size(0, secret_bytes, V_ASN1_OCTET_STRING);
  int outer;
  uint8_t *content;
  uint8_t *end;

  if (key->has_seed) {
    inner += ASN1_object_size(0, seed_bytes, V_ASN1_OCTET_STRING);
  }
  outer = key->has_seed ? ASN1_object_size(1, inner, V_ASN1_SEQUENCE) : inner;
  content = OPENSSL_zalloc((size_t)outer);
  if (content == NULL) {
    return NULL;
  }
  end = content;
  if (key->has_seed) {
    ASN1_put_object(&end, 1, inner, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL);
    ASN1_put_object(&end, 0, seed_bytes, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL);
    memcpy(end, key->seed, (size_t)seed_bytes);
    end += seed_bytes;
  }
  ASN1_put_object(&end, 0, secret_bytes, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL);
  memcpy(end, key->secret_key, (size_t)secret_bytes);
  *length = (size_t)outer;
  return content;
}

static PKCS8_PRIV_KEY_INFO *make_private_info(const struct key *key) {
  size_t content_length = 0;
  uint8_t *content = write_content(key, &content_length);
  ASN1_OBJECT *object = object_of(key);
  PKCS8_PRIV_KEY_INFO *info = PKCS8_PRIV_KEY_INFO_new();

  if (content == NULL || object == NULL || info == NULL ||
      !PKCS8_pkey_set0(info, object, 0, V_ASN1_UNDEF, NULL, content, (int)content_length)) {
    OPENSSL_clear_free(content, content_length);
    ASN1_OBJECT_free(object);
    PKCS8_PRIV_KEY_INFO_free(info);
    return NULL;
  }
  return info;
}

uint8_t *key_write_private(const struct key *key, size_t *length) {
  PKCS8_PRIV_KEY_INFO *info = make_private_info(key);
  uint8_t *der = NULL;
  const int written = info == NULL ? -1 : i2d_PKCS8_PRIV_KEY_INFO(info, &der);

  PKCS8_PRIV_KEY_INFO_free(info); /* which wipes the content */
  *length = written > 0 ? (size_t)written : 0;
  return written > 0 ? der : writing_failed(key);
}

uint8_t *key_write_encrypted(const struct key *key, const EVP_CIPHER *cipher,
                             const char *passphrase, size_t passphrase_length, size_t *length) {
  PKCS8_PRIV_KEY_INFO *info = make_private_info(key);
  X509_SIG *encrypted = NULL;
  uint8_t *der = NULL;
  int written = -1;

  if (info != NULL) {
    encrypted = PKCS8_encrypt_ex(DEFAULT_ENCRYPTION, cipher, passphrase, (int)passphrase_length,
                                 NULL, 0, 0, info, key->provider->library_context, NULL);
  }
  if (encrypted != NULL) {
    written = i2d_X509_SIG(encrypted, &der);
  }
  X509_SIG_free(encrypted);
  PKCS8_PRIV_KEY_INFO_free(info);
  *length = written > 0 ? (size_t)written : 0;
  return written > 0 ? der : writing_failed(key);
}

/* --- Reading ---------------------------------------------------------------------------------- */

struct span {
  const uint8_t *start;
  size_t length;
};

/* Takes one element with this tag off the front of *from. Says false, without an error, if there is
 * none, or if it has no definite length. */
static bool take_element(struct span *from, int tag, int tag_class, struct span *content) {
  const uint8_t *start = from->start;
  long length = 0;
  int got_tag = 0;
  int got_class = 0;
  int result;

  ERR_set_mark();
  result = ASN1_get_object(&start, &length, &got_tag, &got_class, (long)from->length);
  ERR_pop_to_mark();
  if ((result & 0x81) != 0 || got_tag != tag || got_class != tag_class || length < 0) {
    return false;
  }
  content->start = start;
  content->length = (size_t)length;
  from->length -= (size_t)(start - from->start) + content->length;
  from->start = start + length;
  return true;
}

/* Reads the object identifier at the front of an AlgorithmIdentifier; NULL if it is not ours. */
static const struct algorithm *read_algorithm(const struct provider *provider, struct span from) {
  const uint8_t *start = from.start;
  const struct algorithm *algorithm;
  ASN1_OBJECT *object;

  ERR_set_mark();
  object = d2i_ASN1_OBJECT(NULL, &start, (long)from.length);
  ERR_pop_to_mark();
  algorithm = find_algorithm(provider, object);
  ASN1_OBJECT_free(object);
  return algorithm;
}

static enum key_found broken(const struct provider *provider, struct key *key,
                             const struct algorithm *algorithm, const char *what) {
  (void)RAISE(provider, REASON_BAD_ENCODING, "%s: %s", algorithm->name, what);
  key_free(key);
  return KEY_BROKEN;
}

/* There is one encoding of a public key; says whether der[length] is it. */
static bool is_encoding_of(const struct key *key, const uint8_t *der, size_t length) {
  size_t own_length = 0;
  uint8_t *own = key_write_public(key, &own_length);
  const bool equal = own != NULL && own_length == length && memcmp(own, der, length) == 0;

  OPENSSL_free(own);
  return equal;
}

enum key_found key_read_public(const struct provider *provider, const uint8_t *der, size_t length,
                               struct key **key) {
  struct span all = {der, length};
  struct span info;
  struct span identifier;
  struct span bits;
  const struct algorithm *algorithm;

  *key = NULL;
  if (!take_element(&all, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL, &info) ||
      !take_element(&info, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL, &identifier)) {
    return KEY_NOT_OURS;
  }
  algorithm = read_algorithm(provider, identifier);
  if (algorithm == NULL) {
    return KEY_NOT_OURS;
  }
  if (!take_element(&info, V_ASN1_BIT_STRING, V_ASN1_UNIVERSAL, &bits) || bits.length == 0) {
    return broken(provider, NULL, algorithm, "no bit string with the public key");
  }
  *key = key_new(provider, algorithm);
  if (*key == NULL || !key_set_public(*key, bits.start + 1, bits.length - 1)) {
    key_free(*key);
    *key = NULL;
    return KEY_BROKEN;
  }
  if (!is_encoding_of(*key, der, length)) {
    key_free(*key);
    *key = NULL;
    return broken(provider, NULL, algorithm,
                  "the public key is not in DER, or has parameters or more behind it");
  }
  return KEY_FOUND;
}

/* Reads the content of a private key: a seed, a secret key, or both. */
static enum key_found read_content(struct key *key, struct span content) {
  struct span parts = content;
  struct span seed = {NULL, 0};
  struct span secret = {NULL, 0};
  struct span both;
  bool good;

  if (take_element(&parts, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL, &both)) {
    good = parts.length == 0 &&
           take_element(&both, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL, &seed) &&
           take_element(&both, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL, &secret) &&
           both.length == 0;
  } else {
    good = (take_element(&parts, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL, &secret) ||
            take_element(&parts, SEED_TAG, V_ASN1_CONTEXT_SPECIFIC, &seed)) &&
           parts.length == 0;
  }
  if (!good) {
    return broken(key->provider, NULL, key->algorithm,
                  "the private key is neither a seed, nor a secret key, nor both");
  }
  return key_set_secret(key, secret.start, secret.length, seed.start, seed.length) ? KEY_FOUND
                                                                                   : KEY_BROKEN;
}

enum key_found key_read_private(const struct provider *provider, const uint8_t *der, size_t length,
                                struct key **key) {
  const uint8_t *end = der;
  const ASN1_OBJECT *object = NULL;
  const X509_ALGOR *identifier = NULL;
  const struct algorithm *algorithm = NULL;
  struct span content = {NULL, 0};
  enum key_found found;
  PKCS8_PRIV_KEY_INFO *info;
  int content_length = 0;
  int parameters = V_ASN1_UNDEF;

  *key = NULL;
  ERR_set_mark();
  info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &end, (long)length);
  ERR_pop_to_mark();
  if (info != NULL &&
      PKCS8_pkey_get0(&object, &content.start, &content_length, &identifier, info)) {
    algorithm = find_algorithm(provider, object);
  }
  if (algorithm == NULL) {
    PKCS8_PRIV_KEY_INFO_free(info);
    return KEY_NOT_OURS;
  }
  content.length = (size_t)content_length;
  X509_ALGOR_get0(NULL, &parameters, NULL, identifier);
  *key = key_new(provider, algorithm);
  if (*key == NULL) {
    found = KEY_BROKEN;
  } else if (parameters != V_ASN1_UNDEF || end != der + length) {
    found = broken(provider, NULL, algorithm, "the private key has parameters or more behind it");
  } else {
    found = read_content(*key, content);
  }
  if (found != KEY_FOUND) {
    key_free(*key);
    *key = NULL;
  }
  PKCS8_PRIV_KEY_INFO_free(info);
  return found;
}

const struct algorithm *key_recognise(const struct provider *provider, const uint8_t *der,
                                      size_t length) {
  struct span from = {der, length};
  /* What may come before the object identifier, each with its header alone: the sequence of the
   * whole, the version of a private key, the sequence of the AlgorithmIdentifier. */
  for (size_t offset = 0; offset < 16 && offset < length; offset++) {
    const struct algorithm *algorithm;
    from.start = der + offset;
    from.length = length - offset;
    if (from.start[0] == V_ASN1_OBJECT) {
      algorithm = read_algorithm(provider, from);
      if (algorithm != NULL) {
        return algorithm;
      }
    }
  }
  return NULL;
}
