/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* P-256 of OpenSSL's libcrypto as the group of a hybrid: an example to copy. */
#include "p256_openssl.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <stdlib.h>
#include <string.h>

#define POINT_BYTES 65
#define COORDINATE_BYTES 32

/* Writes scalar times a point, or times the generator for NULL, in the uncompressed form. OpenSSL
 * refuses bytes that are no point of the curve, and takes constant time for a number with this
 * flag. */
static bool multiply(const EC_GROUP *curve, uint8_t *out, const uint8_t *element,
                     const uint8_t *scalar) {
  BN_CTX *context = BN_CTX_secure_new();
  BIGNUM *number = BN_secure_new();
  EC_POINT *point = EC_POINT_new(curve);
  EC_POINT *product = EC_POINT_new(curve);
  bool good = context != NULL && number != NULL && point != NULL && product != NULL &&
              BN_bin2bn(scalar, CODEKEM_HYBRID_SCALAR, number) != NULL;

  if (good) {
    BN_set_flags(number, BN_FLG_CONSTTIME);
    if (element == NULL) {
      good = EC_POINT_mul(curve, product, number, NULL, NULL, context) == 1;
    } else {
      good = EC_POINT_oct2point(curve, point, element, POINT_BYTES, context) == 1 &&
             EC_POINT_mul(curve, product, NULL, point, number, context) == 1;
    }
  }
  good = good && EC_POINT_point2oct(curve, product, POINT_CONVERSION_UNCOMPRESSED, out, POINT_BYTES,
                                    context) == POINT_BYTES;
  EC_POINT_clear_free(product);
  EC_POINT_free(point);
  BN_clear_free(number);
  BN_CTX_free(context);
  return good;
}

static bool make_element(void *context, uint8_t *element, const uint8_t *scalar) {
  return multiply(context, element, NULL, scalar);
}

static bool make_secret(void *context, uint8_t *secret, const uint8_t *element,
                        const uint8_t *scalar) {
  uint8_t point[POINT_BYTES];
  const bool good = multiply(context, point, element, scalar);

  memcpy(secret, point + 1, COORDINATE_BYTES);
  OPENSSL_cleanse(point, sizeof point);
  return good;
}

codekem_hybrid_group p256_openssl(void) {
  static EC_GROUP *curve;

  if (curve == NULL && (curve = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)) == NULL) {
    abort();
  }
  return codekem_hybrid_p256(make_element, make_secret, curve);
}
