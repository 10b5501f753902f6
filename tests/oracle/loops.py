#!/usr/bin/env python3
"""Random programs with loops, against an interpreter that visits every state.

    tests/oracle/loops.py [--all] [--serve PROGRAM] [--jobs N] [--seed N] [--only "OPTIONS"] [--plain] HEDDLE PROGRAMS

Threads read, write and compare-exchange shared words, take, try and give back locks, jump and assert;
every program can go round at least one loop, most have a spin loop.  The interpreter (loops_machine.py)
shares nothing with heddle.  Its answers: the final states, the assertions that fail, whether all threads
can be stuck, whether there is a fair cycle (every thread that can move in one of its states moves on
it).  Every search that keeps states must come to an end and agree in all of them.

Loops that only read are waits to heddle, which is fairer than the interpreter: such a thread moves
when what it waits for has come, and is not made to look at the wrong moment for ever.  So every
second program changes a word of its own on every turn and must agree exactly; in the others what
heddle reports must be there, and may be of either kind.

Without --keep-going `hybrid` must do what Theorem 1 of its paper says: end either at an error, if there
is one, or having seen everything.

--plain: loops that only read, of words that are not atomic, every second program's volatile; the search over
graphs must come to an end and agree, under sequential consistency.

--all tries every configuration with every program; otherwise two of them, and the others in turn."""
import collections, functools, os, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batch
import loops_machine
from loops_machine import Machine, TooLarge, generate, has_loop, hash_of_finals

ALWAYS = [["--strategy", "stateful"], ["--strategy", "hybrid"]]
IN_TURN = [["--strategy", "stateful", "--exact-states"], ["--strategy", "dpor-stateful"], ["--strategy", "hr"],
           ["--strategy", "stateful", "-j", "3", "--paranoid"],
           ["--reduce", "states,super-step"], ["--strategy", "hybrid:hr"], ["--strategy", "hr-fields"],
           ["--strategy", "hybrid", "--exact-states"], ["--reduce", "states"],
           ["--reduce", "states,eager,super-step"], ["--strategy", "dpor-stateful", "--exact-states"]]
CLAIMS_NOTHING = {"hr", "hr-fields", "hybrid:hr"}


def complete(j):
    """Was everything explored?  Data races are not looked for (batch.py), and heddle says so: the programs have none."""
    return j["exhaustive"] or (j["downgrades"] != [] and
                               all(d.startswith("data races were not looked for") for d in j["downgrades"]))


def judge_all(j, toggles, machine, chain):
    """With --keep-going: everything is found."""
    got = {v["kind"] for v in j["violations"]}
    asserts = {int(v["message"].split("&&")[1].split(">=")[0]) for v in j["violations"]
               if v["kind"] == "assertion"}
    wrong = []
    if asserts != machine.failed:
        wrong.append(f"assertions {sorted(asserts)} instead of {sorted(machine.failed)}")
    if j.get("observations", 0) != len(machine.finals):
        wrong.append(f"{j.get('observations', 0)} final states instead of {len(machine.finals)}")
    elif machine.finals and j["observations_hash"] != hash_of_finals(machine):
        wrong.append("other final states")
    if toggles and ("livelock" in got) != machine.endless:
        wrong.append(f"livelock: {'livelock' in got} instead of {machine.endless}")
    if toggles and ("deadlock" in got) != machine.stuck:
        wrong.append(f"deadlock: {'deadlock' in got} instead of {machine.stuck}")
    if got & {"livelock", "deadlock"} and not (machine.endless or machine.stuck):
        wrong.append(f"{sorted(got)} where neither is")
    if machine.stuck and not got & {"livelock", "deadlock"}:
        wrong.append("a deadlock is missing")
    if got - {"assertion", "livelock", "deadlock"} - ({"no-progress"} if machine.endless else set()):
        wrong.append(f"{sorted(got)}")
    if not j["violations"] and not complete(j) and not CLAIMS_NOTHING & set(chain):
        wrong.append(f"not exhaustive: {j['downgrades']}")
    return wrong


