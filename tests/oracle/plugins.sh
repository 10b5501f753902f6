#!/bin/sh
# plugins.sh HEDDLE PROGRAMS [FIRST_SEED]: strategies from outside.  One that orders at random must not change what
# the interpreter expects of any chain; one that prunes must never lead to `verified`.
B=${B:-build}
heddle=$1 n=$2 first=${3:-0}
dir=${DIR:-$B/tests/oracle}/plugins
mkdir -p "$dir" || exit 2
dir=$(cd "$dir" && pwd)
for name in any_order some_pruned; do
    "${CC:-clang-${LLVM:-19}}" -O1 -shared -fPIC -I "$B/include" -o "$dir/$name.so" \
        "$(dirname "$0")/strategies/$name.c" || exit 2
done
run() { "$B/tests/oracle-run" --serve "$B/tests/oracle-serve" --jobs "${JOBS:-2}" --dir "$dir" --most 3000 "$@"; }
run --strategy "$dir/any_order.so" "$heddle" "$n" "$first" && run --pruning "$dir/some_pruned.so" "$heddle" "$n" "$first"
