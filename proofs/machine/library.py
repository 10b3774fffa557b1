# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A shared library as a file: its bytes in memory, its symbols and its tables of functions."""

import bisect
import hashlib
import pathlib

from elftools.elf.elffile import ELFFile

from proofs.kernels.coverage import backend_of

LOADED = "PT_LOAD"
# Kinds of relocations, by the name that pyelftools has for a processor: an address in the library,
# those of a symbol, and of a symbol and an addend.
RELATIVE = {"x64": 8, "AArch64": 1027}
OF_SYMBOL = {"x64": (6, 7), "AArch64": (1025, 1026)}
OF_SUM = {"x64": 1, "AArch64": 257}
NAMES = {"x64": "x86-64", "AArch64": "AArch64"}
OUTSIDE = 0xFEE00000  # where functions of other libraries are said to be
POINTER = 8  # bytes


class Symbol:
    """A function or an object. file: the stem of the source, where the library says it."""

    def __init__(self, name, address, size, kind, file):
        self.name, self.address, self.size, self.kind, self.file = name, address, size, kind, file

    @property
    def backend(self):
        """Returns the back end of which this is a part, or None."""
        return backend_of(self.name.partition(".")[0]) or (self.file and backend_of(self.file))


class Library:
    """A shared library, not stripped. processor: as pyelftools names it."""

    def __init__(self, path, processor="x64"):
        raw = pathlib.Path(path).read_bytes()
        self.digest = hashlib.sha256(raw).hexdigest()
        self.outside = {}  # address -> name of a function of another library
        self.pointers = {}  # address of a word -> the address that the loader writes there
        with open(path, "rb") as stream:
            elf = ELFFile(stream)
            found = elf.get_machine_arch()
            if found != processor:
                raise ValueError(f"{path}: machine code of {found}, not of {NAMES[processor]}")
            self.processor = processor
            self._segments = [
                (s["p_vaddr"], bytearray(s.data().ljust(s["p_memsz"], b"\0")), s["p_flags"] & 2)
                for s in elf.iter_segments()
                if s["p_type"] == LOADED
            ]
            table = elf.get_section_by_name(".symtab")
            if table is None:
                raise ValueError(f"{path}: has no symbols any more, so no function can be found")
            self.symbols = list(self._read_symbols(table))
            text = elf.get_section_by_name(".text")
            self.text = (text["sh_addr"], text["sh_addr"] + text["sh_size"])
            comment = elf.get_section_by_name(".comment")
            parts = comment.data().split(b"\0") if comment else []
            self.compiler = ", ".join(sorted({part.decode() for part in parts if part}))
            for section in elf.iter_sections():
                if section["sh_type"] == "SHT_RELA":
                    self._relocate(elf, section)
        self._by_name, self._by_place = {}, {}
        for symbol in self.symbols:
            self._by_name.setdefault(symbol.name, []).append(symbol)
            if symbol.size and symbol.kind == "STT_FUNC":
                self._by_place.setdefault(symbol.address, symbol)
        self._places = sorted(self._by_place)

    @staticmethod
    def _read_symbols(table):
        file = None
        for entry in table.iter_symbols():
            kind = entry["st_info"]["type"]
            if kind == "STT_FILE":
                file = pathlib.PurePosixPath(entry.name).stem or None
            elif kind in ("STT_FUNC", "STT_OBJECT") and entry["st_value"]:
                local = entry["st_info"]["bind"] == "STB_LOCAL"
                where = file if local else None
                yield Symbol(entry.name, entry["st_value"], entry["st_size"], kind, where)

    def _relocate(self, elf, section):
        """Does what the loader does at address 0."""
        named = elf.get_section(section["sh_link"])
        for entry in section.iter_relocations():
            kind, place = entry["r_info_type"], entry["r_offset"]
            if kind == RELATIVE[self.processor]:
                value = entry["r_addend"]
            elif kind in (*OF_SYMBOL[self.processor], OF_SUM[self.processor]):
                symbol = named.get_symbol(entry["r_info_sym"])
                more = entry["r_addend"] if kind == OF_SUM[self.processor] else 0
                value = symbol["st_value"] + more
                if not symbol["st_value"]:
                    value = OUTSIDE + 16 * len(self.outside)
                    self.outside[value] = symbol.name
            else:
                raise ValueError(f"a relocation of kind {kind}")
            self.pointers[place] = value
            data, at, _ = self._segment(place)
            data[at : at + POINTER] = value.to_bytes(POINTER, "little")

    def _segment(self, address):
        for start, data, writable in self._segments:
            if start <= address < start + len(data):
                return data, address - start, writable
        raise IndexError(f"nothing is at {address:#x}")

    def read(self, address, size):
        """Returns bytes of the library, which no function may have changed."""
        data, at, writable = self._segment(address)
        if at + size > len(data):
            raise IndexError(f"{size} bytes at {address:#x} go over an end")
        if writable and address not in self.pointers and not self._is_constant(address):
            raise IndexError(f"{address:#x} is a variable of the library, which may have any value")
        return bytes(data[at : at + size])

    def _is_constant(self, address):
        """Tells whether an address is in an object with pointers, which is constant once it is
        loaded."""
        return any(
            s.kind == "STT_OBJECT" and s.address <= address < s.address + s.size
            for s in self.symbols
        )

    def code(self, address):
        """Returns at most 15 bytes of code."""
        data, at, _ = self._segment(address)
        return bytes(data[at : at + 15])

    def patched(self, address, value):
        """Changes one byte of code, for a mutation."""
        data, at, _ = self._segment(address)
        data[at] = value

    def named(self, name):
        """Returns the symbol of a name; `name.file` where several files have one of that name."""
        found = self._by_name.get(name, [])
        if not found and "." in name:
            name, _, file = name.rpartition(".")
            found = [symbol for symbol in self._by_name.get(name, []) if symbol.file == file]
        if not found or len({symbol.address for symbol in found}) > 1:
            raise LookupError(f"the library has {len(found)} symbols {name}")
        return found[0]

    def has(self, name):
        """Tells whether there is a symbol of a name."""
        return name in self._by_name

    def function_at(self, address):
        """Returns the function in which an address is, or None."""
        at = bisect.bisect(self._places, address) - 1
        symbol = self._by_place[self._places[at]] if at >= 0 else None
        return symbol if symbol and address < symbol.address + symbol.size else None

    def where(self, address):
        """Returns the name of a function and an offset in it."""
        symbol = self.function_at(address)
        return f"{symbol.name}+{address - symbol.address:#x}" if symbol else f"{address:#x}"

    def functions(self):
        """Returns all functions, by their addresses."""
        return [self._by_place[place] for place in self._places]
