#!/bin/bash
# Checkpoints: a run that is killed, again and again, ends with the numbers of one that is not.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

holds() {
    local name=$1
    shift
    if "$@" >why 2>&1; then pass "$name"; else fail "$name" "$(first_lines why) $(first_lines err)"; fi
}
numbers() { jq -c '[.verdict, .executions, .blocked, .pruned, .bounded, .events, .states, .max_depth, .violations[]?.message]' "$1"; }

# killed NAME KILLS OPTIONS...: kill -9 the check at random moments, resume, compare.
killed() {
    local name=$1 kills=$2 n=0 resume=() pid
    shift 2
    rm -f c
    "$HEDDLE" check -q --json whole "$@" >/dev/null 2>&1
    while [ "$n" -lt "$kills" ]; do
        setsid "$HEDDLE" check -q --json parts --checkpoint c --checkpoint-every 30ms "${resume[@]}" "$@" \
            >out 2>err &
        pid=$!
        sleep "0.$((RANDOM % 25 + 12))"
        kill -9 "$pid" 2>/dev/null || break # it has ended by itself
        wait "$pid" 2>/dev/null
        n=$((n + 1))
        [ -e c ] && resume=(--resume c)
    done
    "$HEDDLE" check -q --json parts --checkpoint c "${resume[@]}" "$@" >out 2>err
    echo "# $name: killed $n times"
    holds "$name: as if it had not been killed" [ "$(numbers parts)" = "$(numbers whole)" ]
}

"$HEDDLE" cc -DN=9 -o counter "$ROOT/tests/programs/dpor/counter.c" -pthread
"$HEDDLE" cc -DN=2 -DSTEPS=5 -o barrier "$ROOT/tests/programs/scale/barrier.c" -pthread
"$HEDDLE" cc -o several "$ROOT/tests/litmus/wrong/several.c" -pthread
killed 'optimal' 8 --strategy optimal ./counter
killed 'source' 4 --strategy source ./barrier
killed 'not-seen' 4 --reduce not-seen ./barrier
killed 'chess' 4 --strategy chess:2 ./counter --executions 200000
killed 'several violations' 2 --keep-going --no-minimise ./several

"$HEDDLE" check -q --strategy optimal --checkpoint c --json parts ./counter >out 2>err &
pid=$!
sleep 0.5
kill -TERM "$pid" 2>/dev/null
wait "$pid"
if [ "$(jq -r '.downgrades | join(" ")' parts | grep -c interrupted)" = 1 ]; then
    holds 'SIGTERM: says how to go on' grep -q -- '--resume c' out
    "$HEDDLE" check -q --strategy optimal --resume c --json parts ./counter >out 2>err
fi
"$HEDDLE" check -q --strategy optimal --json whole ./counter >/dev/null
holds 'SIGTERM: goes on' [ "$(numbers parts)" = "$(numbers whole)" ]

"$HEDDLE" check -q --time 100ms --checkpoint c ./counter >out 2>err
holds 'a time bound leaves a checkpoint' [ -s c ]
expect_error 'another program' 'another program' "$HEDDLE" check --resume c ./barrier
expect_error 'other options' 'other options' "$HEDDLE" check --resume c --strategy source ./counter
expect_error 'other arguments' 'arguments' "$HEDDLE" check --resume c ./counter -- x
head -c 3000 c >cut
expect_error 'a damaged one' 'damaged|no checkpoint' "$HEDDLE" check --resume cut ./counter
echo hello >text
expect_error 'no checkpoint at all' 'no checkpoint' "$HEDDLE" check --resume text ./counter
expect_error 'none there' 'cannot read' "$HEDDLE" check --resume nowhere ./counter
printf '0.0.1' | dd of=c bs=1 seek=24 conv=notrunc 2>/dev/null
expect_error 'another version' 'another version' "$HEDDLE" check --resume c ./counter
expect_error 'into a missing folder' 'missing/c' "$HEDDLE" check --checkpoint missing/c ./counter
mkdir gone
"$HEDDLE" check -q --time 2s --checkpoint gone/c ./counter >out 2>err &
sleep 0.5
rmdir gone
wait $!
holds 'one that cannot be written is told, and ends nothing' grep -q 'warning: cannot write the checkpoint' err
