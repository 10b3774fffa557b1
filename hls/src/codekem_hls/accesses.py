# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Pointers of LLVM's, as arrays and indices, and the accesses to these.

An access may be wider than an element (bytes read as a word) or narrower: in memory, as on x86-64,
the first byte is the lowest one.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

from .emitter import Emitter
from .ir import Array, Const, Op, Operand

STRAIGHT = 8  # elements that are set or copied without a loop


@dataclasses.dataclass
class Place:
    """What a pointer points to."""

    arrays: tuple[Array, ...]
    terms: list[tuple[Operand, int]] = dataclasses.field(default_factory=list)  # times bytes
    constant: int = 0  # bytes
    which: Operand | None = None  # the number of the array, if there are several

    @property
    def array(self) -> Array:
        return self.arrays[0]

    def plus(self, constant: int) -> Place:
        return dataclasses.replace(self, constant=self.constant + constant)


def whole_terms(operand: Operand, scale: int, size: int) -> list[tuple[Operand, int]] | None:
    """Returns a multiple of an operand as multiples of `size`; None if it cannot be told.

    A constant has a Const as its operand.
    """
    if isinstance(operand, Const):
        number = operand.value - (operand.value >> (operand.width - 1) << operand.width)
        return [(Const(1, 64), number * scale)] if number * scale % size == 0 else None
    if scale % size == 0:
        return [(operand, scale)]
    if not isinstance(operand, Op) or operand.width != 64:
        return None
    first = operand.args[0] if operand.args else operand
    second = operand.args[1] if len(operand.args) == 2 else operand
    if operand.kind == "shl" and isinstance(second, Const) and second.value < 32:
        return whole_terms(first, scale << second.value, size)
    if operand.kind == "mul" and isinstance(second, Const):
        return whole_terms(first, scale * second.value, size)
    if operand.kind in ("add", "sub"):
        left = whole_terms(first, scale, size)
        right = whole_terms(second, scale if operand.kind == "add" else -scale, size)
        return left + right if left is not None and right is not None else None
    return None


