#!/bin/bash
# Checkers from outside: what they object to is found, confirmed, written into a trace and replayed; what they are not shown costs
# the verdict.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
CC=${CC:-clang-${LLVM:-19}}
include=$(dirname "$(dirname "$HEDDLE")")/include
lua=$(dirname "$(dirname "$HEDDLE")")/lib/heddle/heddle-lua.so
examples=$ROOT/examples/strategies
cd "$tmp" || exit 2

build() {
    "$CC" -Wall -Wextra -Werror -shared -fPIC -I "$include" -o "$1.so" "${2:-$1.c}" 2>err || fail "$1.c compiles" "$(first_lines err)"
}

# checker NAME FIELDS BODY [MORE]: BODY is that of judge(self, v, n); MORE stands before it.
checker() {
    { echo '#include <heddle/strategy.h>'; echo '#include <stdio.h>'; echo '#include <string.h>'; echo "${4:-}"
      echo "static const char *judge(void *self, const struct heddle_view *v, uint32_t n) { (void)self; (void)v; (void)n; $3 }"
      echo 'const struct heddle_strategy *heddle_strategy(struct heddle_start *start) {'
      echo "static struct heddle_strategy s = { .version = HEDDLE_STRATEGY_VERSION, $2 };"
      echo '(void)start; return &s; }'; } >"$1.c"
    build "$1"
}

check() {
    rm -rf json traces
    timeout "$LIMIT" "$HEDDLE" check --no-minimise --trace-dir traces --json json "$@" >out 2>err </dev/null
}

is() {
    local got
    got=$(jq -rc "$3" json 2>/dev/null)
    if [ "$got" = "$2" ]; then pass "$1"; else fail "$1" "expected $2, got $got ($(first_lines err))"; fi
}

says() { if grep -qF -- "$2" out; then pass "$1"; else fail "$1" "no '$2' in $(first_lines out)"; fi; }

# exits NAME STATUS TEXT COMMAND...: the exit status, and a line of what it prints.
exits() {
    timeout "$LIMIT" "${@:4}" >out 2>&1 </dev/null
    local status=$?
    if [ $status = "$2" ] && grep -qF -- "$3" out; then pass "$1"; else fail "$1" "status $status: $(first_lines out)"; fi
}

# a and b are independent, the writes of x are not.
cat >two.c <<'EOC'
#include <pthread.h>
static _Atomic int a, b, x;
static void *one(void *p)
{
    a = 1;
    x = 1;
    return p;
}
static void *other(void *p)
{
    b = 1;
    x = 2;
    return p;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, other, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return a + b + x == 9;
}
EOC
cat >locks.c <<'EOC'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *work(void *p)
{
    pthread_mutex_lock(&m);
    int mine = ++n;
    if (mine == 1 || !p)
        pthread_mutex_unlock(&m);
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, ARGUMENT);
    work(0);
    pthread_join(t, 0);
    return 0;
}
EOC

# ---- the examples ----

