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

# killed NAME KILLS OPTIONS...: kill -9 the check soon after it has written a checkpoint, resume, compare.  With --long twenty
# times.
killed() {
    local name=$1 kills=$2 n=0 resume=() pid before
    shift 2
    [ "$long" = 1 ] && kills=20
    rm -f c
    "$HEDDLE" check -q --json whole --checkpoint w "$@" >/dev/null 2>&1
    while [ "$n" -lt "$kills" ]; do
        before=$(stamp c)
        setsid "$HEDDLE" check -q --json parts --checkpoint c --checkpoint-every 50ms "${resume[@]}" "$@" \
            >out 2>err &
        pid=$!
        replaced c "$before" "$pid"
        sleep 0.0$((RANDOM % 10))
        kill -9 "$pid" 2>/dev/null || break # it has ended by itself
        wait "$pid" 2>/dev/null
        n=$((n + 1))
        resume=(--resume c)
    done
    "$HEDDLE" check -q --json parts --checkpoint c "${resume[@]}" "$@" >out 2>err
    echo "# $name: killed $n times, gone on from a checkpoint"
    holds "$name: as if it had not been killed" [ "$(numbers parts)" = "$(numbers whole)" ]
    holds "$name: it was killed, and gone on with" [ "$n" -gt 0 ]
}

long=0
[ "${1:-}" = --long ] && long=1
"$HEDDLE" cc -DN=$((long ? 10 : 9)) -o counter "$ROOT/tests/programs/dpor/counter.c" -pthread
"$HEDDLE" cc -DN=11 -o longer "$ROOT/tests/programs/dpor/counter.c" -pthread
"$HEDDLE" cc -DN=2 -DSTEPS=$((long ? 6 : 5)) -o barrier "$ROOT/tests/programs/scale/barrier.c" -pthread
"$HEDDLE" cc -DN=4 -DK=$((long ? 44 : 24)) -o states "$ROOT/tests/programs/stateful/rounds.c" -pthread
"$HEDDLE" cc -o crashes "$ROOT/tests/cli/crashes.c" -pthread
"$HEDDLE" cc -DN=15 -o lastzero "$ROOT/tests/programs/dpor/lastzero.c" -pthread
killed 'auto' 4 ./lastzero
killed 'several workers' 4 --strategy optimal -j 2 ./counter
killed 'states in common' 2 --strategy stateful -j 2 ./states
killed 'a program that crashes' 2 --strategy optimal --keep-going --no-minimise ./crashes
killed 'states' 2 --strategy stateful ./states
if [ "$long" = 1 ]; then
    killed 'several workers, source' 20 --strategy source -j 3 ./counter
    killed 'chess' 20 --strategy chess:2 ./counter --executions 1500000
    killed 'not-seen' 20 --reduce not-seen ./barrier
    killed 'source' 20 --strategy source ./counter
    killed 'a program that crashes, several workers' 20 --strategy optimal --keep-going --no-minimise -j 2 ./crashes
    killed 'optimal' 20 --strategy optimal ./counter
    killed 'depth' 20 --depth 75 ./counter
    killed 'random' 20 --strategy random --executions 1500000 ./counter
fi

for jobs in 1 2; do
    rm -f c
    "$HEDDLE" check -q -j $jobs --strategy optimal --checkpoint c --checkpoint-every 100ms --json parts ./longer >out 2>err &
    pid=$!
    replaced c '' $pid
    kill -TERM "$pid" 2>/dev/null
    wait "$pid"
    holds "SIGTERM, -j $jobs: says what is known" jq -e '.executions > 0 and (.downgrades | join(" ") | test("interrupted"))' parts
    holds "SIGTERM, -j $jobs: and how to go on" grep -q -- '--resume c' out
    more=$(jq '.executions + 50000' parts)
    "$HEDDLE" check -q -j $jobs --strategy optimal --resume c --executions "$more" --json parts ./longer >out 2>err
    holds "SIGTERM, -j $jobs: goes on" jq -e ".executions == $more" parts
done
more=$(jq '.executions + 1000' parts)
"$HEDDLE" check -q --strategy optimal --resume c --executions "$more" --json parts ./longer >out 2>err
holds 'another number of workers' jq -e ".executions == $more" parts
# A program that ends its worker again and again is interrupted all the same.
"$HEDDLE" check -q --keep-going --no-minimise --time 200ms --json parts ./crashes >out 2>err
holds 'a time bound holds for a program that crashes' jq -e '.executions < 720' parts

"$HEDDLE" check -q --time 100ms --checkpoint c ./counter >out 2>err
holds 'a time bound leaves a checkpoint' [ -s c ]
expect_error 'another program' 'another program' "$HEDDLE" check --resume c ./barrier
expect_error 'other options' 'other options' "$HEDDLE" check --resume c --strategy source ./counter
expect_error 'other arguments' 'arguments' "$HEDDLE" check --resume c ./counter -- x
head -c 300 c >cut
expect_error 'a damaged one' 'damaged|no checkpoint' "$HEDDLE" check --resume cut ./counter
echo hello >text
expect_error 'no checkpoint at all' 'no checkpoint' "$HEDDLE" check --resume text ./counter
expect_error 'none there' 'cannot read' "$HEDDLE" check --resume nowhere ./counter
# The version of the format stands after two texts of 24 bytes, of which the second names heddle's.
printf 9 | dd of=c bs=1 seek=24 conv=notrunc 2>/dev/null
printf '\377' | dd of=c bs=1 seek=48 conv=notrunc 2>/dev/null
expect_error 'another version' 'another version' "$HEDDLE" check --resume c ./counter
expect_error 'how often, but not where to' 'give --checkpoint FILE' "$HEDDLE" check --checkpoint-every 1s ./counter
expect_error 'into a missing folder' 'missing/c' "$HEDDLE" check --checkpoint missing/c ./counter
# When a worker is killed, the message says how to go on.
rm -f c
"$HEDDLE" check -q --strategy optimal --checkpoint c --checkpoint-every 100ms ./longer >out 2>err &
pid=$!
replaced c '' $pid
while [ ! -s err ] && kill -0 $pid 2>/dev/null; do # a worker may have just ended, for a checkpoint
    worker=$(pgrep -n -P "$pid") && kill -9 "$worker" 2>/dev/null
    sleep 0.02
done
wait "$pid"
holds 'a killed worker: how to go on' grep -q 'killed from outside .*--resume c goes on' err
mkdir gone
"$HEDDLE" check -q --strategy optimal --executions 400000 --checkpoint gone/c --checkpoint-every 50ms ./longer >out 2>err &
pid=$!
replaced gone/c '' $pid
until rm -r gone 2>/dev/null; do :; done # the next checkpoint may be in the making there
wait $pid
holds 'one that cannot be written is told, and ends nothing' grep -q 'warning: cannot write the checkpoint' err
