#!/bin/bash
# The help, the manual pages and the tables of the tool say the same.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
echo 'int main(void) { return 0; }' >one.c

# page COMMAND: its manual page without the marks of troff.
page() { sed 's/\\-/-/g; s/\\f[A-Z]//g; s/\\&//g' "$ROOT/docs/man/heddle-${1/c++/cc}.1"; }

# missing WHERE <NAMES: those that do not stand in the file as a word of their own.
missing() {
    local name
    while read -r name; do
        grep -qE -- "(^|[^-:a-z])$name($|[^-a-z])" "$1" || echo -n "$name "
    done
}

for command in check replay compare slice confirm orders lin report init doctor cc c++; do
    "$HEDDLE" "$command" --help $([ "$command" = check ] && echo all) >help 2>&1
    page "$command" >man
    lost=$(grep -oE -- '--[a-z][a-z-]*' help | sort -u | missing man)
    lost+=$(grep -oE -- '^ +-[a-z],' help | tr -d ' ,' | missing man)
    if [ -z "$lost" ]; then pass "$command: man page"; else fail "$command: man page" "lacks $lost"; fi
    lost=$(sed -nE 's/^\.BI? (--[a-z-]+).*/\1/p; s/^\.BR -[a-z] ", " (--[a-z-]+).*/\1/p' man | missing help)
    if [ -z "$lost" ]; then pass "$command: help"; else fail "$command: help" "lacks $lost"; fi
done

wide=$(for command in check lin orders confirm compare replay report slice split merge; do "$HEDDLE" "$command" --help; done | LC_ALL=C.UTF-8 awk 'length > 96')
if [ -z "$wide" ]; then pass 'help: no line is too long'; else fail 'help: no line is too long' "$wide"; fi
if [ "$("$HEDDLE" help lin)" = "$("$HEDDLE" lin --help)" ] && [ "$("$HEDDLE" help check all)" = "$("$HEDDLE" check --help all)" ]; then
    pass 'help COMMAND'
else
    fail 'help COMMAND' 'is not COMMAND --help'
fi

"$HEDDLE" check --help all >help
page check >man
for option in strategy search reduce; do
    # what there is, as the tool itself lists it: chess:K, pct[:D[:SEED]], not-seen:hash
    "$HEDDLE" check --$option nothing-of-this-kind one.c 2>&1 |
        sed 's/.*there are: //; s/, /\n/g' | sed 's/\[.*//; s/:[A-Z].*//' >$option
    if [ "$(wc -l <$option)" -lt 6 ]; then fail "--$option: list" "$(first_lines $option)"; fi
    for where in help man; do
        lost=$(missing $where <$option)
        if [ -z "$lost" ]; then pass "--$option: $where"; else fail "--$option: $where" "lacks $lost"; fi
    done
done

# All presets are compared, but those that are several, and the one of another memory model.
"$HEDDLE" compare --time 100ms --json j one.c >/dev/null 2>err
jq -r '.strategies[].strategy' j >compared
lost=$(grep -vxE 'auto|graph|swarm' strategy | missing compared)
if [ -s compared ] && [ -z "$lost" ]; then pass 'compare: all presets'; else fail 'compare: all presets' "lacks $lost $(first_lines err)"; fi

# All pages are named by the one of the tool.
lost=
for file in "$ROOT"/docs/man/heddle-*.1; do
    sed -n '/^\.SH SEE ALSO/,$p' "$ROOT/docs/man/heddle.1" | grep -q "$(basename "$file" .1) (1)" ||
        lost+="$(basename "$file") "
done
if [ -z "$lost" ]; then pass 'heddle(1): see also'; else fail 'heddle(1): see also' "lacks $lost"; fi

# What memory.md shows is what is printed.
cd "$ROOT" || exit 2
"$HEDDLE" check --races off --trace-dir "$tmp" tests/litmus/wrong/freed_mutex.c 2>&1 |
    sed -n '1,/^    > the thread/p' | sed '$d' >"$tmp/printed"
sed -n '/^\$ heddle check --races off .*freed_mutex/,/^```/p' docs/memory.md | sed '1d; $d' >"$tmp/shown"
if diff "$tmp/shown" "$tmp/printed" >"$tmp/differs"; then
    pass 'memory.md: what is printed'
else
    fail 'memory.md: what is printed' "$(first_lines "$tmp/differs")"
fi

# The page of the verdict has the obligations, filters and combinations that the code has.
if CC=${CC:-clang-19} tools/verdict.sh --check 2>"$tmp/err"; then pass 'docs/verdict.md'; else fail 'docs/verdict.md' "$(first_lines "$tmp/err")"; fi
