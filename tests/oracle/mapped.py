#!/usr/bin/env python3
"""Random programs whose threads access a mapped file in memory and by pread and pwrite, against all their interleavings.

    tests/oracle/mapped.py [--serve ORACLE_SERVE] [--jobs N] [--seed N] HEDDLE PROGRAMS

Every step of the machine is one access, or one call, and each thread, the lock, the flag and the order of calls have a clock of happens-before.  Nothing in it is
shared with heddle.  The flag is the only atomic variable, stored once, and no load reads what comes after it, so a program without races has the same results under every memory
model, even if the flag is relaxed and orders nothing.  heddle must observe these.  If an interleaving has an access of the mapping and a call that happens-before does not order, searches over graphs must refuse the program, and
`optimal` must observe the results.  If one has two plain accesses that race, all must find a data race, and --memory tso must refuse the program."""
import collections, random, sys

import batch

SLOTS = 4
WORDS = 2
MOST = 20000
RELAXED = 2
ORDERS = (("seq_cst", "seq_cst"), ("release", "acquire"), ("relaxed", "relaxed"))
CALLS = ("pread", "pwrite")
ACCESSES = ("load", "store")
# ("load", word), ("store", word, value), ("pread", word), ("pwrite", word, value), ("lock",), ("unlock",), ("set", order), ("get", order): without the flag the next one is left out


def random_program(rng):
    n, calls, value = rng.choice([2, 2, 2, 3]), rng.random() < .8, iter(range(1, 99))
    guarded = rng.choice([.5, .9, 1, 1])

    def one():
        kind = rng.choice(ACCESSES + CALLS if calls else ACCESSES)
        return (kind, rng.randrange(WORDS)) + ((next(value),) if kind in ("store", "pwrite") else ())

    def block(most):
        ops = [one() for _ in range(rng.randint(1, most))]
        return [("lock",)] + ops + [("unlock",)] if rng.random() < guarded else ops

    if rng.random() < .3:
        order = rng.randrange(3)
        return [block(2) + [("set", order)], [("get", order), one()] + (block(1) if rng.random() < .4 else [])]
    return [sum((block(2) for _ in range(rng.randint(1, 2 if n == 2 else 1))), []) for _ in range(n)]


def join(a, b):
    return tuple(map(max, a, b))


# a state: threads (pc, clock, slots); words; (owner, clock) of the lock; (value, clock) of the flag; the clock of calls; for each thread the time of its last
# call, of its last access, and of its last load and store of each word; has it had a race, or a call without order?
class Machine:
    def __init__(self, program):
        self.code = program
        self.n = len(program)

    def steps(self, state):
        for i, t in enumerate(state[0]):
            if t[0] < len(self.code[i]):
                s = self.run(i, t, state)
                if s: yield s

    def run(self, i, thread, state):
        threads, words, lock, flag, chain, last, race, loose = state
        pc, clock, slots = thread
        kind, *args = self.code[i][pc]
        now = clock[i] + 1
        clock = clock[:i] + (now,) + clock[i + 1:]
        skip, value = 1, None
        mine = last[i]

        def unordered(column):
            return any(last[t][column] > clock[t] for t in range(self.n) if t != i)

        if kind == "lock":
            if lock[0]: return None
            clock, lock = join(clock, lock[1]), (True, lock[1])
        elif kind == "unlock": lock = (False, clock)
        elif kind == "set": flag = (1, clock if args[0] != RELAXED else flag[1])
        elif kind == "get":
            clock = join(clock, flag[1])
            skip = 1 if flag[0] else 2
        else:
            word = args[0]
            if kind in CALLS:
                chain = clock = join(clock, chain)
                loose = loose or unordered(1)
                mine = (now,) + mine[1:]
            else:
                loose = loose or unordered(0)
                race = race or unordered(3 + 2 * word) or (kind == "store" and unordered(2 + 2 * word))
                mine = list(mine)
                mine[1] = mine[2 + 2 * word + (kind == "store")] = now
                mine = tuple(mine)
            if len(args) > 1: words = words[:word] + (args[1],) + words[word + 1:]
            else: value = words[word]
        if value is not None:
            at = sum(op[0] in ("load", "pread") for op in self.code[i][:pc])
            slots = slots[:at] + (value + 1,) + slots[at + 1:]
        threads = threads[:i] + ((pc + skip, clock, slots),) + threads[i + 1:]
        return threads, words, lock, flag, chain, last[:i] + (mine,) + last[i + 1:], race, loose

    def explore(self):
        zero = (0,) * self.n
        first = (((0, zero, (0,) * SLOTS),) * self.n, (0,) * WORDS, (False, zero), (0, zero), zero,
                 ((0,) * (2 + 2 * WORDS),) * self.n, False, False)
        is_final = lambda s: all(t[0] >= len(c) for t, c in zip(s[0], self.code))
        both = batch.results(first, self.steps, is_final,
                             lambda s: (s[6], s[7], s[1] + tuple(x for t in s[0] for x in t[2])), MOST)
        if not both: return None
        races, loose = any(r for r, _, _ in both[0]), any(u for _, u, _ in both[0])
        return {r for _, _, r in both[0]}, races, loose


