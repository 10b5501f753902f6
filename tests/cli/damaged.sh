#!/bin/bash
# Damaged objects and programs: one line and status 2, whatever LLVM makes of them.  Many warnings: in time.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
export HOME=$tmp
cp "$ROOT/tests/litmus/wrong/counter.c" .
"$HEDDLE" cc -g -c -o good.o counter.c
"$HEDDLE" cc -g -o program counter.c -pthread

# change IN OUT SEED: some bytes after the head are others.
change() {
    python3 - "$@" <<'PY'
import random, sys
source, to, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
data = bytearray(open(source, 'rb').read())
random.seed(seed)
for _ in range(random.choice([1, 2, 8, 40])):
    data[random.randrange(64, len(data))] = random.randrange(256)
if seed % 7 == 0:
    del data[random.randrange(64, len(data)):]
open(to, 'wb').write(data)
PY
}

# survives NAME COMMAND…: status 0 to 2 (it may be undamaged where it matters), and with 2 one line of heddle's.
survives() {
    local name=$1 status
    shift
    timeout "$LIMIT" "$@" >out 2>err </dev/null
    status=$?
    if [ "$status" -gt 2 ]; then
        bad="$bad $name: status $status $(first_lines err);"
    elif [ "$status" = 2 ] && ! grep -q '^heddle: ' err; then
        bad="$bad $name: no line of heddle's: $(first_lines err);"
    fi
}

bad=
for seed in $(seq 1 "${DAMAGES:-12}"); do
    change good.o damaged.o "$seed"
    survives "object $seed" "$HEDDLE" cc -o linked damaged.o -pthread
done
[ -z "$bad" ] && pass 'damaged objects' || fail 'damaged objects' "$bad"

# The module that a program carries, which slices are made of.
objcopy --dump-section heddle_module=module program 2>/dev/null
bad=
for seed in $(seq 1 "$((${DAMAGES:-12} / 2))"); do
    change module module.bad "$seed"
    objcopy --update-section heddle_module=module.bad program broken 2>/dev/null
    survives "module $seed" "$HEDDLE" slice --warnings ./broken
done
[ -z "$bad" ] && pass 'damaged modules' || fail 'damaged modules' "$bad"

# heddle's tables in a program.
for section in heddle_info heddle_sites heddle_strings heddle_points; do
    objcopy --dump-section $section=table program 2>/dev/null
    head -c 8 table >short
    objcopy --update-section $section=short program broken 2>/dev/null
    bad=
    survives "$section cut" "$HEDDLE" replay ./broken /dev/null
    survives "$section cut" "$HEDDLE" slice --warnings ./broken
    [ -z "$bad" ] && pass "$section cut" || fail "$section cut" "$bad"
done
head -c 3000 program >broken
expect_error 'half a program' 'broken' "$HEDDLE" check ./broken

# 300,000 warnings are read at once, and the time is kept.  The exploration of the first program answers them all; that of
# the second does not end, and one search for every warning would take hours.
python3 - >many <<'PY'
for i in range(300000):
    print(f"counter.c:{i % 40 + 1}: warning: possible deadlock number {i}")
PY
cp "$ROOT/tests/programs/dpor/lastzero.c" large.c
sed 's/^counter/large/; s/deadlock/data race/' many >many.large
for program in counter large; do
    warnings=many
    [ $program = large ] && warnings=many.large
    timeout "$LIMIT" "$HEDDLE" confirm --time 2s --cc-flags -DN=20 $program.c $warnings >out 2>err </dev/null
    status=$?
    if [ "$status" -le 1 ] && grep -q '^300000 warnings' out; then pass "300,000 warnings: $program"; else
        fail "300,000 warnings: $program" "status $status $(first_lines err)"; fi
done
