/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Checks, through the public interface and with nothing but libc, what a build must do on any
 * processor: batches give what single calls give, bit for bit, for honest and altered inputs; what
 * fails leaves zeros; no call leaves anything in its workspace or writes beside its outputs. Where
 * codekem-legacy was built, its KEMs are known, too.
 *
 * usage: conformance BACKEND KEM COUNT...
 *
 * BACKEND and KEM may be "all": every back end that can run here but the reference, every KEM. Each
 * COUNT is a number of operations. Prints a line for each back end and KEM, and returns 0; or says
 * what differs, and returns 1. A BACKEND that cannot run here: 77.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codekem_legacy.h"

#define GUARD 16 /* bytes behind every output, which stay as they are */
#define DIRT 0xA5

/* The buffers of count operations; `want` is what single calls give. */
struct buffers {
  size_t count;
  uint8_t *keypair_seeds, *encaps_seeds;
  uint8_t *public_keys, *secret_keys, *ciphertexts, *shared_secrets;
  uint8_t *want_public_keys, *want_secret_keys, *want_ciphertexts, *want_shared_secrets;
};

static const codekem_kem *kem;
static const char *backend;
static uint8_t *workspace;
static size_t workspace_length;
static uint64_t state;

static void fail(const char *what) {
  fprintf(stderr, "conformance: %s with %s: %s\n", kem == NULL ? "-" : kem->method_name,
          backend == NULL ? "-" : backend, what);
  exit(1);
}

static void require(bool good, const char *what) {
  if (!good) {
    fail(what);
  }
}

static void *allocate(size_t length) {
  void *memory = malloc(length);

  require(memory != NULL, "out of memory");
  return memory;
}

/* Fills with a small generator (splitmix64), so that a failure can be repeated. */
static void draw(uint8_t *out, size_t length) {
  for (size_t i = 0; i < length; i++) {
    uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    out[i] = (uint8_t)(z >> 56);
  }
}

static bool is_filled(const uint8_t *bytes, size_t length, uint8_t value) {
  uint8_t any = 0;

  for (size_t i = 0; i < length; i++) {
    any |= bytes[i] ^ value;
  }
  return any == 0;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static uint8_t *new_output(size_t count, size_t length) {
  uint8_t *memory = allocate(count * length + GUARD);

  memset(memory, DIRT, count * length + GUARD);
  return memory;
}

static uint8_t *new_seeds(size_t count, size_t length) {
  uint8_t *memory = allocate(count * length);

  draw(memory, count * length);
  return memory;
}

static struct buffers open_buffers(size_t count) {
  const struct buffers b = {
      .count = count,
      .keypair_seeds = new_seeds(count, kem->length_keypair_seed),
      .encaps_seeds = new_seeds(count, kem->length_encaps_seed),
      .public_keys = new_output(count, kem->length_public_key),
      .secret_keys = new_output(count, kem->length_secret_key),
      .ciphertexts = new_output(count, kem->length_ciphertext),
      .shared_secrets = new_output(count, kem->length_shared_secret),
      .want_public_keys = new_output(count, kem->length_public_key),
      .want_secret_keys = new_output(count, kem->length_secret_key),
      .want_ciphertexts = new_output(count, kem->length_ciphertext),
      .want_shared_secrets = new_output(count, kem->length_shared_secret),
  };

  return b;
}

static void close_buffers(const struct buffers *b) {
  uint8_t *const all[] = {b->keypair_seeds,      b->encaps_seeds,     b->public_keys,
                          b->secret_keys,        b->ciphertexts,      b->shared_secrets,
                          b->want_public_keys,   b->want_secret_keys, b->want_ciphertexts,
                          b->want_shared_secrets};

  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    free(all[i]);
  }
}

