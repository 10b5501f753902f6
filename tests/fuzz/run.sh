#!/bin/bash
# Fuzz what reads strangers' files: tests/fuzz/run.sh [TARGET…].  FUZZ_RUNS inputs each (20,000); `make fuzz` builds the
# targets and asks for a million.  The seed is fixed.  What breaks a target is left in build-asan/fuzz.
set -u
cd "$(dirname "$0")/../.." || exit 2
HEDDLE=${HEDDLE:-$PWD/build/bin/heddle}
dir=$PWD/${TEST_B:-build-asan}/fuzz
runs=${FUZZ_RUNS:-20000}
targets=${*:-trace warnings checkpoint unit parts options executable suppressions}
export HOME=/proc # no key, and none is made
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# The seeds come from the tests' own programs.
"$HEDDLE" cc -o "$tmp/program" tests/litmus/wrong/counter.c -pthread || exit 2
mkdir -p "$tmp/suppressions" "$tmp/trace" "$tmp/warnings" "$tmp/checkpoint" "$tmp/unit" "$tmp/parts" "$tmp/options" "$tmp/executable"
for program in counter abba spin_deadlock; do
    [ -e tests/litmus/wrong/$program.c ] || continue
    "$HEDDLE" check -q --trace-dir "$tmp/trace" --sarif "$tmp/warnings/$program.sarif" \
        tests/litmus/wrong/$program.c >/dev/null 2>&1
done
printf '0 1 1 2\n' >"$tmp/trace/numbers"
printf 'main T1 T1.2\n' >"$tmp/trace/names"
cp tests/fuzz/seeds/trace/* "$tmp/trace/"
cp tests/fuzz/seeds/warnings/* "$tmp/warnings/"
cp tests/fuzz/seeds/options/* "$tmp/options/"
cp tests/fuzz/seeds/suppressions/* "$tmp/suppressions/"
objcopy -O elf64-x86-64 -j heddle_info -j heddle_sites -j heddle_strings -j heddle_points -j .data \
    "$tmp/program" "$tmp/executable/sections" 2>/dev/null
strip -o "$tmp/small" "$tmp/program"
objcopy --remove-section heddle_module --remove-section .text "$tmp/small" "$tmp/executable/stripped" 2>/dev/null
# What is after the head of a checkpoint, and before its hash; the work units of several searches.
for strategy in optimal source stateful scale chess:2 hybrid dpor-stateful; do
    rm -f "$tmp/kept"
    "$HEDDLE" check -q --keep-going --strategy $strategy --executions 1 --checkpoint "$tmp/kept" "$tmp/program" \
        >/dev/null 2>&1
    [ -e "$tmp/kept" ] || continue
    tail -c +113 "$tmp/kept" | head -c -40 >"$tmp/checkpoint/$strategy"
done
# Likewise of a unit, a result and the manifest.
"$HEDDLE" cc -DK=2 -o "$tmp/fib" tests/programs/dpor/fib_bench.c -pthread
"$HEDDLE" split -q -n 3 -o "$tmp/units" "$tmp/fib" >/dev/null
"$HEDDLE" check -q --trust --executions 1 --unit "$tmp/units/0001.unit" "$tmp/fib" >/dev/null 2>&1
for file in 0:0001.unit 1:0001.result 2:manifest; do
    (printf '%s' "${file%%:*}" && tail -c +113 "$tmp/units/${file#*:}" | head -c -40) >"$tmp/parts/${file#*:}"
done

# length TARGET: how long inputs may become.
length() { case $1 in executable) echo 30000 ;; checkpoint | unit | parts) echo 16384 ;; *) echo 4096 ;; esac; }

status=0
for target in $targets; do
    if ! [ -x "$dir/$target" ]; then
        echo "not ok $target: $dir/$target is missing: make tests-built"
        status=1
        continue
    fi
    (cd "$tmp" && HEDDLE_FUZZ_PROGRAM=$tmp/program HEDDLE_FUZZ_SEEDS=$tmp/unit "$dir/$target" -seed=1 -runs="$runs" -max_len="$(length "$target")" \
        -timeout=60 -rss_limit_mb=4096 -detect_leaks=1 -print_final_stats=1 -artifact_prefix="$dir/$target-" "$tmp/$target") \
        >"$dir/$target.log" 2>&1
    code=$?
    done=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/$target.log")
    if [ $code = 0 ] && [ "${done:-0}" -ge "$runs" ]; then
        echo "ok $target"
        echo "# $target: $done inputs"
    else
        echo "not ok $target: after ${done:-?} inputs: $(grep -m 1 -E 'ERROR|error:|runtime error|fuzzer:' "$dir/$target.log")"
        status=1
    fi
done
exit $status
