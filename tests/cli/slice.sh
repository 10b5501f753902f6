#!/bin/bash
# heddle slice: the slices printed in the papers, slices through calls and locks, its formats, what it
# refuses.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
here=$ROOT/tests/slice

# line FILE TAG: the number of the line with the comment /* TAG */.
line() { grep -n "/\* $2 \*/" "$here/$1" | head -n 1 | cut -d: -f1; }

# slice FILE OPTIONS...: its statements by the comments after them, "t0: 1 2 3; t1: 3", those that
# other threads can see; with LOCAL=1 all.
slice() {
    local file=$1
    shift
    "$HEDDLE" slice --json "$tmp/json" "$here/$file" "$@" >"$tmp/out" 2>"$tmp/err" || cat "$tmp/err"
    jq -r --argjson all "${LOCAL:-0}" '.threads[] | .entry as $e |
        (.lines[] | select(.visible or .target or $all == 1) | "\($e) \(.line)")' "$tmp/json" |
        while read -r entry n; do
            sed -n "${n}s,.*/\* $entry: \([0-9]*\) \*/.*,$entry \1,p" "$here/$file"
        done | awk '{ if ($1 != last) printf "%s%s:", (NR > 1 ? "; " : ""), $1; last = $1
                      printf " %s", $2 } END { print "" }'
}

same() {
    if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "expected '$2', got '$3'"; fi
}

target=figure1.c:$(line figure1.c 't0: 8')
same 'Figure 2a: the initial slice' 't0: 1 2 3 6 7 8' "$(LOCAL=1 slice figure1.c --own-thread "$target")"
same 'Figure 2c: the refined slice' 't0: 1 2 3 6 7 8; t1: 3' \
    "$(LOCAL=1 slice figure1.c --own-thread "$target" "figure1.c:$(line figure1.c 't1: 3')")"
same 'Figure 1: every influence' 't0: 1 2 3 5 6 7 8; t1: 1 2 3; t2: 1 2 3' \
    "$(slice figure1.c "$target")"
target=table31.c:$(line table31.c 't0: 2')
same 'Table 3.1: the initial slice' 't0: 0 1 2' "$(LOCAL=1 slice table31.c --own-thread "$target")"
same 'Table 3.1: the abstraction' 't0: 0 1 2; t1: 2' "$(slice table31.c "$target")"
# int h = 5 has no code of its own: its value is part of statement 1.
same 'Table 3.1: with what is local' 't0: 0 1 2; t1: 1 2' "$(LOCAL=1 slice table31.c "$target")"

# Every line marked in or out.
"$HEDDLE" slice --json "$tmp/json" "$here/calls.c" "calls.c:$(line calls.c target)" || fail calls "status $?"
jq -r '[.threads[].lines[].line] | unique[]' "$tmp/json" >"$tmp/lines"
bad=
while IFS=: read -r n text; do
    if grep -qx "$n" "$tmp/lines"; then got=in; else got=out; fi
    case $text in
    *'/* out */'*) [ "$got" = out ] || bad+=" $n is in" ;;
    *) [ "$got" = in ] || bad+=" $n is out" ;;
    esac
done < <(grep -n '/\* \(in\|out\|target\) \*/' "$here/calls.c")
same 'calls, locks, waiting' '' "$bad"

"$HEDDLE" cc -o "$tmp/program" "$here/figure1.c" 2>"$tmp/err" || fail 'heddle cc' "$(first_lines "$tmp/err")"
"$HEDDLE" slice "$tmp/program" "figure1.c:$(line figure1.c 't0: 8')" --html "$tmp/page.html" --json - \
    >"$tmp/out" 2>"$tmp/err"
if grep -q 'class="l target"' "$tmp/page.html" && jq -e '.whole' "$tmp/out" >/dev/null; then
    pass 'a program, a page'
else
    fail 'a program, a page' "$(first_lines "$tmp/err")"
fi
if "$HEDDLE" slice "$tmp/program" t2 | grep -q '^thread t2: '; then pass 'a function'; else fail 'a function' ''; fi

expect_error 'no place' 'FILE:LINE' "$HEDDLE" slice "$tmp/program"
expect_error 'no program' 'PROGRAM' "$HEDDLE" slice
expect_error 'a line without code' 'nearest.*figure1\.c:6|figure1\.c:[0-9]+' \
    "$HEDDLE" slice "$tmp/program" figure1.c:5
expect_error 'a line far behind' 'the nearest line that does is figure1\.c:[45][0-9]' \
    "$HEDDLE" slice "$tmp/program" figure1.c:5000
