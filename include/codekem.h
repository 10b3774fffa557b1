/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * codekem: code-based post-quantum key encapsulation.
 *
 * A key encapsulation mechanism (KEM) lets two parties agree on a shared secret: one makes a key
 * pair and publishes the public key; the other encapsulates to it, sends the ciphertext and keeps
 * the shared secret; the first decapsulates the ciphertext to the same shared secret.
 *
 * Every function is thread-safe. The library allocates nothing on the heap, keeps no global state
 * but the choice of the processor back end, and never prints.
 */
#ifndef CODEKEM_H
#define CODEKEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. While the first number is 0, a change of the second may break
 * programs and one of the third does not; from 1.0.0 on only the first breaks them.
 * CODEKEM_VERSION_NUMBER is for comparing: 0x000100 is 0.1.0. codekem_version() returns the version
 * of the library that runs. */
#define CODEKEM_VERSION_MAJOR 0
#define CODEKEM_VERSION_MINOR 1
#define CODEKEM_VERSION_PATCH 0
#define CODEKEM_VERSION_STRING "0.1.0"
#define CODEKEM_VERSION_NUMBER \
  (CODEKEM_VERSION_MAJOR << 16 | CODEKEM_VERSION_MINOR << 8 | CODEKEM_VERSION_PATCH)

/* What a shared library exports is a list for the linker there (cmake/exports.cmake). */
#if defined(_WIN32)
#  if defined(CODEKEM_SHARED) && !defined(CODEKEM_BUILDING)
#    define CODEKEM_API __declspec(dllimport)
#  else
#    define CODEKEM_API
#  endif
#elif defined(__GNUC__) || defined(__clang__)
#  define CODEKEM_API __attribute__((visibility("default")))
#else
#  define CODEKEM_API
#endif

#if defined(__GNUC__) || defined(__clang__)
#  define CODEKEM_CHECK_RESULT __attribute__((warn_unused_result))
#else
#  define CODEKEM_CHECK_RESULT
#endif

/* The result of a call. A ciphertext that does not decrypt is not an error: decapsulation then
 * returns CODEKEM_OK and a pseudorandom secret (implicit rejection). */
typedef enum codekem_status {
  CODEKEM_OK = 0,
  CODEKEM_ERROR_NULL = 1,        /* a required pointer is NULL */
  CODEKEM_ERROR_RANDOM = 2,      /* the source of randomness failed */
  CODEKEM_ERROR_WORKSPACE = 3,   /* workspace or stack too small, or not aligned */
  CODEKEM_ERROR_PUBLIC_KEY = 4,  /* the public key is malformed */
  CODEKEM_ERROR_SECRET_KEY = 5,  /* the secret key is malformed */
  CODEKEM_ERROR_CIPHERTEXT = 6,  /* the ciphertext is malformed */
  CODEKEM_ERROR_BACKEND = 7,     /* no such back end, or the processor lacks it */
  CODEKEM_ERROR_INTERNAL = 8,    /* a helper library failed (only KEMs of codekem-legacy), or a
                                  * stream that is hashed from a seed gave nothing of use, which
                                  * no seed can cause, only a fault of the machine */
} codekem_status;

/* Describes one KEM. Lengths are in bytes. All instances are constants inside the library, and
 * programs hold pointers to them: later versions add members at the end, and change nothing
 * else. */
typedef struct codekem_kem {
  const char *method_name;     /* "BIKE-L1" */
  const char *alg_version;     /* revision of the specification, "5.1" */
  const char *security;        /* the notion that the specification claims, "IND-CPA" */
  uint8_t claimed_nist_level;  /* 1, 3 or 5 */
  bool ind_cca;                /* true if the specification claims IND-CCA2 security */
  size_t length_public_key;
  size_t length_secret_key;
  size_t length_ciphertext;
  size_t length_shared_secret;
  size_t length_keypair_seed;
  size_t length_encaps_seed;
  size_t length_keypair_workspace; /* memory for the *_workspace functions */
  size_t length_encaps_workspace;
  size_t length_decaps_workspace;
  const struct codekem_kem_internal *internal;
  const char *family;            /* "BIKE", "HQC": the scheme without level and version */
  bool superseded;               /* an earlier version of its scheme, kept for comparison */
  size_t length_check_workspace; /* for the checks of a secret key and its public key */
  size_t length_keypair_batch_workspace; /* for the *_batch_*workspace functions, whatever their */
  size_t length_encaps_batch_workspace; /* count */
  size_t length_decaps_batch_workspace;
} codekem_kem;

