# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The example in C of the start page, exactly as it is written there: it compiles without warnings,
and runs after an installation, into the system's folders and into others."""

import os
import re
import shlex
import subprocess

import pytest

# In namespaces of its own, where root's files look as they do here but can be written: an empty
# /usr/local, and a copy of /etc, in which the loader has its cache.
OWN_SYSTEM = """set -e
mount -t tmpfs none {room}
mkdir {room}/etc
cp -a /etc/. {room}/etc 2>{room}/unreadable || true
mount --bind {room}/etc /etc
mount -t tmpfs none /usr/local
"""


def run(*command, **options):
    """Runs a command that must succeed, without LD_LIBRARY_PATH; returns what it printed."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    done = subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **{"env": environment, **options},
    )
    assert done.returncode == 0, f"{command}:\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs" / "start" / "application.md").read_text(encoding="utf-8")


@pytest.fixture
def example(page, tmp_path):
    """A folder with the example under the name that the page gives it."""
    name, text = re.search(r"`(\w+\.c)`:\n\n```c\n(.*?)^```$", page, re.M | re.S).groups()
    folder = tmp_path / "example"
    folder.mkdir()
    (folder / name).write_text(text)
    return folder


def commands(page):
    """Returns the line of the page that compiles the example and runs it."""
    return re.findall(r"^    (cc app\.c .*)$", page, re.M)[0]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_first_example_compiles_without_warnings(compiler, root, build, example, need):
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{root / 'include'}"]
    library = build("gcc") / "libcodekem.a"
    run(need(compiler), *flags, example / "app.c", library, "-o", example / "app")
    assert "both hold the same secret" in run(example / "app")


def own_system(room):
    """Returns a command that runs a script given to it with files of its own; room: a folder."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    script = OWN_SYSTEM.format(room=shlex.quote(str(room))) + 'eval "$1"'
    return ["unshare", *user, "--mount", "sh", "-c", script, "sh"]


@pytest.fixture
def system(tmp_path, need):
    """system(script) runs a script as root of namespaces with a /usr/local and an /etc of its own;
    where that is not allowed, the test is skipped."""
    local = [tool for tool in ["cmake", "cc", "pkg-config"] if need(tool).startswith("/usr/local/")]
    (tmp_path / "room").mkdir()
    command = own_system(tmp_path / "room")
    tried = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
    if local or tried.returncode != 0:
        why = f"{local} would be hidden" if local else tried.stderr.strip()
        pytest.skip(f"example not run after an installation into /usr/local: {why}")
    return lambda script: run(*command, script)


def test_first_example_runs_right_after_make_install(page, build, example, system):
    """In /usr/local, without a word to the loader but what the installation says to it."""
    folder, place = shlex.quote(str(build("gcc"))), shlex.quote(str(example))
    text = system(f"cmake --install {folder} --prefix /usr/local; cd {place}; {commands(page)}")
    assert "both hold the same secret" in text


def test_first_example_runs_with_another_prefix(root, page, build, example, tmp_path, need):
    """With the two lines of docs/install.md, and with those that the installation prints."""
    need("pkg-config")
    prefix = tmp_path / "prefix"
    said = run("cmake", "--install", build("gcc"), "--prefix", prefix)
    guide = (root / "docs" / "install.md").read_text(encoding="utf-8")
    shown = re.findall(r"^    (export PKG_CONFIG_PATH=.*|cc app\.c .*-rpath.*)$", guide, re.M)
    printed = re.findall(r"^(export PKG_CONFIG_PATH=.*|cc app\.c .*-rpath.*)$", said, re.M)
    assert len(printed) == len(shown) == 2
    assert [line.replace("PREFIX", str(prefix)) for line in shown] == printed
    text = run("sh", "-ec", "\n".join([*printed, "./a.out"]), cwd=example)
    assert "both hold the same secret" in text
