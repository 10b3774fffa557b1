# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Python package: packed, installed into an empty environment, tested there and from here."""

import ast
import importlib
import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import threading
import zipfile
from types import SimpleNamespace

import pqcrypto.kem.hqc_128
import pqcrypto.kem.hqc_192
import pqcrypto.kem.hqc_256
import pytest

from bindings import pack_python
from bindings.bench.python import measure
from bindings.tests import made_packages
from bindings.tests.made_packages import new_environment, run
from tests.samples import counting
from tools.packaging import package_stage

ROUNDS = 3
NAMES = {"HQC-1": "HQC1", "HQC-3": "HQC3", "HQC-5": "HQC5"}
NAMES |= {"BIKE-L1": "BIKEL1", "BIKE-L3": "BIKEL3", "BIKE-L5": "BIKEL5"}
PEERS = {
    1: pqcrypto.kem.hqc_128,
    3: pqcrypto.kem.hqc_192,
    5: pqcrypto.kem.hqc_256,
}
TOOLS = ("nanobind", "scikit-build-core", "build")


@pytest.fixture(scope="session")
def installed():
    """The installed package: python (of its environment), site (where it lies), tests (its own),
    sdist and wheel."""
    folder = made_packages.found("python")
    (sdist,) = (folder / "dist").glob("*.tar.gz")
    (wheel,) = (folder / "dist").glob("*.whl")
    (site,) = (folder / "environment").glob("lib/python3*/site-packages")
    python = folder / "environment" / "bin" / "python"
    tests = folder / f"codekem-{package_stage.version()}" / "tests"
    return SimpleNamespace(python=python, site=site, tests=tests, sdist=sdist, wheel=wheel)


@pytest.fixture(scope="session")
def package(installed):
    """The installed package, imported here."""
    sys.path.insert(0, str(installed.site))
    try:
        return importlib.import_module("codekem")
    finally:
        sys.path.remove(str(installed.site))


@pytest.mark.slow
def test_own_tests_pass_in_an_empty_environment(installed, tmp_path):
    shutil.copytree(installed.tests, tmp_path / "tests")
    text = run(
        installed.python, "-X", "dev", "-m", "unittest", "discover", "-s", "tests", cwd=tmp_path
    )
    assert int(re.search(r"Ran (\d+) tests", text)[1]) >= 15, text
    assert "skipped" not in text


def test_archives_hold_what_they_should(installed):
    with tarfile.open(installed.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "codekem_build.py", "README.md", "LICENSE-MIT"} <= names
    assert "native/include/codekem.h" in names
    assert {"native/src/kem/gf2x/avx512/gf2x_avx512.c", "tests/known_answers.json"} <= names
    assert not [name for name in names if "legacy" in name or name.endswith((".o", ".so", ".pyc"))]
    with zipfile.ZipFile(installed.wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(n for n in names if n.endswith("/METADATA"))).decode()
    shown = {name for name in names if not name.startswith("codekem-")}
    (module,) = {name for name in shown if name.startswith("codekem/_native.") and "so" in name}
    assert shown - {module} == {
        f"codekem/{name}"
        for name in [
            "__init__.py",
            "__main__.py",
            "_kem.py",
            "_keys.py",
            "_native.pyi",
            "_types.py",
            "_der.py",
            "hybrid.py",
            "liboqs.py",
            "mceliece.py",
            "py.typed",
            "serialization.py",
        ]
    }
    assert {name.rpartition("/")[2] for name in names if "/licenses/" in name} == {
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "LICENSE-nanobind",
        "LICENSE-robin-map",
    }
    needed = re.findall(r"^Requires-Dist: (.*)$", metadata, re.MULTILINE)
    assert [one.replace('"', "'") for one in needed] == ["cryptography>=41; extra == 'hybrid'"]
    assert installed.wheel.stat().st_size < 350_000  # with Classic McEliece


def test_module_needs_only_the_system(installed):
    (module,) = installed.site.glob("codekem/_native.*so")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", module))
    needed = {name.partition(".")[0] for name in needed}
    assert needed <= {
        "libstdc++",
        "libgcc_s",
        "libc",
        "libm",
        "ld-linux-x86-64",
        "ld-linux-aarch64",
    }
    exported = run("nm", "-D", "--defined-only", module).split()[2::3]
    assert exported == ["PyInit__native"]


