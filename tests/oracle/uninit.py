#!/usr/bin/env python3
"""Random programs that leave bytes unwritten, against an interpreter of all interleavings.

    tests/oracle/uninit.py [--serve ORACLE_SERVE] [--jobs N] [--seed N] HEDDLE PROGRAMS

Threads store, load, copy and pass on bytes of two blocks that they share, of a block of their own and of a
local array.  The interpreter keeps, for every byte of memory and of a register, its value or that it was
never written.  It tries every order of the operations.  A program is wrong exactly when, in some order, an
unwritten byte decides something: the outcome of a branch is not the same for all values that the byte may
have, an index is made of it, or it is printed.  Copying is no use.  heddle must find a violation of kind
`memory` in exactly the wrong programs.  The interpreter shares nothing with heddle."""
import collections, os, random, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import batch

OBJECTS = ["a", "b", "own", "local"]  # the first two are shared; 8 bytes each
SIZE, REGISTERS, MOST = 8, 2, 60000
STRATEGIES = [["--strategy", "optimal"], ["--strategy", "source"], ["--strategy", "stateful"],
              ["--reduce", "not-seen"], ["--strategy", "auto"]]


def place(rng, width):
    return rng.choice([0, 0, 0, 1, 2, 3]), rng.randrange(SIZE) if width == 1 else rng.choice([0, 4])


def operation(rng, depth=0):
    kind = rng.choice(["set", "set", "set", "load", "load", "put", "copy", "fill", "if", "if", "if", "print",
                       "index", "low", "shift", "xor", "pass", "loop"])
    width = rng.choice([1, 1, 4])
    obj, off = place(rng, width)
    r = rng.randrange(REGISTERS)
    if kind == "set":
        return (kind, obj, off, width, rng.choice([0, 1, 0x01010101, 0x00010203]) if width == 4 else rng.randrange(3))
    if kind in ("load", "put"):
        return (kind, obj, off, width, r)
    if kind == "copy":
        n = rng.choice([1, 2, 4, 8])
        to, source = rng.sample(range(4), 2)
        return (kind, to, rng.randrange(SIZE - n + 1), source, rng.randrange(SIZE - n + 1), n)
    if kind == "fill":
        return (kind, obj, off, rng.randint(1, SIZE - off), rng.randrange(2))
    if kind == "if":
        test = (rng.choice(["==", "==", ">"]), r, rng.choice([0, 1, 0x01010101]))
        return (kind, test, tuple(operation(rng, 1) for _ in range(1 if depth else rng.randrange(3)))) \
            if depth < 1 else ("if", test, ())
    if kind == "loop" and depth == 0:
        n = rng.randint(2, 4)
        return (kind, obj, rng.randrange(SIZE - n + 1), n, rng.randrange(2))
    if kind == "loop":
        return ("xor", r)
    return (kind, r)


def generate(rng):
    n = rng.choice([1, 2, 2, 2, 3])
    most = {1: 7, 2: 5, 3: 3}[n]
    before = tuple(operation(rng, 1) for _ in range(rng.randrange(3)))
    before = tuple(op for op in before if op[0] in ("set", "fill") and op[1] < 2)
    threads = tuple(tuple(operation(rng) for _ in range(rng.randint(1, most))) for _ in range(n))
    after = tuple(op for op in (operation(rng, 1) for _ in range(rng.randrange(4))) if only_shared(op))
    return before, threads, after


def only_shared(op):
    return op[0] != "copy" and not (op[0] in ("set", "load", "put", "fill") and op[1] > 1) or \
        op[0] == "copy" and op[1] < 2 and op[3] < 2


# ---- the interpreter: a byte is its value, or None when nothing was written there ----

class Wrong(Exception):
    pass


def outcomes(test, register):
    """The outcomes of the test for all values that unwritten bytes may have; it is monotone in each byte
    or an equality, so that few values stand for all."""
    how, _, constant = test
    if how == ">":
        return {int.from_bytes(bytes(f if x is None else x for x in register), "little") > constant for f in (0, 255)}
    wanted = constant.to_bytes(4, "little")
    if any(x is not None and x != w for x, w in zip(register, wanted)):
        return {False}
    return {True} if None not in register else {True, False}


