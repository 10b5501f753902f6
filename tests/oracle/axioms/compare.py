#!/usr/bin/env python3
"""Random programs, or every order of a litmus shape, through heddle and through the judge.

    tests/oracle/axioms/compare.py [--memory sc|tso|rc11] [--options "OPTIONS"] [--tools DIR] [--serve ORACLE_SERVE]
                                   [--jobs N] [--seed N] [--size THREADS,EVENTS,LOCATIONS] [--with FEATURE,...]
                                   [--shape NAME [--every N]] [--parts N] HEDDLE PROGRAMS

The judge decides under --memory; heddle runs with OPTIONS (default: --strategy optimal, which is SC) and
--keep-going.  They must agree on

  executions     as many as complete graphs and deadlocks (with --no-counts: not asked for).  Under SC, of a
                 program with a condition wait and a trylock, at most as many, but for --strategy graph: heddle enters the condition variable and
                 unlocks in one step, and to the judge a trylock may fail between the two, as POSIX allows
  final states   the number and the hash of what heddle_observe was given
  deadlocks      whether there is one
  outcome        of a shape: an assertion fails exactly when the judge says that the outcome exists
  races          heddle reports the pairs that the judge has; not asked for under tso, where a race is no violation

Where a program has a race, C gives it no meaning.  With --keep-going heddle goes on, and plain accesses then read what
relaxed ones would read, as in the judge's graphs.
With --parts N a check is made by several processes: each continues the checkpoint of the one before and stops after N
more executions.  With -j it stops after a time, which grows by N milliseconds each time.

A program with more than --most graphs is left out.  Prints `not ok` for what differs, with the program's file kept
in the folder that it names, and at the end `N passed, N failed`."""
import argparse, collections, json, multiprocessing, os, re, shutil, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import batch


class Checks(batch.Heddle):
    def judge(self, options, number, parts):
        """What heddle says; with `parts` by several processes, each from the checkpoint of the one before."""
        unit, done = os.path.join(self.tmp, "unit"), 0
        if os.path.exists(unit):
            os.remove(unit)
        while parts:
            keep = ["--resume", unit] if os.path.exists(unit) else []
            done += parts
            bound = ["--time", f"{done}ms"] if "-j" in options else ["--executions", str(done)]
            result, why = self.once(options + keep + ["--checkpoint", unit] + bound, number)
            if not result or "finished" not in result["undischarged"]:
                return result, why
            if not os.path.exists(unit) and "-j" not in options:
                return None, "no checkpoint was written"
        return self.once(options, number)

    def once(self, options, number):
        out, err = os.path.join(self.tmp, "out"), os.path.join(self.tmp, "err")
        status = self.run(["-q", "--no-minimise", "--keep-going", "--json", "-", "--trace-dir", self.tmp] + options +
                          [self.program, "--", str(number)], out, err)
        with open(out) as o, open(err) as e:
            text, said = o.read(), e.read()
        try:
            j = json.loads(text)
        except ValueError:
            return None, f"no answer, status {status}: {said[:300]}"
        return (j, "") if "violations" in j else (None, f"heddle gave no result: {said[:300]}")


Verdict = collections.namedtuple("Verdict", "graphs deadlocks finals hash races exists")


def verdicts(a, files):
    """What the judge says of each file; None: too many graphs."""
    out = subprocess.run([f"{a.tools}/axioms-judge", "--memory", a.memory, "--most", str(a.most)] + files,
                         check=True, capture_output=True, text=True).stdout
    if len(files) == 1:
        out = f"file {files[0]}\n" + out
    for part in out.split("file ")[1:]:
        lines = part.splitlines()[1:]
        m = re.match(r"\w+ graphs (\d+) deadlocks (\d+) finals (\d+) races \d+ hash (\w+)", lines[0])
        pairs = [line.split()[2:] for line in lines if " race " in line]
        yield m and Verdict(int(m[1]), int(m[2]), int(m[3]), m[4], {tuple(p[:2]) for p in pairs},
                            any("exists yes" in x for x in lines))


def pairs_of(result, statements):
    """The statements of each race that heddle reports."""
    for v in result["violations"]:
        if v["kind"] == "data-race":
            yield tuple(sorted(statements.get(v[key]["line"], "?") for key in ("location", "other_location")))


