# What the shell tests share.  Sourced; needs HEDDLE (the tool) and a directory of the caller's in
# `tmp`.  Every function prints `ok NAME` or `not ok NAME: why`.

: "${ROOT:=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}"
: "${HEDDLE:=$ROOT/build/bin/heddle}"
export HEDDLE_CACHE=${HEDDLE_CACHE-off}  # nothing outside the tests makes a difference
LIMIT=${LIMIT:-900} # seconds; no case needs a tenth of it on a usual machine

pass() { echo "ok $1"; }
fail() { echo "not ok $1: $2"; }

# first_lines FILE: its beginning on one line, for messages.
first_lines() { head -c 300 "$1" | tr '\n' '|'; }

# expect_error NAME PATTERN COMMAND...: exit status 2, and the last line on stderr is one of
# heddle's own that matches the pattern.
expect_error() {
    local name=$1 pattern=$2 status
    shift 2
    timeout "$LIMIT" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
    if [ "$status" != 2 ]; then
        fail "$name" "exit status $status instead of 2 ($(first_lines "$tmp/err"))"
    elif [ "$(grep -c '^heddle' "$tmp/err")" != 1 ]; then
        fail "$name" "not one line from heddle on stderr: $(first_lines "$tmp/err")"
    elif ! grep '^heddle' "$tmp/err" | grep -qE -- "$pattern"; then
        fail "$name" "no '$pattern' in: $(first_lines "$tmp/err")"
    else
        pass "$name"
    fi
}

# each_of FILE...: what the script does with one file (its function `one`), for all of them at a time;
# called as `each_of "$@"`, it is also what the script does for itself with `--one FILE`.
each_of() {
    if [ "${1:-}" = --one ]; then
        one "$2"
        exit 0
    fi
    printf '%s\0' "$@" | xargs -0 -P "${JOBS:-2}" -n 1 "$0" --one
}

# verdict_of JSON: `verified`, `no-violation-found`, or `violation KIND...` with every kind once.
verdict_of() {
    jq -r '.verdict + ([.violations[]?.kind] | unique | map(" " + .) | join(""))' "$1" 2>/dev/null
}

# check_program NAME "EXPECTATION" "EXECUTIONS" "LINE" ARGUMENTS...: run `heddle check` and compare.
# EXECUTIONS and LINE may be empty.  The JSON is left in $tmp/json, traces in $tmp/traces.
check_program() {
    local name=$1 expected=$2 executions=$3 line=$4 status got want=0 n at stopped downgrades
    shift 4
    rm -rf "$tmp/traces" "$tmp/json"
    timeout "$LIMIT" "$HEDDLE" check -q --json "$tmp/json" --trace-dir "$tmp/traces" "$@" \
        >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
    [[ $expected == violation* ]] && want=1
    # To start jq takes longer than most checks: all that is asked for at once.
    IFS=$'\t' read -r got n at stopped downgrades < <(jq -r '[.verdict + ([.violations[]?.kind] | unique | map(" " + .) | join("")),
        (.executions | tostring), (.violations[0].location.line | tostring),
        (any(.downgrades[]?; startswith("stopped at the first")) | tostring), ([.downgrades[]?] | join(";"))] | @tsv' "$tmp/json" 2>/dev/null)
    # Which races were met before the first violation that ends the exploration is a matter of order.
    if [[ $expected == violation* && ${expected/ data-race/} != violation && $got != "$expected" && $stopped == true ]]; then
        got=${got/ data-race/} expected=${expected/ data-race/}
    fi
    if [ "$got" != "$expected" ]; then
        fail "$name" "expected '$expected', got '$got' (status $status) $(first_lines "$tmp/err")$downgrades"
    elif [ "$status" != "$want" ]; then
        fail "$name" "exit status $status instead of $want"
    elif [ -n "$executions" ] && [ "$n" != "$executions" ]; then
        fail "$name" "expected $executions executions, got $n"
    elif [ -n "$line" ] && [ "$at" != "$line" ]; then
        fail "$name" "expected the violation in line $line, got $at"
    else
        pass "$name"
    fi
}

# is_chosen NAME: one name of four, the same ones each time; all of them in the long tests.
is_chosen() { [ "${LONG:-}" ] || [ $(($(cksum <<<"$1" | cut -d' ' -f1) % 4)) = 0 ]; }

# replay_all NAME PROGRAM: every trace of the last check shows its violation again; damaged copies
# of the first are refused, which is tried for one program of four.
replay_all() {
    local name=$1 program=$2 message trace status i=0
    while IFS=$'\t' read -r message trace; do
        i=$((i + 1))
        message=${message#no visible action for * s of } # replay has a limit of its own
        timeout "$LIMIT" "$HEDDLE" replay "$program" "$trace" >"$tmp/out" 2>"$tmp/err" </dev/null
        status=$?
        if [ "$status" != 1 ]; then
            fail "$name replay $i" "exit status $status instead of 1 ($(first_lines "$tmp/err"))"
        elif ! grep -qF -- "$message" "$tmp/out"; then
            fail "$name replay $i" "does not say: $message"
        else
            pass "$name replay $i"
        fi
        [ "$i" = 1 ] && is_chosen "$name" && damage "$name" "$program" "$trace"
    done < <(jq -r '.violations[]? | [.message, .trace] | @tsv' "$tmp/json")
    [ "$i" -gt 0 ] || fail "$name replay" "no trace"
}

# damage NAME PROGRAM TRACE: cut off its end; append garbage; put an unknown thread into the middle.
damage() {
    local name=$1 program=$2 trace=$3 n
    n=$(wc -l <"$trace")
    head -n $((n - 1)) "$trace" >"$tmp/cut.trace"
    expect_error "$name truncated" 'line [0-9]+|:[0-9]+' "$HEDDLE" replay "$program" "$tmp/cut.trace"
    { cat "$trace"; echo 'what is this'; } >"$tmp/more.trace"
    expect_error "$name trailing" 'line [0-9]+|:[0-9]+' "$HEDDLE" replay "$program" "$tmp/more.trace"
    grep -q '^[0-9][0-9]*[[:blank:]]' "$trace" || return 0 # there is no step to change
    awk '/^[0-9]+[ \t]/ { at[++k] = NR } { line[NR] = $0 }
         END { m = at[int((k + 1) / 2)]; sub(/main|T[0-9.]+/, "T99", line[m])
               for (i = 1; i <= NR; i++) print line[i] }' "$trace" >"$tmp/bad.trace"
    expect_error "$name corrupt" 'line [0-9]+|:[0-9]+' "$HEDDLE" replay "$program" "$tmp/bad.trace"
}

# stamp FILE: another text after every time that it is replaced.
stamp() { stat -c '%i %.9Y' "$1" 2>/dev/null; }

# replaced FILE STAMP PID: waits until the file is there with another stamp, or the process has ended.
replaced() {
    while kill -0 "$3" 2>/dev/null && { [ ! -e "$1" ] || [ "$(stamp "$1")" = "$2" ]; }; do sleep 0.01; done
}

# header KEY FILE: what a program says of itself at the top, `// KEY: ...`.
header() { sed -n "s,^// $1: ,,p" "$2"; }
