#!/bin/bash
# What main cannot reach is not in the program: it costs nothing, and nothing that runs is missing.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
clang=${HEDDLE_CLANG:-clang-19}

# defines PROGRAM FUNCTION
defines() { nm "$1" | grep -q " [TtWVi] $2\$"; }

# has NAME PROGRAM FUNCTION, lacks NAME PROGRAM FUNCTION
has() { if defines "$2" "$3"; then pass "$1"; else fail "$1" "$3 is not in the program"; fi; }
lacks() { if defines "$2" "$3"; then fail "$1" "$3 is in the program"; else pass "$1"; fi; }

# build NAME ARGUMENTS...: links ./NAME.
build() {
    local name=$1
    shift
    "$HEDDLE" cc -o "$name" "$@" >out 2>err || fail "$name: link" "$(first_lines err)"
}

cat >plain.c <<'E'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int x;
__attribute__((noinline)) void unused_inner(void) { x = 1; }
void unused(void) { unused_inner(); if (system("true")) x = 3; }
void (*table_of_nobody[])(void) = { unused };
static void *work(void *arg) { return arg; }
int main(void)
{
    pthread_t t;
    x = 2;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return x - 2;
}
E
build plain plain.c
lacks 'a function that nothing calls' plain unused
lacks 'what only such a function calls' plain unused_inner
check_program 'unused code does not count' 'verified' '' '' ./plain

# Each way to reach a function but a call: the program fails if it was not called.
cat >reached.c <<'E'
#include <assert.h>
int from_table, from_constructor, from_alias, from_section;
static void in_table(void) { from_table = 1; }
void (*const table[])(void) = { in_table };
__attribute__((constructor)) static void construct(void) { from_constructor = 1; }
void original(void) { from_alias = 1; }
void other(void) __attribute__((alias("original")));
static void in_section(void) { from_section = 1; }
__attribute__((section("parts"), used)) static void (*part)(void) = in_section;
extern void (*__start_parts[])(void), (*__stop_parts[])(void);
int main(int argc, char **argv)
{
    (void)argv;
    table[argc - 1]();
    other();
    for (void (**p)(void) = __start_parts; p < __stop_parts; p++)
        (*p)();
    assert(from_table && from_constructor && from_alias && from_section);
    return 0;
}
E
build reached reached.c
check_program 'tables, constructors, aliases, sections' 'verified' '' '' ./reached

# The section's variable without `used`, as projects have it that link without --gc-sections.
sed 's/, used//; s/static void (\*part)/void (*part)/' reached.c >unmarked.c
build unmarked unmarked.c
check_program 'a section of unmarked variables' 'verified' '' '' ./unmarked

# Native code names functions of the program.
cat >caller.c <<'E'
int call_back(void);
__attribute__((weak)) int replaced(void) { return 1; }
int call(void) { return call_back() + replaced(); }
E
cat >called.c <<'E'
#include <assert.h>
int call(void);
int call_back(void) { return 40; }
int replaced(void) { return 2; }
int spare(int n) { return n; }
int main(void) { assert(call() == 42); return 0; }
E
"$clang" -c caller.c -o caller.o
build by_object called.c caller.o
has 'called by a native object' by_object call_back
has 'replaces a function of a native object' by_object replaced
lacks 'not named by it' by_object spare
check_program 'native object' 'no-violation-found' '' '' ./by_object
"$clang" -shared -fPIC -o libcaller.so caller.c
build by_library called.c -L. -lcaller -Wl,-rpath,"$tmp"
has 'called by a native library' by_library call_back
has 'replaces a function of a native library' by_library replaced
lacks 'not named by the library' by_library spare

# Names that are known at run time only, or to the linker.
cat >lookup.c <<'E'
#include <dlfcn.h>
int spare(int n) { return n; }
int main(void) { return dlsym(RTLD_DEFAULT, "spare") == 0; }
E
build lookup lookup.c -ldl
has 'looked up by dlsym' lookup spare
build option called.c caller.o -Wl,--defsym=other_name=spare
has 'named by an option of the linker' option spare
build undefined called.c caller.o -Wl,-u,spare
has 'named by -u' undefined spare

cat >assembly.c <<'E'
int x;
void callee(void) { x = 1; }
int main(void)
{
    void (*f)(void);
    __asm__("leaq callee(%%rip), %0" : "=r"(f));
    return f == 0;
}
E
if [ "$(uname -m)" = x86_64 ]; then
    build assembly assembly.c
    has 'named by inline assembly' assembly callee
fi

# Names that nothing defines are an error in unused code, too, as they are for other linkers.
cat >missing.c <<'E'
int nowhere(void);
int unused(void) { return nowhere(); }
int main(void) { return 0; }
E
expect_error 'undefined in unused code' 'undefined symbol: nowhere' "$HEDDLE" cc -o missing missing.c

# Functions that are named when a check begins.
cat >invariant.c <<'E'
#include <pthread.h>
static int x;
int is_below_two(void) { return x < 2; }
static void *work(void *arg) { x = 2; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
E
check_program 'an invariant that nothing calls' 'violation invariant' '' '' --invariant is_below_two invariant.c
expect_error 'a target that is not reached' 'unused: no thread gets there' "$HEDDLE" check --target unused ./plain
