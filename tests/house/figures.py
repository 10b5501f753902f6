#!/usr/bin/env python3
"""Counts in bench/*.md are those of this version: figures.py

Expected are the numbers of the committed tables; how a row is made is read from the script that writes the table
(bench/*.sh).  Times and instructions are not compared, nor cells that take long: those above the limits below.
Prints `ok ROW` or `not ok ROW: why` for every row."""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEDDLE = os.environ.get("HEDDLE", os.path.join(ROOT, "build/bin/heddle"))
SECONDS = int(os.environ.get("LIMIT", "600"))
MOST_RUNS = 6000  # executions of a cell of scale.md
MOST_CHOICES = 20000  # of a cell of hybrid.md
MOST_EVENTS = 100000  # of a cell of directed.md
MOST_STATES = 30000  # the same, where a cell has states: a state takes many events


def lines(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read().split("\n")


def tables(path):
    """The tables of a page: [(heading above it, columns, rows)]."""
    heading, found, inside = "", [], False
    for line in lines(path):
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if not line.startswith("|"):
            inside = False
            continue
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if not inside:
            found.append((heading, cells, []))
            inside = True
        elif not set(line) <= set("|-: "):
            found[-1][2].append(cells)
    return found


def table(path, start, nth=0):
    """The nth table under the heading that starts so."""
    return [t for t in tables(path) if t[0].startswith(start)][nth]


def calls(path, name):
    """The arguments of every call of a function in a script, with the script's simple variables put in."""
    variables, found = {}, []
    text = re.sub(r"\\\n\s*", " ", "\n".join(lines(path)))
    for line in text.split("\n"):
        line = re.sub(r"^\w+=\w+ (?=\w+ )", "", line.strip())  # a variable for one call
        assigned = re.fullmatch(r"(\w+)=([\w./-]*)", line)
        if assigned:
            variables[assigned[1]] = assigned[2]
        elif line.startswith(name + " ") and "()" not in line:
            line = re.sub(r"\$(\w+)", lambda m: variables.get(m[1], m[0]), line)
            found.append((shlex.split(line)[1:], dict(variables)))
    return found


def number(cell):
    """The count at the beginning of a cell; None: there is none, or it was cut."""
    m = re.match(r"\d+", cell)
    return int(m[0]) if m else None


class Program:
    """A program that is built once, and what explorations of it say."""

    def __init__(self, folder, source, flags, env=None):
        self.folder = tempfile.mkdtemp(dir=folder)
        self.path = os.path.join(self.folder, "program")
        self.env = dict(os.environ, **(env or {}))
        build = [HEDDLE, "cc", *flags, "-o", self.path, os.path.join(ROOT, source), "-pthread"]
        done = subprocess.run(build, env=self.env, capture_output=True, text=True, timeout=SECONDS)
        if done.returncode:
            raise RuntimeError(f"{source} does not compile: {done.stderr[:200]}")

    def check(self, *options):
        out = os.path.join(self.folder, "json")
        command = [HEDDLE, "check", "-q", "--trace-dir", self.folder, "--json", out, *options, self.path]
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=SECONDS)
        if done.returncode > 1:
            raise RuntimeError(f"{' '.join(options)}: {done.stderr[:200]}")
        with open(out, encoding="utf-8") as f:
            return json.load(f)


def differ(name, wanted, got):
    return [] if str(wanted) == str(got) else [f"{name} is {got}, the table has {wanted}"]


# ---- scale.md ----

CHESS = "not-seen,sync-only,preemptions"
SCALE = [
    (2, ["--strategy", "scale", "--count-like-scale"]),
    (4, ["--strategy", "scale:nsb", "--count-like-scale"]),
    (5, ["--strategy", "scale"]),
    (7, ["--strategy", "inspect"]),
    (9, ["--reduce", CHESS + ":2"]),
    (10, ["--strategy", "chess:2"]),
    (12, ["--reduce", CHESS + ":5"]),
    (13, ["--strategy", "chess:5"]),
    (14, ["--strategy", "source"]),
    (15, ["--strategy", "optimal"]),
]


def scale_row(folder, cells, file, flags):
    files = [f"tests/programs/scale/{file}{suffix}.c" for suffix in ("", "_sem")]
    programs = [
        Program(folder, f, [*flags.split(), "--analysis", "all"]) for f in files if os.path.exists(os.path.join(ROOT, f))
    ]
    wrong = []
    for column, options in SCALE:
        wanted = number(cells[column])
        if wanted is None or wanted > MOST_RUNS:
            continue
        j = programs[-1 if options[0] == "--reduce" else 0].check(*options)
        wrong += differ(" ".join(options[1:]), wanted, j["executions"] + j["pruned"] + j["blocked"])
    return wrong


