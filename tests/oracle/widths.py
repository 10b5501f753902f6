#!/usr/bin/env python3
"""Random programs whose threads access parts of the same eight bytes, against an interpreter of all interleavings.

    tests/oracle/widths.py [--serve ORACLE_SERVE] [--jobs N] [--seed N] HEDDLE PROGRAMS

Plain stores and loads of 1, 2, 4 and 8 bytes overlap or stand side by side; each thread may use bytes of its own, which needs no
order with what others do to theirs.  Two atomic variables and a mutex order the rest, or do not.  main may store some or all of them before
it lets the threads begin.  The interpreter knows bytes, interleavings and vector clocks; it shares nothing with heddle.  It says

  race         whether an interleaving has one: then a search must find a data race (tso allows it, or refuses the
               program; rf may refuse any program with accesses of different bytes)
  results      otherwise, what the loads read and what the bytes are in the end: equal under every memory model, because
               all atomic accesses are seq_cst and nothing races
  executions   otherwise, how many orders there are of what conflicts: the number of executions of a search under sc"""
import collections, os, random, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batch
from loops_machine import fnv

MOST = 6000  # states of a program
ATOMICS, BYTES = ("x", "y"), 8
STRATEGIES = [["--memory", "sc", "--strategy", "graph", "--paranoid"], ["--memory", "sc", "--strategy", "optimal"],
              ["--memory", "tso", "--paranoid"], ["--memory", "rc11", "--paranoid"], ["--strategy", "stateful"],
              ["--strategy", "rf", "--paranoid"]]


class TooLarge(Exception):
    pass


