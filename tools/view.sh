#!/bin/bash
# Where the runtime touches the tested program's memory without going through src/runtime/view.h:
# tools/view.sh DIRECTORY, which takes what is built for the check.  Prints each place that
# tools/view.allow does not list, and fails.  tools/view_check.c says what is found and what is not.
set -u
cd "$(dirname "$0")/.." || exit 2
to=$1
mkdir -p "$to" || exit 2
llvm=${LLVM:-19}
# shellcheck disable=SC2046
"${CC:-clang-$llvm}" -std=gnu17 -O1 -Wall -Wextra -isystem "$(llvm-config-"$llvm" --includedir)" \
    -o "$to/view_check" tools/view_check.c $(llvm-config-"$llvm" --ldflags --libs) || exit 2
export to
rm -f "$to"/*.bc
printf '%s\n' src/runtime/*.c | xargs -P 2 -I{} sh -c '"$0" -std=gnu17 -D_GNU_SOURCE -w -O1 -g -fPIC \
    -Xclang -disable-llvm-passes -Isrc -Iinclude -emit-llvm -c -o "$to/$(basename "$1" .c).bc" "$1"' \
    "${CC:-clang-$llvm}" {} || exit 2
"$to/view_check" "$to"/*.bc >"$to/found" || exit 2
# The linker numbers functions of the same name.
bad=$(awk 'FNR == NR { sub(/ *#.*/, ""); if (NF) allowed[$1 " " $2] = 1; next }
    { sub(/\.[0-9]+$/, "", $1)
      if (!(($1 " " $2) in allowed) && !(("* " $2) in allowed)) print "    " $3 ": " $1 ": " $2 }' \
    tools/view.allow "$to/found" | sort -u)
if [ -n "$bad" ]; then
    echo "the program's memory is touched past src/runtime/view.h, and tools/view.allow has no reason:"
    echo "$bad"
    exit 1
fi
