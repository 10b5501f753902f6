#!/bin/bash
# Libraries of native code that allocate, call back or make threads: heddle names the library, the function and the
# line that calls it, and what to do, instead of a violation or a verdict.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
clang=$("$HEDDLE" cc -print-prog-name=clang 2>/dev/null)
command -v "$clang" >/dev/null || clang=cc

# shared NAME: NAME.c as libNAME.so.
shared() { "$clang" -shared -fPIC -O1 -o "lib$1.so" "$1.c" -pthread || exit 2; }

# The piece of memory that the library gives out depends on the time.
cat >pieces.c <<'C'
static long memory[1 << 20];
void *piece(void)
{
    return memory + (__builtin_ia32_rdtsc() & ((1 << 20) - 1));
}
C
shared pieces
cat >takes.c <<'C'
#include <pthread.h>
void *piece(void);
_Atomic(int *) last;
static void *thread(void *unused)
{
    _Atomic int *p = piece();
    *p = 1;
    last = (int *)p;
    *p = 2;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    thread(0);
    pthread_join(t, 0);
    return 0;
}
C
expect_error 'memory of a library' 'not do the same when it is run again.*: piece of libpieces.so at takes.c:6.*build that code with heddle cc' \
    "$HEDDLE" check -q --memory sc --cc-flags "-L. -lpieces -Wl,-rpath,$tmp" takes.c

# The library makes a thread and waits for it in a loop that only the kernel could interrupt.
cat >both.c <<'C'
#include <pthread.h>
static volatile int done;
static void (*todo)(void);
static void *other(void *unused)
{
    todo();
    done = 1;
    return unused;
}
void both(void (*f)(void))
{
    pthread_t t;
    todo = f;
    done = 0;
    pthread_create(&t, 0, other, 0);
    f();
    while (!done)
        ;
    pthread_join(t, 0);
}
C
shared both
cat >calls.c <<'C'
void both(void (*f)(void));
static _Atomic int n;
static void add(void)
{
    n++;
}
int main(void)
{
    both(add);
    return n != 2;
}
C
expect_error 'a library that waits for its own thread' \
    'native code does not come back.*: both of libboth.so at calls.c:9; .*build that code with heddle cc' \
    "$HEDDLE" check -q --hang 1 --cc-flags "-L. -lboth -Wl,-rpath,$tmp" calls.c
"$clang" -c -O1 both.c || exit 2
expect_error 'an object that waits for its own thread' 'native code does not come back.*: both of both.o at calls.c:9' \
    "$HEDDLE" check -q --hang 1 --cc-flags both.o calls.c
if "$HEDDLE" check -q both.c calls.c --trace-dir traces >out 2>&1 || ! grep -q '^data race: .*main reads done' out; then # who stands first depends on the run
    fail 'the remedy' "$(first_lines out)"
else
    pass 'the remedy: the library compiled with the program, and its data race'
fi

# Without a thread that it could wait for, a call that does not come back is the program's.
cat >alone.c <<'C'
void both(void (*f)(void))
{
    f();
    for (volatile int go = 1; go;)
        ;
}
C
shared alone
check_program 'a library that loops' 'violation no-progress' '' '' --hang 1 --cc-flags "-L. -lalone -Wl,-rpath,$tmp" calls.c

# The verdict names the library, too.
cat >quick.c <<'C'
void both(void (*f)(void))
{
    f();
    f();
}
C
shared quick
if "$HEDDLE" check --cc-flags "-L. -lquick -Wl,-rpath,$tmp" calls.c 2>&1 | grep -q 'does not know: both of libquick.so at calls.c:9'; then
    pass 'the verdict names the library'
else
    fail 'the verdict names the library' "$("$HEDDLE" check --cc-flags "-L. -lquick -Wl,-rpath,$tmp" calls.c 2>&1 | head -c 300)"
fi

# OpenMP.  Where its runtime is installed: a call of it.
cat >parallel.c <<'C'
void GOMP_parallel(void (*f)(void *), void *data, unsigned threads, unsigned flags);
static _Atomic int n;
static void add(void *unused)
{
    (void)unused;
    n++;
}
int main(void)
{
    GOMP_parallel(add, 0, 2, 0);
    return n != 2;
}
C
if "$clang" -o /dev/null parallel.c -lgomp 2>/dev/null; then
    expect_error 'libgomp' 'native code does not come back.*: GOMP_parallel of libgomp.so at parallel.c:10' \
        "$HEDDLE" check -q --hang 1 --cc-flags -lgomp parallel.c
else
    echo 'ok not run: libgomp is not installed'
fi
cat >ignored.c <<'C'
int main(void)
{
    int n = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        n++;
    return n != 4;
}
C
if "$HEDDLE" cc -Werror -c ignored.c >out 2>&1 && grep -q 'warning: unexpected .#pragma omp' out; then
    pass 'heddle cc names directives that are ignored'
else
    fail 'heddle cc names directives that are ignored' "$(first_lines out)"
fi
if "$HEDDLE" cc -Wno-source-uses-openmp -c ignored.c >out 2>&1 && [ ! -s out ]; then pass 'not if told so'
else fail 'not if told so' "$(first_lines out)"; fi
expect_error '-w does not hide them' 'does not model OpenMP.*Wno-source-uses-openmp' "$HEDDLE" check -q --cc-flags -w ignored.c
expect_error '-fopenmp' 'heddle: -fopenmp is not supported: heddle does not model OpenMP; without it' "$HEDDLE" cc -fopenmp -c ignored.c

# oneTBB, where it is installed.
cat >tbb.cpp <<'C'
#include <tbb/parallel_for.h>
int main()
{
    static int a[4];
    tbb::parallel_for(0, 4, [](int i) { a[i] = i; });
    return a[3] != 3;
}
C
if "$HEDDLE" c++ -fsyntax-only tbb.cpp 2>/dev/null; then
    expect_error 'libtbb' ': tbb::detail::r1::[a-z_]* of libtbb.so at tbb.cpp:5.*build that code with heddle cc' \
        "$HEDDLE" check -q --hang 1 --cc-flags -ltbb tbb.cpp
else
    echo 'ok not run: libtbb is not installed'
fi
