# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What the C sources read: lists of rings, levels and KEMs, and the constants of each level."""

from parameters.notice import C_NOTICE
from parameters.power_plans import plans_of

BOOL = {False: "false", True: "true"}


def listed(name, arguments, uses, comment):
    """Returns the lines of a macro that has another one, `use`, work on each row."""
    lines = [f"/* {comment} */", f"#define {name}(use) \\"]
    lines += [f"  {use} \\" for use in uses[:-1]]
    return [f"/* use({arguments}): {comment} */", *lines[1:], f"  {uses[-1]}" if uses else ""]


def header(guard, about, *parts):
    """Returns the text of a header from parts, each some lines."""
    lines = [*C_NOTICE, f"/* {about} */", f"#ifndef {guard}", f"#define {guard}"]
    for part in parts:
        lines += ["", *part]
    return "\n".join([*lines, "", "#endif", ""])


def defined(values):
    """Returns the lines that define constants by their names."""
    return [f"#define {name} {value}" for name, value in values.items()]


def rings_header(table):
    inverted, others = table.rings
    planned = [f"use({r}, {max(plan[4] for plan in plans_of(r))})" for r in inverted]
    comment = "every ring with power plans, and the blocks of the largest"
    return header(
        "CODEKEM_GF2X_RINGS_H",
        "The rings, by the bits of their elements.",
        listed("GF2X_RINGS", "r_bits", [f"use({r})" for r in inverted + others], "every ring"),
        listed("GF2X_PLANNED_RINGS", "r_bits, blocks", planned, comment),
    )


def rings_source(table):
    inverted, others = table.rings
    lines = [*C_NOTICE, "/* The rings and their power plans. */", '#include "gf2x/gf2x.h"']
    for r in inverted:
        lines += ["", f"static const struct gf2x_power_plan plans_{r}[] = {{"]
        lines += ["    {%d, %d, %d, %d, %d, %d}," % plan for plan in plans_of(r)]
        lines += ["};", *ring(r, plans=True)]
    for r in others:
        lines += ring(r, plans=False)
    return "\n".join([*lines, ""])


def ring(r, plans):
    lines = ["", f"const struct gf2x_ring ckem_gf2x_ring_{r} = {{", f"    .r_bits = {r},"]
    lines += [f"    .{kind} = GF2X_{kind.upper()}({r})," for kind in ("words", "stride", "bytes")]
    if plans:
        count = f"sizeof plans_{r} / sizeof plans_{r}[0]"
        lines += [f"    .plans = plans_{r},", f"    .plan_count = {count},"]
    return [*lines, "};"]


def bike_level(level):
    rule = level.software_threshold
    values = {
        "R": level.r,
        "D": level.d,
        "T": level.t,
        "PLANES": level.planes,
        "THRESHOLD_CONSTANT": rule.constant,
        "THRESHOLD_SLOPE": rule.slope,
        "THRESHOLD_MULTIPLIER": rule.multiplier,
        "THRESHOLD_SHIFT": rule.shift,
        "THRESHOLD_MINIMUM": rule.least,
        "MOST_LOWER": level.most_lower,
        "UNIFORM_DRAWS": level.uniform_draws,
        "CATEGORY": level.category,
    }
    return defined({f"BIKE_{key}_{level.level}": value for key, value in values.items()})


def bike_header(table):
    levels = table.levels["bike"]
    return header(
        "CODEKEM_BIKE_BIKE_LEVELS_H",
        "The levels and the KEMs of BIKE; struct bike_params says what the constants are.",
        *[bike_level(level) for level in levels],
        listed("BIKE_LEVELS", "level", [f"use({one.level})" for one in levels], "every level"),
        bike_kems(table, "BIKE_KEMS", "kem", "every KEM of libcodekem"),
    )


def bike_kems(table, name, library, comment):
    return listed(
        name,
        "object, name, level, version, superseded, bind, uniform",
        [
            f'use({kem.c_name}, "{kem.name}", {kem.level}, "{kem.version}", '
            f"{BOOL[kem.superseded]}, {BOOL[kem.revision['bind']]}, "
            f"{BOOL[kem.revision['uniform']]})"
            for kem in table.kems
            if kem.scheme == "bike" and kem.library == library
        ],
        comment,
    )


def hqc_level(level):
    values = {
        "N": level.n,
        "N1": level.n1,
        "K": level.k,
        "COPIES": level.copies,
        "CODE_BITS": level.code_bits,
        "WEIGHT": level.weight,
        "WEIGHT_R": level.weight_r,
        "SAMPLE_BOUND": level.bound,
        "BARRETT": level.barrett,
        "CATEGORY": level.category,
    }
    return defined({f"HQC_{key}_{level.level}": value for key, value in values.items()})


