#!/bin/bash
# Files that are mapped, under weak memory models (docs/design/019-graph.md, docs/weak-memory.md): which calls are refused, and which accesses are races.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

cat >program.c <<'C'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>
static int fd;
static int *page;
static atomic_int flag;
static int in_file(void)
{
    int n = -1;
    assert(pread(fd, &n, sizeof n, 0) == sizeof n);
    return n;
}
static void *work(void *unused)
{
    WORK;
    return unused;
}
int main(void)
{
    pthread_t t;
    fd = open("heddle-cli-mapped", O_RDWR | O_CREAT, 0600);
    assert(fd >= 0 && ftruncate(fd, 4096) == 0);
    page = mmap(AT, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | FLAGS, fd, 0);
    assert(page != MAP_FAILED);
    pthread_create(&t, 0, work, 0);
    MAIN;
    pthread_join(t, 0);
    return 0;
}
C

# each_model: the searches over graphs, one after the other.
each_model() { printf '%s\n' '--memory rc11' '--memory tso' '--memory sc --strategy graph' '--strategy rf --memory sc'; }
# refused NAME PATTERN WORK MAIN: every search over graphs refuses it.
refused() {
    while read -r model; do
        # shellcheck disable=SC2086
        expect_error "$1, $model" "$2" "$HEDDLE" check -q $model -DAT=0 -DFLAGS=0 "-DWORK=$3" "-DMAIN=$4" program.c
    done < <(each_model)
}
# says NAME PATTERN ARGUMENTS...
says() {
    timeout "$LIMIT" "$HEDDLE" check -q --trace-dir traces -DAT=0 -DFLAGS=0 "${@:3}" program.c >out 2>&1
    grep -qE "$2" out && pass "$1" || fail "$1" "$(first_lines out)"
}

unordered='program\.c:13: .*may touch a mapped file.*not ordered with the other access: use .*\(the other access is at program\.c:18\)'
refused 'a store that is not ordered with the call' "$unordered" 'page[0] = 1' 'in_file()'
refused 'a load that is not ordered with the call' "$unordered" '(void)*(volatile int *)page' 'in_file()'
refused 'a relaxed flag orders nothing' "$unordered" 'page[0] = 1; atomic_store_explicit(&flag, 1, memory_order_relaxed)' \
    'if (atomic_load_explicit(&flag, memory_order_relaxed)) in_file()'
refused 'an atomic variable that is not ordered with the call' 'program\.c:13: .*the other access is at program\.c:18' \
    'atomic_store((atomic_int *)page, 1)' 'in_file()'
refused 'an atomic variable, and the call behind it' 'program\.c:13: .*a mapped file with an atomic variable in it.*program\.c:18' \
    'atomic_store((atomic_int *)page, 1); in_file()' 'flag = 1'
refused 'munmap that is not ordered' 'program\.c:18: .*or change the mapping, and is not ordered.*program\.c:29' 'munmap(page, 4096)' 'page[1] = 2'
for model in '--memory rc11' '--memory sc --strategy graph'; do # under tso there is always such a search
    # shellcheck disable=SC2086
    expect_error "without a search for races, $model" 'program\.c:13: .*does not know calls while a file is mapped.*--races off' "$HEDDLE" check -q $model \
        --races off -DAT=0 -DFLAGS=0 '-DWORK=in_file()' '-DMAIN=in_file()' program.c
done
while read -r model; do
    # shellcheck disable=SC2086
    expect_error "an address of the program, $model" 'program\.c:13: .*does not know calls while a file is mapped' "$HEDDLE" check -q $model \
        '-DAT=(void *)0x10000000' -DFLAGS=MAP_FIXED '-DWORK=in_file()' '-DMAIN=in_file()' program.c
done < <(each_model)
for model in '--memory rc11' '--memory sc --strategy graph' '--memory sc'; do
    # shellcheck disable=SC2086
    says "a race in the mapping, $model" '^data race: main writes page\[\] at program\.c:29.* T1 writes page\[\] at program\.c:18' $model \
        '-DWORK=page[0] = 1' '-DMAIN=page[0] = 2'
done
expect_error 'a race in the mapping, tso' 'of a mapped file' "$HEDDLE" check -q --memory tso -DAT=0 -DFLAGS=0 '-DWORK=page[0] = 1' '-DMAIN=page[0] = 2' program.c
says 'a loop that waits for a store, rc11' '^data race' --memory rc11 '-DWORK=page[0] = 1' '-DMAIN=while (!*(volatile int *)page) {}'
says 'the same over graphs under sc' '^data race' --memory sc --strategy graph '-DWORK=page[0] = 1' '-DMAIN=while (!*(volatile int *)page) {}'
says 'by default what is refused is explored under sc' '^no-violation-found' '-DWORK=page[0] = 1; atomic_store_explicit(&flag, 1, memory_order_relaxed)' \
    '-DMAIN=if (atomic_load_explicit(&flag, memory_order_relaxed)) in_file()'
while read -r model; do
    # shellcheck disable=SC2086
    says "an atomic variable that is used after the call, $model" '^verified' $model '-DWORK=in_file(); atomic_fetch_add((atomic_int *)page, 1)' '-DMAIN=flag = 1'
    # shellcheck disable=SC2086
    says "calls and no access, $model" '^verified' $model '-DWORK=in_file()' '-DMAIN=in_file()'
    # shellcheck disable=SC2086
    says "each order of calls is seen, $model" '^an assertion fails' $model '-DWORK=assert(pwrite(fd, "x", 1, 0) == 1)' '-DMAIN=assert(in_file() == 0)'
done < <(each_model)
