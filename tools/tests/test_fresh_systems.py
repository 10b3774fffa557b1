# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What README promises, on a Debian that has git, make and certificates and nothing else.

Needs root, debootstrap and unshare, and Debian's packages and PyPI over the network: half an hour
of processor time a system. Pins rot without commits, so run it on a calendar, and before a release:

    make test-long ARGS='tools/tests/test_fresh_systems.py -s'
"""

import os
import shutil
import subprocess

import pytest

RELEASES = {"bookworm": "12", "trixie": "13"}
# Processes and mounts of its own, which end with it; certificates of this machine, which a proxy
# may have changed.
ENTER = """
mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount -t tmpfs tmpfs "$0/run"
cp /etc/resolv.conf /etc/hosts "$0/etc/"
mount --bind /etc/ssl/certs/ca-certificates.crt "$0/etc/ssl/certs/ca-certificates.crt"
exec chroot "$0" "$@"
"""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
USER = "nobody"
MEGABYTES = 2000  # that `make test` may take besides `make evaluate`


class System:
    """A fresh system in a folder, with a clone in /srv/codekem."""

    def __init__(self, folder, release, root):
        self._folder = folder
        self._say(f"debootstrap {release}")
        packages = "--include=git,make,ca-certificates"
        subprocess.run(
            ["debootstrap", "--variant=minbase", packages, release, folder],
            stdout=subprocess.DEVNULL,
            check=True,
        )
        folder.chmod(0o755)  # pytest's are closed to other users
        home = folder / "srv" / "codekem"  # that another user can read, too
        subprocess.run(["git", "clone", "--quiet", root, home], check=True)

    @staticmethod
    def _say(text):
        print(f"\n--- {text}", flush=True)

    def try_run(self, command, user="root"):
        """Runs a command in the clone, shows what it prints, and returns status and output."""
        self._say(f"{user}: {command}")
        as_user = [] if user == "root" else ["runuser", "-u", user, "--"]
        home = "/root" if user == "root" else "/tmp"
        kept = [f"{k}={v}" for k, v in os.environ.items() if k.lower().endswith("_proxy")]
        with subprocess.Popen(
            [
                *["unshare", "--mount", "--pid", "--fork", "--kill-child"],
                *["sh", "-c", ENTER, self._folder, *as_user],
                *["env", "-i", f"PATH={PATH}", f"HOME={home}", "LANG=C.UTF-8", *kept],
                *["bash", "-c", f"cd /srv/codekem && time -p sh -c '{command}'"],
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            lines = []
            for line in process.stdout:
                print(line, end="", flush=True)
                lines.append(line)
        return process.returncode, "".join(lines)

    def run(self, command, user="root"):
        status, text = self.try_run(command, user)
        assert status == 0, f"{command}\n{text[-4000:]}"
        return text

    def size(self):
        """Returns the megabytes of the system."""
        done = subprocess.run(
            ["du", "-sxm", self._folder], capture_output=True, text=True, check=True
        )
        return int(done.stdout.split()[0])


@pytest.fixture
def fresh(root, tmp_path_factory):
    """fresh("bookworm") makes a System; skips, with the reason, where none can be made."""
    if os.geteuid() != 0:
        pytest.skip("no fresh system tried: that needs root")
    for tool in ["debootstrap", "unshare"]:
        if shutil.which(tool) is None:
            pytest.skip(f"no fresh system tried: it needs {tool}")
    made = []

    def make(release):
        made.append(tmp_path_factory.mktemp(release))
        return System(made[-1], release, root)

    yield make
    for folder in made:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.long
@pytest.mark.parametrize("release", RELEASES)
def test_a_fresh_system(fresh, root, release):
    system = fresh(release)
    text = (root / "README.md").read_text(encoding="utf-8")
    assert f"Debian {RELEASES['bookworm']}" in text and RELEASES[release] in text

    # Without root and sudo each target says what is missing.
    system.run("chown -R nobody .")
    for target in ["install", "evaluate", "lint", "test"]:
        status, text = system.try_run(f"make {target}", user=USER)
        assert status != 0 and "apt-get install --no-install-recommends" in text
        assert "sudo: not found" not in text
    system.run("chown -R root .")

    text = system.run("make evaluate")
    assert "report.html" in "".join(text.splitlines(keepends=True)[-30:])
    size = system.size()
    system.run("make install")
    system.run("codekem selftest --kem HQC-1")
    system.run("tools/setup.sh test")
    assert system.size() - size < MEGABYTES
    text = system.run("make test ARGS=tools/tests/test_setup.py")
    assert " passed" in text and " failed" not in text
    for target in ["lint", "site", "packages ARGS=source"]:
        system.run(f"make {target}")

    # With the packages there, a user builds what an administrator need not install.
    system.run("chown -R nobody . && make clean")
    system.run("make install PREFIX=/tmp/codekem", user=USER)
    system.run("/tmp/codekem/bin/codekem selftest --kem HQC-1", user=USER)
