#!/usr/bin/env python3
"""auto_row.py HEDDLE PROGRAM VERDICT LIMIT STRATEGY...: what `auto` and single strategies cost on one built program.

Prints one line: the start, then for `auto` and each strategy its cost and `yes` if it came to the verdict, costs in milliseconds.

A cost is the processor time, user and system, of heddle and all its workers, as wait4() gives it; the least of several runs, which
other load on the machine changes little.  Strategies take turns, so that what changes meanwhile changes for all.  One that has
not decided, or has taken more than twice the time of the fastest, is not run again.  The start is a check that ends
after one execution: reading the program, a worker, its first execution, and where that fails, confirming it.

LIMIT is the time for a strategy; `auto`: half as much again as `auto` took, and 0.3 s: what is slower does not matter."""
import json
import os
import shutil
import sys
import tempfile

RUNS = 3
LONG_MS = 400  # above this, noise matters less: fewer runs
FEW_RUNS = 2


class Bench:
    def __init__(self, heddle, program, verdict, directory):
        self.heddle, self.program, self.verdict, self.directory = heddle, program, verdict, directory
        self.costs, self.decided, self.runs = {}, {}, {}

    def run(self, name, strategy, options):
        """Run once; a cost is the least so far.  Returns heddle's result."""
        traces, result = os.path.join(self.directory, "traces"), os.path.join(self.directory, "json")
        shutil.rmtree(traces, ignore_errors=True)  # a run that was found before would be tried first
        command = [self.heddle, "check", "-q", "--no-minimise", "--strategy", strategy, "--trace-dir", traces,
                   "--json", result] + options + [self.program]
        quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
        _, _, usage = os.wait4(os.posix_spawn(self.heddle, command, os.environ, file_actions=quiet), 0)
        cost = 1000 * (usage.ru_utime + usage.ru_stime)
        with open(result, encoding="utf-8") as file:
            answer = json.load(file)
        self.costs[name] = min(cost, self.costs.get(name, cost))
        self.decided[name] = self.decided.get(name, True) and answer["verdict"] == self.verdict
        self.runs[name] = self.runs.get(name, 0) + 1
        return answer

    def wants_another(self, name):
        best = min((self.costs[n] for n in self.costs if self.decided[n] and n != "start"), default=0)
        runs = RUNS if self.costs[name] < LONG_MS else FEW_RUNS
        return self.runs[name] < runs and self.decided[name] and self.costs[name] <= 2 * best or \
            name in ("auto", "start") and self.runs[name] < runs


def main():
    heddle, program, verdict, limit, *strategies = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        bench = Bench(os.path.abspath(heddle), program, verdict, directory)
        answer = bench.run("auto", "auto", ["--time", "100s"])
        if limit == "auto":
            limit = f"{int(answer['seconds'] * 1500 + 300)}ms"
        options = {"auto": ["--time", "100s"], "start": ["--executions", "1"]}
        for name in strategies:
            options[name] = ["--time", limit]
            if name in ("random", "pos") or name.startswith("pct"):
                options[name] += ["--executions", "2000"]
        for name in options:
            bench.run(name, "optimal" if name == "start" else name, options[name])
        while again := [name for name in options if bench.wants_another(name)]:
            for name in again:
                bench.run(name, "optimal" if name == "start" else name, options[name])
        cells = [f"{bench.costs[n]:.1f} {'yes' if bench.decided[n] else 'no'}" for n in ["auto"] + strategies]
        print(f"{bench.costs['start']:.1f}", *cells)


main()
