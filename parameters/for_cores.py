# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the cores in SystemVerilog and the kernels of hardware from C have of the levels."""


def chosen(levels, value, name="level"):
    """Returns an expression of SystemVerilog: the value of the level called name."""
    values = [(one.level, value(one)) for one in levels]
    # The last value needs no condition, nor do those before it that are the same.
    while len(values) > 1 and values[-2][1] == values[-1][1]:
        del values[-2]
    *others, last = values
    words = "".join(f"{name} == {level} ? {number} : " for level, number in others)
    return f"{words}{last[1]}"


def function(name, levels, value, comment=""):
    about = f"  // {comment}" if comment else ""
    return [
        f"  function automatic int {name}(int level);{about}",
        f"    return {chosen(levels, value)};",
        "  endfunction",
    ]


def counter_bits(level):
    """A counter has one bit more than T and the weight need: its top bit says "at least T"."""
    slope, constant, _ = level.rule
    return max(int(slope * level.r + constant), level.d).bit_length() + 1


def bike_package(table):
    levels = table.levels["bike"]
    return {
        "levels": [
            *function("r_bits", levels, lambda one: one.r),
            *function("weight_d", levels, lambda one: one.d, "weight of h0 and of h1"),
            *function("weight_t", levels, lambda one: one.t, "weight of the error"),
        ],
        "thresholds": [
            *function("threshold_a", levels, lambda one: one.core_threshold.constant),
            *function("threshold_b", levels, lambda one: one.core_threshold.slope),
            *function("threshold_shift", levels, lambda one: one.core_threshold.shift),
            *function("threshold_min", levels, lambda one: one.core_threshold.least),
        ],
        "counters": function("counter_bits", levels, counter_bits),
    }


def hqc_package(table):
    levels = table.levels["hqc"]
    return {
        "levels": [
            *function("n_bits", levels, lambda one: one.n),
            *function("n1_symbols", levels, lambda one: one.n1, "of a Reed-Solomon codeword"),
            *function(
                "rm_copies", levels, lambda one: one.copies, "of a Reed-Muller word of 128 bits"
            ),
            *function("message_bytes", levels, lambda one: one.k, "k; of sigma, too"),
        ],
        "weights": [
            *function("weight_key", levels, lambda one: one.weight, "of x and of y"),
            *function("weight_error", levels, lambda one: one.weight_r, "of r1, of r2 and of e"),
        ],
        "barrett": function("barrett_factor", levels, lambda one: one.barrett, "floor(2^32 / n)"),
    }


def masked_package(table):
    return {name: hqc_package(table)[name] for name in ("levels", "weights")}


def hls_bike(table):
    """The kernels of BIKE's inverse and counters have only been tried at these levels."""
    lines = []
    levels = [one for one in table.levels["bike"] if one.category < 5]
    for i, one in enumerate(levels):
        rule = one.software_threshold
        lines += [
            f"{'#elif' if i else '#if'} LEVEL == {one.level}",
            f"enum {{ R = {one.r}, D = {one.d}, T = {one.t}, LEAST = {rule.least} }};",
            f"enum {{ BASE = {rule.constant}, SLOPE = {rule.slope}, RECIPROCAL = "
            f"{rule.multiplier}, RECIPROCAL_SHIFT = {rule.shift} }};",
        ]
    names = " or ".join(str(one.level) for one in levels)
    return [*lines, "#else", f'#error "LEVEL is {names}"', "#endif"]


ABOUT_HQC = {
    "N": "bits of a polynomial",
    "SYMBOLS": "of the Reed-Solomon code",
    "MESSAGE": "symbols of its message",
    "COPIES": "of a Reed-Muller word",
    "WEIGHT": "of x and y",
    "WEIGHT_R": "of r1, r2 and e",
    "BOUND": "candidates from here on are refused: the greatest multiple of N",
}


def hls_hqc(table):
    lines = []
    levels = table.levels["hqc"]
    for i, one in enumerate(levels):
        lines.append(f"{'#elif' if i else '#if'} LEVEL == {one.level}")
        numbers = (one.n, one.n1, one.k, one.copies, one.weight, one.weight_r, one.bound)
        for (name, about), number in zip(ABOUT_HQC.items(), numbers, strict=True):
            text = f"#define {name} {number}"
            lines.append(text if i else f"{text:20} /* {about} */")
    names = ", ".join(str(one.level) for one in levels[:-1])
    return [*lines, "#else", f'#error "LEVEL is {names} or {levels[-1].level}"', "#endif"]


def device_lengths(table):
    """The lengths of the KEMs of the simulated system."""
    return [
        f'  if (kem == "{kem.name}") return {{{", ".join(str(kem.sizes[key]) for key in KEYS)}}};'
        for kem in table.current("bike", "hqc")
    ]


KEYS = ("public_key", "secret_key", "ciphertext", "keypair_seed", "encaps_seed")


def files(_table, _root):
    return {}


def regions(table, _root):
    return {
        "hardware/rtl/bike/bike_pkg.sv": bike_package(table),
        "hardware/rtl/hqc/hqc_pkg.sv": hqc_package(table),
        "hardware/rtl/masked/masked_hqc_pkg.sv": masked_package(table),
        "hardware/soc/sim/soc_device.cpp": {"lengths": device_lengths(table)},
        "hls/kernels/bike_parameters.h": {"levels": hls_bike(table)},
        "hls/kernels/hqc_parameters.h": {"levels": hls_hqc(table)},
    }
