/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The object identifiers of keys in files. */
#include "key_oids.h"

#include <string.h>

struct identifier {
  const char *kem;
  const char *oid;
};

#define READ(kem, oid)
#define SEED_AT_END(kem)
static const struct identifier written[] = {
#define WRITTEN(kem, oid) {kem, oid},
#include "key_oids.def"
};
#undef WRITTEN
#undef READ

#define WRITTEN(kem, oid)
static const struct identifier read_only[] = {
#define READ(kem, oid) {kem, oid},
#include "key_oids.def"
};
#undef READ
#undef SEED_AT_END

#define READ(kem, oid)
static const char *const seeds_at_end[] = {
#define SEED_AT_END(kem) kem,
#include "key_oids.def"
};
#undef WRITTEN
#undef READ
#undef SEED_AT_END

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static const char *oid_of(const struct identifier *table, size_t count, const char *kem) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(table[i].kem, kem) == 0) {
      return table[i].oid;
    }
  }
  return NULL;
}

static const char *kem_of(const struct identifier *table, size_t count, const char *oid) {
  for (size_t i = 0; i < count; i++) {
    if (strcmp(table[i].oid, oid) == 0) {
      return table[i].kem;
    }
  }
  return NULL;
}

const char *ckem_key_oid_of_kem(const char *kem) {
  return oid_of(written, COUNT(written), kem);
}

const char *ckem_key_read_oid_of_kem(const char *kem) {
  return oid_of(read_only, COUNT(read_only), kem);
}

const char *ckem_key_kem_of_oid(const char *oid) {
  const char *kem = kem_of(written, COUNT(written), oid);
  return kem != NULL ? kem : kem_of(read_only, COUNT(read_only), oid);
}

bool ckem_key_has_seed_at_end(const char *kem) {
  for (size_t i = 0; i < COUNT(seeds_at_end); i++) {
    if (strcmp(seeds_at_end[i], kem) == 0) {
      return true;
    }
  }
  return false;
}
