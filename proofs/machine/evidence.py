# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a proof saw of a library, said without addresses: so it holds in any library in which the
same functions have the same instructions and constants, wherever these lie.

That is every function of which an instruction ran, whole, with the names of the functions that it
calls and the bytes of the constants that it names; and every object that was read. Where something
was read that none of these has, there is no evidence, and the proof is made again.
"""

import bisect
import functools
import hashlib

import iced_x86

from proofs.machine.operands import KINDS

SIZE_OF = iced_x86.MemorySizeExt.size
FAR = 4  # bytes of a distance
NEAR = {KINDS.NEAR_BRANCH16, KINDS.NEAR_BRANCH32, KINDS.NEAR_BRANCH64}


def name_of_symbol(symbol):
    """Returns a name that says which of several files has a function or an object."""
    return f"{symbol.name}@{symbol.file or ''}"


class View:
    """A library, as evidence sees it."""

    def __init__(self, library):
        self.library = library
        self.functions, self.objects = {}, {}
        for symbol in library.symbols:
            if symbol.size:
                known = self.functions if symbol.kind == "STT_FUNC" else self.objects
                known.setdefault(name_of_symbol(symbol), []).append(symbol)
        found = {s.address: s for some in self.objects.values() for s in some}
        self._places, self._at = sorted(found), found

    def one(self, kind, name):
        """Returns the only symbol of a name; raises LookupError if there is none, or another."""
        found = kind.get(name, [])
        if len({symbol.address for symbol in found}) != 1:
            raise LookupError(f"{len(found)} symbols {name}")
        return found[0]

    def object_at(self, address):
        """Returns the object in which an address is, or None."""
        at = bisect.bisect(self._places, address) - 1
        symbol = self._at[self._places[at]] if at >= 0 else None
        return symbol if symbol and address < symbol.address + symbol.size else None

    @functools.cached_property
    def named(self):
        """all addresses that an instruction names, and starts of objects, in order."""
        found = set(self._places)
        for symbol in self.library.functions():
            for i in self.instructions(symbol):
                if i.is_ip_rel_memory_operand:
                    found.add(i.ip_rel_memory_address)
        return sorted(found)

    def instructions(self, symbol):
        """Yields the instructions of a function."""
        raw = self.library.read(symbol.address, symbol.size)
        yield from iced_x86.Decoder(64, raw, ip=symbol.address)

    def constant(self, address, size):
        """Returns where a constant without a name ends that has at least this size: before the next
        one, or its segment."""
        at = bisect.bisect(self.named, address)
        end = max([address + size, *self.named[at : at + 1]])
        while end > address:
            try:
                self.library.read(address, end - address)
            except IndexError:
                end -= 1
            else:
                return end
        raise LookupError(f"{address:#x} is no constant")


class Evidence:
    """Texts about functions and objects, and about all that they name."""

    def __init__(self, view, functions, objects):
        self.view, self.library = view, view.library
        self.ranges = []  # of bytes that the texts have
        self._texts, self._waiting = {}, []
        for name in functions:
            self._texts[name] = self._function(view.one(view.functions, name))
        for name in objects:
            self._name(view.one(view.objects, name).address)
        while self._waiting:
            name, start, end = self._waiting.pop()
            self._texts[name] = self._bytes(start, end)

    def digest(self):
        """Returns the digest of all texts."""
        lines = [f"{name}\n{text}\n" for name, text in sorted(self._texts.items())]
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def has(self, address, size):
        """Tells whether bytes are part of a text."""
        return any(start <= address and address + size <= end for start, end in self.ranges)

    def _function(self, symbol):
        library, lines = self.library, []
        raw = library.read(symbol.address, symbol.size)
        decoder = iced_x86.Decoder(64, raw, ip=symbol.address)
        for i in decoder:
            at = i.ip - symbol.address
            code, more = raw[at : at + i.len], ""
            offsets = decoder.get_constant_offsets(i)
            inside = symbol.address <= i.near_branch_target < symbol.address + symbol.size
            if i.is_ip_rel_memory_operand:
                start = offsets.displacement_offset
                code = code[:start] + code[start + FAR :]
                more = self._name(i.ip_rel_memory_address, SIZE_OF(i.memory_size))
            elif i.op_count and i.op_kind(0) in NEAR and not inside:
                code = code[: offsets.immediate_offset]
                more = self._name(i.near_branch_target)
            lines.append(f"{code.hex()} {more}")
        return "\n".join(lines)

    def _name(self, address, size=1):
        """Returns the name of an address, and notes its bytes as what is to be told, too."""
        library = self.library
        if address in library.outside:
            return library.outside[address]
        function = library.function_at(address)
        if function:
            return f"{name_of_symbol(function)}+{address - function.address}"
        symbol = self.view.object_at(address)
        if symbol:
            self._note(name_of_symbol(symbol), symbol.address, symbol.address + symbol.size)
            return f"{name_of_symbol(symbol)}+{address - symbol.address}"
        if address in library.pointers:
            self.ranges.append((address, address + 8))
            return f"pointer to {self._name(library.pointers[address])}"
        if library.text[1] <= address or address < library.text[0]:
            stub = iced_x86.Decoder(64, library.code(address), ip=address).decode()
            if stub.is_jmp_near_indirect and stub.is_ip_rel_memory_operand:
                return f"stub of {self._name(stub.ip_rel_memory_address)}"
        end = self.view.constant(address, size)
        self.ranges.append((address, end))
        return f"constant {self._bytes(address, end)}"

    def _note(self, name, start, end):
        if name not in self._texts:
            self._texts[name] = ""
            self._waiting.append((name, start, end))

    def _bytes(self, start, end):
        """Returns bytes, and what pointers among them point to."""
        self.ranges.append((start, end))
        library, parts = self.library, []
        data = library.read(start, end - start)
        while start < end:
            following = min([p for p in library.pointers if start <= p < end], default=end)
            parts.append(data[: following - start].hex())
            data, start = data[following - start :], following
            if start < end:
                parts.append(self._name(library.pointers[start]))
                data, start = data[8:], start + 8
        return " ".join(parts)


def seen(view, executed, reads):
    """Returns the functions that ran and the objects that were read, by their names, and the digest
    of the evidence, or None; reads: (address, size)."""
    symbols = {view.library.function_at(address) for address in executed} - {None}
    functions = sorted(map(name_of_symbol, symbols))
    found = {view.object_at(address) for address, _ in reads} - {None}
    objects = sorted(map(name_of_symbol, found))
    try:
        evidence = Evidence(view, functions, objects)
    except (LookupError, IndexError):
        return functions, objects, None
    whole = executed and all(evidence.has(*r) for r in reads)
    return functions, objects, evidence.digest() if whole else None
