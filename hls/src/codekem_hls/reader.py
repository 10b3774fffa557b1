# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Reads optimised IR by llvmlite into the form of ir.py, and refuses what is outside the subset."""

from __future__ import annotations

import re
from typing import Any

import llvmlite.binding as llvm

from .accesses import Place, alignment_of
from .declared import Declared
from .errors import Refused
from .frontend import Source
from .graph import reverse_postorder
from .ir import Array, Const, Function, Op, Operand, Param
from .llvm_text import Kind, Metadata, stored_bytes, without_names
from .pointers import Pointers

BINARY = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr")
DIVISIONS = ("udiv", "urem", "sdiv", "srem")
CASTS = ("zext", "sext", "trunc")
INTRINSICS = {
    "fshl": 3,
    "fshr": 3,
    "umin": 2,
    "umax": 2,
    "smin": 2,
    "smax": 2,
    "abs": 1,
    "ctlz": 1,
    "cttz": 1,
    "usub.sat": 2,
    "uadd.sat": 2,
    "ctpop": 1,
    "bswap": 1,
    "bitreverse": 1,
}
IGNORED = ("llvm.lifetime", "llvm.dbg", "llvm.experimental", "llvm.assume")
PRINTED = ("printf", "puts", "putchar")  # left out
ABSOLUTE = ("abs", "labs", "llabs")
FLOATING = ("fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fcmp", "fpext", "fptrunc")
CONVERSIONS = ("uitofp", "sitofp", "fptoui", "fptosi")
INSTEAD = {
    **dict.fromkeys((*FLOATING, *CONVERSIONS), "floating point; use integers"),
    "switch": "a switch; write c ? a : b, or a table of constants",
    "ptrtoint": "a pointer as a number; use an index",
    "inttoptr": "a number as a pointer; use an index",
    "unreachable": "code that cannot end; check the bounds of loops and indices",
    "extractvalue": "a value of several parts; use scalars and arrays",
    "insertvalue": "a value of several parts; use scalars and arrays",
}


