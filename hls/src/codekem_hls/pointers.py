# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Values and pointers of LLVM's functions, also pointers that are chosen or that change."""

from __future__ import annotations

import re
from typing import Any

import llvmlite.binding as llvm

from .accesses import Accesses, Place
from .constants import table_of
from .frontend import Source
from .ir import Array, Const, Op, Operand
from .llvm_text import Kind, named_types, stored_bytes, without_names


class Pointers(Accesses):
    """Reads operands and pointers."""

    def __init__(self, module: Any, source: Source, name: str, line: int) -> None:
        super().__init__(source, name, line)
        self.llvm = module.get_function(name)
        self.values: dict[str, Operand] = {}
        self.pointers: dict[str, Place] = {}
        self.later_places: list[tuple[Op, Op | None, list[Any], list[str]]] = []
        self.variables: dict[str, Array] = {}  # those outside functions that this one uses
        self.tail: dict[str, str] = {}  # the last part of a block that was cut at calls
        self.named = named_types(str(module))
        self.tables = {g.name: g for g in module.global_variables}
        instructions = [one for block in self.llvm.blocks for one in block.instructions]
        self.made = {one.name: one for one in instructions if one.name}

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

    def pointer(self, value: Any) -> Place:
        # An argument and a table may have one name.
        if is_global(value) and value.name in self.variables:
            return Place((self.variables[value.name],))
        if is_global(value) and value.name in self.tables:
            return Place((self.table(value.name),))
        if value.name in self.pointers:
            return self.pointers[value.name]
        text = str(value)
        match = re.search(r"getelementptr (?:\w+ )*\((.+?), ptr @([\w.]+), (.*)\)$", text)
        if match and match[2] in self.tables:
            numbers = [self.constant(part) for part in match[3].split(", ")]
            base = self.variables.get(match[2]) or self.table(match[2])
            return self.moved(Place((base,)), match[1], list(numbers))
        raise self.refuse("a pointer in a variable; use the array's name and an index")

    def moved(self, base: Place, kind: str, indices: list[Operand]) -> Place:
        terms, constant = list(base.terms), base.constant
        try:
            here = Kind(without_names(kind, self.named))
        except ValueError as error:
            raise self.refuse(f"{error}, which is not made of integers") from None
        for place, index in enumerate(indices):
            if place and here.offsets:  # a member of a structure
                assert isinstance(index, Const)
                constant += here.offsets[index.value]
                here = here.parts[index.value]
                continue
            here = here.parts[0] if place else here
            if isinstance(index, Const):
                signed = index.value - (index.value >> (index.width - 1) << index.width)
                constant += signed * here.size
            else:
                terms.append((index, here.size))
        return Place(base.arrays, terms, constant, base.which)

    def arrays_behind(self, value: Any) -> tuple[Array, ...]:
        """Returns the arrays that a pointer may point to, also one that changes in a loop."""
        found: dict[Array, None] = {}
        seen: set[str] = set()
        work = [value]
        while work:
            one = work.pop()
            if one.name and not is_global(one) and one.name in seen:
                continue
            seen.add(one.name)
            instruction = None if is_global(one) else self.made.get(one.name)
            if instruction is None or instruction.opcode == "alloca":
                found.update(dict.fromkeys(self.pointer(one).arrays))
            elif instruction.opcode == "phi":
                work += list(instruction.operands)
            elif instruction.opcode == "select":
                work += list(instruction.operands)[1:]
            elif instruction.opcode == "getelementptr":
                work.append(next(iter(instruction.operands)))
            else:
                raise self.refuse("a pointer that is read from memory; use an index")
        return tuple(found)

    def number_in(self, arrays: tuple[Array, ...], place: Place) -> Operand:
        """Returns which of several arrays a place is in, as a number."""
        if place.which is None:
            return Const(arrays.index(place.array), 8)
        value: Operand = Const(arrays.index(place.array), 8)
        for number, array in enumerate(place.arrays[1:], 1):
            chosen = self.compared("eq", place.which, Const(number, 8))
            value = self.emit("select", 8, [chosen, Const(arrays.index(array), 8), value])
        return value

    def read_pointer_phi(self, one: Any, operands: list[Any], names: list[str]) -> None:
        """A pointer that changes is a number of bytes that does, behind one array or several."""
        arrays = self.arrays_behind(one)
        offset = Op(one.name, "phi", 64, [], line=self.line, block=self.block.name)
        self.block.phis.append(offset)
        which: Op | None = None
        if len(arrays) > 1:
            which = Op(f"{one.name}.which", "phi", 8, [], line=self.line, block=self.block.name)
            self.block.phis.append(which)
        self.pointers[one.name] = Place(arrays, [(offset, 1)], 0, which)
        self.later_places.append((offset, which, operands, names))

    def join_places(
        self, offset: Op, which: Op | None, operands: list[Any], names: list[str]
    ) -> None:
        """Gives the phis of a pointer what comes from each block, computed at the block's end."""
        arrays = self.pointers[offset.name].arrays
        for value, name in zip(operands, names, strict=True):
            self.block = self.function.blocks[self.tail[name]]
            self.line = self.block.line
            place = self.pointer(value)
            offset.args.append(self.bytes_of(place))
            offset.sources.append(self.block.name)
            if which is not None:
                which.args.append(self.number_in(arrays, place))
                which.sources.append(self.block.name)

    def read_pointer_select(self, one: Any, operands: list[Any]) -> None:
        condition = self.operand(operands[0])
        first, second = (self.pointer(value) for value in operands[1:])
        arrays = tuple(dict.fromkeys([*first.arrays, *second.arrays]))
        which: Operand | None = None
        if len(arrays) > 1:
            numbers = [self.number_in(arrays, place) for place in (first, second)]
            which = self.emit("select", 8, [condition, *numbers])
        same = first.terms == second.terms and first.constant == second.constant
        if same:
            self.pointers[one.name] = Place(arrays, first.terms, first.constant, which)
            return
        both = [self.bytes_of(place) for place in (first, second)]
        offset = self.emit("select", 64, [condition, *both], one.name)
        self.pointers[one.name] = Place(arrays, [(offset, 1)], 0, which)

    def read_pointer_comparison(self, one: Any, operands: list[Any], predicate: str) -> None:
        first, second = (self.pointer(value) for value in operands)
        if first.arrays != second.arrays or len(first.arrays) > 1:
            raise self.refuse("a comparison of pointers to different arrays; compare indices")
        both = [self.bytes_of(place) for place in (first, second)]
        self.values[one.name] = self.emit("icmp", 1, both, one.name, predicate=predicate)

    def table(self, name: str) -> Array:
        key = f"@{name}"
        if key not in self.function.arrays:
            match = re.search(r" constant (.*)$", str(self.tables[name]), re.S)
            if match is None:
                raise self.refuse(self.no_table(name))
            try:
                width, numbers = table_of(without_names(match[1], self.named))
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

    def no_table(self, name: str) -> str:
        """Says why a variable outside functions cannot be used here."""
        if name in self.source.variables:
            return (
                f"{name} is a variable outside functions, but {self.function.name} is a module of "
                f"its own; inline it, or make {name} an argument"
            )
        if "." in name:
            return f"{name.split('.')[1]} is a static variable of a function; put it outside of it"
        return f"{name} is a variable that this file does not define; define it, or pass it"

    @staticmethod
    def is_about_pointers(one: Any, operands: list[Any]) -> bool:
        if one.opcode == "icmp":
            return str(operands[0].type) == "ptr"
        return one.opcode == "getelementptr" or (one.opcode == "select" and str(one.type) == "ptr")

    def read_pointer(self, one: Any, text: str, operands: list[Any]) -> None:
        """An operation on pointers that is no phi and no access."""
        if one.opcode == "select":
            self.read_pointer_select(one, operands)
        elif one.opcode == "icmp":
            order = re.search(r"icmp (\w+) ", text)
            self.read_pointer_comparison(one, operands, order[1] if order else "")
        else:
            element = re.search(r"getelementptr (?:inbounds |nuw |nusw )*(.+?), ptr ", text)
            assert element is not None
            indices = [self.operand(value) for value in operands[1:]]
            self.pointers[one.name] = self.moved(self.pointer(operands[0]), element[1], indices)


def is_global(value: Any) -> bool:
    return bool(value.value_kind == llvm.ValueKind.global_variable)
