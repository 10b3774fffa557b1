/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Names, code points and object identifiers: the defaults, or what the configuration says. */
#include "settings.h"

#include <openssl/objects.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "provider.h"

#define MAX_KEY 64          /* "groups.x25519_bikel1" */
#define MAX_GROUP_NAME 40   /* OpenSSL 3.0 cuts names in a list of groups off there */
#define MAX_CODE_POINT 65535

/* Returns the configured value of kind.name, or NULL. */
static const char *configured(const struct provider *provider, const char *kind, const char *name) {
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
                            struct settings *settings) {
  const char *text = configured(provider, "groups", algorithm->group);
  char *end = NULL;
  unsigned long value;

  settings->code_point = algorithm->code_point;
  if (text == NULL) {
    return true;
  }
  value = strtoul(text, &end, 0);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > MAX_CODE_POINT) {
    return RAISE(provider, REASON_BAD_CONFIGURATION,
                 "groups.%s = %s: expected a code point from 1 to %d, or 0 to leave the group out",
                 algorithm->group, text, MAX_CODE_POINT);
  }
  settings->code_point = (unsigned)value;
  return true;
}

static bool load_name(struct provider *provider, const struct algorithm *algorithm,
                      struct settings *settings) {
  const char *text = configured(provider, "names", algorithm->group);

  if (text == NULL) {
    text = algorithm->group;
  }
  if (text[0] == '\0' || strlen(text) >= MAX_GROUP_NAME || strpbrk(text, ":/?*- ") != NULL) {
    return RAISE(provider, REASON_BAD_CONFIGURATION,
                 "names.%s = %s: expected 1 to %d characters without any of \":/?*- \", which "
                 "separate names in lists of groups",
                 algorithm->group, text, MAX_GROUP_NAME - 1);
  }
  settings->group = OPENSSL_strdup(text);
  return settings->group != NULL || RAISE(provider, REASON_NO_MEMORY, "settings");
}

static bool is_object_identifier(const char *text) {
  ASN1_OBJECT *object = OBJ_txt2obj(text, 1);

  ASN1_OBJECT_free(object);
  return object != NULL && strchr(text, ':') == NULL;
}

/* Loads the object identifier, and writes down the names to find the algorithm by. */
static bool load_oid(struct provider *provider, const struct algorithm *algorithm,
                     struct settings *settings) {
  const char *text;
  size_t length;

  if (algorithm->oid == NULL) {
    settings->names = OPENSSL_strdup(algorithm->name);
    return settings->names != NULL || RAISE(provider, REASON_NO_MEMORY, "settings");
  }
  text = configured(provider, "oids", algorithm->name);
  if (text == NULL) {
    text = algorithm->oid;
  }
  if (!is_object_identifier(text)) {
    return RAISE(provider, REASON_BAD_CONFIGURATION,
                 "oids.%s = %s: expected an object identifier in numbers, such as %s",
                 algorithm->name, text, algorithm->oid);
  }
  length = strlen(algorithm->name) + strlen(text) + 2;
  settings->oid = OPENSSL_strdup(text);
  settings->names = OPENSSL_malloc(length);
  if (settings->oid == NULL || settings->names == NULL) {
    return RAISE(provider, REASON_NO_MEMORY, "settings");
  }
  (void)snprintf(settings->names, length, "%s:%s", algorithm->name, text);
  return true;
}

/* Two algorithms with one number or name: OpenSSL would silently take the first. */
static bool are_different(struct provider *provider, size_t a, size_t b) {
  const struct settings *first = &provider->settings[a];
  const struct settings *second = &provider->settings[b];

  if (first->code_point != 0 && first->code_point == second->code_point) {
    return RAISE(provider, REASON_BAD_CONFIGURATION, "groups.%s and groups.%s: both are %u",
                 provider_algorithms[a].group, provider_algorithms[b].group, first->code_point);
  }
  if (algorithm_same_name(first->group, second->group)) {
    return RAISE(provider, REASON_BAD_CONFIGURATION, "names.%s and names.%s: both are %s",
                 provider_algorithms[a].group, provider_algorithms[b].group, first->group);
  }
  if (first->oid != NULL && second->oid != NULL && strcmp(first->oid, second->oid) == 0) {
    return RAISE(provider, REASON_BAD_CONFIGURATION, "oids.%s and oids.%s: both are %s",
                 provider_algorithms[a].name, provider_algorithms[b].name, first->oid);
  }
  return true;
}

bool settings_load(struct provider *provider) {
  for (size_t i = 0; i < ALGORITHMS; i++) {
    const struct algorithm *algorithm = &provider_algorithms[i];
    struct settings *settings = &provider->settings[i];
    if (!load_code_point(provider, algorithm, settings) ||
        !load_name(provider, algorithm, settings) || !load_oid(provider, algorithm, settings)) {
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

void settings_free(struct provider *provider) {
  for (size_t i = 0; i < ALGORITHMS; i++) {
    OPENSSL_free(provider->settings[i].group);
    OPENSSL_free(provider->settings[i].oid);
    OPENSSL_free(provider->settings[i].names);
  }
}
