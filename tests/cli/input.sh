#!/bin/bash
# Chosen input (--input): what is tried, what is refused, and that a violation can be replayed.
# tests/oracle/inputs.py compares with native runs.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# program CODE: the body of main.
program() {
    cat >"$tmp/p.c" <<C
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>
#include <wchar.h>
static _Atomic int flag;
static void *nothing(void *unused) { return unused; }
int main(int argc, char **argv)
{
    (void)argc, (void)argv, (void)flag, (void)nothing;
    $1;
    return 0;
}
C
}

# The word is found, its trace replays, and the trace says what the input was made of.
program 'char word[8] = ""; fgets(word, 8, stdin); assert(strcmp(word, "ba\n") != 0)'
check_program "input: a line of three bytes" "violation assertion" "" 15 --input 'nondet:ab\n' p.c
trace=$(ls "$tmp"/traces/*.trace)
if grep -qx 'input nondet:ab\\n' "$trace" && grep -qx 'input-length 3' "$trace" &&
    "$HEDDLE" replay p.c "$trace" >"$tmp/out" 2>&1; [ $? = 1 ] && grep -q "assertion" "$tmp/out"; then
    pass "input: the trace replays without options"
else
    fail "input: the trace replays without options" "$(first_lines "$tmp/out")"
fi
check_program "input: two bytes are not enough" "no-violation-found" 7 "" --input nondet:ab --input-length 2 p.c
program 'int c = getchar(); assert(c != 0 && c != 200)'
check_program "input: bytes by number" "violation assertion" "" 15 --input 'nondet:\0\xc8' p.c

# An argument: 1 + 2 + 4 + 8 of them.
program 'assert(argc == 3); assert(strlen(argv[2]) <= 3)'
check_program "input: arguments" "verified" 15 "" --input nondet:ab p.c -- x @@
program 'assert(argc == 2); assert(strcmp(argv[1], "bab") != 0)'
check_program "input: an argument that breaks the program" "violation assertion" "" 15 --input nondet:ab p.c -- @@
program 'assert(strcmp(argv[1], "@@") == 0)'
check_program "input: without the option @@ is @@" "verified" 1 "" p.c -- @@

# Closed, duplicated and replaced.
program 'fclose(stdin); getchar()'
check_program "input: closed" "violation memory" "" 15 --input nondet:ab p.c
program 'char c; int fd = dup(0); close(0); assert(read(0, &c, 1) == -1); assert(read(fd, &c, 1) != 1 || c != 98)'
check_program "input: duplicated" "violation assertion" "" 15 --input nondet:ab p.c

# refused NAME PATTERN CODE
refused() {
    program "$3"
    expect_error "input: $1" "$2" "$HEDDLE" check --input nondet:ab p.c
}
refused scanf 'p.c:15: (__isoc[0-9]*_)?scanf\(\) of standard input that is chosen' 'int n; scanf("%d", &n)'
refused fseek 'p.c:15: fseek\(\) of standard input that is chosen' 'fseek(stdin, 0, SEEK_SET)'
refused lseek 'p.c:15: lseek\(\) of standard input that is chosen' 'lseek(0, 0, SEEK_SET)'
refused pread 'p.c:15: pread\(\) of standard input that is chosen' 'char c; pread(0, &c, 1, 0)'
refused getwchar 'p.c:15: getwchar\(\) of standard input that is chosen' 'getwchar()'
refused "the descriptor after the stream" 'p.c:15: reading descriptor 0 after the stream' 'char c; getchar(); read(0, &c, 1)'
refused "a second stream" 'p.c:15: fdopen\(\) of something' 'fdopen(0, "r")'
refused epoll 'p.c:15: epoll of something' 'struct epoll_event e = { 0 }; epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, 0, &e)'
program 'char b[60]; read(0, b, 60)'
expect_error "input: too many outcomes of one step" 'more than 4096 outcomes' "$HEDDLE" check --input nondet:abcdefgh --input-length 5 p.c
program 'pthread_t t; pthread_create(&t, 0, nothing, 0); getchar(); atomic_store_explicit(&flag, 1, memory_order_relaxed); pthread_join(t, 0)'
expect_error "input: with a weak memory model" 'does not know chosen input' "$HEDDLE" check --memory rc11 --input nondet:ab p.c
check_program "input: with weak atomics" "no-violation-found" 3 "" --input nondet:ab p.c
cat >cin.cc <<'C'
#include <iostream>
int main() { int c = std::cin.get(); return c == 'a'; }
C
expect_error "input: std::cin" 'of standard input that is chosen' "$HEDDLE" check --input nondet:ab cin.cc
for wrong in nondet: nondet nondet:aa 'nondet:\q' any; do
    expect_error "input: --input $wrong" 'give the bytes of which input is made' "$HEDDLE" check --input "$wrong" p.c
done
expect_error "input: --input-length alone" 'input-length needs --input' "$HEDDLE" check --input-length 2 p.c
