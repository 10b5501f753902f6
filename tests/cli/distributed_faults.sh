#!/bin/bash
# heddle check --distributed --long: ranks that die, a full disk, two hosts.  Nothing is lost, and the counts are those of one
# process.  Without --long one rank is killed.  What this machine does not allow is left out, and said.
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
all_gone() { while pgrep -f "$HEDDLE check -q --distributed --json part" >/dev/null; do sleep 0.05; done; }

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
    wait "$mpirun" 2>/dev/null && [ "$(numbers part)" != "$want" ] && fail 'a killed rank' "$(numbers part) $(first_lines err)"
    all_gone
    grep -q verified part 2>/dev/null && rm -rf heddle-units part
done
start 3
wait "$mpirun"
is_whole 'killed ranks'
echo "# $killed ranks killed, $zero of them rank 0"
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
        mount -o remount,size=600k small
        "$0" check -q --strategy stateful --json parts --checkpoint small/c --checkpoint-every 20ms --time 1s ./states >out3 2>err3
        mount -o remount,size=64m small
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
