# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What a measurement depends on: machine, build and source. null where it cannot be found out."""

import json
import os
import pathlib
import re

from codekem_base.checkout import output_of, source
from codekem_base.errors import EvaluationError


def first_line(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8").splitlines()[0].strip() or None
    except (OSError, IndexError):
        return None


# What tells processors apart that have one name ("AMD EPYC" in a virtual machine), as Linux calls
# it on x86 and on Arm.
IDENTITY = {
    "vendor": ("vendor_id", "CPU implementer"),
    "family": ("cpu family", "CPU architecture"),
    "model": ("model", "CPU part"),
    "variant": ("CPU variant",),
    "stepping": ("stepping", "CPU revision"),
}


def identity(features, core=None, file="/proc/cpuinfo"):
    """Returns {name: value} of IDENTITY for a core, with its instruction sets; None if the system
    does not tell enough."""
    try:
        text = pathlib.Path(file).read_text(encoding="utf-8")
    except OSError:
        return None
    blocks = [
        {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
        for lines in (block.splitlines() for block in text.split("\n\n"))
    ]
    blocks = [block for block in blocks if "processor" in block]
    mine = [block for block in blocks if block["processor"] == str(core or 0)]
    found = {
        name: block[key]
        for block in (mine or blocks)[:1]
        for name, keys in IDENTITY.items()
        for key in keys
        if key in block
    }
    if not {"vendor", "family", "model", "stepping"} <= set(found):
        return None
    return {**found, "features": sorted(features)}


def share_of_fastest(core, others, root="/sys/devices/system/cpu"):
    """Returns the speed of a core over that of the fastest one, as the system ranks them: some
    processors have slow cores, too. None if it does not tell."""
    for name in ("cpu_capacity", "cpufreq/cpuinfo_max_freq"):
        found = {each: first_line(f"{root}/cpu{each}/{name}") for each in {core, *others}}
        if all(found.values()):
            speeds = {each: int(text) for each, text in found.items()}
            return round(speeds[core] / max(speeds.values()), 3)
    return None


def same(one, other):
    """Tells whether two identities are those of one kind of processor; unknown ones are not."""
    return one is not None and one == other


def boost():
    """Whether the clock may go beyond its base, as the two kinds of driver tell."""
    value = first_line("/sys/devices/system/cpu/cpufreq/boost")
    if value is not None:
        return value == "1"
    value = first_line("/sys/devices/system/cpu/intel_pstate/no_turbo")
    return None if value is None else value == "0"


def machine_and_version(build):
    """Returns codekem's own description of the machine: two calls, nearly no time."""
    command = pathlib.Path(build) / "bin" / "codekem"
    text = output_of([command, "speed", "--json", "--kem", "BIKE-L1", "--seconds", "0.001"])
    if text is None:
        raise EvaluationError(
            f"{command} does not run; build it with 'make evaluate' or 'make build'"
        )
    return json.loads(text)["machine"]


def describe(build, core):
    """Returns the parts machine and build of a run."""
    told = machine_and_version(build)
    frequency = f"/sys/devices/system/cpu/cpu{core or 0}/cpufreq/scaling_governor"
    machine = {
        key: told[key]
        for key in ("cpu", "architecture", "features", "logical_cpus", "os", "kernel")
    }
    machine |= {
        "governor": first_line(frequency),
        "boost": boost(),
        "identity": identity(told["features"], core),
        "core": core,
        "core_share": None if core is None else share_of_fastest(core, range(os.cpu_count() or 1)),
        "load": round(os.getloadavg()[0], 2),
    }
    return machine, {
        **source(),
        "compiler": told["compiler"],
        "build_type": told["build_type"],
        "flags": flags(build),
        "codekem": told["codekem"],
    }


def flags(build):
    """Returns the compiler's options, from the cache of CMake."""
    try:
        text = (pathlib.Path(build) / "CMakeCache.txt").read_text(encoding="utf-8")
    except OSError:
        return None
    found = dict(re.findall(r"^(CMAKE_C_FLAGS\w*|CMAKE_BUILD_TYPE):\w+=(.*)$", text, re.MULTILINE))
    kind = found.get("CMAKE_BUILD_TYPE", "").upper()
    return f"{found.get('CMAKE_C_FLAGS', '')} {found.get(f'CMAKE_C_FLAGS_{kind}', '')}".strip()
