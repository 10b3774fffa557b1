# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Go modules from an archive, in a folder of their own: what the tests of the Go package share."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

# What go.mod names.
NEEDED = (1, 25)
MODULE = "github.com/codekem/codekem/bindings/go"


def version_of_go():
    """Returns the version of the command go as numbers, or None if there is none."""
    if shutil.which("go") is None:
        return None
    said = subprocess.run(["go", "env", "GOVERSION"], capture_output=True, text=True, check=False)
    found = re.match(r"go(\d+)\.(\d+)", said.stdout)
    return (int(found[1]), int(found[2])) if found else None


def forget(kept):
    """Removes what was fetched of these modules: their version stays while the sources change."""
    for name in [MODULE, f"cache/download/{MODULE}"]:
        shutil.rmtree(kept / "modules" / name, ignore_errors=True)
    for path in (kept / "modules" / MODULE).parent.glob("go@*"):
        shutil.rmtree(path)


class Consumer:
    """A module outside the checkout that needs the packages, and the command go in it.

    What the compiler made of Go's own library is in go's usual cache, for all checkouts.
    """

    def __init__(self, folder, archives, kept):
        """archives: what pack_go.pack made; kept: what was fetched before."""
        (archive,) = archives.glob(f"go/{MODULE}/@v/*.zip")
        made_from = hashlib.sha256(archive.read_bytes()).hexdigest()
        elsewhere = subprocess.run(
            ["go", "env", "GOPROXY"], capture_output=True, text=True, check=True
        ).stdout.strip()
        self.environment = os.environ | {
            "GOPROXY": f"{(archives / 'go').as_uri()},{elsewhere}",
            "GONOSUMDB": f"{MODULE},{MODULE}/*",
            "GOMODCACHE": str(kept / "modules"),
            # The cache does not know what C files include from other folders.
            "CGO_CFLAGS": f"-O1 -DCODEKEM_ARCHIVE=0x{made_from[:8]}",
            "GOFLAGS": "-mod=mod -modcacherw",
            "GOWORK": "off",
            "GOTOOLCHAIN": "local",
            # The command keeps lists of a module's files by its version, which stays the same here.
            "GODEBUG": "goindex=0",
        }
        self.module = pathlib.Path(folder)
        self.go("mod", "init", "example.org/consumer")

    def go(self, *arguments, environment=None, **options):
        """Runs `go ARGUMENTS` in the module and returns what it prints; fails with its words."""
        return self.run("go", *arguments, environment=environment, **options)

    def run(self, *command, environment=None, **options):
        """Runs a program in the module and returns what it prints."""
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.module,
            env=self.environment | (environment or {}),
            capture_output=True,
            text=True,
            check=False,
            **options,
        )
        if done.returncode != 0:
            words = " ".join(str(part) for part in command)
            raise AssertionError(f"{words}\n{done.stdout[-5000:]}{done.stderr[-5000:]}")
        sys.stderr.write(done.stderr[-500:])
        return done.stdout
