#!/bin/bash
# Files over 600 lines, functions over 60 and comments over 96 columns are errors in src, include and examples.  In
# tests, where the number of a line is often what is expected, comments may be longer.  tools/lengths.allow names the
# files that may be longer, with the reason.
cd "$(dirname "$0")/.." || exit 2

# measure FILE...: what is too long, a line each.
measure() {
    awk '
    function over() { if (last > 600) print file ": " last " lines, at most 600" }
    FNR == 1 { if (NR > 1) over(); begin = inside = 0 }
    { file = FILENAME; last = FNR; text = $0; gsub(/[\200-\277]/, "", text) }
    { comment = inside || text ~ /\/\*|^ *\/\// }
    comment && length(text) > 96 { print FILENAME ":" FNR ": a comment of " length(text) " columns, at most 96" }
    { rest = text; while (match(rest, inside ? "\\*/" : "/\\*")) { inside = !inside; rest = substr(rest, RSTART + 2) } }
    /^\{$/ { begin = FNR }
    /^\}$/ { if (begin && FNR - begin - 1 > 60)
                 print FILENAME ":" begin ": a function of " FNR - begin - 1 " lines, at most 60"
             begin = 0 }
    END { over() }' "$@"
}

# long FOLDER...: what is too long in the C files there.
long() {
    find "$@" -name '*.[ch]' | sort | LC_ALL=C xargs bash -c "$(declare -f measure); measure \"\$@\"" measure
}

allowed=$(sed -n 's/^\([^# ][^ ]*\) .*/^\1:/p' tools/lengths.allow)
{ long src include examples
  long tests | grep -v 'a comment of'; } | grep -vEf <(echo "${allowed:-^$}") && exit 1
exit 0
