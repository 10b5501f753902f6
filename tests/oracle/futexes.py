#!/usr/bin/env python3
"""Random programs with futexes under RC11 or TSO, against all their execution graphs.

    tests/oracle/futexes.py [--serve ORACLE_SERVE] [--jobs N] [--seed N] [--memory rc11|tso] HEDDLE PROGRAMS

Threads load and store two variables, relaxed or with release and acquire (tso: seq_cst), and wait and wake at one of them.  Every
second batch of programs waits and wakes at both, and moves threads from one to the other (requeues).  All
graphs are enumerated by brute force: how every wait turns out, which store each load reads, the orders of modification, and the total
order of the operations on the futex with the choices of whom a wake wakes.  A whole graph is held against the axioms.  Both
models: po, rf, the order of the futex and wake-ups have no cycle.  RC11: coherence; and the load of a wait is not older than what
happens before an earlier operation on the futex.  TSO: the machine's order has no cycle, if every wait, also one that does not
sleep, has a place among the operations on the futex, loads the word after the operation before it and before
the one after it, and is a barrier.  With requeues the total order is one of the operations on both futexes; RC11 looks at those on
the futex of the wait, and at what is before a load without the order of operations on different futexes.  Under TSO it must make no
difference whether the order of all operations or that of each futex is asked for places.  heddle must explore as many executions, and find a deadlock if there is one; every fourth
program also in parts, from checkpoint to checkpoint.  Nothing here is shared with heddle."""
import collections, itertools, os, random, sys, tempfile

import batch

MODEL = "rc11"

# an operation: ("st", var, value), ("ld", var), ("wait", value, mask, futex), ("one", mask, futex), ("two", mask, futex), ("all", mask,
# futex), ("move", value or None, how many to wake, futex); a wake may wake threads whose mask has a bit of its own
VARS = "xy"
ANY = 0xffffffff

def random_mask(rng):
    return ANY if rng.random() < .3 else rng.choice([1, 2, 1, 2, 3])

def random_op(rng):
    k = rng.random()
    strong = rng.random() < .5
    if k < .30: return ("st", rng.choice("xxxyy"), rng.randint(1, 2), strong)
    if k < .45: return ("ld", rng.choice("xyy"), strong)
    if k < .70: return ("wait", rng.choice([0, 0, 0, 1]), random_mask(rng), "x")
    k = rng.random()
    return ("one" if k < .5 else "two" if k < .7 else "all", random_mask(rng), "x")

def random_requeue_op(rng):
    k = rng.random()
    futex = rng.choice("xxy")
    if k < .25: return ("st", rng.choice("xy"), rng.randint(1, 2), rng.random() < .5)
    if k < .35: return ("ld", rng.choice("xy"), rng.random() < .5)
    if k < .60: return ("wait", rng.choice([0, 0, 0, 1]), ANY, futex)
    if k < .80: return ("move", rng.choice([None, 0, 0, 1]), rng.randint(0, 1), futex)
    return (rng.choice(["one", "all"]), ANY, futex)

def random_program_with_requeues(rng):
    if rng.random() < .3: # two may sleep when one is woken and one is moved
        return [[("wait", 0, ANY, "x")] for _ in range(2)] + [[random_requeue_op(rng), ("move", None, 1, "x"), random_requeue_op(rng)]]
    return [[random_requeue_op(rng) for _ in range(rng.randint(1, 3))] for _ in range(rng.randint(2, 3))]

def random_program(rng):
    if rng.random() < .1: # three may sleep when two are woken
        return [[("wait", 0, random_mask(rng), "x")] for _ in range(3)] + [
            [rng.choice([("two", random_mask(rng), "x"), ("st", "x", 1, False)]), ("two", random_mask(rng), "x")]]
    return [[random_op(rng) for _ in range(rng.randint(1, 3))] for _ in range(rng.randint(2, 3))]

# events: (thread, index, kind, ...); kinds: W var val, R var, E mask futex (entry), K kind mask futex (wake), M compares wakes futex
# (requeue to the other futex), V (woken)
def skeletons(program):
    """Per thread: the list of events for each guess of how its waits turn out."""
    def of(thread):
        ways = [([], True)]
        for op in program[thread]:
            new = []
            for events, on in ways:
                if not on: new.append((events, on)); continue
                if op[0] == "st": new.append((events + [("W", op[1], op[2], op[3])], True))
                elif op[0] == "ld": new.append((events + [("R", op[1], None, op[2])], True))
                elif op[0] == "wait":
                    new.append((events + [("R", op[3], ("not", op[1]))], True))
                    sleeps = events + [("R", op[3], ("is", op[1])), ("E", op[2], op[3])]
                    new.append((sleeps, False))
                    new.append((sleeps + [("V",)], True))
                elif op[0] == "move":
                    move = ("M", op[1] is not None, op[2], op[3])
                    if op[1] is None: new.append((events + [move], True))
                    else:
                        new.append((events + [("R", op[3], ("not", op[1]))], True))
                        new.append((events + [("R", op[3], ("is", op[1])), move], True))
                else: new.append((events + [("K", op[0], op[1], op[2])], True))
            ways = new
        return [e for e, _ in ways]
    return itertools.product(*[of(t) for t in range(len(program))])

