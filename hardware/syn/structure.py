# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A netlist by its structure alone: which cells there are, and what they are connected to.

Nothing has a name but the ports of a module, and the modules that keep their boundary. Cells are
told apart by what they are, then by the cells that drive them, and so on until that tells no more
apart. Netlists of the same digest have as many cells of each kind and give the same outputs for the
same inputs, for cells that nothing tells apart compute the same.
"""

import hashlib
import json

# Attributes that say where something is in the sources or what it is called there, and what Yosys
# has used already.
PASSED = {"src", "hdlname", "full_case", "parallel_case"}
WRITERS = ("$memwr_v2", "$meminit", "$meminit_v2")


def hash_of(*parts):
    return hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=8).hexdigest()


def told(attributes):
    return {name: value for name, value in attributes.items() if name not in PASSED}


class Structure:
    """A module as Yosys' write_json has it: its cells, memories and inputs are nodes.

    modules: {name: module} of all that it may have inside.
    """

    def __init__(self, module, modules):
        self._kinds = []  # of each node what it is
        self._inputs = []  # of each node {port: runs of bits}
        self._writers = {}  # of each memory the nodes that write it
        self._drivers = {}  # of each bit: node, port, index
        self._first = {}  # of each bit that has one: its first value
        for net in module["netnames"].values():
            first = net["attributes"].get("init", "")
            self._first |= dict(zip(net["bits"], reversed(first), strict=False))
        memories = {
            name: self._add("memory", one["width"], one["size"], told(one["attributes"]))
            for name, one in module.get("memories", {}).items()
        }
        ports = module["ports"].items()
        for name, port in ports:
            if port["direction"] == "input":
                self._drive(self._add("input", name), "", port["bits"])
        read = [self._cell(cell, memories, modules) for cell in module["cells"].values()]
        given = {name: port["bits"] for name, port in ports if port["direction"] != "input"}
        for node, bits_of in [*read, (self._add("outputs"), given)]:
            self._inputs[node] |= {port: self._runs(bits) for port, bits in bits_of.items()}

    def _add(self, *kind):
        self._kinds.append(hash_of(kind))
        self._inputs.append({})
        return len(self._kinds) - 1

    def _drive(self, node, port, bits):
        self._drivers |= {bit: (node, port, index) for index, bit in enumerate(bits)}

    def _cell(self, cell, memories, modules):
        """Adds a cell; returns its node and {port: bits} of what it reads."""
        kind, parameters = cell["type"], dict(cell["parameters"])
        memory = memories.get(parameters.pop("MEMID", "").removeprefix("\\"))
        name = [kind.split("$")[0], digest(modules[kind], modules)] if kind in modules else kind
        node = self._add(name, parameters, told(cell["attributes"]))
        if kind in WRITERS:
            self._writers.setdefault(memory, []).append(node)
        elif memory is not None:
            self._inputs[node][""] = [[memory, "", 0, 1]]
        found = {}
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output":
                self._drive(node, port, bits)
            else:
                found[port] = bits
        return node, found

    def _runs(self, bits):
        """Returns bits as [node or None, its port or a constant, the first bit, how many]."""
        runs = []
        for bit in bits:
            constant = bit if isinstance(bit, str) else ""
            node, port, index = self._drivers.get(bit, (None, constant, 0))
            if bit in self._first:
                runs.append([node, port, index, self._first[bit]])
            elif runs and runs[-1][:2] == [node, port] and sum(runs[-1][2:]) == index:
                runs[-1][3] += 1
            else:
                runs.append([node, port, index, 1])
        return runs

    def _name(self, node, names):
        """Returns the name of a node by those of what drives it."""
        found = {
            port: [[None if run[0] is None else names[run[0]], *run[1:]] for run in runs]
            for port, runs in self._inputs[node].items()
        }
        return hash_of(
            names[node], found, sorted(names[one] for one in self._writers.get(node, []))
        )

    def digest(self):
        names, told_apart = self._kinds, 0
        while len(set(names)) > told_apart:
            told_apart = len(set(names))
            names = [self._name(node, names) for node in range(len(names))]
        return hash_of(sorted(names))


def digest(module, modules):
    """Returns the hash of a module, with those below it that keep their boundary."""
    return Structure(module, modules).digest()