/* A workspace for every operation of the KEM, aligned. Returns the block that has it. */
static void *open_workspace(void) {
  const size_t needed[] = {kem->length_keypair_workspace,       kem->length_encaps_workspace,
                           kem->length_decaps_workspace,        kem->length_check_workspace,
                           kem->length_keypair_batch_workspace, kem->length_encaps_batch_workspace,
                           kem->length_decaps_batch_workspace};
  const size_t step = CODEKEM_WORKSPACE_ALIGNMENT;

  workspace_length = 0;
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
    require(needed[i] % step == 0, "a workspace is no multiple of the alignment");
    workspace_length = needed[i] > workspace_length ? needed[i] : workspace_length;
  }
  uint8_t *block = allocate(workspace_length + step);
  workspace = block + step - (uintptr_t)block % step;
  memset(workspace, 0, workspace_length);
  return block;
}

/* --- Single calls, and what comes of a call --------------------------------------------------- */

static void expect(codekem_status have, codekem_status want, const char *what) {
  require(have == want, what);
  require(is_filled(workspace, workspace_length, 0), "something is left in the workspace");
}

/* The batch made what single calls make, and wrote nothing behind it. */
static void same(uint8_t *have, const uint8_t *want, size_t count, size_t length,
                 const char *what) {
  require(memcmp(have, want, count * length) == 0, what);
  require(is_filled(have + count * length, GUARD, DIRT), "written behind an output");
  memset(have, DIRT, count * length);
}

static void zeroed(uint8_t *have, size_t count, size_t length, const char *what) {
  require(is_filled(have, count * length, 0), what);
  require(is_filled(have + count * length, GUARD, DIRT), "written behind an output");
  memset(have, DIRT, count * length);
}

static void decapsulate(uint8_t *secret, const uint8_t *ciphertext, const uint8_t *secret_key) {
  expect(codekem_kem_decaps_with(kem, secret, ciphertext, secret_key,
                                 CODEKEM_OPTIONS(.workspace = workspace,
                                                 .workspace_length = kem->length_decaps_workspace)),
         CODEKEM_OK, "decapsulation failed");
}

/* Key number i * distance encapsulates. Every third public key has an unused bit set. */
static void make_single(const struct buffers *b, size_t distance) {
  const size_t public_length = kem->length_public_key;

  for (size_t i = 0; i < b->count; i++) {
    expect(codekem_kem_keypair_with(
               kem, b->want_public_keys + i * public_length,
               b->want_secret_keys + i * kem->length_secret_key,
               CODEKEM_OPTIONS(.seed = b->keypair_seeds + i * kem->length_keypair_seed,
                               .workspace = workspace,
                               .workspace_length = kem->length_keypair_workspace)),
           CODEKEM_OK, "key generation failed");
  }
  expect(codekem_kem_keypair_batch(kem, b->count, b->public_keys, b->secret_keys,
                                   CODEKEM_OPTIONS(.seed = b->keypair_seeds, .workspace = workspace,
                                                   .workspace_length =
                                                       kem->length_keypair_batch_workspace)),
         CODEKEM_OK, "a batch of key pairs failed");
  same(b->public_keys, b->want_public_keys, b->count, public_length, "public keys of a batch");
  same(b->secret_keys, b->want_secret_keys, b->count, kem->length_secret_key,
       "secret keys of a batch");
  for (size_t i = 2; i < b->count; i += 3) {
    b->want_public_keys[(i + 1) * public_length - 1] |= 0x80;
  }
  for (size_t i = 0; i < b->count; i++) {
    expect(codekem_kem_encaps_with(
               kem, b->want_ciphertexts + i * kem->length_ciphertext,
               b->want_shared_secrets + i * kem->length_shared_secret,
               b->want_public_keys + i * distance * public_length,
               CODEKEM_OPTIONS(.seed = b->encaps_seeds + i * kem->length_encaps_seed,
                               .workspace = workspace,
                               .workspace_length = kem->length_encaps_workspace)),
           CODEKEM_OK, "encapsulation failed");
  }
}