def scale(folder):
    for line in lines("bench/scale_rows.txt"):
        if not line or line.startswith("#"):
            continue
        name, size, file, flags = line.split("|")[:4]
        rows = {r[0]: r for r in table("bench/scale.md", f"Table {name}")[2]}
        yield f"scale {name} ({size})", scale_row, (folder, rows[size], file, flags)


# ---- hybrid.md ----


def hybrid_row(folder, cells, columns, file, flags, options):
    program = Program(folder, f"bench/hybrid/{file}.c", flags.split())
    wrong = []
    for i, column in enumerate(columns):
        if not column.startswith("`"):
            continue
        wanted = number(cells[i])
        if wanted is None or wanted > MOST_CHOICES:
            continue
        j = program.check("--races", "off", "--no-minimise", "--strategy", column.strip("`"), *options)
        got = f"{j['choices']} ({j['last_choices']})" if j["passes"] > 1 else j["choices"]
        wrong += differ(column, cells[i], got)
    return wrong


def hybrid(folder):
    for where in ("Complete", "Search"):
        _, columns, rows = table("bench/hybrid.md", where)
        rows = {r[0]: r for r in rows}
        for (name, file, flags, *_), variables in calls("bench/hybrid.sh", "row"):
            if bool(variables.get("options")) == (where == "Complete"):
                args = (folder, rows[name], columns, file, flags, variables["options"].split())
                yield f"hybrid {where.lower()} {name}", hybrid_row, args


# ---- README.md, stateful.md, jobs.md ----


def optimal_row(folder, cells, source, flags):
    j = Program(folder, source, flags.split()).check("--memory", "sc", "--strategy", "optimal", "--keep-going", "--no-minimise", "--executions", "1000000000")
    return (
        differ("executions", cells[1], j["executions"])
        + differ("blocked", cells[2], j["blocked"])
        + differ("events", cells[3], j["events"])
    )


def optimal(folder):
    rows = {r[0]: r for r in table("bench/README.md", "Whole explorations")[2]}
    for (name, source, flags, *_), _ in calls("bench/run.sh", "whole"):
        yield f"README {name}", optimal_row, (folder, rows[name], source, flags)


def stateful_row(folder, cells, source, flags):
    j = Program(folder, source, ["-O2", *flags.split()]).check("--strategy", "stateful", "--races", "off")
    return differ("states", cells[1], j["states"]) + differ("events", cells[2], j["events"])


def stateful(folder):
    rows = {r[0]: r for r in table("bench/stateful.md", "Cost of a state")[2]}
    for (name, source, flags, *_), _ in calls("bench/stateful.sh", "row"):
        yield f"stateful {name}", stateful_row, (folder, rows[name], source, flags)
    yield "stateful: memory of a state", prints_row, (folder,)


def prints_row(folder):
    """The program that measures the memory of a state builds, and forgets nothing."""
    program = os.path.join(folder, "prints")
    sources = ["bench/prints.c", "src/explore/states/fingerprint_set.c", "src/explore/states/quotient_set.c", "src/core/pack.c"]
    flags = ["-std=c17", "-D_GNU_SOURCE", "-O2", "-Isrc", "-o", program]
    subprocess.run([os.environ.get("CC", "cc"), *flags, *sources], cwd=ROOT, check=True, capture_output=True)
    said = subprocess.run([program, "100000"], capture_output=True, text=True, check=True).stdout
    wanted = [line for line in lines("bench/stateful.md") if line.endswith(" s") and "fingerprints, 0 forgotten" in line]
    return differ("prints", True, said.startswith("100000 fingerprints, 0 forgotten")) + differ("lines", 1, len(wanted))


def jobs_row(folder, cells, source, flags):
    program = Program(folder, source, flags)
    search, wrong = cells[1].strip("`"), []
    for n in ("1", "2"):
        j = program.check("--strategy", search, "-j", n)
        wrong += differ(f"-j {n}", cells[2], j["states" if search == "stateful" else "executions"])
    return wrong


def jobs(folder):
    sources = {}
    for place, _, files in os.walk(os.path.join(ROOT, "tests/programs")):
        for file in files:
            sources[file] = os.path.relpath(os.path.join(place, file), ROOT)
    for cells in table("bench/jobs.md", "Several")[2]:
        name, *flags = cells[0].split()
        if name + ".c" in sources and number(cells[2]) < 500000:
            yield f"jobs {cells[0]} {cells[1]}", jobs_row, (folder, cells, sources[name + ".c"], flags)


