# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks the shares of the profile against profilers that know nothing of its clocks.

callgrind counts the instructions of each function (valgrind; not for AVX-512); perf samples the
stack many times a second, where the kernel allows it. Neither sees whose hash a permutation for two
hashes works for, so the comparison is by groups of parts.
"""

import collections
import pathlib
import re
import shutil
import subprocess
import tempfile

from codekem_base.errors import EvaluationError
from codekem_base.kems import is_hqc
from codekem_evaluation.profile_samples import OPERATIONS, REST

ENTRY_POINTS = {
    "keygen": "codekem_kem_keypair_with",
    "encaps": "codekem_kem_encaps_with",
    "decaps": "codekem_kem_decaps",
}

STACK_ROOT = "ckem_kem_run"

# Group: the functions of the library that belong to it, if none of their callers is in a group.
FUNCTIONS = {
    "inversion": r"gf2x_invert",
    "decoding": r"bike_decode",
    "sampling": r"bike_sample_\w+|prf_(open|words|close)|hqc_sample_(rejection\w*|fixed)"
    r"|(pick_distinct|set_positions)_\w+",
    "hashing": r"keccak_\w+|hash_(open|absorb|absorb_pair|close)|hqc_(sample|end)_uniform",
    "multiplication": r"(mul|mul_add|square_times)_[a-z0-9]+",
    "codes": r"reed_(muller|solomon)_\w+",
    "bytes": r"gf2x_(en|de)code",
    "wiping": r"secure_wipe\w*",
}

# The group of each part of the profile.
PARTS = {
    "inversion": "inversion",
    "decoding": "decoding",
    "multiplication": "multiplication",
    "PRNG": "sampling",
    "sampling": "sampling",
    "bytes": "bytes",
    "wiping": "wiping",
    "G function": "hashing",
    "I function": "hashing",
    "J function": "hashing",
    "K function": "hashing",
    "L function": "hashing",
    "XOF": "hashing",
    "Reed-Muller encoding": "codes",
    "Reed-Muller decoding": "codes",
    "Reed-Solomon encoding": "codes",
    "Reed-Solomon decoding": "codes",
    REST: REST,
}

CLONE = re.compile(r"(\.(isra|constprop|part|cold|lto_priv)(\.\d+)*)+$|'\d+$")


def group_of_function(name):
    """Returns the group of a function, or None."""
    plain = CLONE.sub("", name).removeprefix("ckem_")
    for group, pattern in FUNCTIONS.items():
        if re.fullmatch(pattern, plain):
            return group
    return None


def group_of_part(kem, part):
    if part == "H function":  # BIKE draws the error with it, HQC hashes the public key
        return "sampling" if not is_hqc(kem) else "hashing"
    return PARTS[part]


def grouped_shares(entry, operation):
    """Returns {group: share} of one operation from the rows of the profile."""
    shares = collections.Counter()
    for row in entry["rows"]:
        if row["operation"] == operation:
            shares[group_of_part(entry["kem"], row["part"])] += row["share"]
    return dict(shares)


def run(command, what, hint):
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise EvaluationError(f"{what} cannot run: {error.strerror}; {hint}") from error
    if done.returncode != 0:
        raise EvaluationError(f"{what} failed; {hint}:\n{done.stderr[-1500:]}")
    return done.stdout


# --- callgrind -----------------------------------------------------------------------------------


def read_callgrind(text):
    """Returns ({function: its own cost}, {(caller, callee): cost of the calls}) of a profile.

    Source: the format of callgrind's files, valgrind's manual, "Callgrind Format Specification".
    """
    names = {}
    own, calls = collections.Counter(), collections.Counter()
    function = callee = None

    def resolve(compressed):
        ((number, _, name),) = re.findall(r"^(\(\d+\))( (.*))?$", compressed)
        if name:
            names[number] = name.strip()
        return names[number]

    for line in text.splitlines():
        if line.startswith("fn="):
            function = resolve(line[3:])
        elif line.startswith("cfn="):
            callee = resolve(line[4:])
        elif re.match(r"[+\-*\d]", line) and function is not None:
            cost = int(line.split()[-1])
            if callee is not None:  # the line behind "calls="
                calls[function, callee] += cost
                callee = None
            else:
                own[function] += cost
    return own, calls


def shares_of_calls(own, calls, root):
    """Gives each group the cost of the calls to it from functions that no group holds."""
    callees = collections.defaultdict(set)
    for caller, callee in calls:
        callees[caller].add(callee)
    if root not in callees:
        raise EvaluationError(f"the profile does not show {root}; is the program stripped?")
    free, waiting = {root}, [root]  # reached from the root, and outside all groups
    costs = collections.Counter()
    while waiting:
        caller = waiting.pop()
        for callee in callees[caller]:
            group = group_of_function(callee)
            if group is not None:
                costs[group] += calls[caller, callee]
            elif callee not in free:
                free.add(callee)
                waiting.append(callee)
    total = sum(own.values())
    costs[REST] = total - sum(costs.values())
    return {group: cost / total for group, cost in costs.items()}


def callgrind_shares(program, kem, backend, operation, count=1):
    """Returns {group: share of the instructions} of one operation."""
    if backend == "avx512":
        raise EvaluationError("valgrind does not know AVX-512; use perf for this back end")
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "callgrind.out"
        run(
            [
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={out}",
                "--compress-pos=no",
                f"--toggle-collect={ENTRY_POINTS[operation]}",
                program,
                kem,
                backend,
                operation,
                str(count),
            ],
            "callgrind",
            "it is in the package valgrind",
        )
        own, calls = read_callgrind(out.read_text())
        return shares_of_calls(own, calls, ENTRY_POINTS[operation])


# --- perf ----------------------------------------------------------------------------------------


def read_stacks(text, root):
    """Returns {group: samples} of what `perf script -F ip,sym` prints: stacks, innermost first.

    root is the function nearest to the entry point that perf can see: it copies the top of the
    stack, and the working memory of the call lies between the two.
    """
    samples = collections.Counter()
    for block in text.split("\n\n"):
        functions = [line.split()[1] for line in block.splitlines() if len(line.split()) > 1]
        if root not in functions:
            continue
        inside = functions[: functions.index(root)]
        groups = [group_of_function(name) for name in reversed(inside)]
        samples[next((group for group in groups if group), REST)] += 1
    return samples


def perf_shares(program, kem, backend, operation, count):
    """Returns {group: share of the samples} of one operation."""
    hint = "it is in the package linux-perf, and needs permission (perf_event_paranoid)"
    if shutil.which("perf") is None:
        raise EvaluationError(f"there is no perf; {hint}")
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "perf.data"
        run(
            [
                "perf",
                "record",
                "-q",
                "-e",
                "cpu-clock:u",
                "-F",
                "2000",
                "--call-graph",
                "dwarf,32768",
                "-o",
                data,
                program,
                kem,
                backend,
                operation,
                str(count),
            ],
            "perf record",
            hint,
        )
        text = run(["perf", "script", "-i", data, "-F", "ip,sym"], "perf script", hint)
    samples = read_stacks(text, STACK_ROOT)
    total = sum(samples.values())
    if total == 0:
        raise EvaluationError(f"perf took no sample of {operation}; run it more often")
    return {group: n / total for group, n in samples.items()}


# --- Comparison ----------------------------------------------------------------------------------


def joined(kem, shares):
    """Returns shares by group. HQC draws and hashes side by side, by Keccak on two states at once,
    which only the profile divides between them: they are one group."""
    if not is_hqc(kem):
        return shares
    both = {"hashing": shares.get("hashing", 0.0) + shares.get("sampling", 0.0)}
    return {group: share for group, share in shares.items() if group != "sampling"} | both


def compare(entry, shares_of):
    """Returns rows {operation, group, profile, other} for all three operations."""
    rows = []
    for operation in OPERATIONS:
        ours = joined(entry["kem"], grouped_shares(entry, operation))
        others = joined(entry["kem"], shares_of(operation))
        for group in [*FUNCTIONS, REST]:
            if group in ours or others.get(group, 0) > 0:
                rows.append(
                    {
                        "operation": operation,
                        "group": group,
                        "profile": ours.get(group, 0.0),
                        "other": others.get(group, 0.0),
                    }
                )
    return rows
