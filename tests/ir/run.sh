#!/bin/bash
# The rewritten program: every file of cases/ is compiled by heddle cc, linked with plain_rt.c instead
# of the real runtime, and run.  It must exit with 0, print what its `//! out` lines say, and its
# hooks must be exactly the `//! event` lines (in order) when there are any, or none at all when
# it says `//! none event`; `//! info` lines must be among what the information section says, and
# `//! lines PREFIX N` says how many lines begin so.
set -u
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# An installation of its own, with another runtime in it.
mkdir -p "$tmp/root/bin" "$tmp/root/lib/heddle" "$tmp/root/include"
cp "$HEDDLE" "$tmp/root/bin/heddle"
cp "$ROOT/include/heddle.h" "$tmp/root/include/"
cp "$(dirname "$HEDDLE")/../lib/heddle/libheddle_cxx.a" "$tmp/root/lib/heddle/"
clang-19 -std=gnu17 -O1 -Wall -Wextra -Werror -I"$ROOT/src" -c -o "$tmp/plain_rt.o" "$here/plain_rt.c" || exit 1
ar rcs "$tmp/root/lib/heddle/libheddle_rt.a" "$tmp/plain_rt.o" || exit 1
# Every access: these programs have one thread, and what they show is what a hook looks like.
export HEDDLE_ACCESSES=all
cc=("$tmp/root/bin/heddle" cc)

# wanted KIND FILE: its expectations, every @TAG replaced by the number of the line with /*@TAG*/.
wanted() {
    awk -v kind="$1" '
        match($0, "/[*]@[0-9]+[*]/") { line[substr($0, RSTART + 2, RLENGTH - 4)] = FNR }
        index($0, "//! " kind " ") == 1 { expected[++n] = substr($0, 5) }
        END {
            for (i = 1; i <= n; i++) {
                if (match(expected[i], "@[0-9]+$")) {
                    tag = substr(expected[i], RSTART)
                    expected[i] = substr(expected[i], 1, RSTART - 1) "line " line[tag]
                }
                print expected[i]
            }
        }' "$2"
}

run_case() {
    local file=$1 name=$2 status
    shift 2
    if ! "${cc[@]}" "$@" -o "$tmp/program" "$file" -lm >"$tmp/err" 2>&1; then
        fail "$name" "does not compile: $(first_lines "$tmp/err")"
        return
    fi
    "$tmp/program" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
    wanted out "$file" | sed 's/^out //' >"$tmp/wanted.out"
    wanted event "$file" >"$tmp/wanted.events"
    grep '^event ' "$tmp/err" >"$tmp/events"
    if [ "$status" != 0 ]; then
        fail "$name" "exit status $status: $(first_lines "$tmp/err")"
    elif ! cmp -s "$tmp/out" "$tmp/wanted.out"; then
        fail "$name" "printed $(first_lines "$tmp/out")"
    elif { [ -s "$tmp/wanted.events" ] || grep -q '^//! none event' "$file"; } &&
        ! diff "$tmp/wanted.events" "$tmp/events" >"$tmp/diff"; then
        fail "$name" "$(first_lines "$tmp/diff")"
    else
        while IFS= read -r line; do
            if ! grep -qxF "$line" "$tmp/err"; then
                fail "$name" "no '$line' in $(first_lines "$tmp/err")"
                return
            fi
        done < <(wanted info "$file")
        while read -r _ prefix1 prefix2 n; do
            if [ "$(grep -c "^$prefix1 $prefix2 " "$tmp/err")" != "$n" ]; then
                fail "$name" "not $n lines '$prefix1 $prefix2' in $(first_lines "$tmp/err")"
                return
            fi
        done < <(wanted lines "$file")
        pass "$name"
    fi
}

for file in "$here"/cases/*.c "$here"/cases/*.cc; do
    case $file in
    *.cc) cc=("$tmp/root/bin/heddle" c++) ;;
    *) cc=("$tmp/root/bin/heddle" cc) ;;
    esac
    run_case "$file" "$(basename "$file")"
done

# The same accesses whatever optimisation is asked for, and with builtins off.
# Every access: these programs have one thread, and what they show is what a hook looks like.
export HEDDLE_ACCESSES=all
cc=("$tmp/root/bin/heddle" cc)
for flags in -O0 -O3 -fno-builtin; do
    for name in plain structs atomics unused strings; do
        run_case "$here/cases/$name.c" "$name.c $flags" $flags
    done
done

. "$here/link.sh"
