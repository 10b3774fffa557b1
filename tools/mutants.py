#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Counts how many random mistakes in src/ the tests find (tools/mutations.py says which kinds).

Each mutant goes through stages, until one finds it: compiled; `programs`, the C tests and the first
known answers whose program it changes; `test`, what `make test` has for its file; `long`, the same
of `make test-long`. What does not compile without warnings, or gives the same objects, does not
count: the next one takes its place. A test of the first two stages is one of `make test`; not all
of that is run, so the share that is found is a lower bound. A test that takes five times as much
processor time as without the mistake has found it, too.

All happens in a copy of the sources in build/mutants. What was found is in tests/mutants.json after
each mutant, so that a run can be stopped, and goes on where it was. Of other sources, --anew draws
and tries all again: what was read of a mutant is kept, and what found it is tried first.

usage: mutants.py choose [COUNT]              print the first mutants of the seed
       mutants.py run [--anew] [--stages S] [--minutes N]   go on with the campaign
       mutants.py report [--survivors]        say how many are found
"""

import argparse
import functools
import json
import re
import signal
import subprocess
import sys
import time

from tools import artefacts, count_instructions, mutations
from tools.mutant_copy import (
    BUILDS,
    CLEAN,
    EMULATED,
    OWN_BUILD,
    RESULTS,
    ROOT,
    SHORTEST_LIMIT,
    TIMES,
    TREE,
    WORK,
    CampaignError,
    build,
    changed_files,
    folder_of,
    make,
    make_alike,
    prepare,
    programs_of,
    run,
    say,
)
from tools.mutant_tests import PYTHON, back_end, preset_of, pytest, selections

SEED, WANTED = "codekem", 300
EARLIER = WORK / "earlier.json"
STAGES = ["programs", "test", "long"]
# What reading says of a mutant that nothing finds. The first two are no mistakes, and do not count;
# the first three no test of results can find, and they are not tried.
READ = ["equivalent", "unreachable", "performance", "gap"]
NOT_FOUND, NONE_CHOSEN = 4, 5  # how pytest ends
SCHEMES = {"kat_check": "bike,hqc", "mceliece_check": "mceliece", "sofia_check": "sofia"}


# --- Without the mistake --------------------------------------------------------------------------


class Baseline:
    """What commands do without a mistake: found out once, in the clean copy.

    Tests that fail there say nothing, and are left out. What was built for them is kept.
    """

    def __init__(self):
        self._path = WORK / "baseline.json"
        self._known = json.loads(self._path.read_text()) if self._path.exists() else {}

    def __contains__(self, key):
        return key in self._known

    def __getitem__(self, key):
        return self._known[key]

    def find_out(self, key, command, before=lambda: None):
        """Calls `before` and runs a command in the clean copy, which is then that of the mistake no
        more."""
        say(f"  first without the mistake: {key}")
        make_alike(CLEAN, TREE)
        before()
        status, text, seconds = run(command)
        failing = failures(text)
        gone = status == NOT_FOUND and "::" in str(command[-1])
        if status not in (0, NONE_CHOSEN) and not failing and not gone:
            raise CampaignError(f"{key} fails without a mistake:\n{text[-3000:]}")
        limit = max(SHORTEST_LIMIT, int(TIMES * seconds) + 1)
        say("".join(f"    {name} fails without it, too\n" for name in failing), end="")
        self._known[key] = {
            "limit": limit,
            "failing": failing,
            "empty": status != 0 and not failing,
        }
        make_alike(TREE, CLEAN)
        self._path.write_text(json.dumps(self._known, indent=1), encoding="utf-8")


def failures(text):
    """Returns the tests that pytest says failed."""
    return re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", text, re.MULTILINE)


def plant(mutant):
    """Puts a mistake into the copy."""
    make_alike(CLEAN, TREE)
    path = TREE / mutant["file"]
    text = mutations.apply(mutant, path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")


# --- Stages ---------------------------------------------------------------------------------------


def compiled(mutant):
    """Compiles; returns the build whose objects change, "refused" or "equivalent"."""
    own = OWN_BUILD.get(back_end(mutant))
    order = own or ["gcc", "clang"]
    if not own and back_end(mutant) not in ("avx2", "vpclmul", "gfni", "avx512"):
        order = [*order, *(name for name in BUILDS if name not in order)]
    for name in order:
        if not build(name):
            return "refused"
        if changed_files(name, "*.o") or changed_files(name, "*.obj"):
            return name
    return "equivalent"


def commands_of(mutant, name):
    """Returns {what: command} of the programs of a build that the mistake changes."""
    run(["ninja", *programs_of(name)], cwd=folder_of(name), must=True)
    changed = sorted(path.name for path in changed_files(name, "bin/*"))
    schemes = ",".join(SCHEMES[program] for program in changed if program in SCHEMES)
    chosen = {"reference": "reference", "portable": "portable", "avx512": "avx512"}
    chosen |= {"vpclmul": "avx2-vpclmul", "gfni": "avx2-gfni"}
    names = chosen.get(back_end(mutant), "portable,avx2,avx512")
    if name in EMULATED:  # those of its own only, or also portable code
        names = ",".join(
            EMULATED[name][1 if back_end(mutant) in OWN_BUILD else 0 :] or EMULATED[name]
        )
    script = TREE / "tests" / "mutant_answers.py"
    found = {}
    if schemes:
        command = [PYTHON, script, folder_of(name), schemes, names]
        command += [name] if name in EMULATED else []
        found[f"known answers, {name}: {schemes}, {names}"] = command
    emulator = count_instructions.emulator(name) if name in EMULATED else []
    for program in changed:
        if program.startswith("test_"):
            found[f"{program}, {name}"] = [*emulator, folder_of(name) / "bin" / program]
    return found


def run_programs(mutant, baseline):
    """Runs the changed programs; returns the first that fails, or None."""
    name = mutant["build"]
    if name not in ("gcc", *EMULATED):
        return None  # its programs are those of other stages
    commands = commands_of(mutant, name)
    unknown = [key for key in commands if key not in baseline]
    for key in unknown:
        baseline.find_out(key, commands[key])
    if unknown:
        plant(mutant)
        build(name)
        commands = commands_of(mutant, name)
    for key, command in commands.items():
        if run(command, limit=baseline[key]["limit"])[0] != 0:
            return key
    return None


def run_tests(mutant, stage, baseline, first=None):
    """Runs the tests for a mutant, one before the others; returns the first that fails, or None."""
    for arguments in [*([[first]] if first else []), *selections(mutant)]:
        preset = preset_of(mutant, arguments)
        key = f"{stage}: {' '.join(arguments)}"
        words = [word for word in arguments if "/" in word]
        if key not in baseline:
            before = functools.partial(make, words, preset, stage)
            baseline.find_out(key, pytest(arguments, stage), before)
            plant(mutant)
        if baseline[key]["empty"]:
            continue
        make(words, preset, stage)
        left_out = [f"--deselect={name}" for name in baseline[key]["failing"]]
        command = pytest(arguments, stage, "-x", *left_out)
        status, text, _ = run(command, limit=baseline[key]["limit"])
        if status not in (0, NONE_CHOSEN):
            return (failures(text) or [f"{key} ends with {status}"])[0]
    return None


# --- The campaign ---------------------------------------------------------------------------------


def made_by():
    """Returns what decides about the choice, and which tools about the rest."""
    files = sorted((ROOT / "src").rglob("*.[ch]"))
    found = {"seed": SEED, "wanted": WANTED, "sources": artefacts.Sources(files).digest()}
    for tool in ("gcc", "clang"):
        done = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True)
        found[tool] = done.stdout.splitlines()[0]
    return found


def same_mistake(mutant):
    """Returns what two campaigns have in common of a mutant."""
    function = mutant["function"].removeprefix(mutations.PREFIX)
    return (mutant["file"], function, *(mutant[key] for key in ("place", "before", "after")))


def earlier_mutants():
    """Returns the mutants of the campaign before this one by what they have in common."""
    mutants = json.loads(EARLIER.read_text(encoding="utf-8")) if EARLIER.exists() else []
    return {same_mistake(mutant): mutant for mutant in mutants}


def begin_anew():
    """Makes the stored results those of an earlier campaign."""
    mutants = load()["mutants"]
    (ROOT / RESULTS).unlink()
    WORK.mkdir(parents=True, exist_ok=True)
    EARLIER.write_text(json.dumps(mutants), encoding="utf-8")


def load():
    """Returns the stored results, or those of a campaign that begins."""
    path = ROOT / RESULTS
    if path.exists():
        return json.loads(path.read_text(encoding="utf-8"))
    return {"made_by": made_by(), "mutants": []}


def save(results):
    """Writes the results, a line for each mutant."""
    lines = ",\n".join(json.dumps(mutant, ensure_ascii=False) for mutant in results["mutants"])
    made = json.dumps(results["made_by"], ensure_ascii=False)
    text = f'{{"made_by": {made},\n"mutants": [\n{lines}\n]}}\n'
    half = WORK / "results"
    half.write_text(text, encoding="utf-8")
    half.replace(ROOT / RESULTS)


def counts(mutant):
    return mutant["build"] not in ("refused", "equivalent")


def read_as(mutant):
    return mutant.get("read", [""])[0]


def harmless(mutant):
    """Says whether it was read as no mistake."""
    return read_as(mutant) in READ[:2]


def try_stage(mutant, stage, baseline, earlier):
    """Takes a mutant through a stage and notes in it what came of it. earlier: what it was in the
    campaign before."""
    begin = time.monotonic()
    plant(mutant)
    if stage == "programs":
        mutant["build"] = compiled(mutant)
        found = run_programs(mutant, baseline) if counts(mutant) else None
    else:
        by, test = earlier.get("found", [None, ""])
        found = run_tests(mutant, stage, baseline, test if by == stage and "::" in test else None)
    if counts(mutant):
        mutant |= {"found": [stage, found]} if found else {"passed": [*passed(mutant), stage]}
    said = f"found by {found}" if found else "survives" if counts(mutant) else mutant["build"]
    say(f"{mutant['file']}:{mutant['line']} {stage}: {said}, {time.monotonic() - begin:.0f} s")


def passed(mutant):
    return mutant.get("passed", [])


def campaign(stages, minutes, builds):
    """Goes on with the campaign until all is done, or for so many minutes.

    Of the later stages only what concerns some builds.
    """
    end = time.monotonic() + 60 * minutes
    results = load()
    if results["made_by"]["sources"] != made_by()["sources"]:
        raise CampaignError(f"{RESULTS} is of other sources: --anew tries all again")
    prepare()
    baseline, mutants, earlier = Baseline(), results["mutants"], earlier_mutants()
    chosen = [vars(mutant) for mutant in mutations.all_mutants(ROOT, SEED)]
    while "programs" in stages and sum(map(counts, mutants)) < WANTED and time.monotonic() < end:
        mutant = dict(chosen[len(mutants)])
        before = earlier.get(same_mistake(mutant), {})
        mutant |= {"read": before["read"]} if "read" in before else {}
        try_stage(mutant, "programs", baseline, before)
        mutants.append(mutant)
        save(results)
    for stage in [stage for stage in stages if stage != "programs"]:
        for mutant in filter(counts, mutants):
            ready = passed(mutant) == STAGES[: STAGES.index(stage)] and "found" not in mutant
            ready = ready and mutant["build"] in builds and read_as(mutant) not in READ[:3]
            if ready and time.monotonic() < end:
                try_stage(mutant, stage, baseline, earlier.get(same_mistake(mutant), {}))
                save(results)


# --- The report -----------------------------------------------------------------------------------


def report(results, survivors):
    """Returns the lines that say how many are found, and by what."""
    mutants = results["mutants"]
    counted = [mutant for mutant in mutants if counts(mutant)]
    alike = [mutant for mutant in counted if harmless(mutant)]
    real = [mutant for mutant in counted if mutant not in alike]
    by = {stage: sum(m.get("found", [""])[0] == stage for m in real) for stage in STAGES}
    quick = by["programs"] + by["test"]
    added = sum("found" in mutant and "read" in mutant for mutant in real)
    missed = [mutant for mutant in real if "found" not in mutant]
    slow = sum(read_as(mutant) == "performance" for mutant in missed)
    left = {
        stage: sum(stage not in passed(m) and read_as(m) != "performance" for m in missed)
        for stage in STAGES
    }
    lines = [
        f"{len(mutants)} drawn with the seed {results['made_by']['seed']} from the sources "
        f"{results['made_by']['sources']}: "
        f"{sum(m['build'] == 'refused' for m in mutants)} do not compile without warnings, "
        f"{sum(m['build'] == 'equivalent' for m in mutants)} give the same objects, "
        f"{len(alike)} change nothing, as read; {len(real)} count",
        f"found by make test: {quick} of {len(real)}, {share(quick, real)}: {by['programs']} "
        f"by programs, {by['test']} by other tests, {added} of them added since, when the mutant "
        f"was read; {slow} cost time alone, as read; {left['test']} not tried by these",
        f"found by the long tests besides: {by['long']}; {left['long']} not tried by these",
    ]
    for mutant in counted if survivors else []:
        if "found" not in mutant:
            read = ": ".join(mutant.get("read", ["not read"]))
            where = f"{mutant['file']}:{mutant['line']} {mutant['function']}"
            change = f"{mutant['before']} -> {mutant['after']}"
            lines.append(f"{where}: {' '.join(change.split())}; {read}")
    return lines


def share(part, whole):
    return f"{100 * part / len(whole):.1f} %" if whole else "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    actions = parser.add_subparsers(dest="action", required=True)
    choose = actions.add_parser("choose", help="print the first mutants of the seed")
    choose.add_argument("count", type=int, nargs="?", default=WANTED)
    going = actions.add_parser("run", help="go on with the campaign")
    going.add_argument("--anew", action="store_true", help="of sources that have changed")
    going.add_argument("--stages", default=",".join(STAGES), help="of %(default)s")
    going.add_argument("--minutes", type=float, default=1e6, help="begin nothing after these")
    going.add_argument(
        "--builds", default=",".join(BUILDS), help="in the later ones, of %(default)s"
    )
    saying = actions.add_parser("report", help="say how many are found")
    saying.add_argument("--survivors", action="store_true", help="and print those that are not")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what runs is ended, too
    try:
        if chosen.action == "choose":
            for mutant in mutations.all_mutants(ROOT, SEED)[: chosen.count]:
                print(f"{mutant.file}:{mutant.line}: {mutant.before!r} -> {mutant.after!r}")
        elif chosen.action == "run":
            if chosen.anew:
                begin_anew()
            campaign(chosen.stages.split(","), chosen.minutes, chosen.builds.split(","))
        else:
            print("\n".join(report(load(), chosen.survivors)))
    except CampaignError as error:
        sys.exit(f"mutants.py: {error}")


if __name__ == "__main__":
    main()
