#!/usr/bin/env python3
"""Random programs through two searches that share no algorithm: --strategy optimal, which explores interleavings,
and --memory sc --strategy graph, which explores execution graphs.

    tests/oracle/graph.py [--serve PROGRAM] [--jobs N] [--seed N] [--tools DIR] [--sections] [--locks] [--joins] [--rf] [--finer] HEDDLE PROGRAMS

A Mazurkiewicz trace is an execution graph of sequential consistency, so the two must agree on

  executions     their number, if no step breaks the program: after one that does, other threads have run
                 further in one search than in the other.  With a condition wait and an attempt to lock the
                 graph search may have more: to optimal a wait enters the queue and unlocks in one step.  So it may have
                 more violations, too, as in 6017122: the attempt fails after a broadcast has woken the thread that waits
  final states   the number and the hash of what heddle_observe was given
  violations     their kinds and lines

The programs are those of oracle-gen, but main ends with pthread_exit(): optimal counts how far threads that
nobody joins come before the process ends; in a complete graph they end.  Of one with a data race only that is asked: what
the race leads to has no meaning.  One with an operation that the graph search refuses is left out, and counted.

--locks: every attempt to lock a mutex is a lock.  Then the graph search gives unlocks to locks that wait for them.

--joins: main joins all threads that nobody joins and returns, without a look at what they have left.  Then the graph search
does not run the same joins again at the end of each execution.

--rf: --strategy rf, which takes executions for one that differ in the order of stores only.  It must have no more of them than
optimal.  Before it is observed, each variable is read and written, so that it is known which store was the last.

--finer: not the graph search but optimal with --finer locks, which takes executions for one that differ in the order of critical
sections with nothing in common.  It must have no more of them, and everything else must be the same (tests/oracle/locks.py judges
their number).

--sections: programs with atomic sections.  To optimal a section conflicts with everything, so the numbers of
executions are not compared."""
import collections, os, re, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batch

MOST = 3000  # interleavings of a program
TOOLS = "build/tests"
SECTIONS = LOCKS = JOINS = RF = FINER = False


def programs_of(first, wanted):
    """oracle-gen draws the programs when they are written; a program is its seed."""
    return [(first + i,) for i in range(wanted)], first + wanted


def render(programs):
    """What the interpreter says of the programs is not asked here."""
    text = generated(programs)
    if JOINS:
        return re.sub(r"(static void prog_(\d+)\(void\)\n\{\n)(.*?)\n\}\n", lambda m: joined(text, m), text, flags=re.S)
    at = text.rindex("return 0;")
    text = text[:at] + "pthread_exit(0);" + text[at + len("return 0;"):]
    text = re.sub(r"heddle_observe\(&(g\d+), sizeof g\d+\);", lambda m: settled(text, m), text) if RF else text
    return re.sub(r"pthread_mutex_(try|timed|clock)lock\((&?[^,)]*)[^)]*\)", r"pthread_mutex_lock(\2)", text) if LOCKS else text


def joined(text, program):
    """What main does up to the observation, or of every second program up to its last join; then joins."""
    number, lines = program.group(2), program.group(3).split("\n")
    made = re.findall(rf"pthread_create\(&(tid{number}\[\d+\])", program.group(3) + text)
    last = max([i for i, line in enumerate(lines) if re.match(r"    pthread_join\(", line)] or [0])
    first = next(i for i, line in enumerate(lines) if re.match(rf"    g{number}\.obs = ", line))
    if int(number) % 2 and last:
        first = last + 1
    more = [f"    pthread_join({name}, 0);" for name in dict.fromkeys(made) if f"join({name}" not in text]
    return program.group(1) + "\n".join(lines[:first] + more) + "\n}\n"


def settled(text, observation):
    of = observation.group(1)
    found = re.search(r"static struct \{([^{}]*)\} %s;" % of, text)
    members = re.findall(r"(\w+);", found.group(1)) if found else []
    return "".join(f"{of}.{v} = {of}.{v}; " for v in members) + observation.group(0)


