# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The internals of the library: ring arithmetic, hashing, the steps of the decoder.

They come from libcodekem_internals.so, which only the tests build (tests/CMakeLists.txt); it also
holds the legacy KEMs. Ring elements are Python integers here: bit j is the coefficient of x^j.
"""

import contextlib

from tests.c_library import FFI, Calls, Everything, aligned, call, declare
from tests.library import Library

# More than any operation needs for the largest ring.
SCRATCH_BYTES = 8 * 64 * 648


def integer(memory):
    """Returns the element in memory."""
    return int.from_bytes(memory, "little")


def words(memory):
    """Returns a pointer to the words in memory, which must stay there."""
    return FFI.from_buffer("uint64_t *", memory)


class Internals(Library):
    """libcodekem_internals.so. Use it inside `with internals.backend(name):`."""

    _open = Everything

    def __init__(self, path):
        declare("backends.h", "bike/decoder.h", "hqc/codes.h", "hqc/reed_muller.h")
        declare("keccak/keccak.h")
        super().__init__(path)
        self.internal = Calls(self.c, "ckem_")
        self._scratch = aligned(SCRATCH_BYTES)

    def legacy_kems(self):
        return self.kems("legacy_")

    def kem(self, name, of=""):
        """Finds a KEM of either library."""
        with contextlib.suppress(KeyError):
            return super().kem(name, of)
        return super().kem(name, "legacy_")

    @property
    def _backend(self):
        return self.internal["backend_in_use"]()

    # --- Ring elements ---

    def ring(self, r_bits):
        return self.c.pointer_to(f"ckem_gf2x_ring_{r_bits}")

    def _element(self, ring, value=0):
        memory = aligned(8 * ring.stride)
        memory[:] = value.to_bytes(8 * ring.stride, "little")
        return memory

    def _operation(self, name, ring, inputs, *more):
        """Returns what a member of struct gf2x_ops gives."""
        out = self._element(ring)
        elements = [self._element(ring, value) for value in inputs]
        call(getattr(self._backend.gf2x, name), ring, out, *elements, *more, self._scratch)
        return integer(out)

    def mul(self, ring, a, b):
        return self._operation("mul", ring, [a, b])

    def mul_add(self, ring, a0, b0, a1, b1):
        return self._operation("mul_add", ring, [a0, b0, a1, b1])

    def square_times(self, ring, a, k):
        return self._operation("square_times", ring, [a], k)

    def invert(self, ring, a):
        out, ops = self._element(ring), self._backend.gf2x
        self.internal["gf2x_invert"](ops, ring, out, self._element(ring, a), self._scratch)
        return integer(out)

    def weight(self, ring, a):
        return call(self._backend.gf2x.weight, ring, self._element(ring, a))

    def encode(self, ring, a):
        out = bytearray(ring.bytes)
        self.internal["gf2x_encode"](ring, out, self._element(ring, a))
        return bytes(out)

    def decode(self, ring, data):
        out = self._element(ring)
        self.internal["gf2x_decode"](ring, out, data)
        return integer(out)

    # --- Hashing ---

    def sha3(self, bits, data):
        out = bytearray(bits // 8)
        self.internal[f"sha3_{bits}"](self._backend.keccak, out, data, len(data))
        return bytes(out)

    def shake(self, bits, data, length):
        out = bytearray(length)
        self.internal[f"shake{bits}"](self._backend.keccak, out, length, data, len(data))
        return bytes(out)

    def sponge(self, rate, suffix, pieces, lengths):
        """Absorbs the pieces one after the other, then squeezes the lengths."""
        sponge = FFI.new("struct keccak_sponge *")
        self.internal["keccak_init"](sponge, self._backend.keccak, rate, suffix)
        for piece in pieces:
            self.internal["keccak_absorb"](sponge, piece, len(piece))
        self.internal["keccak_finish"](sponge)
        out = [bytearray(length) for length in lengths]
        for part in out:
            self.internal["keccak_squeeze"](sponge, part, len(part))
        return [bytes(part) for part in out]

    # --- The decoder ---

    def decode_error(self, level, c0, supports):
        """Runs the decoder. supports: the positions of h0 and of h1.

        Returns (e0, e1) and a dictionary for each step, as in vectors/bike/decoder.json.
        """
        params = self.c.pointer_to(f"ckem_bike_level{level}")
        ring = params.ring
        e = [self._element(ring), self._element(ring)]
        h = [self._element(ring, sum(1 << p for p in support)) for support in supports]
        lists = [FFI.new("uint32_t[]", support) for support in supports]
        key = FFI.new("struct bike_decoder_key *", {"h": list(map(words, h)), "support": lists})
        steps = []

        def weight_at(address):
            return integer(FFI.buffer(address, 8 * ring.stride)).bit_count()

        def observe(_, step):
            steps.append(
                {
                    "syndrome_weight_before": step.syndrome_weight,
                    "threshold": step.threshold,
                    "flips_block0": weight_at(step.flips[0]),
                    "flips_block1": weight_at(step.flips[1]),
                    "error_weight_after": sum(integer(x).bit_count() for x in e),
                }
            )
            if step.gray[0]:
                steps[-1] |= {f"gray_block{b}": weight_at(step.gray[b]) for b in (0, 1)}

        arena = FFI.new("struct arena *", [words(self._scratch), SCRATCH_BYTES // 8])[0]
        self.internal["bike_decode"](
            *(params, self._backend, list(map(words, e)), self._element(ring, c0), key),
            *(observe, None, arena),
        )
        return tuple(map(integer, e)), steps
