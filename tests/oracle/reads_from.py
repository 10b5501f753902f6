#!/usr/bin/env python3
"""Random programs through --strategy rf, against a brute force over all interleavings.

    tests/oracle/reads_from.py [--serve PROGRAM] [--jobs N] [--seed N] HEDDLE PROGRAMS

Two interleavings are the same execution if each load reads the same store, and each mutex is taken by the same threads in the
same order.  The brute force runs every interleaving and collects these executions; it shares nothing with heddle.  They must
agree on

  executions   their number, if nothing breaks the program but deadlocks: none is missing, and none is explored twice
  violations   whether an assertion fails, which ones; whether there is a deadlock
  races        whether there is an execution with a data race.  Nothing else is asked of a program with one

Programs: 2 to 4 threads with atomic loads and stores, fetch-add, exchange, compare-exchange, plain accesses, critical
sections, loops that wait for a value, operations that depend on what was read; main reads after the joins.  Every tenth is also explored by two workers."""
import collections, os, random, re, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batch

MOST = 4000  # states of a program
ATOMIC, PLAIN = ("x", "y", "z"), ("p", "q")


class TooLarge(Exception):
    pass


# An operation is (kind, variable or mutex, a, b).  What it reads goes into the next local.  ("skip", n) leaves out the next
# operation if local n is odd.
def draw_thread(rng, most, atomics, mutexes):
    ops, locals_, held = [], 0, []
    for _ in range(rng.randint(1, most)):
        x, kind = rng.choice(atomics), rng.random()
        value = ("local", rng.randrange(locals_)) if locals_ and rng.random() < 0.3 else rng.randint(1, 3)
        if kind < 0.3:
            ops.append(("load", x, 0, 0))
        elif kind < 0.58:
            ops.append(("store", x, value, 0))
        elif kind < 0.66:
            ops.append((rng.choice(("add", "swap")), x, rng.randint(1, 2), 0))
        elif kind < 0.74:
            ops.append(("cas", x, rng.randint(0, 2), rng.randint(1, 3)))
        elif kind < 0.84 and mutexes:
            m = rng.choice(mutexes)
            if m in held:
                held.remove(m)
                ops.append(("unlock", m, 0, 0))
            else:
                held.append(m)
                ops.append(("lock", m, 0, 0))
                ops.append((rng.choice(("read", "write")), "p", rng.randint(1, 3), 0))
        elif kind < 0.86:
            ops.append(("await", x, rng.randint(0, 3), 0))
        elif kind < 0.92:
            ops.append((rng.choice(("read", "write")), rng.choice(PLAIN), rng.randint(1, 3), 0))
        elif locals_:
            ops.append(("skip", rng.randrange(locals_), 0, 0))
            ops.append(rng.choice((("store", x, value, 0), ("load", x, 0, 0))))
        if rng.random() < 0.06 and locals_:
            ops.append(("assert", rng.randrange(locals_), rng.randint(0, 3), 0))
        locals_ = sum(op[0] in READS for op in ops)
    return ops + [("unlock", m, 0, 0) for m in reversed(held)]


READS = ("load", "read", "add", "swap", "cas", "await")
WRITES = ("store", "write", "add", "swap", "cas")


def draw(seed):
    rng = random.Random(seed)
    n = rng.choice((2, 2, 3, 3, 4))
    atomics = ATOMIC[:rng.choice((1, 2, 2, 3))]
    mutexes = ("m", "n")[:rng.choice((0, 0, 1, 2))]
    threads = [draw_thread(rng, (0, 0, 5, 3, 2)[n], atomics, mutexes) for _ in range(n)]
    last = [(("load", x, 0, 0)) for x in atomics if rng.random() < 0.4]
    if last and rng.random() < 0.4:
        last.append(("assert", len(last) - 1, rng.randint(0, 3), 0))
    return (seed, threads, last)


