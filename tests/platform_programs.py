# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Running programs for other systems: what the tests in tests/platforms share."""

import subprocess

# The first is needed until Node.js 20.
NODE = ["--experimental-wasi-unstable-preview1", "--no-warnings"]
# Stack in front of everything else, so that an overflow traps; 512 KiB are enough for every KEM.
WASM_STACK = ["-Wl,--stack-first", "-Wl,-z,stack-size=524288"]


def output(*command, **options):
    """Returns what a command prints; fails with its words if it fails."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout
