#!/bin/bash
# Input that cannot be worked with: one clear line that names the thing, exit status 2.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

good=$ROOT/tests/litmus/correct/counter.c
echo 'int main(void) { return 0 }' >"$tmp/syntax.c"
echo 'int helper(void) { return 0; }' >"$tmp/nomain.c"
echo 'int other(void); int main(void) { return other(); }' >"$tmp/undefined.c"
echo '#include "nowhere.h"' >"$tmp/noheader.c"
printf 'int main(void) { return 0; }\n' >"$tmp/main.c"
: >"$tmp/empty.c"
echo 'int n; int adder(void) { return ++n; } int main(void) { return adder() - 1; }' >"$tmp/adder.c"
cat >"$tmp/environment.c" <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *work(void *unused) { assert(!getenv("FAILS")); return unused; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); }
EOF
echo 'just text' >"$tmp/text"
chmod +x "$tmp/text"

expect_error 'missing file' 'nowhere\.c' "$HEDDLE" check "$tmp/nowhere.c"
expect_error 'missing program' 'nowhere' "$HEDDLE" check "$tmp/nowhere"
# clang_error NAME MESSAGE FILE: clang's own messages, and exit status 2.
clang_error() {
    "$HEDDLE" check "$3" >"$tmp/out" 2>"$tmp/err" </dev/null
    local status=$?
    if [ "$status" = 2 ] && [ ! -s "$tmp/out" ] && grep -q "$2" "$tmp/err"; then
        pass "$1"
    else
        fail "$1" "status $status $(first_lines "$tmp/err")"
    fi
}
clang_error 'syntax error' "syntax.c:1:.*error: expected ';'" "$tmp/syntax.c"
clang_error 'missing header' "noheader.c:1:.*'nowhere.h' file not found" "$tmp/noheader.c"
expect_error 'no main' 'main' "$HEDDLE" check "$tmp/nomain.c"
expect_error 'empty file' 'main' "$HEDDLE" check "$tmp/empty.c"
expect_error 'two mains' 'main' "$HEDDLE" check "$tmp/main.c" "$good"
expect_error 'undefined function' 'other' "$HEDDLE" check "$tmp/undefined.c"
expect_error 'not built by heddle' '/bin/true.*heddle cc' "$HEDDLE" check /bin/true
expect_error 'no executable' 'text' "$HEDDLE" check "$tmp/text"
expect_error 'a directory' "${tmp##*/}" "$HEDDLE" check "$tmp"
expect_error 'no input' 'check' "$HEDDLE" check
expect_error 'unknown command' 'chekc.*check' "$HEDDLE" chekc "$good"
expect_error 'unknown option' '--executoins.*--executions' "$HEDDLE" check --executoins 3 "$good"
expect_error 'option without its value' '--depth' "$HEDDLE" check "$good" --depth
expect_error 'unknown preset' 'ches:2.*chess' "$HEDDLE" check --strategy ches:2 "$good"
expect_error 'unknown search' 'dsf.*dfs' "$HEDDLE" check --search dsf "$good"
expect_error 'unknown filter' 'not-sene.*not-seen' "$HEDDLE" check --reduce not-sene "$good"
expect_error 'not a number' '--depth.*ten' "$HEDDLE" check --depth ten "$good"
expect_error 'negative number' '--executions.*-1' "$HEDDLE" check --executions -1 "$good"
expect_error 'number out of range' '--depth.*99999999999' "$HEDDLE" check --depth 99999999999 "$good"
expect_error 'number with a tail' '--preemptions.*2x' "$HEDDLE" check --preemptions 2x "$good"
expect_error 'bad duration' '--time.*fast' "$HEDDLE" check --time fast "$good"
expect_error 'bad seed' '--search.*x' "$HEDDLE" check --search dfs:x "$good"
expect_error 'unknown invariant' 'holdz' "$HEDDLE" check --invariant holdz "$good"
expect_error 'nearest invariant: a function of the program' 'nearest: adder' "$HEDDLE" check --invariant ader "$tmp/adder.c"
expect_error 'nearest invariant: none of heddle' 'pipf is not a function of [^(]*$' "$HEDDLE" check --invariant pipf "$tmp/adder.c"
expect_error 'main is no invariant' 'int FN\(void\)' "$HEDDLE" check --invariant main "$good"
expect_error 'no time at all' '--hang 0: expected a time above 0' "$HEDDLE" check --hang 0 "$good"
expect_error 'checkpoint cannot be written' 'cannot write the checkpoint /proc/nowhere' \
    "$HEDDLE" check --checkpoint /proc/nowhere "$good"
expect_error 'no checkpoint to go on with' 'first save' "$HEDDLE" check --resume "$tmp/nowhere.checkpoint" "$good"
FAILS=1 "$HEDDLE" check -q --trace-dir "$tmp/traces" "$tmp/environment.c" >"$tmp/out" 2>&1
expect_error 'another environment' 'goes on \(a trace does not hold the environment' \
    "$HEDDLE" replay "$tmp/environment.c" "$tmp"/traces/environment-assertion-1.trace
