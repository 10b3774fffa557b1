# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The workflows, which nobody has run: what can be seen of them without. Their steps are tried in
tools/packaging/tests/test_release.py."""

import re
import shutil
import subprocess

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
    assert scripts > 5


def steps(workflows):
    """Yields (name of the workflow, step) of all jobs."""
    for name, workflow in workflows.items():
        for job in workflow["jobs"].values():
            for step in job["steps"]:
                yield name, step


def test_actions_are_pinned_by_commit(workflows):
    used = [step["uses"] for _, step in steps(workflows) if "uses" in step]
    assert len(used) > 10
    assert [one for one in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", one)] == []


def test_only_the_job_that_publishes_may_and_it_builds_nothing(workflows):
    """What it publishes was attested by a job that could not publish."""
    jobs = workflows["release.yml"]["jobs"]
    can = {
        name
        for name, job in jobs.items()
        if "write" in {job["permissions"].get(what) for what in ("contents", "packages")}
        or "secrets." in str(job)
    }
    assert can == {"publish"}
    assert jobs["publish"]["if"] == "github.event_name == 'release'"
    assert jobs["publish"]["needs"] == "try" and jobs["try"]["needs"] == "attest"


def test_steps_are_those_of_the_script(workflows, root):
    """A matrix puts its words in the place of variables."""
    script = root / "tools" / "packaging" / "release.sh"
    usage = subprocess.run([script], capture_output=True, text=True, check=False).stderr
    known = set(re.findall(r"^  ([a-z-]+) FOLDER", usage, re.MULTILINE))
    assert len(known) > 10
    matrix = workflows["release.yml"]["jobs"]
    words = {
        "try-$LANGUAGE": {f"try-{one}" for one in matrix["try"]["strategy"]["matrix"]["language"]},
        "publish-$PLACE": {
            f"publish-{one}" for one in matrix["publish"]["strategy"]["matrix"]["place"]
        },
    }
    called = {
        found
        for _, step in steps(workflows)
        for found in re.findall(r'release\.sh "?([\w$-]+)', step.get("run", ""))
    }
    run = set().union(*(words.get(one, {one}) for one in called))
    assert run == known - {"check"}


@pytest.mark.long
def test_actionlint_finds_nothing(root):
    if shutil.which("go") is None:
        pytest.skip("actionlint not run: it needs Go")
    tool = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
    files = sorted((root / ".github" / "workflows").glob("*.yml"))
    done = subprocess.run(["go", "run", tool, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
