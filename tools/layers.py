#!/usr/bin/env python3
"""Check who includes whom: tools/layers.py

The table of folders in ARCHITECTURE.md says what each folder knows; what a known folder knows is
known, too.  When headers stand in parentheses after a name, only these may be included from there.
Modules (NAME.c and NAME.h) must not include each other in a cycle, but for the cycles in
tools/cycles.allow.  Prints each include or cycle that breaks a rule, and fails.
"""
import os
import re
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
bad = []


def read_table():
    """folder -> (set of known folders, {folder: set of headers that alone may be included})"""
    knows, only = {}, {}
    for line in open("ARCHITECTURE.md", encoding="utf-8"):
        row = re.match(r"\| `src/([a-z/_]+)` \| ([^|]*) \|", line)
        if not row:
            continue
        folder, column = row.group(1), row.group(2)
        only[folder] = {}
        for name, headers in re.findall(r"`([a-z/_]+)`(?: \(([^)]*)\))?", column):
            only[folder][name] = set(re.findall(r"`([^`]+\.h)`", headers))
        knows[folder] = set(only[folder])
    for folder, names in knows.items():
        for name in names - set(knows):
            bad.append(f"ARCHITECTURE.md: src/{folder} knows {name}, which is no row of the table")
    return knows, only


def closure(knows):
    """Adds what known folders know.  Those of which only some headers are known add nothing."""
    full = {folder: set(names) for folder, names in knows.items()}
    changed = True
    while changed:
        changed = False
        for names in full.values():
            more = set().union(*(full[n] for n in names if n in full)) - names
            if more:
                names |= more
                changed = True
    return full


def sources():
    for root, _, files in os.walk("src"):
        for name in sorted(files):
            if name.endswith((".c", ".h", ".def", ".S", ".cc")):
                yield os.path.join(root, name)


def target_of(path, name):
    """The file of src that an include names, however it is written; None when it is elsewhere."""
    for base in ("src", os.path.dirname(path)):
        file = os.path.normpath(os.path.join(base, name))
        if file.startswith("src/") and os.path.exists(file):
            return file
    return None


def folder_of(path, folders):
    at = os.path.dirname(path)[len("src/"):]
    while at and at not in folders:
        at = os.path.dirname(at)
    return at


def check_folders(includes, knows, only):
    partly = {f: {n for n, h in names.items() if h} for f, names in only.items()}
    full = closure({f: names - partly[f] for f, names in knows.items()})
    for path, line, target in includes:
        source, known = folder_of(path, knows), folder_of(target, knows)
        if not source or not known:
            bad.append(f"{path}:{line}: not in the table of ARCHITECTURE.md")
        elif source == known or known in full[source]:
            continue
        elif target[len("src/"):] not in only[source].get(known, ()):
            bad.append(f"{path}:{line}: src/{source} must not include {target[len('src/'):]}")


def module(path):
    """src/core/op.def -> core/op"""
    return os.path.splitext(path)[0][len("src/"):]


def cycles(includes):
    """Strongly connected components of more than one module (Tarjan)."""
    edges = {}
    for path, _, target in includes:
        edges.setdefault(module(path), set()).add(module(target))
        edges.setdefault(module(target), set())
    index, low, stack, found = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in sorted(edges[v]):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            component = stack[stack.index(v):]
            del stack[stack.index(v):]
            if len(component) > 1:
                found.append(sorted(component))

    sys.setrecursionlimit(10000)
    for v in sorted(edges):
        if v not in index:
            visit(v)
    return found


def check_cycles(includes):
    allowed = []
    for line in open("tools/cycles.allow", encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            modules, _, reason = line.partition(":")
            allowed.append(sorted(modules.split()))
            if not reason.strip():
                bad.append("tools/cycles.allow: no reason: " + modules.strip())
    found = cycles(includes)
    for component in found:
        if component not in allowed:
            bad.append("a cycle of includes: " + " ".join(component))
    for component in allowed:
        if component not in found:
            bad.append("tools/cycles.allow: no longer a cycle, take it out: " + " ".join(component))


def main():
    includes = []
    for path in sources():
        for line, text in enumerate(open(path, encoding="utf-8"), 1):
            match = INCLUDE.match(text)
            target = match and target_of(path, match.group(1))
            if target and target != path:
                includes.append((path, line, target))
    knows, only = read_table()
    check_folders(includes, knows, only)
    check_cycles(includes)
    for line in bad:
        print(line)
    return 1 if bad or not includes else 0


sys.exit(main())
