/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The operations of HQC in shares. What is public goes through the functions of src/kem/hqc. */
#include "masked/operations.h"

#include "base/bytes.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "hqc/hashes.h"
#include "hqc/hqc_steps.h"
#include "hqc/sampling.h"
#include "masked/gadgets.h"
#include "masked/products.h"

/* The last byte of every hash input [HQC, 3]; for XOF, G, I and J. */
#define OF_XOF 1
#define OF_G 0
#define OF_I 2
#define OF_J 3

static struct shared_element take_shared_element(struct arena *arena,
                                                 const struct gf2x_ring *ring) {
  return (struct shared_element){arena_take(arena, MASKED_SHARES * ring->stride), ring->stride};
}

static struct masked_layout lay_out_masked_key(const struct hqc_params *params) {
  struct masked_layout layout;

  layout.h_ek = HQC_SEED_BYTES + params->ring->bytes;
  layout.y = layout.h_ek + HQC_SEED_BYTES;
  layout.sigma = layout.y + MASKED_SHARES * params->ring->bytes;
  return layout;
}

/* The shares of y and sigma in a secret key. */
static struct shared_bytes y_of_key(const struct hqc_params *params, uint8_t *secret_key) {
  return (struct shared_bytes){secret_key + lay_out_masked_key(params).y, params->ring->bytes};
}

static struct shared_bytes sigma_of_key(const struct hqc_params *params, uint8_t *secret_key) {
  return (struct shared_bytes){secret_key + lay_out_masked_key(params).sigma,
                               params->outer_code->message_bytes};
}

/* Turns so many 64-bit words of an element into one plane, in their place. */
static struct shared turn_into_plane(struct shared_element x, size_t count) {
  const size_t parts = 64 / MASKED_WORD_BITS;
  const struct shared plane = {(masked_word *)(void *)x.at, x.gap * parts};

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    masked_turn_words(share_of(plane, s), count * parts, 0, s);
  }
  return plane;
}

