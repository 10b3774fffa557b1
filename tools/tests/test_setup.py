# SPDX-License-Identifier: Apache-2.0 OR MIT
"""tools/setup.sh: from nothing with Debian's own Python, what it chooses, and what it says."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from tests import rooms
from tools import house

SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
PYTHON = "/usr/bin/python3"
# Debian's programs as the tests need them: a system on which nothing is installed, which has the
# packages of KNOWN alone, and an apt-get that writes down what it is to install.
DEBIAN = {
    "dpkg": "#!/bin/sh\necho amd64\n",
    "dpkg-query": "#!/bin/sh\nexit 1\n",
    "apt-cache": """#!/bin/sh
for name; do case " $KNOWN " in *" $name "*) echo "  $name | 1.0 | here" ;; esac; done
""",
    "apt-get": """#!/bin/sh
echo "Reading package lists..."
echo "dlstatus:1:7.5:Retrieving file 1 of 2"
case "$*" in *" install "*) [ -z "$BROKEN" ] || { echo "E: the disk is full"; exit 100; } ;; esac
echo "pmstatus:gcc:55.5:Unpacking gcc"
echo "$@" >>"$CALLS"
""",
}


@pytest.fixture
def clone(root, tmp_path):
    """A clone with the files of the work tree as they are, and nothing that was built."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    copy = tmp_path / "clone"
    for name in filter(None, names.split("\0")):
        if (root / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, copy / name)
    return copy


def run(folder, *command, path=SYSTEM_PATH, **variables):
    """Runs a command with nothing of this machine but its system's programs and certificates."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.lower().endswith("_proxy") or name in ("PIP_CERT", "PIP_INDEX_URL")
    }
    return subprocess.run(
        command,
        cwd=folder,
        env=kept | {"PATH": path, "HOME": str(folder.parent), "PIP_NO_CACHE_DIR": "1"} | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def skip_elsewhere():
    if not pathlib.Path(PYTHON).exists() or shutil.which("dpkg-query") is None:
        pytest.skip("the set-up was not tried: this is not Debian")


def install_lint(clone):
    """With Debian's own Python and its pip, without a cache."""
    skip_elsewhere()
    done = run(clone, "tools/setup.sh", "lint")
    assert done.returncode == 0, done.stdout
    assert "home = /usr/bin" in (clone / ".venv" / "pyvenv.cfg").read_text()
    assert run(clone, ".venv/bin/ruff", "--version").returncode == 0


@pytest.mark.long
def test_python_lists_can_be_installed_from_nothing(clone):
    """As far as pip can tell without installing them; continuous integration installs them all."""
    install_lint(clone)
    lists = sorted(
        str(path.relative_to(clone))
        for path in clone.rglob("*requirements*.txt")
        if ".venv" not in path.parts
    )
    script = (clone / "tools" / "setup.sh").read_text()
    named = set(re.findall(r"[a-z/]+/requirements[a-z-]*\.txt", script))
    assert lists == sorted(name for name in named if house.is_there(name))
    done = run(
        clone,
        *[".venv/bin/python", "-m", "pip", "install", "--dry-run", "--quiet", "--use-pep517"],
        *(word for name in lists for word in ("-r", name)),
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.long
def test_what_cannot_be_installed_is_named_and_nothing_is_lost(clone):
    """Of the list of lint one package: a long test installs them all."""
    pins = clone / "tools" / "requirements-lint.txt"
    lines = pins.read_text().splitlines(keepends=True)
    pins.write_text("".join(line for line in lines if line[0] == "#" or line.startswith("ruff")))
    install_lint(clone)
    # All rooms are imported from the top folder, wherever a program is run.
    done = run(
        clone / "docs",
        clone / ".venv/bin/python",
        "-c",
        "import tools.source_folders as s; print(s.ROOT)",
    )
    assert done.stdout.strip() == str(clone)
    pins.write_text(pins.read_text().replace("ruff==", "ruff==99."))
    done = run(clone, "tools/setup.sh", "lint")
    line = 1 + [text.startswith("ruff") for text in pins.read_text().splitlines()].index(True)
    assert done.returncode == 1
    assert f"setup: line {line} of tools/requirements-lint.txt, ruff==99." in done.stdout
    assert "Traceback" not in done.stdout
    assert run(clone, ".venv/bin/ruff", "--version").returncode == 0


@pytest.fixture
def scripts(root, tmp_path):
    """A folder with the script and its lists alone."""
    shutil.copytree(root / "tools", tmp_path / "project" / "tools")
    return tmp_path / "project"


@pytest.fixture
def debian(scripts, tmp_path):
    """debian("build", KNOWN="gcc", ...) runs tools/setup.sh as root of a system of DEBIAN.

    user: by somebody who is not root, and has no sudo. Returns what subprocess.run does, with what
    apt-get was told as `calls`.
    """
    folder = tmp_path / "programs"
    folder.mkdir()
    for program in [
        path for place in ("/usr/bin", "/bin") for path in pathlib.Path(place).iterdir()
    ]:
        link = folder / program.name
        if program.name not in ("sudo", *DEBIAN) and not link.is_symlink():
            link.symlink_to(program)
    for name, text in DEBIAN.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)

    def call(*arguments, user=False, **variables):
        (folder / "id").unlink()
        (folder / "id").write_text(f"#!/bin/sh\necho {1000 if user else 0}\n")
        (folder / "id").chmod(0o755)
        calls = tmp_path / "calls"
        calls.write_text("")
        done = run(
            scripts, "tools/setup.sh", *arguments, path=str(folder), CALLS=str(calls), **variables
        )
        done.calls = calls.read_text()
        return done

    return call