def tries_while_others_wait(program):
    text = generated([program])
    return re.search(r"cond_\w*wait\(", text) and re.search(r"trylock|timedlock|try(rd|wr)lock|trywait", text)


def generated(programs):
    path = f"/tmp/oracle-graph-{os.getpid()}.c"
    subprocess.run([f"{TOOLS}/oracle-gen", "-n", str(len(programs)), "-s", str(programs[0][0]), "-o", path, "--most",
                    str(MOST)] + ["--sections"] * SECTIONS, check=True, stdout=subprocess.DEVNULL)
    with open(path) as f:
        text = f.read()
    os.remove(path)
    return text


def broken(j):
    return sorted({(v["kind"], str(v.get("location"))) for v in j["violations"]})


def judge(check, _, program):
    counts = collections.Counter()
    optimal, why = check(["--races", "error", "--keep-going", "--strategy", "optimal"])
    if not optimal:
        return [why], collections.Counter(failed=1)
    strategy = ["--strategy", "rf"] if RF else ["--memory", "sc", "--strategy", "graph"]
    strategy = ["--strategy", "optimal", "--finer", "locks"] if FINER else strategy
    graph, why = check(["--races", "error", "--keep-going"] + strategy)
    if "does not know" in (why if not graph else " ".join(graph["downgrades"])):
        return [], collections.Counter(refused=1)
    if not graph:
        return [why], collections.Counter(failed=1)
    wrong = []
    kinds = [{v["kind"] for v in j["violations"]} for j in (optimal, graph)]
    if "data-race" in kinds[0] | kinds[1]:
        if not all("data-race" in k for k in kinds):
            wrong.append(f"a data race: optimal {'data-race' in kinds[0]}, graph {'data-race' in kinds[1]}")
        counts["failed" if wrong else "passed"] += 1
        counts["races"] += 1
        return ["; ".join(wrong)] if wrong else [], counts
    more = graph["executions"] - optimal["executions"]
    more = max(more, 0) if RF or FINER else more
    if kinds[0] <= {"deadlock"} and not SECTIONS and more and not (more > 0 and tries_while_others_wait(program)):
        wrong.append(f"executions: optimal {optimal['executions']}, graph {graph['executions']}")
    for name in ("observations", "observations_hash"):
        if optimal.get(name) != graph.get(name):
            wrong.append(f"{name}: optimal {optimal.get(name)}, graph {graph.get(name)}")
    may_have_more = tries_while_others_wait(program) and set(broken(optimal)) <= set(broken(graph))
    if broken(optimal) != broken(graph) and not may_have_more:
        wrong.append(f"violations: optimal {broken(optimal)}, graph {broken(graph)}")
    counts["failed" if wrong else "passed"] += 1
    counts["executions"] += graph["executions"]
    counts["traces"] += optimal["executions"]
    counts["broken"] += bool(graph["violations"])
    return ["; ".join(wrong)] if wrong else [], counts


def main():
    global TOOLS, SECTIONS, LOCKS, JOINS, RF, FINER
    p = batch.parser()
    p.add_argument("--tools", default=TOOLS)
    p.add_argument("--sections", action="store_true")
    p.add_argument("--locks", action="store_true")
    p.add_argument("--joins", action="store_true")
    p.add_argument("--rf", action="store_true")
    p.add_argument("--finer", action="store_true")
    a = p.parse_args()
    TOOLS, SECTIONS, LOCKS, JOINS, RF, FINER = a.tools, a.sections, a.locks, a.joins, a.rf, a.finer
    _, counts = batch.run(a, programs_of, render, judge)
    print(f"# {counts['passed']} programs agree: {counts['races']} with a data race, {counts['broken']} with another "
          f"violation, {counts['executions']} executions of those without a race "
          f"({counts['traces']} by optimal); {counts['refused']} refused")
    return batch.over(counts)


if __name__ == "__main__":
    sys.exit(main())
