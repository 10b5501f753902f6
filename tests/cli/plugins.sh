#!/bin/bash
# Strategies from outside: the examples in C and in Lua, what they cost the verdict, and what is refused.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
CC=${CC:-clang-${LLVM:-19}}
include=$(dirname "$(dirname "$HEDDLE")")/include
lua=$(dirname "$(dirname "$HEDDLE")")/lib/heddle/heddle-lua.so
good=$ROOT/tests/litmus/correct/await_lock.c
bad=$ROOT/examples/bounded_queue.c

# build NAME: $tmp/NAME.so of $tmp/NAME.c, against the header that is installed.
build() {
    "$CC" -Wall -Wextra -Werror -shared -fPIC -I "$include" -o "$tmp/$1.so" "${2:-$tmp/$1.c}" 2>"$tmp/err" ||
        fail "$1.c compiles" "$(first_lines "$tmp/err")"
}

# strategy NAME CLAIMS [FUNCTIONS] [VERSION]: builds one whose fields are given; FUNCTIONS stand before.
strategy() {
    { echo '#include <heddle/strategy.h>'; echo '#include <stdio.h>'; echo '#include <stdlib.h>'; echo '#include <string.h>'; echo '#include <signal.h>'; echo '#include <unistd.h>'
      echo "${3:-}"
      echo 'const struct heddle_strategy *heddle_strategy(struct heddle_start *start) {'
      echo "static struct heddle_strategy s = { .version = ${4:-HEDDLE_STRATEGY_VERSION}, $2 };"
      echo '(void)start; return &s; }'; } >"$tmp/$1.c"
    build "$1"
}

# check OPTIONS...: the JSON is in $tmp/json, the text in $tmp/out.
check() {
    rm -f "$tmp/json"
    timeout "$LIMIT" "$HEDDLE" check --no-minimise --trace-dir "$tmp/traces" --json "$tmp/json" "$@" \
        >"$tmp/out" 2>"$tmp/err" </dev/null
}

# is NAME EXPECTED JQ: of the last check.
is() {
    local got
    got=$(jq -rc "$3" "$tmp/json" 2>/dev/null)
    if [ "$got" = "$2" ]; then pass "$1"; else fail "$1" "expected $2, got $got ($(first_lines "$tmp/err"))"; fi
}

says() { if grep -qF -- "$2" "$tmp/out"; then pass "$1"; else fail "$1" "no '$2' in $(first_lines "$tmp/out")"; fi; }

# ---- the examples ----

