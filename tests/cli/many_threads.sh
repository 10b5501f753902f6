#!/bin/bash
# More than 64 threads, whose sets take several words: what is known of programs with few threads holds for them behind
# threads that do nothing, whether those have been joined, have ended, or wait until the program is over.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cat >"$tmp/many.c" <<'END'
#include <pthread.h>
int tested_main(int, char **);
static pthread_mutex_t gate[MANY];
static void *idle(void *number)
{
#ifdef WAITING
    pthread_mutex_lock(&gate[(long)number]);
    pthread_mutex_unlock(&gate[(long)number]);
#endif
    return number;
}
int main(int argc, char **argv)
{
    pthread_t t[MANY];
    for (long i = 0; i < MANY; i++) {
        pthread_mutex_init(&gate[i], 0);
        pthread_mutex_lock(&gate[i]);
        pthread_create(&t[i], 0, idle, (void *)i);
    }
#ifdef JOINED
    for (int i = 0; i < MANY; i++)
        pthread_join(t[i], 0);
#endif
    int status = tested_main(argc, argv);
#ifndef JOINED
    for (int i = 0; i < MANY; i++) {
        pthread_mutex_unlock(&gate[i]);
        pthread_join(t[i], 0);
    }
#endif
    return status;
}
END

# counts NAME WANTED OPTIONS...: executions and blocked ones of $tmp/program.
counts() {
    local name=$1 wanted=$2 got
    shift 2
    timeout "$LIMIT" "$HEDDLE" check -q --strategy optimal --keep-going --json "$tmp/json" "$@" "$tmp/program" >"$tmp/out" 2>&1
    got=$(jq -r '"\(.executions) \(.blocked // 0)"' "$tmp/json" 2>/dev/null)
    [ "$got" = "$wanted" ] && pass "$name" || fail "$name" "$got instead of $wanted: $(first_lines "$tmp/out")"
}

kinds=(JOINED ENDED WAITING)
n=0
while IFS='|' read -r file flags traces long options; do
    read -r file <<<"$file"
    read -r traces <<<"$traces"
    case $file in '#'* | '') continue ;; esac
    [ -z "${long// /}${options// /}" ] && [ "$traces" -le 300 ] || continue
    how=${kinds[n++ % 3]}
    case $how in JOINED) many=70 ;; ENDED) many=62 ;; *) many=130 ;; esac
    # shellcheck disable=SC2086 # several flags
    "$HEDDLE" cc $flags -Dmain=tested_main -c -o "$tmp/tested.o" "$ROOT/tests/programs/$file" &&
        "$HEDDLE" cc -D$how -DMANY=$many -o "$tmp/program" "$tmp/many.c" "$tmp/tested.o" -pthread || exit 2
    counts "$file${flags% }, $many threads, $how" "$traces 0"
done <"$ROOT/tests/programs/traces.txt"
"$HEDDLE" cc -DN=6 -Dmain=tested_main -c -o "$tmp/tested.o" "$ROOT/tests/programs/dpor/lastzero.c" &&
    "$HEDDLE" cc -DWAITING -DMANY=70 -o "$tmp/program" "$tmp/many.c" "$tmp/tested.o" -pthread || exit 2
# The explorer checks itself at every step; two workers share the search; the search is written out and read.
counts 'checked at every step' '144 0' --paranoid
counts 'two workers' '144 0' -j 2
timeout "$LIMIT" "$HEDDLE" check -q --strategy optimal --keep-going --executions 50 --checkpoint "$tmp/checkpoint" "$tmp/program" >/dev/null 2>&1
counts 'from a checkpoint' '144 0' --resume "$tmp/checkpoint"