class Accesses(Emitter):
    """Makes indices, loads and stores."""

    # Places

    def bytes_of(self, place: Place) -> Operand:
        """Returns how many bytes behind the beginning of its array a place is."""
        total: Operand | None = None
        for operand, scale in place.terms:
            part = self.resized(operand, 64, signed=True)
            if scale != 1:
                part = self.pair("mul", part, Const(scale % (1 << 64), 64))
            total = part if total is None else self.pair("add", total, part)
        constant = Const(place.constant % (1 << 64), 64)
        if total is None:
            return constant
        return self.pair("add", total, constant) if place.constant else total

    def index(self, place: Place, alignment: int) -> Operand:
        """Makes the operations that compute an index into an array."""
        array, size = place.array, place.array.stride
        terms: list[tuple[Operand, int]] | None = []
        for operand, scale in place.terms:
            found = whole_terms(operand, scale, size)
            terms = terms + found if terms is not None and found is not None else None
        constant = place.constant
        if terms is not None:
            constant += sum(scale for operand, scale in terms if isinstance(operand, Const))
            terms = [one for one in terms if not isinstance(one[0], Const)]
        if terms is None and alignment % size == 0 and size & (size - 1) == 0:
            # All bytes together are those of whole elements, though no part of them need be.
            log = Const(size.bit_length() - 1, 64)
            return self.pair("lshr", self.bytes_of(place), log)
        if terms is None or constant % size:
            raise self.refuse(f"an access between two elements of {array.name}; use an index")
        total: Operand | None = None
        for operand, scale in terms:
            part = self.resized(operand, 64, signed=True)
            times = scale // size
            if times != 1:
                part = self.emit("mul", 64, [part, Const(times % (1 << 64), 64)])
            total = part if total is None else self.emit("add", 64, [total, part])
        offset = constant // size
        if total is None:
            if not 0 <= offset < array.depth:
                raise self.refuse(f"element {offset} of {array.name}, which has {array.depth}")
            return Const(offset, 64)
        return self.emit("add", 64, [total, Const(offset % (1 << 64), 64)]) if offset else total

    def next_index(self, index: Operand, more: int, array: Array) -> Operand:
        if not more:
            return index
        if not isinstance(index, Const):
            return self.pair("add", index, Const(more, 64))
        if index.value + more >= array.depth:
            raise self.refuse(f"element {index.value + more} of {array.name}, of {array.depth}")
        return Const(index.value + more, 64)

    def parts_of(self, array: Array, width: int) -> int:
        """Returns how many elements an access of a width is; 0: it is a part of one."""
        element = array.width
        if element == width:
            return 1
        whole = element == 8 * array.stride
        if whole and width % element == 0:
            return width // element
        if whole and width % 8 == 0 and element % width == 0:
            return 0
        raise self.refuse(
            f"{array.name} has elements of {element} bits, but {width} bits are accessed; "
            "access elements by their own type"
        )

    def narrow(self, place: Place, width: int, alignment: int) -> tuple[Place, Operand]:
        """Returns the place of the element that has a part, and the bits in front of that part."""
        array = place.array
        if alignment * 8 < width:
            raise self.refuse(f"an access of {width} bits that may be in two of {array.name}")
        place_bytes = self.bytes_of(place)
        if isinstance(place_bytes, Const):
            low = place_bytes.value % array.stride
            return Place((array,), [], place_bytes.value - low), Const(8 * low, array.width)
        inside = self.pair("and", place_bytes, Const(array.stride - 1, 64))
        bits = self.resized(self.pair("shl", inside, Const(3, 64)), array.width)
        start = self.pair("sub", place_bytes, inside)
        return Place((array,), [(start, 1)]), bits

    # Loads and stores

    def load(self, place: Place, width: int, alignment: int, name: str = "") -> Operand:
        if place.which is None:
            return self.load_one(place, width, alignment, name)
        value: Operand | None = None
        first = len(self.block.ops)
        for number, array in enumerate(place.arrays):
            one = dataclasses.replace(place, arrays=(array,), which=None)
            read = self.load_one(one, width, alignment, "")
            if value is None:
                value = read
                continue
            chosen = self.compared("eq", place.which, Const(number, place.which.width))
            value = self.emit("select", width, [chosen, read, value])
        for op in self.block.ops[first:]:
            op.guarded = True
        assert value is not None
        return value

    def load_one(self, place: Place, width: int, alignment: int, name: str) -> Operand:
        array = place.array
        count = self.parts_of(array, width)
        if count == 0:
            place, low = self.narrow(place, width, alignment)
            element = self.load_element(array, self.index(place, array.stride), "")
            return self.resized(self.pair("lshr", element, low), width)
        index = self.index(place, alignment)
        if count == 1:
            return self.load_element(array, index, name)
        value: Operand | None = None
        for number in range(count):
            element = self.load_element(array, self.next_index(index, number, array), "")
            part = self.resized(element, width)
            if number:
                part = self.pair("shl", part, Const(number * array.width, width))
            value = part if value is None else self.pair("or", value, part)
        assert value is not None
        return value

    def load_element(self, array: Array, index: Operand, name: str) -> Operand:
        kind = "table" if array.kind == "table" else "load"
        if kind == "table" and isinstance(index, Const):
            return Const(array.contents[index.value], array.width)
        return self.emit(kind, array.width, [index], name, array=array)

    def store(self, place: Place, data: Operand, alignment: int) -> None:
        array, width = place.array, data.width
        if place.which is not None:
            for number, array in enumerate(place.arrays):
                chosen = self.compared("eq", place.which, Const(number, place.which.width))
                one = dataclasses.replace(place, arrays=(array,), which=None)
                first = len(self.block.ops)
                self.store(one, data, alignment)
                for op in self.block.ops[first:]:
                    op.guarded = True
                    if op.kind == "store":
                        op.args = [*op.args, chosen]
            return
        if array.kind == "table":
            raise self.refuse(f"a store to the constant {array.name}")
        count = self.parts_of(array, width)
        if count == 0:
            place, low = self.narrow(place, width, alignment)
            index = self.index(place, array.stride)
            mask = Const((1 << width) - 1, array.width)
            kept = self.pair(
                "xor", self.pair("shl", mask, low), Const(2**array.width - 1, array.width)
            )
            old = self.pair("and", self.load_element(array, index, ""), kept)
            new = self.pair("shl", self.resized(data, array.width), low)
            self.emit("store", array.width, [index, self.pair("or", old, new)], array=array)
            return
        index = self.index(place, alignment)
        for number in range(count):
            part = data
            if number:
                part = self.pair("lshr", data, Const(number * array.width, width))
            part = self.resized(part, array.width)
            target = self.next_index(index, number, array)
            self.emit("store", array.width, [target, part], array=array)

    # Memory set and copied as a whole

    def repeated(self, count: Operand, body: Callable[[Operand], None]) -> None:
        """Runs a body for the numbers below a count."""
        if isinstance(count, Const) and count.value <= STRAIGHT:
            for number in range(count.value):
                body(Const(number, 64))
            return
        self.loops += 1
        before, name = self.block, f"{self.block.name}.each_{self.loops}"
        after = f"{name}.after"
        before.line = self.line
        before.targets = [name]
        if not isinstance(count, Const):
            some = self.compared("ne", count, Const(0, 64))
            before.end, before.condition, before.targets = "branch", some, [name, after]
        self.start(name)
        each = Op(f"{name}.i", "phi", 64, [], line=self.line, block=name)
        self.block.phis.append(each)
        body(each)
        following = self.pair("add", each, Const(1, 64))
        each.args, each.sources = [Const(0, 64), following], [before.name, name]
        more = self.compared("ne", following, count)
        self.block.end, self.block.condition, self.block.targets = "branch", more, [name, after]
        self.block.line, self.block.wanted_interval = self.line, 0
        self.block.loop = f"line_{self.line}"
        self.start(after)

    def turns(self, size: Operand, step: int) -> Operand:
        """Returns how many steps a number of bytes is."""
        if isinstance(size, Const):
            return Const(size.value // step, 64)
        found = whole_terms(size, 1, step)
        if found is None or step & (step - 1):
            raise self.refuse(f"a number of bytes that may be a part of elements of {step} bytes")
        return self.pair("lshr", size, Const(step.bit_length() - 1, 64)) if step > 1 else size

    def rest(
        self, arrays: tuple[Array, ...], size: Operand, alignment: int
    ) -> list[tuple[int, int]]:
        """Returns what whole elements leave of a number of bytes: pieces, as (place, bytes)."""
        step = max(array.stride for array in arrays)
        if not isinstance(size, Const) or size.value % step == 0:
            return []
        if any(array.width != 8 * array.stride for array in arrays):
            raise self.refuse(f"{size.value} bytes of elements of {step} bytes")
        place, pieces = size.value - size.value % step, []
        while place < size.value:
            piece = min(alignment, 1 << (size.value - place).bit_length() - 1)
            pieces.append((place, piece))
            place += piece
        return pieces

    def at_turn(self, place: Place, turn: Operand, step: int) -> Place:
        if isinstance(turn, Const):
            return place.plus(turn.value * step)
        return dataclasses.replace(place, terms=[*place.terms, (turn, step)])

    def set_memory(self, place: Place, byte: Operand, size: Operand, alignment: int) -> None:
        array = place.array
        if place.which is not None:
            raise self.refuse("memory of an array that is chosen, set as a whole; write a loop")
        data = self.resized(self.bytes_alike(byte, array.stride), array.width)
        pieces = self.rest((array,), size, alignment)
        self.repeated(
            self.turns(size, array.stride),
            lambda turn: self.store(self.at_turn(place, turn, array.stride), data, alignment),
        )
        for offset, count in pieces:
            self.store(place.plus(offset), self.bytes_alike(byte, count), count)

    def bytes_alike(self, byte: Operand, count: int) -> Operand:
        """Returns that many times the same byte."""
        ones = Const(sum(1 << 8 * i for i in range(count)), 8 * count)
        wide = self.resized(byte, ones.width)
        if isinstance(wide, Const):
            return Const(wide.value * ones.value, ones.width)
        return self.pair("mul", wide, ones)

    def copy_memory(
        self, to: Place, source: Place, size: Operand, alignments: list[int], moves: bool
    ) -> None:
        arrays = (*to.arrays, *source.arrays)
        step = max(one.stride for one in arrays)
        pieces = self.rest(arrays, size, min(alignments))
        same = all(one.width == to.array.width for place in (to, source) for one in place.arrays)
        width = to.array.width if same else 8 * step
        overlap = moves and to.array in source.arrays
        count = self.turns(size, step)
        behind = to.constant - source.constant
        if overlap and (
            [(id(op), n) for op, n in to.terms] != [(id(op), n) for op, n in source.terms]
            or source.which is not None
        ):
            raise self.refuse("memory moved by a distance that varies; write a loop that copies")

        upwards = overlap and behind > 0  # from the end on

        def one(turn: Operand) -> None:
            if upwards:
                last = self.pair("sub", count, Const(1, 64))
                if isinstance(turn, Const) and isinstance(count, Const):
                    turn = Const(count.value - 1 - turn.value, 64)
                else:
                    turn = self.pair("sub", last, turn)
            value = self.load(self.at_turn(source, turn, step), width, alignments[1])
            self.store(self.at_turn(to, turn, step), value, alignments[0])

        def copy_rest() -> None:
            for offset, bytes_of_one in reversed(pieces) if upwards else pieces:
                part = self.load(source.plus(offset), 8 * bytes_of_one, bytes_of_one)
                self.store(to.plus(offset), part, bytes_of_one)

        if upwards:
            copy_rest()
        self.repeated(count, one)
        if not upwards:
            copy_rest()


def alignment_of(text: str) -> int:
    """Returns the bytes to whose multiple the address of a load or store is aligned."""
    match = re.search(r"\balign (\d+)", text)
    return int(match[1]) if match else 1
