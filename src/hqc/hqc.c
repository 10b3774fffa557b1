/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Key generation, encapsulation and decapsulation of HQC [HQC, 9 to 11], and the checks on import. */
#include "hqc/hqc.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "hqc/hqc_ops.h"
#include "hqc/sampling.h"
#include "keccak/keccak.h"
#include "sparse/sparse.h"

/* The last byte of every hash input tells the uses apart [HQC, 3]. */
#define DOMAIN_XOF 1 /* SHAKE256 */
#define DOMAIN_G 0   /* SHA3-512 */
#define DOMAIN_I 2
#define DOMAIN_H 1   /* SHA3-256 */
#define DOMAIN_J 3

/* Everything secret and small that an operation keeps, and the large memory it works in. */
struct session {
  const struct hqc_variant *variant;
  const struct hqc_params *params; /* of the variant */
  const struct backend *backend;
  uint64_t *a; /* ring elements */
  uint64_t *b;
  uint64_t *scratch; /* for a product, or for another ring element */
  struct small {
    struct keccak_sponge stream;
    struct keccak_sponge hash;
    uint32_t r1[HQC_MAX_WEIGHT];
    uint32_t e[HQC_MAX_WEIGHT];
    uint8_t codeword[REED_SOLOMON_MAX_LENGTH];
    uint8_t message[HQC_MAX_MESSAGE_BYTES];
    uint8_t key_hash[HQC_SEED_BYTES];      /* H(ek) */
    uint8_t digest[2 * HQC_SEED_BYTES];    /* K and theta, or two seeds */
    uint8_t rejected[HQC_SECRET_BYTES];    /* what a wrong ciphertext gives */
  } *small;
};

static_assert(sizeof(struct small) <= 8 * HQC_SMALL_WORDS, "memory for small secrets");

static struct session start_session(const struct hqc_variant *variant,
                                    const struct backend *backend, struct arena arena) {
  const struct hqc_params *params = variant->params;
  struct session s = {.variant = variant, .params = params, .backend = backend};

  s.a = arena_take(&arena, params->ring->stride);
  s.b = arena_take(&arena, params->ring->stride);
  s.small = (struct small *)(void *)arena_take(&arena, HQC_SMALL_WORDS);
  s.scratch = arena_take(&arena, GF2X_LEAN_SCRATCH_WORDS(params->ring->r_bits));
  return s;
}

static size_t code_words(const struct hqc_params *params) {
  return (size_t)REED_MULLER_WORDS * params->copies * params->outer_code->length;
}

