/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The object identifiers of keys in files. */
#include "key_oids.h"

#include <string.h>

/* No object identifiers are assigned to these KEMs. An arc below 2.25 belongs to whoever has the
 * UUID in it [X667, 7]; this one is e53b09e7-799c-4521-b80e-c84712029d2f. */
#define ARC "2.25.304699757430427868466686181786647698735"

static const struct {
  const char *kem;
  const char *oid;
} identifiers[] = {
    {"BIKE-L1", ARC ".1.1"}, {"BIKE-L3", ARC ".1.3"}, {"BIKE-L5", ARC ".1.5"},
    {"HQC-1", ARC ".2.1"},   {"HQC-3", ARC ".2.3"},   {"HQC-5", ARC ".2.5"},
};

#define IDENTIFIERS (sizeof identifiers / sizeof identifiers[0])

const char *key_oid_of_kem(const char *kem) {
  for (size_t i = 0; i < IDENTIFIERS; i++) {
    if (strcmp(identifiers[i].kem, kem) == 0) {
      return identifiers[i].oid;
    }
  }
  return NULL;
}

const char *key_kem_of_oid(const char *oid) {
  for (size_t i = 0; i < IDENTIFIERS; i++) {
    if (strcmp(identifiers[i].oid, oid) == 0) {
      return identifiers[i].kem;
    }
  }
  return NULL;
}
