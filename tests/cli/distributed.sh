#!/bin/bash
# heddle check --distributed: ranks of mpirun count and find what one process does; a search that was killed goes on.
# Without MPI (make MPI=1) only the refusals are tried.  With --long it is killed 20 times.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
export NO_COLOR=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # in a container

dir=$ROOT/tests/programs
"$HEDDLE" cc -DK=3 -o fib "$dir/dpor/fib_bench.c" -pthread
expect_error 'a ledger alone' 'give --distributed' "$HEDDLE" check --ledger l ./fib
expect_error 'a group alone' 'give --distributed' "$HEDDLE" check --group 4 ./fib
expect_error 'a group of one' 'group' "$HEDDLE" check --distributed --group 1 ./fib
expect_error 'a search that has no units' 'cannot be split' "$HEDDLE" check --distributed --strategy optimal ./fib
if [ ! -e "$(dirname "$HEDDLE")/../lib/heddle/heddle-mpi.so" ] || ! command -v mpirun >/dev/null; then
    expect_error 'no plug-in' 'make MPI=1' "$HEDDLE" check --distributed ./fib
    echo '# no MPI: nothing else is tried'
    exit
fi
expect_error 'one rank' 'two ranks or more' "$HEDDLE" check --distributed ./fib

cat >lost.c <<'C'
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused)
{
    for (int i = 0; i < 2; i++)
        x = x + 1;
    return unused;
}
int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    heddle_observe((void *)&x, sizeof x);
    heddle_assert(x != 3);
}
C
"$HEDDLE" cc -o lost lost.c -pthread

same='[.verdict, .executions, .blocked, .observations, ([.violations[]?.message] | sort), .downgrades]'
ranks() { # N OPTIONS...
    local n=$1
    shift
    timeout "$LIMIT" mpirun --oversubscribe -n "$n" "$HEDDLE" check -q --no-minimise --distributed --json part "$@" >out 2>err
}

# ranks_count NAME OPTIONS...: with 2 and 4 ranks.
ranks_count() {
    local name=$1 n
    shift
    "$HEDDLE" check -q --no-minimise --json whole --strategy graph "$@" >out 2>err
    for n in 2 4; do
        rm -rf heddle-units part
        ranks $n "$@"
        if [ "$(jq -c "$same" part)" != "$(jq -c "$same" whole)" ]; then
            fail "$name, $n ranks" "$(jq -c "$same" part) instead of $(jq -c "$same" whole) $(first_lines err)"
            return
        fi
    done
    pass "$name"
}
ranks_count 'fib_bench(3)' ./fib
[ "$(jq .executions part)" = 1698 ] && pass '1698 traces' || fail '1698 traces' "$(jq .executions part)"
ranks_count 'violations and observations' --keep-going ./lost
ranks_count 'two workers on each rank' -j 2 ./fib
# Groups of two or three ranks with a leader each: units come from other leaders only.
for n in 4 5 8; do
    rm -rf heddle-units part
    ranks $n --group 2 ./fib
    [ "$(jq -c '[.verdict, .executions]' part)" = '["verified",1698]' ] && pass "$n ranks in groups" ||
        fail "$n ranks in groups" "$(jq -c '[.verdict, .executions]' part) $(first_lines err)"
done
rm -rf heddle-units part
ranks 6 --group 3 --keep-going ./lost
"$HEDDLE" check -q --no-minimise --json whole --strategy graph --keep-going ./lost >out 2>err
[ "$(jq -c "$same" part)" = "$(jq -c "$same" whole)" ] && pass 'violations in groups' ||
    fail 'violations in groups' "$(jq -c "$same" part) instead of $(jq -c "$same" whole) $(first_lines err)"
rm -rf heddle-units
ranks 6 --group 2 ./lost
[ $? = 1 ] && grep -q '^violation' out && pass 'the first violation in groups' ||
    fail 'the first violation in groups' "$(first_lines out) $(first_lines err)"

# With messages that MPI does not buffer: leaders that send to each other at the same time must not wait for each other.
rm -rf heddle-units part
timeout 120 mpirun --oversubscribe --mca btl tcp,self --mca btl_tcp_if_include lo --mca btl_tcp_eager_limit 80 \
    --mca btl_tcp_rndv_eager_limit 80 -n 8 "$HEDDLE" check -q --group 2 --distributed --json part ./fib >out 2>err
[ "$(jq -c '[.verdict, .executions]' part)" = '["verified",1698]' ] && pass 'messages without buffers' ||
    fail 'messages without buffers' "$(jq -c '[.verdict, .executions]' part) $(first_lines err)"

rm -rf heddle-units
ranks 3 ./lost
[ $? = 1 ] && grep -q '^violation' out && pass 'the first violation' || fail 'the first violation' "$(first_lines out) $(first_lines err)"

