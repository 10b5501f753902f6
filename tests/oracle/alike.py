#!/usr/bin/env python3
"""--symmetric on random programs whose threads all run one function, against an interpreter that knows
nothing of symmetry and visits every state.

    tests/oracle/alike.py [--parts] [--graph] [--serve PROGRAM] [--jobs N] [--seed N] HEDDLE PROGRAMS

Threads as in loops.py, two to four with the same code; with --parts as in parts_machine.py.  What main
shows in the end is how many of them ended with which result, and shared memory: that does not change
when threads change places.  --symmetric must show the same final states, failing assertions and
deadlocks as the interpreter and as the search without it, with no more states; say verified where there
is nothing to find, and only there; and refuse a program only if it has a cycle of states.

--graph: the same of --strategy graph, with no more executions (alike_graphs.py knows how many).  Programs that have
more than MOST executions without --symmetric are left out, and counted."""
import collections, os, random, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batch, parts_machine
from loops_machine import VALUES, Machine, TooLarge, fnv, statement, thread

MOST = 2000
GRAPH = False

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


def parts_of(seed, wanted):
    programs = []
    while len(programs) < wanted:
        program = parts_machine.generate(seed)
        seed += 1
        try:
            machine = parts_machine.Machine(program)
        except parts_machine.TooLarge:
            continue
        if len(machine.ends) > 1 or machine.failed or machine.stuck or seed % 4 == 0:
            programs.append((seed - 1, program, machine))
    return programs, seed


def has_cycle(machine):
    """Does a run come back to a state?  By taking away states that nothing leads to."""
    into, out = collections.Counter(), collections.defaultdict(list)
    for a, _, b in getattr(machine, "edges", []):
        into[b] += 1
        out[a].append(b)
    todo = [s for s in getattr(machine, "can", []) if not into[s]]
    n = 0
    while todo:
        n += 1
        for b in out[todo.pop()]:
            into[b] -= 1
            if not into[b]:
                todo.append(b)
    return n < len(getattr(machine, "can", []))


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
    size = "executions" if GRAPH else "states"
    if j[size] > plain[size] and not (GRAPH and before):  # after an assertion that fails, others go on
        wrong.append(f"{j[size]} {size} instead of {plain[size]}")
    broken = bool(machine.failed or machine.stuck or getattr(machine, "endless", False))
    if broken != (j["verdict"] == "violation"):
        wrong.append(f"verdict {j['verdict']}")
    known = all("were looked for in part only" in d for d in j["downgrades"])  # after a failed trylock
    if not broken and plain["verdict"] == "verified" != j["verdict"] and not (known and j["downgrades"]):
        wrong.append(f"verdict {j['verdict']}: {j['downgrades']}")
    return wrong


def judge(check, _, program):
    _, code, machine = program
    how = ["--keep-going", "--races", "error", "--strategy", "stateful"]
    if GRAPH:
        how = how[:-1] + ["graph", "--memory", "sc", "--executions", str(MOST)]
    (plain, error), (j, refusal) = (check(how + options) for options in ([], ["--symmetric"]))
    if GRAPH and plain and not plain["exhaustive"]:
        return [], collections.Counter(passed=1, large=1)
    if plain and not j and "comes back to a state" in refusal and has_cycle(machine):
        return [], collections.Counter(passed=1, refused=1)
    # what was found before it came to the cycle is reported, and that it stopped there
    if plain and j and any("comes back to a state" in d for d in j["downgrades"]) and has_cycle(machine):
        got, before = ({v["kind"] for v in x["violations"]} for x in (j, plain))
        if got and got <= before and not j["exhaustive"]:
            return [], collections.Counter(passed=1, refused=1)
    wrong = [e for x, e in ((plain, error), (j, refusal)) if not x] or compare(j, plain, machine)
    if wrong:
        return [f"{'; '.join(wrong)}\n#   {code}"], collections.Counter(failed=1)
    size = "executions" if GRAPH else "states"
    return [], collections.Counter(passed=1, plain=plain[size], symmetric=j[size],
                                   verified=j["verdict"] == "verified", fewer=j[size] < plain[size])


def main():
    p = batch.parser()
    p.add_argument("--parts", action="store_true")
    p.add_argument("--graph", action="store_true")
    a = p.parse_args()
    global GRAPH
    GRAPH = a.graph
    makes = (parts_of, parts_machine.render) if a.parts else (programs_of, render)
    programs, counts = batch.run(a, *makes, judge)
    print(f"# {len(programs)} programs, {sum(x[2].stuck for x in programs)} that can be stuck, "
          f"{sum(bool(x[2].failed) for x in programs)} with a failing assertion, {counts['refused']} refused for a cycle, "
          f"{counts['large']} left out, {counts['verified']} verified; {counts['plain']} {'executions' if GRAPH else 'states'} "
          f"without --symmetric, {counts['symmetric']} with it (fewer in {counts['fewer']})")
    return batch.over(counts)


if __name__ == "__main__":
    sys.exit(main())
