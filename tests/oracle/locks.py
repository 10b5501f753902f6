#!/usr/bin/env python3
"""Random programs with mutexes through --finer locks, against a brute force over all interleavings.

    tests/oracle/locks.py [--serve PROGRAM] [--jobs N] [--seed N] HEDDLE PROGRAMS

The brute force runs every interleaving of the program as it is: a mutex is one object, and nothing is split.  It shares nothing
with heddle.  They must agree on

  violations   whether an assertion fails, which ones; whether there is a deadlock.  heddle has replayed each of its own
  races        whether there is an execution with a data race.  Nothing else is asked of a program with one
  executions   their number, if no assertion fails.  heddle says which critical sections it has in one part (lock_parts).  Two
               interleavings are one if the accesses of each variable, and the sections of each part, are in the same order
               (loads may change places).  heddle must explore as many executions as there are such classes
  sections     two sections that conflict in one interleaving, in whichever order they can come, are in one part

Programs: 2 to 4 threads with critical sections of two mutexes, accesses in and outside of them, atomic accesses, nested
sections, pthread_mutex_trylock, threads that end with a mutex held, branches.  Every tenth is also explored by `source`, and by two workers."""
import collections, os, random, re, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batch

MOST = 6000  # states of a program
ATOMIC, PLAIN = ("x", "y"), ("p", "q", "r", "s")
READS, WRITES = ("load", "read", "add"), ("store", "write", "add")


class TooLarge(Exception):
    pass


# An operation is (kind, variable or mutex, value, mutex): with a mutex it is done only if the thread holds that one, which
# depends on a trylock.  What it reads goes into the next local.  ("skip", n) leaves out the next operation if local n is odd.
def draw_access(rng, own, when, kinds=("read", "write", "write")):
    return (rng.choice(kinds), rng.choice((own, own, own, "p", "q")), rng.randint(1, 3), when)


def draw_section(rng, own, mutexes, tries, depth=0):
    m = rng.choice(mutexes)
    attempt = tries and rng.random() < 0.3
    ops = [("try" if attempt else "lock", m, 0, None)]
    when = m if attempt else None
    for _ in range(rng.choice((0, 1, 1, 2, 2))):
        ops.append(draw_access(rng, own, when))
    if rng.random() < 0.05:
        ops.append((rng.choice(("load", "store")), rng.choice(ATOMIC), rng.randint(1, 3), when))
    others = [n for n in mutexes if n != m]
    if others and not depth and not attempt and rng.random() < 0.15:
        ops += draw_section(rng, own, others, False, 1)
    if rng.random() < 0.97:
        ops.append(("unlock", m, 0, when))
    return ops


def holds(ops):
    """Does the thread still hold a mutex?  It locks none again."""
    return sum(op[0] in ("lock", "try") for op in ops) != sum(op[0] == "unlock" for op in ops)


def draw_thread(rng, t, most, mutexes, tries):
    ops, n = [], 0
    own = PLAIN[t]
    for _ in range(rng.randint(1, most)):
        kind = rng.random()
        if kind < 0.55:
            ops += draw_section(rng, own, mutexes, tries)
            if holds(ops):
                break
        elif kind < 0.75:
            ops.append((rng.choice(("load", "store", "add")), rng.choice(ATOMIC), rng.randint(1, 3), None))
        elif kind < 0.85:
            ops.append(draw_access(rng, own, None))
        elif n:
            ops.append(("skip", rng.randrange(n), 0, None))
            ops.append((rng.choice(("store", "load", "write")), rng.choice(ATOMIC), rng.randint(1, 3), None))
            if ops[-1][0] == "write":
                ops[-1] = ("write", own, 1, None)
        n = sum(op[0] in READS for op in ops)
        if n and rng.random() < 0.1:
            ops.append(("assert", rng.randrange(n), rng.randint(0, 3), None))
    return ops


