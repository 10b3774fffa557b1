# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The steps of a release, tried without publishing: what they check, and the last command of each.

The long test makes all archives as the workflow does, in a fresh Debian, and tries them.
"""

import hashlib
import os
import shutil
import subprocess
import zipfile

import pytest

from tests.rooms import need_room
from tools.packaging import package_stage

SCRIPT = package_stage.ROOT / "tools" / "packaging" / "release.sh"
VERSION = package_stage.version()
GO = "github.com/codekem/codekem/bindings/go"
JAVA = f"java/io/github/codekem/codekem/{VERSION}/codekem-{VERSION}"


def release(step, folder, check=True, script=SCRIPT, **environment):
    """Runs a step without publishing; returns what was done."""
    done = subprocess.run(
        [script, step, folder],
        env={**os.environ, "DRY_RUN": "1", **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert not check or done.returncode == 0, done.stdout
    return done


def write_sums(folder):
    names = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    (folder / "SHA256SUMS").write_text(
        "".join(
            f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
            for name in names
            if name.parts[0] not in {"wheels", "SHA256SUMS"}
        )
    )


@pytest.fixture
def path_with_gh(tmp_path):
    """A PATH that has a command gh, which does nothing."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "gh").write_text("#!/bin/sh\n")
    (tools / "gh").chmod(0o755)
    return f"{tools}:{os.environ['PATH']}"


@pytest.fixture
def signer(tmp_path):
    """The environment of somebody who has a key to sign with, and an account."""
    if shutil.which("gpg") is None:
        pytest.skip("signing not tried: gpg is missing")
    home = tmp_path / "gnupg"
    home.mkdir(mode=0o700)
    keys = ["--batch", "--passphrase", "a word", "--quick-gen-key", "a@example.org", "ed25519"]
    own = os.environ | {"GNUPGHOME": str(home)}
    subprocess.run(["gpg", *keys], env=own, check=True, capture_output=True)
    yield {
        "GNUPGHOME": str(home),
        "CENTRAL_TOKEN": "token-of-central",
        "SIGNING_PASSPHRASE": "a word",
    }
    subprocess.run(["gpgconf", "--kill", "all"], env=own, check=True)


@pytest.fixture
def made_up(tmp_path):
    """A folder with archives of all kinds that hold next to nothing."""
    folder = tmp_path / "dist"
    names = [
        f"codekem-{VERSION}.tgz",
        f"codekem-{VERSION}.tar.gz",
        f"libcodekem0_{VERSION}-1_amd64.deb",
        f"wheels/codekem-{VERSION}-cp312-abi3-manylinux_2_28_x86_64.whl",
        *[f"{JAVA}{end}" for end in (".jar", ".pom", "-sources.jar", "-javadoc.jar")],
    ]
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    for module in (GO, f"{GO}/age-plugin-codekem", f"{GO}/circl"):
        path = folder / "go" / module / "@v" / f"v{VERSION}.zip"
        path.parent.mkdir(parents=True)
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"{module}@v{VERSION}/go.mod", f"module {module}\n")
    write_sums(folder)
    return folder


def test_other_bytes_than_those_attested_are_not_published(made_up):
    assert "files are as they were attested" in release("check", made_up).stdout
    (made_up / f"codekem-{VERSION}.tgz").write_text("other")
    for step in ["check", "try-js", "publish-js", "publish-files", "publish-go"]:
        done = release(step, made_up, check=False, TAG=VERSION)
        assert done.returncode == 1 and "has other bytes" in done.stdout
        assert "would run" not in done.stdout


def test_wheels_join_the_digests(made_up):
    before = len((made_up / "SHA256SUMS").read_text().splitlines())
    release("collect", made_up)
    lines = (made_up / "SHA256SUMS").read_text().splitlines()
    assert len(lines) == before + 1 and "  wheels/codekem-" in lines[-1]
    said = release("publish-python", made_up).stdout
    assert "would run: uv publish --trusted-publishing always" in said
    assert f"codekem-{VERSION}.tar.gz" in said and "abi3-manylinux" in said


def test_wheels_are_asked_for(made_up):
    shutil.rmtree(made_up / "wheels")
    done = release("publish-python", made_up, check=False)
    assert done.returncode == 1 and "has no wheels" in done.stdout


def test_npm_gets_the_file(made_up):
    said = release("publish-js", made_up).stdout
    wanted = f"npm publish --provenance --access public {made_up}/codekem-{VERSION}.tgz"
    assert f"would run: {wanted}\n" in said