# ---- directed.md ----


def small(cell):
    n = number(cell)
    return n is not None and n <= MOST_EVENTS


def counted(program, strategy, cell, what, *options):
    """Is the cell the number of events, or of states, of the strategy?"""
    if not small(cell) or what == "states" and number(cell) > MOST_STATES:
        return []
    j = program.check("--races", "off", "--no-minimise", "--strategy", strategy, *options)
    return differ(strategy, number(cell), j[what])


def ranked(program, cell):
    if not small(cell):
        return []
    j = program.check("--races", "off", "--no-minimise", "--strategy", "slice-n-dice")
    got = f"{j['states']} ({j['slice_n_dice']['rounds'] - 1}"
    return differ("slice-n-dice", cell.split(",")[0], got)


def under_row(folder, cells, source, flags):
    program = Program(folder, source, flags.split())
    verdict = program.check("--races", "off", "--no-minimise", "--strategy", "slice-n-dice")["verdict"]
    return (
        counted(program, "inspect", cells[2], "events")
        + ranked(program, cells[4])
        + differ("verdict", cells[5], verdict)
    )


def five_row(folder, cells, source, flags):
    program = Program(folder, f"tests/programs/directed/{source}.c", flags.split())
    return (
        counted(program, "dpor:plain", cells[2], "events")
        + counted(program, "jpf:states", cells[4], "states")
        + counted(program, "chess-states:5", cells[6], "states")
        + ranked(program, cells[10])
    )


def whole_row(folder, cells, source, flags):
    program = Program(folder, f"tests/programs/directed/{source}.c", flags.split())
    return (
        counted(program, "jpf:states", cells[2], "states", "--keep-going")
        + counted(program, "dpor:plain", cells[4], "events", "--keep-going")
        + counted(program, "inspect", cells[5], "events", "--keep-going")
    )


def directed(folder):
    for name, heading, row in (
        ("under", "Slicing", under_row),
        ("five", "Strategies", five_row),
        ("whole", "JPF", whole_row),
    ):
        rows = {r[0]: r for r in table("bench/directed.md", heading)[2]}
        for (program, source, flags, *_), _ in calls("bench/directed.sh", name):
            yield f"directed {heading} {program}", row, (folder, rows[program], source, flags)


# ---- auto.md ----


def auto_row(folder, cells, columns, source, flags):
    program = Program(folder, source, flags)
    wrong = []
    for i, strategy in enumerate(columns[2:], 2):
        sampled = strategy == "random" or strategy.startswith("p")
        if sampled and cells[1] == "verified":
            wrong += differ(f"{strategy}, which verifies nothing,", cells[i], "–")
            continue
        options = ["--executions", "2000"] if sampled else []
        verdict = program.check("--no-minimise", "--strategy", strategy, *options)["verdict"]
        decided = verdict == cells[1]
        wrong += differ(f"{strategy}: decided", cells[i] != "–", decided)
    return wrong


def sums_row(_folder, sums, columns, rows):
    wrong = []
    for name, decided, _ in sums:
        column = columns.index(name)
        wrong += differ(f"{name}: decided", decided, sum(r[column] != "–" for r in rows))
    return wrong


def auto(folder):
    for heading in ("Forty", "Larger"):
        sums = table("bench/auto.md", heading, 0)[2]
        _, columns, rows = table("bench/auto.md", heading, 1)
        yield f"auto {heading.lower()}: sums", sums_row, (folder, sums, columns, rows)
        if heading == "Forty":
            names = {f[:-2] for f in os.listdir(os.path.join(ROOT, "tests/bugs")) if f.endswith(".c")}
            yield "auto: a row for every bug", lambda *a: differ("rows", *a), (
                " ".join(sorted(r[0] for r in rows)),
                " ".join(sorted(names)),
            )
            for cells in rows[::8]:
                yield f"auto {cells[0]}", auto_row, (folder, cells, columns, f"tests/bugs/{cells[0]}.c", [])


def run(name, row, args):
    try:
        wrong = row(*args)
    except (RuntimeError, KeyError, IndexError, OSError, subprocess.SubprocessError) as e:
        wrong = [repr(e)[:300]]
    return f"not ok {name}: {'; '.join(wrong)}" if wrong else f"ok {name}"


def main():
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        rows = [r for page in (scale, hybrid, optimal, stateful, jobs, directed, auto) for r in page(folder)]
        with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
            for line in pool.map(lambda r: run(*r), rows):
                print(line, flush=True)
                failed = failed or line.startswith("not")
    return failed


if __name__ == "__main__":
    sys.exit(main())