/* --- Batches ---------------------------------------------------------------------------------- */

static void check_encapsulations(const struct buffers *b, size_t distance) {
  expect(codekem_kem_encaps_batch(kem, b->count, b->ciphertexts, b->shared_secrets,
                                  b->want_public_keys, distance * kem->length_public_key,
                                  CODEKEM_OPTIONS(.seed = b->encaps_seeds, .workspace = workspace,
                                                  .workspace_length =
                                                      kem->length_encaps_batch_workspace)),
         CODEKEM_OK, "a batch of encapsulations failed");
  same(b->ciphertexts, b->want_ciphertexts, b->count, kem->length_ciphertext,
       "ciphertexts of a batch");
  same(b->shared_secrets, b->want_shared_secrets, b->count, kem->length_shared_secret,
       "secrets of a batch of encapsulations");
}

/* The last byte of the first polynomial of a ciphertext, which has unused bits. */
static size_t padded_byte(void) {
  const bool hqc = strcmp(kem->family, "HQC") == 0;
  const size_t seed = strstr(kem->method_name, "-2023") == NULL ? 32 : 40;

  return kem->length_public_key - (hqc ? seed : 0) - 1;
}

/* Alters ciphertext number i in a way of its own; number 0 stays as it is. */
static void alter(uint8_t *ciphertext, size_t i) {
  switch (i % 5) {
    case 0:
      ciphertext[0] ^= i == 0 ? 0 : 1;
      break;
    case 1:
      ciphertext[kem->length_ciphertext - 1] ^= 0x10;
      break;
    case 2:
      ciphertext[padded_byte()] ^= 0x80;
      break;
    case 3:
      draw(ciphertext, kem->length_ciphertext);
      break;
    default:
      ciphertext[(i * 997) % kem->length_ciphertext] ^= 0x21;
  }
}

/* The first batch has the ciphertexts as they were made; then all but number 0 are altered, and
 * rejected as in single calls. */
static void check_decapsulations(const struct buffers *b, size_t distance) {
  const size_t length = kem->length_shared_secret;
  const size_t stride = distance * kem->length_secret_key;

  for (int altered = 0; altered < 2; altered++) {
    for (size_t i = 0; i < b->count; i++) {
      uint8_t *ciphertext = b->want_ciphertexts + i * kem->length_ciphertext;
      uint8_t *secret = b->want_shared_secrets + i * length;
      /* As it was encapsulated, if the public key was whole. */
      const bool honest = i * distance % 3 != 2 && (altered == 0 || i == 0);
      uint8_t made[CODEKEM_LEGACY_MAX_SHARED_SECRET];
      memcpy(made, secret, length);
      if (altered != 0) {
        alter(ciphertext, i);
      }
      decapsulate(secret, ciphertext, b->want_secret_keys + i * stride);
      require(!honest || memcmp(made, secret, length) == 0, "the secrets of an exchange differ");
      require(altered == 0 || i == 0 || memcmp(made, secret, length) != 0,
              "an altered ciphertext gives the secret of the whole one");
    }
    expect(codekem_kem_decaps_batch(
               kem, b->count, b->shared_secrets, b->want_ciphertexts, b->want_secret_keys, stride,
               CODEKEM_OPTIONS(.workspace = workspace,
                               .workspace_length = kem->length_decaps_batch_workspace)),
           CODEKEM_OK, "a batch of decapsulations failed");
    same(b->shared_secrets, b->want_shared_secrets, b->count, length,
         altered == 0 ? "secrets of a batch of decapsulations" : "secrets of altered ciphertexts");
  }
}

/* --- Failures --------------------------------------------------------------------------------- */

/* Gives context's number of requests, then fails. */
static bool source(void *context, uint8_t *out, size_t length) {
  size_t *left = context;

  memset(out, 0x5A, length);
  if (*left == 0) {
    return false;
  }
  *left -= 1;
  return true;
}

