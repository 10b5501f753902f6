#!/usr/bin/env python3
"""--strategy graph --symmetric on random programs with interchangeable threads, against an interpreter that runs
every interleaving, knows nothing of revisits, and takes graphs for one that differ in the names of such threads.

    tests/oracle/alike_graphs.py [--memory sc|tso] [--serve PROGRAM] [--jobs N] [--seed N] HEDDLE PROGRAMS

An interleaving leaves a graph: the events of each thread, the store that each load read, and the order of the
stores of each location.  Without --symmetric there must be as many executions as graphs; with it as many as classes
of graphs that a permutation of interchangeable threads makes of each other.  Those are threads with the same code
that main has created one after the other, with nothing between.  Both must show the same final memory, failing
assertions and deadlocks as the interpreter, and say verified where there is nothing to find, and only there.  Where
something is found, executions are not counted: after an assertion that fails the two go on differently.

With tso, stores of the interpreter wait in a buffer of their thread."""
import collections, itertools, os, random, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batch
from loops_machine import fnv

GRAPHS, STATES = 1500, 60000  # of a program, at most
V, M, S = 2, 2, 1  # variables, mutexes, semaphores: locations 0.., V.., V + M..
INIT = (-1, -1)
MODEL = "sc"

HEAD = """#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
extern void heddle_observe(const void *, unsigned long);
extern unsigned heddle_choose(unsigned);

static atomic_int v[2];
static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static sem_t s;
"""


def piece(rng, depth=0, held=()):
    """A few operations, with as many locks as unlocks on every way."""
    kind = rng.choice(["ld"] * 5 + ["st"] * 3 + ["add"] * 2 + ["cas"] * 2 + ["xchg", "copy", "choose", "fence", "check"]
                      + ["if"] * 3 + ["lock"] * 2 + ["try", "post", "wait"])
    x, c, l = rng.randrange(V), rng.randrange(1, 3), rng.randrange(M)
    free = depth < 2 and l not in held
    if kind == "if" and depth < 2:
        body = piece(rng, depth + 1, held)
        return [(rng.choice(["skipz", "skipn"]), len(body))] + body
    if kind == "lock" and free:
        return [("lock", l)] + piece(rng, depth + 1, held + (l,)) + [("unlock", l)]
    if kind == "try" and free:
        body = piece(rng, depth + 2, held + (l,)) + [("unlock", l)]
        return [("try", l), ("skipz", len(body))] + body
    return {"ld": [("ld", x)], "st": [("st", x, c)], "add": [("add", x, c)], "cas": [("cas", x, c - 1, c)],
            "xchg": [("xchg", x, c)], "copy": [("copy", x)], "choose": [("choose", 2)], "fence": [("fence",)],
            "check": [("check", rng.randrange(4))] if rng.random() < 0.3 else [("ld", x)],
            "post": [("post",)], "wait": [("wait",)]}.get(kind, [("ld", x)])


def body(rng, most):
    code = []
    while len(code) < most:
        code += piece(rng)
    return tuple(code)


def generate(seed):
    """(codes, threads): thread i runs codes[threads[i]]; the last thread is main, which creates them in this order,
    with a store before the one that `apart` names; then it runs its code, and joins."""
    rng = random.Random(seed)
    like = rng.choice([2, 2, 3, 3, 4])
    codes = [body(rng, rng.choice([1, 2, 3, 3, 4]) if like < 4 else rng.choice([1, 2]))]
    threads = [0] * like
    if rng.random() < 0.5:
        codes.append(body(rng, rng.choice([1, 2, 2])))
        others = [1] * rng.choice([1, 1, 2])
        threads = threads + others if rng.random() < 0.5 else others + threads
        if rng.random() < 0.2:
            rng.shuffle(threads)
    apart = rng.randrange(1, len(threads)) if rng.random() < 0.2 else 0
    main = body(rng, 1) if rng.random() < 0.3 else ()
    return codes, threads, apart, main, rng.randrange(2)


class TooLarge(Exception):
    pass


