# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The internals of the library through ctypes: ring arithmetic, hashing, the steps of the decoder.

They come from libcodekem_internals.so, which only the tests build (tests/CMakeLists.txt); it also
holds the legacy KEMs. Ring elements are Python integers here: bit j is the coefficient of x^j.
"""

import contextlib
import ctypes
import subprocess
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_size_t,
    c_uint8,
    c_uint32,
    c_void_p,
)

from tests.codekem_ctypes import KEM, Library, aligned

WORDS = c_void_p


class Ring(Structure):
    """struct gf2x_ring, of which only the lengths matter here."""

    _fields_ = [
        ("r_bits", c_uint32),
        ("words", c_uint32),
        ("stride", c_uint32),
        ("bytes", c_uint32),
        ("plans", c_void_p),
        ("plan_count", c_size_t),
    ]


RING = POINTER(Ring)
PRODUCT = CFUNCTYPE(None, RING, WORDS, WORDS, WORDS, WORDS)


class RingOps(Structure):
    """struct gf2x_ops."""

    _fields_ = [
        ("name", c_char_p),
        ("mul", PRODUCT),
        ("mul_lean", PRODUCT),
        ("mul_add", CFUNCTYPE(None, RING, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS)),
        ("square_times", CFUNCTYPE(None, RING, WORDS, WORDS, c_uint32, WORDS)),
        ("weight", CFUNCTYPE(c_uint32, RING, WORDS)),
    ]


class Backend(Structure):
    """struct backend."""

    _fields_ = [
        ("name", c_char_p),
        ("id", ctypes.c_int),
        ("supported", CFUNCTYPE(c_bool)),
        ("gf2x", POINTER(RingOps)),
        ("keccak", c_void_p),
    ]  # and more


class Params(Structure):
    """struct bike_params, as far as it is used here."""

    _fields_ = [("ring", RING), ("key_weight", c_uint32), ("error_weight", c_uint32)]


class Arena(Structure):
    """struct arena."""

    _fields_ = [("next", c_void_p), ("words_left", c_size_t)]


class DecoderKey(Structure):
    """struct bike_decoder_key."""

    _fields_ = [
        ("h", c_void_p * 2),
        ("support", POINTER(c_uint32) * 2),
        ("ordered", c_bool),
    ]


class DecoderStep(Structure):
    """struct bike_decoder_step."""

    _fields_ = [
        ("syndrome_weight", c_uint32),
        ("threshold", c_uint32),
        ("flips", c_void_p * 2),
        ("gray", c_void_p * 2),
    ]


OBSERVER = CFUNCTYPE(None, c_void_p, POINTER(DecoderStep))

# More than any operation needs for the largest ring.
SCRATCH_BYTES = 8 * 64 * 648


class Everything(ctypes.CDLL):
    """A shared library with what it does not export, too."""

    def __init__(self, path):
        super().__init__(path)
        command = ["nm", "--defined-only", path]
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        self._places = {
            name.removeprefix("_"): int(place, 16)
            for place, _, name in map(str.split, listed.splitlines())
        }
        known = ctypes.cast(super().__getitem__("codekem_version"), c_void_p).value
        self._loaded_at = known - self._places["codekem_version"]

    def _address(self, name):
        if name not in self._places:
            raise AttributeError(f"{self._name} has no {name}")
        return self._loaded_at + self._places[name]

    def __getitem__(self, name):
        return self._FuncPtr(self._address(name))

    def value(self, kind, name):
        """Returns the variable of a name, of a kind as in ctypes."""
        return kind.from_address(self._address(name))


class Internals(Library):
    """libcodekem_internals.so. Use it inside `with internals.backend(name):`."""

    _open = Everything

    def __init__(self, path):
        super().__init__(path)
        self.c = self._library
        self.c.ckem_backend_in_use.restype = POINTER(Backend)
        self.c.ckem_gf2x_invert.argtypes = [POINTER(RingOps), RING, WORDS, WORDS, WORDS]
        self.c.ckem_gf2x_encode.argtypes = [RING, c_void_p, WORDS]
        self.c.ckem_gf2x_decode.argtypes = [RING, WORDS, c_void_p]
        self.c.ckem_bike_decode.argtypes = [
            POINTER(Params),
            POINTER(Backend),
            POINTER(c_void_p * 2),
            WORDS,
            POINTER(DecoderKey),
            OBSERVER,
            c_void_p,
            Arena,
        ]
        for name in ["sha3_256", "sha3_384", "sha3_512"]:
            getattr(self.c, f"ckem_{name}").argtypes = [c_void_p, c_void_p, c_void_p, c_size_t]
        for name in ["shake128", "shake256"]:
            getattr(self.c, f"ckem_{name}").argtypes = [
                c_void_p,
                c_void_p,
                c_size_t,
                c_void_p,
                c_size_t,
            ]
        self.c.codekem_legacy_kem_find.restype = KEM
        self.c.codekem_legacy_kem_find.argtypes = [c_char_p]
        self.c.codekem_legacy_kem_at.restype = KEM
        self.c.codekem_legacy_kem_at.argtypes = [c_size_t]
        self.c.codekem_legacy_kem_count.restype = c_size_t
        self._scratch = aligned(SCRATCH_BYTES)

    def legacy_kems(self):
        count = self.c.codekem_legacy_kem_count()
        return [self.c.codekem_legacy_kem_at(i).contents for i in range(count)]

    def kem(self, name):
        """Finds a KEM of either library."""
        with contextlib.suppress(KeyError):
            return super().kem(name)
        found = self.c.codekem_legacy_kem_find(name.encode())
        if not found:
            raise KeyError(name)
        return found.contents

    # --- Ring elements ---

    def ring(self, r_bits):
        return self.c.value(Ring, f"ckem_gf2x_ring_{r_bits}")

    def _element(self, ring, value=0):
        memory = aligned(8 * ring.stride)
        ctypes.memmove(memory, value.to_bytes(8 * ring.stride, "little"), 8 * ring.stride)
        return memory

    @property
    def _ops(self):
        return self.c.ckem_backend_in_use().contents.gf2x

    def mul(self, ring, a, b):
        out = self._element(ring)
        self._ops.contents.mul(
            ring, out, self._element(ring, a), self._element(ring, b), self._scratch
        )
        return int.from_bytes(out, "little")

    def mul_lean(self, ring, a, b):
        out = self._element(ring)
        self._ops.contents.mul_lean(
            ring, out, self._element(ring, a), self._element(ring, b), self._scratch
        )
        return int.from_bytes(out, "little")

    def mul_add(self, ring, a0, b0, a1, b1):
        out = self._element(ring)
        inputs = [self._element(ring, value) for value in (a0, b0, a1, b1)]
        self._ops.contents.mul_add(ring, out, *inputs, self._scratch)
        return int.from_bytes(out, "little")

    def square_times(self, ring, a, k):
        out = self._element(ring)
        self._ops.contents.square_times(ring, out, self._element(ring, a), k, self._scratch)
        return int.from_bytes(out, "little")

    def invert(self, ring, a):
        out = self._element(ring)
        self.c.ckem_gf2x_invert(self._ops, ring, out, self._element(ring, a), self._scratch)
        return int.from_bytes(out, "little")

    def weight(self, ring, a):
        return self._ops.contents.weight(ring, self._element(ring, a))

    def encode(self, ring, a):
        out = ctypes.create_string_buffer(ring.bytes)
        self.c.ckem_gf2x_encode(ring, out, self._element(ring, a))
        return out.raw

    def decode(self, ring, data):
        out = self._element(ring)
        self.c.ckem_gf2x_decode(ring, out, data)
        return int.from_bytes(out, "little")

    # --- Hashing ---

    def sha3(self, bits, data):
        out = ctypes.create_string_buffer(bits // 8)
        getattr(self.c, f"ckem_sha3_{bits}")(
            self.c.ckem_backend_in_use().contents.keccak, out, data, len(data)
        )
        return out.raw

    def shake(self, bits, data, length):
        out = ctypes.create_string_buffer(max(length, 1))
        getattr(self.c, f"ckem_shake{bits}")(
            self.c.ckem_backend_in_use().contents.keccak, out, length, data, len(data)
        )
        return out.raw[:length]

    def sponge(self, rate, suffix, pieces, lengths):
        """Absorbs the pieces one after the other, then squeezes the lengths."""
        memory = aligned(512)  # more than struct keccak_sponge
        self.c.ckem_keccak_init(
            memory,
            c_void_p(self.c.ckem_backend_in_use().contents.keccak),
            c_size_t(rate),
            c_uint8(suffix),
        )
        for piece in pieces:
            self.c.ckem_keccak_absorb(memory, piece, c_size_t(len(piece)))
        self.c.ckem_keccak_finish(memory)
        out = []
        for length in lengths:
            buffer = ctypes.create_string_buffer(max(length, 1))
            self.c.ckem_keccak_squeeze(memory, buffer, c_size_t(length))
            out.append(buffer.raw[:length])
        return out

    # --- The decoder ---

    def decode_error(self, level, c0, supports):
        """Runs the decoder. supports: the positions of h0 and of h1.

        Returns (e0, e1) and a dictionary for each step, as in vectors/bike/decoder.json.
        """
        params = self.c.value(Params, f"ckem_bike_level{level}")
        ring = params.ring.contents
        e = [self._element(ring), self._element(ring)]
        h = [self._element(ring, sum(1 << p for p in support)) for support in supports]
        lists = [(c_uint32 * len(support))(*support) for support in supports]
        pointers = (POINTER(c_uint32) * 2)(
            *(ctypes.cast(each, POINTER(c_uint32)) for each in lists)
        )
        key = DecoderKey((c_void_p * 2)(*map(ctypes.addressof, h)), pointers)
        c0_words = self._element(ring, c0)
        steps = []

        def element_at(address):
            return int.from_bytes(ctypes.string_at(address, 8 * ring.stride), "little")

        def observe(_, step):
            seen = step.contents
            flips = [element_at(seen.flips[b]) for b in (0, 1)]
            steps.append(
                {
                    "syndrome_weight_before": seen.syndrome_weight,
                    "threshold": seen.threshold,
                    "flips_block0": flips[0].bit_count(),
                    "flips_block1": flips[1].bit_count(),
                    "error_weight_after": sum(int.from_bytes(x, "little").bit_count() for x in e),
                }
            )
            if seen.gray[0]:
                steps[-1] |= {
                    f"gray_block{b}": element_at(seen.gray[b]).bit_count() for b in (0, 1)
                }

        arena = Arena(ctypes.addressof(self._scratch), SCRATCH_BYTES // 8)
        self.c.ckem_bike_decode(
            params,
            self.c.ckem_backend_in_use(),
            (c_void_p * 2)(*map(ctypes.addressof, e)),
            c0_words,
            key,
            OBSERVER(observe),
            None,
            arena,
        )
        return tuple(int.from_bytes(x, "little") for x in e), steps