def differences(a, v, result, statements, exact):
    kinds = {x["kind"] for x in result["violations"]}
    races = set(pairs_of(result, statements))
    for pair in sorted(races - v.races if a.memory != "tso" else ()):
        yield f"a race of {' and '.join(pair)} that no graph has"
    for pair in sorted(v.races - races if a.memory != "tso" else ()):
        yield f"no race of {' and '.join(pair)}"
    number = result["executions"]
    if a.counts and not (number == v.graphs + v.deadlocks if exact else number <= v.graphs + v.deadlocks):
        yield f"{result['executions']} executions instead of {v.graphs} graphs and {v.deadlocks} deadlocks"
    if v.graphs and (result.get("observations"), result.get("observations_hash")) != (v.finals, v.hash):
        yield f"{result.get('observations')} final states, or others than the judge's {v.finals}"
    for kind, expected in (("deadlock", v.deadlocks > 0), ("assertion", v.exists)):
        if (kind in kinds) != expected:
            yield f"{'no' if expected else 'a'} violation of kind {kind}"


def statements_of(source):
    """Line of the C file -> statement of the program."""
    found = {}
    for n, line in enumerate(source.splitlines(), 1):
        m = re.search(r"/\* (\d+:\d+) \*/$", line)
        if m:
            found[n] = m[1]
    return found


def run_batch(task):
    a, files, tmp = task
    said, counts = [], collections.Counter()
    judged = [(f, v) for f, v in zip(files, verdicts(a, files)) if v]
    counts["skipped"] = len(files) - len(judged)
    if not judged:
        return said, counts
    with tempfile.TemporaryDirectory(dir=tmp) as here:
        source, program = os.path.join(here, "batch.c"), os.path.join(here, "batch")
        text = subprocess.run([f"{a.tools}/axioms-gen", "c"] + [f for f, _ in judged], check=True,
                              capture_output=True, text=True).stdout
        with open(source, "w") as f:
            f.write(text)
        subprocess.run([a.heddle, "cc", "-Wno-unused", "-o", program, source, "-pthread"], check=True)
        checks, statements = Checks(a.heddle, a.serve, program, here), statements_of(text)
        for n, (name, v) in enumerate(judged):
            result, why = checks.judge(a.options.split(), n, a.parts)
            with open(name) as f:
                text = f.read()
            exact = a.memory != "sc" or "graph" in a.options or not ("cwait" in text and "trylock" in text)
            wrong = list(differences(a, v, result, statements, exact)) if result else [why]
            counts["failed" if wrong else "passed"] += 1
            counts["racy"] += bool(v.races)
            counts["graphs"] += v.graphs
            counts["deadlocks"] += v.deadlocks > 0
            if wrong:
                shutil.copy(name, a.keep)
                said.append(f"not ok {os.path.join(a.keep, os.path.basename(name))}: {'; '.join(wrong)}")
        checks.close()
    return said, counts


def programs(a, tmp):
    if a.shape:
        subprocess.run([f"{a.tools}/axioms-gen", "shapes", a.shape, tmp], check=True)
    else:
        threads, events, locations = a.size.split(",")
        subprocess.run([f"{a.tools}/axioms-gen", "random", "--seed", str(a.seed), "--count", str(a.programs), "--dir", tmp,
                        "--threads", threads, "--events", events, "--locations", locations, "--with", a.features],
                       check=True)
    number = lambda f: int(re.search(r"(\d+)\.ax$", f)[1])
    files = sorted((os.path.join(tmp, f) for f in os.listdir(tmp) if f.endswith(".ax")), key=number)
    if a.without:
        files = [f for f in files if a.without not in open(f).read()]
    return files[::a.every][:a.programs]


def main():
    p = batch.parser()
    p.add_argument("--memory", choices=["sc", "tso", "rc11"], default="sc")
    p.add_argument("--options", default="--strategy optimal")
    p.add_argument("--tools", default=os.path.join(os.environ.get("B", "build"), "tests"))
    p.add_argument("--size", default="3,4,3")
    p.add_argument("--with", dest="features", default="rmw,fence,seq_cst,branch,plain,mutex,sem,cond,barrier,cycle")
    p.add_argument("--without", metavar="WORD", help="leave programs out that have it")
    p.add_argument("--shape")
    p.add_argument("--every", type=int, default=1)
    p.add_argument("--most", type=int, default=2000)
    p.add_argument("--keep", default=".")
    p.add_argument("--parts", type=int, default=0)
    p.add_argument("--no-counts", dest="counts", action="store_false")
    a = p.parse_args()
    total = collections.Counter()
    with tempfile.TemporaryDirectory() as tmp, multiprocessing.Pool(a.jobs) as pool:
        files = programs(a, tmp)
        tasks = [(a, files[i:i + batch.BATCH], tmp) for i in range(0, len(files), batch.BATCH)]
        for said, counts in pool.imap(run_batch, tasks):
            total += counts
            print("".join(line + "\n" for line in said), end="", flush=True)
    print(f"# {a.memory}: {total['graphs']} graphs, {total['racy']} programs with races, {total['deadlocks']} with "
          f"deadlocks, {total['skipped']} left out")
    return batch.over(total)


if __name__ == "__main__":
    sys.exit(main())
