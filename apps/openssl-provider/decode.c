/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decoders as OpenSSL asks for them [OSSL, provider-decoder]: keys from DER. OpenSSL's own decoders
 * take PEM and encryption off before. */
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/core_object.h>
#include <openssl/params.h>
#include <string.h>

#include "dispatch.h"
#include "key-encoding/key_der.h"
#include "key_asn1.h"

#define MAX_HEADER 6 /* a tag and a length of up to five bytes */

struct decoder {
  const struct provider *provider;
};

static void *decoder_new(void *provider) {
  struct decoder *decoder = OPENSSL_zalloc(sizeof *decoder);

  if (decoder != NULL) {
    decoder->provider = provider;
  }
  return decoder;
}

static void decoder_free(void *data) {
  OPENSSL_free(data);
}

/* Reads until the buffer is full or the stream ends. Returns the number of bytes. */
static size_t read_some(BIO *in, uint8_t *bytes, size_t length) {
  size_t total = 0;

  while (total < length) {
    size_t got = 0;
    if (BIO_read_ex(in, bytes + total, length - total, &got) <= 0 || got == 0) {
      break;
    }
    total += got;
  }
  return total;
}

/* Returns what the header of a DER sequence in header[length] announces, with the header; or 0 if
 * this is none. */
static size_t sequence_length(const uint8_t *header, size_t length) {
  size_t content = 0;
  size_t octets;

  if (length < 2 || header[0] != 0x30) {
    return 0;
  }
  if (header[1] < 0x80) {
    return (size_t)header[1] + 2;
  }
  octets = header[1] & 0x7F;
  if (octets == 0 || octets > MAX_HEADER - 2 || octets + 2 > length) {
    return 0;
  }
  for (size_t i = 0; i < octets; i++) {
    content = content << 8 | header[2 + i];
  }
  return content > SIZE_MAX - MAX_HEADER ? 0 : content + 2 + octets;
}

/* One DER sequence, or what there is of it, in memory that OPENSSL_clear_free takes. */
struct sequence {
  uint8_t *der; /* NULL: the stream begins with something else than a key of ours */
  size_t length;
  size_t expected; /* what its header announces */
};

/* Reads the first bytes of a sequence, and no byte beyond it: up to prefix[KEY_DER_PREFIX]. Returns
 * their number, and in *expected what the header announces, 0 if the stream begins with something
 * else. */
static size_t read_prefix(BIO *in, uint8_t *prefix, size_t *expected) {
  size_t got = read_some(in, prefix, 2);

  if (got == 2 && prefix[0] == 0x30 && prefix[1] > 0x80 && (prefix[1] & 0x7FU) <= MAX_HEADER - 2) {
    got += read_some(in, prefix + 2, prefix[1] & 0x7FU);
  }
  *expected = sequence_length(prefix, got);
  if (*expected > got) {
    const size_t wanted = *expected < KEY_DER_PREFIX ? *expected : KEY_DER_PREFIX;
    got += read_some(in, prefix + got, wanted - got);
  }
  return got;
}

/* Reads one DER sequence, and no byte beyond it. Takes memory only for what begins as a key of
 * ours does, and is not longer than one. Returns false, with an error, if it is, or there is no
 * memory. */
static bool read_sequence(const struct provider *provider, BIO *in, struct sequence *sequence) {
  uint8_t prefix[KEY_DER_PREFIX];
  const size_t got = read_prefix(in, prefix, &sequence->expected);
  const size_t most = ckem_key_recognise(provider, prefix, got);
  bool good = true;

  sequence->der = NULL;
  if (most != 0 && sequence->expected > most) {
    good = RAISE(provider, REASON_BAD_ENCODING,
                 "the key announces %zu bytes, and keys of its algorithm have %zu at most",
                 sequence->expected, most);
  } else if (most != 0) {
    sequence->der = OPENSSL_malloc(sequence->expected);
    good = sequence->der != NULL ||
           RAISE(provider, REASON_NO_MEMORY, "a key of %zu bytes", sequence->expected);
  }
  if (sequence->der != NULL) {
    memcpy(sequence->der, prefix, got);
    sequence->length = got + read_some(in, sequence->der + got, sequence->expected - got);
  }
  OPENSSL_cleanse(prefix, sizeof prefix);
  return good;
}

