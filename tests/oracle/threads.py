#!/usr/bin/env python3
"""Random programs with threads that others look at, under SC, TSO or RC11, against all their execution graphs.

    tests/oracle/threads.py HEDDLE MODEL KIND PROGRAMS [FIRST_SEED]

KIND is what the programs do: `try` (pthread_tryjoin_np, pthread_timedjoin_np), `cancel` (pthread_cancel, pthread_testcancel) or
`wait` (pthread_cancel of threads that wait for a semaphore or at a condition variable).
Threads load and store two variables, relaxed or with release and acquire (tso, sc: seq_cst stores).  All graphs are enumerated by
brute force: how every attempt turns out, which store each load reads, the orders of modification.  A whole graph is held against
the axioms.  Whether a thread has ended, and whether it has been asked to end, are objects.  Every operation on one is a
read-modify-write of it, and an attempt that fails is a relaxed load: the end and a request release, a join and the point at which
a thread gives in acquire.  A wait looks whether its thread has been asked to end before it waits; at a condition variable, before
it enters and after.  A thread that waits for ever is part of a graph only if it has not been asked to end.  heddle must explore as many executions.  A random result of the loads and attempts is asserted not to come out:
heddle must find it exactly if a graph has it.  Every fourth program is also explored in parts, from checkpoint to checkpoint.
Nothing here is
shared with heddle."""
import itertools, json, os, random, subprocess, sys, tempfile

VARS = "xy"

# An operation: ("st", var, value, strong), ("ld", var, strong), ("try", thread, timed), ("cancel", thread), ("point",),
# ("post",), ("sem",), ("signal",), ("cond",): the last locks a mutex, waits, and unlocks it.
# Thread 0 is main, which creates the others in turn and joins those that joiner[] gives it, the newest first.
def random_program(rng, kind):
    n = rng.randint(1, 2)
    joiner = {k: rng.choice([0] + list(range(k + 1, n + 1))) if kind == "try" else 0 for k in range(1, n + 1)}
    def op(t):
        k, strong = rng.random(), rng.random() < .5
        if kind == "wait" and k < .6: k = (0, .5, .8, .8)[rng.randrange(4)]
        if k < .4 or (k >= .7 and kind == "try" and t not in joiner.values()) :
            return ("st", rng.choice(VARS), rng.randint(1, 2), strong)
        if k < .7: return ("ld", rng.choice(VARS), strong)
        if kind == "try": return ("try", rng.choice([x for x, j in joiner.items() if j == t]),
                                    strong and t == 0)  # (two time-outs are ordered by the clock)
        if kind == "wait" and (k < .6 or t and rng.random() < .8):
            return (rng.choice(["post", "signal"] if t == 0 or rng.random() < .2 else ["sem", "cond"]),)
        others = [x for x in range(1, n + 1) if t == 0 or x <= t]
        if t == 0 or rng.random() < .3: return ("cancel", rng.choice(others))
        return ("point",)
    return [[op(t) for _ in range(rng.randint(1, 3))] for t in range(n + 1)], joiner