def other(futex): return "y" if futex == "x" else "x"

def is_on(e, futex):
    """Is the operation one on that futex?"""
    return e[0] == "M" or e[-1] == futex

def loads_before(e):
    """Is the event before it the load that belongs to it?"""
    return e[0] == "E" or (e[0] == "M" and e[1])

def chains(threads, ops):
    """All orders of the operations on futexes that keep program order, with who is woken."""
    def go(done, asleep, order, woken):
        if len(order) == len(ops): yield list(order), dict(woken); return
        for op in ops:
            t, i = op
            if op in done or any(o[0] == t and o[1] < i and o not in done for o in ops): continue
            if t in asleep: continue
            e = threads[t][i]
            here = sorted(a for a in asleep if asleep[a] == e[-1])
            if e[0] == "E": choices = [()]
            elif e[0] == "M": choices = [(a,) for a in here] if e[2] and here else [()]
            else:
                meant = [a for a in here if threads[a][last_entry(a, done)][1] & e[2]]
                most = {"one": 1, "two": 2, "all": len(meant)}[e[1]]
                choices = list(itertools.combinations(meant, min(len(meant), most)))
            for c in choices:
                left = {a: f for a, f in asleep.items() if a not in c}
                if e[0] == "E": left[t] = e[-1]
                if e[0] == "M": left = {a: other(f) if f == e[-1] else f for a, f in left.items()}
                yield from go(done | {op}, left, order + [(op, c)],
                              {**woken, **{(a, last_entry(a, done)): op for a in c}})
    def last_entry(a, done): return max(o[1] for o in done if o[0] == a)
    yield from go(frozenset(), {}, [], {})

def acyclic(nodes, edges):
    after = {n: [] for n in nodes}; indeg = {n: 0 for n in nodes}
    for a, b in edges: after[a].append(b); indeg[b] += 1
    todo = [n for n in nodes if not indeg[n]]; seen = 0
    reach = []
    while todo:
        n = todo.pop(); seen += 1; reach.append(n)
        for m in after[n]:
            indeg[m] -= 1
            if not indeg[m]: todo.append(m)
    return seen == len(nodes), reach, after

def count(program, model):
    """How many graphs the program has, and how many of them are deadlocks."""
    total = stuck = 0
    ways = [set(), set()] # what can come out, with one order of all futexes and with one of each
    for threads in skeletons(program):
        nodes = [(t, i) for t, es in enumerate(threads) for i in range(len(es))]
        ev = lambda n: threads[n[0]][n[1]]
        ops = [n for n in nodes if ev(n)[0] in "EKM"]
        reads = [n for n in nodes if ev(n)[0] == "R"]
        stores = {v: [n for n in nodes if ev(n)[0] == "W" and ev(n)[1] == v] for v in VARS}
        po = [((t, i), (t, i + 1)) for t, es in enumerate(threads) for i in range(len(es) - 1)]
        def can_read(r):
            out = []
            for w in [None] + stores[ev(r)[1]]:
                value = ev(w)[2] if w else 0
                want = ev(r)[2]
                if want is None or (value == want[1]) == (want[0] == "is"): out.append(w)
            return out
        for order, woken in chains(threads, ops):
            # entries: woken exactly if a V follows
            good = all(((e in woken) == (e[1] + 1 < len(threads[e[0]]))) for e in ops if ev(e)[0] == "E")
            if not good: continue
            chain = [o for o, _ in order]
            pos = {o: k for k, o in enumerate(chain)}
            wakes = [(k, (e[0], e[1] + 1)) for e, k in woken.items()]
            base = po + list(zip(chain, chain[1:])) + wakes
            each = [[o for o in chain if is_on(ev(o), v)] for v in VARS]
            apart = po + [e for c in each for e in zip(c, c[1:])] + wakes
            for rf in itertools.product(*[can_read(r) for r in reads]):
                rf = dict(zip(reads, rf))
                edges = base + [(w, r) for r, w in rf.items() if w]
                if not acyclic(nodes, edges)[0]: continue
                _, topo, after = acyclic(nodes, apart + [(w, r) for r, w in rf.items() if w])
                before = {n: set() for n in nodes}
                for n in topo:
                    for m in after[n]: before[m] |= before[n] | {n}
                for mos in itertools.product(*[itertools.permutations(stores[v]) for v in VARS]):
                    at = {None: -1}
                    for mo in mos: at.update({w: k for k, w in enumerate(mo)})
                    if model == "tso" and any(ev(o)[0] == "M" for o in ops):
                        what = (str(threads), tuple(rf.items()), mos, tuple(sorted(woken.items())))
                        if on_x86(nodes, ev, rf, at, each, apart): ways[1].add(what)
                        if on_x86(nodes, ev, rf, at, [chain], base): ways[0].add(what)
                    if (consistent(threads, nodes, ev, rf, at, chain, pos, before) if model == "rc11"
                            else on_x86(nodes, ev, rf, at, [chain], base)):
                        total += 1
                        stuck += any(ev(e)[0] == "E" and e not in woken for e in ops)
    assert ways[0] == ways[1], "one order of all futexes is not enough"
    return total, stuck

