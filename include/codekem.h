/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * codekem: code-based post-quantum key encapsulation.
 *
 * A key encapsulation mechanism (KEM) lets two parties agree on a shared secret: one makes a key
 * pair and publishes the public key; the other encapsulates to it, sends the ciphertext and keeps
 * the shared secret; the first decapsulates the ciphertext to the same shared secret:
 *
 *   const codekem_kem *kem = codekem_kem_find("HQC-1");
 *   static uint8_t public_key[CODEKEM_MAX_PUBLIC_KEY], secret_key[CODEKEM_MAX_SECRET_KEY];
 *   static uint8_t ciphertext[CODEKEM_MAX_CIPHERTEXT];
 *   static uint8_t alice[CODEKEM_MAX_SHARED_SECRET], bob[CODEKEM_MAX_SHARED_SECRET];
 *
 *   if (kem == NULL || // this build may lack it
 *       codekem_kem_keypair(kem, public_key, secret_key) != CODEKEM_OK ||       // Bob
 *       codekem_kem_encaps(kem, ciphertext, alice, public_key) != CODEKEM_OK || // Alice
 *       codekem_kem_decaps(kem, bob, ciphertext, secret_key) != CODEKEM_OK) {   // Bob
 *     return false;
 *   } // the first kem->length_shared_secret bytes of alice and bob are equal
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
  CODEKEM_ERROR_OPTIONS = 9,     /* the options do not fit the call; see codekem_options */
  CODEKEM_ERROR_OVERLAP = 10, /* what is written overlaps another buffer; nothing was written */
} codekem_status;

/* Describes one KEM. Lengths are in bytes. All instances are constants inside the library, and
 * programs hold pointers to them: later versions add members at the end, and change nothing
 * else. */