check --strategy optimal "$good"
traces=$(jq .executions "$tmp/json")   # one execution for each, whatever the order
check --strategy hgs --heuristic random "$good"
states=$(jq .states "$tmp/json")   # each is met once, whatever the order
for name in pct lock_holders coverage waiting; do build $name "$ROOT/examples/strategies/$name.c"; done
kinds="$tmp/%s.so"
[ -e "$lua" ] && kinds="$kinds $ROOT/examples/strategies/%s.lua"
for kind in $kinds; do
    what=${kind##*.}
    file() { printf "$kind" "$1"; }
    check --strategy "$(file lock_holders)" "$good"
    is "$what: one that only orders keeps verified" "verified $traces" '"\(.verdict) \(.executions)"'
    check --strategy "$(file lock_holders)" "$bad"
    is "$what: and finds what is wrong" violation .verdict
    check --strategy "$(file pct):2" --executions 50 "$good"
    is "$what: pct samples" 'no-violation-found 50' '"\(.verdict) \(.executions)"'
    says "$what: it is named" "sampled by pct.$what"
    check --strategy "$(file pct)" --executions 2000 "$bad"
    is "$what: pct finds what is wrong" violation .verdict
    check --strategy "$(file coverage):20" "$good"
    is "$what: coverage ends by itself" no-violation-found .verdict
    says "$what: which is said" "stopped by coverage.$what after"
    check --strategy "$(file coverage)" --executions 2000 "$bad"
    is "$what: coverage finds what is wrong" violation .verdict
    check --strategy "$(file waiting)" "$good"
    is "$what: one that ranks meets every state once" "verified $states" '"\(.verdict) \(.states)"'
    check --queue 2 --strategy "$(file waiting)" "$good"
    is "$what: with a small queue it proves nothing" no-violation-found .verdict
    says "$what: which is said" "states were not gone on from"
    check --races off --strategy "$(file waiting)" "$ROOT/tests/programs/dpor/philosophers.c"
    is "$what: it finds the deadlock" deadlock '.violations[0].kind'
done

# ---- the tutorial ----

# The code of docs/plugins.md, as it stands there: three scripts and a program in C.
awk -v to="$tmp/tutorial" '/^```(lua|c)$/ { file = to (++n) "." substr($0, 4); next } /^```$/ { file = "" } file { print >file }' "$ROOT/docs/plugins.md"
if [ -e "$lua" ]; then
    check --strategy "$tmp/tutorial1.lua" "$good"
    is 'the script of the tutorial' "verified $traces" '"\(.verdict) \(.executions)"'
    check --strategy "$tmp/tutorial3.lua" "$good"
    is 'its best-first search' "verified $states" '"\(.verdict) \(.states)"'
    cat >"$tmp/flag.c" <<'EOC'
#include <pthread.h>
static _Atomic int data, flag;
static void *work(void *p)
{
    data = 1;
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    flag = 1;
    pthread_join(t, 0);
    return 0;
}
EOC
    check --analysis all --strategy "$tmp/tutorial4.lua" "$tmp/flag.c"
    is 'its checker' 'objection flag is written before data' '.violations[0] | "\(.kind) \(.message)"'
fi
build tutorial2
check --strategy "$tmp/tutorial2.so" "$good"
is 'the strategy in C of the tutorial' "verified $traces" '"\(.verdict) \(.executions)"'

# ---- what it costs ----

choose='static uint32_t choose(void *self, const struct heddle_view *v) { (void)self; (void)v; return 0; }'
prune='static bool prune(void *self, const struct heddle_view *v, uint32_t i) { (void)self; (void)v; return i > 0; }'
strategy prunes '.claims = HEDDLE_PRUNES, .prune = prune' "$prune"
check --strategy "$tmp/prunes.so" "$good"
is 'one that prunes: one execution is left' 'no-violation-found 1' '"\(.verdict) \(.executions)"'
says 'it is named' 'pruned by prunes.so: '
strategy idle '.claims = HEDDLE_PRUNES, .choose = choose' "$choose"
check --strategy "$tmp/idle.so" --preemptions 1 "$good"
says 'one that could prune is never verified' 'pruned by idle.so: 0'
strategy silent '.choose = choose' "$choose"
check --strategy "$tmp/silent.so" --preemptions 1 "$good"
is 'one that declares nothing is never verified' no-violation-found .verdict
says 'which is said' 'silent.so does not declare what it does'
strategy newer '.claims = HEDDLE_ORDERS | 64, .choose = choose' "$choose"
check --strategy "$tmp/newer.so" --preemptions 1 "$good"
says 'a claim that is not known counts as none' 'newer.so does not declare what it does, or declares what is not known here'

# All that was left out is opened again, at all steps: brute force by another way.
cat >"$tmp/two.c" <<'EOC'
#include <pthread.h>
static int a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p)
{
    pthread_mutex_lock(&m);
    a++;
    pthread_mutex_unlock(&m);
    (void)p;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return a != 2 || b;
}
EOC
strategy opens '.claims = HEDDLE_PRUNES, .prune = prune, .ended = ended' "$prune
static void ended(void *self, const struct heddle_view *v, uint32_t how) {
    for (uint32_t d = 0; d < v->depth; d++) for (uint32_t t = 0; t < v->n_threads; t++) v->open(v, d, t);
    (void)self; (void)how; }"
check --reduce none "$tmp/two.c"
all=$(jq .executions "$tmp/json")
check --strategy "$tmp/opens.so" "$tmp/two.c"
is 'what is opened at ancestors is explored' "no-violation-found $all" '"\(.verdict) \(.executions)"'

