/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks SHA-3 and SHAKE with the examples that NIST publishes for FIPS 202, on every back end.
 * tests/properties compares them with Python's hashlib on many more lengths and splits. */
#include "unit_test.h"

#include "keccak/keccak.h"

/* The example messages: empty, "abc", and 1600 bits of the byte A3. */
static uint8_t message_a3[200];

struct hash_example {
  void (*hash)(const struct keccak_ops *ops, uint8_t *out, const uint8_t *data, size_t length);
  const uint8_t *message;
  size_t message_length;
  const char *digest;
};

static const uint8_t abc[3] = {'a', 'b', 'c'};

static const struct hash_example hash_examples[] = {
    {ckem_sha3_256, abc, 0, "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"},
    {ckem_sha3_256, abc, 3, "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"},
    {ckem_sha3_256, message_a3, 200,
     "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787"},
    {ckem_sha3_384, abc, 0,
     "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2ac3713831264adb47fb6bd1e058d5f0"
     "04"},
    {ckem_sha3_384, abc, 3,
     "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d"
     "25"},
    {ckem_sha3_384, message_a3, 200,
     "1881de2ca7e41ef95dc4732b8f5f002b189cc1e42b74168ed1732649ce1dbcdd76197a31fd55ee989f2d7050dd473e"
     "8f"},
    {ckem_sha3_512, abc, 0,
     "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b2123af1f5f94c11e3e9402c3ac5"
     "58f500199d95b6d3e301758586281dcd26"},
    {ckem_sha3_512, abc, 3,
     "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e393"
     "4057340b4cf408d5a56592f8274eec53f0"},
    {ckem_sha3_512, message_a3, 200,
     "e76dfad22084a8b1467fcf2ffa58361bec7628edf5f3fdc0e4805dc48caeeca81b7c13c30adf52a3659584739a2df4"
     "6be589c51ca1a4a8416df6545a1ce8ba00"},
};

struct shake_example {
  void (*shake)(const struct keccak_ops *ops, uint8_t *out, size_t out_length, const uint8_t *data,
                size_t length);
  const uint8_t *message;
  size_t message_length;
  const char *first; /* the first and the last 32 of 512 bytes of output */
  const char *last;
};

static const struct shake_example shake_examples[] = {
    {ckem_shake128, abc, 0, "7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26",
     "43e41b45a653f2a5c4492c1add544512dda2529833462b71a41a45be97290b6f"},
    {ckem_shake128, message_a3, 200,
     "131ab8d2b594946b9c81333f9bb6e0ce75c3b93104fa3469d3917457385da037",
     "44c9fb359fd56ac0a9a75a743cff6862f17d7259ab075216c0699511643b6439"},
    {ckem_shake256, abc, 0, "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f",
     "ab0bae316339894304e35877b0c28a9b1fd166c796b9cc258a064a8f57e27f2a"},
    {ckem_shake256, message_a3, 200,
     "cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d",
     "6a1a9d7846436e4dca5728b6f760eef0ca92bf0be5615e96959d767197a0beeb"},
};

static void assert_hex(const uint8_t *bytes, const char *hex) {
  char text[2 * 64 + 1];
  const size_t length = strlen(hex) / 2;

  for (size_t i = 0; i < length; i++) {
    (void)snprintf(text + 2 * i, 3, "%02x", (unsigned)bytes[i]);
  }
  assert_string_equal(text, hex);
}

static void sha3_matches_fips202(const struct backend *backend) {
  for (size_t i = 0; i < sizeof hash_examples / sizeof hash_examples[0]; i++) {
    const struct hash_example *example = &hash_examples[i];
    uint8_t digest[64];
    example->hash(backend->keccak, digest, example->message, example->message_length);
    assert_hex(digest, example->digest);
  }
}

static void shake_matches_fips202(const struct backend *backend) {
  for (size_t i = 0; i < sizeof shake_examples / sizeof shake_examples[0]; i++) {
    const struct shake_example *example = &shake_examples[i];
    uint8_t out[512];
    example->shake(backend->keccak, out, sizeof out, example->message, example->message_length);
    assert_hex(out, example->first);
    assert_hex(out + 480, example->last);
  }
}

