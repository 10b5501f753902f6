#!/bin/bash
# Several data races: groups by variable and by pair of functions, a line each, one run without -v and all with it.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# Two groups: hits, which three functions access; and what put and get access, which are two variables.
cat >many.c <<'EOF'
#include <pthread.h>
int hits, head, tail;
static void one(void) { hits = 1; }
static void two(void) { hits = 2; }
static void put(void)
{
    head = 1;
    tail = 1;
}
static int get(void) { return head + tail; }
static void *work(void *unused)
{
    one();
    put();
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
#ifdef MANY
    hits = 3;
    two();
#endif
    int sum = get();
    pthread_join(t, 0);
    return sum > 2;
}
EOF
check() {
    timeout "$LIMIT" "$HEDDLE" check --keep-going --json json "$@" many.c >out 2>err </dev/null
}
# has NAME COUNT PATTERN: so many lines of the output match.
has() {
    local n
    n=$(grep -cE -- "$3" out)
    if [ "$n" = "$2" ]; then pass "$1"; else fail "$1" "$n lines '$3': $(first_lines out)"; fi
}
check --cc-flags -DMANY
has 'a summary first' 1 '^4 data races in 2 places \(-v shows a run of each\):$'
has 'one line each' 4 '^    [0-9]+: .* at many.c:[0-9]+ while .* at many.c:[0-9]+$'
has 'a group by variable' 1 '^  hits in (one|main|two)(, (one|main|two))+$'
has 'a group by functions' 1 '^  (head, tail|tail, head) in (put, get|get, put)$'
has 'one run' 1 '^data race: '
has 'where the traces are' 1 '^\(the traces of all races: heddle-traces/many-data-race-N.trace\)$'
[ "$(head -n 1 out | cut -c 1)" = 4 ] && pass 'the summary is the first line' || fail 'the summary is the first line' "$(first_lines out)"
[ "$(ls heddle-traces/many-data-race-[1-4].trace | wc -l)" = 4 ] && pass 'a trace each' || fail 'a trace each' "$(ls heddle-traces)"
got=$(jq -c '[.violations[] | [.variable, .group]] | group_by(.[1]) | map(map(.[0]) | sort) | sort' json)
[ "$got" = '[["head","tail"],["hits","hits"]]' ] && pass 'JSON has all, with their groups' || fail 'JSON has all, with their groups' "$got"
check --cc-flags -DMANY -v
has 'all runs with -v' 4 '^data race: '
check --cc-flags -DMANY --races warn
has 'warnings' 1 '^warning: 4 data races in 2 places'
printf '#include <pthread.h>\nint x;\nstatic void *f(void *u) { x = 1; return u; }\nint main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, f, 0);\n    x = 2;\n    return pthread_join(t, 0);\n}\n' >many.c
check
has 'one race has no summary' 0 'data races in|traces of all'
has '… and its run' 1 '^data race: '

# Nine threads that only race: the search ends when every strategy had a turn (all of it would take hours).
cat >nine.c <<'C'
#include <pthread.h>
static int total, slots[8];
static void *work(void *arg)
{
    slots[(long)arg]++;
    total++;
    total++;
    return 0;
}
int main(void)
{
    pthread_t t[8];
    for (long i = 0; i < 8; i++)
        pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 8; i++)
        pthread_join(t[i], 0);
}
C
timeout "$LIMIT" "$HEDDLE" check -q --no-earlier nine.c >out 2>err </dev/null
status=$?
[ $status = 1 ] && grep -q 'stopped when every search had a turn, because there are data races' out && pass 'nine threads that race: it ends' ||
    fail 'nine threads that race: it ends' "status $status $(tail -n 6 out | tr '\n' '|')"
