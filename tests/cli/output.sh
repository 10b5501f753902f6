#!/bin/bash
# What goes where: stdout, stderr, JSON, exit status, help.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

good=$ROOT/tests/litmus/correct/counter.c
bad=$ROOT/tests/litmus/wrong/counter.c

# holds NAME CONDITION...: a shell test as a case.
holds() {
    local name=$1
    shift
    if "$@" >/dev/null; then pass "$name"; else fail "$name" "$(first_lines out) / $(first_lines err)"; fi
}
run() { "$HEDDLE" "$@" >out 2>err </dev/null; status=$?; }

run check "$good"
holds 'verified: status 0' [ "$status" = 0 ]
holds 'verified: says so' grep -qi 'verified' out
holds 'verified: no trace directory' [ ! -e heddle-traces ]
run check "$bad"
holds 'violation: status 1' [ "$status" = 1 ]
holds 'violation: the failing line' grep -q 'counter.c:[0-9]' out
holds 'violation: the source' grep -q 'counter++' out
holds 'violation: the command to replay' grep -q 'heddle replay' out
holds 'violation: no word of earlier traces' [ "$(grep -c 'earlier run' out)" = 0 ]
run check "$bad"
holds 'violation: traces that are replaced are told of' grep -q 'traces of an earlier run in heddle-traces were replaced' out
run check "$ROOT/tests/bugs/lost_update.c" --races off
holds 'violation: the nearest run that passes' grep -q 'passes: heddle-traces/lost_update-assertion-1-passing.trace' out
run c++ -g -o thrown "$ROOT/tests/cxx/wrong/exception.cpp"
run check -q thrown
holds 'an exception that is not caught' \
    grep -q 'an exception of type std::runtime_error is not caught: closed' out
run c++ -g -o left "$ROOT/tests/cxx/wrong/not_joined.cpp"
run check -q left
holds 'a thread that is not joined' grep -q 'std::terminate() called without an exception' out
run c++ -g -o array "$ROOT/tests/cxx/wrong/precondition.cpp"
run check --json json array
holds 'a precondition: the line of the program' \
    jq -e '.violations[0].location | .line == 12 and (.file | endswith("precondition.cpp"))' json
holds 'no place in the part of the library that is ours' [ "$(grep -c 'called at .*heddle/c++/' out)" = 0 ]
holds 'no mangled names' [ "$(grep -c '_ZT' out)" = 0 ]
cat >lost.cpp <<'C'
#include <condition_variable>
#include <mutex>
#include <thread>
static std::mutex m;
static std::condition_variable c;
int main()
{
    std::thread t([] {
        std::unique_lock<std::mutex> l(m);
        c.wait(l);
    });
    c.notify_one();
    t.join();
}
C
run check -v --html lost.html --sarif lost.sarif lost.cpp
holds 'a lost signal: the line of the program' grep -q 'the signal of main at lost.cpp:12 (step' out
holds 'no step in the part of the library that is ours' [ "$(cat out lost.html lost.sarif | grep -cE 'heddle/c\+\+/|(thread|condition_variable)\.cc')" = 0 ]
run check "$ROOT/tests/litmus/wrong/mutex_after_destroy.c"
holds 'a destroyed object: which, and where' \
    grep -q "destroyed mutex, .lock', which was destroyed at .*mutex_after_destroy.c:19" out
run check "$bad"
holds 'no colours when piped' [ "$(grep -c $'\033' out)" = 0 ]
command=$(grep -o 'heddle replay.*' out | head -n 1)
eval "\"${HEDDLE%/heddle}\"/$command" >out 2>err </dev/null
status=$?
holds 'the command replays' [ "$status" = 1 ]

run check --json - "$bad"
holds 'json: stdout is one object' jq -es 'length == 1' out
for field in heddle program verdict exhaustive strategy executions blocked pruned bounded events \
    states max_depth seconds compile_seconds peak_rss_kb downgrades violations; do
    holds "json: $field" jq -e "has(\"$field\")" out
done
for field in kind message location thread execution steps preemptions trace; do
    holds "json: violation $field" jq -e ".violations[0] | has(\"$field\")" out
done

