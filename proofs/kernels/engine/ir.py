# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads LLVM IR: types, constants and instructions as Python objects.

llvmlite reads what any clang from 14 on wrote (bitcode) and prints it in one form, that of its own
LLVM (compiled.py); here the text is parsed. What it does not know is an error, never skipped.
"""

import dataclasses
import re

TOKEN = re.compile(
    r"""
    \s+ | ;[^\n]* |
    (?P<token> c?"(?:[^"\\]|\\.)*" | [%@]"[^"]*" | [%@][-\w.$]+ | [#!][-\w.$]*
      | -?\d[\w.+]* | \.\.\. | [\w.$]+ | [<>\[\](){},=*:|] )
    """,
    re.VERBOSE,
)


class Unsupported(Exception):
    """The code contains something that this reader or the interpreter gives no meaning."""


# --- Types ----------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Type:
    """A first-class type: kind is int, float, ptr, vector, array, struct, void or other.

    bits: the width of a value, without padding, where it has one; size and align: bytes in memory.
    """

    kind: str
    bits: int = 0
    size: int = 0
    align: int = 1
    count: int = 0
    element: object = None
    fields: tuple = ()
    offsets: tuple = ()


VOID = Type("void")
OTHER = Type("other")
PTR = Type("ptr", bits=64, size=8, align=8)
FLOATS = {"half": 2, "float": 4, "double": 8}


def integer(bits):
    """Returns the type of integers of so many bits."""
    size = 1
    while 8 * size < bits:
        size *= 2
    return Type("int", bits=bits, size=size, align=min(size, 16))


def vector(count, element):
    """Returns a vector type."""
    bits = count * element.bits
    size = max(1, (bits + 7) // 8)
    return Type("vector", bits=bits, size=size, align=size, count=count, element=element)


def array(count, element):
    """Returns an array type."""
    size = count * element.size
    return Type(
        "array", bits=8 * size, size=size, align=element.align, count=count, element=element
    )


def struct(fields, packed):
    """Returns a struct type with the offsets of its fields."""
    offset, align, offsets = 0, 1, []
    for field in fields:
        field_align = 1 if packed else field.align
        offset = -(-offset // field_align) * field_align
        offsets.append(offset)
        offset += field.size
        align = max(align, field_align)
    size = -(-offset // align) * align
    return Type(
        "struct",
        bits=8 * size,
        size=size,
        align=align,
        fields=tuple(fields),
        offsets=tuple(offsets),
    )


# --- Values and instructions ----------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Local:
    """A value of the function: an argument or the result of an instruction."""

    name: str


@dataclasses.dataclass(frozen=True)
class Global:
    """The address of a global variable or function, plus an offset in bytes."""

    name: str
    offset: int = 0


@dataclasses.dataclass(frozen=True)
class Constant:
    """A constant; bits are the integer, or the elements as tuple, or None for poison and undef."""

    type: Type
    value: object


@dataclasses.dataclass
class Instruction:
    """An instruction: operands are (type, value) pairs; extra is what else the opcode needs."""

    opcode: str
    result: str | None
    type: Type
    operands: list
    extra: object = None
    text: str = ""


@dataclasses.dataclass
class Function:
    """A function: the names of its arguments, and blocks by label, the first one first."""

    name: str
    arguments: list
    blocks: dict
    copies: dict  # number of an argument -> size of what it points to, if the callee gets a copy


@dataclasses.dataclass
class Module:
    """All modules of a proof put together: functions and global variables by name."""

    functions: dict
    variables: dict  # name -> (Type, value or None)
    texts: list  # that it was read from


FLAGS = set(
    """
    inbounds nuw nsw nusw exact disjoint nneg samesign volatile tail musttail notail fast nnan ninf
    nsz arcp contract afn reassoc fastcc ccc coldcc local_unnamed_addr unnamed_addr
    """.split()  # noqa: SIM905 (a list of words)
)
BINARY = {
    *("add", "sub", "mul", "udiv", "sdiv", "urem", "srem"),
    *("shl", "lshr", "ashr", "and", "or", "xor"),
}
CASTS = {"zext", "sext", "trunc", "bitcast", "ptrtoint", "inttoptr", "fptrunc", "fpext"}
TYPE_WORD = r"void|ptr|i\d+|half|float|double"
LITERALS = {"true": 1, "false": 0, "null": 0}


class Reader:
    """A recursive descent over the tokens of one line or one definition."""

    def __init__(self, text, structs):
        self.text = text
        self.tokens = [m.group("token") for m in TOKEN.finditer(text) if m.group("token")]
        self.at = 0
        self.structs = structs

    def peek(self, ahead=0):
        """Returns a token that comes, or an empty string at the end."""
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def next(self):
        """Takes a token."""
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, token):
        """Takes this token if it is the next one."""
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token):
        """Takes this token, which must be the next one."""
        if not self.accept(token):
            raise Unsupported(f"expected {token} before {self.tokens[self.at :][:5]}: {self.text}")

    def skip_flags(self):
        """Skips words that do not change what an instruction computes where it is defined."""
        while self.peek() in FLAGS:
            self.next()

    def skip_balanced(self):
        """Skips a parenthesis, with all in it."""
        self.expect("(")
        depth = 1
        while depth:
            depth += {"(": 1, ")": -1}.get(self.next(), 0)

    def type(self):  # noqa: PLR0911 (a table of cases)
        """Reads a type."""
        token = self.next()
        if token in ("void", "metadata", "label", "opaque"):
            return VOID if token == "void" else OTHER
        if token == "ptr":
            return PTR
        if token in FLOATS:
            return Type("float", bits=8 * FLOATS[token], size=FLOATS[token], align=FLOATS[token])
        if re.fullmatch(r"i\d+", token):
            return integer(int(token[1:]))
        if token.startswith("%"):
            return self.structs[token]
        if token == "<" and self.peek() == "{":
            self.next()
            found = struct(self.types("}"), packed=True)
            self.expect(">")
            return found
        if token in "<[":
            count = int(self.next())
            self.expect("x")
            element = self.type()
            self.expect({"<": ">", "[": "]"}[token])
            return vector(count, element) if token == "<" else array(count, element)
        if token == "{":
            return struct(self.types("}"), packed=False)
        raise Unsupported(f"type {token} in {self.text}")

    def types(self, end):
        """Reads a list of types and its end."""
        found = []
        while not self.accept(end):
            found.append(self.type())
            self.accept(",")
        return found

    def value(self, type_):  # noqa: C901, PLR0911 (a table of cases)
        """Reads a value of this type."""
        token = self.next()
        if token.startswith("%"):
            return Local(token)
        if token.startswith("@"):
            return Global(token[1:].strip('"'))
        if token in LITERALS:
            return Constant(type_, LITERALS[token])
        if token in ("undef", "poison"):
            return Constant(type_, None)
        if token == "zeroinitializer":
            return Constant(type_, 0)
        if token == "splat":
            self.expect("(")
            inner = self.value(self.type())
            self.expect(")")
            return Constant(type_, (inner,) * type_.count)
        if token in ("<", "[", "{"):
            return self.aggregate(type_, token)
        if token.startswith('c"'):
            return Constant(type_, string_bits(token[2:-1]))
        if token == "getelementptr":
            return self.constant_address()
        if re.fullmatch(r"-?\d+", token):
            return Constant(type_, int(token) & ((1 << type_.bits) - 1))
        if type_.kind == "float" and token == "0.000000e+00":
            return Constant(type_, 0)
        raise Unsupported(f"value {token} in {self.text}")

    def aggregate(self, type_, opening):
        """Reads the elements of a constant vector, array or struct."""
        packed = opening == "<" and self.accept("{")
        closing = {"<": ">", "[": "]", "{": "}"}["{" if packed else opening]
        elements = []
        while not self.accept(closing):
            elements.append(self.value(self.type()))
            self.accept(",")
        if packed:
            self.expect(">")
        return Constant(type_, tuple(elements))

    def constant_address(self):
        """Reads getelementptr of a global with constant indices."""
        self.skip_flags()
        if self.accept("inrange"):
            self.skip_balanced()
        self.expect("(")
        source = self.type()
        self.expect(",")
        base = self.value(self.type())
        offset = 0
        position = source
        first = True
        while self.accept(","):
            index = self.value(self.type())
            number = signed(index.value, index.type.bits)
            if first:
                offset += number * source.size
            elif position.kind == "struct":
                offset += position.offsets[number]
                position = position.fields[number]
            else:
                position = position.element
                offset += number * position.size
            first = False
        self.expect(")")
        if not isinstance(base, Global):
            raise Unsupported(f"constant address of {base}")
        return Global(base.name, base.offset + offset)

    def typed_value(self):
        """Reads a type and a value, with the attributes of an argument between them."""
        type_ = self.type()
        if type_ is OTHER:
            self.at = len(self.tokens)
            return type_, None
        self.skip_attributes()
        return type_, self.value(type_)

    def skip_attributes(self):
        """Skips attributes of arguments and results: words, some with a parenthesis."""
        while re.fullmatch(r"[a-z_]\w*", self.peek()) and self.peek() not in (
            *LITERALS,
            "undef",
            "poison",
            "zeroinitializer",
            "splat",
            "getelementptr",
        ):
            if self.next() == "align":
                self.next()
            elif self.peek() == "(":
                self.skip_balanced()


def signed(value, bits):
    """Returns the integer with these bits in two's complement."""
    return value - (1 << bits) if value >> (bits - 1) else value


def string_bits(text):
    """Returns the bytes of a string constant as one integer, the first byte lowest."""
    raw = re.sub(r"\\([0-9A-Fa-f]{2}|\\)", lambda m: escaped(m.group(1)), text)
    return int.from_bytes(raw.encode("latin-1"), "little")


def escaped(code):
    """Returns the character of an escape."""
    return "\\" if code == "\\" else chr(int(code, 16))
