# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Makes the operations of a function that is read, and those that one of LLVM's stands for."""

from __future__ import annotations

import pathlib
from typing import Any

from .errors import Refused
from .frontend import Source
from .ir import Block, Const, Function, Op, Operand


class Emitter:
    """Adds operations and blocks to a function."""

    def __init__(self, source: Source, name: str, line: int) -> None:
        self.source = source
        self.count = 0
        self.loops = 0
        self.line = 0
        self.function = Function(name, source.file, line, 0, [], {}, {})
        file, at = source.combined.place(line)
        self.function.place = f"{pathlib.PurePath(file).name}:{at}"
        self.block = Block("")

    def refuse(self, message: str) -> Refused:
        return Refused(message, self.source.file, self.line or self.function.line)

    def start(self, name: str) -> None:
        self.block = Block(name)
        self.function.blocks[name] = self.block

    def emit(self, kind: str, width: int, args: list[Operand], name: str = "", **more: Any) -> Op:
        if not name:
            self.count += 1
            name = f"t{self.count}"
        op = Op(name, kind, width, args, line=self.line, block=self.block.name, **more)
        self.block.ops.append(op)
        return op

    # Arithmetic

    def resized(self, value: Operand, width: int, signed: bool = False) -> Operand:
        """Returns a value with another width."""
        if value.width == width:
            return value
        if isinstance(value, Const):
            number = value.value
            if signed and number >> (value.width - 1):
                number -= 1 << value.width
            return Const(number % (1 << width), width)
        kind = "trunc" if width < value.width else "sext" if signed else "zext"
        return self.emit(kind, width, [value])

    def pair(self, kind: str, x: Operand, y: Operand) -> Operand:
        return self.emit(kind, x.width, [x, y])

    def compared(self, predicate: str, x: Operand, y: Operand) -> Op:
        return self.emit("icmp", 1, [x, y], predicate=predicate)

    def saturated(self, kind: str, x: Operand, y: Operand) -> Operand:
        """Returns the signed sum or difference, as far as the type goes."""
        width = x.width
        least, most = Const(1 << (width - 1), width), Const((1 << (width - 1)) - 1, width)
        whole = self.pair(kind, self.resized(x, width + 1, True), self.resized(y, width + 1, True))
        for order, bound in (("slt", least), ("sgt", most)):
            limit = self.resized(bound, width + 1, True)
            outside = self.compared(order, whole, limit)
            whole = self.emit("select", width + 1, [outside, limit, whole])
        return self.resized(whole, width)

    def overflowing(self, kind: str, x: Operand, y: Operand) -> tuple[Operand, Operand]:
        """Returns a sum, difference or product, and whether it is outside the type."""
        signed, what, width = kind[0] == "s", kind[1:4], x.width
        wide = 2 * width if what == "mul" else width + 1
        whole = self.pair(what, self.resized(x, wide, signed), self.resized(y, wide, signed))
        low = self.resized(whole, width)
        return low, self.compared("ne", whole, self.resized(low, wide, signed))

    def divided(self, kind: str, x: Operand, by: Operand) -> Operand:
        """Returns a quotient or remainder."""
        if not isinstance(by, Const):
            return self.long_division(kind, x, by)
        width, number = x.width, by.value
        if kind[0] == "s" and number >> (width - 1):
            number = (1 << width) - number
        if not number:
            raise self.refuse("a division by 0")
        if isinstance(x, Const):
            return self.folded(kind, x, by)
        if kind[0] == "u":
            return self.unsigned_divided(kind, x, number)
        # By magnitudes: the quotient is rounded to 0, the remainder has the sign of x.
        size = self.emit("abs", width, [x])
        found = self.unsigned_divided("u" + kind[1:], size, number)
        negative = self.compared("slt", x, Const(0, width))
        opposite = self.pair("sub", Const(0, width), found)
        if kind == "sdiv" and by.value >> (width - 1):
            return self.emit("select", width, [negative, found, opposite])
        return self.emit("select", width, [negative, opposite, found])

    def long_division(self, kind: str, x: Operand, by: Operand) -> Operand:
        """Divides by a variable, bit by bit, in as many turns as there are bits.

        The quotient moves into the places that the dividend leaves. What comes out of a division by
        0 is any number, as in C.
        """
        width, signed = x.width, kind[0] == "s"
        wide = width + 1
        size = self.emit("abs", width, [x]) if signed else x
        divisor = self.emit("abs", width, [by]) if signed else by
        divisor = self.resized(divisor, wide)
        before = self.block
        self.loops += 1
        name = f"{before.name}.divide_{self.loops}"
        before.targets, before.line = [name], self.line
        self.start(name)
        turn, rest, bits = (
            Op(f"{name}.{what}", "phi", n, [], line=self.line, block=name)
            for what, n in (("i", 64), ("rest", width), ("bits", width))
        )
        self.block.phis += [turn, rest, bits]
        top = self.resized(self.pair("lshr", bits, Const(width - 1, width)), wide)
        more = self.pair("or", self.pair("shl", self.resized(rest, wide), Const(1, wide)), top)
        fits = self.compared("uge", more, divisor)
        left = self.emit("select", wide, [fits, self.pair("sub", more, divisor), more])
        moved = self.pair("shl", bits, Const(1, width))
        following = {
            turn: (Const(0, 64), self.pair("add", turn, Const(1, 64))),
            rest: (Const(0, width), self.resized(left, width)),
            bits: (size, self.pair("or", moved, self.resized(fits, width))),
        }
        for phi, values in following.items():
            phi.args, phi.sources = list(values), [before.name, name]
        again = self.compared("ne", following[turn][1], Const(width, 64))
        after = f"{name}.after"
        self.block.end, self.block.condition, self.block.targets = "branch", again, [name, after]
        self.block.line, self.block.wanted_interval = self.line, 0
        self.block.loop = f"line_{self.line}"
        self.start(after)
        found = following[bits if kind[1:] == "div" else rest][1]
        if not signed:
            return found
        negative: Operand = self.compared("slt", x, Const(0, width))
        if kind == "sdiv":
            negative = self.pair("xor", negative, self.compared("slt", by, Const(0, width)))
        opposite = self.pair("sub", Const(0, width), found)
        return self.emit("select", width, [negative, opposite, found])

    def unsigned_divided(self, kind: str, x: Operand, number: int) -> Operand:
        width, bits = x.width, number.bit_length() - 1
        if number == 1 << bits:
            if kind == "urem":
                return self.pair("and", x, Const(number - 1, width))
            return self.pair("lshr", x, Const(bits, width)) if bits else x
        quotient = self.pair("udiv", x, Const(number, width))
        if kind == "udiv":
            return quotient
        rest = self.pair("sub", x, self.pair("mul", quotient, Const(number, width)))
        return self.pair("and", rest, Const((1 << (number - 1).bit_length()) - 1, width))

    @staticmethod
    def folded(kind: str, x: Const, by: Const) -> Const:
        width = x.width
        a, b = x.value, by.value
        if kind[0] == "s":
            a, b = (one - (one >> (width - 1) << width) for one in (a, b))
        size = abs(a) // abs(b)
        quotient = -size if (a < 0) != (b < 0) else size
        return Const((quotient if kind[1:] == "div" else a - quotient * b) % (1 << width), width)
