#!/usr/bin/env python3
"""Random programs whose threads write to, read from and close both ends of a socket pair, against all their interleavings.

    tests/oracle/sockets.py [--serve ORACLE_SERVE] [--jobs N] [--seed N] HEDDLE PROGRAMS

The machine follows close(2), unix(7) and the order in which Linux closes a socket, and nothing in it is shared with heddle.  A call looks its number up,
which fails after the number was closed, then reads or writes, and lets the socket go.  A socket whose number is closed ends when no
call holds it.  Then first the other side cannot write any more (EPIPE), and in another step it has read all when there are no more bytes.  Every step is an operation on an object whose operations are all ordered, so a weak memory model allows no
other results.  heddle must observe the same set of results, and find a deadlock if there is one."""
import random, sys

import batch

SLOTS = 4
MOST = 20000
FAILED, CLOSED, DONE = 1, 2, 3  # EPIPE or the end of what there is to read; EBADF; success
# ("write", end), ("read", end), ("close", end), with the ends 0 and 1


def random_program(rng):
    def one():
        k, end = rng.random(), rng.randrange(2)
        return ("write" if k < .34 else "read" if k < .62 else "close", end)
    n = rng.choice([2, 2, 2, 3])
    if rng.random() < .2: # who has seen the end of what the other side writes
        end = rng.randrange(2)
        return [[one(), ("close", end)], [("read", 1 - end), ("write", 1 - end), one()]]
    return [[one() for _ in range(rng.randint(1, 3 if n == 2 else 2))] for _ in range(n)]


# a thread: (pc, phase, slots); a socket: (open, calls that hold it, closing, bytes to be read, no reader on the other side, no writer there)
class Machine:
    def __init__(self, program):
        self.code = program

    def steps(self, state):
        for i, t in enumerate(state[0]):
            if t[0] < len(self.code[i]): yield from self.run(i, t, state)

    def run(self, i, thread, state):
        threads, sockets = state
        pc, phase, slots = thread
        kind, end = self.code[i][pc]
        is_open, holders, closing, fill, broken, eof = sockets[end]
        sockets = list(sockets)

        def on(phase, value=None, **changes):
            for e, s in changes.items(): sockets[end if e == "this" else 1 - end] = s
            me = (pc if phase else pc + 1, phase, slots if value is None else slots[:pc] + (value,) + slots[pc + 1:])
            return threads[:i] + (me,) + threads[i + 1:], tuple(sockets)

        def ended(socket, first, last):
            """The other socket, when this one has ended, or half of it."""
            return socket[:4] + (socket[4] or first, socket[5] or last)

        other = sockets[1 - end]
        if phase == 0: # the number
            if not is_open: yield on(0, CLOSED)
            elif kind == "close": yield on(3, DONE, this=(False,) + sockets[end][1:])
            else: yield on(1, this=(is_open, holders + 1) + sockets[end][2:])
        elif phase == 1 and kind == "write":
            if broken: yield on(2, FAILED)
            else: yield on(2, DONE, other=other[:3] + (other[3] + 1,) + other[4:])
        elif phase == 1:
            if fill: yield on(2, DONE, this=(is_open, holders, closing, fill - 1, broken, eof))
            elif eof: yield on(2, FAILED)
        elif phase == 2: # lets go
            last = closing and holders == 1
            yield on(4 if last else 0, this=(is_open, holders - 1) + sockets[end][2:])
        elif phase == 3: # does a call hold it?
            if holders: yield on(0, this=(is_open, holders, True) + sockets[end][3:])
            else: yield on(4)
        elif phase == 4:
            yield on(5, other=ended(other, True, False))
        else: yield on(0, other=ended(other, False, True))

    def explore(self):
        first = (tuple((0, 0, (0,) * SLOTS) for _ in self.code), ((True, 0, False, 0, False, False),) * 2)
        return batch.results(first, self.steps, lambda s: all(t[0] == len(c) for t, c in zip(s[0], self.code)),
                             lambda s: tuple(x for t in s[0] for x in t[2]), MOST)


HEAD = """#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
void heddle_observe(const void *, unsigned long);
static int ends[2];
static long results[3][4];
static long outcome(ssize_t n) { return n > 0 ? 3 : n < 0 && errno == EBADF ? 2 : 1; }
static long put(int end) { return outcome(send(ends[end], "x", 1, MSG_NOSIGNAL)); }
static long get(int end)
{
    char byte;
    return outcome(read(ends[end], &byte, 1));
}
static long end(int end) { return close(ends[end]) == 0 ? 3 : 2; }
static void run(int n, void *(*const code[])(void *))
{
    pthread_t ids[3];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    for (int i = 0; i < n; i++)
        pthread_create(&ids[i], NULL, code[i], results[i]);
    for (int i = 0; i < n; i++)
        pthread_join(ids[i], NULL);
    heddle_observe(results, (unsigned)n * sizeof results[0]);
}
"""


def render(programs):
    names = {"write": "put", "read": "get", "close": "end"}
    return batch.render_threads(HEAD, programs, lambda code: [f"r[{k}] = {names[kind]}({end});" for k, (kind, end) in enumerate(code)])


def programs_of(seed, wanted):
    out = []
    while len(out) < wanted:
        program = random_program(random.Random(seed))
        kinds = [op[0] for t in program for op in t]
        found = Machine(program).explore() if "close" in kinds else None
        if found: out.append((seed, program, found))
        seed += 1
    return out, seed


def judge(check, number, program):
    _, threads, found = program
    return batch.judge_results(check, threads, [(options, found) for options in batch.MODELS])


if __name__ == "__main__":
    sys.exit(batch.run_results(programs_of, render, judge))