/* Opens the stream of a seed in shares. */
static void open_masked_xof(const struct masked_call *call, struct shared_bytes seed) {
  struct masked_sponge *stream = &call->small->sponge;

  ckem_masked_sponge_init(stream, &call->small->masks, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
  ckem_masked_absorb(stream, seed, HQC_SEED_BYTES);
  ckem_masked_finish(stream, OF_XOF);
}

/* h of a public key; H(ek) goes to small->h_ek if it is not known. */
static void expand_public_key(const struct masked_call *call, uint64_t *h, const uint8_t *ek) {
  struct keccak_sponge *plain = &call->small->plain;

  ckem_hqc_xof_open(plain, call->backend->keccak, ek);
  ckem_hqc_sample_uniform(call->params, plain, h, NULL);
}

static void hash_public_key(const struct masked_call *call, const uint8_t *ek) {
  struct keccak_task task =
      ckem_hqc_begin_h(&call->small->plain, call->backend->keccak, call->params, ek);

  ckem_hqc_end_h(&task, call->small->h_ek);
}

/* small->seeds = K and theta from small->message and a public salt. */
static void hash_masked_message(const struct masked_call *call, const uint8_t *salt) {
  struct masked_small *small = call->small;
  const struct shared_bytes message = {small->message, HQC_MAX_MESSAGE_BYTES};
  const struct shared_bytes seeds = {small->seeds, 2 * HQC_SEED_BYTES};

  ckem_masked_sponge_init(&small->sponge, &small->masks, SHA3_512_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  ckem_masked_absorb_public(&small->sponge, small->h_ek, HQC_SEED_BYTES);
  ckem_masked_absorb(&small->sponge, message, call->params->outer_code->message_bytes);
  ckem_masked_absorb_public(&small->sponge, salt, HQC_SALT_BYTES);
  ckem_masked_finish(&small->sponge, OF_G);
  ckem_masked_squeeze(&small->sponge, seeds, 2 * HQC_SEED_BYTES);
}

/* out = the next element that a stream draws, of error_weight. */
static void draw_element(const struct masked_call *call, struct shared_element out,
                         struct arena arena) {
  const struct hqc_params *params = call->params;
  const uint32_t n = params->ring->r_bits;
  const uint32_t weight = params->error_weight;
  struct masks *masks = &call->small->masks;
  const struct shared positions =
      shared_take(&arena, MASKED_POSITION_PLANES(n) * MASKED_WORDS(weight));

  ckem_masked_draw_fixed(masks, n, weight, &call->small->sponge, positions, arena);
  ckem_masked_place(masks, params->ring, out, positions, weight, arena);
}

/* The same for a key, which may fail. */
static bool draw_key_element(const struct masked_call *call, struct shared_element out,
                             struct arena arena) {
  const struct hqc_params *params = call->params;
  const uint32_t weight = params->key_weight;
  struct masks *masks = &call->small->masks;
  const struct shared positions =
      shared_take(&arena, MASKED_POSITION_PLANES(params->ring->r_bits) * MASKED_WORDS(weight));
  const bool good =
      ckem_masked_draw_rejection(masks, params, &call->small->sponge, positions, arena);

  ckem_masked_place(masks, params->ring, out, positions, weight, arena);
  return good;
}

/* x = x + y on so many words of every share. */
static void add_shares(struct shared_element x, struct shared_element y, size_t words) {
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    for (size_t i = 0; i < words; i++) {
      share_of_element(x, s)[i] ^= share_of_element(y, s)[i];
    }
  }
}

/* out = s r2 for the encoded s of a public key, of which unused bits count as coefficients that are
 * folded once, as in hqc/pke.c. The element s is memory. */
static void multiply_by_encoded_s(const struct masked_call *call, struct shared_element out,
                                  const uint8_t *encoded_s, struct shared_element r2, uint64_t *s,
                                  uint64_t *work) {
  const struct gf2x_ring *ring = call->params->ring;
  const uint32_t unused = 8 * ring->bytes - ring->r_bits;
  const uint32_t top = ring->r_bits - unused;
  const uint64_t padding = (uint64_t)encoded_s[ring->bytes - 1] >> (8 - unused);
  uint64_t beyond[MASKED_SHARES];

  for (size_t i = 0; i < MASKED_SHARES; i++) {
    const uint64_t *share = share_of_element(r2, i);
    const uint64_t bits = share[top / 64] >> top % 64 | share[top / 64 + 1] << 1 << (63 - top % 64);
    const uint64_t last = bits & ((UINT64_C(1) << unused) - 1);
    beyond[i] = 0;
    for (uint32_t j = 0; j < unused; j++) {
      beyond[i] ^= last << j & (0 - (padding >> j & 1));
    }
  }
  ckem_gf2x_decode(ring, s, encoded_s);
  ckem_masked_multiply(&call->small->masks, call->backend, ring, out, false, s, r2, work);
  for (size_t i = 0; i < MASKED_SHARES; i++) {
    share_of_element(out, i)[0] ^= beyond[i] >> unused;
  }
}

/* v = v + the code word of small->message. symbols: memory of 8 planes. */
static void add_masked_code_word(const struct masked_call *call, struct shared_element v,
                                 struct shared symbols, struct arena arena) {
  const struct reed_solomon *code = call->params->outer_code;
  const struct shared_bytes message = {call->small->message, HQC_MAX_MESSAGE_BYTES};
  struct masks *masks = &call->small->masks;

  ckem_masked_reed_solomon_encode(masks, code, symbols, message, arena);
  ckem_masked_reed_muller_add(masks, v, symbols, code->length, call->params->copies);
}

/* What encryption makes: u in an element in shares, and v in the first words of another. */
struct masked_ciphertext {
  struct shared_element u, v;
};

/* Encrypts small->message with theta in small->seeds to a public key. r2 and symbols are memory;
 * the ciphertext is in that of the arena. */
static struct masked_ciphertext encrypt_in_shares(const struct masked_call *call,
                                                  const uint8_t *public_key,
                                                  struct shared_element r2, struct shared symbols,
                                                  struct arena *arena) {
  const struct gf2x_ring *ring = call->params->ring;
  const struct shared_bytes theta = {call->small->seeds + HQC_SEED_BYTES, 2 * HQC_SEED_BYTES};
  const struct shared_element e = take_shared_element(arena, ring);
  const struct shared_element r1 = take_shared_element(arena, ring);
  uint64_t *h = arena_take(arena, ring->stride);
  struct arena rest = *arena;

  open_masked_xof(call, theta);
  draw_element(call, r2, rest);
  draw_element(call, e, rest);
  draw_element(call, r1, rest);
  uint64_t *work = arena_take(&rest, MASKED_PRODUCT_WORDS(ring->r_bits));
  expand_public_key(call, h, public_key);
  ckem_masked_multiply(&call->small->masks, call->backend, ring, r1, true, h, r2, work);
  multiply_by_encoded_s(call, r2, public_key + HQC_SEED_BYTES, r2, h, work);
  add_shares(e, r2, ckem_hqc_code_words(call->params));
  add_masked_code_word(call, e, symbols, *arena);
  return (struct masked_ciphertext){.u = r1, .v = e};
}

/* x + the public bytes in[length], which is at most as long as the element; bits above stay. */
static void add_public_bytes(struct shared_element x, const uint8_t *in, size_t length) {
  uint8_t last[8] = {0};
  size_t i = 0;

  for (; 8 * i + 8 <= length; i++) {
    x.at[i] ^= load_le64(in + 8 * i);
  }
  if (8 * i < length) {
    memcpy(last, in + 8 * i, length - 8 * i);
    x.at[i] ^= load_le64(last);
  }
}

/* out[length] = the first bytes of an element: only where it is public. */
static void open_element(uint8_t *out, struct shared_element x, size_t length) {
  for (size_t i = 0; 8 * i < length; i++) {
    uint8_t bytes[8];
    uint64_t word = 0;
    for (size_t s = 0; s < MASKED_SHARES; s++) {
      word ^= share_of_element(x, s)[i];
    }
    store_le64(bytes, word);
    memcpy(out + 8 * i, bytes, length - 8 * i < 8 ? length - 8 * i : 8);
  }
}

/* The first bytes of every share of an element, and back, zeros behind. */
static void store_shares(struct shared_bytes out, struct shared_element x, size_t length) {
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    for (size_t i = 0; i < length; i++) {
      share_of_bytes(out, s)[i] = (uint8_t)(share_of_element(x, s)[i / 8] >> 8 * (i % 8));
    }
  }
}

