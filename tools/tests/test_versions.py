# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The version is the same wherever it stands, and the changelog has an entry for it."""

import json
import re
import tomllib

import pytest
import yaml

from tests.rooms import need_room


@pytest.fixture
def version(root):
    """The version in the public header, from which CMake has that of the library."""
    text = (root / "include" / "codekem.h").read_text()
    return re.search(r'^#define CODEKEM_VERSION_STRING "([0-9.]+)"$', text, re.MULTILINE)[1]


def test_numbers_in_the_header_are_those_of_its_text(root, version):
    text = (root / "include" / "codekem.h").read_text()
    numbers = re.findall(
        r"^#define CODEKEM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.MULTILINE
    )
    assert ".".join(numbers) == version


def test_library_tells_the_version_of_its_header(library, version):
    assert library.call["version"]() == version


def test_changelog_names_the_version_first(root, version):
    entries = re.findall(
        r"^## \[(.+?)\] - (\d{4}-\d\d-\d\d|unreleased)$",
        (root / "CHANGELOG.md").read_text(),
        re.MULTILINE,
    )
    assert entries
    assert entries[0][0] == version


def test_citation_has_the_version_and_what_its_format_asks_for(root, version):
    citation = yaml.safe_load((root / "CITATION.cff").read_text())
    assert str(citation["version"]) == version
    assert citation["cff-version"] == "1.2.0"
    assert {"title", "message", "authors"} <= citation.keys()
    assert citation["license"] == ["Apache-2.0", "MIT"]


def test_evaluation_has_the_version(root, version):
    need_room("evaluation")
    text = (root / "evaluation/src/codekem_evaluation/__init__.py").read_text()
    assert re.search(r'^__version__ = "([0-9.]+)"', text, re.MULTILINE)[1] == version


@pytest.mark.parametrize("name", ["package.json", "package-lock.json"])
def test_npm_package_has_the_version(root, version, name):
    need_room("bindings")
    manifest = json.loads((root / "bindings/js" / name).read_text())
    assert manifest["version"] == version
    if "packages" in manifest:
        assert manifest["packages"][""]["version"] == version


def test_issue_forms_say_what_is_needed(root):
    forms = sorted((root / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    forms = [form for form in forms if form.name != "config.yml"]
    assert forms
    for form in forms:
        fields = yaml.safe_load(form.read_text())
        assert {"name", "description", "body"} <= fields.keys()
        names = [field["id"] for field in fields["body"] if field["type"] != "markdown"]
        assert len(names) == len(set(names))
        for field in fields["body"]:
            assert field["attributes"].get("label") or field["type"] == "markdown"
    assert "SECURITY.md" in (root / ".github" / "ISSUE_TEMPLATE" / "bug.yml").read_text()


@pytest.mark.parametrize(
    "file, pattern",
    [
        ("bindings/go/age-plugin-codekem/README.md", r"age-plugin-codekem@v(\S+)$"),
        ("bindings/go/age-plugin-codekem/go.mod", r"codekem/bindings/go v(\S+)$"),
        ("bindings/go/circl/go.mod", r"codekem/bindings/go v(\S+)$"),
        ("bindings/java/pom.xml", r"^  <version>(.*)</version>$"),
        ("bindings/java/README.md", r"^  <version>(.*)</version>$"),
        (
            "bindings/java/src/main/java/io/github/codekem/CodekemProvider.java",
            r' VERSION = "(.*)";$',
        ),
    ],
)
def test_packages_have_the_version(file, pattern, root, version):
    need_room("bindings")
    assert re.findall(pattern, (root / file).read_text(), re.MULTILINE) == [version]


def test_crates_have_the_version(root, version):
    need_room("bindings")
    workspace = tomllib.loads((root / "bindings/rust/Cargo.toml").read_text())["workspace"]
    assert workspace["package"]["version"] == version
    crates = [name for name in workspace["dependencies"] if name.startswith("codekem")]
    assert crates
    assert all(workspace["dependencies"][name]["version"] == f"={version}" for name in crates)
    lock = tomllib.loads((root / "bindings/rust/Cargo.lock").read_text())
    locked = {one["name"]: one["version"] for one in lock["package"] if "source" not in one}
    assert locked == dict.fromkeys(
        ["codekem", "codekem-mceliece", "codekem-rustls", "codekem-sys"], version
    )