# Events: ("W", var, value, strong), ("R", var, strong, slot), ("C", thread), ("S",), and on objects
# ("O", place, what, succeeds, slot); slot: where the program keeps the result, or None.
def skeletons(program, joiner):
    threads, n = program, len(program)
    slots = {}
    for t, ops in enumerate(threads):
        for i, op in enumerate(ops):
            if op[0] in ("ld", "try"): slots[t, i] = len(slots)
    def of(t):
        start = [("C", k) for k in range(1, n)] if t == 0 else [("S",)]
        ways = [(start, frozenset(), False)]
        use = lambda place, what: ("O", place, what, True, None)
        point = lambda asked: ("O", ("flag", t), "point", asked, None)
        for i, op in enumerate(threads[t]):
            new = []
            for es, joined, over in ways:
                def add(more, joined=joined, over=over): new.append((es + more, joined, over))
                if over: add([])
                elif op[0] == "st": add([("W", op[1], op[2], op[3])])
                elif op[0] == "ld": add([("R", op[1], op[2], slots[t, i])])
                elif op[0] == "try" and op[1] in joined: add([])
                elif op[0] == "try":
                    add([("O", ("end", op[1]), "try", True, slots[t, i])], joined | {op[1]})
                    add([("O", ("end", op[1]), "try", False, slots[t, i])])
                elif op[0] == "cancel": add([use(("end", op[1]), "use"), use(("flag", op[1]), "ask")])
                elif op[0] == "post": add([use(("sem",), "post")])
                elif op[0] == "signal": add([use(("cond",), "signal")])
                elif op[0] == "sem":
                    add([point(True)], over=True)
                    add([point(False), use(("sem",), "take")])
                    add([point(False), ("stuck", ("sem",))], over="stuck")
                elif op[0] == "cond":
                    lock, unlock = use(("mutex",), "lock"), use(("mutex",), "unlock")
                    enter = [lock, point(False), use(("cond",), "enter"), unlock]
                    add([lock, point(True), unlock], over=True)
                    add(enter + [point(True), use(("cond",), "leave"), lock, unlock], over=True)
                    add(enter + [point(True), use(("cond",), "late"), lock, unlock])
                    add(enter + [point(False), ("woken",), lock, unlock])
                    add(enter + [point(False), ("stuck", ("cond",))], over="stuck")
                else:
                    add([point(True)], over=True)
                    add([point(False)])
            ways = new
        out = []
        for es, joined, over in ways:
            rest = [k for k in reversed(range(1, n)) if joiner[k] == t and k not in joined]
            es = es + [("O", ("end", k), "join", True, None) for k in rest if over != "stuck"]
            out.append(es + ([("O", ("end", t), "exit", True, None)] if t and over != "stuck" else []))
        return out
    def all_ways():
        for way in itertools.product(*[of(t) for t in range(n)]):
            stuck = [t for t, es in enumerate(way) if es[-1][0] == "stuck"]
            for k in stuck: # main waits for it
                ends = [i for i, e in enumerate(way[0]) if e[0] == "O" and e[1:3] == (("end", k), "join")]
                way = ((way[0][:ends[0]] if ends else way[0]),) + way[1:]
            yield way
    return all_ways(), slots

RELEASES, ACQUIRES = {"exit", "ask", "post", "unlock"}, {"join", "try", "point", "take", "lock"}

def after(state, t, what):
    """The states in which the operation of the thread may leave the object, each with whom it wakes; none: it cannot be done."""
    if what == "exit": return [(state | {"ended"}, None)]
    if what == "ask": return [(state | {"asked"}, None)]
    if what in ("join", "try"): return [(state, None)] if "ended" in state else []
    if what == "point": return [(state, None)] if "asked" in state else []
    if what == "post": return [(state | {len(state)}, None)]
    if what == "take": return [(state - {len(state) - 1}, None)] if state else []
    if what == "lock": return [] if state else [(frozenset({"locked"}), None)]
    if what == "unlock": return [(frozenset(), None)]
    if what == "enter": return [(state | {t}, None)]
    if what == "leave": return [(state - {t}, None)] if t in state else []
    if what == "late": return [] if t in state else [(state, None)]
    if what == "signal": return [(state - {w}, w) for w in sorted(state)] or [(state, None)]
    return [(state, None)]  # use

