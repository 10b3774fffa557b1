/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is offered, with names, code points and object identifiers: the defaults, or what the
 * configuration says. */
#include "settings.h"

#include <openssl/objects.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key-encoding/key_der.h"
#include "key-encoding/key_oids.h"
#include "provider.h"
#include "tls_registry.h"

#define MAX_KEY 64          /* "groups.x25519_bikel1" */
#define MAX_GROUP_NAME 40   /* OpenSSL 3.0 cuts names in a list of groups off there */
#define MAX_OID 50          /* OpenSSL's decoder of public keys cuts names off there */
#define MAX_CODE_POINT 65535
#define FIRST_PRIVATE \
  0xFE00 /* for private use; there is a smaller range, for ffdhe [RFC8446, 4.2.7] */
#define LAST_PRIVATE 0xFEFF

const char *ckem_settings_entry(const struct provider *provider, const char *kind,
                                const char *name) {
  char key[MAX_KEY];
  char *value = NULL;
  OSSL_PARAM params[2];

  if (provider->get_params == NULL ||
      (size_t)snprintf(key, sizeof key, "%s.%s", kind, name) >= sizeof key) {
    return NULL;
  }
  params[0] = OSSL_PARAM_construct_utf8_ptr(key, &value, 0);
  params[1] = OSSL_PARAM_construct_end();
  return provider->get_params(provider->handle, params) ? value : NULL;
}

static bool load_code_point(struct provider *provider, const struct algorithm *algorithm,
                            struct offer *offer) {
  const char *text = ckem_settings_entry(provider, "groups", algorithm->group);
  const char *owner;
  char *end = NULL;
  unsigned long value;

  offer->code_point = algorithm->code_point;
  if (text == NULL) {
    return true;
  }
  value = strtoul(text, &end, 0);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > MAX_CODE_POINT) {
    return RAISE(provider, REASON_BAD_CONFIGURATION,
                 "groups.%s = %s: expected a code point from 1 to %d, or 0 to leave the group out",
                 algorithm->group, text, MAX_CODE_POINT);
  }
  owner = ckem_tls_owner_of_number((unsigned)value);
  if (owner != NULL) {
    return RAISE(provider, REASON_BAD_CONFIGURATION,
                 "groups.%s = %s: in TLS this number is that of %s; take one from %d to %d, which "
                 "are for private use",
                 algorithm->group, text, owner, FIRST_PRIVATE, LAST_PRIVATE);
  }
  offer->code_point = (unsigned)value;
  return true;
}

static bool load_group_name(struct provider *provider, const struct algorithm *algorithm,
                            struct offer *offer) {
  const char *text = ckem_settings_entry(provider, "names", algorithm->group);
  const char *owner;

  if (text == NULL) {
    text = algorithm->group;
  }
  if (text[0] == '\0' || strlen(text) >= MAX_GROUP_NAME || strpbrk(text, ":/?*- ") != NULL) {
    return RAISE(provider, REASON_BAD_CONFIGURATION,
                 "names.%s = %s: expected 1 to %d characters without any of \":/?*- \", which "
                 "separate names in lists of groups",
                 algorithm->group, text, MAX_GROUP_NAME - 1);
  }
  owner = ckem_tls_owner_of_name(text);
  if (owner != NULL) {
    return RAISE(provider, REASON_BAD_CONFIGURATION,
                 "names.%s = %s: this is the name of the TLS group %s; take another one",
                 algorithm->group, text, owner);
  }
  offer->group = OPENSSL_strdup(text);
  return offer->group != NULL || RAISE(provider, REASON_NO_MEMORY, "settings");
}

/* Reads the number pool.name into value, if it is configured. */
static bool load_number(struct provider *provider, const char *name, unsigned long smallest,
                        unsigned long largest, unsigned long *value) {
  const char *text = ckem_settings_entry(provider, "pool", name);
  char *end = NULL;

  if (text == NULL) {
    return true;
  }
  *value = strtoul(text, &end, 10);
  return (text[0] >= '0' && text[0] <= '9' && *end == '\0' && *value >= smallest &&
          *value <= largest) ||
         RAISE(provider, REASON_BAD_CONFIGURATION,
               "pool.%s = %s: expected a number from %lu to %lu", name, text, smallest, largest);
}

static bool load_pools(struct provider *provider) {
  unsigned long size = 0;
  unsigned long seconds = POOL_DEFAULT_SECONDS;
  const bool good = load_number(provider, "size", 0, POOL_MAX_SIZE, &size) &&
                    load_number(provider, "seconds", 1, POOL_MAX_SECONDS, &seconds);

  provider->pool_size = size;
  provider->pool_seconds = (unsigned)seconds;
  return good;
}

/* Reads in which form private keys are written. */
static bool load_key_form(struct provider *provider) {
  const char *text = ckem_settings_entry(provider, "keys", "form");

  provider->key_form = KEY_DER_SEED;
  return text == NULL || ckem_key_der_find_form(text, &provider->key_form) ||
         RAISE(provider, REASON_BAD_CONFIGURATION,
               "keys.form = %s: expected seed, both or expanded", text);
}

/* Returns what an object identifier is to OpenSSL, if that is something else than algorithm; or
 * NULL. */
static const char *foreign_owner(const struct algorithm *algorithm, const char *oid) {
  ASN1_OBJECT *object = OBJ_txt2obj(oid, 1);
  const int nid = object == NULL ? NID_undef : OBJ_obj2nid(object);

  ASN1_OBJECT_free(object);
  return nid == NID_undef || ckem_algorithm_same_name(OBJ_nid2sn(nid), algorithm->name)
             ? NULL
             : OBJ_nid2ln(nid);
}

