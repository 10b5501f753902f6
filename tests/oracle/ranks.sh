#!/bin/bash
# Random programs on ranks: tests/oracle/ranks.sh [PROGRAMS [FIRST_SEED]]
# Each program is explored by one process and by four ranks of mpirun; in groups of two, every second time.  Verdict, counts,
# observations and violations must be the same.
set -u
. "$(dirname "$0")/../lib.sh"
n=${1:-5} seed=${2:-0}
tools=$(dirname "$HEDDLE")/../tests
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
export NO_COLOR=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # in a container
if [ ! -e "$(dirname "$HEDDLE")/../lib/heddle/heddle-mpi.so" ] || ! command -v mpirun >/dev/null; then
    echo '# no MPI: nothing is tried'
    exit
fi
"$tools/oracle-gen" -n "$n" -s "$seed" --most 2000 -o programs.c >/dev/null || exit 2
"$HEDDLE" cc -o programs programs.c -pthread || exit 2

same='[.verdict, .executions, .blocked, .pruned, .bounded, .observations, ([.violations[]?.kind] | unique), .downgrades]'
options='-q --no-minimise --keep-going --trace-dir traces --no-earlier'
compared=0 refused=0 wrong=0
for ((i = 0; i < n; i++)); do
    rm -rf heddle-units part whole
    # shellcheck disable=SC2086 # several options
    "$HEDDLE" check $options --strategy graph --json whole ./programs -- $i >out 2>err </dev/null
    if [ $? -gt 1 ]; then
        refused=$((refused + 1))
        continue
    fi
    groups=
    [ $((i % 2)) = 1 ] && groups='--group 2'
    # shellcheck disable=SC2086
    timeout "$LIMIT" mpirun --oversubscribe -n 4 "$HEDDLE" check $options --distributed $groups --json part ./programs -- $i \
        >out 2>err </dev/null
    compared=$((compared + 1))
    got=$(jq -c "$same" part) want=$(jq -c "$same" whole)
    [ "$got" = "$want" ] && continue
    fail "program $((seed + i))" "$got instead of $want $(first_lines err)"
    wrong=$((wrong + 1))
done
[ "$wrong" = 0 ] && pass "$n programs on four ranks"
echo "# $compared programs compared, $refused refused"
