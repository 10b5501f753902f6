#!/bin/bash
# A program and the heddle that checks it share memory: what src/core lays out.  A program that another
# layout was built into must be refused, so a change of these files takes new numbers (HD_ABI_VERSION in
# core/abi.h, HD_SHARED_VERSION in core/worker_memory.h) and `tools/abi.sh --write`, which notes them in tools/abi.sum.
#
# Filters and searches change no layout.  A program knows them by their number, so rows are only added after
# the others; one that has been built before is refused where it lacks the row (supervise/exploration.c).
cd "$(dirname "$0")/.." || exit 2

# What changes no layout: comments, blanks and these tables.
layout() {
    ls src/core/*.h src/core/*.def | grep -v '/\(filters\|chains\|searches\)\.def$' | xargs cat | tr '\n' ' ' |
        sed 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/,,g' | tr -d ' \t' | cksum | cut -d' ' -f1
}

rows() { sed -n "s/^HD_$1(\([A-Z_]*\),.*/\1/p" "src/core/$2.def" | tr '\n' ' '; }

now() {
    printf 'abi %s\n' "$(sed -n 's/^#define HD_ABI_VERSION \([0-9]*\)$/\1/p' src/core/abi.h)"
    printf 'shared %s\n' "$(sed -n 's/^#define HD_SHARED_VERSION \([0-9]*\)$/\1/p' src/core/worker_memory.h)"
    printf 'sum %s\n' "$(layout)"
}

# noted WORD: what tools/abi.sum says of it.
noted() { sed -n "s/^$1 //p" tools/abi.sum; }

if [ "${1:-}" = --write ]; then
    { now
      echo "filters $(rows FILTER filters)"
      echo "searches $(rows SEARCH searches)"; } >tools/abi.sum
    exit
fi
bad=0
if [ "$(now)" != "$(grep '^\(abi\|shared\|sum\) ' tools/abi.sum)" ]; then
    echo "src/core has changed: raise HD_ABI_VERSION and HD_SHARED_VERSION, then run tools/abi.sh --write" >&2
    bad=1
fi
for table in 'FILTER filters' 'SEARCH searches'; do
    set -- $table
    case "$(rows "$1" "$2")" in
    "$(noted "$2")"*) ;;
    *) echo "src/core/$2.def: rows have moved, which programs know by their number: put new ones last, or" \
            "raise HD_ABI_VERSION and run tools/abi.sh --write" >&2
       bad=1 ;;
    esac
done
exit $bad
