#!/usr/bin/env python3
"""Checkers from outside on random programs, against a brute force over all interleavings.

    tests/oracle/checkers.py [--serve PROGRAM] [--jobs N] [--seed N] HEDDLE PROGRAMS

strategies/predicate.c and predicate.lua object when a predicate over the steps of an execution holds; the brute force, which
shares nothing with heddle, says whether it holds in some interleaving.  Then heddle must report an objection, and otherwise
`verified`.  Predicates that depend on the order of dependent steps alone are declared `traces`, and tried with every reduction
that keeps traces; the others are shown every interleaving.

Programs: two threads and main, with atomic stores, loads, stores that depend on a load, and critical sections.

A predicate on the order of independent steps that is declared `traces`, wrongly, may be missed: how often is counted, as a
test of this test."""
import collections, os, random, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batch

HERE = os.path.dirname(os.path.abspath(__file__))
VARIABLES, MUTEXES = ("x", "y", "z"), ("m", "n")
REDUCTIONS = ("optimal", "source", "dpor", "sleep")
MOST = 60000  # interleavings of a program, with beginnings and ends of threads


# ---- programs: (seed, threads, predicate); a thread is a list of (operation, object, value, variable, value) ----

def draw_thread(rng, most):
    ops, held = [], None
    while len(ops) < most:
        x, kind = rng.choice("xxxyyyz"), rng.random()
        if kind < 0.2 and held is None and len(ops) + 3 <= most:
            held = rng.choice(MUTEXES)
            ops.append(("lock", held, 0, None, 0))
        elif held and (kind < 0.3 or len(ops) + 1 == most):
            ops.append(("unlock", held, 0, None, 0))
            held = None
        elif kind < 0.46:
            ops.append(("load", x, 0, None, 0))
        elif kind < 0.6:
            ops.append(("if", x, rng.randint(0, 2), rng.choice(VARIABLES), rng.randint(1, 3)))
        else:
            ops.append(("store", x, rng.randint(1, 3), None, 0))
    return ops


def draw_predicate(rng):
    a, b = rng.choice(("xy", "yx", "xy", "yx", "xz", "zy"))
    return rng.choice((("all", "order", a, b), ("all", "order", a, b), ("all", "inside", rng.choice(MUTEXES), b),
                       ("all", "turns", str(rng.randint(3, 5)), "-"), ("traces", "last", a, str(rng.randint(0, 2))),
                       ("traces", "apart", a, b), ("traces", "apart", a, b)))


def draw(seed):
    rng = random.Random(seed)
    sizes = rng.choice(((0, 3, 3), (1, 2, 2), (1, 3, 2), (0, 4, 2), (0, 4, 3), (2, 2, 1)))
    return seed, [draw_thread(rng, n) for n in sizes], draw_predicate(rng)


# ---- all interleavings ----

def interleavings(threads):
    """Every sequence of steps (thread, "write" | "read" | "lock" | "unlock", object)."""
    def go(pcs, pending, memory, owners, path):
        able = False
        for t, ops in enumerate(threads):
            if pending[t] is None and pcs[t] == len(ops):
                continue
            p, q, m, o = list(pcs), list(pending), memory, owners
            if pending[t] is not None:
                x, value = pending[t]
                q[t], m, step = None, {**memory, x: value}, (t, "write", x)
            else:
                kind, x, value, y, then = ops[pcs[t]]
                p[t] += 1
                if kind == "lock":
                    if owners.get(x) is not None:
                        continue
                    o, step = {**owners, x: t}, (t, kind, x)
                elif kind == "unlock":
                    o, step = {**owners, x: None}, (t, kind, x)
                elif kind == "store":
                    m, step = {**memory, x: value}, (t, "write", x)
                else:
                    step = (t, "read", x)
                    if kind == "if" and memory.get(x, 0) == value:
                        q[t] = (y, then)
            able = True
            yield from go(p, q, m, o, path + [step])
        if not able:
            yield path
    yield from go([0] * len(threads), [None] * len(threads), {}, {}, [])


def happens_before(path):
    """The pairs of steps (i, j) of which the first happens before the second."""
    before = set()
    for j, (u, how, y) in enumerate(path):
        for i, (t, also, x) in enumerate(path[:j]):
            if t == u or (x == y and not how == also == "read"):
                before.add((i, j))
                before |= {(h, j) for h in range(i) if (h, i) in before}
    return before


