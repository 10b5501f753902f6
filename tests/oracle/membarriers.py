#!/usr/bin/env python3
"""Random programs with membarrier(2) under RC11 or TSO, against all their execution graphs.

    tests/oracle/membarriers.py [--serve ORACLE_SERVE] [--jobs N] [--seed N] [--memory rc11|tso] HEDDLE PROGRAMS

A membarrier is a fence in the thread that calls it, another one when it returns, and in between a fence at some place in every other
thread.  RC11: all reads-from and orders of modification are enumerated, and all places of these fences, which are events like
others, but do not synchronise; a whole graph is held against the axioms of the paper: coherence, no cycle of po and rf, and psc, in which the
fence of another thread is behind the call's first one and before its second one.  TSO: a machine with store buffers, in which the call
waits until every other thread has had an empty buffer once; two runs with the same reads-from and modification order are one.
heddle must explore as many executions, and observe the same results.  Nothing here is shared with heddle."""
import collections, itertools, random, sys

import batch
from loops_machine import fnv

MODEL = "rc11"
VARS = "xy"
# ("st", var, value, order), ("ld", var, order), ("fence", order), ("mb",)


def random_program(rng):
    n = rng.choice([2, 2, 3])

    def one():
        k = rng.random()
        if k < .40: return ("st", rng.choice(VARS), rng.randint(1, 2), rng.choice(["rlx", "rlx", "rlx", "rel", "sc"]))
        if k < .80: return ("ld", rng.choice(VARS), rng.choice(["rlx", "rlx", "rlx", "acq", "sc"]))
        return ("fence", rng.choice(["sc", "ar"])) if k < .86 else ("mb",)

    def orders(first): # a store, perhaps a fence of some kind, a load of the other variable
        fence = [[("mb",)], [("mb",)], [], [], [("fence", "sc")]]
        a, b = VARS if first else VARS[::-1]
        return [("st", a, 1, "rlx")] + rng.choice(fence) + [("ld", b, "rlx")]

    if rng.random() < .3: return [orders(True), orders(False)]
    if rng.random() < .2: return [orders(True), orders(False), [one(), ("ld", rng.choice(VARS), "rlx")]]
    return [[one() for _ in range(rng.randint(2, 4 if n == 2 else 3))] for _ in range(n)]


class Event:
    def __init__(self, thread, kind, var=None, value=None, order=None, slot=None, cut=False):
        self.thread, self.kind, self.var, self.value, self.order, self.slot, self.cut = thread, kind, var, value, order, slot, cut


def closure(nodes, edges):
    reach = {n: set() for n in nodes}
    for a, b in edges: reach[a].add(b)
    for k in nodes:
        for i in nodes:
            if k in reach[i]: reach[i] |= reach[k]
    return reach