class Brute:
    """Every interleaving.  A state is kept once for each history that matters: what was read from where, and who took a
    mutex after whom."""

    def __init__(self, threads, last):
        self.ops, self.n = threads + [last], len(threads)
        self.executions, self.asserts, self.deadlock, self.race = set(), set(), False, False
        self.seen = set()
        # clock[t][u]: how many operations of u happen before the next one of t; main joins them all in the end
        zero = (0,) * (self.n + 1)
        self.go((0,) * (self.n + 1), (((),) * (self.n + 1)), {}, {}, {}, (zero,) * (self.n + 1), (), ())

    def skips(self, t, pc, values):
        while pc < len(self.ops[t]) and self.ops[t][pc][0] == "skip":
            n = self.ops[t][pc][1]
            pc += 2 if n < len(values) and values[n] % 2 else 1
        return pc

    def go(self, pcs, values, memory, sync, reads, clocks, accesses, order):
        """memory: variable -> (who stored, value, message); sync: mutex -> (owner, message); reads: (thread, pc) -> who"""
        pcs = tuple(self.skips(t, pc, values[t]) for t, pc in enumerate(pcs))
        key = (pcs, values, tuple(sorted((x, w[0]) for x, w in memory.items())), tuple(sorted(reads.items())), order)
        if key in self.seen:
            return
        self.seen.add(key)
        if len(self.seen) > MOST:
            raise TooLarge
        running = [t for t in range(self.n) if pcs[t] < len(self.ops[t])]
        main = not running and pcs[self.n] < len(self.ops[self.n])
        able = [self.n] if main else [t for t in running if self.can(t, pcs, sync, memory)]
        if not able:
            self.deadlock |= bool(running)
            for t in running:  # what the last turn of a loop reads that waits for ever
                if self.ops[t][pcs[t]][0] == "await":
                    reads = reads | {(t, pcs[t]): str(memory.get(self.ops[t][pcs[t]][1], (None,))[0])}
            self.executions.add((tuple(sorted(reads.items())), order))
        for t in able:
            self.step(t, pcs, values, memory, sync, reads, clocks, accesses, order)

    def can(self, t, pcs, sync, memory):
        op = self.ops[t][pcs[t]]
        if op[0] == "await":  # turns in which it reads something else change nothing
            return memory.get(op[1], (None, 0))[1] == op[2]
        return op[0] != "lock" or sync.get(op[1], (None,))[0] is None

    def step(self, t, pcs, values, memory, sync, reads, clocks, accesses, order):
        kind, x, a, b = self.ops[t][pcs[t]]
        me = (t, pcs[t])
        memory, sync, reads = dict(memory), dict(sync), dict(reads)
        clock = list(clocks[t])
        if t == self.n:
            clock = [max(c[u] for c in clocks) for u in range(self.n + 1)]
        local = list(values[t])
        who, value, message = memory.get(x, (None, 0, None))
        atomic = kind not in ("read", "write")
        if kind == "lock" or kind == "unlock":
            seen = sync.get(x, (None, None))[1]
            if kind == "lock" and seen:
                clock = [max(p) for p in zip(clock, seen)]
            order = tuple(sorted(dict(order, **{x: dict(order).get(x, ()) + (me,)}).items()))
        elif kind == "assert":
            if x < len(local) and local[x] == a:
                self.asserts.add(me)
                return
        else:
            if kind in READS:
                reads[me] = str(who)
                local.append(value)
                if atomic and message:
                    clock = [max(p) for p in zip(clock, message)]
            writes = kind in WRITES and not (kind == "cas" and value != a)
            for u, count, y, wrote, was_atomic in accesses:
                if u != t and y == x and (wrote or writes) and not (atomic and was_atomic) and clock[u] < count:
                    self.race = True
            accesses = accesses + ((t, clock[t] + 1, x, writes, atomic),)
        clock[t] += 1
        if kind == "unlock":
            sync[x] = (None, tuple(clock))
        elif kind == "lock":
            sync[x] = (t, sync.get(x, (None, None))[1])
        elif kind in WRITES and not (kind == "cas" and value != a):
            new = {"add": value + a if kind == "add" else 0, "cas": b}.get(kind, a)
            new = (local[new[1]] + 1 if new[1] < len(local) else 1) if isinstance(new, tuple) else new
            told = tuple(clock) if atomic else None
            if told and kind in READS and message:  # the release sequence goes on
                told = tuple(max(p) for p in zip(told, message))
            memory[x] = (me, new, told)
        self.go(pcs[:t] + (pcs[t] + 1,) + pcs[t + 1:], values[:t] + (tuple(local),) + values[t + 1:], memory, sync, reads,
                clocks[:t] + (tuple(clock),) + clocks[t + 1:], accesses, order)


def programs_of(seed, wanted):
    some = []
    while len(some) < wanted:
        program = draw(seed)
        seed += 1
        try:
            some.append(program + (Brute(program[1], program[2]),))
        except TooLarge:
            pass
    return some, seed


