#!/usr/bin/env python3
"""Random programs that compare addresses of freed blocks, against an interpreter of all interleavings.

    tests/oracle/reuse.py HEDDLE PROGRAMS [FIRST_SEED]

Threads allocate, free, exchange, compare-exchange and compare pointers; nobody looks into a block.  What a
thread sees is the outcome of every comparison.  The interpreter tries every order of the operations, and
for every allocation a fresh address and the newest freed block of every thread; heddle, with --reuse auto and all,
must see the same set of results with every strategy, and under every memory model: all atomics are seq_cst.  The
interpreter shares nothing with heddle."""
import json, os, random, subprocess, sys, tempfile

POINTERS = 2
REGISTERS = 2  # of a thread that own what they hold, and as many that only remember
STRATEGIES = [["--strategy", "optimal"], ["--strategy", "source"], ["--strategy", "stateful"],
              ["--reduce", "not-seen"], ["--strategy", "hybrid"], ["--strategy", "optimal", "-j", "2"],
              ["--memory", "sc", "--strategy", "graph"], ["--memory", "rc11"], ["--memory", "tso"],
              ["--memory", "rc11", "-j", "2"]]
MOST = 60000


def generate(rng):
    threads = []
    n = rng.choice([2, 2, 2, 3])
    for _ in range(n):
        code, shape = [], rng.choice(["any", "updates", "updates", "looks"])
        for i in range(rng.randint(2, 6 if n == 2 else 4)):
            kind = rng.choice({"any": ["new", "load", "swap", "cas", "drop", "same", "look"],
                               "updates": [["new"], ["swap", "swap", "cas"], ["drop"]][i % 3],
                               "looks": ["load"] if i == 0 else ["cas", "look", "same", "load"]}[shape])
            register = 0 if shape == "updates" else rng.randrange(REGISTERS)
            code.append((kind, register, rng.randrange(POINTERS) if rng.random() < 0.3 else 0,
                         rng.randrange(REGISTERS) if shape == "any" else 0))
        threads.append(code)
    return threads


def step(state, t, op, reuse):
    """All states after the operation of thread t.  A state: shared pointers, registers by thread, freed
    blocks by thread (newest last), results by thread, the next fresh address."""
    shared, owned, kept, freed, results, fresh = state
    kind, r, p, x = op

    def with_(seq, i, value):
        return seq[:i] + (value,) + seq[i + 1:]

    def reg(table, i, value):
        return with_(table, t, with_(table[t], i, value))

    def result(bit):
        return with_(results, t, results[t] + (int(bit),))

    if kind == "new":
        if owned[t][r]:
            return [state]
        out = [(shared, reg(owned, r, fresh), kept, freed, results, fresh + 1)]
        for u, blocks in enumerate(freed):
            if blocks and reuse:
                out.append((shared, reg(owned, r, blocks[-1]), kept, with_(freed, u, blocks[:-1]), results, fresh))
        return out
    if kind == "load":
        return [(shared, owned, reg(kept, x, shared[p]), freed, results, fresh)]
    if kind == "swap":
        return [(with_(shared, p, owned[t][r]), reg(owned, r, shared[p]), kept, freed, results, fresh)]
    if kind == "cas":
        if shared[p] != kept[t][x]:
            return [(shared, owned, kept, freed, result(0), fresh)]
        return [(with_(shared, p, owned[t][r]), reg(owned, r, shared[p]), kept, freed, result(1), fresh)]
    if kind == "drop":
        if not owned[t][r]:
            return [state]
        return [(shared, reg(owned, r, 0), kept, with_(freed, t, freed[t] + (owned[t][r],)), results, fresh)]
    if kind == "same":
        return [(shared, owned, kept, freed, result(kept[t][x] == owned[t][r]), fresh)]
    return [(shared, owned, kept, freed, result(shared[p] == kept[t][x]), fresh)]


def outcomes(threads, reuse=True):
    n = len(threads)
    start = (tuple(range(1, POINTERS + 1)), ((0,) * REGISTERS,) * n, ((0,) * REGISTERS,) * n, ((),) * n,
             ((),) * n, POINTERS + 1)
    seen, todo, found = set(), [((0,) * n, start)], set()
    while todo:
        at, state = todo.pop()
        if (at, state) in seen:
            continue
        seen.add((at, state))
        if len(seen) > MOST:
            return None
        if all(at[t] == len(threads[t]) for t in range(n)):
            found.add(state[4])
        for t in range(n):
            if at[t] < len(threads[t]):
                for after in step(state, t, threads[t][at[t]], reuse):
                    todo.append((at[:t] + (at[t] + 1,) + at[t + 1:], after))
    return found


