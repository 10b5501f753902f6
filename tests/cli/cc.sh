#!/bin/bash
# heddle cc as a drop-in compiler: objects, archives, several files, dependencies, make.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

cat >count.h <<'EOF'
extern int counter;
void *work(void *unused);
EOF
cat >count.c <<'EOF'
#include "count.h"
int counter;
void *work(void *unused) { counter += STEP; return unused; }
EOF
cat >unused.c <<'EOF'
extern int nowhere_defined;
int unused(void) { return nowhere_defined; }
EOF
cat >main.c <<'EOF'
#include "count.h"
#include <assert.h>
#include <pthread.h>
#include <math.h>
int main(int argc, char **argv)
{
    (void)argv;
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sqrt(counter + argc - 1) == 2);
    return 0;
}
EOF

step() {
    local name=$1
    shift
    if "$@" >out 2>err </dev/null; then pass "$name"; else fail "$name" "$(first_lines err)"; fi
}

step 'compile' "$HEDDLE" cc -c -O2 -g -std=gnu11 -DSTEP=2 -I. -Wall -MD -MF count.d -o count.o count.c
step 'dependencies' grep -q 'count.h' count.d
step 'compile, default name' "$HEDDLE" cc -c main.c
step 'default name' test -s main.o
step 'link' "$HEDDLE" cc -o program main.o count.o -lm -pthread
check_program 'linked program' 'violation assertion data-race' '' '' ./program
replay_all 'linked program' ./program
step 'several files at once' "$HEDDLE" cc -DSTEP=2 -o program2 main.c count.c -lm -pthread
check_program 'several files' 'violation assertion data-race' '' '' ./program2
check_program 'check of several files' 'violation assertion data-race' '' '' \
    --cc-flags '-DSTEP=2 -lm' main.c count.c
step 'compile an unused one' "$HEDDLE" cc -c unused.c
step 'archive' ar rcs libcount.a unused.o count.o
step 'link with the archive' "$HEDDLE" cc -o program3 main.o -L. -lcount -lm -pthread
check_program 'archive' 'violation assertion data-race' '' '' ./program3
step 'a native object' clang-19 -DSTEP=2 -c -o native.o count.c
step 'link with a native object' "$HEDDLE" cc -o program4 main.o native.o -lm -pthread
check_program 'native object: downgraded' 'no-violation-found' '' '' ./program4
step 'without heddle the program runs' ./program
expect_error 'link: undefined symbol' 'nowhere_defined' "$HEDDLE" cc -o x main.o unused.o count.o -lm
step 'version' "$HEDDLE" cc --version
step 'preprocess' "$HEDDLE" cc -E -DSTEP=1 count.c
cat >Makefile <<'EOF'
CFLAGS = -O2 -DSTEP=2
LDLIBS = -lm -lpthread
made: main2.o count2.o
	$(CC) -o $@ $^ $(LDLIBS)
EOF
cp main.c main2.c
cp count.c count2.c
step 'a Makefile with CC="heddle cc"' make CC="$HEDDLE cc" made
check_program 'made program' 'violation assertion data-race' '' '' ./made

# Files of the same name that were compiled in different directories: each has its own text.
mkdir -p apart/lib
cat >apart/lib/hit.c <<'EOF2'
int hits;
void hit(void) { hits++; /* inside lib */ }
EOF2
cat >apart/hit.c <<'EOF2'
#include <pthread.h>
void hit(void);
static void *run(void *x) { hit(); /* above lib */ return x; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    run(0);
    pthread_join(t, 0);
}
EOF2
cd apart || exit 1
step 'compile in a directory below' eval '(cd lib && "$HEDDLE" cc -c hit.c)'
step 'compile beside it' "$HEDDLE" cc -c hit.c
step 'link objects of two directories' "$HEDDLE" cc -o program hit.o lib/hit.o -pthread
COLUMNS=200 "$HEDDLE" check --html page.html program >said 2>&1
step 'directories: the text of the one below' grep -q 'hits++; /\* inside lib' said
step 'directories: places' grep -q 'lib/hit.c:2' said
step 'directories: called at' grep -q 'called at hit.c:3 (run)' said
step 'directories: the page has both' eval 'grep -q "inside lib" page.html && grep -q "above lib" page.html'
mkdir elsewhere
step 'link in another directory' eval '(cd elsewhere && "$HEDDLE" cc -o program ../hit.o ../lib/hit.o -pthread)'
(cd elsewhere && COLUMNS=200 "$HEDDLE" check program >said 2>&1)
step 'directories: found from another one' grep -q 'hits++; /\* inside lib' elsewhere/said
cd ..

cat >literal.cpp <<'EOF2'
#include <cinttypes>
#include <cstdio>
int main() { printf("%"PRIu64"\n", (uint64_t)1); }
EOF2
step 'a literal that g++ only warns of' "$HEDDLE" c++ -c literal.cpp
step 'the user makes it an error' eval '! "$HEDDLE" c++ -Werror=reserved-user-defined-literal -c literal.cpp'
