/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keys in DER: SubjectPublicKeyInfo and PrivateKeyInfo, written and read. */
#include "key_der.h"

#include <openssl/asn1.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The first byte of each element, with its tag. */
#define INTEGER 0x02
#define BIT_STRING 0x03
#define OCTET_STRING 0x04
#define OBJECT_IDENTIFIER 0x06
#define SEQUENCE 0x30
#define SEED 0x80       /* [0] IMPLICIT OCTET STRING: a private key that is a seed alone */
#define ATTRIBUTES 0xA0 /* [0] IMPLICIT SET OF Attribute, behind the private key */
#define PUBLIC_KEY 0x81 /* [1] IMPLICIT BIT STRING, behind the attributes, since version 1 */

/* Longer ones are not decoded: OpenSSL before 3.0.9 takes time that grows with the square. */
#define MAX_OID_BYTES 128

#define TAG_NUMBER 0x1F     /* the bits of that byte that are the number of the tag */
#define GET_INDEFINITE 0x01 /* ASN1_get_object: without a definite length, so BER and not DER */

/* --- Object identifiers ----------------------------------------------------------------------- */

/* Writes the object identifier in numbers. Returns false if there is none, or it is too long. */
static bool write_oid(const ASN1_OBJECT *object, char *oid) {
  const int length = object == NULL ? 0 : OBJ_obj2txt(oid, KEY_DER_OID_TEXT, object, 1);

  if (length > 0 && length < KEY_DER_OID_TEXT) {
    return true;
  }
  oid[0] = '\0';
  return false;
}

bool ckem_key_der_normal_oid(const char *text, char *oid) {
  ASN1_OBJECT *object;
  bool good;

  ERR_set_mark();
  object = OBJ_txt2obj(text, 1);
  good = write_oid(object, oid);
  ASN1_OBJECT_free(object);
  ERR_pop_to_mark();
  return good;
}

/* --- Writing ---------------------------------------------------------------------------------- */

uint8_t *ckem_key_der_write_public(const char *oid, struct key_der_part public_key,
                                   size_t *length) {
  ASN1_OBJECT *object = OBJ_txt2obj(oid, 1);
  X509_PUBKEY *info = X509_PUBKEY_new();
  uint8_t *copy = OPENSSL_memdup(public_key.start, public_key.length);
  uint8_t *der = NULL;
  int written;

  if (object == NULL || info == NULL || copy == NULL ||
      !X509_PUBKEY_set0_param(info, object, V_ASN1_UNDEF, NULL, copy, (int)public_key.length)) {
    ASN1_OBJECT_free(object);
    OPENSSL_free(copy);
    X509_PUBKEY_free(info);
    return NULL;
  }
  written = i2d_X509_PUBKEY(info, &der);
  X509_PUBKEY_free(info);
  *length = written > 0 ? (size_t)written : 0;
  return written > 0 ? der : NULL;
}

bool ckem_key_der_find_form(const char *name, enum key_der_form *form) {
  static const char *const names[] = {"seed", "both", "expanded"};

  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(name, names[i]) == 0) {
      *form = (enum key_der_form)i;
      return true;
    }
  }
  return false;
}

void ckem_key_der_choose(enum key_der_form form, struct key_der_part *secret_key,
                         struct key_der_part *seed) {
  const struct key_der_part none = {NULL, 0};

  if (form == KEY_DER_SEED && seed->start != NULL) {
    *secret_key = none;
  } else if (form == KEY_DER_EXPANDED) {
    *seed = none;
  }
}

static void put_octets(uint8_t **end, struct key_der_part part, int tag, int tag_class) {
  ASN1_put_object(end, 0, (int)part.length, tag, tag_class);
  memcpy(*end, part.start, part.length);
  *end += part.length;
}

/* Writes what is in a private key: the seed, the secret key, or SEQUENCE { seed, secret key }. */
static uint8_t *write_content(struct key_der_part secret_key, struct key_der_part seed,
                              size_t *length) {
  const bool both = secret_key.start != NULL && seed.start != NULL;
  int inner = 0;
  int outer;
  uint8_t *content;
  uint8_t *end;

  if (secret_key.start != NULL) {
    inner += ASN1_object_size(0, (int)secret_key.length, V_ASN1_OCTET_STRING);
  }
  if (seed.start != NULL) {
    inner += ASN1_object_size(0, (int)seed.length, V_ASN1_OCTET_STRING);
  }
  outer = both ? ASN1_object_size(1, inner, V_ASN1_SEQUENCE) : inner;
  content = OPENSSL_zalloc((size_t)outer);
  if (content == NULL) {
    return NULL;
  }
  end = content;
  if (both) {
    ASN1_put_object(&end, 1, inner, V_ASN1_SEQUENCE, V_ASN1_UNIVERSAL);
    put_octets(&end, seed, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL);
  } else if (seed.start != NULL) {
    put_octets(&end, seed, SEED & TAG_NUMBER, V_ASN1_CONTEXT_SPECIFIC);
  }
  if (secret_key.start != NULL) {
    put_octets(&end, secret_key, V_ASN1_OCTET_STRING, V_ASN1_UNIVERSAL);
  }
  *length = (size_t)outer;
  return content;
}

