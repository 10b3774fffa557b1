# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The lines and branches of src that C programs and known answers reach, by gcov, for
tools/baseline.py.

All is built with the preset `coverage`, and run with the back ends of this processor: the unit
tests in C; the records and altered inputs of all KEMs that need no OpenSSL; a record of each set of
Classic McEliece; the self-test of the command, which also signs; batches beside single calls; what
headers promise of failures.
"""

import json
import os
import pathlib
import re

from parameters.table import TABLE
from tools import known_answers

SETS = tuple(kem.name for kem in TABLE.current("mceliece") if not kem.confirms)
KEMS = (
    *[kem.name for kem in TABLE.current("bike")],
    *("BIKE-L1-v4.2-sha3", "BIKE-L1-v4.2-sha3-bind"),
    *[kem.name for kem in TABLE.current("hqc")],
    *[kem.name for kem in TABLE.kems if kem.scheme == "hqc" and kem.library == "legacy"],
)
CONTRACTS = (
    *("BIKE-L1", "HQC-1", "HQC-128-2023", "BIKE-L1-v4.2-sha3-bind", "mceliece348864", "SOFIA"),
)


def processor():
    """Says which instructions of the fast back ends there are: elsewhere other lines are
    reached."""
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    flags = set(re.findall(r"flags\s*:(.*)", text)[0].split())
    wanted = ("avx2", "pclmulqdq", "avx512f", "avx512_vbmi2", "vpclmulqdq", "gfni")
    return " ".join(flag for flag in wanted if flag in flags)


def programs(bin_folder, backends):
    """Yields commands, their inputs, and the back end that the environment asks for, if any."""
    for path in sorted(bin_folder.glob("test_*")):
        yield (path,), None, None
    yield (bin_folder / "codekem", "selftest"), None, None
    for backend in backends:
        slow = backend == "reference"
        for kem in KEMS[::5] if slow else KEMS:
            text = known_answers.text_of(kem, 1 if slow else None)
            yield (bin_folder / "kat_check", backend), text.encode(), None
        for kem in ("BIKE-L1", "HQC-1"):
            yield (bin_folder / "conformance", backend, kem, "2" if slow else "3"), None, None
        for kem in ("mceliece348864f",) if slow else SETS:
            words = ("kat", "--kem", kem, "--count", "1", "--backend", backend)
            yield (bin_folder / "codekem", *words), None, None
    for scheme in CONTRACTS:
        yield (bin_folder / "contract_check", scheme), None, None
    yield (bin_folder / "contract_check", *CONTRACTS), None, "nothing"


def add(found, source, counts):
    """Enters the counts of gcov for a source in one object. A line or a branch of a header is
    reached if it is so in one of the objects."""
    lines, branches = found.setdefault(source, ({}, {}))
    for line in counts["lines"]:
        place = line["line_number"], line.get("function_name")
        lines[place] = lines.get(place, False) or line["count"] > 0
        for number, branch in enumerate(line["branches"]):
            one = (*place, number)
            branches[one] = branches.get(one, False) or branch["count"] > 0


def take(root, folder, run):
    """Builds, runs and counts; returns {source: what was reached}. run: that of
    tools/baseline_parts.py."""
    # At -O1 gcc warns of values that its AVX-512 intrinsics fill; the command is linked by g++,
    # whose flags are not in the preset.
    more = ("-DCODEKEM_WERROR=OFF", "-DCMAKE_EXE_LINKER_FLAGS=--coverage")
    run("cmake", "--preset", "coverage", "-B", folder, *more)
    jobs = str(os.cpu_count() or 1)
    run("cmake", "--build", folder, "-j", jobs, "--target", "codekem_tests", "codekem")
    for path in folder.rglob("*.gcda"):
        path.unlink()
    backends = run(folder / "bin" / "codekem", "list", "--backends").decode().split()
    for command, data, backend in programs(folder / "bin", backends):
        chosen = {"CODEKEM_CPU": backend} if backend else {}
        run(*command, data=data, environment=os.environ | chosen)
    counted = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.gcda"))
    found = {}
    for line in run("gcov", "-b", "--json-format", "--stdout", *counted, folder=folder).split(
        b"\n"
    ):
        for counts in json.loads(line)["files"] if line else ():
            source = (folder / counts["file"]).resolve()
            if source.is_relative_to(root / "src"):
                add(found, source.relative_to(root).as_posix(), counts)
    return {
        source: f"{sum(lines.values())} of {len(lines)} lines, "
        f"{sum(branches.values())} of {len(branches)} branches"
        for source, (lines, branches) in found.items()
    }