run check --require-verified --executions 1 "$good"
holds '--require-verified: status 3' [ "$status" = 3 ]
run check --require-verified "$good"
holds '--require-verified: status 0 when it is' [ "$status" = 0 ]

printf '# two of them\nin_range\n' >properties
run check -q --properties properties "$ROOT/tests/litmus/wrong/invariant_named.c"
holds '--properties: status 1' [ "$status" = 1 ]

run check --trace-dir . "$ROOT/tests/litmus/wrong/printing.c"
holds 'output: not shown while exploring' [ "$(grep -c '^main saw' out)" = 0 ]
run replay "$ROOT/tests/litmus/wrong/printing.c" printing-assertion-1.trace
holds 'output: shown in a replay' grep -q 'the thread was here' out
holds 'output: stdout in its place' awk '
    /the thread was here/ { text = NR } /atomic-write turn/ { step = NR }
    END { exit !(text && step && text < step + 2) }' out
holds 'output: stderr, too' grep -q 'main complains' out

# A long exploration ends when it is interrupted.
slow=$ROOT/tests/litmus/correct/philosophers.c
run check --reduce none --time 300ms --json json "$slow"
holds '--time: status 0' [ "$status" = 0 ]
holds '--time: not verified' [ "$(jq -r .verdict json)" = no-violation-found ]
holds '--time: says so' jq -e '.downgrades | any(contains("time"))' json
rm -f json
"$HEDDLE" cc -o slow "$slow" -pthread
"$HEDDLE" check --reduce none --json json ./slow >out 2>err </dev/null &
pid=$!
until pgrep -P "$pid" >/dev/null; do sleep 0.01; done
sleep 0.2
kill -INT "$pid"
wait "$pid"
status=$?
holds 'interrupted: status 130' [ "$status" = 130 ]
holds 'interrupted: not verified' [ "$(jq -r .verdict json)" = no-violation-found ]
holds 'interrupted: no worker is left' [ -z "$(pgrep -P "$pid")" ]
"$HEDDLE" check --reduce none ./slow >out 2>err </dev/null &
pid=$!
until pgrep -P "$pid" >/dev/null; do sleep 0.01; done
sleep 0.2
kill -TERM "$pid"
wait "$pid"
holds 'terminated: status 143' [ $? = 143 ]
# timeout(1) sends a signal to the process, and one to its group.
for i in 1 2 3; do
    timeout --preserve-status 0.5 "$HEDDLE" check --reduce none ./slow >out 2>err </dev/null
    holds "ended by timeout: status, $i" [ $? = 143 ]
    holds "ended by timeout: the report is there, $i" grep -q 'interrupted after' out
done

for command in '' check replay cc; do
    run $command --help
    holds "help of '$command'" [ "$status" = 0 -a -s out -a ! -s err ]
done
run --version
holds 'version names LLVM' grep -q 'LLVM [0-9]' out

# Places in narrow columns keep their line numbers.
{ printf '\n%.0s' $(seq 1200); printf 'static void touch_it(int *p)\n{\n    *p += 1;\n}\n'; } >a_rather_long_header_name.h
cat >narrow.c <<'END'
#include "a_rather_long_header_name.h"
#include <assert.h>
#include <pthread.h>
static int n;
static void *run(void *x) { touch_it(&n); return x; }
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    assert(n == 3);
}
END
run check --races off narrow.c
holds 'narrow columns: found' [ "$status" = 1 ]
holds 'narrow columns: whole line numbers' [ "$(grep -c '_name\.h:1203' out)" = "$(grep -c '_name\.h:' out)" ]

# Violations of several kinds are summed up with their places, first and last.
cat >kinds.c <<'C'
#include <assert.h>
#include <pthread.h>
int hits;
static void *visit(void *unused)
{
    hits++;
    return unused;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, visit, 0);
    pthread_create(&b, 0, visit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(hits == 2);
}
C
"$HEDDLE" check --no-earlier kinds.c >out 2>err </dev/null
words='found: 1 failed assertion at kinds.c:16; 1 data race at kinds.c:6'
holds 'several kinds: the first line' [ "$(head -n 1 out)" = "$words" ]
holds 'several kinds: the verdict' grep -qxF "  $words" out