/* Opens a stream: SHAKE256(seed || 1). */
static void open_stream(struct session *s, const uint8_t seed[HQC_SEED_BYTES]) {
  const uint8_t domain = DOMAIN_XOF;

  keccak_init(&s->small->stream, s->backend->keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  keccak_absorb(&s->small->stream, seed, HQC_SEED_BYTES);
  keccak_absorb(&s->small->stream, &domain, 1);
  keccak_finish(&s->small->stream);
}

/* Ends a hash that was started on s->small->hash. */
static void end_hash(struct session *s, uint8_t domain, uint8_t *out, size_t length) {
  keccak_absorb(&s->small->hash, &domain, 1);
  keccak_finish(&s->small->hash);
  keccak_squeeze(&s->small->hash, out, length);
}

/* H(ek) = SHA3-256(ek || 1) into the key hash, and the h of the public key into s->b. */
static void hash_and_expand_public_key(struct session *s, const uint8_t *public_key) {
  keccak_init(&s->small->hash, s->backend->keccak, SHA3_256_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  open_stream(s, public_key);
  hqc_sample_uniform(s->params, &s->small->stream, s->b, &s->small->hash, public_key,
                     HQC_SEED_BYTES + s->params->ring->bytes);
  end_hash(s, DOMAIN_H, s->small->key_hash, HQC_SEED_BYTES);
}

/* K || theta = G(H(ek), m, salt) = SHA3-512(H(ek) || m || salt || 0) */
static void derive_secret(struct session *s, const uint8_t salt[HQC_SALT_BYTES]) {
  keccak_init(&s->small->hash, s->backend->keccak, SHA3_512_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  keccak_absorb(&s->small->hash, s->small->key_hash, HQC_SEED_BYTES);
  keccak_absorb(&s->small->hash, s->small->message, s->params->outer_code->message_bytes);
  keccak_absorb(&s->small->hash, salt, HQC_SALT_BYTES);
  end_hash(s, DOMAIN_G, s->small->digest, 2 * HQC_SEED_BYTES);
}

/* J = SHA3-256(H(ek) || sigma || ciphertext || 3): the secret of a ciphertext that is wrong. */
static void derive_rejection(struct session *s, const uint8_t *sigma, const uint8_t *ciphertext) {
  const struct hqc_params *params = s->params;

  keccak_init(&s->small->hash, s->backend->keccak, SHA3_256_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  keccak_absorb(&s->small->hash, s->small->key_hash, HQC_SEED_BYTES);
  keccak_absorb(&s->small->hash, sigma, params->outer_code->message_bytes);
  keccak_absorb(&s->small->hash, ciphertext,
                params->ring->bytes + 8 * code_words(params) + HQC_SALT_BYTES);
  end_hash(s, DOMAIN_J, s->small->rejected, HQC_SECRET_BYTES);
}

/* out = element with ones at positions. */
static void set_positions(const struct session *s, uint64_t *out, const uint32_t *positions,
                          uint32_t count) {
  s->backend->sparse->set_positions(s->params->ring, out, positions, count, 0);
}

/* a = a + element with ones at positions. */
static void add_positions(const struct session *s, uint64_t *a, const uint32_t *positions,
                          uint32_t count) {
  set_positions(s, s->scratch, positions, count);
  gf2x_add(s->params->ring, a, a, s->scratch);
}

/* Draws y or x, the next in the stream of seed_dk, into out. */
static void draw_key_part(struct session *s, uint64_t *out) {
  hqc_sample_rejection(s->variant, &s->small->stream, s->small->r1);
  set_positions(s, out, s->small->r1, s->params->key_weight);
}

/* KeyGen from its seed: leaves seed_dk || seed_ek in the digest, sigma in the message, and
 * s = x + y h in s->b [HQC, 10 and 11]. */
static void expand_key_pair(struct session *s, const uint8_t *seed) {
  const struct hqc_params *params = s->params;
  struct small *small = s->small;
  const uint8_t *seed_dk = small->digest;
  const uint8_t *seed_ek = small->digest + HQC_SEED_BYTES;

  open_stream(s, seed);
  keccak_squeeze(&small->stream, small->key_hash, HQC_SEED_BYTES); /* seed_pke */
  keccak_squeeze(&small->stream, small->message, params->outer_code->message_bytes);
  /* I(seed_pke) = seed_dk || seed_ek */
  keccak_init(&small->hash, s->backend->keccak, SHA3_512_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  keccak_absorb(&small->hash, small->key_hash, HQC_SEED_BYTES);
  end_hash(s, DOMAIN_I, small->digest, 2 * HQC_SEED_BYTES);
  /* Public: it is part of the public key. */
  ct_declassify(seed_ek, HQC_SEED_BYTES);
  open_stream(s, seed_ek);
  hqc_sample_uniform(params, &small->stream, s->b, &small->hash, NULL, 0);
  open_stream(s, seed_dk);
  draw_key_part(s, s->a); /* y comes first */
  s->backend->gf2x->mul_lean(params->ring, s->b, s->b, s->a, s->scratch);
  draw_key_part(s, s->a);
  gf2x_add(params->ring, s->b, s->b, s->a);
}

codekem_status hqc_keypair(const struct hqc_variant *variant, const struct backend *backend,
                           uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed,
                           struct arena arena) {
  const struct hqc_params *params = variant->params;
  struct session s = start_session(variant, backend, arena);
  const size_t public_key_bytes = HQC_SEED_BYTES + params->ring->bytes;
  const size_t message_bytes = params->outer_code->message_bytes;
  uint8_t *seed_dk = secret_key + public_key_bytes;
  uint8_t *sigma = seed_dk + HQC_SEED_BYTES;

  expand_key_pair(&s, seed);
  memcpy(public_key, s.small->digest + HQC_SEED_BYTES, HQC_SEED_BYTES);
  gf2x_encode(params->ring, public_key + HQC_SEED_BYTES, s.b);
  memcpy(secret_key, public_key, public_key_bytes);
  memcpy(seed_dk, s.small->digest, HQC_SEED_BYTES);
  memcpy(sigma, s.small->message, message_bytes);
  memcpy(sigma + message_bytes, seed, HQC_SEED_BYTES);
  return CODEKEM_OK;
}

/* Product of r2 (in s->a) and the s of a public key, into s->b.
 *
 * Unused bits of s that are set count as coefficients n, n + 1, ... of a polynomial that is
 * multiplied and folded once [HQC, 13]. The ring would fold the result twice, so what the second
 * fold brings is taken away. Honest keys have no such bits. */
static void multiply_by_public_key(struct session *s, const uint8_t *encoded) {
  const struct gf2x_ring *ring = s->params->ring;
  const uint32_t unused = 8 * ring->bytes - ring->r_bits;
  const uint32_t top = ring->r_bits - unused; /* r2 from here on reaches 2 n with them */
  const uint64_t padding = (uint64_t)encoded[ring->bytes - 1] >> (8 - unused);
  const uint64_t r2_top = s->a[top / 64] >> (top % 64) | s->a[top / 64 + 1] << 1 << (63 - top % 64);
  uint64_t beyond = 0;

  for (uint32_t i = 0; i < unused; i++) {
    beyond ^= (r2_top & ((UINT64_C(1) << unused) - 1)) << i & (0 - (padding >> i & 1));
  }
  gf2x_decode(ring, s->b, encoded);
  s->backend->gf2x->mul_lean(ring, s->b, s->b, s->a, s->scratch);
  s->b[0] ^= beyond >> unused;
}

/* The first half of PKE.Encrypt: with h in s->b, draws r2, e, r1 from theta and leaves r2 in s->a
 * and u = r1 + r2 h in s->b. */
static void encrypt_u(struct session *s, const uint8_t *theta) {
  const struct hqc_params *params = s->params;
  struct small *small = s->small;

  open_stream(s, theta);
  hqc_sample_fixed(s->variant, s->backend, &small->stream, small->r1);
  set_positions(s, s->a, small->r1, params->error_weight); /* r2 */
  hqc_sample_fixed(s->variant, s->backend, &small->stream, small->e);
  hqc_sample_fixed(s->variant, s->backend, &small->stream, small->r1);
  s->backend->gf2x->mul_lean(params->ring, s->b, s->b, s->a, s->scratch);
  add_positions(s, s->b, small->r1, params->error_weight);
}

/* The second half: with r2 in s->a, leaves v = Encode(m) + s r2 + e, not yet truncated, in s->b. */
static void encrypt_v(struct session *s, const uint8_t *public_key) {
  const struct hqc_params *params = s->params;
  const struct reed_solomon *code = params->outer_code;

  multiply_by_public_key(s, public_key + HQC_SEED_BYTES);
  add_positions(s, s->b, s->small->e, params->error_weight);
  s->backend->hqc->reed_solomon_encode(code, s->small->codeword, s->small->message);
  reed_muller_encode(s->scratch, s->small->codeword, code->length, params->copies);
  for (size_t i = 0; i < code_words(params); i++) {
    s->b[i] ^= s->scratch[i];
  }
}

codekem_status hqc_encaps(const struct hqc_variant *variant, const struct backend *backend,
                          uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key,
                          const uint8_t *seed, struct arena arena) {
  const struct hqc_params *params = variant->params;
  struct session s = start_session(variant, backend, arena);
  const size_t message_bytes = params->outer_code->message_bytes;
  const uint8_t *salt = seed + message_bytes;
  uint8_t *v = ciphertext + params->ring->bytes;

  memcpy(s.small->message, seed, message_bytes);
  hash_and_expand_public_key(&s, public_key);
  derive_secret(&s, salt);
  encrypt_u(&s, s.small->digest + HQC_SEED_BYTES);
  gf2x_encode(params->ring, ciphertext, s.b);
  encrypt_v(&s, public_key);
  for (size_t i = 0; i < code_words(params); i++) {
    store_le64(v + 8 * i, s.b[i]);
  }
  memcpy(v + 8 * code_words(params), salt, HQC_SALT_BYTES);
  memcpy(shared_secret, s.small->digest, HQC_SECRET_BYTES);
  return CODEKEM_OK;
}

/* PKE.Decrypt: recovers the message of (u, v). */
static void decrypt(struct session *s, const uint8_t *ciphertext, const uint8_t *seed_dk) {
  const struct hqc_params *params = s->params;
  const struct reed_solomon *code = params->outer_code;
  const uint8_t *v = ciphertext + params->ring->bytes;

  open_stream(s, seed_dk);
  draw_key_part(s, s->a);
  gf2x_decode(params->ring, s->b, ciphertext);
  s->backend->gf2x->mul_lean(params->ring, s->b, s->b, s->a, s->scratch);
  for (size_t i = 0; i < code_words(params); i++) {
    s->b[i] ^= load_le64(v + 8 * i);
  }
  s->backend->hqc->reed_muller_decode(s->small->codeword, s->b, code->length, params->copies);
  s->backend->hqc->reed_solomon_decode(code, s->small->message, s->small->codeword);
}

/* Returns zero if the bytes are equal. */
static uint64_t compare_bytes(const uint8_t *a, const uint8_t *b, size_t length) {
  uint64_t difference = 0;

  for (size_t i = 0; i < length; i++) {
    difference |= (uint64_t)(a[i] ^ b[i]);
  }
  return difference;
}

/* Returns zero if s->b is the ring element that was encoded, unused bits included. */
static uint64_t compare_element(const struct session *s, const uint8_t *encoded) {
  uint8_t *computed = (uint8_t *)s->scratch;

  gf2x_encode(s->params->ring, computed, s->b);
  return compare_bytes(computed, encoded, s->params->ring->bytes);
}

/* Returns zero if s->b, truncated, is the v received. */
static uint64_t compare_v(const struct session *s, const uint8_t *received) {
  uint64_t difference = 0;

  for (size_t i = 0; i < code_words(s->params); i++) {
    difference |= s->b[i] ^ load_le64(received + 8 * i);
  }
  return difference;
}

codekem_status hqc_decaps(const struct hqc_variant *variant, const struct backend *backend,
                          uint8_t *shared_secret, const uint8_t *ciphertext,
                          const uint8_t *secret_key, struct arena arena) {
  const struct hqc_params *params = variant->params;
  struct session s = start_session(variant, backend, arena);
  const uint8_t *seed_dk = secret_key + HQC_SEED_BYTES + params->ring->bytes;
  const uint8_t *sigma = seed_dk + HQC_SEED_BYTES;
  const uint8_t *v = ciphertext + params->ring->bytes;

  /* The public key is the first part of the secret key. */
  decrypt(&s, ciphertext, seed_dk);
  hash_and_expand_public_key(&s, secret_key);
  derive_secret(&s, v + 8 * code_words(params));
  encrypt_u(&s, s.small->digest + HQC_SEED_BYTES);
  uint64_t difference = compare_element(&s, ciphertext);
  encrypt_v(&s, secret_key);
  difference |= compare_v(&s, v);
  derive_rejection(&s, sigma, ciphertext);
  const uint8_t accepted = (uint8_t)ct_mask_zero_u64(difference);
  for (size_t i = 0; i < HQC_SECRET_BYTES; i++) {
    const uint8_t other = s.small->rejected[i];
    shared_secret[i] = (uint8_t)(other ^ (accepted & (s.small->digest[i] ^ other)));
  }
  return CODEKEM_OK;
}

bool hqc_is_canonical(const struct hqc_params *params, const uint8_t *element) {
  return element[params->ring->bytes - 1] >> (params->ring->r_bits % 8) == 0;
}

codekem_status hqc_check_secret_key(const struct hqc_variant *variant,
                                    const struct backend *backend, const uint8_t *secret_key,
                                    struct arena arena) {
  const struct hqc_params *params = variant->params;
  struct session s = start_session(variant, backend, arena);
  const size_t message_bytes = params->outer_code->message_bytes;
  const uint8_t *seed_dk = secret_key + HQC_SEED_BYTES + params->ring->bytes;
  const uint8_t *sigma = seed_dk + HQC_SEED_BYTES;

  expand_key_pair(&s, sigma + message_bytes);
  uint64_t wrong = compare_bytes(s.small->digest + HQC_SEED_BYTES, secret_key, HQC_SEED_BYTES);
  wrong |= compare_element(&s, secret_key + HQC_SEED_BYTES);
  wrong |= compare_bytes(s.small->digest, seed_dk, HQC_SEED_BYTES);
  wrong |= compare_bytes(s.small->message, sigma, message_bytes);
  uint64_t good = ct_mask_zero_u64(wrong);
  /* Public: the verdict is what the caller asked for. */
  ct_declassify(&good, sizeof good);
  return good != 0 ? CODEKEM_OK : CODEKEM_ERROR_SECRET_KEY;
}
