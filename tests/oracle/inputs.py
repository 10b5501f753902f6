#!/usr/bin/env python3
"""Chosen input against native runs: `heddle check --input nondet:BYTES`.

inputs.py HEDDLE N SEED

Random programs of one thread read standard input in random ways, write what they got, and abort for some of it.  Each runs
natively, without heddle, with every input there is.  As many executions as there are different outputs must be explored, and
abort() must be reported exactly when a native run aborts.  Random programs of two threads call getchar() or read() some times
each.  There the judge counts by definition: calls of both threads in every order, times what they can get.
"""
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile

BYTES = "ab\n"

HEAD = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static unsigned hash = 7;
static void note(const char *call, long result, const char *bytes, long n)
{
    printf("%s=%ld:", call, result);
    hash = hash * 31 + (unsigned)result;
    for (long i = 0; i < n; i++) {
        printf("%02x", (unsigned char)bytes[i]);
        hash = hash * 31 + (unsigned char)bytes[i];
    }
    printf(" ");
}
"""


def stream_call(draw):
    n = draw.randint(1, 3)
    return draw.choice([
        '{ int c = getchar(); char b = (char)c; note("getchar", c, &b, 1); }',
        '{ int c = fgetc(stdin); note("fgetc", c, "", 0); if (c == \'a\') { ungetc(c, stdin); note("unget", 0, "", 0); } }',
        f'{{ char b[4] = "..."; long n = (long)fread(b, 1, {n}, stdin); note("fread", n, b, n); }}',
        f'{{ char b[5] = "...."; char *p = fgets(b, {n + 1}, stdin); note("fgets", p != NULL, b, {n + 1}); }}',
        '{ char *p = NULL; size_t room = 0; long n = getline(&p, &room, stdin); note("getline", n, p, n); free(p); }',
        '{ note("feof", feof(stdin) != 0, "", 0); }',
        '{ int c = getc_unlocked(stdin); note("getc_unlocked", c, "", 0); clearerr(stdin); }',
    ])


def read_call(draw):
    n = draw.randint(1, 3)
    return f'{{ char b[4] = "..."; long n = read(0, b, {n}); note("read", n, b, n < 0 ? 0 : n); }}'


def sequential(draw):
    kind = draw.choice([stream_call, read_call])
    calls = [kind(draw) for _ in range(draw.randint(1, 4))]
    loop = draw.choice(["", 'for (int c; (c = getchar()) != EOF;) note("rest", c, "", 0);']) if kind is stream_call else ""
    modulus = draw.randint(2, 40)
    body = "\n    ".join(calls + [loop])
    return f"{HEAD}\nint main(void)\n{{\n    {body}\n    fflush(stdout);\n    if (hash % {modulus} == 0)\n        abort();\n    return 0;\n}}\n"


def native(program, most):
    """The different outputs, and whether a run aborts."""
    outputs, aborts = set(), False
    for n in range(most + 1):
        for text in itertools.product(BYTES, repeat=n):
            with tempfile.TemporaryFile() as file:
                file.write("".join(text).encode())
                file.seek(0)
                run = subprocess.run([program], stdin=file, capture_output=True, check=False)
            outputs.add(run.stdout)
            aborts |= run.returncode != 0
    return len(outputs), aborts


def check(heddle, source, arguments, folder):
    report = os.path.join(folder, "json")
    subprocess.run([heddle, "check", "-q", "--keep-going", "--no-minimise", "--no-earlier", "--json", report, "--trace-dir",
                    os.path.join(folder, "traces"), *arguments, source], stdout=subprocess.DEVNULL, check=False)
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def complain(source, what):
    print(f"not ok inputs: {what}\n" + open(source, encoding="utf-8").read())
    sys.exit(1)


def judge_sequential(draw, heddle, folder):
    source, program = os.path.join(folder, "p.c"), os.path.join(folder, "p")
    with open(source, "w", encoding="utf-8") as file:
        file.write(sequential(draw))
    subprocess.run(["cc", "-w", "-o", program, source], check=True)
    most = draw.randint(1, 3)
    outputs, aborts = native(program, most)
    strategy = draw.choice(["optimal", "brute", "source", "stateful"])
    got = check(heddle, source, ["--strategy", strategy, "--input", "nondet:ab\\n", "--input-length", str(most)], folder)
    if (got["verdict"] == "violation") != aborts:
        complain(source, f"{got['verdict']}, but native runs {'abort' if aborts else 'end'} (length {most}, {strategy})")
    if strategy != "stateful" and got["executions"] != outputs:
        complain(source, f"{got['executions']} executions instead of {outputs} (length {most}, {strategy})")


def judge_threads(draw, heddle, folder):
    """Calls conflict with each other, so every order of the calls is a trace; what they get is any input, as far as it is read."""
    source = os.path.join(folder, "p.c")
    calls = draw.choice(["getchar()", "read(0, &byte, 1)"])
    counts, most = [draw.randint(1, 2), draw.randint(1, 2)], draw.randint(1, 4)
    with open(source, "w", encoding="utf-8") as file:
        file.write(f"{HEAD}\nstatic void *reads(void *n)\n{{\n    char byte;\n    (void)byte;\n"
                   f"    for (long i = 0; i < (long)n; i++)\n        {calls};\n    return NULL;\n}}\n"
                   "int main(void)\n{\n    pthread_t t;\n"
                   f"    pthread_create(&t, NULL, reads, (void *){counts[0]}L);\n    reads((void *){counts[1]}L);\n"
                   "    pthread_join(t, NULL);\n    return 0;\n}\n")
    total = sum(counts)
    inputs = sum(len(BYTES) ** k for k in range(min(total, most) + 1))
    expected = math.comb(total, counts[0]) * inputs
    for strategy in ["optimal", "source"]:
        got = check(heddle, source, ["--strategy", strategy, "--input", "nondet:ab\\n", "--input-length", str(most)], folder)
        if got["verdict"] == "violation" or got["executions"] != expected:
            complain(source, f"{got['verdict']}, {got['executions']} executions instead of {expected} (length {most}, {strategy})")


def main():
    heddle, n, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        for i in range(n):
            (judge_threads if i % 4 == 3 else judge_sequential)(draw, heddle, folder)
    print(f"ok inputs: {n} programs that read chosen input, against native runs with every input")


main()
