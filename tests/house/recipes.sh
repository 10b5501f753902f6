#!/bin/bash
# The recipes of ARCHITECTURE.md ("where to add what"), followed in a scratch copy of the tree: a toy filter, check
# and operation are added as the page says, built and run.  The copy keeps the objects of the build, so that make does
# only what the new rows ask for.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
toys=$ROOT/tests/house/toys
B=${B:-build}
LIMIT=300

mkdir "$tmp/tree"
(cd "$ROOT" && cp -a Makefile mk src include tools share "$tmp/tree/" && mkdir -p "$tmp/tree/$B" &&
    cp -a "$B/obj" "$B/rt" "$B/bin" "$B/lib" "$B/include" "$tmp/tree/$B/") || exit 2
cd "$tmp/tree" || exit 2
cp -a src "$tmp/before"
toy=$tmp/tree/$B/bin/heddle

# build NAME: of what the rows concern.
build() {
    if nice make -j2 "$B/bin/heddle" "$B/lib/heddle/libheddle_rt.a" >"$tmp/log" 2>&1; then
        pass "$1"
    else
        fail "$1" "$(grep -m 3 'error\|lacks' "$tmp/log" | tr '\n' '|')"
        exit 0
    fi
}

# small NAME LINES FILES FILE...: how much was added.
small() {
    local name=$1 lines=$2 files=$3 n=0 file
    shift 3
    for file in "$@"; do
        n=$((n + $(diff "$tmp/before/$file" "src/$file" 2>/dev/null | grep -c '^>')))
        [ -e "$tmp/before/$file" ] || n=$((n + $(wc -l <"src/$file")))
    done
    [ "$n" -le "$lines" ] && [ $# -le "$files" ] && pass "$name: $n lines in $# files" ||
        fail "$name" "$n lines in $# files, at most $lines in $files"
}

# A program that was built before the filter came.
cat >"$tmp/twice.c" <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *visit(void *unused)
{
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, visit, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return n == 2 ? 0 : 1;
}
END
"$HEDDLE" cc -o "$tmp/old" "$tmp/twice.c" -pthread || exit 2

# A row whose code is not there is an error of the build.
cat "$toys/filters.def" >>src/core/filters.def
cat "$toys/checks.def" >>src/explore/loop/checks.def
cp "$toys/check.c" src/explore/checks/toy.c
cat "$toys/op.def" >>src/core/op.def
cat "$toys/libc.def" >>src/analyse/libc.def
cp "$toys/operation.c" src/runtime/toy.c
if nice make -j2 "$B/bin/heddle" "$B/lib/heddle/libheddle_rt.a" >"$tmp/log" 2>&1; then
    fail 'filter: forgotten code' 'it was built'
elif grep -q 'lacks hd_filter_toy' "$tmp/log"; then
    pass 'filter: forgotten code'
else
    fail 'filter: forgotten code' "$(grep -m 3 'error\|lacks' "$tmp/log" | tr '\n' '|')"
fi
cp "$toys/filter.c" src/explore/filters/toy.c
build 'build'
small 'filter' 60 2 core/filters.def explore/filters/toy.c
small 'check' 60 2 explore/loop/checks.def explore/checks/toy.c
small 'operation' 50 3 core/op.def analyse/libc.def runtime/toy.c
HEDDLE=$toy

# ---- the filter
moved() { tools/abi.sh 2>&1 | grep -q 'filters.def: rows have moved'; }
moved && fail 'filter: its row comes last' 'programs know the others by another number' || pass 'filter: its row comes last'
cp -p src/core/filters.def "$tmp/filters.def"
{ sed '/^HD_FILTER/,$d' "$tmp/filters.def"; cat "$toys/filters.def"; sed -n '/^HD_FILTER/,$p' "$tmp/filters.def"; } >src/core/filters.def
moved && pass 'filter: its row comes first, which is refused' || fail 'filter: its row comes first, which is refused' 'accepted'
cp -p "$tmp/filters.def" src/core/filters.def
check_program 'filter: without it' verified '' '' --reduce none "$tmp/twice.c"
whole=$(jq .executions "$tmp/json")
check_program 'filter: it claims nothing' no-violation-found "$whole" '' --reduce toy:1000 "$tmp/twice.c"
jq -e 'any(.downgrades[]; test("toy does not claim"))' "$tmp/json" >/dev/null && pass 'filter: and the result says so' ||
    fail 'filter: and the result says so' "$(jq -c .downgrades "$tmp/json")"
check_program 'filter: it cuts' no-violation-found 1 '' --reduce toy:0 "$tmp/twice.c"
check_program 'filter: within its bound' verified "$whole" '' --reduce toy-bound:1000 "$tmp/twice.c"
check_program 'filter: beyond its bound' no-violation-found 1 '' --reduce toy-bound:0 "$tmp/twice.c"
expect_error 'filter: it stands alone' 'cannot be combined' "$HEDDLE" check --reduce toy:3,sleep "$tmp/twice.c"
expect_error 'filter: a number out of range' 'from 0 to 1000' "$HEDDLE" check --reduce toy:2000 "$tmp/twice.c"
check_program 'filter: a program built before it' verified '' '' --strategy optimal "$tmp/old"
expect_error 'filter: … whose runtime lacks it' 'did not have toy yet: build it again' "$HEDDLE" check --reduce toy:3 "$tmp/old"

# ---- the check
expect_error 'check: it hears of every lock' 'the toy check has heard of 2 locks' \
    "$HEDDLE" check --strategy optimal --depth 777 "$tmp/twice.c"

# ---- the operation
check_program 'operation: both orders' verified 2 '' --strategy optimal "$toys/tickets.c"
check_program 'operation: the other order is a violation' 'violation assertion' '' '' --cc-flags -DFIRST "$toys/tickets.c"
timeout "$LIMIT" "$HEDDLE" replay --cc-flags -DFIRST "$toys/tickets.c" "$tmp"/traces/*.trace >"$tmp/out" 2>&1
grep -q ticket "$tmp/out" && pass 'operation: it has a name in reports' || fail 'operation: it has a name in reports' "$(first_lines "$tmp/out")"

# ---- a chain: allowed when there is a row for it
sed -i 's/^#undef PLAIN/HD_CHAIN(PLAIN | BIT(SLEEP) | BIT(TOY_BOUND))\n&/' src/core/chains.def
build 'chain: build'
check_program 'chain: allowed' verified '' '' --reduce toy-bound:1000,sleep "$tmp/twice.c"
expect_error 'chain: another is not' 'cannot be combined' "$HEDDLE" check --reduce toy:3,sleep "$tmp/twice.c"