def flatten(code):
    """Operations become a list in which an `if` says where it goes on when it fails."""
    out = []
    for op in code:
        if op[0] == "if":
            inner = flatten(op[2])
            out.append(("branch", op[1], len(inner)))
            out += inner
        elif op[0] == "loop":
            out += [("set", op[1], op[2] + i, 1, op[4]) for i in range(op[3])]
        else:
            out.append(op)
    return out


def put(memory, at, values):
    return memory[:at] + tuple(values) + memory[at + len(values):]


def run(op, mem, regs):
    """Gives memory (shared and own), registers, and how many operations are skipped."""
    kind = op[0]
    if kind == "set":
        return put(mem, op[1] * SIZE + op[2], op[4].to_bytes(op[3], "little")), regs, 0
    if kind == "fill":
        return put(mem, op[1] * SIZE + op[2], (op[4],) * op[3]), regs, 0
    if kind == "load":
        at = op[1] * SIZE + op[2]
        return mem, put(regs, op[4], ((mem[at:at + op[3]] + (0, 0, 0))[:4],)), 0
    if kind == "put":
        return put(mem, op[1] * SIZE + op[2], regs[op[4]][:op[3]]), regs, 0
    if kind == "copy":
        source = op[3] * SIZE + op[4]
        return put(mem, op[1] * SIZE + op[2], mem[source:source + op[5]]), regs, 0
    if kind == "branch":
        found = outcomes(op[1], regs[op[1][1]])
        if len(found) == 2:
            raise Wrong
        return mem, regs, 0 if found == {True} else op[2]
    value = regs[op[1]]
    if kind == "print" and None in value or kind == "index" and value[0] is None:
        raise Wrong
    change = {"low": lambda v: (v[0], 0, 0, 0), "shift": lambda v: v[1:] + (0,),
              "xor": lambda v: tuple(x if x is None else x ^ 1 for x in v), "pass": lambda v: (v[0], v[2], v[1], v[3])}
    return mem, put(regs, op[1], (change[kind](value),)) if kind in change else regs, 0


def judge_program(program):
    """True: some order lets an unwritten byte decide.  None: there are too many."""
    before, threads, after = program
    codes = [flatten(c) for c in threads] + [flatten(after)]
    n = len(threads)
    empty = (None,) * (2 * SIZE)
    zero = ((0,) * 4,) * REGISTERS
    shared = empty
    for op in flatten(before):
        shared = run(op, shared + empty, zero)[0][:2 * SIZE]
    seen, todo = set(), [((0,) * (n + 1), shared, ((empty, zero),) * (n + 1))]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        if len(seen) > MOST:
            return None
        at, memory, locals_ = state
        live = [t for t in range(n) if at[t] < len(codes[t])]
        if not live and at[n] < len(codes[n]):
            live = [n]
        for t in live:
            own, regs = locals_[t]
            try:
                mem, regs, skipped = run(codes[t][at[t]], memory + own, regs)
            except Wrong:
                return True
            todo.append((put(at, t, (at[t] + 1 + skipped,)), mem[:2 * SIZE],
                         put(locals_, t, ((mem[2 * SIZE:], regs),))))
    return False


# ---- the same in C ----

def lvalue(obj, off, width):
    where = "%s + %d" % (OBJECTS[obj], off)
    return "*(%s)" % where if width == 1 else "*(unsigned *)(%s)" % where


