#!/bin/bash
# heddle check --distributed --long: ranks that die, a full disk, two hosts.  Nothing is lost, and the counts are those of one
# process.  Without --long few ranks are killed.  What this machine does not allow is left out, and said.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'clean; rm -rf "$tmp"' EXIT
clean() { :; }
cd "$tmp" || exit 2
export NO_COLOR=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # in a container
long=${1:-}
if [ ! -e "$(dirname "$HEDDLE")/../lib/heddle/heddle-mpi.so" ] || ! command -v mpirun >/dev/null; then
    pass 'no MPI: nothing is tried'
    exit
fi

"$HEDDLE" cc -DK=5 -o long "$ROOT/tests/programs/dpor/fib_bench.c" -pthread
want='["verified",218243]'
numbers() { jq -c '[.verdict, .executions]' "$1"; }
is_whole() { # NAME
    if [ "$(numbers part)" = "$want" ]; then pass "$1"; else fail "$1" "$(numbers part) $(first_lines err)"; fi
}
# start RANKS OPTIONS...: in the background; $mpirun is its process.
start() {
    local n=$1
    shift
    mpirun --oversubscribe -n "$n" "$HEDDLE" check -q --distributed --json part "$@" ./long >out 2>err &
    mpirun=$!
}
# Ranks end when they lose mpirun, or when it hears that one has died; the next attempt must not meet them.
all_gone() {
    local waited=0
    while pgrep -f "$HEDDLE check -q --distributed --json part" >/dev/null; do
        sleep 0.05
        waited=$((waited + 1))
        [ $waited -lt 2000 ] && continue
        fail 'ranks end without mpirun' "$(pgrep -af "$HEDDLE check -q --distributed --json part" | head -n 3)"
        exit
    done
}
# ended: waits for mpirun; its status.  mpirun of Debian 12 now and then never ends when a rank dies while ranks connect to it
# (docs/design/023-machines.md): one whose ranks have all been dead for 20 seconds is killed, and told.
hung=0
ended() {
    local alone=0
    while kill -0 "$mpirun" 2>/dev/null; do
        if ps -o stat= --ppid "$mpirun" | grep -qv Z; then alone=0; else alone=$((alone + 1)); fi
        if [ $alone = 200 ]; then
            kill -9 "$mpirun"
            hung=$((hung + 1))
        fi
        sleep 0.1
    done
    wait "$mpirun" 2>/dev/null
}