/* A workspace must start at a multiple of this many bytes. */
#define CODEKEM_WORKSPACE_ALIGNMENT 64

/* The largest lengths of any KEM in this library, for static buffers. Programs that may meet KEMs
 * of later versions or of other libraries allocate by the lengths in codekem_kem instead. */
#define CODEKEM_MAX_PUBLIC_KEY 7237
#define CODEKEM_MAX_SECRET_KEY 16494
#define CODEKEM_MAX_CIPHERTEXT 14421
#define CODEKEM_MAX_SHARED_SECRET 32
#define CODEKEM_MAX_KEYPAIR_SEED 64
#define CODEKEM_MAX_ENCAPS_SEED 48

/* Returns the version of the library, "major.minor.patch". */
CODEKEM_API const char *codekem_version(void);

/* Returns a sentence for a status, never NULL. */
CODEKEM_API const char *codekem_status_text(codekem_status status);

/* --- Finding a KEM ---------------------------------------------------------------------------- */

/* Returns the number of KEMs. */
CODEKEM_API size_t codekem_kem_count(void);

/* Returns KEM number index, 0 <= index < codekem_kem_count(); NULL beyond. */
CODEKEM_API const codekem_kem *codekem_kem_at(size_t index);

/* Returns the KEM called name (exact, case matters), or NULL if there is none. */
CODEKEM_API const codekem_kem *codekem_kem_find(const char *name);

/* --- Keys and secrets --------------------------------------------------------------------------
 * All buffers are the caller's and hold exactly the lengths in kem; they must not overlap.
 * When a call fails, its outputs are zeroed; only without a KEM, which has their lengths, they are
 * not written. */

/* Makes a key pair with randomness from the operating system.
 * Errors: CODEKEM_ERROR_NULL, CODEKEM_ERROR_RANDOM.
 * Timing: constant in the secrets. Exception: with uniform sampling (the KEMs with "-v4.2-") the
 * number of rejected random words depends on chance and can be seen, as their specification
 * allows. */
CODEKEM_API codekem_status codekem_kem_keypair(const codekem_kem *kem, uint8_t *public_key,
                                               uint8_t *secret_key) CODEKEM_CHECK_RESULT;

/* Encapsulates a new shared secret to public_key with randomness from the operating system.
 * public_key is used without a check; codekem_kem_check_public_key checks it.
 * Errors: CODEKEM_ERROR_NULL, CODEKEM_ERROR_RANDOM. Timing: constant in the secrets. */
CODEKEM_API codekem_status codekem_kem_encaps(const codekem_kem *kem, uint8_t *ciphertext,
                                              uint8_t *shared_secret,
                                              const uint8_t *public_key) CODEKEM_CHECK_RESULT;

/* Recovers the shared secret. A ciphertext that was not made for this key gives a pseudorandom
 * secret that depends on the key and the ciphertext, and CODEKEM_OK.
 * Errors: CODEKEM_ERROR_NULL. Timing: constant in the secret key and in the ciphertext. */
CODEKEM_API codekem_status codekem_kem_decaps(const codekem_kem *kem, uint8_t *shared_secret,
                                              const uint8_t *ciphertext,
                                              const uint8_t *secret_key) CODEKEM_CHECK_RESULT;

/* As codekem_kem_keypair, but deterministic: from seed[kem->length_keypair_seed]. */
CODEKEM_API codekem_status codekem_kem_keypair_derand(const codekem_kem *kem, uint8_t *public_key,
                                                      uint8_t *secret_key,
                                                      const uint8_t *seed) CODEKEM_CHECK_RESULT;

