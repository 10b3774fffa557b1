# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The command for Windows (under Wine), and the one that needs no library."""

import platform
import re
import shutil
import subprocess

import pytest

KEM = "HQC-1"

pytestmark = pytest.mark.long  # compiling the command takes long
windows_only = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="Windows is tested on x86-64 only"
)


def run(folder, *command, **options):
    return subprocess.run(
        [str(part) for part in command], cwd=folder, capture_output=True, check=False, **options
    )


class Side:
    """One command that runs in a folder."""

    def __init__(self, *command):
        self._command = command

    def __call__(self, folder, *arguments, **options):
        return run(folder, *self._command, *arguments, **options)

    def good(self, folder, *arguments, **options):
        done = self(folder, *arguments, **options)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def bad(self, folder, *arguments, status=1):
        """Returns the error of a command that leaves the folder as it was."""
        before = {path: path.read_bytes() for path in folder.iterdir()}
        done = self(folder, *arguments)
        assert done.returncode == status
        assert {path: path.read_bytes() for path in folder.iterdir()} == before
        (line,) = done.stderr.decode().splitlines()
        assert line.startswith("codekem: error: ")
        return line.strip()


@pytest.fixture
def on_windows(windows, wine):
    return Side(*wine, windows / "bin" / "codekem.exe")


@pytest.fixture
def native(command):
    return Side(command)


def keygen(side, folder, *more):
    return side.good(
        folder, "keygen", "--kem", KEM, "--public", "a.pub", "--secret", "a.key", *more
    )


@windows_only
def test_exchange_with_windows_in_both_directions(on_windows, native, tmp_path):
    for mine, other in [(on_windows, native), (native, on_windows)]:
        keygen(mine, tmp_path, "--force")
        other.good(
            tmp_path, "encaps", "--force", "--public", "a.pub", *["--ciphertext", "a.ct"],
            *["--shared", "Bobs Schlüssel"],
        )  # fmt: skip
        shared = mine.good(
            tmp_path, "decaps", "--secret", "a.key", "--ciphertext", "a.ct", "--shared", "-"
        )
        assert shared == (tmp_path / "Bobs Schlüssel").read_bytes()


@windows_only
def test_windows_reads_a_pipe_as_bytes(on_windows, native, tmp_path):
    keygen(native, tmp_path)
    native.good(tmp_path, "encaps", "--public", "a.pub", "--ciphertext", "a.ct", "--shared", "here")
    on_windows.good(
        tmp_path, "decaps", "--secret", "a.key", "--ciphertext", "-", "--shared", "there",
        input=(tmp_path / "a.ct").read_bytes(),
    )  # fmt: skip
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()


@windows_only
def test_windows_keeps_secrets_to_the_user(on_windows, tmp_path):
    """Wine shows the access list as permissions; those of the public key are the folder's."""
    keygen(on_windows, tmp_path)
    assert (tmp_path / "a.key").stat().st_mode & 0o007 == 0
    assert (tmp_path / "a.pub").stat().st_mode & 0o004


PLANTED = """
#include <windows.h>
BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, LPVOID reserved) {
  (void)self, (void)reason, (void)reserved;
  CloseHandle(CreateFileA("planted", GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL));
  return TRUE;
}
"""


@pytest.fixture
def planted(need, tmp_path):
    """A library for Windows that leaves a file in the current folder when it is loaded."""
    source = tmp_path / "planted.c"
    source.write_text(PLANTED)
    library = tmp_path / "planted.dll"
    compiler = need("x86_64-w64-mingw32-gcc")
    run(tmp_path, compiler, "-shared", "-o", library, source).check_returncode()
    return library


@windows_only
def test_windows_loads_no_library_from_the_current_folder(
    windows, wine, planted, tmp_path, monkeypatch
):
    """Nor from a folder of PATH: only from beside the command, and from the system."""
    places = {name: tmp_path / name for name in ("here", "along", "command", "apart")}
    for folder in places.values():
        folder.mkdir()
    for name in ("command", "apart"):
        shutil.copy(windows / "bin" / "codekem.exe", places[name])
    for name in ("here", "along", "command"):
        for library in ("libcrypto-3-x64.dll", "bcrypt.dll", "cryptbase.dll", "profapi.dll"):
            if name != "command" or library.startswith("libcrypto"):
                shutil.copy(planted, places[name] / library)
    monkeypatch.setenv("WINEPATH", f"Z:{places['along']}".replace("/", "\\"))

    def load(name):
        """Returns what a command says that is in that folder and needs libcrypto."""
        done = run(
            places["here"], *wine, places[name] / "codekem.exe", "keygen", "--kem", "HQC-1",
            *["--format", "pem", "--public", "p", "--secret", "s"],
        )  # fmt: skip
        assert done.returncode != 0
        ran = (places["here"] / "planted").exists()
        (places["here"] / "planted").unlink(missing_ok=True)
        return ran, done.stderr.decode()

    ran, said = load("apart")
    assert not ran and "libcrypto-3-x64.dll" in said and "cannot be loaded" in said
    ran, said = load("command")  # so it would have been seen
    assert ran and "libcrypto-3-x64.dll has no" in said


