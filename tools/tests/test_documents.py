# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The documents lead to each other: links resolve, and docs/README.md names every document. And
none tells anybody to install what no registry has."""

import fnmatch
import os
import re
import subprocess

import pytest

from tests import room_reports
from tools import house


def documents(root):
    return [
        *sorted(root.glob("*.md")),
        *sorted((root / "docs").rglob("*.md")),
        *(path for path in sorted(root.glob("[a-z]*/README.md")) if path.parent.name != "docs"),
    ]


def names_of_files(root):
    """Returns the names of all files but those that git ignores."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [name for name in names.split("\0") if (root / name).is_file()]


def links(text):
    """Returns the targets of a document's links and pictures within this repository."""
    return [
        target
        for target in re.findall(r"\]\(([^)\s]+)\)", text)
        if not re.match(r"[a-z]+:", target)
    ]


def anchors(text):
    """Returns what the headings of a document are called in links."""
    return {
        re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    }


def broken(document, text):
    """Returns the links of a document that lead nowhere, but for those into a room that has been
    deleted."""
    found = []
    for link in links(text):
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
        if not house.is_there(os.path.relpath(target, house.ROOT)):
            continue
        if not target.exists() or (
            anchor
            and anchor
            not in anchors(text if target == document else target.read_text(encoding="utf-8"))
        ):
            found.append(link)
    return found


def test_links_lead_somewhere(root):
    wrong = {
        document.relative_to(root).as_posix(): broken(
            document, document.read_text(encoding="utf-8")
        )
        for document in documents(root)
    }
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.parametrize("link", ["docs/none.md", "#none", "docs/tls.md#none"])
def test_a_broken_link_is_found(root, link):
    text = f"# Title\n\n[good](docs/tls.md#keys), [here](#title), [bad]({link})\n"
    assert broken(root / "README.md", text) == [link]


def test_list_names_every_document(root):
    docs = root / "docs"
    text = (docs / "README.md").read_text()
    targets = {(docs / link.partition("#")[0]).resolve() for link in links(text)}
    assert {path.resolve() for path in docs.rglob("*.md")} - {docs / "README.md"} <= targets
    assert "](docs/README.md)" in (root / "README.md").read_text()


def test_readme_has_the_rate_of_failures_that_the_pages_have(root):
    """And each of them that of the campaign."""
    texts = {
        name: " ".join((root / name).read_text(encoding="utf-8").split())
        for name in ("README.md", "docs/security.md", "docs/dfr.md")
    }
    rate = re.search(r"fails to decode about once in 2\^(\d+)", texts["README.md"])[1]
    assert f"at about 2^-{rate} instead of 2^-128 at level 1" in texts["docs/security.md"]
    assert f"BIKE-L1's rate is about 2^-{rate}," in texts["docs/dfr.md"]
    campaigns = (root / "docs/results/decoding-failures.md").read_text(encoding="utf-8")
    campaign = campaigns.split("<!-- campaign: split-L1-bgf-5-b.json -->")[1].split("<!-- end")[0]
    assert f"| -{rate}." in campaign


SAID = ("**May use:**", "**Read first:**", "**Command:** ", "**A failure means**")


def test_each_room_says_what_it_is(root):
    rooms = {path.parent.name for path in root.glob("[a-z]*/README.md")} - {"docs", "src"}
    assert rooms == {name for name in room_reports.BUDGETS if (root / name).is_dir()}
    for name in rooms:
        text = (root / name / "README.md").read_text(encoding="utf-8")
        missing = [part for part in (*SAID, f"`make check ROOM={name}`") if part not in text]
        assert not missing, name