/* As codekem_kem_encaps, but deterministic: from seed[kem->length_encaps_seed]. Never use a seed
 * twice, nor one that made a key pair: secrets of one stream correlate, and decoding may fail. */
CODEKEM_API codekem_status codekem_kem_encaps_derand(const codekem_kem *kem, uint8_t *ciphertext,
                                                     uint8_t *shared_secret,
                                                     const uint8_t *public_key,
                                                     const uint8_t *seed) CODEKEM_CHECK_RESULT;

/* --- Your own source of randomness ------------------------------------------------------------ */

/* Fills out[length] with random bytes; returns true, or false if it cannot. */
typedef bool (*codekem_random_function)(void *context, uint8_t *out, size_t length);

/* As codekem_kem_keypair and codekem_kem_encaps, with randomness from random(context, ...). Each
 * asks once, for the number of bytes that the reference implementation of the scheme asks for
 * (BIKE: 64 for each; HQC: the seed), so that known-answer generators give the published values. */
CODEKEM_API codekem_status codekem_kem_keypair_random(const codekem_kem *kem, uint8_t *public_key,
                                                      uint8_t *secret_key,
                                                      codekem_random_function random,
                                                      void *context) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_encaps_random(
    const codekem_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key,
    codekem_random_function random, void *context) CODEKEM_CHECK_RESULT;

/* A codekem_random_function: randomness from the operating system. context is not used. Returns
 * false where the system has no source, or it failed; out is then zeroed. */
CODEKEM_API bool codekem_random_system(void *context, uint8_t *out, size_t length);

/* --- Your own memory ----------------------------------------------------------------------------
 * The functions above take their working memory from the stack: as much as kem->length_*_workspace
 * and 13 KiB. In KiB, this is at most, for any call: HQC-1 54, HQC-3 58, HQC-5 64, BIKE-L1 78,
 * BIKE-L3 135, BIKE-L5 211 (docs/security.md has all figures). No call takes more than
 * CODEKEM_MAX_STACK bytes: a KEM that needs more refuses them with CODEKEM_ERROR_WORKSPACE and has
 * only the functions below. So does a call for which the stack of its thread has no room left, on
 * systems where threads have little: Windows, macOS, WebAssembly, and Linux with musl.
 * These functions take the memory from workspace[workspace_length], aligned to
 * CODEKEM_WORKSPACE_ALIGNMENT, wipe it before they return, and use 13 KiB of stack.
 * Errors: as above, and CODEKEM_ERROR_WORKSPACE. */
#define CODEKEM_MAX_STACK 262144

CODEKEM_API codekem_status codekem_kem_keypair_workspace(
    const codekem_kem *kem, uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed,
    void *workspace, size_t workspace_length) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_encaps_workspace(
    const codekem_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key,
    const uint8_t *seed, void *workspace, size_t workspace_length) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_decaps_workspace(
    const codekem_kem *kem, uint8_t *shared_secret, const uint8_t *ciphertext,
    const uint8_t *secret_key, void *workspace, size_t workspace_length) CODEKEM_CHECK_RESULT;