class Reader(Pointers):
    """Reads one function."""

    def __init__(
        self, module: Any, source: Source, name: str, metadata: Metadata, is_top: bool
    ) -> None:
        super().__init__(module, source, name, metadata.function_line(name))
        self.is_top = is_top
        self.metadata = metadata
        self.pairs: dict[str, tuple[Operand, Operand]] = {}  # results of two parts
        self.later: list[tuple[Op, list[Any]]] = []  # phis, whose operands come later
        self.called: list[str] = []

    def read(self) -> Function:
        returned = re.match(r"define [^@]*?(void|i\d+) @", self.metadata.heads[self.function.name])
        if returned is None:
            raise self.refuse("the function returns no integer; use an array argument")
        self.function.return_width = 0 if returned[1] == "void" else int(returned[1][1:])
        self.read_arguments(self.source.functions[self.function.name])
        if self.is_top:
            self.read_variables()
        for block in in_order(list(self.llvm.blocks), self.metadata.texts[self.function.name]):
            self.start(block.name)
            texts = self.metadata.texts[self.function.name][block.name]
            lines = [self.metadata.line_of(text) for text in texts]
            for place, instruction in enumerate(block.instructions):
                # What the compiler has moved has no line: that of what follows is near it.
                text = texts[place]
                self.line = next((line for line in lines[place:] if line), self.line)
                self.read_instruction(instruction, text)
            self.tail[block.name] = self.block.name
        for bytes_op, which, operands, names in self.later_places:
            self.join_places(bytes_op, which, operands, names)
        for op, operands in self.later:
            op.args = [self.operand(one) for one in operands]
            op.sources = [self.tail[name] for name in op.sources]
        written = {op.array for op in self.function.ops if op.kind == "store"}
        for array in self.function.arrays.values():
            array.written = array in written
        return self.function

    def read_arguments(self, declared: list[Declared]) -> None:
        for known in declared:
            if known.wrong:
                raise Refused(known.wrong, self.source.file, known.line)
        arguments = list(self.llvm.arguments)
        if len(arguments) != len(declared):
            raise self.refuse("arguments that are not integers or arrays of integers")
        for argument, known in zip(arguments, declared, strict=True):
            assert known.layout is not None
            leaf = known.layout.leaves[0]
            if known.pointer:
                self.read_array(argument, known)
                continue
            if known.name in ("clk", "clear", "start"):
                raise self.refuse(f"an argument {known.name}, as a port of each core; rename it")
            param = Param(known.name, leaf.width, known.public, leaf.signed)
            self.function.arguments.append(param)
            self.values[argument.name] = param

    def read_array(self, argument: Any, known: Declared) -> None:
        name, layout = known.name, known.layout
        assert layout is not None
        width, boolean = layout.element
        stride = stored_bytes(width)
        size = re.search(r"dereferenceable\((\d+)\)", " ".join(map(str, argument.attributes)))
        if size is None and not self.is_used(argument.name):
            self.function.arguments.append(Array(name, width, 1, "argument", name, stride=stride))
            return
        if size is None:
            raise self.refuse(
                f"the length of array {name} is not known; declare {name}[static LENGTH]"
            )
        if known.public:
            raise self.refuse(
                f"array {name} is PUBLIC, but only scalars decide about trip counts; pass "
                "what decides as a PUBLIC scalar"
            )
        depth = int(size[1]) // stride
        array = Array(name, width, depth, "argument", name, stride=stride, boolean=boolean)
        self.function.arguments.append(array)
        self.function.arrays[name] = array
        self.pointers[argument.name] = Place((array,))

    def read_variables(self) -> None:
        """Variables outside functions are memories outside of the core, as arguments are."""
        whole = "\n".join(
            text for one in self.metadata.texts[self.function.name].values() for text in one
        )
        for name, known in self.source.variables.items():
            if not re.search(rf"@{re.escape(name)}(?![\w.])", whole):
                continue
            if known.wrong:
                raise Refused(known.wrong, self.source.file, known.line)
            if name in self.function.arrays or name in self.values:
                raise self.refuse(f"an argument and a variable outside are {name}; rename one")
            assert known.layout is not None
            width, boolean = known.layout.element
            stride = stored_bytes(width)
            depth = known.layout.size // stride
            array = Array(name, width, depth, "argument", name, stride=stride, boolean=boolean)
            self.function.arguments.append(array)
            self.function.arrays[name] = self.variables[name] = array

    def is_used(self, name: str) -> bool:
        """Whether a value occurs in the function; LLVM forgets an argument's length if not."""
        blocks = self.metadata.texts[self.function.name].values()
        used = re.compile(rf"%{re.escape(name)}(?![\w.])(?! = )")
        return any(used.search(text) for one in blocks for text in one)

    # Instructions

    def read_instruction(self, one: Any, text: str) -> None:
        kind = one.opcode
        width = int(str(one.type)[1:]) if re.fullmatch(r"i\d+", str(one.type)) else 0
        operands = list(one.operands)
        if kind == "phi":
            self.read_phi(one, text, operands, width)
        elif kind == "alloca":
            self.read_alloca(one.name, text)
        elif kind in ("load", "store"):
            self.read_access(one, kind, operands, width, alignment_of(text))
        elif kind in ("br", "ret"):
            self.read_end(kind, text, operands)
        elif kind == "call":
            self.read_call(one, text, operands, width)
        elif self.is_about_pointers(one, operands):
            self.read_pointer(one, text, operands)
        elif kind == "extractvalue" and operands[0].name in self.pairs:
            number = re.search(r", (\d+)(?:, !|$)", text)
            assert number is not None
            self.values[one.name] = self.pairs[operands[0].name][int(number[1])]
        elif width:
            self.read_value(one, text, operands, width)
        else:
            raise self.refuse(INSTEAD.get(kind, f"{kind} is not in the subset (docs/hls.md)"))

    def read_value(self, one: Any, text: str, operands: list[Any], width: int) -> None:
        """An operation on integers."""
        kind = one.opcode
        if kind in DIVISIONS:
            first, second = (self.operand(value) for value in operands)
            self.values[one.name] = self.divided(kind, first, second)
            return
        if kind not in (*BINARY, *CASTS, "select", "icmp", "freeze"):
            raise self.refuse(INSTEAD.get(kind, f"{kind} is not in the subset (docs/hls.md)"))
        args = [self.operand(value) for value in operands]
        match = re.search(r"icmp (?:samesign )?(\w+) ", text)
        name = "copy" if kind == "freeze" else kind
        op = self.emit(name, width, args, one.name, predicate=match[1] if match else "")
        self.values[one.name] = op

    def read_phi(self, one: Any, text: str, operands: list[Any], width: int) -> None:
        sources = [name.strip('"') for name in re.findall(r", %([^\s\]]+) \]", text)]
        if not width:
            if not one.type.is_pointer:
                raise self.refuse("floating point; use integers")
            self.read_pointer_phi(one, operands, sources)
            return
        op = Op(one.name, "phi", width, [], line=self.line, block=self.block.name)
        op.sources = sources
        self.block.phis.append(op)
        self.later.append((op, operands))
        self.values[one.name] = op

    def read_alloca(self, name: str, text: str) -> None:
        match = re.search(r"alloca (.*), align", text)
        try:
            kind = Kind(without_names(match[1] if match else "", self.named))
            width = kind.element(gaps=True)
        except ValueError as error:
            raise self.refuse(f"a local variable that is no array of integers: {error}") from None
        stride = stored_bytes(width)
        depth = kind.size // stride
        # LLVM adds ".i" where it inlines, and digits to a name that there is already.
        tries = [name, re.sub(r"(\.i)+\d*$", "", name), re.sub(r"(\.i)*\d+$", "", name)]
        tries.append(name.partition(".")[0])
        declared = next((word for word in tries if word in self.source.words), tries[-1])
        unique, number = declared, 1
        while unique in self.function.arrays:
            number += 1
            unique = f"{declared}_{number}"
        array = Array(unique, width, depth, "local", declared, stride=stride)
        self.function.arrays[unique] = array
        self.pointers[name] = Place((array,))

    def read_access(
        self, one: Any, kind: str, operands: list[Any], width: int, alignment: int
    ) -> None:
        place = self.pointer(operands[-1])
        if kind == "load":
            if not width:
                raise self.refuse("a pointer or a structure in an array; use integers")
            self.values[one.name] = self.load(place, width, alignment, one.name)
        else:
            self.store(place, self.operand(operands[0]), alignment)

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
        if not first and "!llvm.loop" in text:  # of turns that unrolling has left over
            first = self.metadata.line_of(text)
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
            self.read_intrinsic(intrinsic[1].split(".p0")[0], one, text, operands)
            return
        if name in PRINTED and not self.is_used(one.name):
            return
        if name in ABSOLUTE and name not in self.source.functions and width:
            self.values[one.name] = self.emit("abs", width, [self.operand(operands[0])], one.name)
            return
        if name not in self.source.functions or not re.search(r"call [^@]*@", text):
            raise self.refuse(
                f"{name or 'a function'} is not defined in this file; define it, or write what it "
                "does here"
            )
        before = self.block
        number = sum(block.is_call for block in self.function.blocks.values())
        before.targets, before.line = [f"call_{number}_{name}"], self.line
        self.start(before.targets[0])
        op = self.emit("call", width, [], one.name if width else "", callee=name)
        for value in operands[:-1]:
            self.pass_on(op, value)
        if width:
            self.values[one.name] = op
        self.block.targets, self.block.line = [f"{before.name}.after_{number}"], self.line
        self.start(self.block.targets[0])
        self.called.append(name)

    def pass_on(self, op: Op, value: Any) -> None:
        """Adds an argument to a call."""
        name = op.callee
        if str(value) in ("ptr poison", "ptr undef"):  # LLVM knows that it is not used
            op.passed.append(None)
            op.args.append(Const(0, 1))
            return
        if str(value.type) != "ptr":
            op.passed.append(None)
            op.args.append(self.operand(value))
            return
        place = self.pointer(value)
        if place.which is not None:
            raise self.refuse(f"an array that is chosen as an argument of {name}; call it for each")
        if place.array.kind == "table":
            raise self.refuse(
                f"the constants {place.array.name} as an argument of {name}, whose module reads a "
                f"memory there; read them in {name} itself, or inline {name}"
            )
        if place.terms or place.constant:
            raise self.refuse(f"a part of an array as an argument of {name}; pass the array")
        op.passed.append(place.array)
        op.args.append(Const(0, 1))

    def read_intrinsic(self, kind: str, one: Any, text: str, operands: list[Any]) -> None:
        """An operation of LLVM's that it calls as a function."""
        if kind in ("memset", "memcpy", "memmove"):
            self.read_memory(kind, text, operands)
        elif kind in ("sadd.sat", "ssub.sat"):
            first, second = (self.operand(value) for value in operands[:2])
            self.values[one.name] = self.saturated(kind[1:4], first, second)
        elif kind.endswith(".with.overflow"):
            first, second = (self.operand(value) for value in operands[:2])
            self.pairs[one.name] = self.overflowing(kind, first, second)
        elif kind in INTRINSICS:
            args = [self.operand(value) for value in operands[: INTRINSICS[kind]]]
            self.values[one.name] = self.emit(kind, args[0].width, args, one.name)
        else:
            raise self.refuse(f"llvm.{kind} is not in the subset (docs/hls.md)")

    def read_memory(self, kind: str, text: str, operands: list[Any]) -> None:
        """Memory that is set or copied as a whole."""
        words = re.search(r"@llvm[^(]*\((.*)\)", text)
        alignments = [alignment_of(word) for word in (words[1] if words else "").split(", ")]
        to, size = self.pointer(operands[0]), self.operand(operands[2])
        if kind == "memset":
            self.set_memory(to, self.operand(operands[1]), size, alignments[0])
        else:
            source = self.pointer(operands[1])
            self.copy_memory(to, source, size, alignments[:2], kind == "memmove")