def chains(nodes, ev, place):
    """All orders of the successful operations on the object, with their places, the stores that the failed ones read (-1: the initial state),
    and who woke whom: (thread, its entry) -> signal."""
    good = [n for n in nodes if ev(n)[0] == "O" and ev(n)[1] == place and ev(n)[3]]
    bad = [n for n in nodes if ev(n)[0] == "O" and ev(n)[1] == place and not ev(n)[3]]
    stuck = [n for n in nodes if ev(n) == ("stuck", place)]
    def go(order, states, woken):
        if len(order) == len(good): yield order, states, woken; return
        for n in good:
            if n in order or any(m[0] == n[0] and m[1] < n[1] and m not in order for m in good): continue
            for state, w in after(states[-1], n[0], ev(n)[2]):
                entry = max((m for m in order if m[0] == w), default=None) if w is not None else None
                yield from go(order + [n], states + [state], {**woken, entry: n} if entry else woken)
    for order, states, woken in go([], [frozenset()], {}):
        if place == ("sem",) and stuck and states[-1]: continue
        if any(n[0] not in states[-1] for n in stuck if place == ("cond",)): continue
        if place[0] == "flag" and "asked" in states[-1] and any(n[0] == place[1] and ev(n)[0] == "stuck" for n in nodes): continue
        at = {n: k for k, n in enumerate(order)}
        free = [[k - 1 for k, s in enumerate(states) if not after(s, b[0], ev(b)[2])] for b in bad]
        for reads in itertools.product(*free):
            yield order, at, dict(zip(bad, reads)), woken

def acyclic(nodes, edges):
    after = {n: [] for n in nodes}; indeg = {n: 0 for n in nodes}
    for a, b in edges: after[a].append(b); indeg[b] += 1
    todo = [n for n in nodes if not indeg[n]]; topo = []
    while todo:
        n = todo.pop(); topo.append(n)
        for m in after[n]:
            indeg[m] -= 1
            if not indeg[m]: todo.append(m)
    return len(topo) == len(nodes), topo

def entry_before(ev, n):
    return next((n[0], i) for i in reversed(range(n[1])) if ev((n[0], i))[0] == "O" and ev((n[0], i))[2] == "enter")

def graphs(program, joiner, model):
    """For each graph: what the loads and attempts have resulted in, by slot; and whether a thread waits for ever."""
    ways, slots = skeletons(program, joiner)
    for threads in ways:
        nodes = [(t, i) for t, es in enumerate(threads) for i in range(len(es))]
        ev = lambda n: threads[n[0]][n[1]]
        reads = [n for n in nodes if ev(n)[0] == "R"]
        stores = {v: [n for n in nodes if ev(n)[0] == "W" and ev(n)[1] == v] for v in VARS}
        base = [((t, i), (t, i + 1)) for t, es in enumerate(threads) for i in range(len(es) - 1)]
        base += [(n, (ev(n)[1], 0)) for n in nodes if ev(n)[0] == "C"]
        places = sorted({ev(n)[1] for n in nodes if ev(n)[0] == "O"})
        for objects in itertools.product(*[list(chains(nodes, ev, p)) for p in places]):
            link, entries = [], {n: m for n in nodes if ev(n)[0] == "woken" for m in [entry_before(ev, n)]}
            woken = {e: k for _, _, _, w in objects for e, k in w.items()}
            if any(e not in woken for e in entries.values()): continue
            link += [(woken[e], n) for n, e in entries.items()]
            for order, at, failed, _ in objects:
                link += list(zip(order, order[1:])) + [(order[k], n) for n, k in failed.items() if k >= 0]
            if not acyclic(nodes, base + link)[0]: continue
            for rf in itertools.product(*[[None] + stores[ev(r)[1]] for r in reads]):
                rf = dict(zip(reads, rf))
                ok, topo = acyclic(nodes, base + link + [(w, r) for r, w in rf.items() if w])
                if not ok: continue
                for mos in itertools.product(*[itertools.permutations(stores[v]) for v in VARS]):
                    at = {None: -1}
                    for mo in mos: at.update({w: k for k, w in enumerate(mo)})
                    if consistent(model, nodes, ev, base, link, rf, at, objects, topo):
                        result = [-1] * len(slots)
                        for n in nodes:
                            e = ev(n)
                            if e[0] == "R": result[e[3]] = ev(rf[n])[2] if rf[n] else 0
                            if e[0] == "O" and e[4] is not None: result[e[4]] = int(e[3])
                        yield tuple(result), any(es[-1][0] == "stuck" for es in threads)

