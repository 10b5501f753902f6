#!/bin/bash
# The traces of earlier checks are tried before the search.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
export XDG_CONFIG_HOME=$tmp/config

# A lost update among three threads: a search meets it after several executions at the earliest.
cat >bug.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int hits, other;
static void *visit(void *x)
{
    other++;
    int seen = hits;
    hits = seen + 1;
    return x;
}
int main(int argc, char **argv)
{
    pthread_t t[3];
    int n = argc > 1 ? atoi(argv[1]) : 3;
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], 0, visit, 0);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], 0);
    assert(hits == n);
}
C
cp bug.c p.c
# checks NAME STATUS FILTER ARGUMENTS...: the jq filter holds of the result.
checks() {
    local name=$1 want=$2 filter=$3 status
    shift 3
    timeout "$LIMIT" "$HEDDLE" check -q --json json --trace-dir t "$@" >out 2>err </dev/null
    status=$?
    if [ $status = "$want" ] && jq -e "$filter" json >/dev/null; then
        pass "$name"
    else
        fail "$name" "status $status, $(jq -c '[.executions, .earlier]' json) $(first_lines err)"
    fi
}
said() {
    grep -qE -- "$2" out && pass "$1" || fail "$1" "$(first_lines out)"
}
found='.executions == 1 and .earlier == {tried: 1, skipped: 0, found: ["t/p-assertion-1.trace"]} and .violations[0].execution == 1'

checks 'nothing to try' 1 '.executions > 1 and .earlier == null' p.c
checks 'the same again' 1 "$found" p.c
"$HEDDLE" check --trace-dir t p.c >out 2>err
said '… and the output says so' '^  found by trace t/p-assertion-1.trace, 1 execution$'
sed -i '1i /* changed */' p.c
checks 'of a changed program' 1 "$found" p.c
checks 'switched off' 1 '.executions > 1 and .earlier == null' --no-earlier p.c
checks 'not with a search that was chosen' 1 '.executions > 1 and .earlier == null' --strategy optimal p.c
checks 'nor where everything is explored' 1 '.executions > 1 and .earlier == null' --keep-going p.c
checks 'not with other arguments' 1 '.executions > 1 and .earlier == {tried: 0, skipped: 1, found: []}' p.c -- 2
rm -r t; checks 'the first again' 1 '.earlier == null' p.c
checks 'not with other options' 1 '.executions > 1 and .earlier.skipped == 1' --spurious 1 p.c

# The repaired program: the trace was tried, and the counts are those of the search.
rm -r t; checks 'the first once more' 1 '.earlier == null' p.c
sed 's/int seen = hits;/atomic_fetch_add(\&hits, 1);/; s/hits = seen + 1;//' bug.c >p.c
checks 'repaired' 0 '.verdict == "verified" and .earlier == {tried: 1, skipped: 0, found: []}' p.c
"$HEDDLE" check -q --json without --trace-dir none p.c >/dev/null 2>&1
[ "$(jq -c '[.executions, .events, .blocked, .exhaustive, .downgrades]' json)" = \
    "$(jq -c '[.executions, .events, .blocked, .exhaustive, .downgrades]' without)" ] &&
    pass '… with the counts of the search' || fail '… with the counts of the search' "$(jq -c .executions json without | tr '\n' ' ')"
"$HEDDLE" check --trace-dir t p.c >out 2>err
said '… and the output says so' '^  1 earlier trace no longer fails$'
"$HEDDLE" check -q --trace-dir t p.c >out 2>err
grep -q 'no longer' out && fail 'nothing of it with -q' "$(first_lines out)" || pass 'nothing of it with -q'
cp bug.c p.c
checks 'the bug comes back' 1 "$found" p.c

# A stranger's trace is none, nor is one that somebody changed, a directory or a pipe.
sed -i '/^signature/d' t/p-assertion-1.trace
cp t/p-assertion-1.trace strange
checks 'a stranger' 1 '.executions > 1 and .earlier == {tried: 0, skipped: 1, found: []}' p.c
rm -r t; mkdir -p t/p-assertion-7.trace
cp strange t/p-assertion-2.trace
mkfifo t/p-assertion-8.trace
echo 'heddle trace 1' >t/p-assertion-9.trace
head -c 4096 /dev/urandom >t/p-deadlock-3.trace
checks 'files that are no traces' 1 '.executions > 1 and .earlier == {tried: 0, skipped: 3, found: []}' p.c

# A data race, a deadlock and a forgotten order: the schedule must lead to the same again.
for program in race_flag philosophers; do
    rm -rf t
    cp "$ROOT/tests/litmus/wrong/$program.c" p.c
    checks "$program" 1 '.earlier == null' p.c
    kind=$(jq -r '.violations[0].kind' json)
    sed -i '1i /* changed */' p.c
    checks "$program again" 1 ".earlier.found | length > 0" p.c
    [ "$(jq -r '.violations[0].kind' json)" = "$kind" ] && pass "$program: the same kind" || fail "$program: the same kind" "$kind"
done
rm -rf t
cp "$ROOT/tests/litmus/wrong/race_flag.c" p.c
checks 'a race' 1 '.earlier == null' p.c
checks 'races that are not looked for' 0 '.earlier.skipped > 0 and .earlier.tried == 0' --races off p.c