class Machine:
    def __init__(self, program):
        codes, threads, apart, main, self.units = program
        n = len(threads)
        self.codes = [codes[k] for k in threads]
        made = []
        for i in range(n):
            made += [("st", 1, 3)] * (apart > 0 and i == apart) + [("create", i)]
        self.codes.append(tuple(made) + main)
        self.n = n
        self.finals, self.ends, self.failed, self.stuck = set(), set(), set(), False
        self.groups, at = [], 0
        for i in range(1, n + 1):
            if i == n or threads[i] != threads[at] or i == apart:
                self.groups.append(range(at, i))
                at = i
        self.walk()
        self.graphs, self.classes = len(self.finals), len({self.canonical(g) for g in self.finals})
        del self.finals  # there may be many programs

    def walk(self):
        begin = tuple((0, 0, ()) for _ in range(self.n)) + ((0, 0, ()),)
        memory = tuple(((INIT, self.units if l == V + M else 0),) for l in range(V + M + S))
        first = (begin, memory, 1 << self.n, ((),) * (self.n + 1))
        seen, todo = {first}, [first]
        while todo:
            state = todo.pop()
            new, over = self.steps(state)
            if not new and over:
                threads, memory, _, _ = state
                self.finals.add((tuple(t[2] for t in threads), tuple(tuple(e[0] for e in l) for l in memory)))
                self.ends.add(tuple(memory[l][-1][1] for l in range(V)))
            elif not new and over is not None:
                self.stuck = True
            for s in new:
                if s not in seen:
                    seen.add(s)
                    todo.append(s)
            if len(seen) > STATES or len(self.finals) > GRAPHS:
                raise TooLarge

    def steps(self, state):
        """What can come next, and whether all have ended; None: an assertion failed."""
        threads, memory, created, buffers = state
        new, over, broken = [], True, False
        for t in range(self.n + 1):
            pc, r, events = threads[t]
            if not created >> t & 1:
                over = False
                continue
            if buffers[t]:
                over = False
                l, entry = buffers[t][0]
                left = buffers[:t] + (buffers[t][1:],) + buffers[t + 1:]
                new.append((threads, memory[:l] + (memory[l] + (entry,),) + memory[l + 1:], created, left))
            if pc >= len(self.codes[t]):
                continue
            over = False
            op = self.codes[t][pc]
            if op[0] == "check" and r == op[1]:
                self.failed.add(op[1])
                broken = True
                continue
            new += self.step(state, t, op)
        return new, None if broken and not new else over

    def step(self, state, t, op):
        threads, memory, created, buffers = state
        pc, r, events = threads[t]
        me, kind = (t, len(events)), op[0]

        def at(pc, r, event=None, l=None, value=None, created=created):
            moved = threads[:t] + ((pc, r, events + (event,) if event else events),) + threads[t + 1:]
            changed = memory if value is None else memory[:l] + (memory[l] + ((me, value),),) + memory[l + 1:]
            return (moved, changed, created, buffers)

        def last(l):
            mine = [e for k, e in buffers[t] if k == l]
            return mine[-1] if mine else memory[l][-1]

        drained = not buffers[t]
        if kind in ("skipz", "skipn"):
            skips = (r == 0) == (kind == "skipz")
            return [at(pc + 1 + (op[1] if skips else 0), r)]
        if kind == "check":
            return [at(pc + 1, r)]
        if kind == "create":
            return [at(pc + 1, r, created=created | 1 << op[1])] if drained else []
        if kind == "choose":
            return [at(pc + 1, k, ("C", k)) for k in range(op[1])]
        if kind == "fence":
            return [at(pc + 1, r)] if drained else []
        if kind == "ld":
            source, value = last(op[1])
            return [at(pc + 1, value, ("L", op[1], source))]
        if kind in ("st", "copy"):
            value = op[2] if kind == "st" else r
            if MODEL == "sc":
                return [at(pc + 1, r, ("S", op[1]), op[1], value)]
            moved = threads[:t] + ((pc + 1, r, events + (("S", op[1]),)),) + threads[t + 1:]
            waits = buffers[t] + ((op[1], (me, value)),)
            return [(moved, memory, created, buffers[:t] + (waits,) + buffers[t + 1:])]
        if not drained:
            return []
        l = {"lock": V, "try": V, "unlock": V, "post": V + M, "wait": V + M}.get(kind, 0)
        l += op[1] if len(op) > 1 else 0
        source, value = memory[l][-1]
        if kind == "cas" and value != op[2] or kind == "try" and value:
            return [at(pc + 1, 0, ("L", l, source))]
        if kind == "lock" and value or kind == "wait" and not value:
            return []
        result, stored = {"add": (value, value + op[-1] if kind == "add" else 0), "xchg": (value, op[-1]),
                          "cas": (1, op[-1]), "lock": (r, 1), "try": (1, 1), "unlock": (r, 0),
                          "post": (r, value + 1), "wait": (r, value - 1)}[kind]
        return [at(pc + 1, result, ("U", l, source), l, stored)]

    def canonical(self, graph):
        threads, memory = graph
        best = None
        for way in itertools.product(*(itertools.permutations(g) for g in self.groups)):
            names = [t for g in way for t in g] + [self.n, -1]  # names[-1]: the initial values
            image = [None] * (self.n + 1)
            for t, events in enumerate(threads):
                image[names[t]] = tuple((e[0], e[1], (names[e[2][0]], e[2][1])) if len(e) == 3 else e for e in events)
            made = (tuple(image), tuple(tuple((names[i[0]], i[1]) for i in l) for l in memory))
            best = made if best is None or made < best else best
        return best


LINES = {"ld": "r = v[{0}];", "st": "v[{0}] = {1};", "copy": "v[{0}] = r;", "add": "r = atomic_fetch_add(&v[{0}], {1});",
         "cas": "{{ int e = {1}; r = atomic_compare_exchange_strong(&v[{0}], &e, {2}); }}",
         "xchg": "r = atomic_exchange(&v[{0}], {1});", "choose": "r = (int)heddle_choose({0});",
         "fence": "atomic_thread_fence(memory_order_seq_cst);", "check": "assert(r != {0});",
         "lock": "pthread_mutex_lock(&m[{0}]);", "unlock": "pthread_mutex_unlock(&m[{0}]);",
         "try": "r = pthread_mutex_trylock(&m[{0}]) == 0;", "post": "sem_post(&s);", "wait": "sem_wait(&s);"}


