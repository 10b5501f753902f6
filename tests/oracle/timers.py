#!/usr/bin/env python3
"""Random programs with timerfds, under every memory model, against all their interleavings.

    tests/oracle/timers.py [--serve ORACLE_SERVE] [--jobs N] [--seed N] HEDDLE PROGRAMS

The machine follows timerfd_create(2) with a clock that nobody can read, and nothing in it is shared with heddle.  An armed timer
expires at any moment, by itself; a periodic one stays armed, and has expired at most twice when it is read.  A read takes the number
of expirations; that of the first timer waits for one, that of the second fails with EAGAIN.  poll says whether there is one.  A sleep that is longer than a timer which the
thread has armed before does not end before that timer has expired.  Spans get shorter from one call to the next, so that
the expiration of one timer says nothing of another.  Every call is an operation on one timer, all of which are ordered, so a weak memory
model allows no other results.  heddle must observe the same set of results, and find a deadlock if there is one."""
import random, sys

import batch

TIMERS, SLOTS = 2, 6
MOST = 3000
# ("set", timer, span, periodic), ("stop", timer), ("look", timer), ("read", timer), ("get", timer), ("nap",), ("sleep",), ("st", c), ("ld",)


def random_program(rng):
    periodic = rng.random() < .3
    span = 1000

    def one():
        nonlocal span
        k, timer = rng.random(), rng.randrange(TIMERS)
        span -= 10
        if k < .32: return ("set", timer, span, periodic and rng.random() < .6)
        if k < .38: return ("stop", timer)
        if k < .48: return ("look", timer)
        if k < .72: return ("read", timer)
        if k < .80: return ("get", timer)
        if k < .86: return ("nap",)
        if k < .92: return ("nap",) if periodic else ("sleep",)
        return rng.choice([("st", rng.randint(1, 2)), ("ld",)])

    if rng.random() < .2: # the time of a timer is over, unless another thread has set it again
        timer = rng.randrange(TIMERS)
        return [[("set", timer, 995, False), ("sleep",), rng.choice([("look", timer), ("get", timer), ("read", timer)])],
                [rng.choice([("set", timer, 994, False), ("stop", timer), ("read", timer), ("look", timer)])]]
    n = rng.choice([2, 2, 2, 3])
    return [[one() for _ in range(rng.randint(1, 3 if n == 2 else 1))] for _ in range(n)]


# a timer: (armed, periodic, count, who, number of the call); a thread: (pc, slots, None or the calls that its sleep waits for)
class Machine:
    def __init__(self, program):
        self.code = program

    def steps(self, state):
        threads, timers, word, calls = state
        for k, (armed, periodic, count, who, call) in enumerate(timers):
            if armed and count < (2 if periodic else 1):
                t = (periodic, periodic, count + 1, who, call)
                yield threads, timers[:k] + (t,) + timers[k + 1:], word, calls
        for i, t in enumerate(threads):
            if t[0] < len(self.code[i]): yield from self.run(i, t, state)

    def run(self, i, thread, state):
        threads, timers, word, calls = state
        pc, slots, sleeps = thread
        op = self.code[i][pc]

        def on(value=None, timer=None, word=word, calls=calls):
            me = (pc + 1, slots if value is None else slots[:pc] + (value,) + slots[pc + 1:], None)
            new = timers if timer is None else timers[:op[1]] + (timer,) + timers[op[1] + 1:]
            return threads[:i] + (me,) + threads[i + 1:], new, word, calls

        if op[0] == "set": yield on(timer=(True, op[3], 0, i, calls), calls=calls + 1)
        elif op[0] == "stop": yield on(timer=(False, False, 0, i, -1))
        elif op[0] == "st": yield on(word=op[1])
        elif op[0] == "ld": yield on(word)
        elif op[0] == "nap": yield on()
        elif op[0] == "get": yield on(1 + timers[op[1]][0])
        elif op[0] == "sleep" and sleeps is None:
            mine = frozenset(t[4] for t in timers if t[0] and t[3] == i)
            yield threads[:i] + ((pc, slots, mine),) + threads[i + 1:], timers, word, calls
        elif op[0] == "sleep":
            if not any(t[0] and t[4] in sleeps for t in timers): yield on()
        elif op[0] == "look": yield on(1 + (timers[op[1]][2] > 0))
        else:
            armed, periodic, count, who, call = timers[op[1]]
            if count: yield on(count + 1, timer=(armed, periodic, 0, who, call))
            elif op[1] == 1: yield on(1)

    def explore(self):
        first = (tuple((0, (0,) * SLOTS, None) for _ in self.code), ((False, False, 0, 0, -1),) * TIMERS, 0, 0)
        return batch.results(first, self.steps, lambda s: all(t[0] == len(c) for t, c in zip(s[0], self.code)),
                             lambda s: tuple(x for t in s[0] for x in t[1]) + (s[2],), MOST)


