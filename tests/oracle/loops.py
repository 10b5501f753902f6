#!/usr/bin/env python3
"""Random programs with loops, against an interpreter that visits every state.

    tests/oracle/loops.py HEDDLE PROGRAMS [FIRST_SEED [OPTIONS OF heddle check]]

Threads read, write and compare-exchange shared words, take, try and give back locks, jump and assert.
The interpreter shares nothing with heddle.  Its answers: the final states, the assertions that fail,
whether all threads can be stuck, whether there is a fair cycle (every thread that can move in one of
its states moves on it).  Every search that keeps states must agree in all of them.

Loops that only read are waits to heddle, which is fairer than the interpreter: such a thread moves
when what it waits for has come, and is not made to look at the wrong moment for ever.  So every
second program changes a word of its own on every turn and must agree exactly; in the others what
heddle reports must be there, and may be of either kind."""
import json, os, random, subprocess, sys, tempfile

WORDS, LOCKS, VALUES, MOST_STATES = 2, 2, 3, 4000


class TooLarge(Exception):
    pass


def generate(seed):
    rng = random.Random(seed)
    toggles = seed % 2 == 0
    threads = []
    for _ in range(rng.choice([2, 2, 3])):
        code = []
        for i in range(rng.randint(3, 6)):
            kind = rng.choice(["load", "load", "store", "copy", "cas", "try", "lock", "unlock",
                               "jump", "jump", "assert", "yield"])
            if kind == "jump":
                target = rng.randint(0, 7)
                if target <= len(code) and toggles:
                    code.append(("toggle",))
                code.append(("jump", rng.choice([None, 0, 1, 1, 2]), target))
            elif kind == "assert" and rng.random() < 0.6:
                continue
            elif kind == "assert":
                code.append(("assert", rng.randint(1, VALUES - 1)))
            elif kind in ("try", "lock", "unlock"):
                code.append((kind, rng.randrange(LOCKS)))
            elif kind == "cas":
                code.append((kind, rng.randrange(WORDS), rng.randrange(VALUES), rng.randrange(VALUES)))
            elif kind == "store":
                code.append((kind, rng.randrange(WORDS), rng.randrange(VALUES)))
            elif kind in ("load", "copy"):
                code.append((kind, rng.randrange(WORDS)))
            else:
                code.append((kind,))
        threads.append([(c[0], c[1], min(c[2], len(code))) if c[0] == "jump" else c for c in code])
    return threads, toggles


def render(number, threads, out):
    for t, code in enumerate(threads):
        out.append(f"static void *p{number}_{t}(void *unused)\n{{")
        out.append("    int r = 0, k = 0, held[2] = { 0, 0 };\n    (void)unused;")
        for i, c in enumerate(code):
            line = f"L{i}:\n    "
            if c[0] == "load":
                line += f"r = atomic_load(&w[{c[1]}]);"
            elif c[0] == "store":
                line += f"atomic_store(&w[{c[1]}], {c[2]});"
            elif c[0] == "copy":
                line += f"atomic_store(&w[{c[1]}], r);"
            elif c[0] == "cas":
                line += f"{{ int e = {c[2]}; r = atomic_compare_exchange_strong(&w[{c[1]}], &e, {c[3]}); }}"
            elif c[0] == "try":
                line += (f"if (!held[{c[1]}]) held[{c[1]}] = r = pthread_mutex_trylock(&m[{c[1]}]) == 0;")
            elif c[0] == "lock":
                line += f"if (!held[{c[1]}]) {{ pthread_mutex_lock(&m[{c[1]}]); held[{c[1]}] = 1; }}"
            elif c[0] == "unlock":
                line += f"if (held[{c[1]}]) {{ pthread_mutex_unlock(&m[{c[1]}]); held[{c[1]}] = 0; }}"
            elif c[0] == "toggle":
                line += f"k = 1 - k; atomic_store(&own[{t}], k);"
            elif c[0] == "yield":
                line += "sched_yield();"
            elif c[0] == "assert":
                line += f"assert(r != {c[1]} && {1000 * t + i} >= 0);"
            else:
                line += (f"goto L{c[2]};" if c[1] is None else f"if (r == {c[1]}) goto L{c[2]};")
            out.append(line)
        out.append(f"L{len(code)}:\n    (void)k, (void)held;\n    return (void *)(long)r;\n}}\n")
    names = ", ".join(f"p{number}_{t}" for t in range(len(threads)))
    out.append(f"static void *(*const p{number}[])(void *) = {{ {names} }};\n")