def consistent(model, nodes, ev, base, link, rf, at, objects, topo):
    stands = {n: at[n] if ev(n)[0] == "W" else at[rf[n]] for n in nodes if ev(n)[0] in "WR"}
    writes = {n for n in nodes if ev(n)[0] == "W"}
    for order, places, failed, _ in objects:
        stands.update(places); stands.update(failed); writes.update(order)
    same = lambda a, b: a in stands and b in stands and (ev(a)[0] == "O") == (ev(b)[0] == "O") and ev(a)[1] == ev(b)[1]
    if model == "rc11":
        hb = {n: set() for n in nodes}
        into = {n: [] for n in nodes}
        for a, b in base: into[b].append(a)
        for r, w in rf.items():
            if w and ev(r)[2] and ev(w)[3]: into[r].append(w)
        for order, _, _, _ in objects:
            for k, n in enumerate(order):
                if ev(n)[2] in ACQUIRES: into[n] += [m for m in order[:k] if ev(m)[2] in RELEASES]
        for n in topo:
            for m in into[n]: hb[n] |= hb[m] | {m}
        return not any(same(m, n) and (stands[n] < stands[m] or (n in writes and stands[n] == stands[m]))
                       for n in nodes for m in hb[n])
    later = [(a, b) for a in nodes for b in nodes if a[0] == b[0] and a[1] < b[1]]
    meet = [(a, b) for a in stands for b in stands if a != b and same(a, b)]
    newer = [(a, b) for a, b in meet if b in writes and stands[a] < stands[b]]
    flow = link + [(w, r) for r, w in rf.items() if w] + [e for e in base if e[0][0] != e[1][0]]
    if model == "sc": return acyclic(nodes, later + newer + flow)[0]
    # a store waits in its buffer until a barrier; an attempt that fails is a load like others
    barrier = lambda n: ev(n)[3] if ev(n)[0] in "WO" else ev(n)[0] in "CS"
    loads = lambda n: ev(n)[0] == "R" or (ev(n)[0] == "O" and not ev(n)[3])
    kept = lambda a, b: not (ev(a)[0] == "W" and loads(b)) or any(barrier((a[0], i)) for i in range(a[1], b[1] + 1))
    return (acyclic(nodes, [p for p in later if p in set(meet)] + newer + flow)[0] and
            acyclic(nodes, [p for p in later if kept(*p)] + newer + [(a, b) for a, b in flow if a[0] != b[0]])[0])

def emit(program, joiner, model, unwanted):
    _, slots = skeletons(program, joiner)
    n = len(program)
    out = ["#define _GNU_SOURCE", "#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>",
           "#include <semaphore.h>", "#include <time.h>", "static sem_t s;", "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
           "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;",
           "__attribute__((unused)) static void unlock(void *u) { (void)u; pthread_mutex_unlock(&m); }", "static atomic_int x, y;", f"static pthread_t t[{n}];",
           f"static int r[{len(slots) + 1}] = {{ {', '.join(['-1'] * (len(slots) + 1))} }};",
           "static const struct timespec limit = { 1, 0 };"]
    strong, weak = "release" if model == "rc11" else "seq_cst", "seq_cst" if model == "sc" else "relaxed"
    for t in reversed(range(n)):
        out.append(f"static void *t{t}(void *u) {{" if t else "int main(void) {")
        mine = [k for k in reversed(range(1, n)) if joiner[k] == t]
        out += [f"  int joined{k} = 0;" for k in mine]
        if t == 0: out.append("  sem_init(&s, 0, 0);")
        if t == 0: out += [f"  pthread_create(&t[{i}], 0, t{i}, 0);" for i in range(1, n)]
        for i, op in enumerate(program[t]):
            if op[0] == "st":
                out.append(f"  atomic_store_explicit(&{op[1]}, {op[2]}, memory_order_{strong if op[3] else weak});")
            elif op[0] == "ld":
                out.append(f"  r[{slots[t, i]}] = atomic_load_explicit(&{op[1]}, memory_order_{'acquire' if op[2] and weak == 'relaxed' else weak});")
            elif op[0] == "try":
                call = f"pthread_timedjoin_np(t[{op[1]}], 0, &limit)" if op[2] else f"pthread_tryjoin_np(t[{op[1]}], 0)"
                out.append(f"  if (!joined{op[1]}) r[{slots[t, i]}] = joined{op[1]} = {call} == 0;")
            elif op[0] == "cancel": out.append(f"  pthread_cancel(t[{op[1]}]);")
            elif op[0] == "post": out.append("  sem_post(&s);")
            elif op[0] == "sem": out.append("  sem_wait(&s);")
            elif op[0] == "signal": out.append("  pthread_cond_signal(&c);")
            elif op[0] == "cond":
                out.append("  pthread_mutex_lock(&m); pthread_cleanup_push(unlock, 0); pthread_cond_wait(&c, &m); pthread_cleanup_pop(1);")
            else: out.append("  pthread_testcancel();")
        out += [f"  if (!joined{k}) pthread_join(t[{k}], 0);" for k in mine]
        if t == 0 and unwanted is not None:
            out.append(f"  assert(!({' && '.join(f'r[{k}] == {v}' for k, v in enumerate(unwanted)) or '1'}));")
        out.append("  return u; }" if t else "  return 0; }")
    return "\n".join(out) + "\n"