static void load_shares(const struct gf2x_ring *ring, struct shared_element x,
                        struct shared_bytes in) {
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    uint64_t *share = share_of_element(x, s);
    const uint8_t *bytes = share_of_bytes(in, s);
    memset(share, 0, ring->stride * sizeof *share);
    for (size_t i = 0; i < ring->bytes / 8; i++) {
      share[i] = load_le64(bytes + 8 * i);
    }
    for (size_t i = ring->bytes / 8 * 8; i < ring->bytes; i++) {
      share[i / 8] |= (uint64_t)bytes[i] << 8 * (i % 8);
    }
    share[ring->words - 1] &= (UINT64_C(1) << ring->r_bits % 64) - 1;
  }
}

/* Ends a secret key: y from its seed in shares, as the first element of the stream, and sigma. */
static bool finish_masked_key(const struct masked_call *call, uint8_t *secret_key,
                              struct shared_bytes seed_dk, struct shared_element y,
                              struct arena arena) {
  const struct hqc_params *params = call->params;
  const struct shared_bytes sigma = {call->small->sigma, HQC_MAX_MESSAGE_BYTES};
  const struct shared_bytes out = sigma_of_key(params, secret_key);

  open_masked_xof(call, seed_dk);
  const bool good = draw_key_element(call, y, arena);
  store_shares(y_of_key(params, secret_key), y, params->ring->bytes);
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    memcpy(share_of_bytes(out, s), share_of_bytes(sigma, s), params->outer_code->message_bytes);
  }
  return good;
}