# The view: happens-before against the definition, over all pairs of steps of one execution.
strategy sees '.claims = HEDDLE_ORDERS, .choose = choose, .ended = ended' "$choose
static void ended(void *self, const struct heddle_view *v, uint32_t how) {
    static bool hb[200][200];
    struct heddle_action a, b;
    (void)self; (void)how;
    for (uint32_t j = 0; j < v->depth; j++)
        for (uint32_t i = j; i-- > 0;) {
            v->step(v, i, &a); v->step(v, j, &b);
            hb[i][j] = v->dependent(v, &a, &b);
            for (uint32_t k = i + 1; k < j; k++) hb[i][j] |= hb[i][k] && hb[k][j];
        }
    for (uint32_t j = 0; j < v->depth; j++)
        for (uint32_t i = 0; i < v->depth; i++)
            if (v->before(v, i, j) != (i < j && hb[i][j])) v->fail(v, \"before is wrong\"); }"
check --strategy "$tmp/sees.so" "$good"
is 'happens-before is as defined' verified .verdict

# Breadth first, by a rank and by heddle's own heuristic: the first violation is as near to the root as any, and the depth of
# the nearest is known by brute force with a growing depth bound.
for nearest in $(seq 1 60); do
    check --races off --reduce none --depth "$nearest" "$bad"
    [ "$(jq -r .verdict "$tmp/json")" = violation ] && break
done
strategy breadth '.claims = HEDDLE_RANKS, .rank = rank' 'static double rank(void *self, const struct heddle_view *v) {
    struct heddle_action a, b;
    (void)self;
    for (uint32_t i = 0; i < v->depth; i++)
        if (!v->step(v, i, &a) || (i && v->step(v, i - 1, &b) && a.thread == b.thread && !v->before(v, i - 1, i)))
            v->fail(v, "the path is wrong");
    return -(double)v->depth; }'
check --races off --strategy "$tmp/breadth.so" "$bad"
is 'breadth first by rank' "violation $nearest" '"\(.verdict) \(.max_depth)"'
check --races off --strategy hgs --heuristic depth "$bad"
is 'breadth first by depth' "violation $nearest" '"\(.verdict) \(.max_depth)"'

# ---- what is refused, or goes wrong ----

refused() { expect_error "$1" "$2" "$HEDDLE" check --no-minimise --trace-dir "$tmp/traces" "${@:3}"; }
refused 'no such file' 'there is no such file' --strategy "$tmp/none.so" "$good"
echo text >"$tmp/text.so"
refused 'no ELF file' 'text.so cannot be loaded: ' --strategy "$tmp/text.so" "$good"
echo 'int other;' >"$tmp/other.c" && build other
refused 'no symbol' 'other.so has no function heddle_strategy' --strategy "$tmp/other.so" "$good"
strategy old '.claims = HEDDLE_ORDERS, .choose = choose' "$choose" 99
refused 'another version' 'old.so was built for version 99 of heddle/strategy.h' --strategy "$tmp/old.so" "$good"
strategy undeclared '.claims = HEDDLE_ORDERS, .choose = choose, .prune = prune' "$choose $prune"
refused 'pruning that is not declared' 'does not declare HEDDLE_PRUNES' --strategy "$tmp/undeclared.so" "$good"
strategy nothing '.claims = HEDDLE_ORDERS'
refused 'no order' 'neither choose nor score' --strategy "$tmp/nothing.so" "$good"
strategy constructor '.claims = HEDDLE_ORDERS, .choose = choose' "$choose
__attribute__((constructor)) static void c(void) { abort(); }"
refused 'a crash while it is loaded' 'crashed: SIGABRT while it was loaded' --strategy "$tmp/constructor.so" "$good"
# within FUNCTION-BODY: of choose.
within() {
    strategy "$1" '.claims = HEDDLE_ORDERS, .choose = choose' \
        "static uint32_t choose(void *self, const struct heddle_view *v) { (void)self; (void)v; $2 }"
}
within crashes 'return *(volatile uint32_t *)8;'
refused 'source code instead of a strategy' 'compile it first \(cc -shared -fPIC' --strategy ./mine.c "$good"
refused 'a crash' 'crashes.so: the strategy crashed: SIGSEGV, in its function choose$' --strategy "$tmp/crashes.so" "$good"
within stray 'char line[300]; unsigned long at; FILE *maps = fopen("/proc/self/maps", "r");
while (fgets(line, sizeof line, maps)) if (strstr(line, "memfd:heddle") && sscanf(line, "%lx", &at) == 1)
    { *(volatile uint64_t *)at = 0; break; }
return 0;'
refused "a write into heddle's memory" 'stray.so: the strategy crashed: SIGSEGV' --strategy "$tmp/stray.so" "$good"
within exits 'exit(0);'
refused 'an exit' 'exits.so: the strategy ended its process with status 0' --strategy "$tmp/exits.so" "$good"
within parricide 'kill(getppid(), SIGKILL); for (;;) pause(); return 0;'
refused 'one that kills the process that watches it' 'parricide.so: the process that watches it was killed' \
    --strategy "$tmp/parricide.so" "$good"
# twofaced NAME BODY: a strategy that only orders; from the second time that it is loaded on BODY has been done to it.
twofaced() {
    strategy "$1" '.claims = HEDDLE_ORDERS, .choose = choose' "$choose $prune
        static struct heddle_strategy *me; __attribute__((unused)) static void change(void) { $2 }"
    sed -i "s|(void)start; return|(void)start; me = \\&s; if (access(\"$tmp/$1.met\", F_OK) == 0) change(); else fclose(fopen(\"$tmp/$1.met\", \"w\")); return|" \
        "$tmp/$1.c"
    build "$1"
    rm -f "$tmp/$1.met"
}
twofaced claims 'me->claims = HEDDLE_PRUNES; me->prune = prune;'
refused 'one that declares something else later' 'claims.so declares something else than when it was loaded first' \
    --strategy "$tmp/claims.so" "$good"
twofaced grows 'me->prune = prune;'
refused 'one that has something else later' 'grows.so has a function prune, but does not declare' --strategy "$tmp/grows.so" "$good"
within loops 'for (volatile int i = 0;; i++);'
refused 'an endless loop' 'loops.so: no answer for 0.3 s of processor time' --hang 300ms --strategy "$tmp/loops.so" "$good"
rank='static double rank(void *self, const struct heddle_view *v) { (void)self; (void)v; return 0.0 / (double)(v->n_threads - v->n_threads); }'
strategy ranks '.claims = HEDDLE_RANKS, .rank = rank' "$rank"
refused 'a rank that is no number' 'ranks.so: the rank of a state is no number' --strategy "$tmp/ranks.so" "$good"
strategy unranked '.claims = HEDDLE_ORDERS, .choose = choose, .rank = rank' "$choose $rank"
refused 'ranking that is not declared' 'has a function rank, but does not declare HEDDLE_RANKS' --strategy "$tmp/unranked.so" "$good"
strategy both '.claims = HEDDLE_RANKS, .choose = choose, .rank = rank' "$choose $rank"
refused 'ranking and choosing' 'leave out all other claims and functions' --strategy "$tmp/both.so" "$good"
refused 'a heuristic beside one that ranks' 'ranks.so ranks states itself: leave out --heuristic' --heuristic depth --strategy "$tmp/ranks.so" "$good"
refused 'a reduction with one that ranks' 'cannot be combined with a reduction|that a reduction relies on' --reduce sleep --strategy "$tmp/ranks.so" "$good"
# No limit of processor time reaches a process that uses none.
within stopped 'raise(SIGSTOP); return 0;'
refused 'one that is stopped' 'stopped.so: no answer for 0.3 s .*was stopped .SIGSTOP' --hang 300ms --strategy "$tmp/stopped.so" "$good"
within sleeps 'for (;;) pause(); return 0;'
refused 'one that sleeps' 'sleeps.so: no answer for 0.3 s .*waits for something' --hang 300ms --strategy "$tmp/sleeps.so" "$good"
# One that sleeps a little in every answer is only slow: the time is that of one answer, not of all.
within slow 'usleep(100000); return 0;'
check --hang 1s --executions 12 --strategy "$tmp/slow.so" "$good"
is 'one that is slow' no-violation-found .verdict
within range 'return v->n_alternatives;'
refused 'an answer out of range' 'range.so: it chose alternative 2 of 2' --strategy "$tmp/range.so" "$good"
within fails 'v->fail(v, "no luck"); return 0;'
refused 'one that gives up' 'fails.so: no luck' --strategy "$tmp/fails.so" "$good"
within orders 'return 0;'
refused 'two workers' 'needs -j 1' -j 2 --strategy "$tmp/orders.so" "$good"
refused 'a checkpoint' 'cannot be kept' --checkpoint "$tmp/c" --strategy "$tmp/orders.so" "$good"
refused 'two searches' 'is a search itself' --search random --strategy "$tmp/orders.so" "$good"
refused 'a reduction with one that prunes' 'that a reduction relies on' --reduce sleep --strategy "$tmp/prunes.so" "$good"
refused 'a weak memory model' 'needs the graph search' --memory rc11 --strategy "$tmp/orders.so" "$good"

# ---- scripts ----

if [ -e "$lua" ]; then
    script() { printf '%s\n' "$2" >"$tmp/$1.lua"; }
    script syntax 'return {'
    refused 'a script that is none' 'syntax.lua:[0-9]*: ' --strategy "$tmp/syntax.lua" "$good"
    script typo 'return { claims = "orders", chose = function() return 1 end }'
    refused 'a function that is misspelt' 'nothing is called chose' --strategy "$tmp/typo.lua" "$good"
    script claims 'return { claims = "everything", choose = function() return 1 end }'
    refused 'a claim that there is not' 'claims: there are orders' --strategy "$tmp/claims.lua" "$good"
    script line $'return { claims = "orders",\n choose = function(view)\n  return view.nothing.more\n end }'
    refused 'an error has its line' 'line.lua:3: attempt to index' --strategy "$tmp/line.lua" "$good"
    script loop $'return { claims = "orders", choose = function()\n while true do pcall(function() while true do end end) end\n end }'
    refused 'an endless loop in a script' 'loop.lua:2: more than 100000000 instructions' --strategy "$tmp/loop.lua" "$good"
    script norank 'return { claims = "ranks", rank = function() return "high" end }'
    refused 'a rank that is a text' 'rank returned high; it must be a number' --strategy "$tmp/norank.lua" "$good"
    script range 'return { claims = "orders", choose = function(view) return #view.alternatives + 1 end }'
    refused 'a number out of range' 'choose returned 3; it must be a whole number from 1 to 2' --strategy "$tmp/range.lua" "$good"
    script memory 'local t = {} return { claims = "orders", choose = function() while true do t[#t + 1] = ("x"):rep(1000000) .. #t end end }'
    refused 'all memory' 'not enough memory' --strategy "$tmp/memory.lua" "$good"
    for word in io os require load loadfile dofile debug package coroutine; do
        script sandbox "if $word then error('$word is there') end return { claims = 'orders', choose = function() return 1 end }"
        check --strategy "$tmp/sandbox.lua" "$good"
        is "no $word in a script" verified .verdict
    done
    script prunes 'return { claims = "prunes", prune = function(view, i) return i > 1 end }'
    check --strategy "$tmp/prunes.lua" "$good"
    says 'a script that prunes is named' 'pruned by prunes.lua: '
    script against 'return { claims = "prunes", choose = function() return 1 end, prune = function(view, i) return i == 1 and #view.alternatives > 1 end }'
    refused 'what prune left out, counted from 1' 'it chose alternative 1, which it had left out' --strategy "$tmp/against.lua" "$good"
fi

# ---- compare ----

timeout "$LIMIT" "$HEDDLE" compare --races error --strategy "optimal,$tmp/lock_holders.so,$tmp/prunes.so" --json "$tmp/json" "$good" \
    >"$tmp/out" 2>"$tmp/err"
is 'compare takes them like presets' "verified $traces,verified $traces,no-violation-found 1" \
    '[.strategies[] | "\(.verdict) \(.executions)"] | join(",")'
says 'by their names' 'lock_holders.so '

# Seeds: brute force draws nothing and runs once, the others three times, each a line of the CSV.
timeout "$LIMIT" "$HEDDLE" compare --seeds 3 --strategy "auto,brute,random,$tmp/coverage.so:5" --json "$tmp/json" --csv "$tmp/csv" \
    --latex "$tmp/tex" "$tmp/two.c" --time 300ms >"$tmp/out" 2>"$tmp/err"
is 'runs of compare --seeds' '1 1 3 3' '[.strategies[] | .of_all.runs // 1 | tostring] | join(" ")'
is 'their mean' true '.strategies[3] | .of_all.executions.mean - ([.runs[].executions] | add / 3) | fabs < 0.001'
is 'least and most' true '.strategies[3] | .of_all.executions.min == ([.runs[].executions] | min) and
    .of_all.executions.max == ([.runs[].executions] | max)'
is 'their deviation' true '.strategies[3] | .of_all.executions as $s | [.runs[].executions - $s.mean | . * .] | add / 2 | sqrt |
    . - $s.deviation | fabs < 0.001'
if grep -q '^"coverage.so:5",1,' "$tmp/csv"; then pass 'compare --csv names the file'; else fail 'compare --csv names the file' "$(first_lines "$tmp/csv")"; fi
if [ "$(cut -d, -f2 "$tmp/csv" | tr '\n' ' ')" = 'seed 0 0 1 2 3 1 2 3 ' ]; then pass 'compare --csv'; else fail 'compare --csv' "$(first_lines "$tmp/csv")"; fi
if [ "$(grep -c ' & ' "$tmp/tex")" = 5 ] && grep -qF 'coverage.so:5 & ' "$tmp/tex"; then pass 'compare --latex'; else fail 'compare --latex' "$(first_lines "$tmp/tex")"; fi