/* Takes the object identifiers that a key is recognised by: in one form, and nobody else's. */
static bool check_oid(struct provider *provider, const struct algorithm *algorithm,
                      const char *text) {
  char normal[KEY_DER_OID_TEXT];
  const char *owner;

  if (!ckem_key_der_normal_oid(text, normal) || strlen(normal) >= MAX_OID) {
    return RAISE(
        provider, REASON_BAD_CONFIGURATION,
        "oids.%s = %s: expected an object identifier in dotted numbers, such as 1.3.9999.1, with "
        "less than %d characters",
        algorithm->name, text, MAX_OID);
  }
  if (strcmp(text, normal) != 0) {
    return RAISE(provider, REASON_BAD_CONFIGURATION,
                 "oids.%s = %s: expected numbers without leading zeros and blanks, with one dot "
                 "between two of them; OpenSSL takes it for %s",
                 algorithm->name, text, normal);
  }
  owner = foreign_owner(algorithm, text);
  return owner == NULL ||
         RAISE(provider, REASON_BAD_CONFIGURATION,
               "oids.%s = %s: to OpenSSL this object identifier is that of %s; take another one",
               algorithm->name, text, owner);
}

/* Loads the object identifier, if keys have one. */
static bool load_oid(struct provider *provider, const struct algorithm *algorithm,
                     struct offer *offer) {
  const char *text;

  if (algorithm->classical != NULL) {
    return true;
  }
  text = ckem_settings_entry(provider, "oids", algorithm->name);
  if (text == NULL) {
    text = ckem_key_oid_of_kem(algorithm->kem);
  } else if (!check_oid(provider, algorithm, text)) {
    return false;
  }
  /* What others write is theirs to change: once OpenSSL knows it as something else, it is that. */
  offer->read_oid = ckem_key_read_oid_of_kem(algorithm->kem);
  if (offer->read_oid != NULL && foreign_owner(algorithm, offer->read_oid) != NULL) {
    offer->read_oid = NULL;
  }
  offer->oid = text == NULL ? NULL : OPENSSL_strdup(text);
  return text == NULL || offer->oid != NULL || RAISE(provider, REASON_NO_MEMORY, "settings");
}

/* Writes down the names to find the algorithm by. */
static bool write_names(struct provider *provider, const struct algorithm *algorithm,
                        struct offer *offer) {
  const char *const words[] = {algorithm->name, offer->oid, offer->read_oid};
  size_t length = 1;
  char *end;

  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    length += words[i] == NULL ? 0 : strlen(words[i]) + 1;
  }
  offer->names = OPENSSL_malloc(length);
  if (offer->names == NULL) {
    return RAISE(provider, REASON_NO_MEMORY, "settings");
  }
  end = offer->names;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (words[i] != NULL) {
      end +=
          snprintf(end, length - (size_t)(end - offer->names), "%s%s", i == 0 ? "" : ":", words[i]);
    }
  }
  return true;
}

static bool is_same(const char *a, const char *b) {
  return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Two algorithms with one number or name: OpenSSL would silently take the first. */
static bool are_different(struct provider *provider, size_t a, size_t b) {
  const struct offer *first = &provider->offers[a];
  const struct offer *second = &provider->offers[b];

  if (first->code_point != 0 && first->code_point == second->code_point) {
    return RAISE(provider, REASON_BAD_CONFIGURATION,
                 "groups.%s and groups.%s: both are %u; give one of them another number, or 0",
                 ckem_provider_algorithms[a].group, ckem_provider_algorithms[b].group,
                 first->code_point);
  }
  if (first->group != NULL && second->group != NULL &&
      ckem_algorithm_same_name(first->group, second->group)) {
    return RAISE(provider, REASON_BAD_CONFIGURATION,
                 "names.%s and names.%s: both are %s; give one of them another name",
                 ckem_provider_algorithms[a].group, ckem_provider_algorithms[b].group,
                 first->group);
  }
  if (is_same(first->oid, second->oid) || is_same(first->oid, second->read_oid) ||
      is_same(first->read_oid, second->oid)) {
    return RAISE(provider, REASON_BAD_CONFIGURATION,
                 "oids.%s and oids.%s: both are %s; give one of them another object identifier",
                 ckem_provider_algorithms[a].name, ckem_provider_algorithms[b].name,
                 is_same(first->read_oid, second->oid) ? second->oid : first->oid);
  }
  return true;
}

/* Fills the offer of one algorithm that the library has. */
static bool load(struct provider *provider, const struct algorithm *algorithm,
                 struct offer *offer) {
  return (!ckem_algorithm_has_group(algorithm, offer->kem) ||
          (load_code_point(provider, algorithm, offer) &&
           load_group_name(provider, algorithm, offer))) &&
         load_oid(provider, algorithm, offer) && write_names(provider, algorithm, offer);
}

bool ckem_settings_load(struct provider *provider) {
  if (!load_pools(provider) || !load_key_form(provider)) {
    return false;
  }
  for (size_t i = 0; i < ALGORITHMS; i++) {
    const struct algorithm *algorithm = &ckem_provider_algorithms[i];
    struct offer *offer = &provider->offers[i];
    offer->kem = codekem_kem_find(algorithm->kem);
    if (offer->kem != NULL && !load(provider, algorithm, offer)) {
      return false;
    }
    for (size_t j = 0; j < i; j++) {
      if (!are_different(provider, j, i)) {
        return false;
      }
    }
  }
  return true;
}

void ckem_settings_free(struct provider *provider) {
  for (size_t i = 0; i < ALGORITHMS; i++) {
    OPENSSL_free(provider->offers[i].group);
    OPENSSL_free(provider->offers[i].oid);
    OPENSSL_free(provider->offers[i].names);
  }
}