bool ckem_masked_hqc_keypair(const struct masked_call *call, uint8_t *public_key,
                             uint8_t *secret_key, const uint8_t *seed) {
  const struct hqc_params *params = call->params;
  const struct gf2x_ring *ring = params->ring;
  struct masked_small *small = call->small;
  struct arena arena = call->arena;
  const struct shared_element y = take_shared_element(&arena, ring);
  const struct shared_element x = take_shared_element(&arena, ring);
  uint64_t *h = arena_take(&arena, ring->stride);
  const struct shared_bytes seed_kem = {small->seeds, 2 * HQC_SEED_BYTES};
  const struct shared_bytes seed_pke = {small->rejected, HQC_SEED_BYTES};
  const struct shared_bytes sigma = {small->sigma, HQC_MAX_MESSAGE_BYTES};
  const struct shared_bytes seeds = {small->seeds, 2 * HQC_SEED_BYTES};

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    memcpy(share_of_bytes(seed_kem, s), seed + s * HQC_SEED_BYTES, HQC_SEED_BYTES);
  }
  ckem_masked_refresh_bytes(&small->masks, seed_kem, HQC_SEED_BYTES);
  open_masked_xof(call, seed_kem);
  ckem_masked_squeeze(&small->sponge, seed_pke, HQC_SEED_BYTES);
  ckem_masked_squeeze(&small->sponge, sigma, params->outer_code->message_bytes);
  ckem_masked_sponge_init(&small->sponge, &small->masks, SHA3_512_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  ckem_masked_absorb(&small->sponge, seed_pke, HQC_SEED_BYTES);
  ckem_masked_finish(&small->sponge, OF_I);
  ckem_masked_squeeze(&small->sponge, seeds, 2 * HQC_SEED_BYTES); /* seed_dk and seed_ek */
  ckem_masked_join_bytes(public_key, shared_bytes_from(seeds, HQC_SEED_BYTES), HQC_SEED_BYTES);
  /* Public: it is part of the public key. */
  ct_declassify(public_key, HQC_SEED_BYTES);

  bool good = finish_masked_key(call, secret_key, seeds, y, arena);
  good = draw_key_element(call, x, arena) && good;
  expand_public_key(call, h, public_key);
  ckem_masked_multiply(&small->masks, call->backend, ring, y, false, h, y,
                       arena_take(&arena, MASKED_PRODUCT_WORDS(ring->r_bits)));
  add_shares(x, y, ring->words);
  open_element(public_key + HQC_SEED_BYTES, x, ring->bytes);
  /* Public: s is the other part of the public key. */
  ct_declassify(public_key + HQC_SEED_BYTES, ring->bytes);
  hash_public_key(call, public_key);
  memcpy(secret_key, public_key, HQC_SEED_BYTES + ring->bytes);
  memcpy(secret_key + lay_out_masked_key(params).h_ek, small->h_ek, HQC_SEED_BYTES);
  return good;
}

bool ckem_masked_hqc_import(const struct masked_call *call, uint8_t *secret_key,
                            const uint8_t *plain) {
  const struct hqc_params *params = call->params;
  const struct hqc_secret_key_layout from = ckem_hqc_lay_out_secret_key(params);
  struct masked_small *small = call->small;
  struct arena arena = call->arena;
  const struct shared_element y = take_shared_element(&arena, params->ring);
  const struct shared_bytes seed_dk = {small->seeds, 2 * HQC_SEED_BYTES};
  const struct shared_bytes sigma = {small->sigma, HQC_MAX_MESSAGE_BYTES};

  ckem_masked_share_bytes(&small->masks, seed_dk, plain + from.dk_pke, HQC_SEED_BYTES);
  ckem_masked_share_bytes(&small->masks, sigma, plain + from.sigma,
                          params->outer_code->message_bytes);
  const bool good = finish_masked_key(call, secret_key, seed_dk, y, arena);
  hash_public_key(call, plain);
  memcpy(secret_key, plain, HQC_SEED_BYTES + params->ring->bytes);
  memcpy(secret_key + lay_out_masked_key(params).h_ek, small->h_ek, HQC_SEED_BYTES);
  return good;
}

