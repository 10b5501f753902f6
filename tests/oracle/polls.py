#!/usr/bin/env python3
"""Random programs with loops that poll, against an interpreter that visits every state.

    tests/oracle/polls.py HEDDLE PROGRAMS [FIRST_SEED [OPTIONS OF heddle check]]

Loops around timed waits (condition variables, semaphores, locks) and sleeps, with and without a lock,
looking at one or two words or at what came of the wait; beside them threads that set words, signal,
post, take and try locks.  Any timed wait may run out at any time.

The interpreter shares nothing with heddle.  A search over states must agree with it in the final
states, the failing assertions, and in whether threads can be stuck or go round for ever.  A search over
executions, which is let go round --polls times, must find nothing that is not there; must find all
that the interpreter finds when it stops threads after as many turns by the rule of
docs/design/003-waiting.md; and must agree in all when it says that it has seen all."""
import json, os, random, subprocess, sys, tempfile

import loops_machine as loops
from loops_machine import LOCKS, TooLarge

loops.MOST_STATES = 20000
POLLS = 2
PASSIVE = {"load", "sleep", "twait", "stry", "tlock", "try", "lock", "unlock"}


def poll_loop(rng, code):
    """Appends a loop; jumps are absolute."""
    lock, word, want = rng.randrange(LOCKS), rng.randrange(2), rng.randint(1, 2)
    kind = rng.choice(["cond", "cond", "cond2", "woken", "sleep", "locked", "sem", "semflag", "tlock"])
    if kind in ("cond", "cond2", "woken"):
        code.append(("lock", lock))
    top, ends = len(code), []

    def leave(value):
        ends.append(len(code))
        code.append(["jump", "eq", value, None])

    if kind == "locked":
        code += [("lock", lock), ("load", word), ("unlock", lock)]
        leave(want)
    elif kind not in ("sem", "tlock"):
        code.append(("load", word))
        leave(want)
    if kind == "cond2":
        code.append(("load", 1 - word))
        leave(rng.randint(1, 2))
    if kind in ("cond", "cond2", "woken"):
        code.append(("twait", lock))
        if kind == "woken":
            leave(1)
    elif kind in ("sem", "semflag"):
        code.append(("stry",))
        if kind == "sem":
            leave(1)
    elif kind == "tlock":
        code.append(("tlock", lock))
        leave(1)
    else:
        code.append(("sleep",))
    code.append(("jump", "always", 0, top))
    for e in ends:
        code[e] = ("jump", "eq", code[e][2], len(code))
    if kind in ("cond", "cond2", "woken", "tlock"):
        if rng.random() < 0.3:
            code.append(("load", word))
        code.append(("unlock", lock))


def act(rng, code):
    kind = rng.choice(["store", "store", "under", "under", "signal", "broadcast", "post", "try", "load", "assert"])
    lock = rng.randrange(LOCKS)
    if kind == "store":
        code.append((kind, rng.randrange(2), rng.randint(0, 2)))
    elif kind == "under":
        code.append(("lock", lock))
        for _ in range(rng.randint(1, 2)):
            code.append(rng.choice([("store", rng.randrange(2), rng.randint(1, 2)), ("signal", lock),
                                    ("broadcast", lock), ("load", rng.randrange(2))]))
        code.append(("unlock", lock))
    elif kind == "try":
        code += [("try", lock), ("unlock", lock)]
    elif kind in ("signal", "broadcast"):
        code.append((kind, lock))
    elif kind == "load":
        code.append((kind, rng.randrange(2)))
    elif kind == "assert":
        code.append((kind, rng.randint(1, 2)))
    else:
        code.append((kind,))


def generate(seed):
    rng = random.Random(seed)
    threads, n = [], rng.choice([2, 2, 3])
    for t in range(n):
        code = []
        if t == 0 or rng.random() < 0.4:
            if rng.random() < 0.3:
                act(rng, code)
            poll_loop(rng, code)
            if rng.random() < 0.5:
                act(rng, code)
        else:
            for _ in range(rng.randint(1, 3 if n == 2 else 2)):
                act(rng, code)
        threads.append(code)
    return threads


AT = "struct timespec at; clock_gettime(CLOCK_REALTIME, &at); at.tv_sec += 1;"


def render(number, threads, out):
    more = {
        "sleep": lambda c: "usleep(10);",
        "twait": lambda c: f"if (held[{c[1]}]) {{ {AT} r = pthread_cond_timedwait(&c[{c[1]}], &m[{c[1]}], &at) == 0; }}",
        "signal": lambda c: f"pthread_cond_signal(&c[{c[1]}]);",
        "broadcast": lambda c: f"pthread_cond_broadcast(&c[{c[1]}]);",
        "post": lambda c: "sem_post(&s);",
        "stry": lambda c: f"{{ {AT} r = sem_timedwait(&s, &at) == 0; }}",
        "tlock": lambda c: f"if (!held[{c[1]}]) {{ {AT} held[{c[1]}] = r = pthread_mutex_timedlock(&m[{c[1]}], &at) == 0; }}",
    }
    first = len(out)
    loops.render_one(number, [[c if c[0] not in more else ("yield",) for c in code] for code in threads], out)
    at = first
    for t, code in enumerate(threads):  # two entries, one for each instruction, one for the end
        for i, c in enumerate(code):
            if c[0] in more:
                out[at + 2 + i] = f"L{i}:\n    {more[c[0]](c)}"
        at += 2 + len(code) + 1