def test_a_release_gets_every_file_but_those_of_registries_with_folders(made_up, path_with_gh):
    said = release("publish-files", made_up, TAG=VERSION, PATH=path_with_gh)
    (line,) = [line for line in said.stdout.splitlines() if "would run" in line]
    assert line.split() == [
        *["release:", "would", "run:", "gh", "release", "upload", VERSION, "SHA256SUMS"],
        f"codekem-{VERSION}.tar.gz",
        f"codekem-{VERSION}.tgz",
        f"libcodekem0_{VERSION}-1_amd64.deb",
    ]
    done = release("publish-files", made_up, check=False, PATH=path_with_gh, TAG="")
    assert done.returncode != 0 and "would run" not in done.stdout


@pytest.mark.long
def test_go_gets_tags_of_the_packed_files(made_up, tmp_path):
    """Pushed for once, to a repository of this test, whose tags are looked at."""
    need_room("bindings")
    clone, remote = tmp_path / "clone", tmp_path / "remote.git"
    subprocess.run(["git", "clone", "-q", "--shared", package_stage.ROOT, clone], check=True)
    subprocess.run(["git", "init", "-q", "--bare", remote], check=True)
    subprocess.run(["git", "-C", clone, "remote", "set-url", "origin", remote], check=True)
    shutil.copy(SCRIPT, clone / "tools" / "packaging")
    done = subprocess.run(
        [clone / "tools" / "packaging" / "release.sh", "publish-go", made_up],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr

    def of_remote(*words):
        return subprocess.run(
            ["git", "-C", remote, *words], capture_output=True, text=True, check=True
        ).stdout

    folders = ["bindings/go/age-plugin-codekem", "bindings/go/circl", "bindings/go"]
    tags = [f"{folder}/v{VERSION}" for folder in folders]
    assert of_remote("tag").split() == tags
    for tag in tags:
        files = of_remote("ls-tree", "-r", "--name-only", tag, "bindings/go").split()
        assert files == [f"{folder}/go.mod" for folder in folders]
        assert of_remote("show", f"{tag}:bindings/go/go.mod") == f"module {GO}\n"
    assert of_remote("branch") == ""


@pytest.mark.long
def test_maven_central_gets_signed_files(made_up, signer):
    said = release("publish-java", made_up, **signer).stdout
    assert "would run: curl --fail" in said
    assert "a word" not in said and "token-of-central" not in said
    (made_up / f"{JAVA}-javadoc.jar").unlink()
    write_sums(made_up)
    done = release("publish-java", made_up, check=False, **signer)
    assert done.returncode == 1 and "-javadoc.jar is missing" in done.stdout


@pytest.mark.parametrize("arguments", [[], ["build"], ["paint", "x"], ["check", "a", "b"]])
def test_wrong_usage_is_said(arguments):
    done = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "usage: [DRY_RUN=1]" in done.stderr


# --- As the workflow does it ----------------------------------------------------------------------


@pytest.mark.long
def test_all_archives_are_made_tried_and_ready_to_publish(tmp_path, path_with_gh, signer):
    """Every step of the workflow but the wheels for other machines, from a clone of the commit."""
    home = os.environ.get("JAVA_HOME", "")
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        pytest.skip("no release tried: it needs root and debootstrap")
    if not os.access(f"{home}/bin/javadoc", os.X_OK):
        pytest.skip("no release tried: it needs JAVA_HOME of a JDK")
    clone, folder = tmp_path / "clone", tmp_path / "dist"
    subprocess.run(["git", "clone", "-q", package_stage.ROOT, clone], check=True)
    steps = {
        "script": clone / "tools" / "packaging" / "release.sh",
        "PATH": f"{home}/bin:{path_with_gh}",
        "TAG": f"v{VERSION}",
        **signer,
    }

    release("build", folder, **steps)
    again = release("build", folder, check=False, **steps)
    assert again.returncode == 1 and "is there already" in again.stdout
    names = {path.name for path in folder.rglob("*") if path.is_file()}
    assert any(name.startswith("age-plugin-codekem_") for name in names)
    for language in ["go", "java", "js", "python", "rust"]:
        release(f"try-{language}", folder, **steps)
    (wheel,) = folder.glob("*.whl")
    (folder / "wheels").mkdir()
    shutil.copy(wheel, folder / "wheels")
    release("collect", folder, **steps)
    for place in ["files", "go", "java", "js", "python", "rust"]:
        assert "would run: " in release(f"publish-{place}", folder, **steps).stdout
