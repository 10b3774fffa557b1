# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`make packages`: what it makes, what it says of what it cannot make, and that bytes repeat."""

import hashlib
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tests.rooms import need_room
from tools.packaging import archives, build_packages, notices, pack_source, package_stage, sbom

VERSION = package_stage.version()
GOOD = f"""
CONTAINS = [("pkg:pypi/part@1.2", "MIT")]
def pack(output):
    paths = [output / "codekem-good-{VERSION}.crate", output / "go" / "list"]
    paths[1].parent.mkdir(exist_ok=True)
    for path in paths:
        path.write_bytes(b"always the same")
    return paths
"""
CHANGING = f"""
import os
def pack(output):
    path = output / "codekem-changing-{VERSION}.tgz"
    path.write_bytes(os.urandom(8))
    return [path]
"""
LACKING = "def pack(output):\n    raise OSError('install the tool')\n"


@pytest.fixture
def packers(tmp_path, monkeypatch):
    """packers(good=GOOD, ...) makes these the only families."""
    folder = tmp_path / "packers"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)

    def make(**texts):
        for name, text in texts.items():
            (folder / f"pack_{name}.py").write_text(text)
            sys.modules.pop(f"pack_{name}", None)
        monkeypatch.setattr(build_packages, "packers", lambda: {n: f"pack_{n}" for n in texts})

    return make


def call(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["build_packages.py", *map(str, arguments)])
    return build_packages.main()


def test_archives_are_listed_with_digests_and_parts(packers, tmp_path, monkeypatch):
    packers(good=GOOD)
    output = tmp_path / "output"
    assert call(monkeypatch, "--twice", "--output", output) == 0
    sums = dict(line.split("  ")[::-1] for line in (output / "SHA256SUMS").read_text().splitlines())
    bill = f"codekem-{VERSION}.cdx.json"
    assert sums.keys() == {f"codekem-good-{VERSION}.crate", "go/list", bill}
    for name, digest in sums.items():
        assert hashlib.sha256((output / name).read_bytes()).hexdigest() == digest
    text = (output / bill).read_text()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    told = json.loads(text)
    components = {one["bom-ref"]: one for one in told["components"]}
    archive = components[f"codekem-good-{VERSION}.crate"]
    assert archive["hashes"] == [{"alg": "SHA-256", "content": sums[archive["bom-ref"]]}]
    held = {one["ref"]: one.get("dependsOn", []) for one in told["dependencies"]}
    assert set(held[archive["bom-ref"]]) == {"codekem", "pkg:pypi/part@1.2"}

    def files():
        return {path.name: path.read_bytes() for path in output.rglob("*") if path.is_file()}

    before = files()
    (output / "of somebody else").write_text("stays")
    assert call(monkeypatch, "--output", output) == 0
    after = files()
    assert after == before | {"of somebody else": b"stays"}


@pytest.mark.parametrize(
    ("packer", "place", "wanted"),
    [
        (
            "debian",
            "libcodekem0_0.1.0-1_amd64.deb",
            "pkg:deb/codekem/libcodekem0@0.1.0-1?arch=amd64",
        ),
        ("go", "go/example.org/a/go/@v/v0.1.0.zip", "pkg:golang/example.org/a/go@v0.1.0"),
        ("java", "java/a/codekem-0.1.0.jar", "pkg:maven/io.github.codekem/codekem@0.1.0?type=jar"),
        (
            "java",
            "java/a/codekem-0.1.0-sources.jar",
            "pkg:maven/io.github.codekem/codekem@0.1.0?classifier=sources&type=jar",
        ),
        ("js", "codekem-0.1.0.tgz", "pkg:npm/codekem@0.1.0?file_name=codekem-0.1.0.tgz"),
        (
            "rust",
            "codekem-sys-0.1.0.crate",
            "pkg:cargo/codekem-sys@0.1.0?file_name=codekem-sys-0.1.0.crate",
        ),
    ],
)
def test_package_urls_are_those_of_the_registries(packer, place, wanted, monkeypatch):
    monkeypatch.setattr(package_stage, "version", lambda: "0.1.0")
    assert sbom.package_url(pathlib.Path(place), packer).to_string() == wanted


