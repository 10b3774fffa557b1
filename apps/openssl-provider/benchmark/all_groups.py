#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Measures TLS handshakes with every group: a line for each on standard output, all in a JSON file.

usage: all_groups.py BUILD-FOLDER [--output FILE] [--seconds S] [--rounds N] [--oqsprovider MODULE]
                     [--suffix TEXT] [GROUP...]

Every group of the provider beside X25519, X25519MLKEM768 where OpenSSL has it, and oqs-provider's
groups if its module is named. Implementations of a group are measured alternately, in rounds; the
row is the round with the median rate. The load of the machine before each row tells how far to
trust it; the processor times for one handshake suffer least from others.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

from parameters.table import TABLE
from tools import artefacts, stored_results

KEMS = {
    kem.name.replace("-", "").lower(): [half for half in kem.tls if half != "alone"]
    for kem in TABLE.current("bike", "hqc")
    if kem.tls
}
GROUPS = [name for kem, halves in KEMS.items() for name in [kem, *[f"{h}_{kem}" for h in halves]]]
QUIET_LOAD = 1.0  # before the first row; then the measurement itself keeps two cores busy
BUSY_NOTE = (
    "quick figures: the machine was busy with other work, so rates are too low and latencies "
    "too long; compare the processor times, and measure again on a quiet machine"
)
CLASSICAL = ["X25519", "X25519MLKEM768"]


def implementations(group, build, oqsprovider):
    """Returns {name: options} of what may have this group."""
    if group in CLASSICAL:
        return {"openssl": []}
    found = {"codekem": ["--provider", "codekem", "--module-path", build / "ossl-modules"]}
    if oqsprovider is not None:
        found["oqsprovider"] = ["--provider", oqsprovider.stem, "--module-path", oqsprovider.parent]
    return found


def measure(build, group, implementation, options, seconds):
    """Returns a row, or None if this implementation does not have the group."""
    load = os.getloadavg()[0]
    done = subprocess.run(
        [
            build / "bin" / "codekem_handshakes",
            "--group",
            group,
            "--implementation",
            implementation,
            "--seconds",
            str(seconds),
            *options,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        # Not known, or known and switched off for TLS, as oqs-provider's bikel1 is.
        if not re.search("choosing the group failed|no suitable groups", done.stderr):
            sys.exit(f"{group} by {implementation}: {done.stderr}")
        return None
    return json.loads(done.stdout) | {"load_before": round(load, 2)}


def describe(rows):
    """Returns the document that is stored: where, when and how the rows were measured."""
    cpu = (
        re.search(
            r"^model name\s*:\s*(.*)$",
            pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
        if os.path.exists("/proc/cpuinfo")
        else None
    )
    version = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=False)
    loads = [row["load_before"] for row in rows]
    busy = min(loads) > QUIET_LOAD or max(loads) > QUIET_LOAD + 2
    note = BUSY_NOTE if busy else "measured on a quiet machine"
    return {
        "about": "TLS 1.3 over loopback: apps/openssl-provider/benchmark/all_groups.py",
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "processor": cpu.group(1) if cpu else platform.machine(),
        "cores": os.cpu_count(),
        "openssl": version.stdout.strip(),
        "note": note,
        "rows": rows,
    }


def keep(document, build, path):
    """Writes the document of what was measured in a build's folder."""
    document |= {"compiler": artefacts.version_of("gcc")}
    document |= {"made_from": stored_results.made_from("tls", document, folder=build)}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("groups", nargs="*", default=[*CLASSICAL, *GROUPS])
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--oqsprovider", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--suffix", default="", help="what to add to the names of implementations")
    options = parser.parse_intermixed_args()
    build = options.build.resolve()
    if not (build / "bin" / "codekem_handshakes").exists():
        sys.exit(f"{build} has no bin/codekem_handshakes: run make build")
    results = []
    for group in options.groups:
        rows = {}
        for _ in range(options.rounds):
            for name, more in implementations(group, build, options.oqsprovider).items():
                row = measure(build, group, name, more, options.seconds)
                if row is not None:
                    rows.setdefault(name, []).append(row)
        print(f"{group}: {', '.join(rows) or 'nobody has it'}", file=sys.stderr)
        for found in rows.values():
            found.sort(key=lambda row: row["handshakes_per_second"])
            results.append(found[len(found) // 2])
            results[-1]["implementation"] += options.suffix
            print(json.dumps(results[-1]), flush=True)
    if options.output is not None:
        keep(describe(results), build, options.output)


if __name__ == "__main__":
    main()
