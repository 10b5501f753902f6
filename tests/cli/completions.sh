#!/bin/bash
# The completions offer what heddle takes: commands, options, values.  Manual pages are free of warnings, where the tools are there.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin" && ln -s "$HEDDLE" "$tmp/bin/heddle"
export PATH=$tmp/bin:$PATH
cd "$tmp" || exit 2
touch plan.html

# offers NAME WANTED GOT: both as words in any order.
offers() {
    local wanted got
    wanted=$(tr ' ' '\n' <<<"$2" | sort) got=$(tr -s ' \t' '\n\n' <<<"$3" | sed '/^$/d' | sort)
    if [ "$wanted" = "$got" ]; then pass "$1"; else fail "$1" "offers $(tr '\n' ' ' <<<"$got")"; fi
}

. "$ROOT/completions/heddle.bash"
in_bash() {
    COMP_WORDS=(heddle "$@") COMP_CWORD=$#
    _heddle
    echo "${COMPREPLY[@]}"
}
offers 'bash: a command' 'replay report' "$(in_bash re)"
offers 'bash: help' 'help' "$(in_bash he)"
offers 'bash: help of a command' 'replay report reason' "$(in_bash help re)"
offers 'bash: an option' '--require-verified' "$(in_bash check --req)"
offers 'bash: values' 'auto sc tso rc11' "$(in_bash check --memory '')"
offers 'bash: the values of another command' 'linearizable sequential quiescent none' "$(in_bash lin --check '')"
offers 'bash: one of a list' 'sleep,source' "$(in_bash check --reduce sleep,so)"
offers 'bash: what may fail' 'malloc create io cas' "$(in_bash check --faults '')"
offers 'bash: a file' plan.html "$(in_bash check --html p)"
# Whatever is offered is taken: the tool complains of the file that is not there, not of the value.
for option in strategy search reduce finer races heuristic files livelocks reuse analysis; do
    bad=
    for value in $(in_bash check --$option '' | sed 's/:[A-Z]\(,[A-Z]\)\?/:1/g'); do
        [ -d "$value" ] || [ -f "$value" ] || ! heddle check --$option "$value" x.c 2>&1 | grep -q "unknown\|there are" || bad+="$value "
    done
    if [ -z "$bad" ]; then pass "bash: --$option takes what is offered"; else fail "bash: --$option takes what is offered" "not $bad"; fi
done
if command -v fish >/dev/null; then
    in_fish() { fish --no-config -c "source $ROOT/completions/heddle.fish; complete -C '$1' | string replace -r '\t.*' ''"; }
    offers 'fish: a command' 'replay report' "$(in_fish 'heddle rep')"
    offers 'fish: values' 'auto sc tso rc11' "$(in_fish 'heddle check --memory ')"
    offers 'fish: a file' plan.html "$(in_fish 'heddle check --html pl')"
fi
if command -v zsh >/dev/null; then
    zsh -fn "$ROOT/completions/_heddle" 2>err
    offers 'zsh: no error of syntax' '' "$(cat err)"
fi

if command -v mandoc >/dev/null; then
    mandoc -Tlint -W warning "$ROOT"/docs/man/*.1 >lint 2>&1
    offers 'manual pages: mandoc has no warning' '' "$(head -3 lint)"
fi
if command -v groff >/dev/null; then
    for page in "$ROOT"/docs/man/*.1; do groff -man -Tutf8 -ww -z "$page"; done >lint 2>&1
    offers 'manual pages: groff has no warning' '' "$(head -3 lint)"
fi