HEAD = """#include <assert.h>
extern void heddle_observe(const void *, unsigned long);
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int w[2], own[3];
static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
"""
TAIL = """
int main(int argc, char **argv)
{
    int number = argc > 1 ? atoi(argv[1]) : 0;
    pthread_t t[3];
    long seen[5] = { 0 };
    for (int i = 0; i < sizes[number]; i++)
        pthread_create(&t[i], 0, all[number][i], 0);
    for (int i = 0; i < sizes[number]; i++) {
        void *result;
        pthread_join(t[i], &result);
        seen[i] = (long)result;
    }
    seen[3] = w[0];
    seen[4] = w[1];
    heddle_observe(seen, sizeof seen);
    return 0;
}
"""


class Machine:
    """A state is (threads, words, locks): a thread is (pc, r, k, held) before a visible
    instruction or at its end, a lock its owner or -1."""

    def __init__(self, threads):
        self.threads = threads
        self.failed, self.finals = set(), set()
        self.stuck = False
        self.explore()

    def local(self, t, pc, r, k, held):
        """Goes on to the next visible instruction; None: an assertion fails on the way."""
        code, turns = self.threads[t], 0
        while pc < len(code):
            c, turns = code[pc], turns + 1
            if turns > 50:
                raise TooLarge  # a loop without a visible instruction
            if c[0] == "jump":
                pc = c[2] if c[1] is None or r == c[1] else pc + 1
            elif c[0] == "assert":
                if r == c[1]:
                    self.failed.add(1000 * t + pc)
                    return None
                pc += 1
            elif (c[0] in ("lock", "try") and held[c[1]]) or (c[0] == "unlock" and not held[c[1]]):
                pc += 1
            else:
                break
        return (pc, r, k, held)

    def enabled(self, state):
        ts, _, locks = state
        for t, (pc, _, _, _) in enumerate(ts):
            if pc < len(self.threads[t]):
                c = self.threads[t][pc]
                if c[0] != "lock" or locks[c[1]] == -1:
                    yield t

    def step(self, state, t):
        ts, words, locks = state
        pc, r, k, held = ts[t]
        c = self.threads[t][pc]
        words, locks, held = list(words), list(locks), list(held)
        if c[0] == "load":
            r = words[c[1]]
        elif c[0] == "store":
            words[c[1]] = c[2]
        elif c[0] == "copy":
            words[c[1]] = r
        elif c[0] == "cas":
            hit = words[c[1]] == c[2]
            if hit:
                words[c[1]] = c[3]
            r = int(hit)
        elif c[0] in ("try", "lock"):
            free = locks[c[1]] == -1
            if free:
                locks[c[1]], held[c[1]] = t, 1
            if c[0] == "try":
                r = int(free)
        elif c[0] == "unlock":
            locks[c[1]], held[c[1]] = -1, 0
        elif c[0] == "toggle":
            k = 1 - k
        after = self.local(t, pc + 1, r, k, tuple(held))
        if after is None:
            return None
        return (ts[:t] + (after,) + ts[t + 1:], tuple(words), tuple(locks))

    def explore(self):
        first = tuple(self.local(t, 0, 0, 0, (0,) * LOCKS) for t in range(len(self.threads)))
        self.can, self.edges = {}, []
        if None in first:
            self.broken_at_once = True
            raise TooLarge
        todo = [(first, (0,) * WORDS, (-1,) * LOCKS)]
        self.can[todo[0]] = None
        while todo:
            s = todo.pop()
            can = self.can[s] = set(self.enabled(s))
            if not can:
                if all(th[0] >= len(self.threads[t]) for t, th in enumerate(s[0])):
                    self.finals.add((tuple(th[1] for th in s[0]), s[1]))
                else:
                    self.stuck = True
            for t in can:
                to = self.step(s, t)
                if to is None:
                    continue
                self.edges.append((s, t, to))
                if to not in self.can:
                    if len(self.can) > MOST_STATES:
                        raise TooLarge
                    self.can[to] = None
                    todo.append(to)

    def fair(self):
        return self.fair_in(set(self.can), self.edges)

    def fair_in(self, states, edges):
        out, back = {}, {}
        edges = [e for e in edges if e[0] in states and e[2] in states]
        for a, _, b in edges:
            out.setdefault(a, []).append(b)
            back.setdefault(b, []).append(a)

        def reach(start, graph, within):
            seen, todo = {start}, [start]
            while todo:
                for n in graph.get(todo.pop(), ()):
                    if n in within and n not in seen:
                        seen.add(n)
                        todo.append(n)
            return seen

        left = {s for s in states if s in out and s in back}
        while left:
            pivot = next(iter(left))
            part = reach(pivot, out, left) & reach(pivot, back, left)
            left -= part
            inner = [e for e in edges if e[0] in part and e[2] in part]
            if not inner:
                continue
            could = set().union(*(self.can[s] for s in part))
            never = could - {t for _, t, _ in inner}
            if not never:
                return True
            rest = {s for s in part if not self.can[s] & never}
            if rest and self.fair_in(rest, inner):
                return True
        return False


