#!/bin/bash
# Files over 600 lines, functions over 60, lines over 100 columns: warnings, never failures.
cd "$(dirname "$0")/.." || exit 2
find src include tests examples -name '*.[ch]' | sort | xargs awk '
    FNR == 1 { if (NR > 1 && last > 600) print file ": " last " lines"; begin = 0 }
    { file = FILENAME; last = FNR }
    { text = $0; gsub(/[^ -~\t]+/, "?", text) }
    length(text) > 100 { print FILENAME ":" FNR ": " length(text) " columns" }
    /^\{$/ { begin = FNR }
    /^\}$/ { if (begin && FNR - begin - 1 > 60)
                 print FILENAME ":" begin ": function of " FNR - begin - 1 " lines"
             begin = 0 }
    END { if (last > 600) print file ": " last " lines" }' | sed 's/^/warning: /'