static void keys_are_gone(const struct buffers *b) {
  zeroed(b->public_keys, b->count, kem->length_public_key, "public keys after a failure");
  zeroed(b->secret_keys, b->count, kem->length_secret_key, "secret keys after a failure");
}

static void encapsulations_are_gone(const struct buffers *b) {
  zeroed(b->ciphertexts, b->count, kem->length_ciphertext, "ciphertexts after a failure");
  zeroed(b->shared_secrets, b->count, kem->length_shared_secret, "secrets after a failure");
}

/* All or nothing: with too small a workspace, and with a source that fails for the last one. */
static void check_failures(const struct buffers *b) {
  /* Batches of one, and of a KEM without batches of its own, take what single calls take. */
  const size_t keypair_short = kem->length_keypair_workspace - 1;
  const size_t encaps_short = kem->length_encaps_workspace - 1;
  size_t left = b->count - 1;

  expect(codekem_kem_keypair_batch(kem, b->count, b->public_keys, b->secret_keys,
                                   CODEKEM_OPTIONS(.seed = b->keypair_seeds, .workspace = workspace,
                                                   .workspace_length = keypair_short)),
         CODEKEM_ERROR_WORKSPACE, "a small workspace");
  keys_are_gone(b);
  expect(codekem_kem_keypair_batch(kem, b->count, b->public_keys, b->secret_keys,
                                   CODEKEM_OPTIONS(.random = source, .random_context = &left,
                                                   .workspace = workspace,
                                                   .workspace_length = workspace_length)),
         CODEKEM_ERROR_RANDOM, "a source that fails");
  keys_are_gone(b);
  expect(codekem_kem_encaps_batch(kem, b->count, b->ciphertexts, b->shared_secrets,
                                  b->want_public_keys, kem->length_public_key,
                                  CODEKEM_OPTIONS(.seed = b->encaps_seeds, .workspace = workspace,
                                                  .workspace_length = encaps_short)),
         CODEKEM_ERROR_WORKSPACE, "a small workspace");
  encapsulations_are_gone(b);
  left = b->count - 1;
  expect(codekem_kem_encaps_batch(kem, b->count, b->ciphertexts, b->shared_secrets,
                                  b->want_public_keys, kem->length_public_key,
                                  CODEKEM_OPTIONS(.random = source, .random_context = &left,
                                                  .workspace = workspace,
                                                  .workspace_length = workspace_length)),
         CODEKEM_ERROR_RANDOM, "a source that fails");
  encapsulations_are_gone(b);
  expect(codekem_kem_decaps_batch(kem, b->count, b->shared_secrets, b->want_ciphertexts,
                                  b->want_secret_keys, kem->length_secret_key,
                                  CODEKEM_OPTIONS(.workspace = workspace,
                                                  .workspace_length =
                                                      kem->length_decaps_workspace - 1)),
         CODEKEM_ERROR_WORKSPACE, "a small workspace");
  zeroed(b->shared_secrets, b->count, kem->length_shared_secret, "secrets after a failure");
}

/* --- On the stack ----------------------------------------------------------------------------- */

/* The call refused, and left zeros, or it worked: what it should make is there once more. */
static void refused_or_same(codekem_status status, uint8_t *have, const uint8_t *want, size_t count,
                            size_t length) {
  if (status == CODEKEM_ERROR_WORKSPACE) {
    zeroed(have, count, length, "outputs of a batch for which the stack has no room");
  } else {
    require(status == CODEKEM_OK, "a batch on the stack failed");
    same(have, want, count, length, "results of a batch on the stack");
  }
}