class Machine(loops.Machine):
    """A thread is (pc, r, k, held, phase, turns), the semaphore the third word.  Phases of a timed wait on
    a condition: 1 in the queue, 2 the same and time stands still, 5 signalled, 3 and 4 it is over
    by time or by a signal, and the lock is to be had again.  `most`: turns before time stands still."""

    def __init__(self, threads, most=None):
        self.most = most
        self.cut = False
        loops.WORDS = 3
        super().__init__(threads)

    def local(self, t, pc, r, k, held):
        code = self.threads[t]
        while True:
            after = super().local(t, pc, r, k, held)
            if after is None or after[0] >= len(code):
                return after
            c = code[after[0]]
            if (c[0] == "twait" and not held[c[1]]) or (c[0] == "tlock" and held[c[1]]):
                pc = after[0] + 1
                continue
            return after

    def explore(self):
        first = tuple(self.local(t, 0, 0, 0, (0,) * LOCKS) for t in range(len(self.threads)))
        self.can, self.edges = {}, []
        if None in first:
            raise TooLarge
        todo = [(tuple(f + (0, 0) for f in first), (0, 0, 0), (-1,) * LOCKS)]
        self.can[todo[0]] = None
        while todo:
            s = todo.pop()
            can = set()
            for t in range(len(self.threads)):
                for to in self.steps(s, t):
                    can.add(t)
                    if to is None:
                        continue
                    self.edges.append((s, t, to))
                    if to not in self.can:
                        if len(self.can) > loops.MOST_STATES:
                            raise TooLarge
                        self.can[to] = None
                        todo.append(to)
            self.can[s] = can
            if not can:
                if all(th[0] >= len(self.threads[t]) for t, th in enumerate(s[0])):
                    self.finals.add((tuple(th[1] for th in s[0]), s[1][:2]))
                else:
                    self.stuck = True

    def too_long(self, turns):
        return self.most is not None and turns >= self.most

    def more_turns(self, turns):
        return turns if self.most is None else turns + 1

    def steps(self, state, t):
        """The states after the thread's next step: none when it cannot move; None: an assertion fails."""
        ts, words, locks = state
        pc, r, k, held, phase, turns = ts[t]
        if pc >= len(self.threads[t]):
            return []
        c = self.threads[t][pc]
        op = c[0]
        if op not in PASSIVE:
            turns = 0
        timed = op in ("sleep", "stry", "tlock") or (op == "twait" and phase == 0)
        limit = timed and self.too_long(turns)
        self.cut = self.cut or limit
        if timed and not limit:
            turns = self.more_turns(turns)

        def done(r, words=words, locks=locks, held=held, turns=turns, others=ts):
            after = self.local(t, pc + 1, r, k, tuple(held))
            if after is None:
                return None
            return (others[:t] + (after + (0, turns),) + others[t + 1:], tuple(words), tuple(locks))

        def change(tup, i, value):
            return tup[:i] + (value,) + tup[i + 1:]

        if op == "sleep":
            return [] if limit else [done(r)]
        if op == "post":
            return [done(r, words=change(words, 2, words[2] + 1))]
        if op == "stry":
            if words[2]:
                return [done(1, words=change(words, 2, words[2] - 1), turns=0)]
            return [] if limit else [done(0)]
        if op == "tlock":
            if locks[c[1]] == -1:
                return [done(1, locks=change(locks, c[1], t), held=change(held, c[1], 1), turns=0)]
            return [] if limit else [done(0)]
        if op == "twait":
            put = lambda p, locks=locks, n=turns: (change(ts, t, (pc, r, k, held, p, n)), words, locks)
            if phase == 0:
                return [put(2 if limit else 1, change(locks, c[1], -1))]
            if phase == 1:
                return [put(3)]
            if phase == 5:
                return [put(4, n=0)]
            if phase == 2 or locks[c[1]] != -1:
                return []
            return [done(int(phase == 4), locks=change(locks, c[1], t), turns=0 if phase == 4 else turns)]
        if op in ("signal", "broadcast"):
            waiting = [u for u, th in enumerate(ts) if th[4] in (1, 2) and self.threads[u][th[0]][1] == c[1]]

            def woken(us):
                out = ts
                for u in us:
                    th = out[u]
                    out = change(out, u, th[:4] + ((5, th[5]) if th[4] == 1 else (4, 0)))
                return done(r, others=out)

            if op == "broadcast" or not waiting:
                return [woken(waiting)]
            return [woken([u]) for u in waiting]
        if op == "lock" and locks[c[1]] != -1:
            return []
        plain = (tuple(th[:4] for th in ts), words, locks)
        to = self.step(plain, t)
        if to is None:
            return [None]
        return [(change(ts, t, to[0][t] + (0, turns)), to[1], to[2])]