def test_sdist_is_the_same_when_made_twice(tmp_path):
    (first,) = pack_python.pack(tmp_path / "1", kinds=["sdist"])
    (second,) = pack_python.pack(tmp_path / "2", kinds=["sdist"])
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    "document",
    ["README.md", "docs/packages.md", "docs/start/application.md", "bindings/python/README.md"],
)
def test_examples_of_the_documents_run(document, root, installed, tmp_path):
    text = (root / document).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    (tmp_path / "example.py").write_text("\n".join(blocks))
    run(installed.python, "-W", "error", tmp_path / "example.py", cwd=tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_exchange_with_the_command(name, package, command, tmp_path):
    private_class = getattr(package, f"{NAMES[name]}PrivateKey")
    public_class = getattr(package, f"{NAMES[name]}PublicKey")
    raw = ["--format", "raw", "--kem", name]
    files = {part: tmp_path / part for part in ["public", "secret", "ciphertext", "shared"]}
    options = {part: [f"--{part}", path] for part, path in files.items()}

    run(command, "keygen", *raw, *options["public"], *options["secret"])
    key = private_class.from_secret_key_bytes(files["secret"].read_bytes())
    assert key.public_key().public_bytes_raw() == files["public"].read_bytes()
    run(command, "encaps", *raw, *options["public"], *options["ciphertext"], *options["shared"])
    assert key.decapsulate(files["ciphertext"].read_bytes()) == files["shared"].read_bytes()

    key = private_class.generate()
    files["secret"].write_bytes(key.secret_key_bytes())
    public = public_class.from_public_bytes(key.public_key().public_bytes_raw())
    shared_secret, ciphertext = public.encapsulate()
    files["ciphertext"].write_bytes(ciphertext)
    run(
        command,
        *["decaps", "--force", *raw],
        *[*options["secret"], *options["ciphertext"], *options["shared"]],
    )
    assert files["shared"].read_bytes() == shared_secret


@pytest.mark.parametrize("level", PEERS)
def test_exchange_with_pqcrypto(level, package):
    """The tag v5.0.0 of HQC, in both directions."""
    peer, kem = PEERS[level], package.KEM(f"HQC-{level}-v5.0.0")
    for _ in range(ROUNDS):
        public_key, secret_key = kem.generate_keypair()
        ciphertext, sent = sorted(map(bytes, peer.encaps(public_key)), key=len, reverse=True)
        assert kem.decapsulate(secret_key, ciphertext) == sent

        public_key, secret_key = map(bytes, peer.keygen())
        shared_secret, ciphertext = kem.encapsulate(public_key)
        assert bytes(peer.decaps(secret_key, ciphertext)) == shared_secret


def test_bytes_are_those_of_the_library(package, library):
    for kem in library.kems():
        ours = package.KEM(kem.name)
        for field in [name for name in dir(kem) if name.startswith("length_")]:
            if hasattr(ours, field):
                assert getattr(ours, field) == getattr(kem, field)
        seed = counting(kem.length_keypair_seed)
        pair = ours.generate_keypair(seed)
        assert pair == library.keypair(kem, seed)
        assert package.__version__ == library.call["version"]()


# Counts the places in the memory of its own process that hold a secret, before and after its keys
# go: many, as some of what they leave is soon used again. The secret is given masked, so that what
# is looked for is not found itself.
LOOK = """
import gc, re, sys
from codekem import HQC1PrivateKey
masked = bytes.fromhex(sys.argv[1])
mask = bytes(value ^ 0x55 for value in range(256))
def places():
    found = 0
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            area = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
            if area and "[v" not in line:
                low, high = (int(part, 16) for part in area.groups())
                memory.seek(low)
                found += memory.read(high - low).translate(mask).count(masked)
    return found
keys = [HQC1PrivateKey.from_seed_bytes(bytes(range(32))) for _ in range(100)]
for key in keys:
    key.decapsulate(key.public_key().encapsulate()[1])
before = places()
del key, keys
gc.collect()
print(before, places())
"""


def test_secret_keys_are_wiped(installed, package):
    secret = package.HQC1PrivateKey.from_seed_bytes(bytes(range(32))).secret_key_bytes()
    masked = bytes(value ^ 0x55 for value in secret[2241:2289])  # what is not seed or public key
    before, after = map(int, run(installed.python, "-c", LOOK, masked.hex()).split())
    assert before == 100
    assert after == 0


# A daemon thread is in a call whose argument is copied when Python ends; the process stays, so that
# others can look into it, after it has closed its end of a pipe.
LOST = """
import ctypes, sys, threading, codekem
libc = ctypes.CDLL(None)
pipe = ctypes.c_void_p(int(sys.argv[1]))
for function in [libc.pause, libc.close]:  # called in the other order
    assert libc.__cxa_atexit(function, pipe, None) == 0
kem = codekem.KEM("BIKE-L5")
secret = bytearray(kem.length_secret_key)
with open(sys.argv[2], "rb", 0) as file:
    file.readinto(secret)
ciphertext = bytes(kem.length_ciphertext)
started = threading.Event()
def work():
    while True:
        kem.decapsulate(secret, ciphertext)
        started.set()
threading.Thread(target=work, daemon=True).start()
started.wait()
"""


def places_of(process, wanted):
    """Counts the places in the memory of a process that hold some bytes."""
    found = 0
    with (
        pathlib.Path(f"/proc/{process}/maps").open() as maps,
        pathlib.Path(f"/proc/{process}/mem").open("rb", 0) as memory,
    ):
        for line in maps:
            area = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
            if area and "[v" not in line:
                low, high = (int(part, 16) for part in area.groups())
                memory.seek(low)
                found += memory.read(high - low).count(wanted)
    return found


def test_arguments_of_lost_threads_are_wiped(installed, package, tmp_path):
    """What remains is the program's own: the array."""
    secret = package.KEM("BIKE-L5").generate_keypair().secret_key
    (tmp_path / "secret").write_bytes(secret)
    for _ in range(3):
        reader, writer = os.pipe()
        with subprocess.Popen(
            [installed.python, "-c", LOST, str(writer), tmp_path / "secret"],
            pass_fds=[writer],
            stderr=subprocess.PIPE,
        ) as process:
            os.close(writer)
            try:
                assert os.read(reader, 1) == b""  # Python has ended
                tasks = list(pathlib.Path(f"/proc/{process.pid}/task").glob("*/stat"))
                # The thread may still compute; then it stops.
                while not all(") S " in task.read_text() for task in tasks if task.exists()):
                    assert process.poll() is None, process.stderr.read()
                    os.sched_yield()
                assert places_of(process.pid, secret[-32:]) == 1
            finally:
                os.close(reader)
                process.kill()


def test_threads_compute_side_by_side(package):
    """Objects are shared by threads without locks, and every result is right."""
    key = package.HQC1PrivateKey.generate()
    public, wrong = key.public_key(), []

    def work():
        for _ in range(200):
            shared_secret, ciphertext = public.encapsulate()
            if key.decapsulate(ciphertext) != shared_secret:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# --- Types ----------------------------------------------------------------------------------------

USER = """
from typing_extensions import assert_type
from codekem import BIKEL1PrivateKey, Encapsulation, HQC1PrivateKey, HQC1PublicKey, KEM
from codekem import liboqs

key = HQC1PrivateKey.generate()
assert_type(key, HQC1PrivateKey)
assert_type(key.public_key(), HQC1PublicKey)
assert_type(key.public_key().encapsulate(), Encapsulation)
shared_secret, ciphertext = key.public_key().encapsulate()
assert_type(key.decapsulate(bytearray(ciphertext)), bytes)
assert_type(KEM("HQC-1").generate_keypair().secret_key, bytes)
assert_type(liboqs.KeyEncapsulation("HQC-1").encap_secret(b""), tuple[bytes, bytes])
"""
WRONG = [
    'HQC1PrivateKey.from_seed_bytes("text")',
    "def use(key: HQC1PublicKey) -> None: ...\nuse(BIKEL1PrivateKey.generate().public_key())",
    "KEM('HQC-1').encapsulate(b'').secret",
]


def mypy(installed, tmp_path, *arguments):
    """Returns the status and what mypy printed."""
    options = [f"--cache-dir={tmp_path / 'cache'}", f"--python-executable={installed.python}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *options, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_types_are_strict_and_say_what_is_wrong(installed, tmp_path):
    status, text = mypy(installed, tmp_path, "-p", "codekem")
    assert status == 0, text
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "wrong.py").write_text(USER + "\n".join(WRONG) + "\n")
    status, text = mypy(installed, tmp_path, "user.py", "wrong.py")
    errors = text.splitlines()[:-1]
    assert len(errors) == len(WRONG), text
    assert all(line.startswith("wrong.py:") for line in errors), text


def parameters(node):
    """Returns the parameters of a function in a stub: their names, and whether each may be left."""
    names = [one.arg for one in node.args.args if one.arg != "self"]
    return names, len(node.args.defaults)


def test_stub_is_that_of_the_module(installed, package):
    """stubtest does not know nanobind's functions, so names and parameters are compared here."""
    module = sys.modules["codekem._native"]
    tree = ast.parse((installed.site / "codekem" / "_native.pyi").read_text())
    found = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            continue
        target = getattr(module, node.name)
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        if isinstance(node, ast.ClassDef):
            public = {name for name in vars(target) if not name.startswith("_")}
            assert public == {one.name for one in members} - {"__init__"}
        for one in members:
            function = target if one is node else getattr(target, one.name)
            if isinstance(function, property) or one.name == "__init__":
                continue
            found += 1
            signature = function.__nb_signature__[0][0]
            told = re.findall(r"(\w+): ", signature.partition("->")[0])
            assert (told, signature.count(" = ")) == parameters(one), one.name
    assert found > 15
    public = {name for name in vars(module) if not name.startswith("_")}
    assert public == {node.name for node in tree.body if not isinstance(node, ast.ImportFrom)}


# --- Other versions of Python ---------------------------------------------------------------------


def interpreter(version):
    """Returns the path of a Python, such as 3.12, 3.13t or pypy3.11: from pyenv or PATH; None if
    there is none."""
    plain = version.removesuffix("t")
    managed = [
        folder / "bin" / "python"
        for folder in (pathlib.Path.home() / ".pyenv" / "versions").glob(f"{plain}.*")
        if folder.name.endswith("t") == version.endswith("t")
    ]
    name = version if version.startswith("pypy") else f"python{version}"
    found = [*managed, pathlib.Path(shutil.which(name) or "/none")]
    return next((path for path in found if path.is_file() and "shims" not in path.parts), None)


@pytest.mark.long
@pytest.mark.parametrize(
    "version", ["3.10", "3.11", "3.12", "3.13", "3.14", "3.13t", "3.14t", "pypy3.11"]
)
def test_sdist_builds_on_other_versions(version, installed, tmp_path):
    """As pip does it for everybody: in isolation, with the build's needs from PyPI."""
    python = interpreter(version)
    if python is None:
        pytest.skip(f"not tried on Python {version}: there is none; install it")
    made = new_environment(tmp_path / "environment", python, installed.sdist, "--no-cache-dir")
    run(made, "-m", "unittest", "discover", "-s", installed.tests, cwd=tmp_path)
    (module,) = (tmp_path / "environment").glob("lib/*/site-packages/codekem/_native.*so")
    free = version.endswith("t")
    stable = not free and int(version.split(".")[1]) >= 12
    assert (module.name == "_native.abi3.so") == stable
    if free:
        check = "import codekem, sys; sys.exit(sys._is_gil_enabled())"
        run(made, "-X", "gil=0", "-c", check)


@pytest.mark.long
def test_an_installed_library_is_linked_when_asked(installed, build, tmp_path):
    prefix = tmp_path / "prefix"
    run("cmake", "--install", build("gcc"), "--prefix", prefix)
    python = new_environment(
        tmp_path / "environment",
        sys.executable,
        installed.sdist,
        "--no-cache-dir",
        f"--config-settings=cmake.define.CMAKE_PREFIX_PATH={prefix}",
        "--config-settings=cmake.define.CODEKEM_SYSTEM=ON",
    )
    (module,) = (tmp_path / "environment").glob("lib/*/site-packages/codekem/_native.*so")
    assert "libcodekem.so.0" in run("readelf", "-d", module)
    (library,) = prefix.glob("lib/**/libcodekem.so.0")
    environment = os.environ | {"LD_LIBRARY_PATH": str(library.parent)}
    run(
        *[python, "-m", "unittest", "discover", "-s", installed.tests],
        cwd=tmp_path,
        env=environment,
    )


def test_pins_licences_and_parts_agree():
    """The versions that SBOM and licences name are those that build the wheel."""
    requirements = package_stage.ROOT / "tools/packaging/requirements.txt"
    pins = dict(line.split("==") for line in requirements.read_text().splitlines() if "==" in line)
    assert f"pkg:pypi/nanobind@{pins['nanobind']}" in dict(pack_python.CONTAINS)
    assert [importlib.metadata.version(name) for name in TOOLS] == [pins[name] for name in TOOLS]
    files = importlib.metadata.files("nanobind") or []
    (theirs,) = [entry.locate() for entry in files if entry.name == "LICENSE"]
    ours = package_stage.ROOT / "bindings/python/LICENSE-nanobind"
    assert pathlib.Path(theirs).read_text() == ours.read_text()


@pytest.mark.long
def test_it_is_measured_beside_its_competitors(tmp_path):
    rows = measure.measure(tmp_path, quick=True)
    assert all({"operation set", "peer_us", "ratio", "goal", "note"} < row.keys() for row in rows)
    assert {row["peer"].split()[0] for row in rows} >= {"pqcrypto", "cryptography"}
    assert all(row["ours_us"][i] < 20000 for row in rows for i in range(3))
