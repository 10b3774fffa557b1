# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs functions of a program for the Cortex-M4 on many inputs at once and tests what leaks:
devices/leakage/lanes.h. The first half of the lanes is one class, the second half the other."""

import bisect
import ctypes
import math
import re
import struct
import subprocess
import typing

import numpy as np

KINDS = ("value", "register", "operand 1", "operand 2", "bus", "memory")
KEPT = 4096
CURVE = 2000  # buckets


class _Options(ctypes.Structure):
    _fields_ = [
        ("threshold", ctypes.c_double),
        ("stride", ctypes.c_uint64),
        ("curve", ctypes.c_void_p),
        ("second_curve", ctypes.c_void_p),
        ("curve_length", ctypes.c_size_t),
        ("kept", ctypes.c_void_p),
        ("kept_length", ctypes.c_size_t),
        ("kinds", ctypes.c_uint32),
        ("second", ctypes.c_bool),
        ("recorded", ctypes.c_void_p),
        ("recorded_points", ctypes.c_size_t),
        ("first_step", ctypes.c_uint64),
        ("classes", ctypes.c_size_t),
    ]


class _Report(ctypes.Structure):
    _fields_ = [
        ("instructions", ctypes.c_uint64),
        ("points", ctypes.c_uint64),
        ("largest", ctypes.c_double),
        ("largest_second", ctypes.c_double),
        ("second_points", ctypes.c_uint64),
        ("high", ctypes.c_uint64),
        ("high_second", ctypes.c_uint64),
        ("recorded", ctypes.c_uint64),
    ]


_POINT = np.dtype([("step", "<u8"), ("address", "<u4"), ("kind", "<u4"), ("t", "<f8")])


class Point(typing.NamedTuple):
    """A point with a large t: instructions before it, the function, its address, what was seen."""

    step: int
    function: str
    address: int
    kind: str
    t: float


class Report(typing.NamedTuple):
    """What was seen. limit: of |t|, which one campaign with so many points in a thousand exceeds
    by chance; above: the points above it, as far as they were kept. curve: the largest |t| in each
    stride instructions. The same of the second order, or None."""

    instructions: int
    points: int
    largest: float
    limit: float
    above: list[Point]
    stride: int
    curve: np.ndarray
    largest_second: float | None
    second_curve: np.ndarray | None


class MachineError(Exception):
    """The program did something that depends on the lane, or that is not known."""


def limit_of(points):
    """Returns the |t| that one campaign with so many points in a thousand exceeds by chance: the
    bound of the sum of all tails, sqrt(2 ln(2000 points)), and 4.5 at least."""
    return max(4.5, math.sqrt(2 * math.log(2000 * max(points, 1))))


class Program:
    """A program (ELF): symbols are addresses of names."""

    def __init__(self, path):
        self._image = path.read_bytes()
        text = subprocess.run(
            ["arm-none-eabi-nm", str(path)], capture_output=True, text=True, check=True
        ).stdout
        found = re.findall(r"^(\w+) (\w) (\w[\w.]*)$", text, re.MULTILINE)
        self.symbols = {name: int(address, 16) for address, _, name in found}
        functions = sorted((int(a, 16) & ~1, n) for a, k, n in found if k in "tTW")
        self._addresses = [address for address, _ in functions]
        self._names = [name for _, name in functions]

    def parts(self):
        """Yields addresses and bytes in memory. Data lie in flash and are copied by the start-up
        code, which does not run."""
        first, size, count = (
            *struct.unpack_from("<I", self._image, 28),
            *struct.unpack_from("<HH", self._image, 42),
        )
        for i in range(count):
            kind, offset, virtual, physical, length = struct.unpack_from(
                "<5I", self._image, first + i * size
            )
            if kind == 1 and length:
                for address in {virtual, physical}:
                    yield address, self._image[offset : offset + length]

    def function_at(self, address):
        at = bisect.bisect_right(self._addresses, address) - 1
        return self._names[at] if at >= 0 else "?"


class Machine:
    """lanes lanes of a processor with a program (ELF) in its memory. engine: the shared library
    leakage_engine."""

    def __init__(self, engine, program, lanes):
        self.lanes = lanes
        self._c = ctypes.CDLL(str(engine))
        self._c.lanes_new.restype = ctypes.c_void_p
        self._c.lanes_call.restype = ctypes.c_char_p
        self._c.lanes_address.restype = ctypes.c_uint32
        for name in ("lanes_write", "lanes_write_each", "lanes_read_each"):
            getattr(self._c, name).restype = ctypes.c_bool
        self._m = ctypes.c_void_p(self._c.lanes_new(ctypes.c_size_t(lanes)))
        if not self._m:
            raise MemoryError("no memory for so many lanes")
        self._program = Program(program)
        self.symbols = self._program.symbols
        self.function_at = self._program.function_at
        for address, data in self._program.parts():
            self.write(address, data)

    def close(self):
        if self._m:
            self._c.lanes_free(self._m)
            self._m = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def address_of(self, name):
        return self.symbols[name] if isinstance(name, str) else name

    def write(self, where, data):
        """Writes bytes that are the same in all lanes."""
        address = self.address_of(where)
        if not self._c.lanes_write(self._m, address, bytes(data), ctypes.c_size_t(len(data))):
            raise ValueError(f"no memory at {address:#x}")

    def write_each(self, where, data):
        """Writes rows of bytes [lanes, length]."""
        data = np.ascontiguousarray(data, dtype=np.uint8)
        assert data.shape[0] == self.lanes and data.ndim == 2
        if not self._c.lanes_write_each(
            self._m,
            self.address_of(where),
            ctypes.c_void_p(data.ctypes.data),
            ctypes.c_size_t(data.shape[1]),
        ):
            raise ValueError(f"no memory at {where}")

    def read_each(self, where, length):
        """Returns bytes of each lane [lanes, length]."""
        out = np.zeros((self.lanes, length), dtype=np.uint8)
        if not self._c.lanes_read_each(
            self._m,
            self.address_of(where),
            ctypes.c_void_p(out.ctypes.data),
            ctypes.c_size_t(length),
        ):
            raise ValueError(f"no memory at {where}")
        return out

    def run(self, function, *arguments):
        """Calls a function without looking at it; returns the number of instructions."""
        return self._call(function, arguments, None).instructions

    def _call(self, function, arguments, options):
        report = _Report()
        words = (ctypes.c_uint32 * 4)(*arguments)
        stack = self.symbols["stack_top"] - 256
        error = self._c.lanes_call(
            self._m,
            ctypes.c_uint32(self.address_of(function)),
            ctypes.c_uint32(stack),
            words,
            None if options is None else ctypes.byref(options),
            ctypes.byref(report),
        )
        if error is not None:
            at = self._c.lanes_address(self._m)
            raise MachineError(f"{error.decode()} in {self.function_at(at)} at {at:#x}")
        return report

    def record(self, function, kind, first_step, points):
        """Calls a function; returns the weights of one kind at its points from an instruction on
        [points, lanes]. The call ends behind so many points."""
        weights = np.zeros((points, self.lanes), dtype=np.uint8)
        options = _Options(
            threshold=1e9,
            stride=1,
            kinds=1 << KINDS.index(kind),
            recorded=weights.ctypes.data,
            recorded_points=points,
            first_step=first_step,
        )
        count = self._call(function, (), options).recorded
        return weights[:count]

    def enumerate(self, function, classes):
        """Calls a function whose lanes are so many classes of one size; returns how many points
        there are and, of the first with a bit that is not one as often in every class, the Points,
        where t is the largest part of a class by which two differ."""
        kept = np.zeros(KEPT, dtype=_POINT)
        options = _Options(
            stride=1,
            kept=kept.ctypes.data,
            kept_length=KEPT,
            kinds=(1 << len(KINDS)) - 1,
            classes=classes,
        )
        report = self._call(function, (), options)
        return report.points, [self._point(p) for p in kept[: min(KEPT, report.high)]]

    def _point(self, kept):
        address = int(kept["address"])
        return Point(
            int(kept["step"]),
            self.function_at(address),
            address,
            KINDS[int(kept["kind"])],
            float(kept["t"]),
        )

    def examine(self, function, *arguments, second=False, kinds=KINDS, length=None, threshold=4.5):
        """Calls a function and returns a Report. length: of instructions, for the curve."""
        curve = np.zeros(CURVE, dtype=np.float32)
        second_curve = np.zeros(CURVE, dtype=np.float32)
        kept = np.zeros(KEPT, dtype=_POINT)
        stride = 1 if length is None else -(-length // CURVE)
        options = _Options(
            threshold,
            stride,
            curve.ctypes.data,
            second_curve.ctypes.data,
            CURVE,
            kept.ctypes.data,
            KEPT,
            sum(1 << KINDS.index(kind) for kind in kinds),
            second,
        )
        report = self._call(function, arguments, options)
        limit = limit_of(report.points)
        found = kept[: min(KEPT, report.high + report.high_second)]
        above = [self._point(p) for p in found if p["kind"] < len(KINDS) and abs(p["t"]) > limit]
        return Report(
            report.instructions,
            report.points,
            report.largest,
            limit,
            above,
            stride,
            curve,
            report.largest_second if second else None,
            second_curve if second else None,
        )
