/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The KEMs of codekem-legacy by name: BIKE 4.2 with AES and SHA-2 [BIKE, S10], unless the build is
 * without libcrypto, and HQC of 2023. */
#include "codekem_legacy.h"

#include <string.h>

#include "legacy/hqc_2023.h"
#if defined(CODEKEM_LEGACY_AES)
#include "bike/bike_kems.h"
#include "legacy/aes_sha2.h"

#define LEGACY_KEM(object, name, level, bind) \
  BIKE_KEM(static, object, name, level, "4.2", true, &legacy_aes_sha2, bind, true)

LEGACY_KEM(bike_l1_v4_2_aes, "BIKE-L1-v4.2-aes", 1, false);
LEGACY_KEM(bike_l3_v4_2_aes, "BIKE-L3-v4.2-aes", 3, false);
LEGACY_KEM(bike_l5_v4_2_aes, "BIKE-L5-v4.2-aes", 5, false);
LEGACY_KEM(bike_l1_v4_2_aes_bind, "BIKE-L1-v4.2-aes-bind", 1, true);
LEGACY_KEM(bike_l3_v4_2_aes_bind, "BIKE-L3-v4.2-aes-bind", 3, true);
LEGACY_KEM(bike_l5_v4_2_aes_bind, "BIKE-L5-v4.2-aes-bind", 5, true);
#endif

static const codekem_kem *const kems[] = {
#if defined(CODEKEM_LEGACY_AES)
    &bike_l1_v4_2_aes,      &bike_l3_v4_2_aes,      &bike_l5_v4_2_aes,
    &bike_l1_v4_2_aes_bind, &bike_l3_v4_2_aes_bind, &bike_l5_v4_2_aes_bind,
#endif
    &hqc_128_2023,          &hqc_192_2023,          &hqc_256_2023,
};

size_t codekem_legacy_kem_count(void) {
  return sizeof kems / sizeof kems[0];
}

const codekem_kem *codekem_legacy_kem_at(size_t index) {
  return index < codekem_legacy_kem_count() ? kems[index] : NULL;
}

const codekem_kem *codekem_legacy_kem_find(const char *name) {
  for (size_t i = 0; name != NULL && i < codekem_legacy_kem_count(); i++) {
    if (strcmp(kems[i]->method_name, name) == 0) {
      return kems[i];
    }
  }
  return NULL;
}
