#!/bin/bash
# The judge's own tests: tests/oracle/axioms/run.sh [PROGRAMS [SEED]]
#
# Relations, known counts, litmus shapes, papers and random programs against machines (axioms-selftest); RC11 written a
# second time (second.py); the commands with bad input; and what is generated compiles.  B is the build tree.
set -u
cd "$(dirname "$0")/../../.." || exit 2
B=${B:-build} CC=${CC:-clang-${LLVM:-19}}
judge=$B/tests/axioms-judge gen=$B/tests/axioms-gen
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

"$B/tests/axioms-selftest" "${1:-500}" "${2:-0}" || bad=1

python3 tests/oracle/axioms/second.py --tools "$B/tests" --seed "${2:-0}" $((${1:-500} / 4)) || bad=1

# said NAME CONDITION...: ok, if the command succeeds.
said() {
    local name=$1
    shift
    if "$@"; then echo "ok $name"; else echo "not ok $name: $(head -c 200 "$tmp/err" | tr '\n' '|')"; bad=1; fi
}

# refused NAME COMMAND...: exit status 2 and one line on stderr.
refused() {
    local name=$1
    shift
    "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    said "$name" test "$? $(wc -l <"$tmp/err")" = "2 1"
}

printf 'loc x\nthread\n    store x 1 relaxed\n' >"$tmp/good.ax"
printf 'loc x\nthread\n    stor x 1 relaxed\n' >"$tmp/bad.ax"
printf 'mutex m\nthread\n    unlock m\n' >"$tmp/misuse.ax"
refused 'judge without a file' "$judge"
refused 'judge with a model that there is not' "$judge" --memory arm "$tmp/good.ax"
refused 'judge with a file that there is not' "$judge" "$tmp/none.ax"
refused 'judge with an unknown statement' "$judge" "$tmp/bad.ax"
refused 'judge with an unlock of a free mutex' "$judge" --memory rc11 "$tmp/misuse.ax"
refused 'gen without a command' "$gen"
refused 'gen with a shape that there is not' "$gen" shape XX 0
refused 'gen with a combination that there is not' "$gen" shape SB 1000000
refused 'gen with a bad size' "$gen" random --threads 100

"$gen" random --seed 7 >"$tmp/a" && "$gen" random --seed 7 >"$tmp/b"
said 'a seed gives one program' cmp -s "$tmp/a" "$tmp/b"
"$judge" --memory rc11 --most 0 "$tmp/good.ax" >"$tmp/out" 2>"$tmp/err"
said 'a program with one graph' test "$(cat "$tmp/out")" = "$(printf '%s\n' \
    'rc11 graphs 1 deadlocks 0 finals 1 races 0 hash ad2aca7747985764' 'rc11 final x=1')"

# All features, every shape once, every paper: C that compiles without a warning.
"$gen" random --seed 0 --count 60 --dir "$tmp" --with all
"$gen" list | while read -r kind name rest; do
    case $kind in
    shape) "$gen" shape "$name" 1 >"$tmp/shape-$name.ax" ;;
    classic) "$gen" classic "$name" >"$tmp/classic-$name.ax" ;;
    family) "$gen" family "${name%:}" 2 >"$tmp/family-${name%:}.ax" ;;
    esac
done
rm "$tmp/bad.ax" "$tmp/misuse.ax"
"$gen" c "$tmp"/*.ax >"$tmp/all.c" 2>"$tmp/err"
said 'C that compiles without a warning' "$CC" -std=gnu17 -Wall -Wextra -Werror -pthread -c -o "$tmp/all.o" "$tmp/all.c"
exit "${bad:-0}"