expect_error 'missing properties file' 'nowhere\.txt' \
    "$HEDDLE" check --properties "$tmp/nowhere.txt" "$good"
expect_error 'trace directory is a file' "$tmp/text" "$HEDDLE" check --trace-dir "$tmp/text" "$good"
expect_error 'trace directory cannot be made' '/proc/nowhere' \
    "$HEDDLE" check --trace-dir /proc/nowhere "$good"
expect_error 'full disk' '/dev/full' "$HEDDLE" check --json /dev/full "$good"
full() { "$@" >/dev/full; }
export -f full
for words in --help --version 'compare --help' 'cc --help' "compare --time 1s $good"; do
    # shellcheck disable=SC2086
    expect_error "a full disk: $words" 'cannot write to standard output' bash -c 'full "$@"' - "$HEDDLE" $words
done
expect_error 'a reduction beside none' '--reduce none,optimal: none' "$HEDDLE" check --reduce none,optimal "$good"
sed "s,LOG,$tmp/log," >"$tmp/log.c" <<'EOF'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static void *work(void *unused) {
    int log = open("LOG", O_WRONLY | O_APPEND);
    write(log, "line", 4);
    close(log);
    return unused;
}
int main(void) {
    pthread_t a, b;
    char text[64];
    close(open("LOG", O_CREAT | O_TRUNC | O_WRONLY, 0600));
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(read(open("LOG", O_RDONLY), text, sizeof text) == 8);
}
EOF
expect_error 'a file that earlier executions wrote' 'not undone' "$HEDDLE" check --files off "$tmp/log.c"
expect_error 'json into a missing directory' 'nowhere/x\.json' \
    "$HEDDLE" check --json "$tmp/nowhere/x.json" "$good"
holds_before() { # nothing has been explored when it is said
    if grep -q . "$tmp/out"; then fail "$1" "$(first_lines "$tmp/out")"; else pass "$1"; fi
}
holds_before 'json into a missing directory: before the run'
expect_error 'sarif into a directory' "$tmp" "$HEDDLE" check --sarif "$tmp" "$good"
holds_before 'sarif into a directory: before the run'
expect_error 'replay without a trace' 'replay' "$HEDDLE" replay "$good"
expect_error 'missing trace' 'nowhere\.trace' "$HEDDLE" replay "$good" "$tmp/nowhere.trace"
expect_error 'no clang' 'clang' env HEDDLE_CLANG=/nowhere/clang "$HEDDLE" check "$good"
# shellcheck disable=SC2016
expect_error 'little stack' 'stack is 128 kB.*ulimit -s' bash -c 'ulimit -s 128; exec "$0" check "$1"' "$HEDDLE" "$good"
# shellcheck disable=SC2016
if bash -c 'ulimit -Ss 128; exec "$0" check -q "$1"' "$HEDDLE" "$good" >"$tmp/out" 2>"$tmp/err"; then
    pass 'little stack that may grow'
else
    fail 'little stack that may grow' "$(first_lines "$tmp/err")"
fi
echo 'static char big[3000000000u]; int main(void) { return big[1]; }' >"$tmp/big.c"
expect_error 'variables of 3 GB' "take 2861 MB, .big' 2861 of them" "$HEDDLE" check "$tmp/big.c"
truncate -s 100G "$tmp/holes" # takes no room on the disk
expect_error 'a trace of holes' 'holes: larger than 1 GB' "$HEDDLE" replay "$good" "$tmp/holes"
expect_error 'warnings of holes' 'holes: larger than 1 GB' "$HEDDLE" confirm "$good" "$tmp/holes"
rm -f "$tmp/holes"
expect_error 'quiet and verbose' 'contradict' "$HEDDLE" check -q -v "$good"
expect_error 'observers without optimal' 'goes with optimal alone' \
    "$HEDDLE" check --finer observers --strategy source "$good"
expect_error 'observers with several workers' 'needs -j 1' "$HEDDLE" check --finer observers -j 2 "$good"
expect_error 'no such finer' 'finer what: there are rmw, observers' "$HEDDLE" check --finer what "$good"
expect_error 'finer for a search that does not ask' 'finer.*does not ask' \
    "$HEDDLE" check --finer rmw --strategy stateful "$good"
expect_error 'finer and a bound' 'finer.*bound' "$HEDDLE" check --finer rmw --reduce dpor,preemptions:2 "$good"
expect_error 'a cache of states that are not kept' 'state-cache.*keeps none' "$HEDDLE" check --state-cache 9 "$good"
for turn in 9 9,x 99999,1 T9,1 ,; do
    "$HEDDLE" check -q --trace-dir "$tmp/turn" --json "$tmp/json" "$ROOT/tests/bugs/lost_update.c" >/dev/null 2>&1
    expect_error "replay --turn $turn" "--turn $turn" "$HEDDLE" replay --turn "$turn" "$ROOT/tests/bugs/lost_update.c" \
        "$(jq -r '.violations[0].trace' "$tmp/json")"
done