def draw(seed):
    rng = random.Random(seed)
    n = rng.choice((2, 2, 3, 3, 4))
    mutexes = ("m", "n")[:rng.choice((1, 1, 2))]
    tries = rng.random() < 0.1
    threads = [draw_thread(rng, t, (0, 0, 4, 3, 2)[n], mutexes, tries) for t in range(n)]
    return (seed, threads)


def conflicts(a, b):
    return a[1] == b[1] and (a[2] or b[2])


class Brute:
    """Every interleaving.  A state is kept once for each history: the order of accesses of each object, loads in any order."""

    def __init__(self, threads):
        self.ops, self.n = threads, len(threads)
        self.asserts, self.deadlock, self.race, self.seen, self.ends = set(), False, False, set(), set()
        zero = (0,) * self.n
        self.go((0,) * self.n, ((),) * self.n, {}, {}, {}, (zero,) * self.n, ())

    def go(self, pcs, values, memory, sync, history, clocks, accesses):
        """memory: variable -> (value, message); sync: mutex -> (owner, message); history: object -> (writes and sets of loads)"""
        pcs = tuple(self.skips(t, pc, values[t], sync) for t, pc in enumerate(pcs))
        key = (pcs, tuple(sorted(history.items())))
        if key in self.seen:
            return
        self.seen.add(key)
        if len(self.seen) > MOST:
            raise TooLarge
        running = [t for t in range(self.n) if pcs[t] < len(self.ops[t])]
        able = [t for t in running if self.ops[t][pcs[t]][0] != "lock" or sync.get(self.ops[t][pcs[t]][1], (None,))[0] is None]
        if not able:
            self.deadlock |= bool(running)
            self.ends.add(key)
        for t in able:
            self.step(t, pcs, values, dict(memory), dict(sync), dict(history), clocks, accesses)

    def skips(self, t, pc, values, sync):
        while pc < len(self.ops[t]):
            kind, x, _, when = self.ops[t][pc]
            if kind == "skip":
                pc += 2 if x < len(values) and values[x] % 2 else 1
            elif when and sync.get(when, (None,))[0] != t:
                pc += 1
            else:
                break
        return pc

    def step(self, t, pcs, values, memory, sync, history, clocks, accesses):
        kind, x, a, _ = self.ops[t][pcs[t]]
        me, clock, local, wrote = (t, pcs[t]), list(clocks[t]), list(values[t]), True
        if kind in ("lock", "try", "unlock"):
            owner, message = sync.get(x, (None, None))
            if kind != "unlock" and owner is None:
                clock = [max(p) for p in zip(clock, message)] if message else clock
                sync[x] = (t, message)
            elif kind == "unlock":
                clock[t] += 1
                sync[x] = (None, tuple(clock))
            else:
                wrote = False
            history[x] = note(history.get(x, ()), me, wrote)
        else:
            value, message = memory.get(x, (0, None))
            atomic, wrote = x in ATOMIC, kind in WRITES
            if kind in READS:
                local.append(value)
                clock = [max(p) for p in zip(clock, message)] if atomic and message else clock
            for u, count, y, writes in accesses:
                if u != t and y == x and (wrote or writes) and not atomic and clock[u] < count:
                    self.race = True
            accesses = accesses + ((t, clock[t] + 1, x, wrote),)
            clock[t] += 1
            history[x] = note(history.get(x, ()), me, wrote)
            if wrote:
                told = tuple(clock) if atomic else None
                if told and kind == "add" and message:
                    told = tuple(max(p) for p in zip(told, message))
                memory[x] = (value + a if kind == "add" else a, told)
        pc = self.skips(t, pcs[t] + 1, local, sync)
        while pc < len(self.ops[t]) and self.ops[t][pc][0] == "assert":  # it belongs to the step before
            _, x, a, _ = self.ops[t][pc]
            if x < len(local) and local[x] == a:
                self.asserts.add((t, pc))
                return
            pc = self.skips(t, pc + 1, local, sync)
        self.go(pcs[:t] + (pc,) + pcs[t + 1:], values[:t] + (tuple(local),) + values[t + 1:], memory, sync, history,
                clocks[:t] + (tuple(clock),) + clocks[t + 1:], accesses)

    def classes(self, part):
        """How many executions there are if part(mutex, thread, operation) says where each operation on a mutex belongs."""
        found = set()
        for pcs, history in self.ends:
            objects = {}
            for x, accesses in history:
                if x not in ("m", "n"):
                    objects[x] = accesses
                    continue
                for entry in accesses:
                    for me, wrote in ([(e, False) for e in sorted(entry)] if isinstance(entry, frozenset) else [(entry, True)]):
                        place = (x, part(x, me))
                        objects[place] = note(objects.get(place, ()), me, wrote)
            found.add((pcs, tuple(sorted(objects.items(), key=str))))
        return len(found)


