# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Whether the code that is proved is the code that is built.

Proofs and builds give a file to different compilers, with other flags. What they read of our
sources must be the same all the same: both are preprocessed, without the headers of systems and
compilers, and compared word by word. ALLOWED has what may differ, and why.
"""

import json
import re
import shlex
import subprocess

# What preprocessors leave of code that each compiler has its own words for; both sides lose it.
ALLOWED = {
    r"#pragma clang attribute (push\(.*\)|pop)$": "instructions that functions may use (isa.h)",
    r"#pragma GCC (push_options|pop_options|target\(.*\))$": "the same for gcc",
    r"#pragma (clang loop unroll\(full\)|GCC unroll \d+)$": "hints that change no meaning",
    r'__attribute__\(\((noinline(, optimize\("no-schedule-insns"\))?|always_inline)\)\)': "hints",
    r"\binline\b": "the same",
    r'__asm__\("" : "\+[rv]"\(\w+\)\);': "value barriers, which are counted",
}
BARRIER = re.compile(r'__asm__\("" : "\+[rv]"\(\w+\)\);')
STUBS = {
    "stdint.h": """
#define UINT16_MAX 0xFFFF
#define UINT32_MAX 0xFFFFFFFFU
#define UINT64_MAX 0xFFFFFFFFFFFFFFFFU
#if __SIZEOF_POINTER__ == 8
#define SIZE_MAX UINT64_MAX
#else
#define SIZE_MAX UINT32_MAX
#endif
#define UINTPTR_MAX SIZE_MAX
"""
}
FILE = "file_"  # and a number: the word before each file


def commands(folder):
    """Returns the options by which a build compiles each file, and its compiler before them."""
    listed = subprocess.run(
        ["ninja", "-C", str(folder), "-t", "compdb"], check=True, capture_output=True, text=True
    )
    found = {}
    for entry in json.loads(listed.stdout):
        if entry["file"].endswith((".c", ".S")) and not entry["output"].startswith("tests/"):
            words = shlex.split(entry["command"])
            found.setdefault(entry["file"], words[: words.index("-MD")])
    return found


def headers(root, folder):
    """Makes a folder with a header for each one that sources include by <>; most are empty."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = [path.read_text(encoding="utf-8") for path in (root / "src").rglob("*.[ch]")]
    for name in {*STUBS, *re.findall(r"#include <([^>]+)>", "".join(texts))}:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(STUBS.get(name, ""), encoding="ascii")
    return folder


def read(command, paths, system):
    """Returns what a compiler reads of each file."""
    lines = [f'{FILE}{at};\n#include "{path}"\n' for at, path in enumerate(paths)]
    done = subprocess.run(
        [*command, "-E", "-P", "-w", "-nostdinc", f"-I{system}", "-x", "c", "-"],
        input="".join(lines),
        check=True,
        capture_output=True,
        text=True,
    )
    parts = re.split(rf"\b{FILE}\d+;", re.sub(r"[ \t]+", " ", done.stdout))
    return dict(zip(paths, parts[1:], strict=True))


def words_of(text):
    """Returns the words of a text, without those that may differ."""
    for pattern in ALLOWED:
        text = re.sub(pattern, "", text, flags=re.MULTILINE)
    return re.findall(r'"(?:\\.|[^"\\])*"|\w+|[^\w\s]', text)


def difference(proved, built):
    """Returns where two texts differ, or nothing."""
    proved, built = words_of(proved), words_of(built)
    if proved == built:
        return ""
    pairs = zip([*proved, ""], [*built, ""], strict=False)
    at = next(at for at, (one, other) in enumerate(pairs) if one != other)
    ends = (" ".join(words[at : at + 12]) for words in (proved, built))
    return f"{' '.join(proved[max(0, at - 8) : at])} [{'] or ['.join(ends)}]"


def added_macros(text):
    """Returns what a unit defines before it includes a file of src/, which then sees it."""
    before = text[: text.rindex("#include")]
    return re.findall(r"^#define (\w+)", before, re.MULTILINE)


# --- What an assembler makes of it ----------------------------------------------------------------


def assembled(assembler, path):
    """Returns the instructions that an assembler makes of a file, but for those between functions
    and loops that do nothing, and addresses within a function."""
    made = path.with_suffix(".o")
    subprocess.run([*assembler, str(path), "-o", str(made)], check=True, capture_output=True)
    shown = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", str(made)],
        check=True,
        capture_output=True,
        text=True,
    )
    found = []
    for line in shown.stdout.splitlines():
        instruction = line.partition("\t")[2].strip()
        if re.match(r"(j\w+|call) ", instruction):
            instruction = instruction.split()[0]
        if instruction and not re.search(r"\bnop[wl]?\b|^xchg +%ax,%ax", instruction):
            found.append(re.sub(r"0x[0-9a-f]+\(%rip\).*", "(%rip)", instruction))
    return found


def miscoded(command, path, folder):
    """Returns an instruction that LLVM codes in another way than the GNU assembler reads it."""
    listing = folder / f"{path.stem}.s"
    compiled = [*command, "-w", "-fno-addrsig", "-S", str(path), "-o", str(listing)]
    subprocess.run(compiled, check=True, capture_output=True)
    meant, made = (assembled(tool, listing) for tool in (["as"], [command[0], "-c"]))
    if len(meant) != len(made):
        return f"{len(made)} instructions instead of {len(meant)}"
    return next((f"{b} instead of {a}" for a, b in zip(meant, made, strict=True) if a != b), None)
