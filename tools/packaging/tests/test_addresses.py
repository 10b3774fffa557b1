# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Addresses of the project: what packages and documents say is what the table says."""

import shutil

from tools.packaging import addresses

OTHER = {name: f"https://example.org/we/it/{name}/new" for name in addresses.addresses()}
OTHER["repository"] = "https://example.org/we/it"


def test_every_place_has_the_address_of_the_table(root):
    texts, missing = addresses.placed(root, addresses.addresses())
    assert missing == []
    assert len(texts) > 10
    for path, text in texts.items():
        assert path.read_text(encoding="utf-8") == text, f"run {addresses.__file__}"


def test_a_move_reaches_every_place(root, tmp_path):
    """Nothing of the old address is left in data of packages, and what was moved is in place."""
    texts, missing = addresses.placed(root, OTHER)
    assert missing == []
    for path, text in texts.items():
        target = tmp_path / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        assert "github.com/codekem/codekem" not in text, path
    again, missing = addresses.placed(tmp_path, OTHER)
    assert missing == []
    for path, text in again.items():
        assert path.read_text(encoding="utf-8") == text


def test_a_place_that_went_is_said(root, tmp_path):
    shutil.copy(root / "CITATION.cff", tmp_path)
    (tmp_path / "SECURITY.md").write_text("nothing")
    _, missing = addresses.placed(tmp_path, OTHER)
    assert [line.partition(":")[0] for line in missing] == ["SECURITY.md"]