def hqc_header(table):
    levels = table.levels["hqc"]
    codes = {(one.n1, one.k): one for one in levels}
    return header(
        "CODEKEM_HQC_HQC_LEVELS_H",
        "The levels, codes and KEMs of HQC; struct hqc_params says what the constants are.",
        *[hqc_level(level) for level in levels],
        *[generator(code) for code in codes.values()],
        listed("HQC_LEVELS", "level", [f"use({one.level})" for one in levels], "every level"),
        listed(
            "HQC_CODES",
            "length, message_bytes",
            [f"use({n1}, {k})" for n1, k in codes],
            "every Reed-Solomon code",
        ),
        hqc_kems(table, "HQC_KEMS", "kem", "every KEM of libcodekem"),
        *[
            hqc_kems(table, f"{source.upper()}_KEMS", "kem", f"those of {source}.c", source)
            for source in dict.fromkeys(source_of(kem) for kem in table.kems if source_of(kem))
        ],
    )


def source_of(kem):
    """Returns the file of a revision that has one of its own, or None."""
    return kem.revision.get("source")


def generator(code):
    numbers = [str(number) for number in code.generator]
    rows = [", ".join(numbers[i : i + 16]) for i in range(0, len(numbers), 16)]
    lines = [f"#define HQC_GENERATOR_{code.n1}_{code.k} \\", "  { \\"]
    lines += [f"    {row}, \\" for row in rows]
    return [*lines, "  }"]


def hqc_kems(table, name, library, comment, source=None):
    def sampling(kem):
        return f", {BOOL[kem.revision['sampling'] == 'v5.0.0']}" if library == "kem" else ""

    return listed(
        name,
        "object, name, level, version, superseded" + (", tag_5_0_0" if library == "kem" else ""),
        [
            f'use({kem.c_name}, "{kem.name}", {kem.level}, "{kem.version}", '
            f"{BOOL[kem.superseded]}{sampling(kem)})"
            for kem in table.kems
            if kem.scheme == "hqc" and kem.library == library and source_of(kem) == source
        ],
        comment,
    )


def legacy_header(table):
    return header(
        "CODEKEM_LEGACY_LEGACY_LEVELS_H",
        "The KEMs of codekem-legacy.",
        bike_kems(table, "LEGACY_BIKE_KEMS", "legacy", "every one of BIKE"),
        hqc_kems(table, "LEGACY_HQC_KEMS", "legacy", "every one of HQC"),
    )


def mceliece_header(table):
    levels = table.levels["mceliece"]
    parts = []
    for one in levels:
        values = {
            "M": one.m,
            "N": one.n,
            "T": one.t,
            "TAU": one.tau,
            "TERMS": len(one.f),
            "LOW": "{%s}" % ", ".join(one.f),
            "LOW_VALUE": "{%s}" % ", ".join(map(str, one.f.values())),
            "CATEGORY": one.category,
        }
        parts.append(
            defined({f"MCELIECE_{key}_{one.level}": value for key, value in values.items()})
        )
    return header(
        "CODEKEM_MCELIECE_MCELIECE_SETS_H",
        "The parameter sets of Classic McEliece; struct mceliece_params says what they are.",
        *parts,
        listed("MCELIECE_SETS", "size", [f"use({one.level})" for one in levels], "every set"),
        listed(
            "MCELIECE_KEMS",
            "object, name, size, form, version, superseded, semi_systematic, confirms",
            [
                f'use({kem.c_name}, "{kem.name}", {kem.level}, {"pc" if kem.confirms else ""}, '
                f'"{kem.version}", {BOOL[kem.superseded]}, '
                f"{BOOL[kem.revision['semi_systematic']]}, {BOOL[kem.confirms]})"
                for kem in table.kems
                if kem.scheme == "mceliece"
            ],
            "every KEM",
        ),
    )


def kem_list(table, library, about):
    """Returns a table that CMake reads, too: a KEM has a line."""
    lines = [*C_NOTICE, "/*", *[f" *{' ' + line if line else ''}" for line in about], " */"]
    lines += [f'KEM({kem.c_name}, "{kem.name}")' for kem in table.kems if kem.library == library]
    return "\n".join([*lines, ""])


def files(table, _root):
    """Returns the texts by their paths."""
    src = "src/"
    return {
        src + "kem/gf2x/rings.h": rings_header(table),
        src + "kem/gf2x/gf2x_rings.c": rings_source(table),
        src + "kem/bike/bike_levels.h": bike_header(table),
        src + "kem/hqc/hqc_levels.h": hqc_header(table),
        src + "legacy/legacy_levels.h": legacy_header(table),
        src + "mceliece/mceliece_sets.h": mceliece_header(table),
        src + "kem/kems.def": kem_list(
            table,
            "kem",
            [
                "The table of the library's KEMs: the object that describes each (codekem.h), and",
                "its name.",
                "",
                "src/kem/codekem.c includes it with KEM defined; cmake/kems.cmake reads it.",
            ],
        ),
        src + "mceliece/kems.def": kem_list(
            table,
            "mceliece",
            [
                "The table of codekem-mceliece's KEMs: the object that describes each, and its",
                "name.",
                "",
                "src/mceliece/mceliece_kems.c includes it with KEM defined; cmake/kems.cmake reads",
                "it.",
            ],
        ),
    }


def regions(_table, _root):
    return {}
