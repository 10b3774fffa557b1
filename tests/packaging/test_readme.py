# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What README and the start page of applications show, exactly as it is written there: the example
in C compiles without warnings, and runs after an installation into the system's folders and into
others; secrets are combined; the command's three lines exchange a secret."""

import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import pytest

from tests.rooms import need_room
from tools import programs
from tools.packaging import package_stage

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
    return programs.run(AssertionError, *command, **{"env": environment, **options})


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs" / "start" / "application.md").read_text(encoding="utf-8")


@pytest.fixture
def example(page, tmp_path):
    """A folder with the page's files in C under the names that it gives them."""
    folder = tmp_path / "example"
    folder.mkdir()
    for name, text in re.findall(r"^`(\w+\.c)`:\n\n```c\n(.*?)^```$", page, re.M | re.S):
        (folder / name).write_text(text)
    return folder


def commands(page):
    """Returns the lines of the page that compile the examples; the first one also runs its own."""
    lines = re.findall(r"^    (cc app\.c .*)$", page, re.M)
    assert len(lines) == 2
    return "; ".join(lines)


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


@pytest.mark.parametrize("kem", ["BIKE-L1", "HQC-5"])
def test_combined_key_is_the_hash_that_the_page_promises(kem, root, build, example, need):
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{root / 'include'}"]
    driver = root / "tests" / "packaging" / "consumer" / "hybrid.c"
    files = [driver, example / "combine.c", build("gcc") / "libcodekem.a", "-lcrypto"]
    run(need("gcc"), *flags, *files, "-o", example / "hybrid")
    lines = run(example / "hybrid", kem, "a purpose").split()
    *parts, bob, alice = map(bytes.fromhex, lines)
    assert [len(part) for part in parts[:4]] == [32] * 4
    assert bob == alice == hashlib.sha3_256(b"".join(parts) + b"a purpose").digest()


def test_three_lines_exchange_a_secret(page, command, tmp_path):
    """And the line after them takes it out of its file, as --format raw would write it."""
    lines = re.findall(r"^    (codekem (?:keygen|encaps|decaps) .*)$", page, re.M)
    assert [line.split()[1] for line in lines] == ["keygen", "encaps", "decaps"]
    environment = os.environ | {"PATH": f"{command.parent}:{os.environ['PATH']}"}
    run("sh", "-ec", "\n".join(lines), cwd=tmp_path, env=environment)
    files = [(tmp_path / name).read_bytes() for name in ["alice.secret", "bob.secret"]]
    assert files[0] == files[1]

    kem = re.search(r"--kem (\S+)", page)[1]
    raw = [line.partition("#")[0].replace(".", "-raw.") for line in lines]
    raw = [f"{line} --format raw --kem {kem}" for line in raw]
    raw[0] = raw[0].replace(f" --kem {kem}", "", 1)
    run("sh", "-ec", "\n".join(raw), cwd=tmp_path, env=environment)
    assert len((tmp_path / "bob-raw.secret").read_bytes()) == 32

    for line in re.findall(r"^    (tail .* bob\.secret \|.*)$", page, re.M):
        assert bytes.fromhex(run("sh", "-ec", line, cwd=tmp_path)) == files[1][-48:-16]


# --- README's lines of Python ---------------------------------------------------------------------


def not_installed(names):
    """Returns those of some Debian packages that are not installed here."""
    shown = ["dpkg-query", "-W", "-f=${db:Status-Abbrev}"]
    asked = [
        subprocess.run([*shown, name], capture_output=True, text=True, check=False)
        for name in names
    ]
    return [name for name, done in zip(names, asked, strict=True) if "ii" not in done.stdout]


@pytest.mark.long
def test_lines_of_python_run_in_an_empty_environment(root, tmp_path):
    """In a copy of this tree, by Debian's own Python, after the commands above them."""
    need_room("bindings")
    text = (root / "README.md").read_text(encoding="utf-8")
    install, *commands = re.search(r"^```sh\n(.*?)\n```$", text, re.M | re.S)[1].splitlines()
    (program,) = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    assert install.startswith("apt-get install ")
    needed = install.partition("#")[0].split()[2:]
    if shutil.which("dpkg-query") is None:
        pytest.skip("README's Python not run: this is not Debian")
    if missing := not_installed(needed):
        pytest.skip(f"README's Python not run: as root, apt-get install {' '.join(missing)}")

    package_stage.copy(package_stage.files_of("."), tmp_path / "clone")
    (tmp_path / "home").mkdir()
    kept = {name: os.environ[name] for name in os.environ if re.search("(?i)cert|proxy", name)}
    environment = {**kept, "HOME": str(tmp_path / "home"), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    run("sh", "-ec", "\n".join(commands), cwd=tmp_path / "clone", env=environment)
    (tmp_path / "example.py").write_text(program)
    folder = pathlib.Path(re.search(r"-m venv ~/(\S+)", text)[1])
    python = tmp_path / "home" / folder / "bin" / "python"
    run(python, "-W", "error", tmp_path / "example.py", cwd="/", env=environment)