/* The last batch once more, with memory from the stack. */
static void check_on_stack(const struct buffers *b) {
  codekem_status status = codekem_kem_keypair_batch(kem, b->count, b->public_keys, b->secret_keys,
                                                    CODEKEM_OPTIONS(.seed = b->keypair_seeds));

  refused_or_same(status, b->secret_keys, b->want_secret_keys, b->count, kem->length_secret_key);
  memset(b->public_keys, DIRT, b->count * kem->length_public_key);
  status = codekem_kem_encaps_batch(kem, b->count, b->ciphertexts, b->shared_secrets,
                                    b->want_public_keys, kem->length_public_key,
                                    CODEKEM_OPTIONS(.seed = b->encaps_seeds));
  refused_or_same(status, b->ciphertexts, b->want_ciphertexts, b->count, kem->length_ciphertext);
  refused_or_same(status, b->shared_secrets, b->want_shared_secrets, b->count,
                  kem->length_shared_secret);
  status = codekem_kem_decaps_batch(kem, b->count, b->shared_secrets, b->want_ciphertexts,
                                    b->want_secret_keys, kem->length_secret_key, NULL);
  /* Secrets where the public key had an unused bit are those of a rejection, as with one call. */
  for (size_t i = 0; i < b->count; i++) {
    const size_t length = kem->length_shared_secret;
    decapsulate(b->want_shared_secrets + i * length,
                b->want_ciphertexts + i * kem->length_ciphertext,
                b->want_secret_keys + i * kem->length_secret_key);
  }
  refused_or_same(status, b->shared_secrets, b->want_shared_secrets, b->count,
                  kem->length_shared_secret);
}

/* --- All of it -------------------------------------------------------------------------------- */

/* Returns KEM number index, legacy KEMs behind the others; NULL beyond. */
static const codekem_kem *kem_at(size_t index) {
#if defined(CODEKEM_HAVE_LEGACY)
  if (index >= codekem_kem_count()) {
    return codekem_legacy_kem_at(index - codekem_kem_count());
  }
#endif
  return codekem_kem_at(index);
}

static void check_kem(int counts, char **count_texts) {
  void *block = open_workspace();

  for (int i = 0; i < counts; i++) {
    const size_t count = (size_t)strtoul(count_texts[i], NULL, 10);
    require(count > 0, "usage: a COUNT is a number above 0");
    /* With keys of their own, then with one key. */
    for (size_t distance = 2; distance-- > 0;) {
      if (distance == 0 && count == 1) {
        continue;
      }
      struct buffers b = open_buffers(count);
      make_single(&b, distance);
      check_encapsulations(&b, distance);
      if (i == 0 && distance == 1) {
        check_on_stack(&b);
        make_single(&b, distance);
      }
      check_decapsulations(&b, distance);
      check_failures(&b);
      close_buffers(&b);
    }
  }
  free(block);
  printf("%s conforms with %s\n", kem->method_name, backend);
}

/* Returns the number of KEMs called name, or of all, that it has checked. */
static size_t check_kems(const char *name, int counts, char **count_texts) {
  size_t checked = 0;

  for (size_t i = 0; (kem = kem_at(i)) != NULL; i++) {
    if (strcmp(name, "all") == 0 || strcmp(name, kem->method_name) == 0) {
      state = i;
      check_kem(counts, count_texts);
      checked++;
    }
  }
  return checked;
}

int main(int argc, char **argv) {
  size_t checked = 0, ran = 0;

  require(argc >= 4, "usage: conformance BACKEND KEM COUNT...");
  const bool every = strcmp(argv[1], "all") == 0;
  for (size_t i = 0; i < codekem_backend_count(); i++) {
    backend = codekem_backend_name(i);
    if (strcmp(every ? backend : argv[1], backend) == 0 && codekem_backend_supported(i) &&
        !(every && strcmp(backend, "reference") == 0)) {
      require(codekem_backend_select(backend) == CODEKEM_OK, "cannot be selected");
      ran++;
      checked += check_kems(argv[2], argc - 3, argv + 3);
    }
  }
  if (ran == 0) {
    fprintf(stderr, "conformance: no back end %s here\n", argv[1]);
    return 77;
  }
  require(checked > 0, "there is no such KEM");
  return 0;
}