def test_bill_is_the_same_whatever_order_sets_have(tmp_path):
    """And names what the Windows command holds, with its versions."""
    need_room("apps")
    program = """
import pathlib, sys
from apps import pack_windows
from tools.packaging import notices, sbom
folder = pathlib.Path(sys.argv[1])
made = {path: "windows" for path in sorted(folder.iterdir())}
print(sbom.make(made, {"windows": notices.contains(pack_windows.HELD)}, folder))
"""
    for name in "abcdef":
        (tmp_path / f"codekem-{name}-{VERSION}.zip").write_text(name)
    texts = {
        subprocess.run(
            [sys.executable, "-c", program, tmp_path],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    (text,) = texts
    held = {one["name"]: one for one in json.loads(text)["components"]}
    for package in ("libcli11-dev", "mingw-w64-x86-64-dev", "g++-mingw-w64-x86-64-posix"):
        assert held[package]["licenses"]


def test_what_cannot_be_made_is_an_error_and_the_rest_is_made(
    packers, tmp_path, monkeypatch, capsys
):
    packers(good=GOOD, lacking=LACKING, changing=CHANGING)
    output = tmp_path / "output"
    assert call(monkeypatch, "--twice", "--output", output) == 1
    said = capsys.readouterr()
    assert said.err.splitlines() == [
        "build_packages: changing not made: other bytes when made twice: "
        f"codekem-changing-{VERSION}.tgz",
        "build_packages: lacking not made: install the tool",
    ]
    assert "codekem-good" in (output / "SHA256SUMS").read_text()
    assert "changing" not in (output / "SHA256SUMS").read_text()
    assert call(monkeypatch, "--output", output, "good") == 0
    with pytest.raises(SystemExit):
        call(monkeypatch, "none")


def test_source_archive_has_what_git_has(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "PRESET", 0)
    (path,) = pack_source.pack(tmp_path)
    top = f"codekem-{VERSION}"
    with tarfile.open(path) as archive:
        entries = {entry.name.removeprefix(f"{top}/"): entry for entry in archive}
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=package_stage.ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    assert {name for name in tracked if (package_stage.ROOT / name).is_file()} == entries.keys()
    assert not [name for name in entries if name.startswith(("build/", ".git/", ".venv"))]
    assert entries["tools/lint.py"].mode == 0o755
    assert entries["README.md"].mode == 0o644
    assert {entry.mtime for entry in entries.values()} == {package_stage.source_date_epoch()}


def test_notices_are_those_of_the_packages_and_a_missing_one_is_an_error(tmp_path, monkeypatch):
    text = notices.text_of("It", notices.COMMAND)
    for name in ["CLI11", "JSON for Modern C++", "Henry Schreiner", "Niels Lohmann"]:
        assert name in text
    monkeypatch.setattr(notices, "COPYRIGHTS", tmp_path)
    with pytest.raises(OSError, match="install libcli11-dev"):
        notices.text_of("It", notices.COMMAND)


# --- From the commit ------------------------------------------------------------------------------


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A repository with two files as the only checkout, from which nothing dirty may be packed."""
    folder = tmp_path / "clone"
    (folder / "bindings/js").mkdir(parents=True)
    (folder / "include").mkdir()
    shutil.copy(package_stage.ROOT / "include" / "codekem.h", folder / "include")
    for name in ["bindings/js/index.js", "LICENSE-APACHE", "LICENSE-MIT"]:
        (folder / name).write_text(f"{name}\n")
    for words in [["init", "-q"], ["add", "."], ["commit", "-qm", "first"]]:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *words], cwd=folder, check=True)
    monkeypatch.setattr(package_stage, "ROOT", folder)
    monkeypatch.delenv(package_stage.ALLOW_DIRTY, raising=False)
    return folder


def names_in(archive):
    with tarfile.open(archive) as found:
        return {entry.name.partition("/")[2] for entry in found}


def test_untracked_files_are_never_packed(clone, tmp_path, monkeypatch):
    package_stage.require_clean()
    tracked = names_in(pack_source.pack(tmp_path)[0])
    assert "bindings/js/index.js" in tracked
    (clone / "bob.key").write_text("secret")
    (clone / "bindings/js/.npmrc").write_text("token")
    said = r"(?s)made from a commit.*\?\? bindings/js/\.npmrc\n  \?\? bob\.key"
    with pytest.raises(OSError, match=said):
        pack_source.pack(tmp_path)
    monkeypatch.setenv(package_stage.ALLOW_DIRTY, "1")
    assert names_in(pack_source.pack(tmp_path)[0]) == tracked
    assert {path.name for path in package_stage.stage("bindings/js").iterdir()} == {
        "index.js",
        "LICENSE-APACHE",
        "LICENSE-MIT",
    }


def change(clone):
    (clone / "bindings/js/index.js").write_text("other")


def hide(clone):
    subprocess.run(
        ["git", "update-index", "--assume-unchanged", "bindings/js/index.js"], cwd=clone, check=True
    )
    change(clone)


def add(clone):
    (clone / "new.js").write_text("new")
    subprocess.run(["git", "add", "new.js"], cwd=clone, check=True)


def remove(clone):
    (clone / "bindings/js/index.js").unlink()


@pytest.mark.parametrize(
    ("work", "shown"),
    [
        (change, "M bindings/js/index.js"),
        (hide, "M bindings/js/index.js"),
        (add, "new.js"),
        (remove, "D bindings/js/index.js"),
    ],
)
def test_changes_are_refused_with_their_list(work, shown, clone, monkeypatch, tmp_path, capsys):
    work(clone)
    with pytest.raises(OSError, match=shown):
        package_stage.require_clean()
    output = tmp_path / "output"
    assert call(monkeypatch, "--output", output, "source") == 1
    assert shown in capsys.readouterr().err
    assert not output.exists()
    monkeypatch.setenv(package_stage.ALLOW_DIRTY, "0")
    assert call(monkeypatch, "--output", output, "source") == 1


def test_every_packer_refuses_them(clone, tmp_path):
    change(clone)
    assert len(build_packages.families()) > 5
    for family in build_packages.families():
        with pytest.raises(OSError, match="packages are made from a commit"):
            importlib.import_module(build_packages.packers()[family]).pack(tmp_path / "output")
    assert not (tmp_path / "output").exists()


def test_an_unpacked_archive_is_no_checkout(clone, monkeypatch):
    """Nor if it lies in a repository: what that one tracks is something else."""
    inside = clone / "unpacked"
    shutil.copytree(clone / "bindings/js", inside)
    monkeypatch.setattr(package_stage, "ROOT", inside)
    with pytest.raises(OSError, match=r"is not a clone .* lies in another one"):
        package_stage.files_of(".")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(clone.parent))
    shutil.rmtree(clone / ".git")
    with pytest.raises(OSError, match="made from a clone of the repository, not from an unpacked"):
        package_stage.require_clean()