class Rc11:
    """The events of the program without cuts, as lists by thread."""
    def __init__(self, program):
        self.threads, self.calls = [], []
        for t, code in enumerate(program):
            events = []
            for k, op in enumerate(code):
                if op[0] == "st": events.append(Event(t, "W", op[1], op[2], op[3]))
                elif op[0] == "ld": events.append(Event(t, "R", op[1], None, op[2], (t, k)))
                elif op[0] == "fence": events.append(Event(t, "F", order=op[1]))
                else:
                    events += [Event(t, "F", order="sc"), Event(t, "F", order="sc")]
                    self.calls.append(tuple(events[-2:]))
            self.threads.append(events)
        self.events = [e for t in self.threads for e in t]

    def graphs(self):
        """(results, number) of all consistent graphs."""
        loads = [e for e in self.events if e.kind == "R"]
        stores = {v: [e for e in self.events if e.kind == "W" and e.var == v] for v in VARS}
        results, number = set(), 0
        for mos in itertools.product(*[itertools.permutations(stores[v]) for v in VARS]):
            rank = {None: -1}
            for mo in mos: rank.update({w: k for k, w in enumerate(mo)})
            for rfs in itertools.product(*[[None] + stores[r.var] for r in loads]):
                rf = dict(zip(loads, rfs))
                if self.coherent(rf, rank) and self.has_cuts(rf, rank):
                    number += 1
                    results.add((tuple((r.slot, w.value if w else 0) for r, w in rf.items())))
        return results, number

    def sync(self, rf):
        out = []
        for r, w in rf.items():
            if not w: continue
            line, late = self.threads[w.thread], self.threads[r.thread]
            begins = [f for f in line[:line.index(w)] if f.kind == "F"] + ([w] if w.order in ("rel", "sc") else [])
            ends = [f for f in late[late.index(r):] if f.kind == "F"] + ([r] if r.order in ("acq", "sc") else [])
            out += [(a, b) for a in begins for b in ends]
        return out

    def eco(self, rf, rank, a, b):
        if a.kind == "F" or b.kind == "F" or a.var != b.var or a is b: return False
        ra, rb = rank[rf[a] if a.kind == "R" else a], rank[rf[b] if b.kind == "R" else b]
        return ra < rb or (ra == rb and a.kind == "W" and b.kind == "R")

    def coherent(self, rf, rank):
        po = [(a, b) for t in self.threads for a, b in zip(t, t[1:])]
        if any(n in r for n, r in closure(self.events, po + [(w, r) for r, w in rf.items() if w]).items()): return False
        hb = closure(self.events, po + self.sync(rf))
        return not any(a in hb[a] or any(self.eco(rf, rank, b, a) for b in hb[a]) for a in self.events)

    def has_cuts(self, rf, rank):
        others = [(call, t) for call in self.calls for t in range(len(self.threads)) if t != call[0].thread]
        for cuts in itertools.product(*[range(len(self.threads[t]) + 1) for _, t in others]):
            # cuts at one place stand in any order
            for turn in itertools.permutations(range(len(others))) if len(self.calls) > 1 else [range(len(others))]:
                if self.is_ordered(rf, rank, others, cuts, turn): return True
                if len(set(zip(cuts, (t for _, t in others)))) == len(others): break
        return False

    def is_ordered(self, rf, rank, others, cuts, turn):
        threads, extra = [list(t) for t in self.threads], []
        for t, line in enumerate(threads):
            new = []
            for k in range(len(line) + 1):
                for i in turn:
                    if others[i][1] == t and cuts[i] == k:
                        f = Event(t, "F", order="sc", cut=True)
                        extra += [(others[i][0][0], f), (f, others[i][0][1])]
                        new.append(f)
                new += line[k:k + 1]
            threads[t] = new
        nodes = [e for t in threads for e in t]
        po = closure(nodes, [(a, b) for t in threads for a, b in zip(t, t[1:])])
        hb = closure(nodes, [(a, b) for a in nodes for b in po[a]] + self.sync(rf))
        same = lambda a, b: a.var is not None and a.var == b.var
        far = {a: {b for b in po[a] if not same(a, b)} for a in nodes}
        def scb(a):
            out = set(po[a]) | {b for b in hb[a] if same(a, b)}
            out |= {b for b in nodes if b.kind == "W" and self.eco(rf, rank, a, b)}
            for c in far[a]:
                for d in hb[c]: out |= far[d]
            return out
        scb = {a: scb(a) for a in nodes}
        strong = [a for a in nodes if a.order == "sc"]
        edges = list(extra)
        for a in strong:
            begins = [a] + (list(hb[a]) if a.kind == "F" else [])
            at = set().union(*[scb[x] for x in begins])
            far_at = {y for x in begins[1:] for y in nodes if self.eco(rf, rank, x, y)} if a.kind == "F" else set()
            for b in strong:
                fences = a.kind == b.kind == "F"
                if (b in at or (b.kind == "F" and any(b in hb[y] for y in at)) or
                        (fences and (b in hb[a] or any(b in hb[y] for y in far_at)))):
                    edges.append((a, b))
        return not any(n in r for n, r in closure(strong, edges).items())


class Tso:
    def __init__(self, program):
        self.code = program

    def steps(self, state):
        pcs, buffers, memory, mo, reads, calls = state
        n = len(self.code)
        put = lambda t, i, v: t[:i] + (v,) + t[i + 1:]
        for t in range(n):
            if buffers[t]: # the oldest store leaves
                w = buffers[t][0]
                v = VARS.index(self.op(w)[1])
                yield pcs, put(buffers, t, buffers[t][1:]), put(memory, v, w), put(mo, v, mo[v] + (w,)), reads, calls
            else: # a membarrier of another thread finds the buffer empty
                for c in range(n):
                    if calls[c] is not None and t in calls[c]:
                        yield pcs, buffers, memory, mo, reads, put(calls, c, calls[c] - {t})
            if pcs[t] == len(self.code[t]): continue
            op, here, on = self.code[t][pcs[t]], (t, pcs[t]), put(pcs, t, pcs[t] + 1)
            if op[0] == "st" and op[3] == "sc":
                if not buffers[t]:
                    v = VARS.index(op[1])
                    yield on, buffers, put(memory, v, here), put(mo, v, mo[v] + (here,)), reads, calls
            elif op[0] == "st": yield on, put(buffers, t, buffers[t] + (here,)), memory, mo, reads, calls
            elif op[0] == "ld":
                own = [w for w in buffers[t] if self.op(w)[1] == op[1]]
                w = own[-1] if own else memory[VARS.index(op[1])]
                yield on, buffers, memory, mo, reads | {(here, w)}, calls
            elif op[0] == "fence":
                if op[1] != "sc" or not buffers[t]: yield on, buffers, memory, mo, reads, calls
            elif calls[t] is None:
                if not buffers[t]: yield pcs, buffers, memory, mo, reads, put(calls, t, frozenset(range(n)) - {t})
            elif not calls[t]: yield on, buffers, memory, mo, reads, put(calls, t, None)

    def op(self, where):
        return self.code[where[0]][where[1]]

    def graphs(self):
        n = len(self.code)
        first = ((0,) * n, ((),) * n, (None,) * len(VARS), ((),) * len(VARS), frozenset(), (None,) * n)
        seen, todo, ends = {first}, [first], set()
        while todo:
            state = todo.pop()
            if all(pc == len(c) for pc, c in zip(state[0], self.code)) and not any(state[1]):
                ends.add((state[3], state[4]))
            for s in self.steps(state):
                if s not in seen:
                    seen.add(s)
                    todo.append(s)
        value = lambda w: self.op(w)[2] if w else 0
        return {tuple(sorted((r, value(w)) for r, w in reads)) for _, reads in ends}, len(ends)


