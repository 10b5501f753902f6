#!/usr/bin/env python3
"""Random programs whose threads send each other signals with handlers, against all their interleavings.

    tests/oracle/handlers.py [--serve ORACLE_SERVE] [--jobs N] [--seed N] HEDDLE PROGRAMS

The machine follows POSIX, and nothing in it is shared with heddle.  A signal is pending from the moment it is sent, and may be
delivered before any operation of its thread from then on, also while that operation waits; a mask holds it back.  One that a
thread sends to itself, and those that are pending when a mask is lifted or a handler returns, are delivered at once, in any order.  A
semaphore's wait that a handler has interrupted may fail with EINTR, unless all these handlers have SA_RESTART; a sleep may in any case.
Waits for mutexes and condition variables go on.  A signal for the process is pending for every thread, and delivered to one that does not
block it; if that is the sender alone, at once.  heddle must observe the same set of results, and find a deadlock if there is one."""
import collections, random, sys

import batch
from loops_machine import fnv

VARS, SIGNALS = 2, 2
# of threads and handlers: ("st", v, c), ("ld", v), ("kill", thread, signal), ("post",); thread None: the process
# of threads: ("block", s), ("unblock", s), ("wait",), ("nap",), ("lock",), ("unlock",), ("cwait",), ("csig",), ("fin",)


def random_program(rng, share):
    """share: how many of its signals are for the process."""
    n = rng.choice([1, 2, 2, 2, 2, 2])
    handlers = []
    for s in range(SIGNALS):
        code = [rng.choice([("st", rng.randrange(VARS), 3 + s), ("ld", rng.randrange(VARS)), ("post",)])
                for _ in range(rng.choice([1, 1, 2]))]
        handlers.append({"code": code, "restart": rng.random() < .5, "all": rng.random() < .5})

    def one():
        k = rng.random()
        if k < .20: return [("st", rng.randrange(VARS), rng.randint(1, 2))]
        if k < .40: return [("ld", rng.randrange(VARS))]
        if k < .68: return [("kill", None if rng.random() < share else rng.randrange(n), rng.randrange(SIGNALS))]
        if k < .74: return [("block", rng.randrange(SIGNALS))]
        if k < .80: return [("unblock", rng.randrange(SIGNALS))]
        if k < .86: return [("wait",)]
        if k < .90: return [("post",)]
        if k < .93: return [("nap",)]
        return [("lock",), rng.choice([("ld", 0), ("cwait",), ("csig",), ("st", 0, 2)]), ("unlock",)]

    threads = [sum((one() for _ in range(rng.randint(1, 5 - n))), []) + [("fin",)] for _ in range(n)]
    left = 2 if sum(map(len, threads)) - n < 4 else 1  # more make too many interleavings
    for t, code in enumerate(threads):
        for k, op in enumerate(code):
            if op[0] == "kill" and op[1] != t:
                left -= 1
                if left < 0: code[k] = ("ld", 0)
    return threads, handlers


MOST = 600