def consistent(threads, nodes, ev, rf, at, chain, pos, before):
    place = lambda n: at[n] if ev(n)[0] == "W" else at[rf[n]]
    release = lambda w: ev(w)[3]
    acquire = lambda r: len(ev(r)) > 3 and ev(r)[3]
    hb = {n: set() for n in nodes}
    todo = sorted(nodes, key=lambda n: len(before[n]))  # po and rf are acyclic
    for n in todo:
        if n[1]:
            p = (n[0], n[1] - 1)
            hb[n] |= hb[p] | {p}
        if ev(n)[0] == "R" and rf[n] and acquire(n) and release(rf[n]): hb[n] |= hb[rf[n]] | {rf[n]}
    for n in nodes:
        for m in hb[n]:
            a, b = ev(m), ev(n)
            if a[0] in "WR" and b[0] in "WR" and a[1] == b[1]:
                pa, pb = place(m), place(n)
                if pb < pa or (b[0] == "W" and pa == pb): return False
    for n in nodes:
        if ev(n)[0] != "R" or ev(n)[2] is None: continue
        t, i = n
        if ev(n)[2][0] == "is": end = pos[(t, i + 1)]
        else: end = max([pos[o] + 1 for o in chain if o in before[n] and is_on(ev(o), ev(n)[1])], default=0)
        for o in chain[:end]:
            for m in hb[o] if is_on(ev(o), ev(n)[1]) else []:
                e = ev(m)
                if e[0] in "WR" and e[1] == ev(n)[1] and place(m) > at[rf[n]]: return False
    return True

def on_x86(nodes, ev, rf, at, orders, base):
    """`orders`: of the operations, in which waits that do not sleep need a place."""
    place = lambda n: at[n] if ev(n)[0] == "W" else at[rf[n]]
    is_wait = lambda n: ev(n)[0] == "R" and ev(n)[2] is not None
    barrier = lambda n: ev(n)[0] in "EKM" or is_wait(n) or (ev(n)[0] == "W" and ev(n)[3])
    def kept(a, b):
        """Is b, later in the thread, after a for the machine?"""
        late = ev(a)[0] == "W" and ev(b)[0] == "R"
        return not late or any(barrier((a[0], i)) for i in range(a[1], b[1] + 1))
    later = [(a, b) for a in nodes for b in nodes if a[0] == b[0] and a[1] < b[1]]
    accesses = [n for n in nodes if ev(n)[0] in "WR"]
    meet = [(a, b) for a in accesses for b in accesses if a != b and ev(a)[1] == ev(b)[1]]
    # mo and fr; rf
    newer = [(a, b) for a, b in meet if ev(b)[0] == "W" and place(a) < place(b)]
    reads = [(w, r) for r, w in rf.items() if w]
    if not acyclic(nodes, [(a, b) for a, b in later if (a, b) in meet] + newer + reads)[0]: return False
    edges = [(a, b) for a, b in later if kept(a, b)] + [e for e in base if e[0][0] != e[1][0]] + newer + \
            [(w, r) for w, r in reads if w[0] != r[0]]
    order_of = lambda v: orders[0] if len(orders) == 1 else orders[VARS.index(v)]
    for v in VARS:
        chain = order_of(v)
        for i, o in enumerate(chain):
            if loads_before(ev(o)) and ev(o)[-1] == v and i: edges.append((chain[i - 1], (o[0], o[1] - 1)))
    awake = [n for n in nodes if is_wait(n) and ev(n)[2][0] == "not"]
    for where in itertools.product(*[range(len(order_of(ev(n)[1])) + 1) for n in awake]):
        more = []
        for n, k in zip(awake, where):
            chain = order_of(ev(n)[1])
            if k: more.append((chain[k - 1], n))
            if k < len(chain): # before the whole wait, if that is one
                o = chain[k]
                more.append((n, (o[0], o[1] - 1) if loads_before(ev(o)) else o))
        if acyclic(nodes, edges + more)[0]: return True
    return False

