# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where functions and the like begin and end: in C, SystemVerilog, assembly, Go,
Python and Rust."""

import ast
import functools
import re

ASSEMBLY = (".S", ".s")
VERILOG = (".sv", ".v")
# Strings and quoted quotes, in which nothing is a comment; comments; words; any other sign.
C_LIKE = re.compile(
    r"""(?P<kept>"(?:\\.|[^"\\\n])*"|'\\?"')|//[^\n]*|/\*.*?\*/"""
    r"|(?P<word>\w+)|(?P<end>\n)|(?P<sign>\S)",
    re.DOTALL,
)
C = re.compile(
    r"""(?P<kept>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')|//[^\n]*|/\*.*?\*/"""
    r"|(?P<word>\w+)|(?P<sign>\S)",
    re.DOTALL,
)
PYTHON = re.compile(
    r"(?P<kept>(?P<quote>\"{3}|'{3}|[\"'])(?:\\.|(?!(?P=quote)).)*(?P=quote))"
    r"|\#[^\n]*|(?P<word>\w+)|(?P<sign>\S)",
    re.DOTALL,
)
OF_LANGUAGE = {".py": PYTHON, **dict.fromkeys((*VERILOG, *ASSEMBLY), C_LIKE)}
OPEN, CLOSE = "([{", ")]}"


@functools.cache
def tokens(text, suffix):
    """Returns [(token, begin, end)] of a text; the suffix of its file's name says the language.
    Comments, blanks and line breaks are left out."""
    return [
        (found[0], found.start(), found.end())
        for found in OF_LANGUAGE.get(suffix, C).finditer(text)
        if (found["kept"] or found["word"] or found["sign"])
        and not (found[0] == "\\" and text[found.end() : found.end() + 1] == "\n")
    ]


def begins_line(text, all_tokens, at):
    """Says whether a token is the first of its logical line."""
    gap = text[all_tokens[at - 1][2] if at else 0 : all_tokens[at][1]]
    return at == 0 or "\n" in gap.replace("\\\n", "")


@functools.cache
def places(text, suffix):
    """Returns {name: [(begin, end)]} of what a source defines."""
    found: dict[str, list[tuple[int, int]]] = {}
    of_language = {
        ".go": of_go,
        ".py": of_python,
        ".rs": of_rust,
        **dict.fromkeys(VERILOG, of_verilog),
        **dict.fromkeys(ASSEMBLY, of_assembly),
    }.get(suffix, of_c)
    for name, begin, end in of_language(text, tokens(text, suffix)):
        found.setdefault(name, []).append((begin, end))
    return found


def of_python(text, _):
    """Yields functions and classes, and variables of the module."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name, starts[node.lineno - 1], starts[node.end_lineno or node.lineno]
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            end = starts[node.end_lineno or node.lineno]
            yield node.targets[0].id, starts[node.lineno - 1], end


def of_go(_, all_tokens):
    """Yields functions and methods."""
    depth, opened = 0, None
    for at, (token, begin, end) in enumerate(all_tokens):
        if token == "func" and depth == 0:
            words = [word for word, _, _ in all_tokens[at + 1 : at + 9]]
            receiver = words.index(")") + 1 if words[0] == "(" else 0
            opened = words[receiver], begin
        depth += (token in OPEN) - (token in CLOSE)
        if opened and depth == 0 and token == "}":
            yield *opened, end
            opened = None


def of_rust(_, all_tokens):
    """Yields functions and structures."""
    for at, (token, begin, _) in enumerate(all_tokens):
        depth = 0
        for word, _, end in all_tokens[at:] if token in ("fn", "struct") else []:
            depth += (word in OPEN) - (word in CLOSE)
            if depth == 0 and word in ("}", ";"):
                yield all_tokens[at + 1][0], begin, end
                break


BLOCKS = {"module", "package", "interface", "function", "task"}


def of_verilog(_, all_tokens):
    """Yields modules and packages, and functions and tasks inside of them."""
    opened = []
    for at, (token, begin, end) in enumerate(all_tokens):
        if token in BLOCKS:
            words = []
            for word, _, _ in all_tokens[at + 1 : at + 40]:
                if word in ("(", ";", "#"):
                    break
                words.append(word)
            name = words[-1] if token in ("function", "task") else words[0]
            opened.append((token, name, begin))
        elif opened and token == f"end{opened[-1][0]}":
            _, name, start = opened.pop()
            yield name, start, end


def of_assembly(text, all_tokens):
    """Yields what is between a macro's name, or a label, and the next one."""
    names = []
    for at, (token, begin, _) in enumerate(all_tokens):
        following = [word for word, _, _ in all_tokens[at + 1 : at + 3]]
        if token == "." and following[:1] == ["macro"]:
            names.append((following[1], begin))
        elif following[:1] == [":"] and not token.isdigit() and begins_line(text, all_tokens, at):
            names.append((token, begin))
    ends = [begin for _, begin in names[1:]] + [len(text)]
    for (name, begin), end in zip(names, ends, strict=True):
        yield name, begin, end


