# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads optimised IR by llvmlite into the form of ir.py, and refuses what is outside the subset."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import llvmlite.binding as llvm

from .constants import kind_of, table_of
from .errors import Refused
from .frontend import Declared, Source
from .ir import Array, Block, Const, Function, Op, Operand, Param
from .llvm_text import Metadata, indexed, stored_bytes

BINARY = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr")
CASTS = ("zext", "sext", "trunc")
INTRINSICS = {
    "fshl": 3,
    "fshr": 3,
    "umin": 2,
    "umax": 2,
    "smin": 2,
    "smax": 2,
    "abs": 1,
    "usub.sat": 2,
    "uadd.sat": 2,
    "ctpop": 1,
    "bswap": 1,
    "bitreverse": 1,
}
IGNORED = ("llvm.lifetime", "llvm.dbg", "llvm.experimental", "llvm.assume")
INSTEAD = {
    "udiv": "a division; write a multiplication and a shift, or a power of two",
    "urem": "a division; write a multiplication and a shift, or a power of two",
    "sdiv": "a division; write a multiplication and a shift, or use an unsigned type",
    "srem": "a division; write a multiplication and a shift, or use an unsigned type",
    "switch": "a switch; write c ? a : b, or a table of constants",
    "ptrtoint": "a pointer as a number; use an index",
    "inttoptr": "a number as a pointer; use an index",
    "unreachable": "code that cannot end; check the bounds of loops and indices",
    "extractvalue": "a value of several parts; use scalars and arrays",
    "insertvalue": "a value of several parts; use scalars and arrays",
    "fadd": "floating point; use integers",
    "fmul": "floating point; use integers",
    "memset": "an array set as a whole; write a loop that stores each element",
    "memcpy": "an array copied as a whole; write a loop that copies each element",
    "memmove": "an array copied as a whole; write a loop that copies each element",
}

# A pointer: its array, the terms (operand, bytes) of the offset and its constant part in bytes.
Pointer = tuple[Array, list[tuple[Operand, int]], int]


