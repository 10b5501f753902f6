#!/bin/bash
# The tables of docs/verdict.md: src/report/obligations.def, core/filters.def and core/chains.def.
#
#   tools/verdict.sh           write them into the page
#   tools/verdict.sh --check   is the page up to date?
set -u
cd "$(dirname "$0")/.." || exit 2
page=docs/verdict.md
CC=${CC:-clang-19}

# rows MACRO DEFINITION FILE: the file's rows, each macro call expanded, strings joined and without their quotes.
rows() {
    { printf '#define %s\n' "$1"; cat "$2"; } | "$CC" -E -P -x c - | tr '\n' ' ' | sed 's/@END@/\n/g' |
        sed -n 's/.*@ROW@ *//p' | sed 's/" *"//g; s/"//g; s/ *@CELL@ */ | /g; s/^ */| /; s/ *$/ |/'
}

obligations() {
    rows 'HD_OBLIGATION(check, name, claim, missed, remedy) @ROW@ name @CELL@ claim @CELL@ missed @CELL@ remedy @END@' \
        src/report/obligations.def |
        sed 's/^| \([^|]*\) | \([^|]*\) | \([^|]*\) | \([^|]*\) |$/\n### \1\n\n**\2** Where it does not hold: \3 *What to do:* \4/'
    echo
}

filters() {
    rows 'HD_FILTER(name, table, text, stage, traits, claim, argument, sentence, summary) @ROW@ `text` @CELL@ CLAIM_##claim @CELL@ sentence @END@' \
        src/core/filters.def | sed 's/CLAIM_ALL/all/; s/CLAIM_WITHIN/within its bound/; s/CLAIM_NOTHING/nothing/
            s/REACHABILITY/'"$(sed -n '/define REACHABILITY/,/"$/p' src/core/filters.c | sed -n 's/^ *"\(.*\)".*/\1/p' |
            tr -d '\n' | sed 's,/,\\/,g')"'/; s/{n}/N/; s/{s}/s/; s/  */ /g'
}

chains() {
    sed -n '/^#define BIT/,$p' src/core/chains.def | grep -v '^#' | tr '\n' ' ' | sed 's/HD_CHAIN(/\n/g' | tail -n +2 | sed 's/) *$//; s/PLAIN/BIT(TRACES) | BIT(DEPTH)/' |
        sed "$(sed -n 's/^HD_FILTER(\([A-Z_]*\), [a-z_]*, "\([^"]*\)".*/s,BIT(\1),\2,g/p' src/core/filters.def)" |
        sed 's/ *| */, /g; s/^/- /'
    echo
}

# The page, with what stands between the marks made anew.
made() {
    local part=
    while IFS= read -r line; do
        case $line in
        '<!-- made: '*)
            part=${line#<!-- made: }
            part=${part% -->}
            printf '%s\n' "$line"
            "$part"
            ;;
        '<!-- end -->') part= ;;
        esac
        [ "$part" ] || printf '%s\n' "$line"
    done <"$page"
}

if [ "${1:-}" != --check ]; then
    made >"$page.new" && mv "$page.new" "$page"
    exit
fi
made | cmp -s - "$page" || {
    echo "$page is not up to date: run tools/verdict.sh" >&2
    exit 1
}