bool ckem_masked_hqc_refresh(const struct masked_call *call, uint8_t *secret_key) {
  const struct hqc_params *params = call->params;
  const struct gf2x_ring *ring = params->ring;
  struct masks *masks = &call->small->masks;
  struct arena arena = call->arena;
  const struct shared_element y = take_shared_element(&arena, ring);

  load_shares(ring, y, y_of_key(params, secret_key));
  ckem_masked_refresh_element(masks, ring, y);
  store_shares(y_of_key(params, secret_key), y, ring->bytes);
  ckem_masked_refresh_bytes(masks, sigma_of_key(params, secret_key),
                            params->outer_code->message_bytes);
  return true;
}

bool ckem_masked_hqc_encaps(const struct masked_call *call, uint8_t *ciphertext,
                            uint8_t *shared_secret, const uint8_t *public_key,
                            const uint8_t *seed) {
  const struct hqc_params *params = call->params;
  const size_t message_bytes = params->outer_code->message_bytes;
  const size_t code_bytes = ckem_hqc_code_bytes(params);
  struct masked_small *small = call->small;
  struct arena arena = call->arena;
  const struct shared symbols = shared_take(&arena, 8 * MASKED_WORDS(params->outer_code->length));
  const struct shared_element r2 = take_shared_element(&arena, params->ring);
  const struct shared_bytes message = {small->message, HQC_MAX_MESSAGE_BYTES};
  const struct shared_bytes salt = {small->seeds, HQC_SALT_BYTES};
  uint8_t *public_salt = ciphertext + params->ring->bytes + code_bytes;

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    const uint8_t *share = seed + s * (message_bytes + HQC_SALT_BYTES);
    memcpy(share_of_bytes(message, s), share, message_bytes);
    memcpy(share_of_bytes(salt, s), share + message_bytes, HQC_SALT_BYTES);
  }
  ckem_masked_refresh_bytes(&small->masks, message, message_bytes);
  ckem_masked_join_bytes(public_salt, salt, HQC_SALT_BYTES);
  /* Public: it is part of the ciphertext, and so is what else is opened here. */
  ct_declassify(public_salt, HQC_SALT_BYTES);
  hash_public_key(call, public_key);
  hash_masked_message(call, public_salt);
  const struct masked_ciphertext made = encrypt_in_shares(call, public_key, r2, symbols, &arena);
  open_element(ciphertext, made.u, params->ring->bytes);
  open_element(ciphertext + params->ring->bytes, made.v, code_bytes);
  /* Public: the ciphertext. */
  ct_declassify(ciphertext, params->ring->bytes + code_bytes);
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    memcpy(shared_secret + s * HQC_SECRET_BYTES, small->seeds + s * 2 * HQC_SEED_BYTES,
           HQC_SECRET_BYTES);
  }
  return true;
}

/* small->rejected = J(H(ek), sigma, ciphertext). */
static void hash_refused(const struct masked_call *call, const uint8_t *ciphertext) {
  const struct hqc_params *params = call->params;
  struct masked_small *small = call->small;
  const struct shared_bytes sigma = {small->sigma, HQC_MAX_MESSAGE_BYTES};
  const struct shared_bytes rejected = {small->rejected, HQC_SECRET_BYTES};

  ckem_masked_sponge_init(&small->sponge, &small->masks, SHA3_256_RATE_BYTES, KECCAK_SUFFIX_SHA3);
  ckem_masked_absorb_public(&small->sponge, small->h_ek, HQC_SEED_BYTES);
  ckem_masked_absorb(&small->sponge, sigma, params->outer_code->message_bytes);
  ckem_masked_absorb_public(&small->sponge, ciphertext,
                            params->ring->bytes + ckem_hqc_code_bytes(params) + HQC_SALT_BYTES);
  ckem_masked_finish(&small->sponge, OF_J);
  ckem_masked_squeeze(&small->sponge, rejected, HQC_SECRET_BYTES);
}