typedef struct codekem_kem {
  const char *method_name; /* "BIKE-L1" */
  const char *alg_version; /* revision of the specification, "5.1" */
  const char *security; /* the notion that the specification claims, "IND-CPA" */
  uint8_t claimed_nist_level; /* 1, 3 or 5 */
  bool ind_cca; /* true if the specification claims IND-CCA2 security */
  size_t length_public_key;
  size_t length_secret_key;
  size_t length_ciphertext;
  size_t length_shared_secret;
  size_t length_keypair_seed;
  size_t length_encaps_seed;
  size_t length_keypair_workspace; /* what the workspace in codekem_options must have */
  size_t length_encaps_workspace;
  size_t length_decaps_workspace;
  const struct codekem_kem_internal *internal;
  const char *family; /* "BIKE", "HQC": the scheme without level and version */
  bool superseded; /* an earlier version of its scheme, kept for comparison */
  size_t length_check_workspace; /* for the checks of a secret key and its public key */
  size_t length_keypair_batch_workspace; /* for batches, whatever their count */
  size_t length_encaps_batch_workspace;
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
 * All buffers are the caller's and hold exactly the lengths in kem. What is written overlaps
 * nothing else that the call is given: otherwise it fails with CODEKEM_ERROR_OVERLAP, and nothing
 * is written. When a call fails for another reason, its outputs are zeroed; only without a KEM,
 * which has their lengths, they are not written. */

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

/* --- Your own randomness and memory -------------------------------------------------------------
 * The functions above take randomness from the operating system and working memory from the stack:
 * as much as kem->length_*_workspace and 13 KiB. In KiB, this is at most, for any call: HQC-1 40,
 * HQC-3 63, HQC-5 64, BIKE-L1 78, BIKE-L3 135, BIKE-L5 211 (docs/security.md has all figures). No
 * call takes more than CODEKEM_MAX_STACK bytes: a KEM that needs more refuses with
 * CODEKEM_ERROR_WORKSPACE where it is given no memory. So does a call for which the stack of its
 * thread has no room left, on systems where threads have little: Windows, macOS, WebAssembly, and
 * Linux with musl. No KEM of this library needs more than CODEKEM_MAX_STACK bytes of memory,
 * either.
 *
 * The functions whose names end in "_with" do the same as those without, as their options say. On a
 * device without operating system, with neither heap nor stack to spare:
 *
 *   static _Alignas(CODEKEM_WORKSPACE_ALIGNMENT) uint8_t memory[CODEKEM_MAX_STACK];
 *   codekem_options options = {.size = sizeof options, .random = device_random,
 *                              .workspace = memory, .workspace_length = sizeof memory};
 *
 *   if (codekem_kem_keypair_with(kem, public_key, secret_key, &options) != CODEKEM_OK ||
 *       codekem_kem_encaps_with(kem, ciphertext, alice, public_key, &options) != CODEKEM_OK) {
 *     return false;
 *   }
 *   options.random = NULL; // decapsulation draws nothing
 *   if (codekem_kem_decaps_with(kem, bob, ciphertext, secret_key, &options) != CODEKEM_OK) {
 *     return false;
 *   } */
#define CODEKEM_MAX_STACK 262144

/* Fills out[length] with random bytes; returns true, or false if it cannot. */
typedef bool (*codekem_random_function)(void *context, uint8_t *out, size_t length);

/* A codekem_random_function: randomness from the operating system. context is not used. Returns
 * false where the system has no source, or it failed; out is then zeroed. */
CODEKEM_API bool codekem_random_system(void *context, uint8_t *out, size_t length);

/* How a call is made. A member that is 0 or NULL is the default, and so is all of it where NULL is
 * passed. CODEKEM_ERROR_OPTIONS refuses what does not fit: a size that no version of this structure
 * has; members of a later version that this library does not know, unless they are 0; a seed
 * together with a source of randomness, or a context without one; either for a call that draws
 * nothing, which are all but keypair and encaps; a length of a workspace that is NULL; a lower
 * threshold for a call or KEM that has none. */
typedef struct codekem_options {
  size_t size; /* sizeof(codekem_options): later versions add members at the end */
  /* Makes the call deterministic: kem->length_keypair_seed or kem->length_encaps_seed bytes. Never
   * encapsulate with a seed twice, nor with one that made a key pair: secrets of one stream
   * correlate, and decoding may fail. */
  const uint8_t *seed;
  /* The source of randomness instead of the operating system's. It is asked once for each key pair
   * and encapsulation, for the number of bytes that the reference implementation of the scheme asks
   * for (BIKE: 64 for each; HQC: the seed), so that known-answer generators give the published
   * values. */
  codekem_random_function random;
  void *random_context;
  /* Memory instead of the stack: at least the kem->length_*_workspace of the call, aligned to
   * CODEKEM_WORKSPACE_ALIGNMENT, or the call fails with CODEKEM_ERROR_WORKSPACE. It is wiped before
   * the call returns, which takes 13 KiB of stack besides. */
  void *workspace;
  size_t workspace_length;
  /* Decapsulation of BIKE: the threshold of the decoder's first iteration is lower by so much, at
   * most 6 at level 1, 9 at level 3 and 10 at level 5, but never below the least of the level. 0 is
   * the specification. Keys, ciphertexts and the time are the same, and so is the secret where
   * decoding succeeds: it fails more rarely, as far as is known (docs/dfr.md). */
  size_t lower_first_threshold;
} codekem_options;

/* Options within a call, in C: codekem_kem_keypair_with(kem, public_key, secret_key,
 * CODEKEM_OPTIONS(.seed = seed)). In C++: codekem_options options = {}, then its size. */
#if !defined(__cplusplus)
#  define CODEKEM_OPTIONS(...) \
  (&(const codekem_options){.size = sizeof(codekem_options), __VA_ARGS__})
#endif

CODEKEM_API codekem_status codekem_kem_keypair_with(
    const codekem_kem *kem, uint8_t *public_key, uint8_t *secret_key,
    const codekem_options *options) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_encaps_with(
    const codekem_kem *kem, uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key,
    const codekem_options *options) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_decaps_with(
    const codekem_kem *kem, uint8_t *shared_secret, const uint8_t *ciphertext,
    const uint8_t *secret_key, const codekem_options *options) CODEKEM_CHECK_RESULT;

/* --- Many at once -------------------------------------------------------------------------------
 * Each of these does count operations, any number, and costs less than as many single calls: BIKE
 * makes key pairs with one inversion for all, hashing and sampling of several operations go side by
 * side in the processor's vectors, and what depends on a key alone is done once where several
 * operations share the key. Every result is that of the single call with the same inputs, bit for
 * bit.
 *
 * Buffers hold count items of the lengths in kem, one right behind the other: operation i has its
 * public key at public_keys + i * kem->length_public_key, and so on; seeds, too. The keys that go
 * in are public_key_stride or secret_key_stride bytes apart: kem->length_public_key or
 * kem->length_secret_key where they are one behind the other, 0 where all operations use one key,
 * or anything else; from the first to the last they count as one buffer. A hundred secrets for one
 * public key, and what its owner does with them:
 *
 *   if (codekem_kem_encaps_batch(kem, 100, ciphertexts, alice, public_key, 0, NULL) ||
 *       codekem_kem_decaps_batch(kem, 100, bob, ciphertexts, secret_key, 0, NULL)) {
 *     return false;
 *   }
 *
 * A workspace has the kem->length_*_batch_workspace of the call, whatever the count. All or
 * nothing: if one operation fails, so does the call. Errors and timing are those of the single
 * calls. The count shows, and so do equal strides. */

CODEKEM_API codekem_status codekem_kem_keypair_batch(
    const codekem_kem *kem, size_t count, uint8_t *public_keys, uint8_t *secret_keys,
    const codekem_options *options) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_encaps_batch(
    const codekem_kem *kem, size_t count, uint8_t *ciphertexts, uint8_t *shared_secrets,
    const uint8_t *public_keys, size_t public_key_stride,
    const codekem_options *options) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_decaps_batch(
    const codekem_kem *kem, size_t count, uint8_t *shared_secrets, const uint8_t *ciphertexts,
    const uint8_t *secret_keys, size_t secret_key_stride,
    const codekem_options *options) CODEKEM_CHECK_RESULT;

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

/* The two that need working memory, with options: kem->length_check_workspace bytes. */
CODEKEM_API codekem_status codekem_kem_check_secret_key_with(
    const codekem_kem *kem, const uint8_t *secret_key,
    const codekem_options *options) CODEKEM_CHECK_RESULT;
CODEKEM_API codekem_status codekem_kem_derive_public_key_with(
    const codekem_kem *kem, uint8_t *public_key, const uint8_t *secret_key,
    const codekem_options *options) CODEKEM_CHECK_RESULT;

/* --- Self-tests --------------------------------------------------------------------------------
 * For programs that must test before they use, as those of FIPS 140-3 at their start and after
 * they have made a key pair. Whoever calls none of these has none of them in his program. What they
 * need is memory of the caller, which is wiped: at least codekem_kem_self_test_workspace bytes,
 * aligned to CODEKEM_WORKSPACE_ALIGNMENT; errors besides those named: CODEKEM_ERROR_NULL,
 * CODEKEM_ERROR_WORKSPACE, CODEKEM_ERROR_BACKEND. */

/* Returns the bytes of memory that a self-test needs, 0 for NULL. */
CODEKEM_API size_t codekem_kem_self_test_workspace(const codekem_kem *kem);

/* Makes a key pair and a ciphertext from fixed seeds, compares their digest with the one of a model
 * of the specification, decapsulates, and looks whether an altered ciphertext gives another secret.
 * It tests the back end in use. Errors: CODEKEM_ERROR_INTERNAL if anything is wrong, or no answer
 * is known for this KEM. */
CODEKEM_API codekem_status codekem_kem_self_test(const codekem_kem *kem, void *workspace,
                                                 size_t workspace_length) CODEKEM_CHECK_RESULT;

/* Looks whether what is encapsulated to public_key decapsulates with secret_key. It draws nothing.
 * Errors: CODEKEM_ERROR_SECRET_KEY if the two secrets differ. Timing: constant in the secret key
 * but for the verdict. */
CODEKEM_API codekem_status codekem_kem_check_pair(const codekem_kem *kem, const uint8_t *public_key,
                                                  const uint8_t *secret_key, void *workspace,
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