def line(op, k):
    return {"set": lambda: f"set({op[1]}, {op[2]}, {int(op[3])});", "stop": lambda: f"set({op[1]}, 0, 0);",
            "look": lambda: f"r[{k}] = look({op[1]});", "read": lambda: f"r[{k}] = number({op[1]});",
            "get": lambda: f"r[{k}] = armed({op[1]});", "nap": lambda: "usleep(1);", "sleep": lambda: "usleep(9000);",
            "st": lambda: f"word = {op[1]};", "ld": lambda: f"r[{k}] = word;"}[op[0]]()


HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>
void heddle_observe(const void *, unsigned long);
static atomic_int word;
static int fds[2];
static long results[3][6];
static void set(int timer, long us, int periodic)
{
    struct itimerspec at = { { 0, periodic ? us * 1000 : 0 }, { 0, us * 1000 } };
    timerfd_settime(fds[timer], 0, &at, NULL);
}
static long number(int timer)
{
    uint64_t n;
    return read(fds[timer], &n, sizeof n) < 0 ? 1 : (long)n + 1;
}
static long look(int timer)
{
    struct pollfd p = { fds[timer], POLLIN, 0 };
    return 1 + poll(&p, 1, 0);
}
static long armed(int timer)
{
    struct itimerspec is;
    timerfd_gettime(fds[timer], &is);
    return 1 + (is.it_value.tv_sec || is.it_value.tv_nsec);
}
static void run(int n, void *(*const code[])(void *))
{
    pthread_t ids[3];
    for (int i = 0; i < 2; i++)
        fds[i] = timerfd_create(CLOCK_MONOTONIC, i ? TFD_NONBLOCK : 0);
    for (int i = 0; i < n; i++)
        pthread_create(&ids[i], NULL, code[i], results[i]);
    for (int i = 0; i < n; i++)
        pthread_join(ids[i], NULL);
    long seen[20] = { 0 };
    memcpy(seen, results, sizeof results);
    seen[6 * n] = word;
    heddle_observe(seen, (6 * (unsigned)n + 1) * sizeof *seen);
}
"""


def render(programs):
    return batch.render_threads(HEAD, programs, lambda code: [line(op, k) for k, op in enumerate(code)])


def programs_of(seed, wanted):
    out = []
    while len(out) < wanted:
        program = random_program(random.Random(seed))
        kinds = [op[0] for t in program for op in t]
        found = Machine(program).explore() if "set" in kinds and {"look", "read", "get"} & set(kinds) else None
        if found and (len(found[0]) > 1 or found[1] or seed % 4 == 0): out.append((seed, program, found))
        seed += 1
    return out, seed


def judge(check, number, program):
    _, threads, found = program
    return batch.judge_results(check, threads, [(options, found) for options in batch.MODELS])


if __name__ == "__main__":
    sys.exit(batch.run_results(programs_of, render, judge))