def holds(path, predicate):
    _, kind, a, b = predicate
    writes = [(i, t, x) for i, (t, how, x) in enumerate(path) if how == "write"]
    if kind == "order":
        return any(x == a and y == b for i, _, x in writes for j, _, y in writes if i < j)
    if kind == "inside":
        for i, t, x in writes:
            takes = [(u, how) for u, how, y in path[:i] if y == a and how in ("lock", "unlock")]
            if x == b and takes and takes[-1][1] == "lock" and takes[-1][0] != t:
                return True
        return False
    if kind == "turns":
        owners, n = [t for _, t, _ in writes], int(a)
        return any(all(owners[k] != owners[k + 1] for k in range(i, i + n - 1)) for i in range(len(owners) - n + 1))
    if kind == "last":
        of = [t for _, t, x in writes if x == a]
        return bool(of) and of[-1] == int(b)
    before = happens_before(path)
    return any({x, y} == {a, b} and t != u and (i, j) not in before
               for i, t, x in writes for j, u, y in writes if i < j)


def number(threads):
    """Of interleavings, at most, where each thread also begins and ends."""
    total, product = 0, 1
    for t, ops in enumerate(threads):
        for k in range(sum(2 if op[0] == "if" else 1 for op in ops) + (3 if t else 1)):
            total += 1
            product = product * total // (k + 1)
    return product


def programs_of(seed, wanted):
    found = []
    while len(found) < wanted:
        program = draw(seed)
        seed += 1
        if number(program[1]) <= MOST:
            found.append(program)
    return found, seed


# ---- C ----

def statement(op, n):
    kind, x, value, y, then = op
    return {"store": f"{x}{n} = {value};", "load": f"(void){x}{n};", "lock": f"pthread_mutex_lock(&{x}{n});",
            "unlock": f"pthread_mutex_unlock(&{x}{n});", "if": f"if ({x}{n} == {value}) {y}{n} = {then};"}[kind]


def render(programs):
    out, bodies = ["#include <pthread.h>\n#include <stdlib.h>\n"], []
    for n, (_, threads, _) in enumerate(programs):
        out.append("static _Atomic int " + ", ".join(f"{x}{n}" for x in VARIABLES) + ";\n")
        out += [f"static pthread_mutex_t {m}{n} = PTHREAD_MUTEX_INITIALIZER;\n" for m in MUTEXES]
        for t, ops in enumerate(threads):
            lines = " ".join(statement(op, n) for op in ops)
            out.append(f"static void *t{n}_{t}(void *p) {{ {lines} return p; }}\n")
        bodies.append(f"{{ pthread_t a, b; pthread_create(&a, 0, t{n}_1, 0); pthread_create(&b, 0, t{n}_2, 0); t{n}_0(0); "
                      "pthread_join(a, 0); pthread_join(b, 0); }")
    return "".join(out) + batch.main_of(bodies)


# ---- what heddle says ----

def options_of(files, position, predicate, claim, which):
    named = [w + str(position % batch.BATCH) if w in VARIABLES + MUTEXES else w for w in predicate[1:]]
    options = ["--strategy", f"{files[which % len(files)]}:{','.join([claim] + named)}"]
    return options + (["--reduce", REDUCTIONS[which // 2 % 4]] if claim == "traces" else [])


def judge(check, position, program):
    seed, threads, predicate = program
    counts, failures = collections.Counter(), []
    expected = any(holds(path, predicate) for path in interleavings(threads))
    counts["objections"] += expected
    want = ("violation", ["objection"]) if expected else ("verified", [])
    for which in ((seed, seed + 1, seed + 2) if predicate[0] == "traces" else (seed,)):
        options = options_of(FILES, position, predicate, predicate[0], which)
        j, why = check(options)
        got = why or (j["verdict"], [v["kind"] for v in j["violations"]])
        counts["passed" if got == want else "failed"] += 1
        if got != want:
            failures.append(f"{' '.join(options)}: {got} instead of {want}: {threads}")
    if predicate[1] in ("order", "inside", "turns") and expected:
        j, why = check(options_of(FILES, position, predicate, "traces", seed // 2 * 8))
        counts["lies"] += 1
        counts["missed"] += j is not None and j["verdict"] == "verified"
    return failures, counts


FILES = []


def main():
    a = batch.parser().parse_args()
    os.environ["HEDDLE_ACCESSES"] = "all"
    batch.ALWAYS = ["-q", "--no-minimise"]
    root = os.path.dirname(os.path.dirname(os.path.abspath(a.heddle)))
    with tempfile.TemporaryDirectory() as tmp:
        FILES.append(os.path.join(tmp, "predicate.so"))
        subprocess.run([os.environ.get("CC", "clang-" + os.environ.get("LLVM", "19")), "-O1", "-shared", "-fPIC", "-I",
                        os.path.join(root, "include"), "-o", FILES[0], os.path.join(HERE, "strategies/predicate.c")], check=True)
        if os.path.exists(os.path.join(root, "lib/heddle/heddle-lua.so")):
            FILES.append(os.path.join(HERE, "strategies/predicate.lua"))
        _, counts = batch.run(a, programs_of, render, judge)
    print(f"# {counts['objections']} programs with an objection; of {counts['lies']} that depend on more than they declare, "
          f"{counts['missed']} are missed")
    return batch.over(counts)


if __name__ == "__main__":
    sys.exit(main())