def run(heddle, program, number, chain, tmp):
    command = [heddle, "check", "-q", "--keep-going", "--no-minimise", "--races", "off", "--json", "-",
               "--trace-dir", tmp] + chain + [program, "--", str(number)]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    except subprocess.TimeoutExpired:
        return None, "no answer after ten minutes"
    try:
        return json.loads(done.stdout), ""
    except ValueError:
        return None, f"no answer: {done.stderr.decode()[:300]}"


def judge(j, whole, bounded, states):
    kinds = {v["kind"] for v in j["violations"]}
    asserts = {int(v["message"].split("&&")[1].split(">=")[0]) for v in j["violations"]
               if v["kind"] == "assertion"}
    seen, ends = j.get("observations", 0), kinds & {"livelock", "deadlock"}
    least = whole if states or j["exhaustive"] else bounded
    wrong = []
    if not least.failed <= asserts <= whole.failed:
        wrong.append(f"assertions {sorted(asserts)}, not {sorted(least.failed)} to {sorted(whole.failed)}")
    if not len(least.finals) <= seen <= len(whole.finals):
        wrong.append(f"{seen} final states, not {len(least.finals)} to {len(whole.finals)}")
    for_ever = whole.stuck or whole.fair()
    if ends and not for_ever:
        wrong.append(f"{sorted(ends)} where neither is")
    if for_ever and not ends and (states or j["exhaustive"] or (whole.stuck and not bounded.cut)):
        wrong.append("that it does not end is missing")
    if kinds - {"assertion", "livelock", "deadlock"}:
        wrong.append(f"{sorted(kinds)}")
    return "; ".join(wrong)


STATES = [["--strategy", "stateful"], ["--strategy", "hybrid"], ["--strategy", "dpor-stateful"],
          ["--strategy", "stateful", "--exact-states"], ["--reduce", "states,super-step"]]
EXECUTIONS = [["--strategy", "optimal"], ["--strategy", "source"], ["--reduce", "dpor"],
              ["--reduce", "sleep"]]


def build(heddle, programs, tmp):
    """One executable for all of them, which takes the number of one."""
    out = [loops.HEAD.replace("#include <stdlib.h>", "#include <semaphore.h>\n#include <stdlib.h>\n#include <time.h>\n"
                              "#include <unistd.h>"),
           "static pthread_cond_t c[2] = { PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER };\nstatic sem_t s;\n"]
    for n, p in enumerate(programs):
        render(n, p[1], out)
    out.append("static void *(*const *const all[])(void *) = { "
               + ", ".join(f"p{n}" for n in range(len(programs))) + " };")
    out.append("static const int sizes[] = { " + ", ".join(str(len(p[1])) for p in programs) + " };")
    out.append(loops.TAIL.replace("    long seen", "    sem_init(&s, 0, 0);\n    long seen"))
    source, program = os.path.join(tmp, "polls.c"), os.path.join(tmp, "polls")
    with open(source, "w") as f:
        f.write("\n".join(out))
    subprocess.run([heddle, "cc", "-Wno-unused-label", "-o", program, source, "-pthread"], check=True)
    return program


def check(heddle, programs, only, counts):
    with tempfile.TemporaryDirectory() as tmp:
        program = build(heddle, programs, tmp)
        for n, (number, threads, whole, bounded) in enumerate(programs):
            for chain in [only] if only else [STATES[n % len(STATES)], EXECUTIONS[n % len(EXECUTIONS)]]:
                states = "stat" in " ".join(chain) or "hybrid" in " ".join(chain)
                j, wrong = run(heddle, program, n, chain + ([] if states else ["--polls", str(POLLS)]), tmp)
                if j:
                    wrong = judge(j, whole, bounded, states)
                    counts["exact"] += not states and j["exhaustive"]
                counts["failed" if wrong else "passed"] += 1
                if wrong:
                    print(f"not ok seed {number} {' '.join(chain)}: {wrong}", flush=True)
                    for t, code in enumerate(threads):
                        print(f"#   T{t + 1}: {code}")


def main():
    heddle, wanted = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    counts = dict.fromkeys(("passed", "failed", "exact", "cut", "endless", "stuck"), 0)
    for first in range(0, wanted, 50):
        programs = []
        while len(programs) < min(50, wanted - first):
            threads = generate(seed)
            try:
                programs.append((seed, threads, Machine(threads), Machine(threads, POLLS)))
            except TooLarge:
                pass
            seed += 1
        check(heddle, programs, sys.argv[4:], counts)
        counts["cut"] += sum(p[3].cut for p in programs)
        counts["endless"] += sum(p[2].fair() for p in programs)
        counts["stuck"] += sum(p[2].stuck for p in programs)
    print(f"# {wanted} programs, {counts['cut']} with a loop that was cut, {counts['endless']} that can go round "
          f"for ever, {counts['stuck']} that can be stuck; {counts['exact']} searches over executions saw all")
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return counts["failed"] != 0


if __name__ == "__main__":
    sys.exit(main())