ORDERS = {"rlx": "relaxed", "rel": "release", "acq": "acquire", "sc": "seq_cst", "ar": "acq_rel"}


def lines(number, code):
    for k, op in enumerate(code):
        if op[0] == "st": yield f"atomic_store_explicit(&{op[1]}_{number}, {op[2]}, memory_order_{ORDERS[op[3]]});"
        elif op[0] == "ld": yield f"r[{k}] = atomic_load_explicit(&{op[1]}_{number}, memory_order_{ORDERS[op[2]]});"
        elif op[0] == "fence": yield f"atomic_thread_fence(memory_order_{ORDERS[op[1]]});"
        else: yield "syscall(SYS_membarrier, 8, 0, 0);"


HEAD = """#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
void heddle_observe(const void *, unsigned long);
static long results[3][4];
static void run(int n, void *(*const code[])(void *))
{
    pthread_t ids[3];
    for (int i = 0; i < n; i++)
        pthread_create(&ids[i], NULL, code[i], results[i]);
    for (int i = 0; i < n; i++)
        pthread_join(ids[i], NULL);
    heddle_observe(results, sizeof results);
}
"""


def render(programs):
    out = [HEAD]
    for p, (_, threads, _) in enumerate(programs):
        out.append(f"static atomic_long x_{p}, y_{p};")
        for t, code in enumerate(threads):
            out.append(f"static void *t{p}_{t}(void *arg)\n{{\n    long *r = arg;")
            out += ["    " + line for line in lines(p, code)] + ["    return r;\n}"]
        out.append(f"static void *(*const code{p}[])(void *) = {{ " + ", ".join(f"t{p}_{t}" for t in range(len(threads))) + " };")
    out.append("int main(int argc, char **argv)\n{\n    switch (atoi(argv[argc > 1])) {")
    out += [f"    case {p}: run({len(threads)}, code{p}); break;" for p, (_, threads, _) in enumerate(programs)]
    out.append("    }\n    return 0;\n}")
    return "\n".join(out) + "\n"


def all_slots(result):
    slots = dict(result)
    return tuple(slots.get((t, k), 0) for t in range(3) for k in range(4))


def programs_of(seed, wanted):
    out = []
    while len(out) < wanted:
        program = random_program(random.Random(seed))
        kinds = [op[0] for t in program for op in t]
        accesses = kinds.count("st") + kinds.count("ld")
        if kinds.count("mb") in (1, 2) and kinds.count("st") >= 2 and kinds.count("ld") >= 2 and accesses <= 6 and \
                (kinds.count("mb") == 1 or len(program) == 2):
            out.append((seed, program, None))
        seed += 1
    return out, seed


def judge(check, number, program):
    seed, threads, _ = program
    results, graphs = (Rc11 if MODEL == "rc11" else Tso)(threads).graphs()
    want = (graphs, fnv({all_slots(r) for r in results}))
    j, why = check(["--keep-going", "--memory", MODEL, "--strategy", "graph", "--paranoid"])
    got = why or (j["executions"], j.get("observations_hash"))
    if j and got == want and not j["violations"]: return [], collections.Counter(passed=1, graphs=graphs)
    return [f"{MODEL}: {got} instead of {want}: {threads}"], collections.Counter(failed=1)


def set_model(name):
    global MODEL
    MODEL = name


if __name__ == "__main__":
    sys.exit(batch.run_models(set_model, MODEL, programs_of, render, judge))
