#!/bin/bash
# Programs of Parízek's tables whose originals are large: optimal DPOR and the reductions over states agree on them.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# agree PROGRAM FLAGS EXPECTED STRATEGY...: the verdict of each, and the kind of the first violation
agree() {
    local program=$1 flags=$2 expected=$3 strategy got
    shift 3
    # shellcheck disable=SC2086
    "$HEDDLE" cc $flags -o "$tmp/program" "$ROOT/bench/hybrid/$program.c" || fail "$program" 'not built'
    for strategy in "$@"; do
        rm -f "$tmp/json"
        timeout "$LIMIT" "$HEDDLE" check -q --no-minimise --trace-dir "$tmp/traces" --json "$tmp/json" --strategy "$strategy" \
            "$tmp/program" >/dev/null 2>"$tmp/err"
        got=$(jq -rc '.violations[0].kind // .verdict' "$tmp/json" 2>/dev/null)
        if [ "$got" = "$expected" ]; then
            pass "$program $flags: $strategy"
        else
            fail "$program $flags: $strategy" "expected $expected, got $got ($(first_lines "$tmp/err"))"
        fi
    done
}

for program in credemo cocome simplejbb jpapabench; do
    agree $program '' verified optimal hybrid dpor-stateful
done
agree jpapabench '-DERROR' assertion optimal hybrid hybrid:hr dpor-stateful

# Determinacy: what two threads write through p depends on the schedule; the three other places always access the same.
cat >"$tmp/places.c" <<'END'
#include <pthread.h>
static int first, second, a[2];
static void *run(void *unused)
{
    int *p = first ? &a[0] : &a[1];
    first = 1;
    *p = 1;
    second = 1;
    return unused;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, run, 0);
    pthread_create(&u, 0, run, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
END
"${CC:-cc}" -shared -fPIC -I"$ROOT/include" -o "$tmp/determinacy.so" "$ROOT/bench/determinacy.c" || fail 'determinacy' 'not built'
timeout "$LIMIT" "$HEDDLE" check -q --races off --reduce optimal --strategy "$tmp/determinacy.so:$tmp/counts" "$tmp/places.c" \
    >/dev/null 2>"$tmp/err"
if [ "$(cat "$tmp/counts" 2>/dev/null)" = '8 6' ]; then
    pass 'six of eight places and threads are determinate'
else
    fail 'six of eight places and threads are determinate' "got $(cat "$tmp/counts") $(first_lines "$tmp/err")"
fi
