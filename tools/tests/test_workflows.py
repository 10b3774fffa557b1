# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The workflows, which nobody has run: what can be seen of them without."""

import re

import pytest
import yaml


@pytest.fixture(scope="module")
def workflows(root):
    found = (root / ".github" / "workflows").glob("*.yml")
    return {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in found}


def texts_outside_environments(value):
    """Yields (key, text) of all texts in a workflow but those that become variables."""
    if isinstance(value, list):
        for part in value:
            yield from texts_outside_environments(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            if isinstance(part, str):
                yield key, part
            elif key != "env":
                yield from texts_outside_environments(part)


def test_no_text_of_others_is_pasted_into_a_script(workflows):
    """The name of a tag or a branch is one; a shell reads what is pasted as a command. Actions may
    do the same with their inputs."""
    scripts = 0
    for name, workflow in workflows.items():
        for key, text in texts_outside_environments(workflow["jobs"]):
            scripts += key == "run"
            assert key != "run" or "${{" not in text, (name, text)
            assert not re.search(r"\$\{\{[^}]*github\.(event|head_ref|ref_name)", text), (
                name,
                text,
            )
    assert scripts > 10