# A rank dies at a random moment: rank 0, which keeps the ledger, as any other.
times=1 killed=0 zero=0
[ "$long" ] && times=20
rm -rf heddle-units
while [ "$killed" -lt "$times" ]; do
    start $((RANDOM % 4 + 2))
    sleep "0.$((RANDOM % 8 + 2))"
    mapfile -t ranks < <(pgrep -P "$mpirun")
    rank=$((RANDOM % (${#ranks[@]} + 1)))
    [ "$rank" -lt "${#ranks[@]}" ] && kill -9 "${ranks[$rank]}" 2>/dev/null && killed=$((killed + 1)) && [ "$rank" = 0 ] && zero=$((zero + 1))
    ended && [ "$(numbers part)" != "$want" ] && fail 'a killed rank' "$(numbers part) $(first_lines err)"
    all_gone
    grep -q verified part 2>/dev/null && rm -rf heddle-units part
done
start 3
ended
is_whole 'killed ranks'
echo "# $killed ranks killed, $zero of them rank 0; $hung times mpirun did not end by itself"

# Killed as early as it goes, before and while the ranks find each other.
rm -rf heddle-units part
killed=0 hung=0 early=2
[ "$long" ] && early=20
while [ "$killed" -lt "$early" ]; do
    start $((RANDOM % 4 + 2))
    until mapfile -t ranks < <(pgrep -P "$mpirun") && [ "${#ranks[@]}" -gt 0 ]; do :; done
    sleep "0.$(printf %03d $((RANDOM % 200)))"
    kill -9 "${ranks[RANDOM % ${#ranks[@]}]}" 2>/dev/null && killed=$((killed + 1))
    ended && [ "$(numbers part)" != "$want" ] && fail 'a rank killed early' "$(numbers part) $(first_lines err)"
    all_gone
    grep -q verified part 2>/dev/null && rm -rf heddle-units part
done
start 3
ended
is_whole 'ranks killed early'
echo "# $killed ranks killed early; $hung times mpirun did not end by itself"

# A rank that is interrupted ends the search for all, soon, and what was explored is kept: rank 0, a leader, a member.
interrupt() { # NAME RANK SIGNAL STATUS GROUP
    local began=$SECONDS status
    rm -rf heddle-units part
    "$HEDDLE" cc -DK=7 -o long "$ROOT/tests/programs/dpor/fib_bench.c" -pthread
    start 4 --group "$5"
    until [ "$(find heddle-units -name '*.result' 2>/dev/null | wc -l)" -gt 3 ] || [ $((SECONDS - began)) -gt 120 ]; do sleep 0.1; done
    mapfile -t ranks < <(pgrep -P "$mpirun" | sort -n)
    began=$SECONDS
    kill -"$3" "${ranks[$2]}"
    ended
    status=$?
    if [ $status = "$4" ] && [ "$(jq -r .verdict part)" = no-violation-found ] && [ "$(jq .executions part)" -gt 0 ] &&
        [ $((SECONDS - began)) -lt 60 ] && { [ "$2" = 0 ] || grep -qa '^heddle: rank .* was interrupted' err; }; then
        pass "$1"
    else
        fail "$1" "status $status after $((SECONDS - began)) s, $(numbers part) $(first_lines err)"
    fi
    all_gone
}
interrupt 'a member that is interrupted' 3 TERM 143 64
if [ "$long" ]; then
    interrupt 'rank 0 that is interrupted' 0 INT 130 64
    interrupt 'a leader that is interrupted' 2 TERM 143 2
    interrupt 'a member of another group that is interrupted' 3 INT 130 2
fi
"$HEDDLE" cc -DK=5 -o long "$ROOT/tests/programs/dpor/fib_bench.c" -pthread
[ "$long" ] || exit 0

# A file system with room for a few units, then for one more, and so on; one with room for one checkpoint: that it is full is told,
# nothing is lost, and the search goes on where there is room.
if unshare -m true 2>/dev/null; then
    mkdir small
    "$HEDDLE" cc -DN=4 -DK=44 -o states "$ROOT/tests/programs/stateful/rounds.c" -pthread
    "$HEDDLE" check -q --strategy stateful --json whole ./states >out 2>err
    unshare -m bash -c '
        mount -t tmpfs -o size=12k none small || exit 9
        for size in 12 56 64 72 80 65536; do
            mount -o remount,size=${size}k small
            timeout 300 mpirun --oversubscribe -n 3 "$0" check -q --distributed --ledger small/units --json part ./long >out 2>err
            echo "$? $(find small -name "*.result" | wc -l) $(grep -c "^heddle: .*No space left" err)"
        done >ends
        mount -o remount,size=6m small
        "$0" check -q --strategy stateful --json parts --checkpoint small/c --checkpoint-every 20ms --time 5s ./states >out3 2>err3
        mount -o remount,size=160m small
        "$0" check -q --strategy stateful --json parts --resume small/c ./states >out4 2>err4' "$HEDDLE"
    echo "# full disk: status, results, messages: $(tr '\n' ',' <ends)"
    if awk '$1 == 2 && $3 == 1 { full++ } $1 != 0 && $1 != 2 || $1 == 2 && $3 != 1 { bad++ } END { exit bad || full < 2 }' ends; then
        pass 'a full disk is told'
    else
        fail 'a full disk is told' "$(first_lines err)"
    fi
    is_whole 'gone on where there is room'
    numbers3='[.verdict, .states, .executions, .pruned, .events]'
    if grep -q 'No space left' err3; then pass 'a checkpoint that does not fit is told'; else fail 'a checkpoint that does not fit is told' "$(first_lines err3)"; fi
    if [ "$(jq -c "$numbers3" parts)" = "$(jq -c "$numbers3" whole)" ]; then pass 'the one before it is whole'; else
        fail 'the one before it is whole' "$(jq -c "$numbers3" parts) instead of $(jq -c "$numbers3" whole) $(first_lines err4)"
    fi
else
    echo '# no mount namespaces: no full disk is tried'
fi

# Two network namespaces are two hosts; a script enters them instead of ssh.
one=heddle-a-$$ two=heddle-b-$$
clean() {
    ip netns del "$one" 2>/dev/null
    ip netns del "$two" 2>/dev/null
}
if ip netns add "$one" 2>/dev/null && ip netns add "$two" && ip link add hda$$ type veth peer name hdb$$; then
    ip link set hda$$ netns "$one" && ip link set hdb$$ netns "$two"
    ip -n "$one" addr add 10.91.7.1/24 dev hda$$ && ip -n "$two" addr add 10.91.7.2/24 dev hdb$$
    for n in "$one" "$two"; do ip -n "$n" link set lo up; done
    ip -n "$one" link set hda$$ up && ip -n "$two" link set hdb$$ up
    cat >agent <<END
#!/bin/bash
# agent HOST COMMAND...: as ssh
host=\$1
shift
case \$host in 10.91.7.1) name=$one ;; *) name=$two ;; esac
echo "\$host" >>$tmp/hosts
exec ip netns exec \$name unshare -u sh -c "hostname \$name; \$*"
END
    chmod +x agent
    printf '10.91.7.1 slots=2\n10.91.7.2 slots=2\n' >hostfile
    rm -rf heddle-units part
    ip netns exec "$one" unshare -u sh -c "hostname $one; exec timeout 300 mpirun --hostfile hostfile --mca plm_rsh_agent $tmp/agent \
        --mca btl tcp,self --mca btl_tcp_if_include 10.91.7.0/24 --mca oob_tcp_if_include 10.91.7.0/24 -n 4 \
        $HEDDLE check -q --distributed --json part ./long" >out 2>err
    is_whole 'two hosts'
    if grep -q 10.91.7.2 hosts; then pass 'the other host had ranks'; else fail 'the other host had ranks' "$(first_lines err)"; fi
else
    echo '# no network namespaces: no second host is tried'
fi