def lines(code):
    relaxed = MODEL == "tso"
    for i, op in enumerate(code):
        if op[0].startswith("skip"):
            yield f"L{i}: if (r {'==' if op[0] == 'skipz' else '!='} 0) goto L{i + 1 + op[1]};"
        elif relaxed and op[0] in ("st", "copy"):
            value = op[2] if op[0] == "st" else "r"
            yield f"L{i}: atomic_store_explicit(&v[{op[1]}], {value}, memory_order_release);"
        else:
            yield f"L{i}: " + LINES[op[0]].format(*op[1:])
    yield f"L{len(code)}: (void)r;"


def render(programs):
    out, mains = [HEAD], []
    for p, (_, (codes, threads, apart, main, units), _) in enumerate(programs):
        for k, code in enumerate(codes):
            out.append(f"static void *p{p}_{k}(void *arg)\n{{\n    int r = 0;\n" + "\n".join("    " + x for x in lines(code))
                       + "\n    return arg;\n}")
        store = "atomic_store_explicit(&v[1], 3, memory_order_release);" if MODEL == "tso" else "v[1] = 3;"
        out.append(f"static void main{p}(void)\n{{\n    pthread_t t[{len(threads)}];\n    int r = 0;\n    sem_init(&s, 0, {units});")
        for i, k in enumerate(threads):
            out.append("    " + (store + " " if apart and i == apart else "") + f"pthread_create(&t[{i}], 0, p{p}_{k}, 0);")
        out += ["    " + x for x in lines(main)]
        out += [f"    pthread_join(t[{i}], 0);" for i in sorted(range(len(threads)), key=lambda i: threads[i])]
        out.append("    long seen[2] = { v[0], v[1] };\n    heddle_observe(seen, sizeof seen);\n}")
        mains.append(f"main{p}();")
    return "\n".join(out) + "\n" + batch.main_of(mains)


def programs_of(seed, wanted):
    programs = []
    while len(programs) < wanted:
        program = generate(seed)
        seed += 1
        try:
            machine = Machine(program)
        except TooLarge:
            continue
        if machine.graphs > 1 or machine.failed or machine.stuck or seed % 4 == 0:
            programs.append((seed - 1, program, machine))
    return programs, seed


def compare(j, machine, executions):
    kinds = {v["kind"] for v in j["violations"]}
    failed = {int(v["message"].split("!=")[1].split("'")[0]) for v in j["violations"] if v["kind"] == "assertion"}
    broken = bool(machine.failed or machine.stuck)
    wrong = []
    if failed != machine.failed:
        wrong.append(f"assertions {sorted(failed)} instead of {sorted(machine.failed)}")
    if ("deadlock" in kinds) != machine.stuck or kinds - {"assertion", "deadlock"}:
        wrong.append(f"{sorted(kinds)}, where it can be stuck: {machine.stuck}")
    if j.get("observations", 0) != len(machine.ends) or (machine.ends and j["observations_hash"] != fnv(machine.ends)):
        wrong.append(f"other final states ({j.get('observations', 0)} instead of {len(machine.ends)})")
    if j["verdict"] != ("violation" if broken else "verified"):
        wrong.append(f"verdict {j['verdict']}: {j['downgrades']}")
    if not broken and j["executions"] != executions:
        wrong.append(f"{j['executions']} executions instead of {executions}")
    return wrong


def judge(check, _, program):
    _, code, machine = program
    how = ["--keep-going", "--races", "error", "--strategy", "graph", "--memory", MODEL, "--paranoid"]
    failures, counts = [], collections.Counter()
    broken = bool(machine.failed or machine.stuck)
    for options, executions in ([], machine.graphs), (["--symmetric"], machine.classes):
        j, error = check(how + options)
        wrong = [error] if not j else compare(j, machine, executions)
        failures += [f"{' '.join(options)}: {why}\n#   {code}" for why in wrong]
        counts["failed" if wrong else "passed"] += 1
        if j and not broken:
            counts["symmetric" if options else "plain"] += j["executions"]
            counts["blocked" if options else "plainly blocked"] += j["blocked"]
    counts.update(broken=broken, fewer=machine.classes < machine.graphs)
    return failures, counts


def main():
    global MODEL
    p = batch.parser()
    p.add_argument("--memory", choices=["sc", "tso"], default="sc")
    a = p.parse_args()
    MODEL = a.memory
    programs, counts = batch.run(a, programs_of, render, judge)
    print(f"# {len(programs)} programs, {counts['broken']} of them wrong, fewer classes than graphs in {counts['fewer']}; in the "
          f"others {counts['plain']} graphs ({counts['plainly blocked']} blocked), {counts['symmetric']} executions with "
          f"--symmetric ({counts['blocked']} blocked)")
    return batch.over(counts)


if __name__ == "__main__":
    sys.exit(main())
