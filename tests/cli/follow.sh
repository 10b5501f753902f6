#!/bin/bash
# Traces of programs that have changed since, and traces without a program on the command line.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
export XDG_CONFIG_HOME=$tmp/config

# replays NAME STATUS PATTERN ARGUMENTS...
replays() {
    local name=$1 want=$2 pattern=$3 status
    shift 3
    timeout "$LIMIT" "$HEDDLE" replay -q "$@" >out 2>err </dev/null
    status=$?
    if [ $status = "$want" ] && grep -qE -- "$pattern" out; then
        pass "$name"
    else
        fail "$name" "status $status, $(first_lines out) $(first_lines err)"
    fi
}

cat >original.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int hits, other;
static void *visit(void *x)
{
    if (other > 9)
        return x;
    int seen = hits;
    hits = seen + 1;
    return x;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, visit, 0);
    other = 1;
    other = 2;
    pthread_create(&b, 0, visit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(hits == 2);
}
C
cp original.c p.c
"$HEDDLE" check -q --trace-dir t p.c >out 2>err
trace=t/p-assertion-1.trace
n=$(sed -n 's/^end //p' $trace)
replays 'a trace alone' 1 '^an assertion fails' $trace
[ "$(grep -c 'has changed' out)" = 0 ] && pass '… of the same program' || fail '… of the same program' "$(first_lines out)"
replays 'the passing one alone' 0 '^the run ended without' t/p-assertion-1-passing.trace

sed '1i /* a comment,\nof two lines */' original.c >p.c
replays 'a comment' 1 "^the program has changed since; followed $n of $n steps$" $trace
grep -q "^  in main at p.c:$(grep -n assert.hits p.c | cut -d: -f1) " out && pass '… and the new line' || fail '… and the new line' "$(first_lines out)"
replays 'a comment, with the program' 1 'followed' p.c $trace

# Two more steps in each thread, before those whose order matters.
sed 's/int seen = hits;/other++; other--; int seen = hits;/' original.c >p.c
replays 'new steps' 1 "^the program has changed since; followed $n of $n steps$" $trace
# One step less, in main.
sed "/other = 2;/d" original.c >p.c
replays 'a step is gone' 1 "^the program has changed since; followed $((n - 1)) of $n steps$" $trace
# A repair: the two accesses are one.  The read and the write of each thread are gone, at least.
sed 's/int seen = hits;/atomic_fetch_add(\&hits, 1);/; s/hits = seen + 1;//' original.c >p.c
replays 'the bug is repaired' 0 '^the run ended without a violation' $trace
followed=$(sed -n 's/.*followed \([0-9]*\) of.*/\1/p' out)
[ "$followed" -le $((n - 4)) ] && pass '… and fewer steps were followed' || fail '… and fewer steps were followed' "$followed of $n"

# A data race and a deadlock: where the schedule ends, the program goes on or stands.
for program in race_flag philosophers; do
    cp "$ROOT/tests/litmus/wrong/$program.c" .
    "$HEDDLE" check -q --trace-dir t $program.c >out 2>err
    kept=$(ls t/$program-*-1.trace)
    m=$(sed -n 's/^end //p' "$kept")
    sed -i '1i /* changed */' $program.c
    replays "$program" 1 "^the program has changed since; followed $m of $m steps$" "$kept"
    grep -qE '^(data race|deadlock)' out && pass "$program: the same violation" || fail "$program: the same violation" "$(first_lines out)"
done

# What a stranger's trace names is not run.
cp original.c p.c
sed '/^signature/d' $trace >strange.trace
expect_error 'a stranger: a trace alone' 'not made by this user.*type: .*replay p.c strange.trace' "$HEDDLE" replay strange.trace
sed '/^signature/d; /^source/d; s,^program .*,program /bin/true,' $trace >strange.trace
expect_error 'a stranger: an executable' 'not made by this user.*type: .*replay /bin/true strange.trace' "$HEDDLE" replay strange.trace
sed "s,^source .*,source other.c," $trace >strange.trace
expect_error 'a trace of mine that somebody changed' 'not made by this user' "$HEDDLE" replay strange.trace
sed -n 's/^[0-9][0-9]* \([a-zA-Z0-9.]*\).*/\1/p' $trace >bare
expect_error 'a bare schedule alone' 'does not say of which program' "$HEDDLE" replay bare
expect_error 'nothing' 'give a trace' "$HEDDLE" replay
mkdir elsewhere
sed '1i /* another */' original.c >elsewhere/p.c
expect_error 'another file of that name' 'has changed since|another program' "$HEDDLE" replay elsewhere/p.c $trace