def c_of(program, n, t, ops):
    """An operation is a line.  Locals are an array of the function, and `n` counts those that were read."""
    lines = []
    for at, (kind, x, a, b) in enumerate(ops):
        v = f"v{n}.{x}"
        value = f"((unsigned){a[1]} < n ? l[{a[1]}] + 1 : 1)" if isinstance(a, tuple) else a
        text = {"load": f"l[n++] = atomic_load(&{v});",
                "store": f"atomic_store(&{v}, {value});",
                "add": f"l[n++] = atomic_fetch_add(&{v}, {a});",
                "swap": f"l[n++] = atomic_exchange(&{v}, {a});",
                "cas": f"{{ int e = {a}; atomic_compare_exchange_strong(&{v}, &e, {b}); l[n++] = e; }}",
                "await": f"while (atomic_load(&{v}) != {a}) {{ }} l[n++] = {a};",
                "read": f"l[n++] = {v};",
                "write": f"{v} = {a};",
                "lock": f"pthread_mutex_lock(&{v});",
                "unlock": f"pthread_mutex_unlock(&{v});",
                "assert": f"if ({x} < n) HOLDS(l[{x}] != {a}, {t * 100 + at});"}.get(kind)
        before = ops[at - 1] if at else None
        if kind == "skip":
            continue
        if before and before[0] == "skip":
            text = f"if (!({before[1]} < n && l[{before[1]}] % 2)) {{ {text} }}"
        lines.append("    " + text + "\n")
    return "    int l[40];\n    unsigned n = 0;\n    (void)l, (void)n;\n" + "".join(lines)


def render(programs):
    out = ["#include <heddle.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
           "#define HOLDS(c, n) ((c) ? (void)0 : heddle_assert_fail(\"A\" #n, __FILE__, __LINE__, __func__))\n"]
    for n, (_, threads, last, _) in enumerate(programs):
        out.append(f"static struct {{\n    atomic_int x, y, z;\n    int p, q;\n    pthread_mutex_t m, n;\n}} v{n} = "
                   "{ .m = PTHREAD_MUTEX_INITIALIZER, .n = PTHREAD_MUTEX_INITIALIZER };\n")
        for t, ops in enumerate(threads):
            out.append(f"static void *t{n}_{t}(void *u)\n{{\n{c_of(programs, n, t, ops)}    return u;\n}}\n")
        out.append(f"static void p{n}(void)\n{{\n    pthread_t id[{len(threads)}];\n")
        out += [f"    pthread_create(&id[{t}], 0, t{n}_{t}, 0);\n" for t in range(len(threads))]
        out += [f"    pthread_join(id[{t}], 0);\n" for t in range(len(threads))]
        out.append(c_of(programs, n, len(threads), last) + "}\n")
    out.append("static void (*const all[])(void) = { " + ", ".join(f"p{n}" for n in range(len(programs))) + " };\n"
               "int main(int argc, char **argv)\n{\n    all[argc > 1 ? atoi(argv[1]) : 0]();\n    return 0;\n}\n")
    return "".join(out)


def judge(check, _, program):
    seed, _, _, brute = program
    options = ["--races", "error", "--keep-going", "--strategy", "rf"]
    wrong, counts = [], collections.Counter()
    for jobs in ([], ["-j", "2"])[:2 if seed % 10 == 0 else 1]:
        found, why = check(options + jobs)
        if not found:
            return [why], collections.Counter(failed=1)
        wrong += compare(found, brute, jobs)
    counts["failed" if wrong else "passed"] += 1
    counts["races"] += brute.race
    counts["executions"] += 0 if brute.race or brute.asserts else len(brute.executions)
    counts["broken"] += bool(brute.asserts or brute.deadlock) and not brute.race
    return ["; ".join(wrong)] if wrong else [], counts


def compare(found, brute, jobs):
    kinds = {v["kind"] for v in found["violations"]}
    if brute.race or "data-race" in kinds:
        return [] if brute.race and "data-race" in kinds else [f"a data race: {brute.race}, heddle {sorted(kinds)}"]
    wrong = []
    asserts = {re.search(r"A(\d+)", v["message"]).group(1) for v in found["violations"] if v["kind"] == "assertion"}
    if asserts != {str(t * 100 + pc) for t, pc in brute.asserts}:
        wrong.append(f"assertions: {sorted(brute.asserts)}, heddle {found['violations']}")
    if bool({"deadlock", "livelock", "no-progress"} & kinds) != brute.deadlock:  # the others if a loop waits
        wrong.append(f"a deadlock: {brute.deadlock}, heddle {sorted(kinds)}")
    if not brute.asserts and found["executions"] != len(brute.executions):
        wrong.append(f"executions: {len(brute.executions)}, heddle {found['executions']}")
    return [f"{' '.join(jobs)} {w}" for w in wrong]


def main():
    a = batch.parser().parse_args()
    _, counts = batch.run(a, programs_of, render, judge)
    print(f"# {counts['passed']} programs agree: {counts['races']} with a data race, {counts['broken']} with another "
          f"violation, {counts['executions']} executions of those without a race or a failed assertion")
    return batch.over(counts)


if __name__ == "__main__":
    sys.exit(main())