def note(accesses, me, wrote):
    if wrote:
        return accesses + (me,)
    if accesses and isinstance(accesses[-1], frozenset):
        return accesses[:-1] + (accesses[-1] | {me},)
    return accesses + (frozenset({me}),)


def sections(ops):
    """For each operation on a mutex the number of the lock that begins the section, from 1; trylocks do not count."""
    n, inside, of = 0, {}, {}
    for pc, (kind, x, _, _) in enumerate(ops):
        if kind == "lock":
            n += 1
            inside[x] = n
        if kind in ("lock", "try", "unlock"):
            of[pc] = inside.get(x, 0)
    return of


def programs_of(seed, wanted):
    some = []
    while len(some) < wanted:
        program = draw(seed)
        seed += 1
        try:
            some.append(program + (Brute(program[1]),))
        except TooLarge:
            pass
    return some, seed


def c_of(n, t, ops):
    lines = []
    for at, (kind, x, a, when) in enumerate(ops):
        v = f"v{n}.{x}"
        text = {"load": f"l[n++] = atomic_load(&{v});",
                "store": f"atomic_store(&{v}, {a});",
                "add": f"l[n++] = atomic_fetch_add(&{v}, {a});",
                "read": f"l[n++] = {v};",
                "write": f"{v} = {a};",
                "lock": f"pthread_mutex_lock(&{v});",
                "try": f"h{x} = pthread_mutex_trylock(&{v}) == 0;",
                "unlock": f"pthread_mutex_unlock(&{v});" + (f" h{x} = 0;" if when else ""),
                "assert": f"if ({x} < n) HOLDS(l[{x}] != {a}, {t * 100 + at});"}.get(kind)
        if kind == "skip":
            continue
        if when:
            text = f"if (h{when}) {{ {text} }}"
        if at and ops[at - 1][0] == "skip":
            text = f"if (!({ops[at - 1][1]} < n && l[{ops[at - 1][1]}] % 2)) {{ {text} }}"
        lines.append("    " + text + "\n")
    return "    int l[60], hm = 0, hn = 0;\n    unsigned n = 0;\n    (void)l, (void)n, (void)hm, (void)hn;\n" + "".join(lines)


def render(programs):
    out = ["#include <heddle.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
           "#define HOLDS(c, n) ((c) ? (void)0 : heddle_assert_fail(\"A\" #n, __FILE__, __LINE__, __func__))\n"]
    for n, (_, threads, _) in enumerate(programs):
        out.append(f"static struct {{\n    atomic_int x, y;\n    int p, q, r, s;\n    pthread_mutex_t m, n;\n}} v{n} = "
                   "{ .m = PTHREAD_MUTEX_INITIALIZER, .n = PTHREAD_MUTEX_INITIALIZER };\n")
        for t, ops in enumerate(threads):
            out.append(f"static void *t{n}_{t}(void *u)\n{{\n{c_of(n, t, ops)}    return u;\n}}\n")
        out.append(f"static void p{n}(void)\n{{\n    pthread_t id[{len(threads)}];\n")
        out += [f"    pthread_create(&id[{t}], 0, t{n}_{t}, 0);\n" for t in range(len(threads))]
        out += [f"    pthread_join(id[{t}], 0);\n" for t in range(len(threads))]
        out.append("}\n")
    out.append("static void (*const all[])(void) = { " + ", ".join(f"p{n}" for n in range(len(programs))) + " };\n"
               "int main(int argc, char **argv)\n{\n    all[argc > 1 ? atoi(argv[1]) : 0]();\n    return 0;\n}\n")
    return "".join(out)