for name in in_order ends_holding; do build $name "$examples/$name.c"; done
kinds='./%s.so'
[ -e "$lua" ] && kinds="$kinds $examples/%s.lua"
for kind in $kinds; do
    what=${kind##*.}
    file() { printf "$kind" "$1"; }
    check --strategy "$(file in_order):a,b" two.c
    is "$what: an order of independent steps is found" 'objection b is written before a two.c 11' \
        '.violations[0] | "\(.kind) \(.message) \(.location.file) \(.location.line)"'
    says "$what: it is called so" 'the checker objects: b is written before a'
    exits "$what: the replay objects again" 1 'the checker objects: b is written before a' "$HEDDLE" replay -q traces/*.trace
    check --strategy "$(file in_order):a,none" --analysis all two.c
    is "$what: all orders without an objection are verified" verified .verdict
    check --strategy "$(file in_order):a,none" two.c
    is "$what: accesses that are not shown cost the verdict" no-violation-found .verdict
    says "$what: which is said" "so in_order.$what was not shown them (--analysis all)"
    check --strategy "$(file ends_holding)" --cc-flags '-DARGUMENT=&n' locks.c
    is "$what: a lock that is kept" 'objection thread 1 holds a lock at the end' '.violations[0] | "\(.kind) \(.message)"'
    check --strategy "$(file ends_holding)" --cc-flags -DARGUMENT=0 locks.c
    is "$what: a lock that is given back" verified .verdict
done
check --strategy optimal --cc-flags -DARGUMENT=0 locks.c
traces=$(jq .executions json)
check --strategy ./ends_holding.so --cc-flags -DARGUMENT=0 locks.c
is 'one execution for each trace is judged' "$traces" .executions
check --strategy brute two.c
all=$(jq .executions json)
check --strategy ./in_order.so:a,none two.c
is 'all interleavings are judged where nothing is declared' "$all" .executions

# The last write of x is that of `one`: two orders of dependent steps, of which the search without a checker keeps both.
final='struct heddle_action a; static char last[40];
    if (n == 0) last[0] = 0;
    if (n && v->step(v, n - 1, &a) && a.writes && strcmp(a.variable, "x") == 0) snprintf(last, sizeof last, "%s", a.function);
    return n == v->depth && strcmp(last, WHOSE) == 0 ? "it has the last word" : NULL;'
for whose in one other nobody; do
    checker final '.claims = HEDDLE_CHECKS | HEDDLE_TRACES, .judge = judge' "$final" "#define WHOSE \"$whose\""
    check --strategy ./final.so two.c
    case $whose in
    nobody) is 'nobody has the last word' verified .verdict ;;
    *) is "a final value is found under optimal: $whose" objection '.violations[0].kind' ;;
    esac
done

# ---- smaller runs ----

# The search goes on with T1 as long as it can, so its first run that writes b before a changes threads in the middle of both.
cat >long.c <<'EOC'
#include <pthread.h>
static _Atomic int a, b, x;
static void *one(void *p)
{
    x = 1;
    a = 1;
    x = 2;
    return p;
}
static void *other(void *p)
{
    x = 3;
    b = 1;
    x = 4;
    return p;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, other, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return a + b + x == 9;
}
EOC
preemptions='.violations[0] | "\(.kind) \(.message) \(.preemptions)"'
check --strategy ./in_order.so:a,b long.c
found=$(jq '.violations[0].preemptions' json)
if [ "${found:-0}" -gt 0 ]; then pass 'the first run has preemptions'; else fail 'the first run has preemptions' "$found"; fi
rm -rf json traces
timeout "$LIMIT" "$HEDDLE" check --trace-dir traces --json json --strategy ./in_order.so:a,b long.c >out 2>err </dev/null
is 'an objection is minimised' 'objection b is written before a 0' "$preemptions"
exits 'the minimised run is objected to again' 1 'the checker objects: b is written before a' "$HEDDLE" replay -q traces/*.trace
checker where '.claims = HEDDLE_CHECKS, .judge = judge' 'static char text[40]; static uint32_t before; struct heddle_action a;
    if (n == 0) { before = 0; return NULL; }
    if (!v->step(v, n - 1, &a) || !a.writes) return NULL;
    if (strcmp(a.variable, "b") == 0) before = n;
    snprintf(text, sizeof text, "a in step %u, b in step %u", n, before);
    return before && strcmp(a.variable, "a") == 0 ? text : NULL;'
check --strategy ./where.so long.c
said=$(jq -c '.violations[0] | [.message, .preemptions]' json)
timeout "$LIMIT" "$HEDDLE" check --trace-dir traces --json json --strategy ./where.so long.c >out 2>err </dev/null
is 'a run with another text is another objection' "$said" '.violations[0] | [.message, .preemptions]'
checker last '.claims = HEDDLE_CHECKS | HEDDLE_TRACES, .judge = judge' "$final" '#define WHOSE "one"'
timeout "$LIMIT" "$HEDDLE" check --trace-dir traces --json json --strategy ./last.so two.c >out 2>err </dev/null
says 'what decides an objection' "if T1's write of x at two.c:6"
says 'and without what it passes' 'the run would pass'

# ---- every trace is judged ----

# The judge writes what decides a trace: of every two dependent steps of different threads, which came first.  With a reduction it
# must see each of the traces that brute force has, and no other.
seen='if (n < v->depth) return NULL;
    static uint32_t nth[4096], of[256];
    struct heddle_action a, b;
    FILE *f = fopen("seen", "a");
    memset(of, 0, sizeof of);
    for (uint32_t i = 0; i < v->depth; i++) { v->step(v, i, &a); nth[i] = of[a.thread]++; }
    for (uint32_t t = 0; t < v->n_threads; t++)
        for (uint32_t i = 0; i < v->depth; i++) {
            v->step(v, i, &a);
            if (a.thread != t) continue;
            fprintf(f, "%u:%u %s %u %u", t, nth[i], a.operation, a.line, a.choice);
            for (uint32_t s = 0; s < v->n_threads; s++) {
                uint32_t before = 0;
                for (uint32_t j = 0; j < i; j++) {
                    v->step(v, j, &b);
                    if (b.thread == s && s != t && v->dependent(v, &a, &b)) before = nth[j] + 1;
                }
                fprintf(f, ",%u", before);
            }
            fprintf(f, ";");
        }
    fprintf(f, "\n");
    fclose(f);
    return NULL;'
checker shown '.claims = HEDDLE_CHECKS, .judge = judge' "$seen"
checker reduced '.claims = HEDDLE_CHECKS | HEDDLE_TRACES, .judge = judge' "$seen"
# shown FILE OPTIONS...: the traces that the checker was shown, in FILE.
shown() { rm -f seen; check "${@:2}" && LC_ALL=C sort -u seen >"$1"; }
for program in two.c "-DARGUMENT=0 locks.c"; do
    name=$(basename "${program##* }")
    shown every --races off --strategy ./shown.so $program
    for reduction in optimal source dpor sleep; do
        shown some --races off --strategy ./reduced.so --reduce $reduction $program
        if [ -s every ] && cmp -s every some; then pass "$name: $reduction shows all $(wc -l <every) traces"; else
            fail "$name: $reduction shows all traces" "$(wc -l <some) of $(wc -l <every)"; fi
    done
done

# ---- traces, and what is refused ----

check --strategy ./in_order.so:a,b two.c
mv in_order.so gone.so
exits 'a checker that is not there' 2 'is judged by a checker that cannot be asked: --strategy ./in_order.so: there is no such file' \
    "$HEDDLE" replay -q traces/*.trace
mv gone.so in_order.so
sed '/^signature/d' traces/*.trace >foreign.trace
exits 'the checker of a stranger is not loaded' 2 'asks for --strategy ./in_order.so:a,b, which is not used' \
    "$HEDDLE" replay -q two.c foreign.trace
exits 'but with --trust' 1 'the checker objects' "$HEDDLE" replay -q --trust two.c foreign.trace
sed -i 's/^checker .*/checker other/' foreign.trace
exits 'a checker that is no file' 2 'checker other: not PATH.so or PATH.lua' "$HEDDLE" replay -q --trust two.c foreign.trace
check --keep-going --analysis all --strategy ./in_order.so:a,b two.c
is 'an objection is one violation, however often it comes' "1 $all" '"\(.violations | length) \(.executions)"'

refused() { expect_error "$1" "$2" "$HEDDLE" check --no-minimise --trace-dir traces "${@:3}"; }
checker moody '.claims = HEDDLE_CHECKS, .judge = judge' 'static int times; return n == v->depth && ++times == 7 ? "not again" : NULL;'
refused 'a checker that is not deterministic' 'moody.so is not deterministic: it objected after step [0-9]* .not again.' --strategy ./moody.so two.c
checker counting '.claims = HEDDLE_CHECKS, .judge = judge' 'static char text[20]; static int times; snprintf(text, sizeof text, "%d", ++times); return n == v->depth && times > 40 ? text : NULL;' 
refused 'one that does not object again' 'counting.so is not deterministic: .* it does not object' --strategy ./counting.so two.c
checker crashes '.claims = HEDDLE_CHECKS, .judge = judge' 'return (const char *)8;'
refused 'a crash' 'crashes.so: the strategy crashed: SIGSEGV, in its function judge$' --strategy ./crashes.so two.c
checker dumb '.claims = HEDDLE_CHECKS' 'return NULL;' '#pragma clang diagnostic ignored "-Wunused-function"'
refused 'no judge' 'declares HEDDLE_CHECKS, but has no function judge' --strategy ./dumb.so two.c
checker shy '.claims = HEDDLE_PRUNES, .judge = judge' 'return NULL;'
refused 'a judge that is not declared' 'has a function judge, but does not declare HEDDLE_CHECKS' --strategy ./shy.so two.c
checker half '.claims = HEDDLE_TRACES' 'return NULL;' '#pragma clang diagnostic ignored "-Wunused-function"'
refused 'traces without checks' 'declares HEDDLE_TRACES, which says what HEDDLE_CHECKS depends on' --strategy ./half.so two.c
refused 'a reduction with one that does not declare' 'may object to the order of independent steps' --reduce optimal --strategy ./in_order.so:a,b two.c
refused 'states with one that does' 'judges whole executions' --reduce not-seen --strategy ./ends_holding.so two.c
refused 'finer dependence' 'leave out --finer' --finer rmw --strategy ./ends_holding.so two.c
if [ -e "$lua" ]; then
    echo 'return { claims = "checks", judge = function() return 7 end }' >number.lua
    refused 'a script that objects with a number' 'judge returned 7; it must be a text, or nil' --strategy number.lua two.c
fi
