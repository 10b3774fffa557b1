# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The documents lead to each other: links resolve, and docs/README.md names every document."""

import re

import pytest


def documents(root):
    return [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]


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
    """Returns the links of a document that lead nowhere."""
    found = []
    for link in links(text):
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
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