/* Absorbing and squeezing in pieces of every length up to two blocks gives the same stream. */
static void sponge_does_not_depend_on_pieces(const struct backend *backend) {
  uint8_t data[700];
  uint8_t whole[700];
  uint8_t pieces[700];
  uint64_t state = 1;

  for (size_t i = 0; i < sizeof data; i++) {
    data[i] = (uint8_t)next_random(&state);
  }
  ckem_shake256(backend->keccak, whole, sizeof whole, data, sizeof data);
  for (size_t piece = 1; piece <= 2 * SHAKE256_RATE_BYTES + 1; piece++) {
    struct keccak_sponge sponge;
    ckem_keccak_init(&sponge, backend->keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
    for (size_t at = 0; at < sizeof data; at += piece) {
      ckem_keccak_absorb(&sponge, data + at, sizeof data - at < piece ? sizeof data - at : piece);
    }
    ckem_keccak_finish(&sponge);
    for (size_t at = 0; at < sizeof pieces; at += piece) {
      ckem_keccak_squeeze(&sponge, pieces + at,
                          sizeof pieces - at < piece ? sizeof pieces - at : piece);
    }
    assert_memory_equal(pieces, whole, sizeof whole);
  }
}

static void permutations_match_the_reference(const struct backend *backend) {
  uint64_t state = 2;

  for (int repeat = 0; repeat < 50; repeat++) {
    uint64_t first[KECCAK_LANES], second[KECCAK_LANES];
    uint64_t want_first[KECCAK_LANES], want_second[KECCAK_LANES], alone[KECCAK_LANES];
    for (size_t i = 0; i < KECCAK_LANES; i++) {
      /* The first two rounds use the extreme states. */
      first[i] = repeat == 0 ? 0 : next_random(&state);
      second[i] = repeat == 1 ? UINT64_MAX : next_random(&state);
    }
    memcpy(want_first, first, sizeof first);
    memcpy(want_second, second, sizeof second);
    memcpy(alone, first, sizeof first);
    ckem_keccak_reference.permute(want_first);
    ckem_keccak_reference.permute(want_second);
    backend->keccak->permute(alone);
    assert_memory_equal(alone, want_first, sizeof alone);
    backend->keccak->permute_pair(first, second);
    assert_memory_equal(first, want_first, sizeof first);
    assert_memory_equal(second, want_second, sizeof second);
  }
}

/* As many states at once as the back end takes, each lane of the vectors with another one. */
static void permute_many_matches_the_reference(const struct backend *backend) {
  const size_t width = backend->keccak->width;
  uint64_t state = 3;

  assert_in_range(width, 1, KECCAK_MAX_WIDTH);
  for (int repeat = 0; repeat < 50; repeat++) {
    _Alignas(64) uint64_t states[KECCAK_LANES * KECCAK_MAX_WIDTH];
    uint64_t want[KECCAK_MAX_WIDTH][KECCAK_LANES];
    for (size_t j = 0; j < width; j++) {
      for (size_t i = 0; i < KECCAK_LANES; i++) {
        want[j][i] = repeat == 0 ? 0 : repeat == 1 ? UINT64_MAX : next_random(&state);
        states[width * i + j] = want[j][i];
      }
      ckem_keccak_reference.permute(want[j]);
    }
    backend->keccak->permute_many(states);
    for (size_t j = 0; j < width; j++) {
      for (size_t i = 0; i < KECCAK_LANES; i++) {
        assert_true(states[width * i + j] == want[j][i]);
      }
    }
  }
}

#define STRINGS 19 /* two groups of eight and a rest */
#define STRING_BYTES 700

/* Every length up to some blocks, and every number of strings, each compared with the hash of the
 * string alone. */
static void hashes_side_by_side_match_single_ones(const struct backend *backend) {
  static uint8_t data[STRINGS][STRING_BYTES], out[STRINGS][STRING_BYTES];
  const uint8_t *in_pointers[STRINGS];
  uint8_t *out_pointers[STRINGS];
  uint8_t want[STRING_BYTES];
  uint64_t state = 4;

  for (size_t j = 0; j < STRINGS; j++) {
    in_pointers[j] = data[j];
    out_pointers[j] = out[j];
    for (size_t i = 0; i < STRING_BYTES; i++) {
      data[j][i] = (uint8_t)next_random(&state);
    }
  }
  for (size_t length = 0; length < STRING_BYTES; length += length < 300 ? 1 : 57) {
    const size_t count = 1 + length % STRINGS;
    const size_t out_length = 1 + (5 * length) % STRING_BYTES;
    memset(out, 0, sizeof out);
    ckem_keccak_hash_many(backend->keccak, SHAKE256_RATE_BYTES, KECCAK_SUFFIX_SHAKE, out_pointers,
                          out_length, in_pointers, length, count);
    for (size_t j = 0; j < count; j++) {
      ckem_shake256(backend->keccak, want, out_length, data[j], length);
      assert_memory_equal(out[j], want, out_length);
    }
    assert_true(count == STRINGS || out[count][0] == 0);
  }
  ckem_keccak_hash_many(backend->keccak, SHA3_384_RATE_BYTES, KECCAK_SUFFIX_SHA3, out_pointers, 48,
                        in_pointers, STRING_BYTES, STRINGS);
  for (size_t j = 0; j < STRINGS; j++) {
    ckem_sha3_384(backend->keccak, want, data[j], STRING_BYTES);
    assert_memory_equal(out[j], want, 48);
  }
}

/* Absorbing and squeezing side by side in pieces of any length, and going on alone with one. */
static void pieces_side_by_side_give_the_same_streams(const struct backend *backend) {
  static uint8_t data[KECCAK_MAX_WIDTH][STRING_BYTES], out[KECCAK_MAX_WIDTH][STRING_BYTES];
  const struct keccak_ops *ops = backend->keccak;
  uint8_t want[STRING_BYTES];
  uint64_t state = 5;

  for (size_t piece = 1; piece <= SHAKE128_RATE_BYTES + 1; piece++) {
    const uint8_t *in_pointers[KECCAK_MAX_WIDTH];
    uint8_t *out_pointers[KECCAK_MAX_WIDTH];
    const size_t count = 1 + piece % ops->width;
    struct keccak_many many;

    ckem_keccak_many_init(&many, ops, count, SHAKE128_RATE_BYTES, KECCAK_SUFFIX_SHAKE);
    for (size_t j = 0; j < count; j++) {
      data[j][piece % STRING_BYTES] = (uint8_t)next_random(&state);
    }
    for (size_t at = 0; at < STRING_BYTES; at += piece) {
      for (size_t j = 0; j < count; j++) {
        in_pointers[j] = data[j] + at;
      }
      ckem_keccak_many_absorb(&many, in_pointers,
                              STRING_BYTES - at < piece ? STRING_BYTES - at : piece);
    }
    ckem_keccak_many_finish(&many);
    const size_t together = piece + STRING_BYTES / 2; /* the rest is squeezed alone */
    for (size_t at = 0; at < together; at += piece) {
      for (size_t j = 0; j < count; j++) {
        out_pointers[j] = out[j] + at;
      }
      ckem_keccak_many_squeeze(&many, out_pointers, together - at < piece ? together - at : piece);
    }
    for (size_t j = 0; j < count; j++) {
      struct keccak_sponge sponge;
      ckem_keccak_many_copy_one(&many, j, &sponge);
      ckem_keccak_squeeze(&sponge, out[j] + together, STRING_BYTES - together);
      ckem_shake128(ops, want, STRING_BYTES, data[j], STRING_BYTES);
      assert_memory_equal(out[j], want, STRING_BYTES);
    }
  }
}

EACH_BACKEND(permute_many_matches_the_reference)
EACH_BACKEND(hashes_side_by_side_match_single_ones)
EACH_BACKEND(pieces_side_by_side_give_the_same_streams)
EACH_BACKEND(sha3_matches_fips202)
EACH_BACKEND(shake_matches_fips202)
EACH_BACKEND(sponge_does_not_depend_on_pieces)
EACH_BACKEND(permutations_match_the_reference)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(permutations_match_the_reference_each),
      cmocka_unit_test(sha3_matches_fips202_each),
      cmocka_unit_test(shake_matches_fips202_each),
      cmocka_unit_test(sponge_does_not_depend_on_pieces_each),
      cmocka_unit_test(permute_many_matches_the_reference_each),
      cmocka_unit_test(hashes_side_by_side_match_single_ones_each),
      cmocka_unit_test(pieces_side_by_side_give_the_same_streams_each),
  };

  memset(message_a3, 0xA3, sizeof message_a3);
  return cmocka_run_group_tests_name("keccak", tests, NULL, NULL);
}