def tables(threads, found):
    """The parts that heddle's answer may mean: it names mutexes by their addresses, and m comes before n."""
    parts = found["lock_parts"]
    addresses = sorted({a for a in parts["whole"]} | {j["mutex"] for j in parts["joined"]})
    names = [dict(zip(addresses, "mn"))] if len(addresses) == 2 else [{a: m for a in addresses} for m in "mn"]
    numbers = [sections(ops) for ops in threads]
    for name in names:
        whole = {name[a] for a in parts["whole"]}
        joined = {(name[j["mutex"]], j["section"]["thread"], j["section"]["lock"]): (j["with"]["thread"], j["with"]["lock"])
                  for j in parts["joined"]}

        def part(x, me, whole=whole, joined=joined):
            t, pc = me
            if parts["all_whole"] or x in whole:
                return 0
            section = (t + 1, numbers[t][pc])
            return joined.get((x,) + section, section)
        yield part


def judge(check, _, program):
    seed, threads, brute = program
    options = ["--races", "error", "--keep-going", "--finer", "locks", "--strategy"]
    wrong, counts = [], collections.Counter()
    for how in (["optimal"], ["source"], ["optimal", "-j", "2"])[:3 if seed % 10 == 0 else 1]:
        found, why = check(options + how)
        if not found:
            return [why], collections.Counter(failed=1)
        wrong += compare(threads, found, brute, how)
    counts["failed" if wrong else "passed"] += 1
    counts["races"] += brute.race
    if not brute.race and not brute.asserts:
        counts["executions"] += found["executions"]
        counts["traces"] += len(brute.ends)
    counts["broken"] += bool(brute.asserts or brute.deadlock) and not brute.race
    return ["; ".join(wrong)] if wrong else [], counts


def compare(threads, found, brute, how):
    kinds = {v["kind"] for v in found["violations"]}
    if brute.race or "data-race" in kinds:
        return [] if brute.race and "data-race" in kinds else [f"a data race: {brute.race}, heddle {sorted(kinds)}"]
    wrong = []
    asserts = {re.search(r"A(\d+)", v["message"]).group(1) for v in found["violations"] if v["kind"] == "assertion"}
    if asserts != {str(t * 100 + pc) for t, pc in brute.asserts}:
        wrong.append(f"assertions: {sorted(brute.asserts)}, heddle {found['violations']}")
    partial = brute.asserts and "deadlock" in kinds  # of some threads, where another always fails an assertion before the end
    if (("deadlock" in kinds) != brute.deadlock and not partial) or kinds - {"deadlock", "assertion"}:
        wrong.append(f"a deadlock: {brute.deadlock}, heddle {sorted(kinds)}")
    if not brute.asserts:
        expected = {brute.classes(part) for part in tables(threads, found)}
        if found["executions"] + (found["blocked"] if how[0] == "source" else 0) not in expected and (
                how[0] == "optimal" or found["executions"] < min(expected)):
            wrong.append(f"executions: {sorted(expected)}, heddle {found['executions']}, {found['lock_parts']}")
        if how[0] == "optimal" and found["blocked"]:
            wrong.append(f"{found['blocked']} executions are blocked")
    return [f"{' '.join(how)}: {w}" for w in wrong]


def main():
    a = batch.parser().parse_args()
    _, counts = batch.run(a, programs_of, render, judge)
    print(f"# {counts['passed']} programs agree: {counts['races']} with a data race, {counts['broken']} with another "
          f"violation; {counts['executions']} executions of {counts['traces']} traces in those without a race or a failed assertion")
    return batch.over(counts)


if __name__ == "__main__":
    sys.exit(main())
