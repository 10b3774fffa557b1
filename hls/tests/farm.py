# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Many cores in one model of Verilator, which all run at once: a second for each is too long.

Modules of different designs must have different names.
"""

import ctypes

from codekem_hls import simulate, wrapper
from codekem_hls.harness import COMMON, HEAD, argument_lines
from codekem_hls.ir import Array


def text_of(designs):
    """Returns the module around all cores; the ports of core 3 begin with k3_."""
    ports = ["input logic clk_i", "input logic clear_i", "input logic start_i"]
    bodies = []
    for place, design in enumerate(designs):
        pins = [".clk_i", ".clear_i", ".start_i"]
        for direction, name, bits in wrapper.ports(design.top.function)[3:]:
            size = f"[{bits - 1}:0] " if bits > 1 else ""
            ports.append(f"{direction} logic {size}k{place}_{name}")
            pins.append(f".{name}(k{place}_{name})")
        bodies.append(f"  {design.module} u_{place} ({', '.join(pins)});")
    texts = [design.text for design in designs]
    head = "module farm (\n  " + ",\n  ".join(ports) + "\n);"
    return "\n".join([*texts, head, *bodies, "endmodule", ""])


def harness_of(designs):
    """Returns the C++ that runs all cores: at[core][argument], the last one is the result."""
    scalars: list[str] = []
    before: list[str] = []
    after: list[str] = []
    results, memories = [], []
    for place, design in enumerate(designs):
        function = design.top.function
        for i in range(len(function.arguments) + 1):
            memories.append(f"  uint8_t *h{place}_{i} = at[{place}][{i}];")
        given, first, second = argument_lines(function, f"h{place}_", f"hls_m.k{place}_")
        scalars += given
        before += first
        after += second
        pin = f"hls_m.k{place}_result_o"
        last = f"memcpy(h{place}_{len(function.arguments)}, &{pin}, sizeof {pin});"
        keep = last if function.return_width else ""
        done = f"hls_m.k{place}_done_o && !cycles[{place}]"
        results.append(f"    if ({done}) {{ cycles[{place}] = cycle; {keep} }}")
    lines = [
        'extern "C" void run_all(uint64_t end, uint64_t seed, uint8_t ***at, uint64_t *cycles) {',
        "  random_state = seed;",
        "  VerilatedContext context;",
        "  context.randReset(2);",
        "  context.randSeed(static_cast<int>(seed % 0x7fffffff + 1));",
        "  Vfarm hls_m(&context);",
        *memories,
        "  hls_m.clk_i = 0; hls_m.start_i = 0; hls_m.clear_i = 1;",
        *scalars,
        "  hls_m.eval(); hls_m.clk_i = 1; hls_m.eval();",
        "  hls_m.clk_i = 0; hls_m.clear_i = 0; hls_m.eval();",
        "  hls_m.start_i = 1;",
        "  for (uint64_t cycle = 0; cycle <= end; cycle++) {",
        "    hls_m.eval();",
        *results,
        *before,
        "    hls_m.clk_i = 1; hls_m.eval();",
        "    hls_m.start_i = 0;",
        *after,
        "    hls_m.eval(); hls_m.clk_i = 0; hls_m.eval();",
        "  }",
        "}",
    ]
    return HEAD + '#include "Vfarm.h"\n' + COMMON + "\n".join(lines) + "\n"


class Farm:
    """Cores that run together."""

    def __init__(self, designs, folder):
        folder.mkdir(parents=True, exist_ok=True)
        folder = folder.resolve()
        self.designs = designs
        (folder / "farm.sv").write_text(text_of(designs), encoding="ascii")
        model = folder / "farm"
        simulate.verilate(folder / "farm.sv", "farm", model, strict=True)
        self.library = simulate.compiled(folder, [model], [harness_of(designs)])

    def run(self, inputs, seed=1):
        """Runs all cores once, each with its inputs; returns (cycles, arrays, result) of each."""
        whole, rows, ends = [], [], []
        for design, values in zip(self.designs, inputs, strict=True):
            function = design.top.function
            buffers = []
            for one in function.arguments:
                size = simulate.model_bytes(one.width)
                several = values[one.name] if isinstance(one, Array) else [values[one.name]]
                data = simulate.to_bytes(several, one.width, size)
                buffers.append(ctypes.create_string_buffer(data, len(data)))
            buffers.append(ctypes.create_string_buffer(64))
            pointers = (ctypes.c_void_p * len(buffers))(*map(ctypes.addressof, buffers))
            whole.append(buffers)
            rows.append(pointers)
            ends.append(design.latency({k: v for k, v in values.items() if isinstance(v, int)}))
        table = (ctypes.c_void_p * len(rows))(*map(ctypes.addressof, rows))
        cycles = (ctypes.c_uint64 * len(rows))()
        self.library.run_all(ctypes.c_uint64(max(ends) + 16), ctypes.c_uint64(seed), table, cycles)
        found = []
        for design, buffers, count in zip(self.designs, whole, cycles, strict=True):
            function = design.top.function
            arrays = {
                one.name: simulate.from_bytes(
                    buffer.raw, one.width, simulate.model_bytes(one.width)
                )
                for one, buffer in zip(function.arguments, buffers, strict=False)
                if isinstance(one, Array)
            }
            result = None
            if function.return_width:
                result = int.from_bytes(buffers[-1].raw, "little") % (1 << function.return_width)
            found.append((count, arrays, result))
        return found