class Reader:
    """Reads one function."""

    def __init__(self, module: Any, source: Source, name: str, metadata: Metadata) -> None:
        self.module, self.source, self.metadata = module, source, metadata
        self.llvm = module.get_function(name)
        self.values: dict[str, Operand] = {}
        self.pointers: dict[str, Pointer] = {}
        self.later: list[tuple[Op, list[Any]]] = []  # phis, whose operands come later
        self.tail: dict[str, str] = {}  # the last part of a block that was cut at calls
        self.count = 0
        self.line = 0
        self.tables = {g.name: g for g in module.global_variables}
        line = metadata.function_line(name)
        self.function = Function(name, source.file, line, 0, [], {}, {})
        file, at = source.combined.place(line)
        self.function.place = f"{pathlib.PurePath(file).name}:{at}"
        self.block = Block("")
        self.called: list[str] = []

    def refuse(self, message: str) -> Refused:
        return Refused(message, self.source.file, self.line or self.function.line)

    def read(self) -> Function:
        returned = re.match(r"define [^@]*?(void|i\d+) @", self.metadata.heads[self.function.name])
        if returned is None:
            raise self.refuse("the function returns no integer; use an array argument")
        self.function.return_width = 0 if returned[1] == "void" else int(returned[1][1:])
        self.read_arguments(self.source.functions[self.function.name])
        for block in in_order(list(self.llvm.blocks), self.metadata.texts[self.function.name]):
            self.start(block.name)
            texts = self.metadata.texts[self.function.name][block.name]
            for instruction, text in zip(block.instructions, texts, strict=True):
                self.line = self.metadata.line_of(text) or self.line
                self.read_instruction(instruction, text)
            self.tail[block.name] = self.block.name
        for op, operands in self.later:
            op.args = [self.operand(one) for one in operands]
            op.sources = [self.tail[name] for name in op.sources]
        written = {op.array for op in self.function.ops if op.kind == "store"}
        for array in self.function.arrays.values():
            array.written = array in written
        return self.function

    def start(self, name: str) -> None:
        self.block = Block(name)
        self.function.blocks[name] = self.block

    def read_arguments(self, declared: list[Declared]) -> None:
        arguments = list(self.llvm.arguments)
        if len(arguments) != len(declared):
            raise self.refuse("arguments that are not integers or arrays of integers")
        for argument, known in zip(arguments, declared, strict=True):
            name = known.name
            if not known.pointer:
                if name in ("clk", "clear", "start"):
                    raise self.refuse(f"an argument {name}, as a port of each core; rename it")
                param = Param(name, known.width, known.public)
                self.function.arguments.append(param)
                self.values[argument.name] = param
                continue
            size = re.search(r"dereferenceable\((\d+)\)", " ".join(map(str, argument.attributes)))
            if size is None and not self.is_used(argument.name):
                self.function.arguments.append(Array(name, known.width, 1, "argument", name))
                continue
            if size is None:
                raise self.refuse(
                    f"the length of array {name} is not known; declare {name}[static LENGTH]"
                )
            if known.public:
                raise self.refuse(
                    f"array {name} is PUBLIC, but only scalars decide about trip counts; pass "
                    "what decides as a PUBLIC scalar"
                )
            stride = stored_bytes(known.width)
            depth = int(size[1]) // stride
            array = Array(name, known.width, depth, "argument", name, stride=stride)
            self.function.arguments.append(array)
            self.function.arrays[name] = array
            self.pointers[argument.name] = (array, [], 0)

    def is_used(self, name: str) -> bool:
        """Whether an argument occurs in the function; LLVM forgets the length if it does not."""
        blocks = self.metadata.texts[self.function.name].values()
        return any(re.search(rf"%{re.escape(name)}\b", text) for one in blocks for text in one)

    def operand(self, value: Any) -> Operand:
        if value.name and value.name in self.values and not is_global(value):
            return self.values[value.name]
        return self.constant(str(value))

    def constant(self, text: str) -> Const:
        match = re.fullmatch(r"i(\d+) (\S+)", text.strip())
        if match is None:
            raise self.refuse(f"a value that is not an integer: {text.strip()[:60]}")
        width = int(match[1])
        words = {"true": 1, "false": 0, "undef": 0, "poison": 0}
        number = words[match[2]] if match[2] in words else int(match[2])
        return Const(number % (1 << width), width)

    def emit(self, kind: str, width: int, args: list[Operand], name: str = "", **more: Any) -> Op:
        if not name:
            self.count += 1
            name = f"t{self.count}"
        op = Op(name, kind, width, args, line=self.line, block=self.block.name, **more)
        self.block.ops.append(op)
        return op

    # Pointers

    def pointer(self, value: Any) -> Pointer:
        # An argument and a table may have one name.
        if is_global(value) and value.name in self.tables:
            return (self.table(value.name), [], 0)
        if value.name in self.pointers:
            return self.pointers[value.name]
        text = str(value)
        match = re.search(r"getelementptr (?:\w+ )*\((.+?), ptr @([\w.]+), (.*)\)$", text)
        if match and match[2] in self.tables:
            numbers = [self.constant(part) for part in match[3].split(", ")]
            return self.moved((self.table(match[2]), [], 0), match[1], list(numbers))
        raise self.refuse("a pointer in a variable; use the array's name and an index")

    def moved(self, base: Pointer, kind: str, indices: list[Operand]) -> Pointer:
        array, terms, constant = base[0], list(base[1]), base[2]
        try:
            sizes = indexed(kind, len(indices))
        except ValueError:
            raise self.refuse("a structure; use arrays of integers") from None
        for index, size in zip(indices, sizes, strict=True):
            if isinstance(index, Const):
                signed = index.value - (index.value >> (index.width - 1) << index.width)
                constant += signed * size
            else:
                terms.append((index, size))
        return (array, terms, constant)

    def table(self, name: str) -> Array:
        key = f"@{name}"
        if key not in self.function.arrays:
            match = re.search(r" constant (.*)$", str(self.tables[name]), re.S)
            if match is None:
                raise self.refuse(f"{name} is a variable outside functions; make it an argument")
            try:
                width, numbers = table_of(match[1])
            except ValueError as error:
                raise self.refuse(
                    f"{name} is not a table of integers of one type that this file defines: {error}"
                ) from None
            self.function.arrays[key] = Array(
                name,
                width,
                len(numbers),
                "table",
                name,
                tuple(numbers),
                stride=stored_bytes(width),
                bind="table",
            )
        return self.function.arrays[key]

    def address(self, place: Pointer, width: int) -> Operand:
        """Makes the operations that compute an index into an array."""
        array, terms, constant = place
        if array.width != width:
            raise self.refuse(
                f"{array.name} has elements of {array.width} bits, but {width} bits are accessed; "
                "access elements by their own type"
            )
        size = array.stride
        if constant % size or any(scale % size for _, scale in terms):
            raise self.refuse(f"an access between two elements of {array.name}; use an index")
        total: Operand | None = None
        for operand, scale in terms:
            part: Operand = operand
            times = scale // size
            if part.width < 64:
                part = self.emit("sext", 64, [part])
            if times > 1:
                part = self.emit("mul", 64, [part, Const(times, 64)])
            total = part if total is None else self.emit("add", 64, [total, part])
        offset = constant // size
        if total is None:
            if not 0 <= offset < array.depth:
                raise self.refuse(f"element {offset} of {array.name}, which has {array.depth}")
            return Const(offset, 64)
        return self.emit("add", 64, [total, Const(offset % (1 << 64), 64)]) if offset else total

    # Instructions

    def read_instruction(self, one: Any, text: str) -> None:
        kind = one.opcode
        width = int(str(one.type)[1:]) if re.fullmatch(r"i\d+", str(one.type)) else 0
        operands = list(one.operands)
        if kind == "phi":
            if not width:
                raise self.refuse("a pointer that changes; use an index that changes")
            op = Op(one.name, "phi", width, [], line=self.line, block=self.block.name)
            op.sources = re.findall(r", %([^\s\]]+) \]", text)
            op.sources = [name.strip('"') for name in op.sources]
            self.block.phis.append(op)
            self.later.append((op, operands))
            self.values[one.name] = op
        elif kind == "alloca":
            self.read_alloca(one.name, text)
        elif kind == "getelementptr":
            element = re.search(r"getelementptr (?:inbounds |nuw |nusw )*(.+?), ptr ", text)
            assert element is not None
            indices = [self.operand(value) for value in operands[1:]]
            self.pointers[one.name] = self.moved(self.pointer(operands[0]), element[1], indices)
        elif kind in ("load", "store"):
            self.read_access(one, kind, operands, width)
        elif kind in ("br", "ret"):
            self.read_end(kind, text, operands)
        elif kind == "call":
            self.read_call(one, text, operands, width)
        elif kind in (*BINARY, *CASTS, "select", "icmp", "freeze") and width:
            args = [self.operand(value) for value in operands]
            match = re.search(r"icmp (?:samesign )?(\w+) ", text)
            name = "copy" if kind == "freeze" else kind
            op = self.emit(name, width, args, one.name, predicate=match[1] if match else "")
            self.values[one.name] = op
        elif kind == "select":
            raise self.refuse("a pointer that is chosen; choose an index, or between elements")
        else:
            raise self.refuse(INSTEAD.get(kind, f"{kind} is not in the subset (docs/hls.md)"))

    def read_alloca(self, name: str, text: str) -> None:
        match = re.search(r"alloca (.*), align", text)
        try:
            width, depth = kind_of(match[1] if match else "")
        except ValueError:
            raise self.refuse("a local variable that is no array of integers") from None
        stride = stored_bytes(width)
        # LLVM adds ".i" where it inlines, and digits to a name that there is already.
        tries = [name, re.sub(r"(\.i)+\d*$", "", name), re.sub(r"(\.i)*\d+$", "", name)]
        declared = next((word for word in tries if word in self.source.words), tries[-1])
        unique, number = declared, 1
        while unique in self.function.arrays:
            number += 1
            unique = f"{declared}_{number}"
        array = Array(unique, width, depth, "local", declared, stride=stride)
        self.function.arrays[unique] = array
        self.pointers[name] = (array, [], 0)

    def read_access(self, one: Any, kind: str, operands: list[Any], width: int) -> None:
        place = self.pointer(operands[-1])
        if kind == "load":
            if not width:
                raise self.refuse("a pointer or a structure in an array; use integers")
            index = self.address(place, width)
            name = "table" if place[0].kind == "table" else "load"
            if name == "table" and isinstance(index, Const):
                self.values[one.name] = Const(place[0].contents[index.value], width)
                return
            op = self.emit(name, width, [index], one.name, array=place[0])
            self.values[one.name] = op
            return
        data = self.operand(operands[0])
        width = data.width
        if place[0].kind == "table":
            raise self.refuse(f"a store to the constant {place[0].name}")
        self.emit("store", width, [self.address(place, width), data], array=place[0])

    def read_end(self, kind: str, text: str, operands: list[Any]) -> None:
        block = self.block
        block.line = self.line
        if kind == "ret":
            block.end = "return"
            block.condition = self.operand(operands[0]) if operands else None
            return
        block.targets = [name.strip('"') for name in re.findall(r"label %([^\s,]+)", text)]
        if len(block.targets) == 2:
            block.end, block.condition = "branch", self.operand(operands[0])
        first = self.metadata.loop_line(text)
        if first:
            block.loop = self.source.loops.get(first, f"line_{first}")
            if self.metadata.unroll_is_left(text):
                raise Refused(
                    f"loop {block.loop} cannot be unrolled: its trip count is not a constant",
                    self.source.file,
                    first,
                )

    def read_call(self, one: Any, text: str, operands: list[Any], width: int) -> None:
        name = operands[-1].name
        if name.startswith(IGNORED):
            return
        intrinsic = re.fullmatch(r"llvm\.([a-z.]+?)(\.i\d+)?(\.p0.*)?", name)
        if intrinsic:
            kind = intrinsic[1].split(".p0")[0]
            if kind not in INTRINSICS:
                raise self.refuse(
                    INSTEAD.get(kind.split(".")[0], f"{name} is not in the subset (docs/hls.md)")
                )
            args = [self.operand(value) for value in operands[: INTRINSICS[kind]]]
            self.values[one.name] = self.emit(kind, width, args, one.name)
            return
        if name not in self.source.functions or not re.search(r"call [^@]*@", text):
            raise self.refuse(f"{name or 'a function'} is not defined in this file")
        before = self.block
        number = sum(block.is_call for block in self.function.blocks.values())
        before.targets, before.line = [f"call_{number}_{name}"], self.line
        self.start(before.targets[0])
        op = self.emit("call", width, [], one.name if width else "", callee=name)
        for value in operands[:-1]:
            if str(value) in ("ptr poison", "ptr undef"):  # LLVM knows that it is not used
                op.passed.append(None)
                op.args.append(Const(0, 1))
            elif str(value.type) == "ptr":
                array, terms, constant = self.pointer(value)
                if array.kind == "table":
                    raise self.refuse(
                        f"the constants {array.name} as an argument of {name}, whose module reads "
                        f"a memory there; read them in {name} itself, or inline {name}"
                    )
                if terms or constant:
                    raise self.refuse(
                        f"a part of an array as an argument of {name}; pass the array"
                    )
                op.passed.append(array)
                op.args.append(Const(0, 1))
            else:
                op.passed.append(None)
                op.args.append(self.operand(value))
        if width:
            self.values[one.name] = op
        self.block.targets, self.block.line = [f"{before.name}.after_{number}"], self.line
        self.start(self.block.targets[0])
        self.called.append(name)