def test_versions_that_pages_install_are_those_that_the_tests_use(root):
    pinned = (root / "tests" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    told = [
        pin
        for path in documents(root)
        for pin in re.findall(
            r"^ *\S*pip install (\w+==\S+)$", path.read_text("utf-8"), re.MULTILINE
        )
    ]
    assert told and set(told) <= set(pinned)


# --- Files that documents name --------------------------------------------------------------------

NAMED = re.compile(
    r"(?<![\w./<~$-])(?:[\w.-]+/)+[\w.*-]+\."
    r"(?:c|h|S|cpp|hpp|py|sv|toml|json|jsonl|def|sh|md|cmake|txt|csv|rdl|core|svg)\b(?![-/(])"
)
ELSEWHERE = re.compile(r"https?://\S+|\]\([^)]*\)|\bbuild/\S*|(?<![\w/])results/\S+")
# What a user is to make, or an example.
NOT_HERE = {
    "src/kem/gf2x/lsx/gf2x_lsx.c",
    "../kernels/sparse_product.mid.toml",
}


def lost_files(text, ends):
    """Returns the files that a document names and that no path of `ends` is: patterns, too."""
    named = set(NAMED.findall(ELSEWHERE.sub("", text))) - NOT_HERE
    return sorted(name for name in named if not fnmatch.filter(ends, name))


def test_files_that_documents_name_are_there(root):
    """A path may begin in the top folder, or further down: "base/ct.h"."""
    deleted = [name for name in room_reports.BUDGETS if not (root / name).is_dir()]
    if deleted:
        pytest.skip(f"documents name files of {', '.join(deleted)}, which is not there")
    names = names_of_files(root)
    parts = [name.split("/") for name in names]
    ends = {"/".join(part[start:]) for part in parts for start in range(len(part))}
    pages = [name for name in names if name.endswith(".md") and not name.startswith("tests/vec")]
    lost = {name: lost_files((root / name).read_text(encoding="utf-8"), ends) for name in pages}
    assert {name: files for name, files in lost.items() if files} == {}
    assert lost_files("`old/ct.h` and base/c*.h", ends) == ["old/ct.h"]


# --- One algorithm, where -------------------------------------------------------------------------

# Kernels in C for hardware that put others together, or are an example.
WHOLE_KERNELS = {"bike", "hqc", "hqc_fast", "hqc_sponge", "common_bits", "conversions"}
# Proofs of modules whose meaning others take.
MEANINGS = {"constants", "intrinsics", "shipped"}


def algorithms(root):
    """Returns {algorithm: {column: cell}} of the table in docs/architecture.md."""
    page = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    text = page.partition("\n## One algorithm, where\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: dict(zip(head, row, strict=True)) for row in rows}


def files_in(cells, names):
    """Returns the files that the patterns in cells name; a pattern without a file is an error."""
    found = set()
    for pattern in re.findall(r"`([^`]*/[^`]*)`", " ".join(cells)):
        files = fnmatch.filter(names, pattern)
        assert files, f"{pattern} is no file"
        found.update(files)
    return found


def test_one_algorithm_where_names_all(root):
    """Every family of functions with back ends, every kernel in C for hardware and every module of
    proofs stands in a row; all that a row names is there."""
    table, names = algorithms(root), names_of_files(root)
    for row in table.values():
        assert row["library"] and row["proved"] and row["tested"], row
    rooms = {"hardware": "SystemVerilog", "hls": "C for hardware", "lab": "failures counted"}
    gone = {column for room, column in rooms.items() if not house.is_there(room)}
    gone |= {"another reference"} if gone else set()
    cells = [cell for row in table.values() for column, cell in row.items() if column not in gone]
    found = files_in(cells, names)
    assert set(fnmatch.filter(names, "src/*_reference.c")) <= found
    kernels = {f"hls/kernels/{name}.c" for name in WHOLE_KERNELS}
    assert set(fnmatch.filter(names, "hls/kernels/*.c")) <= found | kernels
    if house.is_there("proofs"):
        named = set(re.findall(r"`(\w+)`", " ".join(row["proved"] for row in table.values())))
        modules = {name.removesuffix(".py") for name in names if name.startswith("proofs/kernels/")}
        modules = {name.rpartition("/")[2] for name in modules if name.count("/") == 2}
        assert named <= modules
        proved = {name for name in modules if f"test_{name}" in modules}
        about = ("assumed", "compiled", "coverage", "machine_code", "masks", "proved")
        assert proved - named <= MEANINGS | set(about)


# --- Lines that install from a registry -----------------------------------------------------------
# Nobody holds our names in the registries: whoever registers one is installed by such a line.

FILE = r"(?![\w.*+-]*\.(?:whl|tgz|gz|deb|crate|jar)\b)"
OURS = (
    FILE + r"[\"']?(?:lib)?codekem[\w.-]*(?:\[[^]]*\])?(?:[=<>~!@^][^\s`]*)?[\"']?(?=[\s`|\"')]|$)"
)
WORDS = r"(?:[\w@=<>.,:+~^/*-]+ +|\"[^\"]*\" +)*?"  # options and other packages before ours
FROM_A_REGISTRY = [
    rf"\b(?:pip\d?|pipx|uv|poetry|pdm|conda|rye) +(?:pip +)?(?:install|add|run) +{WORDS}{OURS}",
    rf"\b(?:npm|pnpm|yarn|bun|deno|npx) +(?:install|i|add|exec|ci) +{WORDS}(?:npm:)?{OURS}",
    rf"\bcargo +(?:add|install) +(?!.*--(?:path|git)\b){WORDS}{OURS}",
    rf"\bapt(?:-get)? +(?:-\S+ +)*install +{WORDS}{OURS}",
    rf"\b(?:brew|apk|dnf|pacman|gem|dotnet|conan) +(?:-?\w+ +)+{WORDS}{OURS}",
    rf"\bvcpkg +(?!.*--overlay-ports=)(?:-?\w+ +)+{WORDS}{OURS}",
    r"^codekem[\w-]* *= *(?:\"|\{(?!.*\b(?:path|git)\b))",  # Cargo.toml
    r"(?<!module )\bio\.github\.codekem:codekem\b",  # Gradle
]
GO_GET = re.compile(r"\bgo +(?:get|install|run) +\S*codekem/")
MAVEN = re.compile(r"<artifactId>codekem</artifactId>")


def from_a_registry(text):
    """Returns the lines of a document that install a package of ours from a registry."""
    lines = [part for line in text.replace("\\\n", " ").splitlines() for part in line.split("`")]
    found = [line for line in lines if any(re.search(rule, line) for rule in FROM_A_REGISTRY)]
    if 'GOPROXY="file://' not in text:
        found += [line for line in lines if GO_GET.search(line)]
    if not re.search(r"<url>file://|\bmvn -f CLONE/\S+ install\b", text):
        found += [line for line in lines if MAVEN.search(line)]
    return found


def told(root):
    """Returns the files from which users read what to type."""
    suffixes = (".md", ".1", ".html", ".svg", ".Debian", "doc.go", "lib.rs", ".d.ts")
    return [
        root / name
        for name in names_of_files(root)
        if name.endswith(suffixes) or name.startswith("tools/site/")
    ]


def test_no_document_installs_what_nobody_holds(root):
    files = told(root)
    ours = {"README.md", *(["bindings/js/README.md"] if house.is_there("bindings") else [])}
    assert {root / name for name in ours} <= set(files)
    wrong = {
        path.relative_to(root).as_posix(): from_a_registry(path.read_text(encoding="utf-8"))
        for path in files
    }
    assert {name: found for name, found in wrong.items() if found} == {}


@pytest.mark.parametrize(
    "line",
    [
        "    pip install codekem",
        "pip3 install --upgrade 'codekem[test]>=0.1'",
        "| Python | `python -m pip install codekem` |",
        "`pip install --no-binary codekem codekem`",
        "uv add codekem",
        "pip install numpy codekem==0.1.0",
        "cargo add codekem-rustls --features ring",
        "Run `cargo add codekem`, and `cargo add --path x y`",
        'codekem-sys = { version = "0.1", features = ["legacy"] }',
        'codekem = "0.1"',
        "npm install codekem",
        "npm i --save codekem@0.1.0",
        "deno add npm:codekem",
        "go get github.com/codekem/codekem/bindings/go",
        "apt install libcodekem-dev codekem",
        "apt-get -y install codekem-provider",
        "brew install codekem",
        "vcpkg install codekem",
        "  <artifactId>codekem</artifactId>",
        'implementation("io.github.codekem:codekem:0.1.0")',
        "pip install \\\n  codekem",
    ],
)
def test_a_line_that_installs_from_a_registry_is_found(line):
    assert from_a_registry(f"# Title\n\n{line}\n")


@pytest.mark.parametrize(
    "line",
    [
        "pip install ./bindings/python",
        "pip install codekem-0.1.0-cp311-linux_x86_64.whl",
        "~/codekem-python/bin/pip install CLONE/bindings/python",
        "cargo add --path CLONE/build/packages/stage/rust/codekem",
        "npm install CLONE/build/packages/codekem-0.1.0.tgz",
        'export GOPROXY="file://x,$(go env GOPROXY)"\ngo get g.com/codekem/codekem/bindings/go@v1',
        "apt install ./libcodekem0_*.deb ./codekem_*.deb",
        "vcpkg install codekem --overlay-ports=FOLDER/vcpkg",
        "make install, then codekem selftest",
        'codekem = { path = "x" }',
        "mvn -f CLONE/bindings/java install\n\n<artifactId>codekem</artifactId>",
        "The crate codekem-rustls can be added with cargo.",
    ],
)
def test_a_line_that_installs_from_a_clone_is_not(line):
    assert from_a_registry(line) == []