LINES = {
    "new": "if (!own[{r}]) own[{r}] = malloc(8);",
    "load": "kept[{x}] = atomic_load(&shared[{p}]);",
    "swap": "own[{r}] = atomic_exchange(&shared[{p}], own[{r}]);",
    "cas": "{{ void *e = kept[{x}]; int ok = atomic_compare_exchange_strong(&shared[{p}], &e, own[{r}]);"
           " results[{t}][n++] = 1 + ok; if (ok) own[{r}] = kept[{x}]; }}",
    "drop": "if (own[{r}]) {{ free(own[{r}]); own[{r}] = 0; }}",
    "same": "results[{t}][n++] = 1 + (kept[{x}] == own[{r}]);",
    "look": "{{ void *now = atomic_load(&shared[{p}]); results[{t}][n++] = 1 + (now == kept[{x}]); }}",
}


def render(threads):
    out = ["#include <pthread.h>", "#include <stdatomic.h>", "#include <stdlib.h>",
           "void heddle_observe(const void *, unsigned long);",
           "static _Atomic(void *) shared[%d];" % POINTERS,
           "static unsigned char results[%d][8];" % len(threads)]
    for t, code in enumerate(threads):
        out.append("static void *thread%d(void *u)\n{\n    void *own[%d] = { 0 }, *kept[%d] = { 0 };\n    int n = 0;"
                   % (t, REGISTERS, REGISTERS))
        out += ["    " + LINES[k].format(r=r, p=p, x=x, t=t) for k, r, p, x in code]
        out.append("    (void)own; (void)kept; (void)n;\n    return u;\n}")
    out.append("int main(void)\n{\n    pthread_t id[%d];" % len(threads))
    out.append("    for (int i = 0; i < %d; i++) atomic_store(&shared[i], malloc(8));" % POINTERS)
    out += ["    pthread_create(&id[%d], 0, thread%d, 0);" % (t, t) for t in range(len(threads))]
    out.append("    for (int i = 0; i < %d; i++) pthread_join(id[i], 0);" % len(threads))
    out.append("    heddle_observe(results, sizeof results);\n    return 0;\n}\n")
    return "\n".join(out)


def draw(seed):
    """A program and its results.  Most that are drawn cannot tell; three in four of those taken can."""
    rng = random.Random(seed)
    for _ in range(200):
        threads = generate(rng)
        found = outcomes(threads)
        tells = found is not None and found != outcomes(threads, False)
        if found is not None and (tells or seed % 4 == 0):
            break
    return threads, found, tells


def digest(found, n):
    """What heddle makes of the set: the xor of a hash of every distinct observation."""
    total = 0
    for results in found:
        h = 0xcbf29ce484222325
        for t in range(n):
            for byte in [1 + b for b in results[t]] + [0] * (8 - len(results[t])):
                h = ((h ^ byte) * 0x100000001b3) & (2 ** 64 - 1)
        total ^= h
    return "%016x" % total


def main():
    heddle, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    wrong = judged = telling = 0
    with tempfile.TemporaryDirectory() as folder:
        for s in range(seed, seed + count):
            threads, found, tells = draw(s)
            if found is None:
                continue
            judged += 1
            telling += tells
            source, program = os.path.join(folder, "p.c"), os.path.join(folder, "p")
            with open(source, "w") as f:
                f.write(render(threads))
            subprocess.run([heddle, "cc", "-o", program, source], check=True)
            for reuse in ("auto", "all"):
                strategy = STRATEGIES[s % len(STRATEGIES)]
                for options in ([STRATEGIES[0]] if strategy is STRATEGIES[0] else [STRATEGIES[0], strategy]):
                    races = [] if "tso" in options else ["--races", "off"]
                    got = subprocess.run([heddle, "check", *races, "--json", "-", "--reuse", reuse,
                                          "--keep-going", *options, program], capture_output=True, text=True)
                    try:
                        result = json.loads(got.stdout)
                    except ValueError:
                        result = {}
                    seen = (result.get("observations"), result.get("observations_hash"))
                    want = (len(found), digest(found, len(threads)))
                    if seen != want or got.returncode != 0:
                        wrong += 1
                        print("not ok reuse %d --reuse %s %s: %s instead of %s %s" %
                              (s, reuse, " ".join(options), seen, want, got.stderr.strip()[:200]))
    good = wrong == 0 and telling > 0
    print("%s reuse: %d programs judged, %d of which can tell, %d wrong" %
          ("ok" if good else "not ok", judged, telling, wrong))
    return not good


if __name__ == "__main__":
    sys.exit(main())