def check(heddle, model, tmp, *options):
    """How many executions heddle explores, and its exit status."""
    r = subprocess.run([heddle, "check", "-q", "--keep-going", "--memory", model, "--strategy", "graph", "--paranoid", "--trace-dir",
                        tmp, "--json", tmp + "/j", *options, tmp + "/p"], capture_output=True, text=True)
    if r.returncode > 1 and "--executions" not in options:
        return None, r.returncode, r.stderr
    with open(tmp + "/j") as f:
        result = json.load(f)
    found = result["verdict"] == "violation"
    return result["executions"] if result["exhaustive"] else None, found, r.stderr

def in_parts(heddle, model, tmp):
    """The same, by processes that each stop after 3 more executions and write a checkpoint."""
    unit, most = tmp + "/unit", 0
    if os.path.exists(unit): os.remove(unit)
    while True:
        most += 3
        resume = ["--resume", unit] if os.path.exists(unit) else []
        result = check(heddle, model, tmp, *resume, "--checkpoint", unit, "--executions", str(most))
        if result[0] is not None or result[1] not in (True, False): return result
        if not os.path.exists(unit): return None, 3, "no checkpoint was written"

def main():
    heddle, model, kind, n = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    bad = done = total = 0
    with tempfile.TemporaryDirectory() as tmp:
        while done < n:
            rng = random.Random(seed)
            program, joiner = random_program(rng, kind)
            seed += 1
            kinds = [op[0] for ops in program for op in ops]
            if kind == "wait":
                if "cancel" not in kinds or not {"sem", "cond"} & set(kinds) or kinds.count("st") > 2 or kinds.count("cond") > 2: continue
            elif kind not in kinds or kinds.count("st") > 4 or (kind == "cancel" and "point" not in kinds): continue
            done += 1
            results = list(graphs(program, joiner, model))
            some = list(rng.choice(results)[0])
            if some and rng.random() < .5: # perhaps one that does not come out
                some[rng.randrange(len(some))] = rng.randint(-1, 2)
            comes_out = (tuple(some), False) in results or any(stuck for _, stuck in results)
            with open(tmp + "/p.c", "w") as f: f.write(emit(program, joiner, model, some))
            subprocess.run([heddle, "cc", "-o", tmp + "/p", tmp + "/p.c", "-pthread"], check=True)
            got, found, err = check(heddle, model, tmp)
            if done % 4 == 0 and (got, found) == (len(results), comes_out):
                got, found, err = in_parts(heddle, model, tmp)
            total += len(results)
            if got != len(results) or found != comes_out:
                bad += 1
                print(f"not ok threads {model} {kind} {seed - 1}: {len(results)} graphs, {some} comes out: {comes_out}; heddle has {got},",
                      found, program, joiner, err[:300])
    print(f"{'not ok' if bad else 'ok'} threads {model} {kind}: {done} programs, {total} graphs, {bad} differ")
    sys.exit(bad > 0)


main()