/* shared_secret = K, or rejected where the bit differs, lane 0 of one word, is 1. */
static void select_in_shares(const struct masked_call *call, uint8_t *shared_secret,
                             struct shared differs) {
  const size_t lanes = 8 * HQC_SECRET_BYTES;
  const size_t words = MASKED_WORDS(8 * HQC_SECRET_BYTES);
  struct masked_small *small = call->small;
  const struct shared accepted = {small->selected, words};
  const struct shared rejected = {small->other, words};
  const struct shared choice = {small->choice, words};

  for (size_t s = 0; s < MASKED_SHARES; s++) {
    memcpy(share_of(accepted, s), small->seeds + s * 2 * HQC_SEED_BYTES, HQC_SECRET_BYTES);
    memcpy(share_of(rejected, s), small->rejected + s * HQC_SECRET_BYTES, HQC_SECRET_BYTES);
    masked_turn_words(share_of(accepted, s), words, 0, s);
    masked_turn_words(share_of(rejected, s), words, 0, s);
  }
  ckem_masked_spread(&small->masks, choice, differs, lanes);
  ckem_masked_mux(&small->masks, accepted, choice, rejected, accepted, 1, lanes);
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    masked_turn_words(share_of(accepted, s), words, s, 0);
    memcpy(shared_secret + s * HQC_SECRET_BYTES, share_of(accepted, s), HQC_SECRET_BYTES);
  }
}

bool ckem_masked_hqc_decaps(const struct masked_call *call, uint8_t *shared_secret,
                            const uint8_t *ciphertext, const uint8_t *secret_key) {
  const struct hqc_params *params = call->params;
  const struct gf2x_ring *ring = params->ring;
  const struct reed_solomon *code = params->outer_code;
  const size_t code_bytes = ckem_hqc_code_bytes(params);
  const uint8_t *encoded_v = ciphertext + ring->bytes;
  struct masked_small *small = call->small;
  struct masks *masks = &small->masks;
  struct arena arena = call->arena;
  const struct shared symbols = shared_take(&arena, 8 * MASKED_WORDS(code->length));
  const struct shared_element y = take_shared_element(&arena, ring);
  const struct shared_bytes message = {small->message, HQC_MAX_MESSAGE_BYTES};
  const struct shared_bytes sigma = {small->sigma, HQC_MAX_MESSAGE_BYTES};
  /* Only read: the shares of a key are loaded and refreshed here. */
  uint8_t *key = (uint8_t *)(uintptr_t)secret_key;

  load_shares(ring, y, y_of_key(params, key));
  ckem_masked_refresh_element(masks, ring, y);
  for (size_t s = 0; s < MASKED_SHARES; s++) {
    memcpy(share_of_bytes(sigma, s), share_of_bytes(sigma_of_key(params, key), s),
           code->message_bytes);
  }
  ckem_masked_refresh_bytes(masks, sigma, code->message_bytes);
  memcpy(small->h_ek, secret_key + lay_out_masked_key(params).h_ek, HQC_SEED_BYTES);

  /* v + u y, which takes the place of y. */
  struct arena rest = arena;
  uint64_t *u = arena_take(&rest, ring->stride);
  ckem_gf2x_decode(ring, u, ciphertext);
  ckem_masked_multiply(masks, call->backend, ring, y, false, u, y,
                       arena_take(&rest, MASKED_PRODUCT_WORDS(ring->r_bits)));
  add_public_bytes(y, encoded_v, code_bytes);
  ckem_masked_reed_muller_decode(masks, symbols, y, code->length, params->copies, arena);
  ckem_masked_reed_solomon_decode(masks, code, message, symbols, arena);

  hash_masked_message(call, encoded_v + code_bytes);
  const struct masked_ciphertext made = encrypt_in_shares(call, secret_key, y, symbols, &arena);
  add_public_bytes(made.u, ciphertext, ring->bytes);
  add_public_bytes(made.v, encoded_v, code_bytes);
  const struct shared differs = turn_into_plane(made.u, ring->words);
  const struct shared v_differs = turn_into_plane(made.v, ckem_hqc_code_words(params));
  ckem_masked_fold(masks, differs, 64 * (size_t)ring->words);
  ckem_masked_fold(masks, v_differs, 64 * ckem_hqc_code_words(params));
  ckem_masked_or(masks, differs, differs, v_differs, 1);
  hash_refused(call, ciphertext);
  select_in_shares(call, shared_secret, differs);
  return true;
}