def is_global(value: Any) -> bool:
    return bool(value.value_kind == llvm.ValueKind.global_variable)


def in_order(blocks: list[Any], texts: dict[str, list[str]]) -> list[Any]:
    """Returns blocks so that each comes after those that lead to it, but for loops."""
    by_name = {block.name: block for block in blocks}
    targets = {}
    for block in blocks:
        last = texts[block.name][-1]
        targets[block.name] = [name.strip('"') for name in re.findall(r"label %([^\s,\]]+)", last)]
    done: list[str] = []
    seen = {blocks[0].name}
    stack = [(blocks[0].name, iter(reversed(targets[blocks[0].name])))]
    while stack:
        name, left = stack[-1]
        following = next(left, None)
        if following is None:
            done.append(name)
            stack.pop()
        elif following not in seen:
            seen.add(following)
            stack.append((following, iter(reversed(targets[following]))))
    return [by_name[name] for name in reversed(done)]


def read(source: Source, top: str) -> dict[str, Function]:
    """Returns the functions of a kernel, callees before their callers."""
    module = llvm.parse_assembly(source.ir)
    module.verify()
    # Values without a name get one; that pass wants to know a machine, of any kind.
    llvm.initialize_native_target()
    machine = llvm.Target.from_default_triple().create_target_machine()
    passes = llvm.create_new_module_pass_manager()
    passes.add_lower_switch_pass()
    passes.add_instruction_namer_pass()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0))
    passes.run(module, builder)
    metadata = Metadata(str(module))
    done: dict[str, Function] = {}

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            raise Refused(f"{name} calls itself; write a loop", source.file)
        if name in done:
            return
        reader = Reader(module, source, name, metadata)
        function = reader.read()
        for callee in dict.fromkeys(reader.called):
            visit(callee, [*path, name])
        done[name] = function

    visit(top, [])
    return done
