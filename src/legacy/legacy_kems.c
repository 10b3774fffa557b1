/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The KEMs of codekem-legacy by name: BIKE 4.2 with AES and SHA-2 [BIKE, S10], unless the build is
 * without libcrypto, and HQC of 2023. */
#include "codekem_legacy.h"

#include <string.h>

#include "legacy/hqc_2023.h"
#include "legacy/legacy_levels.h"
#if defined(CODEKEM_LEGACY_AES)
#include "bike/bike_kems.h"
#include "legacy/aes_sha2.h"

#define LEGACY_KEM(object, name, level, version, superseded, bind, uniform) \
  BIKE_KEM(static, object, name, level, version, superseded, &ckem_legacy_aes_sha2, bind, uniform);
LEGACY_BIKE_KEMS(LEGACY_KEM)
#endif

#define LISTED(object, ...) &object,
static const codekem_kem *const kems[] = {
#if defined(CODEKEM_LEGACY_AES)
    LEGACY_BIKE_KEMS(LISTED)
#endif
        LEGACY_HQC_KEMS(LISTED)};

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
