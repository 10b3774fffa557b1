/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The functions of libcrypto that the command uses, each of which hands its call on to the library.
 *
 * The rest of the command calls OpenSSL as if it were linked. A function that is missing here is
 * missing when the command is linked: add it. Whoever needs libcrypto calls libcrypto_load before
 * anything else, because no other function can say that there is none.
 */
#include "libcrypto_on_demand.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared_library.h"

/* Nobody else, and libcrypto above all, may take these functions for OpenSSL's. */
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility push(hidden)
#endif
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/opensslv.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC visibility pop
#endif

#define TEXT_OF(value) #value
#define TEXT(value) TEXT_OF(value)
#if defined(__APPLE__)
#define LIBRARY "libcrypto." TEXT(OPENSSL_SHLIB_VERSION) ".dylib"
#elif defined(_WIN64)
#define LIBRARY "libcrypto-" TEXT(OPENSSL_SHLIB_VERSION) "-x64.dll"
#elif defined(_WIN32)
#define LIBRARY "libcrypto-" TEXT(OPENSSL_SHLIB_VERSION) ".dll"
#else
#define LIBRARY "libcrypto.so." TEXT(OPENSSL_SHLIB_VERSION)
#endif

static void *library;

const char *libcrypto_load(void) {
  if (library == NULL) {
    library = ckem_shared_library_open(LIBRARY);
  }
  return library != NULL ? NULL : ckem_shared_library_error();
}

/* Returns the address of a function of libcrypto. */
static void *find(const char *name) {
  const char *error = libcrypto_load();
  void *function = error == NULL ? ckem_shared_library_find(library, name) : NULL;

  if (function == NULL) {
    (void)fprintf(stderr,
                  "codekem: error: " LIBRARY
                  " has no %s; this is a defect of codekem, "
                  "report it\n",
                  name);
    abort();
  }
  return function;
}

