#!/bin/bash
# A program and the heddle that checks it share memory: what src/core lays out.  A program that another
# layout was built into must be refused, so a change of these files takes new numbers (HD_ABI_VERSION in
# core/abi.h, HD_SHARED_VERSION in core/worker_memory.h) and `tools/abi.sh --write`, which notes them in tools/abi.sum.
cd "$(dirname "$0")/.." || exit 2
now() {
    printf 'abi %s\n' "$(sed -n 's/^#define HD_ABI_VERSION \([0-9]*\)$/\1/p' src/core/abi.h)"
    printf 'shared %s\n' "$(sed -n 's/^#define HD_SHARED_VERSION \([0-9]*\)$/\1/p' src/core/worker_memory.h)"
    # Comments and blanks change nothing.
    printf 'sum %s\n' "$(cat src/core/*.h src/core/*.def | tr '\n' ' ' | sed 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/,,g' |
        tr -d ' \t' | cksum | cut -d' ' -f1)"
}
if [ "${1:-}" = --write ]; then
    now >tools/abi.sum
elif [ "$(now)" != "$(cat tools/abi.sum)" ]; then
    echo "src/core has changed: raise HD_ABI_VERSION and HD_SHARED_VERSION, then run tools/abi.sh --write" >&2
    exit 1
fi
