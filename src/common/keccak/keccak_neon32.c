/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Keccak-f[1600] for 32-bit Arm with NEON: a lane is a 64-bit register, of which there are 32, so
 * most of one state stays in registers. Two states at once would not.
 */
#include "base/intrinsics.h"
#include "base/unroll.h"
#include "keccak/keccak.h"
#include "keccak/keccak_constants.h"

#if defined(CODEKEM_HAVE_NEON32)
ISA_BEGIN_NEON32

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Not uint64x1_t, for which compilers may take pairs of general registers. */
typedef uint32x2_t lane;

ALWAYS_INLINE lane load_lane(const uint64_t *from) {
  return vreinterpret_u32_u8(vld1_u8((const uint8_t *)from));
}

/* a + b, rotated to the left by n, 0 < n < 64, constant. In assembly for the same reason. */
#define MOVE(a, d, n)                                     \
  __extension__({                                         \
  const lane moved_ = veor_u32(a, d);                     \
  lane rotated_;                                          \
  __asm__("vshl.u64 %P0, %P1, %2\n\tvsri.64 %P0, %P1, %3" \
          : "=&w"(rotated_)                               \
          : "w"(moved_), "i"(n), "i"(64 - (n)));          \
  rotated_;                                               \
  })

#define ROTATE_1(x)                                                                     \
  __extension__({                                                                       \
  lane rotated_;                                                                        \
  __asm__("vshl.u64 %P0, %P1, #1\n\tvsri.64 %P0, %P1, #63" : "=&w"(rotated_) : "w"(x)); \
  rotated_;                                                                             \
  })

/* chi on one row of five lanes. */
ALWAYS_INLINE void chi_row(lane a[5]) {
  const lane first = a[0];
  const lane second = a[1];

  a[0] = veor_u32(a[0], vbic_u32(a[2], a[1]));
  a[1] = veor_u32(a[1], vbic_u32(a[3], a[2]));
  a[2] = veor_u32(a[2], vbic_u32(a[4], a[3]));
  a[3] = veor_u32(a[3], vbic_u32(first, a[4]));
  a[4] = veor_u32(a[4], vbic_u32(second, first));
}

/* What rho and pi bring to each place, in the order in which places become free: from where, and
 * rotated by how much. */
#define FOR_EACH_MOVE(move)                                                                       \
  move(1, 6, 44) move(6, 9, 20) move(9, 22, 61) move(22, 14, 39) move(14, 20, 18) move(20, 2, 62) \
      move(2, 12, 43) move(12, 13, 25) move(13, 19, 8) move(19, 23, 56) move(23, 15, 41)          \
          move(15, 4, 27) move(4, 24, 14) move(24, 21, 2) move(21, 8, 55) move(8, 16, 45)         \
              move(16, 5, 36) move(5, 3, 28) move(3, 18, 21) move(18, 17, 15) move(17, 11, 10)    \
                  move(11, 7, 6) move(7, 10, 3)

#define MOVE_TO(place, from, n) a[place] = MOVE(a[from], d[(from) % 5], n);

/* One round, in place. */
ALWAYS_INLINE void round_of_lanes(lane a[KECCAK_LANES], const uint64_t *constant) {
  lane c[5], d[5]; /* theta: sums of the columns, and what is added to them */

  for (size_t x = 0; x < 5; x++) {
    c[x] = veor_u32(veor_u32(veor_u32(a[x], a[x + 5]), veor_u32(a[x + 10], a[x + 15])), a[x + 20]);
  }
  for (size_t x = 0; x < 5; x++) {
    d[x] = veor_u32(c[(x + 4) % 5], ROTATE_1(c[(x + 1) % 5]));
  }
  const lane last = MOVE(a[1], d[1], 1);
  a[0] = veor_u32(a[0], d[0]);
  FOR_EACH_MOVE(MOVE_TO)
  a[10] = last;
  for (size_t y = 0; y < KECCAK_LANES; y += 5) {
    chi_row(a + y);
  }
  a[0] = veor_u32(a[0], load_lane(constant));
}

static void permute_neon32(uint64_t state[KECCAK_LANES]) {
  lane a[KECCAK_LANES];

  UNROLL
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    a[i] = load_lane(state + i);
  }
  for (size_t round = 0; round < KECCAK_ROUNDS; round++) {
    round_of_lanes(a, &ckem_keccak_round_constants[round]);
  }
  UNROLL
  for (size_t i = 0; i < KECCAK_LANES; i++) {
    vst1_u8((uint8_t *)(state + i), vreinterpret_u8_u32(a[i]));
  }
}

static void permute_pair_neon32(uint64_t first[KECCAK_LANES], uint64_t second[KECCAK_LANES]) {
  permute_neon32(first);
  permute_neon32(second);
}

const struct keccak_ops ckem_keccak_neon32 = {
    .name = "neon",
    .permute = permute_neon32,
    .permute_pair = permute_pair_neon32,
    .width = 1,
    .permute_many = permute_neon32,
};

ISA_END
#endif
