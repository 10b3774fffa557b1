/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The object identifiers of keys in files. */
#include "key_oids.h"

#include <string.h>

static const struct {
  const char *kem;
  const char *oid;
} identifiers[] = {
#define IDENTIFIER(kem, oid) {kem, oid},
#include "key_oids.def"
#undef IDENTIFIER
};

#define IDENTIFIERS (sizeof identifiers / sizeof identifiers[0])

const char *ckem_key_oid_of_kem(const char *kem) {
  for (size_t i = 0; i < IDENTIFIERS; i++) {
    if (strcmp(identifiers[i].kem, kem) == 0) {
      return identifiers[i].oid;
    }
  }
  return NULL;
}

const char *ckem_key_kem_of_oid(const char *oid) {
  for (size_t i = 0; i < IDENTIFIERS; i++) {
    if (strcmp(identifiers[i].oid, oid) == 0) {
      return identifiers[i].kem;
    }
  }
  return NULL;
}