/* Hands the key over to OpenSSL, by a reference that it takes the key out of. */
static int deliver(struct key *key, OSSL_CALLBACK *callback, void *argument) {
  int type = OSSL_OBJECT_PKEY;
  char *name = (char *)(uintptr_t)key->algorithm->name;
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_int(OSSL_OBJECT_PARAM_TYPE, &type),
      OSSL_PARAM_construct_utf8_string(OSSL_OBJECT_PARAM_DATA_TYPE, name, 0),
      OSSL_PARAM_construct_octet_string(OSSL_OBJECT_PARAM_REFERENCE, &key, sizeof key),
      OSSL_PARAM_construct_end(),
  };
  const int result = callback(params, argument);

  ckem_key_free(key); /* NULL if OpenSSL took it */
  return result;
}

typedef enum key_found key_reader(const struct provider *provider, const uint8_t *der,
                                  size_t length, struct key **key);

/* Returns 0 with an error for a broken key of ours, so that OpenSSL stops there and shows it; 1 for
 * what is not ours, so that it goes on with the next decoder. */
static int decode(const struct decoder *decoder, OSSL_CORE_BIO *in, key_reader *reader,
                  OSSL_CALLBACK *callback, void *argument) {
  const struct provider *provider = decoder->provider;
  BIO *stream = BIO_new_from_core_bio(provider->library_context, in);
  enum key_found found = KEY_NOT_OURS;
  struct sequence sequence;
  struct key *key = NULL;
  bool good;

  if (stream == NULL) {
    return 0;
  }
  good = read_sequence(provider, stream, &sequence);
  BIO_free(stream);
  if (!good) {
    return 0;
  }
  if (sequence.der != NULL) {
    found = reader(provider, sequence.der, sequence.length, &key);
    OPENSSL_clear_free(sequence.der, sequence.expected);
  }
  if (found == KEY_FOUND) {
    return deliver(key, callback, argument);
  }
  return found == KEY_NOT_OURS;
}

static int decode_public(void *data, OSSL_CORE_BIO *in, int selection, OSSL_CALLBACK *callback,
                         void *argument, OSSL_PASSPHRASE_CALLBACK *ask, void *ask_argument) {
  (void)selection;
  (void)ask;
  (void)ask_argument;
  return decode(data, in, ckem_key_read_public, callback, argument);
}

static int decode_private(void *data, OSSL_CORE_BIO *in, int selection, OSSL_CALLBACK *callback,
                          void *argument, OSSL_PASSPHRASE_CALLBACK *ask, void *ask_argument) {
  (void)selection;
  (void)ask;
  (void)ask_argument;
  return decode(data, in, ckem_key_read_private, callback, argument);
}

static int selects_public(void *provider, int selection) {
  (void)provider;
  return selection == 0 || ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) == 0 &&
                            (selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0);
}

static int selects_private(void *provider, int selection) {
  (void)provider;
  return selection == 0 || (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0;
}

/* For keys of one provider that are needed in another. */
static int decoder_export(void *data, const void *reference, size_t length, OSSL_CALLBACK *callback,
                          void *argument) {
  OSSL_PARAM params[3];
  struct key *key = NULL;
  size_t count = 0;

  (void)data;
  if (length != sizeof key) {
    return 0;
  }
  key = *(struct key *const *)reference;
  if (key == NULL) {
    return 0;
  }
  params[count++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, key->public_key,
                                                      key->kem->length_public_key);
  if (key->has_secret) {
    params[count++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, key->secret_key,
                                                        key->kem->length_secret_key);
  }
  params[count] = OSSL_PARAM_construct_end();
  return callback(params, argument);
}

#define DECODER_FUNCTIONS(name, selects, function)               \
  static const OSSL_DISPATCH name[] = {                          \
      DISPATCH(OSSL_FUNC_DECODER_NEWCTX, decoder_new),           \
      DISPATCH(OSSL_FUNC_DECODER_FREECTX, decoder_free),         \
      DISPATCH(OSSL_FUNC_DECODER_DOES_SELECTION, selects),       \
      DISPATCH(OSSL_FUNC_DECODER_DECODE, function),              \
      DISPATCH(OSSL_FUNC_DECODER_EXPORT_OBJECT, decoder_export), \
      DISPATCH_END,                                              \
  };

DECODER_FUNCTIONS(public_key, selects_public, decode_public)
DECODER_FUNCTIONS(private_key, selects_private, decode_private)

const struct decoder_kind ckem_decoder_kinds[DECODERS_OF_ALGORITHM] = {
    {"provider=codekem,input=der,structure=SubjectPublicKeyInfo", public_key},
    {"provider=codekem,input=der,structure=PrivateKeyInfo", private_key},
};
