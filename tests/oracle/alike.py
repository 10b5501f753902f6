#!/usr/bin/env python3
"""--symmetric on random programs whose threads all run one function, against an interpreter that knows
nothing of symmetry and visits every state.

    tests/oracle/alike.py [--serve PROGRAM] [--jobs N] [--seed N] HEDDLE PROGRAMS

Threads as in loops.py, two to four with the same code.  What main shows in the end is how many of them
ended with which result, and the shared words: that does not change when threads change places.
--symmetric must show the same final states, failing assertions and deadlocks as the interpreter and as
the search without it, with no more states."""
import collections, os, random, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batch
from loops_machine import VALUES, Machine, TooLarge, fnv, statement, thread

HEAD = """#include <assert.h>
extern void heddle_observe(const void *, unsigned long);
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int w[2], ended[3];
static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
"""
TAIL = """
int main(int argc, char **argv)
{
    int number = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t t[4];
    long seen[5];
    for (int i = 0; i < sizes[number]; i++)
        pthread_create(&t[i], 0, all[number], 0);
    for (int i = 0; i < sizes[number]; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < 3; i++)
        seen[i] = ended[i];
    seen[3] = w[0];
    seen[4] = w[1];
    heddle_observe(seen, sizeof seen);
    return 0;
}
"""


def render(programs):
    out = [HEAD]
    programs = [p[1] for p in programs]
    for number, threads in enumerate(programs):
        out.append(f"static void *p{number}(void *unused)\n{{")
        out.append("    int r = 0, held[2] = { 0, 0 };")
        out += [f"L{i}:\n    {statement(0, i, c)}" for i, c in enumerate(threads[0])]
        out.append(f"L{len(threads[0])}:\n    (void)held;\n    atomic_fetch_add(&ended[r], 1);\n    return unused;\n}}\n")
    out.append("static void *(*const all[])(void *) = { " + ", ".join(f"p{n}" for n in range(len(programs))) + " };")
    out.append("static const int sizes[] = { " + ", ".join(str(len(p)) for p in programs) + " };")
    return "\n".join(out) + TAIL


def programs_of(seed, wanted):
    programs = []
    while len(programs) < wanted:
        rng = random.Random(seed)
        seed += 1
        code = thread(rng, False, rng.random() < 0.5)
        threads = [code] * rng.choice([2, 3, 3, 4])
        try:
            machine = Machine(threads)
        except TooLarge:
            continue
        machine.ends = {tuple(r.count(v) for v in range(VALUES)) + words for r, words in machine.finals}
        if len(machine.ends) > 1 or machine.failed or machine.stuck or seed % 4 == 0:
            programs.append((seed - 1, threads, machine))
    return programs, seed


def compare(j, plain, machine):
    got, before = ({v["kind"] for v in x["violations"]} for x in (j, plain))
    asserts = {int(v["message"].split("&&")[1].split(">=")[0]) for v in j["violations"] if v["kind"] == "assertion"}
    wrong = []
    if asserts != {a % 1000 for a in machine.failed}:
        wrong.append(f"assertions {sorted(asserts)} instead of {sorted(machine.failed)}")
    if j.get("observations", 0) != len(machine.ends):
        wrong.append(f"{j.get('observations', 0)} final states instead of {len(machine.ends)}")
    elif machine.ends and j["observations_hash"] != fnv(machine.ends):
        wrong.append("other final states")
    if ("deadlock" in got) != ("deadlock" in before) or (machine.stuck and "deadlock" not in got):
        wrong.append(f"{sorted(got)} where without it {sorted(before)}")
    if got - before:
        wrong.append(f"{sorted(got - before)} where without it there is none")
    if j["states"] > plain["states"]:
        wrong.append(f"{j['states']} states instead of {plain['states']}")
    if j["verdict"] == "verified":
        wrong.append("verified, with --symmetric")
    return wrong


def judge(check, _, program):
    _, threads, machine = program
    both = [check(["--keep-going", "--strategy", "stateful"] + options) for options in ([], ["--symmetric"])]
    wrong = [error for j, error in both if not j] or compare(both[1][0], both[0][0], machine)
    if wrong:
        return [f"{len(threads)} threads: {'; '.join(wrong)}\n#   {threads[0]}"], collections.Counter(failed=1)
    return [], collections.Counter(passed=1, plain=both[0][0]["states"], symmetric=both[1][0]["states"])


def main():
    a = batch.parser().parse_args()
    programs, counts = batch.run(a, programs_of, render, judge)
    print(f"# {len(programs)} programs, {sum(x[2].stuck for x in programs)} that can be stuck, "
          f"{sum(bool(x[2].failed) for x in programs)} with a failing assertion; "
          f"{counts['plain']} states without --symmetric, {counts['symmetric']} with it")
    return batch.over(counts)


if __name__ == "__main__":
    sys.exit(main())