@windows_only
@pytest.mark.parametrize("path", ["core.dll", ".\\core.dll", "./core.dll", "absolute"])
def test_windows_loads_a_core_by_its_path(windows, wine, planted, tmp_path, monkeypatch, path):
    """And with it what is beside it, but not what is in the current folder."""
    (tmp_path / "folder").mkdir()
    shutil.copy(planted, tmp_path / "core.dll")
    name = "Z:" + str(tmp_path / "core.dll").replace("/", "\\") if path == "absolute" else path
    monkeypatch.setenv("CODEKEM_SIMULATED", name)
    done = run(
        tmp_path, *wine, windows / "bin" / "codekem.exe", "speed", "--kem", "BIKE-L1",
        *["--backend", "simulated"],
    )  # fmt: skip
    assert done.returncode != 0
    assert (tmp_path / "planted").exists(), done.stderr


@windows_only
def test_mistakes_on_windows_change_nothing(on_windows, tmp_path):
    keygen(on_windows, tmp_path)
    outputs = ["keygen", "--kem", KEM, "--public"]
    error = on_windows.bad(tmp_path, *outputs, "a.pub", "--secret", "b.key")
    assert "a.pub: exists already" in error
    error = on_windows.bad(tmp_path, *outputs, "b", "--secret", "B", status=2)
    assert "is named for two outputs" in error
    error = on_windows.bad(tmp_path, *outputs, "no such\\b", "--secret", "b.key")
    assert "check the name and the directory" in error
    error = on_windows.bad(
        tmp_path, "encaps", "--force", *["--public", "a.pub", "--ciphertext", "A.PUB"],
        *["--shared", "b"], status=2,
    )  # fmt: skip
    assert "is both an input and an output" in error
    (tmp_path / "short").write_bytes((tmp_path / "a.key").read_bytes()[:-1])
    error = on_windows.bad(
        tmp_path, "decaps", "--secret", "short", "--ciphertext", "a.pub", "--shared", "b"
    )
    assert "short" in error
    assert (tmp_path / "a.key").read_bytes()[-8:].hex() not in error


@windows_only
def test_windows_says_what_it_needs_for_pem(on_windows, tmp_path):
    error = on_windows.bad(
        tmp_path, "keygen", "--kem", KEM, "--format", "pem", "--public", "a", "--secret", "b"
    )
    assert "libcrypto-3-x64.dll" in error and "another format" in error


@windows_only
def test_windows_replaces_with_force_only(on_windows, tmp_path):
    keygen(on_windows, tmp_path)
    before = (tmp_path / "a.key").read_bytes()
    keygen(on_windows, tmp_path, "--force")
    assert (tmp_path / "a.key").read_bytes() != before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.key", "a.pub"]


@windows_only
def test_windows_names_its_system(on_windows, tmp_path):
    text = on_windows.good(tmp_path, "speed", "--kem", KEM, "--seconds", "0.01", "--json")
    assert re.search(rb'"kernel": ?"Windows \d+\.\d+\.\d+"', text)


def test_static_command_needs_nothing(build, native, need, tmp_path):
    folder = build("gcc", targets=["codekem"], CODEKEM_STATIC_COMMAND="ON")
    program = folder / "bin" / "codekem"
    header = run(tmp_path, need("readelf"), "-lW", program).stdout
    assert b"LOAD" in header and b"INTERP" not in header
    static = Side(program)
    keygen(static, tmp_path)
    native.good(tmp_path, "encaps", "--public", "a.pub", "--ciphertext", "a.ct", "--shared", "here")
    shared = static.good(
        tmp_path, "decaps", "--secret", "a.key", "--ciphertext", "a.ct", "--shared", "-"
    )
    assert shared == (tmp_path / "here").read_bytes()
    error = static.bad(
        tmp_path, "keygen", "--kem", KEM, "--format", "pem", "--public", "x", "--secret", "y"
    )
    assert "static" in error