PKCS8_PRIV_KEY_INFO *ckem_key_der_private_info(const char *oid, struct key_der_part secret_key,
                                               struct key_der_part seed) {
  size_t length = 0;
  uint8_t *content = write_content(secret_key, seed, &length);
  ASN1_OBJECT *object = OBJ_txt2obj(oid, 1);
  PKCS8_PRIV_KEY_INFO *info = PKCS8_PRIV_KEY_INFO_new();

  if (content == NULL || object == NULL || info == NULL ||
      !PKCS8_pkey_set0(info, object, 0, V_ASN1_UNDEF, NULL, content, (int)length)) {
    OPENSSL_clear_free(content, length);
    ASN1_OBJECT_free(object);
    PKCS8_PRIV_KEY_INFO_free(info);
    return NULL;
  }
  return info;
}

uint8_t *ckem_key_der_write_private(const char *oid, struct key_der_part secret_key,
                                    struct key_der_part seed, size_t *length) {
  PKCS8_PRIV_KEY_INFO *info = ckem_key_der_private_info(oid, secret_key, seed);
  uint8_t *der = NULL;
  const int written = info == NULL ? -1 : i2d_PKCS8_PRIV_KEY_INFO(info, &der);

  PKCS8_PRIV_KEY_INFO_free(info); /* which wipes the content */
  *length = written > 0 ? (size_t)written : 0;
  return written > 0 ? der : NULL;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Takes the header of an element that begins with the byte first off the front of *from, and
 * writes what it announces to *length; the content may be cut off. Leaves *from as it is, and
 * returns false, if there is no such element, or its length is not in DER. */
static bool take_header(struct key_der_part *from, uint8_t first, size_t *length) {
  const uint8_t *end = from->start;
  long announced = 0;
  int tag = 0;
  int tag_class = 0;
  int result;

  if (from->length == 0 || from->start[0] != first) {
    return false;
  }
  ERR_set_mark();
  result = ASN1_get_object(&end, &announced, &tag, &tag_class, (long)from->length);
  ERR_pop_to_mark();
  /* It moves end behind the header also where only the content is too short. */
  if (end == from->start || (result & GET_INDEFINITE) != 0 || announced < 0 ||
      announced > INT_MAX / 2 ||
      ASN1_object_size(0, (int)announced, tag) != (end - from->start) + announced) {
    return false; /* the last: a longer header than there need be */
  }
  *length = (size_t)announced;
  from->length -= (size_t)(end - from->start);
  from->start = end;
  return true;
}

/* Takes one whole element that begins with the byte first off the front of *from. Leaves *from as
 * it is, and returns false, if there is none. */
static bool take_element(struct key_der_part *from, uint8_t first, struct key_der_part *content) {
  struct key_der_part rest = *from;
  size_t length = 0;

  if (!take_header(&rest, first, &length) || length > rest.length) {
    return false;
  }
  content->start = rest.start;
  content->length = length;
  from->start = rest.start + length;
  from->length = rest.length - length;
  return true;
}

/* Takes the object identifier at the front of *from. */
static bool take_oid(struct key_der_part *from, char *oid) {
  const uint8_t *end = from->start;
  struct key_der_part content;
  ASN1_OBJECT *object;
  bool good;

  if (!take_element(from, OBJECT_IDENTIFIER, &content) || content.length > MAX_OID_BYTES) {
    return false;
  }
  ERR_set_mark();
  object = d2i_ASN1_OBJECT(NULL, &end, (long)(from->start - end));
  good = write_oid(object, oid);
  ASN1_OBJECT_free(object);
  ERR_pop_to_mark();
  return good;
}

bool ckem_key_der_read_oid(const uint8_t *der, size_t length, char *oid) {
  struct key_der_part rest = {der, length};
  struct key_der_part version;
  size_t announced;

  oid[0] = '\0';
  if (!take_header(&rest, SEQUENCE, &announced)) {
    return false;
  }
  (void)take_element(&rest, INTEGER, &version); /* private keys have one */
  return take_header(&rest, SEQUENCE, &announced) && take_oid(&rest, oid);
}

static bool refuse(struct key_der *key, const char *what) {
  (void)snprintf(key->error, sizeof key->error, "%s", what);
  return false;
}

/* Takes off what both structures begin with: the sequence of the whole. */
static bool open_whole(const uint8_t *der, size_t length, struct key_der *key,
                       struct key_der_part *info) {
  struct key_der_part rest = {der, length};
  size_t announced = 0;

  memset(key, 0, sizeof *key);
  (void)ckem_key_der_read_oid(der, length, key->oid);
  if (!take_header(&rest, SEQUENCE, &announced)) {
    return refuse(key, "the content is not a key in DER");
  }
  if (announced > rest.length) {
    (void)snprintf(key->error, sizeof key->error,
                   "the key is cut off: its header announces %zu bytes, and it has %zu",
                   announced + (length - rest.length), length);
    return false;
  }
  if (announced < rest.length) {
    return refuse(key, "the key has something behind its end");
  }
  *info = rest;
  return true;
}

/* Takes the AlgorithmIdentifier off the front, which must have no parameters. */
static bool take_algorithm(struct key_der_part *info, struct key_der *key) {
  struct key_der_part identifier;

  if (!take_element(info, SEQUENCE, &identifier) || !take_oid(&identifier, key->oid)) {
    return refuse(key, "the key has no object identifier that can be read");
  }
  return identifier.length == 0 ||
         refuse(key, "the key has parameters beside its object identifier, and none belong there");
}

/* Reads the content of a bit string as the public key. */
static bool read_bits(struct key_der_part bits, struct key_der *key) {
  if (bits.length == 0) {
    return refuse(key, "the key has no bit string with the public key");
  }
  if (bits.start[0] != 0) {
    return refuse(key, "the bit string of the public key has unused bits, and it must have none");
  }
  key->public_key.start = bits.start + 1;
  key->public_key.length = bits.length - 1;
  return true;
}

bool ckem_key_der_read_public(const uint8_t *der, size_t length, struct key_der *key) {
  struct key_der_part info;
  struct key_der_part bits = {NULL, 0};

  if (!open_whole(der, length, key, &info) || !take_algorithm(&info, key)) {
    return false;
  }
  (void)take_element(&info, BIT_STRING, &bits);
  return read_bits(bits, key) &&
         (info.length == 0 ||
          refuse(key, "the key has something behind the bit string with the public key"));
}

/* Reads the content of a private key: a seed, a secret key, or both. */
static bool read_content(struct key_der_part content, struct key_der *key) {
  struct key_der_part both;
  bool good;

  if (take_element(&content, SEQUENCE, &both)) {
    good = take_element(&both, OCTET_STRING, &key->seed) &&
           take_element(&both, OCTET_STRING, &key->secret_key) && both.length == 0;
  } else {
    good = take_element(&content, OCTET_STRING, &key->secret_key) ||
           take_element(&content, SEED, &key->seed);
  }
  return (good && content.length == 0) ||
         refuse(key, "the private key is neither a seed, nor a secret key, nor both");
}

/* Takes the version off the front: 0, or 1, which may have a public key [RFC5958, 2]. */
static bool take_version(struct key_der_part *info, struct key_der *key, unsigned *version) {
  struct key_der_part number;

  if (!take_element(info, INTEGER, &number) || number.length == 0) {
    return refuse(key, "the private key does not begin with the version of a PrivateKeyInfo");
  }
  if (number.length > 1 || number.start[0] > 1) {
    return refuse(key, "the private key is of a later version than 0 and 1, the only ones known");
  }
  *version = number.start[0];
  return true;
}

/* Reads what may be behind the private key: attributes, and the public key. */
static bool read_tail(struct key_der_part info, unsigned version, struct key_der *key) {
  struct key_der_part attributes;
  struct key_der_part bits;

  (void)take_element(&info, ATTRIBUTES, &attributes);
  if (take_element(&info, PUBLIC_KEY, &bits)) {
    if (version == 0) {
      return refuse(key, "the private key has a public key, which its version 0 does not allow");
    }
    if (!read_bits(bits, key)) {
      return false;
    }
  }
  return info.length == 0 || refuse(key,
                                    "the key has something other than attributes and a public key "
                                    "behind the private key");
}

bool ckem_key_der_read_private(const uint8_t *der, size_t length, struct key_der *key) {
  struct key_der_part info;
  struct key_der_part content;
  unsigned version = 0;

  if (!open_whole(der, length, key, &info) || !take_version(&info, key, &version) ||
      !take_algorithm(&info, key)) {
    return false;
  }
  if (!take_element(&info, OCTET_STRING, &content)) {
    return refuse(key, "the key has no octet string with the private key");
  }
  return read_tail(info, version, key) && read_content(content, key);
}
