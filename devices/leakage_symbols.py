# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs functions of a program for the Cortex-M4 on bits that are symbols, and collects what the
processor shows of each: what devices/leakage/lanes.h runs on numbers."""

import ctypes
import pathlib
import re

from devices.leakage_bits import (
    ARITHMETIC,
    LEFT,
    ONE_BIT,
    ONES,
    RIGHT,
    ROTATE,
    ZERO_BIT,
    Bits,
    SymbolsError,
    bits_of,
    masked,
    number,
    shifted,
    word_of,
    xor,
)
from devices.leakage_machine import KINDS, Machine, Point, Program

HEADER = pathlib.Path(__file__).parent / "leakage" / "thumb.h"
PC, LR, SP = 15, 14, 13
RETURN = 0x0FFFFFFE
RAM, RAM_BYTES = 0x20000000, 0x400000
SHARES = (0, 1)


def operations():
    """Returns the numbers of the operations, from the header."""
    text = HEADER.read_text(encoding="utf-8")
    names = re.findall(r"^  THUMB_(\w+),", text.split("enum thumb_operation {")[1], re.MULTILINE)
    return {name: number for number, name in enumerate(names)}


OPERATION = operations()
NAME = {number: name for name, number in OPERATION.items()}
ALWAYS, NONE = 14, 16
WITH_FLAGS = {OPERATION["SHIFT"]: 2}
WITH_FLAGS |= dict.fromkeys(range(OPERATION["AND"], OPERATION["PACK"] + 1), 0)
WITH_FLAGS |= {
    number: 1 for name, number in OPERATION.items() if name.startswith(("MULTIPLY", "LONG"))
}


class _Thumb(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_uint8) for name in ("operation", "bytes", "rd", "rn", "rm", "ra")),
        *((name, ctypes.c_uint8) for name in ("shift", "shift_bits", "condition")),
        *((name, ctypes.c_bool) for name in ("has_immediate", "sets_flags", "narrow")),
        *((name, ctypes.c_bool) for name in ("no_result", "needs_flags")),
        ("immediate", ctypes.c_uint32),
        ("size", ctypes.c_uint8),
        *((name, ctypes.c_bool) for name in ("sign", "indexed", "write_back", "down")),
        ("field_low", ctypes.c_uint8),
        ("field_bits", ctypes.c_uint8),
    ]


class Symbols:
    """A processor with a program, in which leak_start has run. points: what is shown, {bit: the
    first Point that shows it}."""

    def __init__(self, engine, program):
        self._c = ctypes.CDLL(str(engine))
        self._c.thumb_decode.restype = _Thumb
        self._c.thumb_decode.argtypes = [ctypes.c_uint32, ctypes.c_uint16, ctypes.c_uint16]
        self.program = Program(program)
        with Machine(engine, program, 2) as machine:
            machine.run("leak_start")
            ram = machine.read_each(RAM, RAM_BYTES)[0].tobytes()
        self.images = [(RAM, ram), *self.program.parts()]
        self.memory = {}  # what was written since, a byte at an address
        self.bits = Bits()
        self.decoded = {}
        self.points = {}
        self.look = False
        self.steps = self.at = self.pc = 0
        self.r = [0] * 16
        self.latch, self.bus = [0, 0], 0
        self.conditions: list[int] = []
        self.result = self.carry = self.overflow = 0

    def address_of(self, name):
        return self.program.symbols[name]

    # --- Memory -----------------------------------------------------------------------------------

    def byte(self, address):
        """Returns a number or eight bits."""
        if address in self.memory:
            return self.memory[address]
        for start, data in self.images:
            if 0 <= address - start < len(data):
                return data[address - start]
        raise SymbolsError(f"there is no memory at {address:#x}")

    def read(self, address, count=4):
        """Returns bytes as a word."""
        parts = [self.byte(address + i) for i in range(count)]
        if all(isinstance(part, int) for part in parts):
            return sum(part << 8 * i for i, part in enumerate(parts))
        bits = []
        for part in parts:
            bits += bits_of(part)[:8]
        return word_of(bits + [ZERO_BIT] * (32 - len(bits)))

    def write(self, address, word, count=4):
        for i in range(count):
            if isinstance(word, int):
                self.memory[address + i] = word >> 8 * i & 0xFF
            else:
                byte = word[8 * i : 8 * i + 8]
                known = word_of(byte + [ZERO_BIT] * 24)
                self.memory[address + i] = known if isinstance(known, int) else byte

    def make_fresh(self):
        """Makes variables of the masks that nobody has had."""
        masks = self.program.symbols["masks"]
        start, left = self.read(masks + 64), self.read(masks + 68)
        for address in range(start, start + left):
            if isinstance(self.byte(address), int):
                byte = [self.bits.variable() for _ in range(8)]
                self.memory[address] = [frozenset([bit]) for bit in byte]

    # --- What is shown ----------------------------------------------------------------------------

    def show(self, kind, new, old):
        if not self.look or (isinstance(new, int) and isinstance(old, int)):
            return
        for a, b in zip(bits_of(new), bits_of(old), strict=True):
            bit = (a ^ b) - ONE_BIT
            if bit and bit not in self.points:
                function = self.program.function_at(self.at)
                self.points[bit] = Point(self.steps, function, self.at, KINDS[kind], 0.0)

    def operand(self, r):
        return self.pc + 4 & ONES if r == PC else self.r[r]

    def read_operand(self, r, side):
        word = self.operand(r)
        self.show(2 + side, word, self.latch[side])
        self.latch[side] = word
        return word

    def put(self, r, word):
        self.show(0, word, 0)
        self.show(1, word, self.r[r])
        self.r[r] = word
        if r == PC:
            self.pc = number(word, "a branch") & ~1

    def pass_bus(self, word):
        self.show(4, word, self.bus)
        self.bus = word

    def load(self, address, count, sign):
        base = address & ~3
        self.pass_bus(self.read(base))
        if address + count > base + 4:
            self.pass_bus(self.read(base + 4))
        word = self.read(address, count)
        if sign and count < 4:
            word = shifted(shifted(word, LEFT, 32 - 8 * count), ARITHMETIC, 32 - 8 * count)
        return word

    def store(self, word, address, count):
        if count < 4:
            word = masked(word, (1 << 8 * count) - 1)
        self.pass_bus(word)
        bases = sorted({address & ~3, address + count - 1 & ~3})
        old = [self.read(base) for base in bases]
        self.write(address, word, count)
        for base, before in zip(bases, old, strict=True):
            self.show(5, self.read(base), before)

    # --- Instructions -----------------------------------------------------------------------------

    def shift(self, word, kind, count):
        """Returns a word shifted by what an instruction says, and the carry, None if not known."""
        carry = self.carry
        if count == 0 and kind != ROTATE:
            return word, carry
        if count == 0:
            return self.bits.either(shifted(word, RIGHT, 1), number(carry, "a carry") << 31), (
                word & 1 if isinstance(word, int) else None
            )
        if kind == ROTATE:
            word = shifted(word, ROTATE, count & 31) if count & 31 else word
            return word, word >> 31 if isinstance(word, int) else None
        if isinstance(word, int):
            wide = word << 32
            if kind == LEFT:
                carry = word << count >> 32 & 1
            elif kind == RIGHT:
                carry = wide >> count >> 31 & 1
            else:
                carry = word >> min(count, 32) - 1 & 1
        else:
            carry = None
        if count > 31:
            if kind == ARITHMETIC:
                return shifted(word, ARITHMETIC, 31), carry
            return 0, carry
        return shifted(word, kind, count), carry

    def add(self, x, y, carry, flags):
        result = self.bits.add(x, y, carry)
        if flags:
            self.carry = self.overflow = None
            if isinstance(x, int) and isinstance(y, int):
                self.carry = x + y + carry >> 32
                self.overflow = (~(x ^ y) & (x ^ result)) >> 31 & 1
        return result

    def data(self, t, flags):
        name = NAME[t.operation]
        first = 0
        if name not in ("MOVE", "NOT", "MOVE_TOP") and t.rn != NONE:
            first = self.read_operand(t.rn, 0)
            if t.rn == PC:
                first &= ~3
        carry = self.carry
        if t.has_immediate:
            second = t.immediate
        else:
            second, carry = self.shift(self.read_operand(t.rm, 1), t.shift, t.shift_bits)
        if name.startswith(("ADD", "SUBTRACT")):
            result = self.sum_of(name, first, second, flags)
        else:
            result = self.bitwise(t, first, second)
            self.carry = carry if flags else self.carry
        if flags:
            self.result = result
        if not t.no_result:
            self.put(t.rd, result)

    def sum_of(self, name, first, second, flags):
        with_carry = number(self.carry, "a carry") if name.endswith("CARRY") else None
        if name.startswith("ADD"):
            return self.add(first, second, with_carry or 0, flags)
        if name == "SUBTRACT_FROM":
            first, second = second, first
        one = 1 if with_carry is None else with_carry
        return self.add(first, xor(second, ONES), one, flags)

    def bitwise(self, t, first, second):
        bits, inverse = self.bits, xor(second, ONES)
        low = 0xFFFF if t.shift == ARITHMETIC else 0xFFFF0000
        return {
            "AND": lambda: bits.both(first, second),
            "BIC": lambda: bits.both(first, inverse),
            "OR": lambda: bits.either(first, second),
            "OR_NOT": lambda: bits.either(first, inverse),
            "XOR": lambda: xor(first, second),
            "MOVE": lambda: second,
            "NOT": lambda: inverse,
            "MOVE_TOP": lambda: xor(
                masked(self.operand(t.rd), 0xFFFF), self.shift(second, LEFT, 16)[0]
            ),
            "PACK": lambda: xor(masked(second, low), masked(first, low ^ ONES)),
        }[NAME[t.operation]]()

    def run_bits(self, t):
        name = NAME[t.operation]
        ones = (1 << t.field_bits) - 1
        if name in ("FIELD", "SIGNED_FIELD"):
            word = self.shift(self.read_operand(t.rn, 0), RIGHT, t.field_low)[0]
            word = masked(word, ones)
            if name == "SIGNED_FIELD":
                word = shifted(
                    shifted(word, LEFT, 32 - t.field_bits), ARITHMETIC, 32 - t.field_bits
                )
        elif name == "INSERT":
            hole = masked(self.operand(t.rd), ONES ^ (ones << t.field_low))
            what = 0 if t.rn == PC else masked(self.read_operand(t.rn, 0), ones)
            word = xor(hole, self.shift(what, LEFT, t.field_low)[0])
        elif name == "EXTEND":
            word = self.read_operand(t.rm, 1)
            word = shifted(word, ROTATE, t.shift_bits) if t.shift_bits else word
            word = masked(word, ones)
            if t.sign:
                word = shifted(
                    shifted(word, LEFT, 32 - t.field_bits), ARITHMETIC, 32 - t.field_bits
                )
            if t.rn != NONE:
                word = self.add(self.read_operand(t.rn, 0), word, 0, False)
        else:
            word = self.read_operand(t.rm, 1)
            order = {
                "REVERSE_BYTES": [8 * (3 - i // 8) + i % 8 for i in range(32)],
                "REVERSE_HALVES": [i ^ 8 for i in range(32)],
                "REVERSE_BITS": [31 - i for i in range(32)],
            }.get(name)
            if order is None:
                word = 32 - number(word, "a count of zeros").bit_length()
            else:
                bits = bits_of(word)
                word = word_of([bits[i] for i in order])
        self.put(t.rd, word)

    def memory_access(self, t):
        base = number(self.operand(t.rn), "an address")
        if t.rn == PC:
            base &= ~3
        offset = (
            t.immediate
            if t.has_immediate
            else (number(self.operand(t.rm), "an address") << t.shift_bits)
        )
        address = (base + offset if t.indexed else base) & ONES
        count = 4 if t.size == 8 else t.size
        name = NAME[t.operation]
        if name == "LOAD":
            word = self.load(address, count, t.sign)
            if t.size == 8:
                self.put(t.ra, self.load(address + 4, 4, False))
        else:
            self.store(self.operand(t.rd), address, count)
            if t.size == 8:
                self.store(self.operand(t.ra), address + 4, 4)
            if name == "STORE_EXCLUSIVE":
                self.put(t.ra, 0)
        if t.write_back:
            self.put(t.rn, base + offset & ONES)
        if name == "LOAD":
            self.put(t.rd, word)

    def many(self, t):
        base = number(self.operand(t.rn), "an address")
        registers = [r for r in range(16) if t.immediate >> r & 1]
        length = 4 * len(registers)
        address = base - length if t.down else base
        if t.write_back:
            self.put(t.rn, base - length if t.down else base + length)
        for r in registers:
            if NAME[t.operation] == "STORE_MANY":
                self.store(self.operand(r), address, 4)
            elif r == PC:
                self.pc = number(self.load(address, 4, False), "a branch") & ~1
            else:
                self.put(r, self.load(address, 4, False))
            address += 4

    def branch(self, t):
        name, after = NAME[t.operation], self.pc + t.bytes
        if name == "BRANCH":
            self.pc = t.immediate
        elif name == "CALL":
            self.r[LR], self.pc = after | 1, t.immediate
        elif name in ("CALL_REGISTER", "BRANCH_REGISTER"):
            target = number(self.operand(t.rm), "a branch")
            if name == "CALL_REGISTER":
                self.r[LR] = after | 1
            self.pc = target & ~1
        elif name == "BRANCH_ZERO":
            zero = number(self.operand(t.rn), "a branch") == 0
            self.pc = t.immediate if zero != t.sign else after
        else:
            at = number(self.operand(t.rn), "a branch")
            at += t.size * number(self.operand(t.rm), "a branch")
            self.pc += 4 + 2 * number(self.load(at, t.size, False), "a branch")

    def product(self, t, flags):
        x, y = self.read_operand(t.rn, 0), self.read_operand(t.rm, 1)
        name = NAME[t.operation]
        if name == "MULTIPLY" and not flags and not (isinstance(x, int) and isinstance(y, int)):
            self.put(t.rd, self.bits.times(x, y) if isinstance(y, int) else self.bits.times(y, x))
            return
        x, y = number(x, "a factor"), number(y, "a factor")
        if name.startswith("MULTIPLY"):
            result = x * y
            if name != "MULTIPLY":
                more = number(self.operand(t.ra), "a summand")
                result = more + result if name == "MULTIPLY_ADD" else more - result
            result &= ONES
            if flags:
                self.result = result
            self.put(t.rd, result)
            return
        low, high = self.operand(t.rd), self.operand(t.ra)
        if name.startswith("LONG_SIGNED"):
            x, y = (v - (v >> 31 << 32) for v in (x, y))
        wide = x * y
        if name in ("LONG_ADD", "LONG_SIGNED_ADD"):
            wide += high << 32 | low
        elif name == "LONG_ADD_TWO":
            wide += high + low
        self.put(t.rd, wide & ONES)
        self.put(t.ra, wide >> 32 & ONES)

    def holds(self, condition):
        result = number(self.result, "a condition")
        zero, negative = result == 0, result >> 31 == 1
        which = condition >> 1
        if which in (1, 4):
            carry = number(self.carry, "a condition") == 1
        yes = {
            0: lambda: zero,
            1: lambda: carry,
            2: lambda: negative,
            3: lambda: bool(self.overflow),
            4: lambda: carry and not zero,
            5: lambda: negative == bool(self.overflow),
            6: lambda: not zero and negative == bool(self.overflow),
            7: lambda: True,
        }[which]()
        return True if which == 7 else yes != bool(condition & 1)

    def decode(self, address):
        if address not in self.decoded:
            halves = [self.read(address + i, 2) for i in (0, 2)]
            self.decoded[address] = self._c.thumb_decode(address, *halves)
        return self.decoded[address]

    def shift_by_register(self, t, flags):
        word = self.read_operand(t.rn, 0)
        count = number(self.read_operand(t.rm, 1), "a shift") & 0xFF
        carry = self.carry
        if count:
            word, carry = self.shift(word, t.shift, count)
        if flags:
            self.result, self.carry = word, carry
        self.put(t.rd, word)

    def begin_block(self, t):
        first, mask = t.immediate >> 4, t.immediate & 15
        length = 4 - ((mask & -mask).bit_length() - 1)
        self.conditions = [first] + [first & 14 | mask >> 4 - i & 1 for i in range(1, length)]

    def execute(self, t, flags):
        between = [self.data, self.product, self.shift_by_register]
        if t.operation in WITH_FLAGS:
            between[WITH_FLAGS[t.operation]](t, flags)
        elif OPERATION["FIELD"] <= t.operation <= OPERATION["LEADING_ZEROS"]:
            self.run_bits(t)
        elif OPERATION["LOAD"] <= t.operation <= OPERATION["STORE_EXCLUSIVE"]:
            self.memory_access(t)
        elif NAME[t.operation] in ("LOAD_MANY", "STORE_MANY"):
            self.many(t)
        elif NAME[t.operation] == "IF":
            self.begin_block(t)
        elif NAME[t.operation] != "NOTHING":
            raise SymbolsError(f"{NAME[t.operation]} is not known")

    def step(self):
        t = self.decode(self.pc)
        self.at = self.pc
        flags = t.sets_flags and not (t.narrow and self.conditions)
        condition = self.conditions.pop(0) if self.conditions else t.condition
        if condition != ALWAYS and not self.holds(condition):
            self.pc += t.bytes
        elif OPERATION["BRANCH"] <= t.operation <= OPERATION["TABLE"]:
            self.branch(t)
        else:
            self.execute(t, flags)
            if self.pc == self.at:
                self.pc += t.bytes

    def run(self, function, look=False):
        """Calls a function; with look, notes what it shows."""
        self.r = [0] * 16
        self.r[SP] = self.program.symbols["stack_top"] - 256
        self.r[LR] = RETURN | 1
        self.latch, self.bus, self.conditions = [0, 0], 0, []
        self.result = self.carry = self.overflow = 0
        self.pc = self.program.symbols[function] & ~1
        self.look = look
        refill = self.program.symbols["ckem_masks_refill"] & ~1
        back = None
        self.steps = 0
        try:
            while self.pc != RETURN:
                if self.pc == refill:
                    back = self.r[LR] & ~1
                elif self.pc == back:
                    self.make_fresh()
                    back = None
                self.step()
                self.steps += 1
        except SymbolsError as error:
            where = self.program.function_at(self.at)
            raise SymbolsError(f"{error} in {where} at {self.at:#x}") from None
        return self.steps