# --- C --------------------------------------------------------------------------------------------


def of_c(text, all_tokens):
    """Yields macros and what stands outside of functions: functions, variables, types."""
    item, depth, at = [], 0, 0
    depths = []  # at the beginning of each #if: all of its parts begin there
    while at < len(all_tokens):
        token = all_tokens[at]
        if token[0] == "#" and begins_line(text, all_tokens, at):
            word, end = all_tokens[at + 1][0], at + 1
            while end < len(all_tokens) and not begins_line(text, all_tokens, end):
                end += 1
            if word == "define":
                yield all_tokens[at + 2][0], token[1], all_tokens[end - 1][2]
            depth, at = depth_behind(word, depth, depths), end
            continue
        item.append(token)
        depth += (token[0] in OPEN) - (token[0] in CLOSE)
        at += 1
        if [word for word, _, _ in item] in (["extern", '"C"', "{"], ["}"]):
            item, depth = [], 0
        if depth == 0 and (token[0] == ";" or (token[0] == "}" and is_function(item))):
            if name := name_of(head_of(item)):
                yield name, item[0][1], token[2]
            item = []


def depth_behind(word, depth, depths):
    """Returns the depth of brackets behind a directive."""
    if word in ("if", "ifdef", "ifndef"):
        depths.append(depth)
    elif word in ("else", "elif") and depths:
        return depths[-1]
    elif word == "endif" and depths:
        depths.pop()
    return depth


def head_of(item):
    """Returns the words of an item before its body or value."""
    head, depth = [], 0
    for token, _, _ in item:
        if depth == 0 and (token in "=;" or (token == "{" and head[-1:] == [")"])):
            break
        depth += (token in OPEN) - (token in CLOSE)
        head.append(token)
    return head


def is_function(item):
    """Says whether the braces that an item ends with are the body of a function."""
    head = head_of(item)
    return head[-1:] == [")"] and item[len(head)][0] == "{"


def opening(words, at):
    """Returns where the bracket opens that closes at `at`."""
    depth = 0
    for k in range(at, -1, -1):
        depth += (words[k] in CLOSE) - (words[k] in OPEN)
        if depth == 0:
            return k
    return 0


def name_of(head):
    """Returns the name that a head declares: before its last parentheses, or else the last word. In
    TEMPLATE_NAME(name)(...) it is the name in parentheses."""
    while head and head[-1] in "]}":
        head = head[: opening(head, len(head) - 1)]
    if head and head[-1] == ")":
        at = opening(head, len(head) - 1)
        if head[at - 1] == "__attribute__":
            return name_of(head[: at - 1])
        return head[at - 2] if head[at - 1] == ")" else head[at - 1]
    return head[-1] if head else ""