def judge_theorem(j, toggles, machine, chain):
    """Without: it ends at an error, or there is none and all has been explored."""
    broken = bool(machine.failed) or machine.stuck or (machine.endless and toggles)
    wrong = []
    if broken and j["verdict"] != "violation":
        wrong.append(f"ended without the error: {j['verdict']}")
    if j["verdict"] == "violation" and not (broken or machine.endless):
        wrong.append("ended at an error that is none")
    if j["verdict"] != "violation":
        if not CLAIMS_NOTHING & set(chain) and not complete(j):
            wrong.append(f"ended as {j['verdict']}: {j['downgrades']}")
        if j.get("observations", 0) != len(machine.finals):
            wrong.append(f"ended with {j.get('observations', 0)} final states of {len(machine.finals)}")
    return wrong


def by_calls(seed):
    return seed // 2 % 2


def only_reads(threads):
    """Does every loop only look, so that an iteration changes nothing but what its thread knows?"""
    return all(step[0] in ("load", "yield", "jump", "assert") for code in threads for at, end in enumerate(code)
               if end[0] == "jump" and end[3] <= at for step in code[end[3]:at])


def programs_of(plain, first, wanted):
    """Of those that only go round or only end in one way, a quarter."""
    programs, seed = [], first
    while len(programs) < wanted:
        threads, toggles = generate(seed)
        seed += 1
        if not has_loop(threads) or (plain and (toggles or not only_reads(threads))):
            continue
        try:
            machine = Machine(threads)
        except TooLarge:
            continue
        if len(machine.finals) > 1 or machine.failed or machine.stuck or seed // 2 % 4 == 0:
            programs.append((seed - 1, threads, toggles, machine))
    return programs, seed


def render(plain, programs):
    text = loops_machine.render([p[1] for p in programs], [by_calls(p[0]) for p in programs])
    if not plain:
        return text
    kind = "volatile int" if programs[0][0] % 2 else "int"
    text = text.replace("atomic_load(", "look(").replace("atomic_store(", "store(")
    return f"#define look(p) (*({kind} *)(p))\n#define store(p, v) (*({kind} *)(p) = (v))\n{text}"


def chains_of(only, every, n):
    if only:
        return [only.split()]
    return ALWAYS + (IN_TURN if every else [IN_TURN[n % len(IN_TURN)]])


def judge(only, every, check, number, program):
    _, threads, toggles, machine = program
    failures, counts = [], collections.Counter()
    for chain in chains_of(only, every, number):
        wrong = []
        for keep, ask in ((["--keep-going"], judge_all), ([], judge_theorem)):
            if ask is judge_theorem and not {"hybrid", "hybrid:hr"} & set(chain):
                continue
            j, error = check(keep + chain)
            wrong += [error] if not j else ask(j, toggles, machine, chain)
            counts["again"] += bool(j and keep and j["passes"] > 1)
        counts["failed" if wrong else "passed"] += 1
        if wrong:
            code = "".join(f"\n#   T{t + 1}: {c}" for t, c in enumerate(threads))
            failures.append(f"{' '.join(chain)}: {'; '.join(wrong)}{code}")
    return failures, counts


def main():
    p = batch.parser()
    p.add_argument("--all", action="store_true")
    p.add_argument("--only")
    p.add_argument("--plain", action="store_true")
    a = p.parse_args()
    only = a.only or ("--memory sc --strategy graph" if a.plain else None)
    programs, counts = batch.run(a, functools.partial(programs_of, a.plain), functools.partial(render, a.plain),
                                 functools.partial(judge, only, a.all))
    print(f"# {len(programs)} programs, {sum(len(x[3].can) for x in programs)} states, "
          f"{sum(x[3].endless for x in programs)} with a fair cycle, "
          f"{sum(x[3].stuck for x in programs)} that can be stuck, "
          f"{sum(bool(x[3].failed) for x in programs)} with a failing assertion; "
          f"{counts['again']} checks needed several passes")
    return batch.over(counts)


if __name__ == "__main__":
    sys.exit(main())
