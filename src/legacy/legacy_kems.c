/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The KEMs of codekem-legacy by name: BIKE 4.2 with AES and SHA-2 [BIKE, S10]. */
#include "codekem_legacy.h"

#include <string.h>

#include "bike/bike.h"
#include "bike/bike_kems.h"
#include "bike/decoder.h"
#include "kem.h"
#include "legacy/aes_sha2.h"

#define LEGACY_KEM_COUNT 6

static const struct bike_variant v42[3] = {
    {&bike_level1, &legacy_aes_sha2, false, true},
    {&bike_level3, &legacy_aes_sha2, false, true},
    {&bike_level5, &legacy_aes_sha2, false, true},
};
static const struct bike_variant v42_bind[3] = {
    {&bike_level1, &legacy_aes_sha2, true, true},
    {&bike_level3, &legacy_aes_sha2, true, true},
    {&bike_level5, &legacy_aes_sha2, true, true},
};

static const struct codekem_kem_internal internal[LEGACY_KEM_COUNT] = {
    BIKE_INTERNAL(1, &v42[0]),      BIKE_INTERNAL(3, &v42[1]),      BIKE_INTERNAL(5, &v42[2]),
    BIKE_INTERNAL(1, &v42_bind[0]), BIKE_INTERNAL(3, &v42_bind[1]), BIKE_INTERNAL(5, &v42_bind[2]),
};

static const codekem_kem kems[LEGACY_KEM_COUNT] = {
    {"BIKE-L1-v4.2-aes", "4.2", BIKE_LEVEL1_FIELDS, .internal = &internal[0]},
    {"BIKE-L3-v4.2-aes", "4.2", BIKE_LEVEL3_FIELDS, .internal = &internal[1]},
    {"BIKE-L5-v4.2-aes", "4.2", BIKE_LEVEL5_FIELDS, .internal = &internal[2]},
    {"BIKE-L1-v4.2-aes-bind", "4.2", BIKE_LEVEL1_FIELDS, .internal = &internal[3]},
    {"BIKE-L3-v4.2-aes-bind", "4.2", BIKE_LEVEL3_FIELDS, .internal = &internal[4]},
    {"BIKE-L5-v4.2-aes-bind", "4.2", BIKE_LEVEL5_FIELDS, .internal = &internal[5]},
};

size_t codekem_legacy_kem_count(void) {
  return LEGACY_KEM_COUNT;
}

const codekem_kem *codekem_legacy_kem_at(size_t index) {
  return index < LEGACY_KEM_COUNT ? &kems[index] : NULL;
}

const codekem_kem *codekem_legacy_kem_find(const char *name) {
  for (size_t i = 0; name != NULL && i < LEGACY_KEM_COUNT; i++) {
    if (strcmp(kems[i].method_name, name) == 0) {
      return &kems[i];
    }
  }
  return NULL;
}