def line(op):
    kind = op[0]
    if kind == "set":
        return "%s = %d;" % (lvalue(*op[1:4]), op[4])
    if kind == "fill":
        return "memset(%s + %d, %d, %d);" % (OBJECTS[op[1]], op[2], op[4], op[3])
    if kind == "load":
        return "r%d = %s;" % (op[4], lvalue(*op[1:4]))
    if kind == "put":
        return "%s = %sr%d;" % (lvalue(*op[1:4]), "(unsigned char)" if op[3] == 1 else "", op[4])
    if kind == "copy":
        return "memcpy(%s + %d, %s + %d, %d);" % (OBJECTS[op[1]], op[2], OBJECTS[op[3]], op[4], op[5])
    if kind == "if":
        return "if (r%d %s %du) { branched = 1; %s }" % (op[1][1], op[1][0], op[1][2], " ".join(map(line, op[2])))
    if kind == "loop":
        return "for (int i = 0; i < %d; i++) %s[%d + i] = %d;" % (op[3], OBJECTS[op[1]], op[2], op[4])
    return {"print": "printf(\"%%u\", r%d);", "index": "branched = table[r%d & 3];", "low": "r%d = r%d & 255;",
            "shift": "r%d = r%d >> 8;", "xor": "r%d = r%d ^ 0x01010101;", "pass": "r%d = swapped(r%d);"}[kind] % \
        ((op[1],) if kind in ("print", "index") else (op[1], op[1]))


HEAD = """#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned char *a, *b;
static const int table[4];
static _Thread_local int branched;
static unsigned swapped(unsigned v) { return (v & 0xff0000ff) | (v >> 8 & 0xff00) | (v << 8 & 0xff0000); }
"""


def body(code, own):
    out = ["    unsigned r0 = 0, r1 = 0;"]
    if own:
        out.append("    unsigned char *own = malloc(8);\n    _Alignas(8) unsigned char local[8];")
    out += ["    " + line(op) for op in code]
    return "\n".join(out + (["    (void)local;\n    free(own);"] if own else []) + ["    (void)r0; (void)r1;\n"])


def render(programs):
    out = [HEAD]
    for k, (_, (before, threads, after), _) in enumerate(programs):
        for t, code in enumerate(threads):
            out.append("static void *p%d_t%d(void *u)\n{\n%s    return u;\n}\n" % (k, t, body(code, True)))
        out.append("static void p%d(void)\n{\n    pthread_t id[%d];" % (k, len(threads)))
        out += ["    " + line(op) for op in before]
        out += ["    pthread_create(&id[%d], 0, p%d_t%d, 0);" % (t, k, t) for t in range(len(threads))]
        out += ["    pthread_join(id[%d], 0);" % t for t in range(len(threads))]
        out.append(body(after, False) + "}\n")
    out.append("int main(int argc, char **argv)\n{\n    static void (*const all[])(void) = { %s };" %
               ", ".join("p%d" % k for k in range(len(programs))))
    out.append("    a = malloc(8);\n    b = malloc(8);\n    all[argc > 1 ? atoi(argv[1]) : 0]();\n    return 0;\n}\n")
    return "\n".join(out)


def programs_of(seed, wanted):
    """Every second program that is taken is wrong, so that both answers are asked for."""
    programs = []
    while len(programs) < wanted:
        rng = random.Random(seed)
        for _ in range(50):
            program = generate(rng)
            wrong = judge_program(program)
            if wrong is not None and wrong == (seed % 2 == 0):
                programs.append((seed, program, wrong))
                break
        seed += 1
    return programs, seed


def judge(check, number, program):
    seed, _, wrong = program
    options = STRATEGIES[number % len(STRATEGIES)]
    result, why = check(options)
    kinds = sorted({v["kind"] for v in result["violations"]}) if result else [why]
    good = kinds == (["memory"] if wrong else [])
    counts = collections.Counter(passed=int(good), failed=int(not good), wrong=int(wrong))
    return ([] if good else ["%s: %s instead of %s" % (" ".join(options), kinds, "memory" if wrong else "nothing")]), counts


def main():
    batch.BATCH = 100
    a = batch.parser().parse_args()
    _, counts = batch.run(a, programs_of, render, judge)
    print("# %d of the programs let an unwritten byte decide" % counts["wrong"])
    return batch.over(counts)


if __name__ == "__main__":
    sys.exit(main())