expect_error 'another file' 'nowhere\.c is not a source file' "$HEDDLE" slice "$tmp/program" nowhere.c:5
expect_error 'a function that is none' 'did you mean t2' "$HEDDLE" slice "$tmp/program" tt2
expect_error 'not a place' 'FILE:LINE' "$HEDDLE" slice "$tmp/program" figure1.c:x
expect_error 'not a program of heddle' 'heddle cc' "$HEDDLE" slice /bin/true main
expect_error 'a place with --warnings' 'whole program' "$HEDDLE" slice --warnings "$tmp/program" figure1.c:8
printf 'int main(void)\n{\n  return 0;\n}\nvoid unused(void)\n{\n}\n' >"$tmp/alone.c"
expect_error 'a place that no thread gets to' 'no thread' "$HEDDLE" slice "$tmp/alone.c" unused
clang-19 -O1 -Xclang -disable-llvm-passes -emit-llvm -c -o "$tmp/bare.bc" "$tmp/alone.c"
expect_error 'no debug information' 'no debug information' "$HEDDLE" slice "$tmp/bare.bc" alone.c:3

# Static warnings.
races() { jq -r '[.warnings[] | select(.kind == "data-race") | .sites | map(.variable)[0]] | unique | join(" ")' "$tmp/json"; }
"$HEDDLE" slice --warnings --json "$tmp/json" "$here/figure1.c" || fail warnings "status $?"
same 'races of Figure 1' 'x y' "$(races)"
cat >"$tmp/text.c" <<'EOF'
#include <assert.h>
#include <pthread.h>
static int n;
static int get(void) { return n++; }
static void *work(void *unused) { assert(get() < 9); return unused; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
EOF
"$HEDDLE" slice --warnings --json "$tmp/json" "$tmp/text.c" || fail warnings "status $?"
same 'no race on the text of an assertion' 'n' "$(races)"
"$HEDDLE" slice --warnings --json "$tmp/json" "$here/calls.c" || fail warnings "status $?"
same 'only what no lock protects' 'noise' "$(races)"
"$HEDDLE" slice --warnings --json "$tmp/json" "$ROOT/tests/litmus/wrong/lock_order.c" 2>"$tmp/err" ||
    fail warnings "$(first_lines "$tmp/err")"
same 'a cycle of locks' 'deadlock' "$(jq -r '[.warnings[].kind] | unique | join(" ")' "$tmp/json")"

# Warnings name members as the source does, and the likeliest come first: those without main, which may be alone.
cat >"$tmp/members.c" <<'C'
#include <pthread.h>
struct queue { int a, b; pthread_mutex_t lock; int c[3]; } queue;
static int flag;
static void *worker(void *x) { queue.b++; flag = 1; return x; }
static void *other(void *x) { queue.b = 4; return x; }
int main(void)
{
    pthread_t t, u;
    flag = 2;
    pthread_create(&t, 0, worker, 0);
    flag = 3;
    pthread_create(&u, 0, other, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
C
"$HEDDLE" slice --warnings "$tmp/members.c" >"$tmp/out" 2>"$tmp/err"
[ "$(sed -n 's/^possible data race on //p' "$tmp/out" | uniq | tr '\n' ' ')" = 'queue.b flag ' ] && pass 'warnings: members, in order' ||
    fail 'warnings: members, in order' "$(first_lines "$tmp/out")"

# A forgotten lock comes first; members of blocks have the names of the source.
cd "$tmp" || exit 2
cat >forgot.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; int value; long hits; };
struct list { struct node *first; pthread_mutex_t lock; long length; int started; };
static struct list list = { .lock = PTHREAD_MUTEX_INITIALIZER };
static void push(struct list *l, int v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->hits = 0;
    pthread_mutex_lock(&l->lock);
    n->next = l->first;
    l->first = n;
    l->length++;
    pthread_mutex_unlock(&l->lock);
}
static long sum(struct list *l)
{
    long s = 0;
    for (struct node *n = l->first; n; n = n->next) { s += n->value; n->hits++; }
    return s;
}
static void *one(void *u) { list.started = 1; push(&list, 1); return u; }
static void *two(void *u) { list.started = 1; sum(&list); return u; }
int main(void)
{
    pthread_t a, b;
    list.length = 0;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return (int)sum(&list) < 0;
}
C
"$HEDDLE" slice --warnings forgot.c >out 2>err
[ "$(head -n 1 out)" = 'possible data race on list.first' ] && pass 'a forgotten lock comes first' || fail 'a forgotten lock comes first' "$(first_lines out)"
grep -qF 'possible data race on n->value (memory from forgot.c:8)' out && pass 'members of blocks' || fail 'members of blocks' "$(first_lines out)"
"$HEDDLE" slice forgot.c forgot.c:21 >out 2>err
grep -qF 'line 20 may see n->value (memory from forgot.c:8) written by one at forgot.c:9' out && pass 'members of blocks, in slices' ||
    fail 'members of blocks, in slices' "$(tail -n 5 out | tr '\n' '|')"