# Killed at random moments, mpirun and with it all ranks: what is in the ledger is not lost.
"$HEDDLE" cc -DK=5 -o long "$dir/dpor/fib_bench.c" -pthread
times=2 killed=0
[ "${1:-}" = --long ] && times=20
for ((i = 0; i < times; i++)); do
    rm -rf heddle-units part
    while :; do
        (
            timeout -s KILL "0.$((RANDOM % 8 + 2))" mpirun --oversubscribe -n $((RANDOM % 4 + 2)) "$HEDDLE" check -q --group 2 \
                --distributed --json part ./long >out 2>err
            exit $?
        ) 2>/dev/null && break
        killed=$((killed + 1))
        # ranks end when they lose mpirun; the next attempt must not meet them
        for ((waited = 0; waited < 2000; waited++)); do
            pgrep -f "$HEDDLE check -q --group 2 --distributed --json part ./long" >/dev/null || break
            sleep 0.05
        done
        [ $waited = 2000 ] && fail 'killed mpirun' 'its ranks do not end' && exit
        [ $((RANDOM % 4)) = 0 ] && ranks 3 ./long && break
    done
    [ "$(jq -c '[.verdict, .executions]' part)" = '["verified",218243]' ] ||
        fail 'killed mpirun' "$(jq -c '[.verdict, .executions]' part) $(first_lines err)"
done
[ "$killed" -gt 0 ] && pass 'killed mpirun' || fail 'killed mpirun' 'it was never killed in time'
echo "# killed $killed times"

# A time limit leaves a ledger that another number of ranks goes on with.
rm -rf heddle-units part
ranks 3 --time 200ms ./long
first=$(jq -r .verdict part)
ranks 2 ./long
if [ "$(jq -c '[.verdict, .executions]' part)" = '["verified",218243]' ]; then pass "gone on after --time ($first)"; else
    fail 'gone on after --time' "$(jq -c '[.verdict, .executions]' part) $(first_lines err)"
fi
# A bound on executions stops all ranks; what is left is in the ledger.
rm -rf heddle-units part
ranks 4 --group 2 --executions 500 ./long
if [ "$(jq -r .verdict part)" = no-violation-found ] && [ "$(jq .executions part)" -ge 500 ] && [ "$(jq .executions part)" -lt 218243 ]; then
    pass "a bound on executions ($(jq .executions part))"
else
    fail 'a bound on executions' "$(jq -c '[.verdict, .executions]' part) $(first_lines err)"
fi
ranks 4 --group 2 ./long
[ "$(jq -c '[.verdict, .executions]' part)" = '["verified",218243]' ] && pass 'gone on after --executions' ||
    fail 'gone on after --executions' "$(jq -c '[.verdict, .executions]' part) $(first_lines err)"
# What is shown: how busy each rank was, and how much there seems to be.
rm -rf heddle-units part
"$HEDDLE" cc -DK=7 -o longest "$dir/dpor/fib_bench.c" -pthread
timeout "$LIMIT" mpirun --oversubscribe -n 3 "$HEDDLE" check --distributed --time 1s ./longest >out 2>err
if grep -qE '^ranks: 1 busy [0-9]+ %, 2 busy [0-9]+ %$' out && grep -qE '^estimate: about [0-9,]+ executions in all$' out; then
    pass 'ranks and estimate'
else
    fail 'ranks and estimate' "$(first_lines out) $(first_lines err)"
fi
# Where nothing can be kept, and ranks that do not belong together.
rm -rf heddle-units
bad() { # NAME PATTERN COMMAND...: status 2, and a line of heddle's
    local name=$1 pattern=$2 status
    shift 2
    timeout "$LIMIT" "$@" >out 2>err
    status=$?
    if [ $status = 2 ] && grep -a '^heddle' err | grep -qE -- "$pattern"; then pass "$name"; else
        fail "$name" "status $status: $(grep -a '^heddle' err | head -n 1)"
    fi
}
touch file
bad 'a ledger that is a file' 'is no directory' mpirun --oversubscribe -n 2 "$HEDDLE" check --distributed --ledger file ./fib
bad 'ranks with other options' 'rank [12], unit .*other options' \
    mpirun --oversubscribe -n 1 "$HEDDLE" check --distributed ./fib : -n 2 "$HEDDLE" check --distributed --spurious 1 ./fib
rm -rf heddle-units
bad 'ranks with other programs' 'rank [12], unit .*another program' \
    mpirun --oversubscribe -n 1 "$HEDDLE" check --distributed ./fib : -n 2 "$HEDDLE" check --distributed ./lost
rm -rf heddle-units
bad 'no place for a key' 'there is no key .*--trust' \
    env HOME=/proc/none XDG_CONFIG_HOME=/proc/none mpirun --oversubscribe -n 2 "$HEDDLE" check --distributed ./fib
rm -rf heddle-units
ranks 4 --group 2 --executions 500 ./long
# A ledger that another search has.
mkdir -p taken
(flock 9 && sleep 100) 9>taken/lock &
holder=$!
sleep 1
bad 'a ledger of a search that runs' 'another search is exploring' mpirun --oversubscribe -n 2 "$HEDDLE" check --distributed --ledger taken ./fib
kill "$holder"

# A ledger of another program.
ranks 2 ./fib
[ $? = 2 ] && grep -q 'another program' err && pass 'a ledger of another program' || fail 'a ledger of another program' "$(first_lines err)"
