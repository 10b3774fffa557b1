/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program of somebody else that uses the installed library: one exchange with every KEM. It is
 * also valid C++. */
#include <codekem.h>
#ifdef CONSUMER_LEGACY
#include <codekem_legacy.h>
#define MAX_PUBLIC_KEY CODEKEM_LEGACY_MAX_PUBLIC_KEY
#define MAX_SECRET_KEY CODEKEM_LEGACY_MAX_SECRET_KEY
#define MAX_CIPHERTEXT CODEKEM_LEGACY_MAX_CIPHERTEXT
#define MAX_SHARED_SECRET CODEKEM_LEGACY_MAX_SHARED_SECRET
#else
#define MAX_PUBLIC_KEY CODEKEM_MAX_PUBLIC_KEY
#define MAX_SECRET_KEY CODEKEM_MAX_SECRET_KEY
#define MAX_CIPHERTEXT CODEKEM_MAX_CIPHERTEXT
#define MAX_SHARED_SECRET CODEKEM_MAX_SHARED_SECRET
#endif
#include <stdio.h>
#include <string.h>

static int exchange(const codekem_kem *kem) {
  static uint8_t public_key[MAX_PUBLIC_KEY];
  static uint8_t secret_key[MAX_SECRET_KEY];
  static uint8_t ciphertext[MAX_CIPHERTEXT];
  uint8_t ours[MAX_SHARED_SECRET];
  uint8_t theirs[MAX_SHARED_SECRET];

  if (codekem_kem_keypair(kem, public_key, secret_key) != CODEKEM_OK ||
      codekem_kem_encaps(kem, ciphertext, theirs, public_key) != CODEKEM_OK ||
      codekem_kem_decaps(kem, ours, ciphertext, secret_key) != CODEKEM_OK ||
      memcmp(ours, theirs, kem->length_shared_secret) != 0) {
    return 1;
  }
  printf("%s agrees\n", kem->method_name);
  return 0;
}

int main(void) {
  int failed = 0;

  for (size_t i = 0; i < codekem_kem_count(); i++) {
    failed |= exchange(codekem_kem_at(i));
  }
#ifdef CONSUMER_LEGACY
  for (size_t i = 0; i < codekem_legacy_kem_count(); i++) {
    failed |= exchange(codekem_legacy_kem_at(i));
  }
#endif
  printf("version %s\n", codekem_version());
  return failed;
}
