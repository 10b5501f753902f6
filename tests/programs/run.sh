#!/bin/bash
# The larger programs, with what each must give: lines `FILE | flags | options | expectation |
# executions` in expected.txt beside them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

trim() { local s=$1; s=${s#"${s%%[! ]*}"}; echo "${s%"${s##*[! ]}"}"; }

while IFS='|' read -r file flags options expected executions; do
    case $file in '' | '#'*) continue ;; esac
    file=$(trim "$file") flags=$(trim "$flags") options=$(trim "$options")
    name="${file%.c} $flags${options:+ $options}"
    # Counts are a strategy's own.
    [ -z "$(trim "$executions")" ] || [[ $options == *--* ]] || options='--strategy optimal'
    # shellcheck disable=SC2086
    check_program "$name" "$(trim "$expected")" "$(trim "$executions")" "" \
        ${flags:+--cc-flags "$flags"} $options "$here/$file"
    if [[ $(trim "$expected") == violation* ]]; then
        replay_all "$name" "$here/$file"
    fi
done <"$here/expected.txt"