def in_order(blocks: list[Any], texts: dict[str, list[str]]) -> list[Any]:
    """Returns blocks so that each comes after those that lead to it, but for loops."""
    by_name = {block.name: block for block in blocks}
    targets = {}
    for block in blocks:
        last = texts[block.name][-1]
        targets[block.name] = [name.strip('"') for name in re.findall(r"label %([^\s,\]]+)", last)]
    # LLVM puts the way that a branch takes first, in front.
    order = reverse_postorder(blocks[0].name, lambda name: targets[name][::-1])
    return [by_name[name] for name in order]


def refuse_recursion(source: Source, metadata: Metadata, top: str) -> None:
    """Refuses functions that call themselves, before what else is wrong about them is looked at."""
    calls = {
        name: {
            match[1]: metadata.line_of(text)
            for texts in blocks.values()
            for text in texts
            if (match := re.search(r"\bcall [^@]*@(\w+)\(", text)) and match[1] in metadata.texts
        }
        for name, blocks in metadata.texts.items()
    }
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        for callee, line in calls[name].items():
            if callee in (*path, name):
                raise Refused(f"{callee} calls itself; write a loop", source.file, line)
            if callee not in done:
                visit(callee, [*path, name])
        done.add(name)

    visit(top, [])


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
    refuse_recursion(source, metadata, top)
    done: dict[str, Function] = {}

    def visit(name: str) -> None:
        if name in done:
            return
        reader = Reader(module, source, name, metadata, name == top)
        function = reader.read()
        for callee in dict.fromkeys(reader.called):
            visit(callee)
        done[name] = function

    visit(top)
    return done
