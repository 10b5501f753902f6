#!/bin/bash
# Options of the compiler given to `heddle check`, exit status of what is interrupted or not read, help by task, lists for editors,
# groups of digits.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

holds() {
    local name=$1
    shift
    if "$@" >why 2>&1; then pass "$name"; else fail "$name" "$(first_lines why) $(first_lines err)"; fi
}

# ---- the compiler's options ----
mkdir inc
echo '#define Q 1' >inc/q.h
cat >flags.c <<'C'
#include "q.h"
#include <math.h>
#include <pthread.h>
static void *run(void *x) { return x; }
int main(int argc, char **argv)
{
    (void)argv;
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
#ifdef __STRICT_ANSI__
    return (int)cos(argc - 1) - Q + NAME;
#else
    return 9;
#endif
}
C
status() { timeout "$LIMIT" "$HEDDLE" check -q "$@" >out 2>err </dev/null; echo $?; }
holds 'joined' [ "$(status -DNAME=0 -Iinc -lm -std=c17 -O1 -fno-builtin -Wall flags.c)" = 0 ]
holds 'with a blank, after the file' [ "$(status flags.c -D NAME=0 -I inc -std=c17 -l m)" = 0 ]
holds 'the macro counts' [ "$(status -DNAME=3 -Iinc -lm -std=c17 flags.c)" = 1 ]
holds 'the standard counts' [ "$(status -DNAME=0 -Iinc -lm -std=gnu17 flags.c)" = 1 ]
"$HEDDLE" replay flags.c "$(ls heddle-traces/*.trace | head -n 1)" >out 2>err
holds 'a trace keeps them' [ $? = 1 ]
expect_error 'a value is missing' '-D needs a value' "$HEDDLE" check flags.c -D
expect_error 'a value is missing before --' '-I needs a value' "$HEDDLE" check flags.c -I -- x
expect_error 'other letters' 'unknown option -x' "$HEDDLE" check flags.c -x
"$HEDDLE" cc -o flags flags.c -DNAME=0 -Iinc -lm -pthread 2>err
expect_error 'a program is compiled already' 'compiled already' "$HEDDLE" check -O2 ./flags
"$HEDDLE" compare --strategy optimal -DNAME=0 -Iinc -lm -std=c17 -w flags.c >out 2>err
holds 'compare takes them' [ $? = 0 ]
"$HEDDLE" check -DNAME=3 -Iinc -lm -std=c17 -w --trace-dir given flags.c >out 2>err
holds 'check takes -w' [ $? = 1 ]
"$HEDDLE" replay -q -DNAME=3 -I inc -lm -std=c17 -w flags.c given/*.trace >out 2>err
holds 'replay takes them' [ $? = 1 ]
expect_error 'half of one for replay' '-I needs a value' "$HEDDLE" replay flags.c t -I
"$HEDDLE" slice -DNAME=0 -I inc -lm -std=c17 -w flags.c run >out 2>err
holds 'slice takes them' [ $? = 0 ]
"$HEDDLE" report -DNAME=3 -I inc -lm -std=c17 -w --program flags.c given/*.trace -o report.html >out 2>err
holds 'report takes them' [ $? = 0 ]
"$HEDDLE" confirm --time 20s -DNAME=0 -I inc -lm -std=c17 -w "-DTEXT=\"a b'c\"" flags.c >out 2>err
holds 'confirm takes them' [ $? = 0 ]
expect_error 'half of one for confirm' '-I needs a value' "$HEDDLE" confirm flags.c -I
expect_error 'other commands do not take them' 'unknown option -D' "$HEDDLE" doctor -DNAME=0

# ---- a reader that goes away changes nothing ----
cat >counter.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int hits;
static void *visit(void *x)
{
    int seen = hits;
    hits = seen + 1;
    return x;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, visit, 0);
    pthread_create(&b, 0, visit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(hits > LEAST);
}
C
for options in '-v' '--json -' '--html -' '--vim'; do
    for least in 0 1; do
        timeout "$LIMIT" "$HEDDLE" check -DLEAST=$least $options counter.c 2>err </dev/null | true
        holds "a closed pipe, $options, status $least" [ "${PIPESTATUS[0]}" = $least ]
        holds "… says nothing" [ ! -s err ]
    done
done

# ---- help ----
"$HEDDLE" check --help >help
"$HEDDLE" check --help all >all
holds 'help: ten options' [ "$(grep -cE '^  (-[a-z], |    )--' help)" = 10 ]
holds 'help: how to see all' grep -q -- 'heddle check --help all' help
holds 'help all: by task' [ "$(grep -cE '^[A-Z].*:$' all)" -ge 5 ]
holds 'help all: every option is in a group' [ "$(grep -c '^Others:' all)" = 0 ]
holds 'help all: each once' [ -z "$(grep -oE '^  (-[a-z], |    )--[a-z-]+' all | sort | uniq -d)" ]

# ---- lists for editors ----
"$HEDDLE" check -DLEAST=1 --vim counter.c >list 2>err
line() { grep -n "$1" counter.c | cut -d: -f1; }
holds 'editors: the violation' grep -q "^counter.c:$(line assert.hits): error: an assertion fails: " list
holds 'editors: a read of each thread' [ "$(grep -cE "^counter.c:$(line 'seen = hits'):[0-9]+: note: step [0-9]+: T[12]: atomic-read hits = 0" list)" = 2 ]
holds 'editors: nothing but places and words of heddle' [ "$(grep -vcE '^(counter.c:[0-9]+:([0-9]+:)? (error|note): |heddle: )' list)" = 0 ]
"$HEDDLE" check -DLEAST=1 --emacs counter.c >other 2>err
holds 'editors: the same for both' cmp list other
"$HEDDLE" check -DLEAST=0 --vim counter.c >list 2>err
holds 'editors: verified' [ "$(cat list)" = "heddle: counter.c: verified" ]

# ---- digits ----
cat >many.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n[2];
static void *run(void *x)
{
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&n[i % 2], 1);
    return x;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
C
"$HEDDLE" check --strategy brute --executions 1234 --json j many.c >out 2>err
holds 'digits: in groups for people' grep -q '^  1,234 executions, ' out
holds 'digits: as they are in JSON' [ "$(jq .executions j)" = 1234 ]