/* The compiler compares each with its declaration in OpenSSL's headers. */
#define FIND(result, name, parameters)        \
  static result(*function) parameters = NULL; \
  if (function == NULL) {                     \
    void *found = find(#name);                \
    memcpy(&function, &found, sizeof found);  \
  }
#define FUNCTION(result, name, parameters, arguments) \
  result name parameters {                            \
    FIND(result, name, parameters)                    \
    return function arguments;                        \
  }
#define PROCEDURE(name, parameters, arguments) \
  void name parameters {                       \
    FIND(void, name, parameters)               \
    function arguments;                        \
  }

/* --- Memory and errors ------------------------------------------------------------------------ */
FUNCTION(void *, CRYPTO_zalloc, (size_t n, const char *file, int line), (n, file, line))
FUNCTION(void *, CRYPTO_memdup, (const void *data, size_t n, const char *file, int line),
         (data, n, file, line))
PROCEDURE(CRYPTO_free, (void *data, const char *file, int line), (data, file, line))
PROCEDURE(CRYPTO_clear_free, (void *data, size_t n, const char *file, int line),
          (data, n, file, line))
PROCEDURE(CRYPTO_secure_free, (void *data, const char *file, int line), (data, file, line))
PROCEDURE(CRYPTO_secure_clear_free, (void *data, size_t n, const char *file, int line),
          (data, n, file, line))
PROCEDURE(OPENSSL_cleanse, (void *data, size_t n), (data, n))
FUNCTION(int, CRYPTO_memcmp, (const void *a, const void *b, size_t n), (a, b, n))
PROCEDURE(ERR_clear_error, (void), ())
FUNCTION(unsigned long, ERR_peek_last_error, (void), ())
FUNCTION(int, ERR_set_mark, (void), ())
FUNCTION(int, ERR_pop_to_mark, (void), ())

/* --- PEM -------------------------------------------------------------------------------------- */
FUNCTION(BIO *, BIO_new, (const BIO_METHOD *type), (type))
FUNCTION(BIO *, BIO_new_mem_buf, (const void *data, int n), (data, n))
FUNCTION(const BIO_METHOD *, BIO_s_secmem, (void), ())
FUNCTION(long, BIO_ctrl, (BIO * bio, int command, long number, void *data),
         (bio, command, number, data))
PROCEDURE(BIO_free_all, (BIO * bio), (bio))
FUNCTION(int, PEM_read_bio_ex,
         (BIO * bio, char **name, char **header, unsigned char **data, long *n, unsigned flags),
         (bio, name, header, data, n, flags))
FUNCTION(int, PEM_write_bio,
         (BIO * bio, const char *name, const char *header, const unsigned char *data, long n),
         (bio, name, header, data, n))

/* --- Keys in DER ------------------------------------------------------------------------------ */
FUNCTION(ASN1_OBJECT *, OBJ_txt2obj, (const char *text, int no_name), (text, no_name))
FUNCTION(int, OBJ_obj2txt, (char *text, int n, const ASN1_OBJECT *object, int no_name),
         (text, n, object, no_name))
FUNCTION(ASN1_OBJECT *, d2i_ASN1_OBJECT, (ASN1_OBJECT * *object, const unsigned char **der, long n),
         (object, der, n))
PROCEDURE(ASN1_OBJECT_free, (ASN1_OBJECT * object), (object))
FUNCTION(int, ASN1_get_object,
         (const unsigned char **der, long *n, int *tag, int *tag_class, long available),
         (der, n, tag, tag_class, available))
PROCEDURE(ASN1_put_object, (unsigned char **der, int constructed, int n, int tag, int tag_class),
          (der, constructed, n, tag, tag_class))
FUNCTION(int, ASN1_object_size, (int constructed, int n, int tag), (constructed, n, tag))
FUNCTION(X509_PUBKEY *, X509_PUBKEY_new, (void), ())
PROCEDURE(X509_PUBKEY_free, (X509_PUBKEY * info), (info))
FUNCTION(int, X509_PUBKEY_set0_param,
         (X509_PUBKEY * info, ASN1_OBJECT *object, int type, void *value, unsigned char *key,
          int n),
         (info, object, type, value, key, n))
FUNCTION(int, i2d_X509_PUBKEY, (const X509_PUBKEY *info, unsigned char **der), (info, der))
FUNCTION(PKCS8_PRIV_KEY_INFO *, PKCS8_PRIV_KEY_INFO_new, (void), ())
PROCEDURE(PKCS8_PRIV_KEY_INFO_free, (PKCS8_PRIV_KEY_INFO * info), (info))
FUNCTION(int, PKCS8_pkey_set0,
         (PKCS8_PRIV_KEY_INFO * info, ASN1_OBJECT *object, int version, int type, void *value,
          unsigned char *key, int n),
         (info, object, version, type, value, key, n))
FUNCTION(int, i2d_PKCS8_PRIV_KEY_INFO, (const PKCS8_PRIV_KEY_INFO *info, unsigned char **der),
         (info, der))

/* --- AES and SHA-2 ---------------------------------------------------------------------------- */
FUNCTION(EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void), ())
PROCEDURE(EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX * cipher), (cipher))
FUNCTION(int, EVP_CIPHER_CTX_set_padding, (EVP_CIPHER_CTX * cipher, int on), (cipher, on))
FUNCTION(const EVP_CIPHER *, EVP_aes_256_ecb, (void), ())
FUNCTION(int, EVP_EncryptInit_ex2,
         (EVP_CIPHER_CTX * cipher, const EVP_CIPHER *type, const unsigned char *key,
          const unsigned char *iv, const OSSL_PARAM *parameters),
         (cipher, type, key, iv, parameters))
FUNCTION(int, EVP_EncryptUpdate,
         (EVP_CIPHER_CTX * cipher, unsigned char *out, int *out_n, const unsigned char *in,
          int in_n),
         (cipher, out, out_n, in, in_n))
FUNCTION(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ())
PROCEDURE(EVP_MD_CTX_free, (EVP_MD_CTX * hash), (hash))
FUNCTION(const EVP_MD *, EVP_sha384, (void), ())
FUNCTION(int, EVP_DigestInit_ex2,
         (EVP_MD_CTX * hash, const EVP_MD *type, const OSSL_PARAM *parameters),
         (hash, type, parameters))
FUNCTION(int, EVP_DigestUpdate, (EVP_MD_CTX * hash, const void *data, size_t n), (hash, data, n))
FUNCTION(int, EVP_DigestFinal_ex, (EVP_MD_CTX * hash, unsigned char *out, unsigned *n),
         (hash, out, n))