# a thread: (frames, mask, pending, slots, phase); a frame: (signal or -1, pc, mask to restore, stops, ran, inside); inside: the handler
# runs before the call that let it run returns (a signal to itself, a lifted mask), so it interrupts nothing
# phase of the innermost frame's operation: 0, or of a wait at a condition variable: 1 waits, 2 wants the mutex
class Machine:
    def __init__(self, program):
        self.code, self.handlers = program

    def slot(self, slots, where, value):
        return tuple(sorted({**dict(slots), where: value}.items()))

    def op(self, frame):
        code = self.code_of(frame)
        return code[frame[1]] if frame[1] < len(code) else None

    def code_of(self, frame):
        return self.now if frame[0] < 0 else self.handlers[frame[0]]["code"]

    def delivered(self, t, s, inside=False):
        """The thread with the handler of the signal on top, and what is left for the process."""
        frames, mask, pending, slots, phase, shared = t
        if not pending & (1 << s): shared &= ~(1 << s)
        h = self.handlers[s]
        held = mask | (1 << s) | ((1 << SIGNALS) - 1 if h["all"] else 0)
        slots = self.slot(slots, (s, 3), dict(slots).get((s, 3), 0) + 1)
        return (frames + ((s, 0, mask, False, False, inside),), held, pending & ~(1 << s), slots, phase + (0,), shared)

    def due(self, t):
        return [s for s in range(SIGNALS) if (t[2] | t[5]) & ~t[1] & (1 << s)]

    def settle(self, t, inside=True):
        """All threads that this one may be once what must be delivered at once is."""
        return [self.delivered(t, s, inside) for s in self.due(t)] or [t]

    def steps(self, state):
        threads, words, sem, owner, cond, shared = state
        for i, t in enumerate(threads):
            frames, mask, pending, slots, phase = t
            self.now = self.code[i]
            if not frames: continue
            def put(thread, j=i, words=words, sem=sem, owner=owner, cond=cond, threads=threads, shared=shared):
                if len(thread) == 6:  # it has taken or left signals of the process
                    thread, shared = thread[:5], thread[5]
                return (threads[:j] + (thread,) + threads[j + 1:], words, sem, owner, cond, shared)
            f, op = frames[-1], self.op(frames[-1])
            if op is None:  # a handler returns
                under = frames[-2]
                stops = under[3] or not (f[5] or self.handlers[f[0]]["restart"])
                rest = frames[:-2] + ((*under[:3], stops, under[4] or not f[5], under[5]),)
                new = (rest, f[2], pending, slots, phase[:-1], shared)
                for s in self.settle(new, f[5]): yield put(s)
                continue
            t += (shared,)
            if f[4] and not self.due(t):  # back from handlers
                fresh = frames[:-1] + ((f[0], f[1], f[2], False, False, f[5]),)
                yield put((fresh, mask, pending, slots, phase))
                if (op[0] == "wait" and f[3]) or op[0] == "nap":
                    done = frames[:-1] + ((f[0], f[1] + 1, f[2], False, False, f[5]),)
                    yield put((done, mask, pending, self.slot(slots, (f[0], f[1]), 4), phase))
                continue
            for s in self.due(t): yield put(self.delivered(t, s))
            yield from self.run(i, t[:5], state, put, op)

    def run(self, i, t, state, put, op):
        threads, words, sem, owner, cond, shared = state
        frames, mask, pending, slots, phase = t
        f = frames[-1]
        on = frames[:-1] + ((f[0], f[1] + 1, f[2], False, False, f[5]),)
        me = (on, mask, pending, slots, phase)
        k = op[0]
        if k == "st": yield put(me, words=words[:op[1]] + (op[2],) + words[op[1] + 1:])
        elif k == "ld":
            yield put((on, mask, pending, self.slot(slots, (f[0], f[1]), words[op[1]]), phase))
        elif k == "post": yield put(me, sem=sem + 1)
        elif k == "kill" and op[1] is None:
            bit = 1 << op[2]
            others = any(o[0] and not o[1] & bit for j, o in enumerate(threads) if j != i)
            new = (on, mask, pending, slots, phase, shared | bit)
            for s in self.settle(new) if not (mask & bit or others) else [new]: yield put(s)
        elif k == "kill" and op[1] == i:
            new = (on, mask, pending | (1 << op[2]), slots, phase, shared)
            for s in self.settle(new) if not mask & (1 << op[2]) else [new]: yield put(s)
        elif k == "kill":
            o = threads[op[1]]
            if o[0]: o = (o[0], o[1], o[2] | (1 << op[2]), o[3], o[4])
            yield put(o, j=op[1], threads=threads[:i] + (me,) + threads[i + 1:])
        elif k in ("block", "unblock"):
            now = mask | (1 << op[1]) if k == "block" else mask & ~(1 << op[1])
            for s in self.settle((on, now, pending, slots, phase, shared)): yield put(s)
        elif k == "wait":
            if sem: yield put((on, mask, pending, self.slot(slots, (f[0], f[1]), 1), phase), sem=sem - 1)
        elif k == "nap": yield put((on, mask, pending, self.slot(slots, (f[0], f[1]), 1), phase))
        elif k == "lock":
            if owner < 0: yield put(me, owner=i)
        elif k == "unlock": yield put(me, owner=-1)
        elif k == "csig":
            if not cond: yield put(me)
            for w in sorted(cond):
                o = threads[w]
                woken = (o[0], o[1], o[2], o[3], (2,) + o[4][1:])
                yield put(woken, j=w, threads=threads[:i] + (me,) + threads[i + 1:], cond=cond - {w})
        elif k == "cwait":
            if phase[-1] == 0: yield put((frames, mask, pending, slots, phase[:-1] + (1,)), owner=-1, cond=cond | {i})
            elif phase[-1] == 2 and owner < 0: yield put((on, mask, pending, slots, phase[:-1] + (0,)), owner=i)
        elif k == "fin": yield put(((), mask, pending, slots, phase))

    def explore(self):
        """(results, deadlock), or None if there are too many states."""
        begin = (((-1, 0, 0, False, False, False),), 0, 0, (), (0,))
        first = (tuple(begin for _ in self.code), (0,) * VARS, 0, -1, frozenset(), 0)
        seen, todo, finals, dead = {first}, [first], set(), False
        while todo:
            state = todo.pop()
            if len(seen) > MOST: return None
            new = list(self.steps(state))
            if not new and any(t[0] for t in state[0]): dead = True
            elif not new: finals.add(self.result(state))
            for s in new:
                if s not in seen:
                    seen.add(s)
                    todo.append(s)
        return finals, dead

    def result(self, state):
        out = []
        for i, t in enumerate(state[0]):
            slots = dict(t[3])
            out += [slots.get((-1, k), 0) for k in range(12)]
            for s in range(SIGNALS):
                out += [slots.get((s, k), 0) for k in range(4)]
        return tuple(out) + state[1]