def judge(heddle, program, number, threads, toggles, machine, chain, tmp):
    command = [heddle, "check", "-q", "--keep-going", "--no-minimise", "--races", "off", "--json", "-",
               "--trace-dir", tmp] + chain + [program, "--", str(number)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    try:
        j = json.loads(done.stdout)
    except ValueError:
        return f"no answer: {done.stderr.decode()[:300]}"
    got = {v["kind"] for v in j["violations"]}
    asserts = {int(v["message"].split("&&")[1].split(">=")[0]) for v in j["violations"]
               if v["kind"] == "assertion"}
    wrong = []
    if asserts != machine.failed:
        wrong.append(f"assertions {sorted(asserts)} instead of {sorted(machine.failed)}")
    if j.get("observations", 0) != len(machine.finals):
        wrong.append(f"{j.get('observations', 0)} final states instead of {len(machine.finals)}")
    endless = machine.fair()
    exact = toggles and "super-step" not in " ".join(chain)
    if exact and ("livelock" in got) != endless:
        wrong.append(f"livelock: {'livelock' in got} instead of {endless}")
    if exact and ("deadlock" in got) != machine.stuck:
        wrong.append(f"deadlock: {'deadlock' in got} instead of {machine.stuck}")
    if got & {"livelock", "deadlock"} and not (endless or machine.stuck):
        wrong.append(f"{sorted(got)} where neither is")
    if machine.stuck and not got & {"livelock", "deadlock"}:
        wrong.append("a deadlock is missing")
    if got - {"assertion", "livelock", "deadlock"}:
        wrong.append(f"{sorted(got)}")
    return "; ".join(wrong)


ALWAYS = [["--strategy", "stateful"], ["--strategy", "hybrid"]]
IN_TURN = [["--strategy", "stateful", "--exact-states"], ["--strategy", "dpor-stateful"], ["--strategy", "hr"],
           ["--reduce", "states,super-step"], ["--strategy", "hybrid:hr"], ["--strategy", "hr-fields"],
           ["--strategy", "hybrid", "--exact-states"]]


def main():
    heddle, wanted = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    chains = [sys.argv[4:]] if len(sys.argv) > 4 else None
    programs = []
    while len(programs) < wanted:
        threads, toggles = generate(seed)
        try:
            programs.append((seed, threads, toggles, Machine(threads)))
        except TooLarge:
            pass
        seed += 1
    out = [HEAD]
    for n, p in enumerate(programs):
        render(n, p[1], out)
    out.append("static void *(*const *const all[])(void *) = { "
               + ", ".join(f"p{n}" for n in range(len(programs))) + " };")
    out.append("static const int sizes[] = { "
               + ", ".join(str(len(p[1])) for p in programs) + " };")
    out.append(TAIL)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        source, program = os.path.join(tmp, "loops.c"), os.path.join(tmp, "loops")
        with open(source, "w") as f:
            f.write("\n".join(out))
        subprocess.run([heddle, "cc", "-Wno-unused-label", "-o", program, source, "-pthread"], check=True)
        for n, (number, threads, toggles, machine) in enumerate(programs):
            for chain in chains or ALWAYS + [IN_TURN[n % len(IN_TURN)]]:
                wrong = judge(heddle, program, n, threads, toggles, machine, chain, tmp)
                if wrong:
                    failed += 1
                    print(f"not ok seed {number} {' '.join(chain)}: {wrong}")
                    for t, code in enumerate(threads):
                        print(f"#   T{t + 1}: {code}")
                else:
                    passed += 1
    endless = sum(p[3].fair() for p in programs)
    print(f"# {len(programs)} programs, {endless} with a fair cycle, "
          f"{sum(p[3].stuck for p in programs)} that can be stuck")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