def access(rng, own):
    """Of bytes of its own (first, how many), or of any bytes."""
    if own and rng.random() < 0.97:
        width = rng.choice([w for w in (1, 2, 4) if w <= own[1]])
        return own[0] + width * rng.randrange(own[1] // width), width
    width = rng.choice((1, 2, 4, 8, 8))
    return width * rng.randrange(BYTES // width), width


def draw_code(rng, own, most, locked):
    """locked: all its plain accesses are in critical sections."""
    code, held = [], False
    for _ in range(rng.randint(1, most)):
        kind = rng.random()
        if kind < 0.3 and (held or not locked):
            code.append((rng.choice(("put", "put", "get")),) + access(rng, None if locked else own) + (rng.randint(1, 2),))
        elif kind < 0.8:
            code.append((rng.choice(("store", "load", "load", "add")), rng.choice(ATOMICS), rng.randint(1, 2)))
        elif held:
            held = False
            code.append(("unlock",))
        else:
            held = True
            code += [("lock",), (rng.choice(("put", "get")),) + access(rng, None if locked else own) + (rng.randint(1, 2),)]
    return code + [("unlock",)] * held


def draw(seed):
    """The threads' code; main is the last one.  Each thread begins by waiting for main's post.  main may wait for some of them to be
    through, and load all eight bytes while they have not ended yet."""
    rng = random.Random(seed)
    n = rng.choice((2, 2, 3))
    owns = [(4 * (t % 2), 4) for t in range(3)] if n == 2 else [(0, 4), (4, 2), (6, 2)]
    rng.shuffle(owns)
    locked = rng.random() < 0.3
    threads = [[("wait", t)] + draw_code(rng, owns[t], 6 if n == 2 else 4, locked) for t in range(n)]
    main = [("put", 0, 8, 0)] * (rng.random() < 0.7) + [("put",) + access(rng, None) + (1,)] * (rng.random() < 0.3)
    for t in rng.sample(range(n), n):
        main.append(("post", t))
        if rng.random() < 0.15:
            main += draw_code(rng, None, 1, locked)
    if rng.random() < 0.6:
        for t in rng.sample(range(n), rng.choice((n, n, n - 1))):
            threads[t].append(("post", n + t))
            main.append(("wait", n + t))
        main += [("get", 0, 8, 0)] + draw_code(rng, None, 1, locked)
    return seed, threads + [main]


READS, WRITES = ("get", "load", "add"), ("put", "store", "add")


class Brute:
    """States are kept once for each history that matters: what was read, and the order of what conflicts."""

    def __init__(self, codes):
        self.codes, self.n = codes, len(codes)
        self.results, self.executions, self.race, self.seen = set(), set(), False, set()
        zero = (0,) * self.n
        self.go((0,) * self.n, ((),) * self.n, (0,) * BYTES, (0, 0), None, ((), (), ()), (zero,) * self.n,
                ((), (), ()) + ((),) * 2 * self.n, ())

    def go(self, pcs, read, memory, atomics, owner, orders, clocks, messages, accesses):
        key = (pcs, read, memory, atomics, owner, orders)
        if self.race or key in self.seen:
            return
        self.seen.add(key)
        if len(self.seen) > MOST:
            raise TooLarge
        moved = False
        for t in range(self.n):
            if pcs[t] < len(self.codes[t]):
                op = self.codes[t][pcs[t]]
                if not (op[0] == "lock" and owner is not None or op[0] == "wait" and not messages[3 + op[1]]):
                    moved = True
                    self.step(t, op, pcs, read, memory, atomics, owner, orders, clocks, messages, accesses)
        if not moved:  # nobody holds the mutex in the end, so all are through
            self.results.add(tuple(v for r in read for v in r) + memory + atomics)
            self.executions.add(orders)

    def step(self, t, op, pcs, read, memory, atomics, owner, orders, clocks, messages, accesses):
        kind, clock, me = op[0], list(clocks[t]), (t, pcs[t])
        orders, messages, atomics = list(orders), list(messages), list(atomics)
        clock[t] += 1
        if kind in ("put", "get"):
            at, width, value = op[1:]
            for u, count, first, size, wrote in accesses:
                if u != t and first < at + width and at < first + size and (wrote or kind == "put") and clock[u] < count:
                    self.race = True
            accesses += ((t, clock[t], at, width, kind == "put"),)
            if kind == "put":
                memory = memory[:at] + (value,) * width + memory[at + width:]
            else:
                read = read[:t] + (read[t] + (int.from_bytes(bytes(memory[at:at + width]), "little"),),) + read[t + 1:]
        else:
            place = {"x": 0, "y": 1}.get(op[1] if len(op) > 1 else None, 2)
            if kind in ("wait", "post"):
                place = 3 + op[1]
            if kind in ("load", "add", "lock", "wait") and messages[place]:
                clock = [max(p) for p in zip(clock, messages[place])]
            if kind in ("store", "add", "unlock", "post"):
                messages[place] = tuple(clock)
            if kind == "lock":
                owner = t
                orders[2] += (me,)
            elif kind == "unlock":
                owner = None
            elif kind in READS or kind in WRITES:
                # stores in their order, with the loads between two of them in no order
                if kind == "load":
                    last = orders[place][-1] if orders[place] else (None, frozenset())
                    orders[place] = orders[place][:-1] + ((last[0], last[1] | {me}),)
                else:
                    orders[place] += ((me, frozenset()),)
                if kind in READS:
                    read = read[:t] + (read[t] + (atomics[place],),) + read[t + 1:]
                if kind in WRITES:
                    atomics[place] = op[2] + (atomics[place] if kind == "add" else 0)
        self.go(pcs[:t] + (pcs[t] + 1,) + pcs[t + 1:], read, memory, tuple(atomics), owner, tuple(orders),
                clocks[:t] + (tuple(clock),) + clocks[t + 1:], tuple(messages), accesses)


def programs_of(seed, wanted):
    some = []
    while len(some) < wanted:
        number, codes = draw(seed)
        seed += 1
        try:
            some.append((number, codes, Brute(codes)))
        except TooLarge:
            pass
    return some, seed


def c_of(n, t, code):
    lines, reads = [], 0
    for kind, *rest in code:
        if kind in ("put", "get"):
            at, width, value = rest
            part = f"v{n}.u.w{width}[{at // width}]"
            whole = sum(value << 8 * i for i in range(width))
            lines.append(f"{part} = {whole}ul;" if kind == "put" else f"r{n}[{t}][{reads}] = {part};")
        else:
            x = f"&v{n}.{rest[0]}" if rest else ""
            lines.append({"store": f"atomic_store({x}, {rest[-1] if rest else 0});",
                          "load": f"r{n}[{t}][{reads}] = atomic_load({x});",
                          "add": f"r{n}[{t}][{reads}] = atomic_fetch_add({x}, {rest[-1] if rest else 0});",
                          "lock": f"pthread_mutex_lock(&v{n}.m);", "unlock": f"pthread_mutex_unlock(&v{n}.m);",
                          "wait": f"sem_wait(&go{n}[{rest[0] if rest else 0}]);",
                          "post": f"sem_post(&go{n}[{rest[0] if rest else 0}]);"}[kind])
        reads += kind in READS
    return "".join(f"    {line}\n" for line in lines), reads


def render(programs):
    out = ["#include <heddle.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdint.h>\n"
           "#include <stdlib.h>\n"]
    for n, (_, codes, _) in enumerate(programs):
        out.append("static struct {\n    union { uint8_t w1[8]; uint16_t w2[4]; uint32_t w4[2]; uint64_t w8[1]; } u;\n"
                   f"    atomic_ulong x, y;\n    pthread_mutex_t m;\n}} v{n} = {{ .m = PTHREAD_MUTEX_INITIALIZER }};\n"
                   f"static sem_t go{n}[{2 * len(codes) - 2}];\nstatic uint64_t r{n}[{len(codes)}][20];\n")
        counts = []
        for t, code in enumerate(codes):
            text, reads = c_of(n, t, code)
            counts.append(reads)
            name = f"static void *t{n}_{t}(void *u)" if t < len(codes) - 1 else f"static void main{n}(void)"
            out.append(f"{name}\n{{\n{text}" + ("    return u;\n}\n" if t < len(codes) - 1 else "}\n"))
        threads = range(len(codes) - 1)
        out.append(f"static void p{n}(void)\n{{\n    pthread_t id[{len(threads)}];\n    uint64_t seen[{sum(counts) + 10}];\n"
                   "    unsigned at = 0;\n")
        out += [f"    sem_init(&go{n}[{t}], 0, 0);\n" for t in range(2 * len(threads))]
        out += [f"    pthread_create(&id[{t}], 0, t{n}_{t}, 0);\n" for t in threads]
        out.append(f"    main{n}();\n")
        out += [f"    pthread_join(id[{t}], 0);\n" for t in threads]
        out += [f"    for (int i = 0; i < {c}; i++)\n        seen[at++] = r{n}[{t}][i];\n" for t, c in enumerate(counts)]
        out.append(f"    for (int i = 0; i < 8; i++)\n        seen[at++] = v{n}.u.w1[i];\n"
                   f"    seen[at++] = v{n}.x;\n    seen[at++] = v{n}.y;\n    heddle_observe(seen, sizeof seen);\n}}\n")
    out.append(batch.main_of([f"p{n}();" for n in range(len(programs))]))
    return "".join(out)


def judge(check, _, program):
    seed, codes, brute = program
    failures, counts = [], collections.Counter(races=brute.race, executions=0 if brute.race else len(brute.executions))
    for options in STRATEGIES:
        found, why = check(["--races", "error", "--keep-going"] + options)
        said = compare(found, brute, options) if found else why
        allows = brute.race and "tso" in options  # accesses of the same bytes that race
        refused = allows if found else (allows or "rf" in options) and ("does not know" in why or "does not explore" in why)
        counts["refused" if said and refused else "failed" if said else "passed"] += 1
        if said and not refused:
            failures.append(f"{' '.join(options)}: {said}: {codes}")
    return failures, counts


def compare(found, brute, options):
    kinds = {v["kind"] for v in found["violations"]}
    if brute.race:
        return "" if "data-race" in kinds else f"no data race: {sorted(kinds)}"
    if kinds:
        return f"nothing is wrong with it, heddle: {sorted(kinds)}"
    if (found["observations"], found["observations_hash"]) != (len(brute.results), fnv(brute.results)):
        return f"{len(brute.results)} results, heddle {found['observations']}"
    if "sc" in options and found["executions"] != len(brute.executions):
        return f"{len(brute.executions)} executions, heddle {found['executions']}"
    return ""


def main():
    a = batch.parser().parse_args()
    batch.ALWAYS = ["-q", "--no-minimise"]
    _, counts = batch.run(a, programs_of, render, judge)
    print(f"# {counts['races']} programs with a data race ({counts['refused']} checks refused, or without an answer that is known); "
          f"{counts['executions']} executions of the others")
    return batch.over(counts)


if __name__ == "__main__":
    sys.exit(main())