/* As codekem_kem_keypair_random and codekem_kem_encaps_random. */
CODEKEM_API codekem_status codekem_kem_keypair_random_workspace(
    const codekem_kem *kem, uint8_t *public_key, uint8_t *secret_key,
    codekem_random_function random, void *context, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_encaps_random_workspace(
    const codekem_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key,
    codekem_random_function random, void *context, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;

/* --- Many at once -------------------------------------------------------------------------------
 * Each of these does count operations, any number, and costs less than as many single calls: BIKE
 * makes key pairs with one inversion for all, hashing and sampling of several operations go side by
 * side in the processor's vectors, and what depends on a key alone is done once where several
 * operations share the key. Every result is that of the single call with the same inputs, bit for
 * bit.
 *
 * Buffers hold count items of the lengths in kem, one right behind the other: operation i has its
 * public key at public_keys + i * kem->length_public_key, and so on. The keys that go in are
 * public_key_stride or secret_key_stride bytes apart: kem->length_public_key or
 * kem->length_secret_key where they are one behind the other, 0 where all operations use one key,
 * or anything else. Outputs do not overlap anything.
 *
 * All or nothing: if one operation fails, so does the call, and all outputs are zeroed.
 * Errors and timing are those of the single calls. The count shows, and so do equal strides. */

CODEKEM_API codekem_status codekem_kem_keypair_batch(const codekem_kem *kem, size_t count,
                                                     uint8_t *public_keys,
                                                     uint8_t *secret_keys) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_encaps_batch(const codekem_kem *kem, size_t count,
                                                    uint8_t *ciphertexts, uint8_t *shared_secrets,
                                                    const uint8_t *public_keys,
                                                    size_t public_key_stride) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_decaps_batch(
    const codekem_kem *kem, size_t count, uint8_t *shared_secrets, const uint8_t *ciphertexts,
    const uint8_t *secret_keys, size_t secret_key_stride) CODEKEM_CHECK_RESULT;

/* Deterministic: operation i has the seed at seeds + i * kem->length_*_seed. */
CODEKEM_API codekem_status codekem_kem_keypair_batch_derand(
    const codekem_kem *kem, size_t count, uint8_t *public_keys, uint8_t *secret_keys,
    const uint8_t *seeds) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_encaps_batch_derand(
    const codekem_kem *kem, size_t count, uint8_t *ciphertexts, uint8_t *shared_secrets,
    const uint8_t *public_keys, size_t public_key_stride,
    const uint8_t *seeds) CODEKEM_CHECK_RESULT;

/* With your own source of randomness, which is asked once for each operation, in order. */
CODEKEM_API codekem_status codekem_kem_keypair_batch_random(
    const codekem_kem *kem, size_t count, uint8_t *public_keys, uint8_t *secret_keys,
    codekem_random_function random, void *context) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_encaps_batch_random(
    const codekem_kem *kem, size_t count, uint8_t *ciphertexts, uint8_t *shared_secrets,
    const uint8_t *public_keys, size_t public_key_stride, codekem_random_function random,
    void *context) CODEKEM_CHECK_RESULT;

/* With your own memory: kem->length_*_batch_workspace bytes, for any count. Without it, the stack
 * has the memory, as above, and 4 KiB more: with BIKE-L5, 235 KiB. */
CODEKEM_API codekem_status codekem_kem_keypair_batch_workspace(
    const codekem_kem *kem, size_t count, uint8_t *public_keys, uint8_t *secret_keys,
    const uint8_t *seeds, void *workspace, size_t workspace_length) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_encaps_batch_workspace(
    const codekem_kem *kem, size_t count, uint8_t *ciphertexts, uint8_t *shared_secrets,
    const uint8_t *public_keys, size_t public_key_stride, const uint8_t *seeds, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_decaps_batch_workspace(
    const codekem_kem *kem, size_t count, uint8_t *shared_secrets, const uint8_t *ciphertexts,
    const uint8_t *secret_keys, size_t secret_key_stride, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_keypair_batch_random_workspace(
    const codekem_kem *kem, size_t count, uint8_t *public_keys, uint8_t *secret_keys,
    codekem_random_function random, void *context, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_encaps_batch_random_workspace(
    const codekem_kem *kem, size_t count, uint8_t *ciphertexts, uint8_t *shared_secrets,
    const uint8_t *public_keys, size_t public_key_stride, codekem_random_function random,
    void *context, void *workspace, size_t workspace_length) CODEKEM_CHECK_RESULT;

/* --- Checking what comes from outside -----------------------------------------------------------
 * Encapsulation and decapsulation are memory-safe for every input of the right length and follow
 * the specification, which refuses nothing. These checks are for the moment a key or ciphertext is
 * imported. Each refuses what no honest party can have made, as far as can be seen without the
 * secrets of that party; that a public key passes does not mean that anybody has its secret key. */

/* Checks a public key: the unused bits of the encoding are zero; the polynomial is not zero and,
 * where all honest ones have the same parity of weight, has that one (BIKE: odd; HQC-1 and HQC-3:
 * even; HQC-5 has none). Errors: CODEKEM_ERROR_PUBLIC_KEY. Takes less than 1 KiB of stack. */
CODEKEM_API codekem_status codekem_kem_check_public_key(
    const codekem_kem *kem, const uint8_t *public_key) CODEKEM_CHECK_RESULT;

/* Checks a secret key: weights, ranges, and that the redundant fields agree with each other and
 * with the public key inside. HQC makes the pair again from its seed and compares all of it.
 * Errors: CODEKEM_ERROR_SECRET_KEY. Timing: constant in the key but for the verdict. */
CODEKEM_API codekem_status codekem_kem_check_secret_key(
    const codekem_kem *kem, const uint8_t *secret_key) CODEKEM_CHECK_RESULT;

/* Checks a ciphertext in the same way: unused bits; where all honest ones have it, the parity of
 * the weight (BIKE: even at levels 1 and 5, odd at level 3; HQC-3: even, for its part u); and HQC's
 * u is not zero. Errors: CODEKEM_ERROR_CIPHERTEXT. Takes less than 1 KiB of stack. */
CODEKEM_API codekem_status codekem_kem_check_ciphertext(
    const codekem_kem *kem, const uint8_t *ciphertext) CODEKEM_CHECK_RESULT;

/* Writes the public key that belongs to secret_key, which is taken to be a good one
 * (codekem_kem_check_secret_key says whether it is).
 * Errors: CODEKEM_ERROR_NULL; public_key is then zeroed. Timing: constant in the secret key. */
CODEKEM_API codekem_status codekem_kem_derive_public_key(
    const codekem_kem *kem, uint8_t *public_key, const uint8_t *secret_key) CODEKEM_CHECK_RESULT;

/* The two that need working memory, with the caller's: kem->length_check_workspace bytes. */
CODEKEM_API codekem_status codekem_kem_check_secret_key_workspace(
    const codekem_kem *kem, const uint8_t *secret_key, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_derive_public_key_workspace(
    const codekem_kem *kem, uint8_t *public_key, const uint8_t *secret_key, void *workspace,
    size_t workspace_length) CODEKEM_CHECK_RESULT;

/* --- Back ends ----------------------------------------------------------------------------------
 * The library holds one implementation of the arithmetic for each kind of processor and takes the
 * fastest that the processor and the operating system allow, once, at the first call. The
 * environment variable CODEKEM_CPU names another; a name that is unknown or not supported here
 * makes every call fail with CODEKEM_ERROR_BACKEND. The variable is ignored in set-user-ID programs
 * where the C library can tell (secure_getenv), and it cannot name "reference", which is not
 * constant time: only codekem_backend_select can. */

/* Returns the number of back ends in this build, slowest first. */
CODEKEM_API size_t codekem_backend_count(void);

/* Returns the name of back end index ("reference", "portable", ...), NULL beyond the last. */
CODEKEM_API const char *codekem_backend_name(size_t index);

/* Returns true if this processor can run back end index. */
CODEKEM_API bool codekem_backend_supported(size_t index);

/* Returns the name of the back end in use, or NULL if CODEKEM_CPU names none that can run. */
CODEKEM_API const char *codekem_backend_current(void);

/* Takes the back end called name for all threads; NULL takes the best. Meant for tests and
 * benchmarks. "reference" is there to compare with and is not constant time. Errors:
 * CODEKEM_ERROR_BACKEND (the choice is unchanged). */
CODEKEM_API codekem_status codekem_backend_select(const char *name) CODEKEM_CHECK_RESULT;

/* Overwrites buffer[length] with zeros, which the compiler may not leave out. For the caller's own
 * secrets. */
CODEKEM_API void codekem_wipe(void *buffer, size_t length);

#ifdef __cplusplus
}
#endif

#endif