HEAD = """#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
void heddle_observe(const void *, unsigned long);
static int fd;
static long *words;
static atomic_int flag;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct { long words[2], slots[3][4]; } results;
static long get(int word)
{
    long value = -1;
    return pread(fd, &value, 8, 8 * word) == 8 ? value : -1;
}
static void put(int word, long value) { if (pwrite(fd, &value, 8, 8 * word) != 8) abort(); }
static void run(int n, void *(*const code[])(void *))
{
    pthread_t ids[3];
    fd = open("heddle-oracle", O_RDWR | O_CREAT, 0600);
    if (ftruncate(fd, 4096) || (words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED) abort();
    for (int i = 0; i < n; i++)
        pthread_create(&ids[i], NULL, code[i], results.slots[i]);
    for (int i = 0; i < n; i++)
        pthread_join(ids[i], NULL);
    for (int i = 0; i < 2; i++)
        results.words[i] = words[i];
    heddle_observe(&results, sizeof results.words + (unsigned)n * sizeof results.slots[0]);
}
"""
TEXT = {"load": "words[{}]", "pread": "get({})", "store": "words[{}] = {};", "pwrite": "put({}, {});", "lock": "pthread_mutex_lock(&m);",
        "unlock": "pthread_mutex_unlock(&m);", "set": "atomic_store_explicit(&flag, 1, memory_order_{});", "get": "if (atomic_load_explicit(&flag, memory_order_{}))"}


def lines(code):
    out, n = [], 0
    for kind, *args in code:
        text = TEXT[kind].format(*([ORDERS[args[0]][kind == "get"]] if kind in ("set", "get") else args))
        if kind in ("load", "pread"):
            text, n = f"r[{n}] = {text} + 1;", n + 1
        out.append(text)
    return out


def render(programs):
    return batch.render_threads(HEAD, programs, lines)


def programs_of(seed, wanted):
    out = []
    while len(out) < wanted:
        program = random_program(random.Random(seed))
        fits = all(sum(op[0] in ("load", "pread") for op in t) <= SLOTS for t in program)
        found = Machine(program).explore() if fits else None
        if found and not (found[1] and found[2]): out.append((seed, program, found))
        seed += 1
    return out, seed


def expect(check, options, words, counts, failures, threads):
    """A refusal with these words; or a data race, if there are none."""
    j, why = check(["--keep-going"] + options)
    good = words in why if words else j is not None and any(v["kind"] == "data-race" for v in j["violations"])
    counts["passed" if good else "failed"] += 1
    if not good: failures.append(f"{' '.join(options)}: {why or j['violations']} instead of {words or 'a data race'}: {threads}")


def judge(check, number, program):
    _, threads, (finals, races, loose) = program
    if not races and not loose:
        return batch.judge_results(check, threads, [(options, (finals, False)) for options in batch.MODELS])
    failures, counts = [], collections.Counter()
    for options in batch.MODELS:
        if loose and options[-1] == "optimal":
            more, c = batch.judge_results(check, threads, [(options, (finals, False))])
            failures += more
            counts += c
        else:
            words = "is not ordered with the other access" if loose else "accesses of different sizes race" if options[-1] == "tso" else ""
            expect(check, options, words, counts, failures, threads)
    return failures, counts


if __name__ == "__main__":
    sys.exit(batch.run_results(programs_of, render, judge))