def lines(code, where):
    for k, op in enumerate(code):
        slot = f"slots[{k}]" if where < 0 else f"slots[{12 + 4 * where + k}]"
        yield {"st": lambda: f"words[{op[1]}] = {op[2]};", "ld": lambda: f"{slot} = words[{op[1]}];",
               "kill": lambda: (f"kill(getpid(), " if op[1] is None else f"pthread_kill(ids[{op[1]}], ") + f"SIGUSR1 + 2 * {op[2]});",
               "post": lambda: "sem_post(&sem);",
               "block": lambda: f"mask(SIG_BLOCK, {op[1]});", "unblock": lambda: f"mask(SIG_UNBLOCK, {op[1]});",
               "wait": lambda: f"{slot} = sem_wait(&sem) ? 4 : 1;", "nap": lambda: f"{slot} = usleep(1) ? 4 : 1;",
               "lock": lambda: "pthread_mutex_lock(&m);", "unlock": lambda: "pthread_mutex_unlock(&m);",
               "cwait": lambda: "pthread_cond_wait(&c, &m);", "csig": lambda: "pthread_cond_signal(&c);",
               "fin": lambda: "finish(me);"}[op[0]]()


HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void heddle_observe(const void *, unsigned long);
static atomic_int words[2];
static pthread_t ids[3];
static sem_t sem, done, leave[3];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static long results[3][20];
static _Thread_local long slots[20];
static void mask(int how, int s)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1 + 2 * s);
    pthread_sigmask(how, &set, NULL);
}
static void block_all(void)
{
    sigset_t set;
    sigfillset(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}
static void finish(long me)
{
    block_all();
    memcpy(results[me], slots, sizeof slots);
    sem_post(&done);
    sem_wait(&leave[me]); /* that a thread has ended orders nothing */
}
static void install(int s, void (*handler)(int), int restart, int all)
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = restart ? SA_RESTART : 0 };
    if (all) {
        sigaddset(&action.sa_mask, SIGUSR1);
        sigaddset(&action.sa_mask, SIGUSR2);
    }
    sigaction(SIGUSR1 + 2 * s, &action, NULL);
}
static void run(int n, void *(*const code[])(void *))
{
    sem_init(&sem, 0, 0);
    sem_init(&done, 0, 0);
    for (int i = 0; i < n; i++)
        sem_init(&leave[i], 0, 0);
    pthread_mutex_lock(&gate);
    for (int i = 0; i < n; i++)
        pthread_create(&ids[i], NULL, code[i], (void *)(long)i);
    block_all();
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < n; i++) /* until then signals may be sent */
        sem_wait(&done);
    for (int i = 0; i < n; i++)
        sem_post(&leave[i]);
    for (int i = 0; i < n; i++)
        pthread_join(ids[i], NULL);
    long seen[64] = { 0 };
    for (int i = 0; i < n; i++)
        memcpy(seen + 20 * i, results[i], sizeof results[i]);
    for (int i = 0; i < 2; i++)
        seen[20 * n + i] = words[i];
    heddle_observe(seen, (20 * (unsigned)n + 2) * sizeof *seen);
}
"""


def render(programs):
    out = [HEAD]
    for p, (_, (threads, handlers), _) in enumerate(programs):
        for s, h in enumerate(handlers):
            out.append(f"static void h{p}_{s}(int n)\n{{\n    slots[{15 + 4 * s}]++;")
            out += ["    " + line for line in lines(h["code"], s)] + ["}"]
        for t, code in enumerate(threads):
            out.append(f"static void *t{p}_{t}(void *arg)\n{{\n    long me = (long)arg;\n"
                       "    pthread_mutex_lock(&gate);\n    pthread_mutex_unlock(&gate);")
            out += ["    " + line for line in lines(code, -1)] + ["    return NULL;\n}"]
        out.append(f"static void p{p}(void)\n{{")
        out += [f"    install({s}, h{p}_{s}, {int(h['restart'])}, {int(h['all'])});" for s, h in enumerate(handlers)]
        out.append(f"    static void *(*const code[])(void *) = {{ "
                   + ", ".join(f"t{p}_{t}" for t in range(len(threads))) + f" }};\n    run({len(threads)}, code);\n}}")
    out.append("int main(int argc, char **argv)\n{\n    switch (atoi(argv[argc > 1])) {")
    out += [f"    case {p}: p{p}(); break;" for p in range(len(programs))]
    out.append("    }\n    return 0;\n}")
    return "\n".join(out) + "\n"


def programs_of(seed, wanted):
    out = []
    while len(out) < wanted:
        program = random_program(random.Random(seed), seed % 3 / 2)
        found = Machine(program).explore() if any(op[0] == "kill" for t in program[0] for op in t) else None
        if found: out.append((seed, program, found))
        seed += 1
    return out, seed


# All accesses are seq_cst or ordered by locks, so every memory model has the results of interleavings.
MODELS = [["--memory", "rc11"], ["--memory", "tso"], ["--memory", "sc", "--strategy", "graph"]]
OTHERS = [["--reduce", "not-seen"], ["--reduce", "sleep"], ["--strategy", "optimal"], ["--reduce", "source"]]


def judge(check, number, program):
    seed, (threads, _), (finals, dead) = program
    failures, counts = [], collections.Counter()
    races = ["--races", "off"]
    paranoid = ["--paranoid"] if seed % 4 == 0 else []
    shared = any(op[:2] == ("kill", None) for code in threads for op in code)
    plain = [] if shared else [races, races + OTHERS[seed % len(OTHERS)]]  # of signals for the process there are too many
    for options in plain + [MODELS[seed % 3] + paranoid, MODELS[(seed + 1) % 3]]:
        options = ["--keep-going"] + options
        j, why = check(options)
        want = (len(finals) or None, fnv(finals) if finals else None, dead)
        got = why or (j.get("observations"), j.get("observations_hash"),
                      any(v["kind"] == "deadlock" for v in j["violations"]))
        good = j is not None and got == want and all(v["kind"] == "deadlock" for v in j["violations"])
        counts["passed" if good else "failed"] += 1
        counts["deadlocks"] += dead
        counts["results"] += len(finals)
        if not good: failures.append(f"{' '.join(options)}: {got} instead of {want}")
    return failures, counts


def main():
    a = batch.parser().parse_args()
    batch.ALWAYS = ["-q", "--no-minimise"]
    programs, counts = batch.run(a, programs_of, render, judge)
    failed = batch.over(counts)
    print(f"# {counts['results']} results, {counts['deadlocks']} checks with deadlocks")
    return failed


if __name__ == "__main__":
    sys.exit(main())