def names(scripts, room):
    """Returns the names in a list, of alternatives the first."""
    lines = (scripts / f"tools/packages-{room}.txt").read_text().splitlines()
    return [line.split()[0] for line in lines if line and not line.startswith("#")]


def test_packages_are_named_and_installed_with_progress(debian, scripts):
    wanted = sorted(names(scripts, "build"))
    done = debian("build", KNOWN=" ".join(wanted))
    assert done.returncode == 0, done.stdout
    assert f"setup: installing the packages {' '.join(wanted)}\n" in done.stdout
    assert re.search(r"^ +7 %  downloading\n +55 %  installing$", done.stdout, re.MULTILINE)
    assert "Reading" not in done.stdout
    update, install = done.calls.splitlines()
    assert update.endswith("update") and install.split()[-len(wanted) :] == wanted
    assert "--no-remove" in install and "--no-install-recommends" in install


def test_of_alternatives_the_first_that_the_system_has_is_taken(debian, scripts):
    both = {*names(scripts, "build"), *names(scripts, "evaluate"), *names(scripts, "peers")}
    without = (both - {"cargo-web", "rustc-web"}) | {"cargo", "rustc", "python3", "python3-venv"}
    done = debian("build", KNOWN="")
    assert done.returncode == 1
    assert re.search("this system has no package .*gcc", done.stdout)
    lines = (scripts / "tools/packages-peers.txt").read_text()
    lists = scripts / "tools/packages-build.txt"
    lists.write_text(lines.replace("[!cargo]", "").replace("\nclang", "\nclang-99 | clang"))
    done = debian("build", KNOWN=" ".join(without))
    taken = done.calls.splitlines()[-1].split()
    assert {"cargo", "rustc", "clang"} <= set(taken), done.stdout
    assert not {"|", "cargo-web", "clang-99"} & set(taken)


def test_what_a_system_may_lack_is_said_and_not_asked_for_again(debian):
    done = debian("soundness", KNOWN="nothing")
    assert done.returncode == 0, done.stdout
    assert "this system has no package frama-c-base; tests that need it will be" in done.stdout
    again = debian("soundness", KNOWN="nothing")
    assert (again.returncode, again.stdout, again.calls) == (0, "", "")


def test_without_root_and_sudo_an_administrator_is_told_what_to_install(debian, scripts):
    done = debian("build", "windows", user=True, KNOWN=" ".join(names(scripts, "build")))
    assert done.returncode == 1 and not done.calls
    assert "you are not root, there is no sudo" in done.stdout
    command = done.stdout.splitlines()[1]
    assert command.startswith("  apt-get update && apt-get install --no-install-recommends ")
    assert {*names(scripts, "build"), "wine"} <= set(command.split())


def test_a_failure_of_apt_is_shown_with_what_to_do(debian, scripts):
    done = debian("build", KNOWN=" ".join(names(scripts, "build")), BROKEN="yes")
    assert done.returncode == 1
    assert "E: the disk is full" in done.stdout
    assert "apt-get install failed" in done.stdout and "Run the same again" in done.stdout


def test_a_room_that_does_not_exist_is_refused(scripts):
    for arguments in [[], ["cellar"], ["build", "cellar"]]:
        done = run(scripts, "tools/setup.sh", *arguments)
        assert done.returncode == 2, arguments
        assert done.stdout.startswith("usage: tools/setup.sh ROOM...\n")
        assert all(
            f"  {room}" in done.stdout or f"{room}, " in done.stdout for room in ["all", "hls"]
        )


def test_rooms_are_those_of_the_script_and_their_files_exist(root):
    script = (root / "tools" / "setup.sh").read_text()
    assert re.search("^TEST_ROOMS='(.*)'$", script, re.MULTILINE)[1].split() == sorted(rooms.ROOMS)
    for name, room in rooms.ROOMS.items():
        for pattern in filter(house.is_there, room.files):
            found = list(root.glob(pattern))
            assert found, pattern
            assert rooms.room_of(found[0], root) == name
    assert [
        name for name in filter(house.is_there, rooms.NEEDS) if not (root / name).exists()
    ] == []
    optional = {
        line.split()[0]
        for path in (root / "tools").glob("packages-*.txt")
        for line in path.read_text().splitlines()
        if line.endswith("[optional]")
    }
    assert {tool.replace("frama-c", "frama-c-base") for tool in rooms.OPTIONAL} <= optional


def test_what_a_room_needs_is_skipped_where_it_is_not_set_up(monkeypatch, tmp_path):
    monkeypatch.setattr(rooms, "INSTALLED", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.skip.Exception, match="wine is missing: make test ROOMS=windows"):
        rooms.tool("wine")
    with pytest.raises(pytest.skip.Exception, match="make test ROOMS=devices"):
        rooms.compiler_of("cortex-m4", {})
    with pytest.raises(pytest.fail.Exception, match=r"gcc is missing: run tools/setup\.sh test"):
        rooms.tool("gcc")
    assert len(rooms.summary()) == len(rooms.ROOMS)
    for name in rooms.ROOMS:
        (tmp_path / f"room-{name}").touch()
    with pytest.raises(
        pytest.fail.Exception, match=r"wine is missing: run tools/setup\.sh windows"
    ):
        rooms.tool("wine")
    with pytest.raises(pytest.skip.Exception, match="this system has no frama-c"):
        rooms.tool("frama-c")
    assert [line.split()[0] for line in rooms.summary()] == ["hls", "soundness"]