def code(number, program):
    """The functions of one program: its variables, its threads, and run_NUMBER, which starts them."""
    out = [f"static atomic_int x_{number}, y_{number};"]
    strong = "release" if MODEL == "rc11" else "seq_cst"
    kind = lambda mask: "_PRIVATE" if mask == ANY else "_BITSET_PRIVATE"
    futex = lambda word: f"  syscall(SYS_futex, &{word}_{number}, FUTEX_"
    def move():
        name = "REQUEUE" if op[1] is None else "CMP_REQUEUE"
        return f"{futex(op[3])}{name}_PRIVATE, {op[2]}, (long)INT_MAX, &{other(op[3])}_{number}, {op[1] or 0});"
    for t, ops in enumerate(program):
        out.append(f"static void *t{number}_{t}(void *u) {{")
        for op in ops:
            out.append({"st": lambda: f"  atomic_store_explicit(&{op[1]}_{number}, {op[2]}, memory_order_{strong if op[3] else 'relaxed'});",
                        "ld": lambda: f"  (void)atomic_load_explicit(&{op[1]}_{number}, memory_order_{'acquire' if op[2] else 'relaxed'});",
                        "wait": lambda: f"{futex(op[3])}WAIT{kind(op[2])}, {op[1]}, 0, 0, {op[2]}u);",
                        "one": lambda: f"{futex(op[2])}WAKE{kind(op[1])}, 1, 0, 0, {op[1]}u);",
                        "two": lambda: f"{futex(op[2])}WAKE{kind(op[1])}, 2, 0, 0, {op[1]}u);",
                        "all": lambda: f"{futex(op[2])}WAKE{kind(op[1])}, INT_MAX, 0, 0, {op[1]}u);",
                        "move": move}[op[0]]())
        out.append("  return u; }")
    n = len(program)
    out.append(f"static void run_{number}(void) {{ pthread_t t[4];")
    out += [f"  pthread_create(&t[{i}], 0, t{number}_{i}, 0);" for i in range(n)]
    out += [f"  pthread_join(t[{i}], 0);" for i in range(n)] + ["}"]
    return out

def render(programs):
    out = ["#define _GNU_SOURCE", "#include <linux/futex.h>", "#include <pthread.h>", "#include <stdlib.h>",
           "#include <stdatomic.h>", "#include <limits.h>", "#include <sys/syscall.h>", "#include <unistd.h>"]
    for number, program in enumerate(programs):
        out += code(number, program[1])
    out.append("int main(int argc, char **argv) { switch (argc > 1 ? atoi(argv[1]) : 0) {")
    out += [f"  case {number}: run_{number}(); break;" for number in range(len(programs))]
    return "\n".join(out) + "\n} return 0; }\n"

batches = itertools.count()

def programs_of(seed, wanted):
    programs = []
    requeues = next(batches) % 2 # all of a batch or none: an executable with one has all futexes in one order
    while len(programs) < wanted:
        program = (random_program_with_requeues if requeues else random_program)(random.Random(seed))
        seed += 1
        kinds = [op[0] for thread in program for op in thread]
        wakes = {"move"} if requeues else {"one", "two", "all"}
        calls = len(kinds) - kinds.count("st") - kinds.count("ld")
        if "wait" in kinds and wakes & set(kinds) and kinds.count("st") <= 4 and calls <= 6:
            programs.append((seed - 1, program))
    return programs, seed

def answer(check, *options):
    """How many executions heddle explores to the end, or None; whether it finds a violation; and why there is no answer."""
    j, why = check(["--keep-going", "--memory", MODEL, "--strategy", "graph", "--paranoid", *options])
    if not j: return None, False, why
    return j["executions"] if j["exhaustive"] else None, bool(j["violations"]), ""

def in_parts(check):
    """The same, by checks that each stop after 3 more executions and write a checkpoint."""
    with tempfile.TemporaryDirectory() as tmp:
        unit, most = tmp + "/unit", 0
        while True:
            most += 3
            resume = ["--resume", unit] if os.path.exists(unit) else []
            result = answer(check, *resume, "--checkpoint", unit, "--executions", str(most))
            if result[0] is not None or result[2]: return result
            if not os.path.exists(unit): return None, False, "no checkpoint was written"

def judge(check, number, program):
    seed, threads = program
    graphs, deadlocks = count(threads, MODEL)
    got, violation, why = answer(check)
    if number % 4 == 3 and (got, violation) == (graphs, deadlocks > 0):
        got, violation, why = in_parts(check)
    if (got, violation) == (graphs, deadlocks > 0):
        return [], collections.Counter(passed=1, graphs=graphs)
    return [f"{MODEL}: {graphs} graphs, {deadlocks} deadlocks; heddle has {got}, {violation}: {threads} {why}"], collections.Counter(failed=1)

def set_model(name):
    global MODEL
    MODEL = name


if __name__ == "__main__":
    sys.exit(batch.run_models(set_model, MODEL, programs_of, render, judge))
