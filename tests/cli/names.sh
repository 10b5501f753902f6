#!/bin/bash
# What steps are about has the name that the source gives it.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

holds() {
    local name=$1
    shift
    if "$@" >why 2>&1; then pass "$name"; else fail "$name" "$(first_lines why) $(first_lines out)"; fi
}
lacks() { ! grep -E -- "$1" out; }
run() { COLUMNS=200 "$HEDDLE" "$@" >out 2>err </dev/null; status=$?; } # no line is wrapped

# A wait is about two objects, and its line names one of them.
cat >wait.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t m; pthread_cond_t full; int n; };
static void *put(void *arg)
{
    struct box *b = arg;
    pthread_mutex_lock(&b->m);
    b->n = 1;
    pthread_cond_signal(&b->full);
    pthread_mutex_unlock(&b->m);
    return 0;
}
int main(void)
{
    struct box *b = calloc(1, sizeof *b);
    pthread_t t;
    pthread_mutex_init(&b->m, 0);
    pthread_cond_init(&b->full, 0);
    pthread_mutex_lock(&b->m);
    pthread_create(&t, 0, put, b);
    while (!b->n)
        pthread_cond_wait(&b->full, &b->m);
    assert(b->n == 2);
}
C
run check -v wait.c
holds 'wait: the mutex it gives back' grep -q 'wait b->full, releases b->m$' out
holds 'wait: the mutex it takes again' grep -q 'relock b->m$' out
holds 'wait: no block' lacks 'heap:'

# Bit-fields of one storage unit are accessed together; a literal is no variable, though a call has the name of one.
cat >bits.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static struct flags { int other; unsigned lo : 4, hi : 4; } g, *sh;
static int v[2];
static void *work(void *arg)
{
    sh->hi = 2;
    sscanf("77", "%d", &v[0]);
    return arg;
}
int main(int argc, char **argv)
{
    pthread_t t;
    sh = argc > 1 ? malloc(sizeof *sh) : &g;
    sh->lo = 1;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(v[0] != 77);
    return argv == 0;
}
C
for more in '' '-- 1'; do
    run check -v bits.c $more
    holds "bit-fields${more:+ of a block}: all of the unit" grep -qE 'write (g\.|sh->|flags#1->)lo, hi' out
    holds "bit-fields${more:+ of a block}: never one alone" lacks '(read|write) (g\.|sh->|flags#1->)(lo|hi)($| =)'
done
holds 'a literal that a call reads' grep -q 'read a constant' out
holds 'and what the call writes' grep -q 'write v\[0\] = 77' out
holds 'v is not read but by main' [ "$(grep -cE '^ +[0-9]+ .*read v' out)" = 1 ]

# A call has several arguments.
cat >call.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
static sigset_t set;
static void *work(void *arg)
{
    int *ends = arg, got;
    char byte;
    sigwait(&set, &got);
    read(ends[0], &byte, 1);
    return 0;
}
int main(void)
{
    int ends[2];
    struct timespec pause = { 0, 1000 };
    pthread_t t;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    assert(pipe(ends) == 0);
    pthread_create(&t, 0, work, ends);
    nanosleep(&pause, 0);
    pthread_kill(t, SIGUSR1);
    write(ends[1], "x", 1);
    pthread_join(t, 0);
    close(ends[0]);
    assert(0);
}
C
run check -v --no-minimise call.c
holds 'call: runs to its assertion' [ "$status" = 1 ]
holds 'call: sigwait does not write the set' lacks 'write set = '
holds 'call: the table of descriptors is no variable' lacks 'fd-(use|change) .'
holds 'call: …and is told' grep -qE 'fd-(use|change)$' out
holds 'call: a sleep names the clock' grep -q 'sleep the clock$' out

cat >freed.c <<'C'
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>
static void *look(void *arg) { return *(int *)arg ? arg : 0; }
int main(void)
{
    int *n = calloc(1, sizeof *n);
    pthread_t t;
    pthread_create(&t, 0, look, n);
    free(n);
    pthread_join(t, 0);
}
C
run check --keep-going freed.c
holds 'a race with free: in words' grep -qE '^data race: .*(main frees \*n at|while main frees \*n at)' out

# An assertion of heddle's own stands in the function that has it, and is not called there.
printf '#include <heddle.h>\nint main(void)\n{\n    heddle_assert(0);\n}\n' >assert.c
run check assert.c
holds 'heddle_assert: its place' grep -q '^  in main at assert.c:4 (main)$' out
holds 'heddle_assert: once' lacks 'called at'

# What a pointer of any name points to: a local, a member of a block, a thread-local variable.
cat >objects.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct inner { int a, b; };
struct node { struct node *next; int value; pthread_mutex_t lock; struct inner in[4]; };
typedef struct { int n; double d; } pair_t;
struct flex { int n; int data[]; };
static __thread int own[4];
static int *leak;
static struct node *node;
static pair_t *pairs;
static struct flex *flex;
static void *get(size_t n)
{
    void *p = malloc(n);
    if (!p)
        abort();
    return p;
}
static void bump(int *p) { ++*p; }
static void take(pthread_mutex_t *l) { pthread_mutex_lock(l); }
static void *work(void *arg)
{
    struct node *mine = calloc(1, sizeof *mine);
    char *raw = get(64);
    raw[8] = 0;
    bump(arg);
    bump(leak);
    bump(&node->in[2].b);
    bump(&pairs[1].n);
    bump(&flex->data[3]);
    node->next = mine;
    return raw;
}
int main(void)
{
    int grid[3][4] = { 0 };
    struct { struct inner q; } outer = { 0 };
    void *raw;
    pthread_t t;
    leak = &own[2];
    node = calloc(1, sizeof *node);
    pthread_mutex_init(&node->lock, 0);
    pairs = get(2 * sizeof *pairs);
    flex = get(sizeof *flex + 5 * sizeof(int));
    pairs[1].n = flex->data[3] = 0;
    take(&node->lock);
    pthread_create(&t, 0, work, &grid[1][2]);
    bump(&grid[1][2]);
    bump(&outer.q.b);
    bump(&own[2]);
    pthread_join(t, &raw);
    bump(&node->next->value);
    ++*(char *)&((char *)raw)[8];
    free(node->next);
    assert(0);
}
C
run check -v --races off --memory sc --json objects.json --sarif objects.sarif --html objects.html objects.c
holds 'objects: a local array of two dimensions' grep -q "write main's local grid\[1\]\[2\] = " out
holds 'objects: a thread-local variable' grep -q "write main's own+8 = " out
holds 'objects: a member of a block' grep -q 'write node#1->in\[2\].b = ' out
holds 'objects: a lock in one' grep -q 'lock node#1->lock$' out
holds 'objects: through a function that allocates' grep -q 'write pair_t#2\[1\].n = ' out
holds 'objects: an array at the end of a struct' grep -q 'write flex#3->data\[3\] = ' out
holds "objects: another thread's block" grep -q "write T1's node#1->value = " out
holds 'objects: all of it is freed' grep -qE "free (\\*node->next|T1's node#1)$" out
holds 'objects: no offsets' lacks '(heap|stack|tls):'
holds 'objects: in the page' grep -q 'node#1->in\[2\].b' objects.html
holds 'objects: in SARIF' grep -q 'node#1->in\[2\].b' objects.sarif
trace=$(jq -r '.violations[0].trace' objects.json)
step=$(grep -n 'write heap:main#1+76' "$trace" | tail -n 1 | cut -d: -f2 | cut -d' ' -f1)
if command -v gdb >/dev/null; then
    echo "heddle goto $step" | "$HEDDLE" replay --gdb objects.c "$trace" >out 2>&1
    holds 'objects: in gdb' grep -q "^step $step: T1: write node#1->in\[2\].b = " out
fi

# A type that is not the only one of its name, and memory that has none.
mkdir two && cd two || exit 2
for unit in one two; do
    member=$([ $unit = one ] && echo 'int first; long second' || echo 'long some; int other')
    cat >$unit.c <<C
#include <stdlib.h>
struct same { $member; };
struct same *make_$unit(void) { struct same *s = calloc(1, sizeof *s); return s; }
int *inside_$unit(struct same *s) { return (int *)((char *)s + 8); }
C
done
cat >main.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct same;
struct same *make_one(void), *make_two(void);
int *inside_one(struct same *), *inside_two(struct same *);
static int *a, *b, *c;
static void one(void) { ++*a; }
static void two(void) { ++*b; }
static void *run(void *x) { one(); two(); ++*c; return x; }
int main(void)
{
    pthread_t t;
    a = inside_one(make_one());
    b = inside_two(make_two());
    void *block = malloc(64);
    c = (int *)block + 4;
    *c = 0;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 1;
}
C
run check -v --races off main.c one.c two.c
holds 'types of one name: the one' grep -q 'write same#1->second = 1' out
holds 'types of one name: the other' grep -q 'write same#2->other = 1' out
cd ..

# C++: names as they are written, members of the library left out.
cat >names.cpp <<'C'
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
namespace app {
template <class T> struct Stack {
    std::vector<T> items;
    std::mutex m;
    int depth = 0;
    static int count;
    void push(T x)
    {
        std::lock_guard<std::mutex> hold(m);
        items.push_back(x);
        count++;
    }
};
template <class T> int Stack<T>::count;
std::map<std::string, int> table;
}
static void bump(int *p) { ++*p; }
int main()
{
    auto s = std::make_shared<app::Stack<int>>();
    std::thread t([s] {
        s->push(1);
        app::table["a"] = 1;
        bump(&s->depth);
        bump(&app::Stack<int>::count);
    });
    s->push(2);
    bump(&app::Stack<int>::count);
    t.join();
    assert(0);
}
C
run check -v --keep-going --json cxx.json names.cpp
holds 'C++: a static member' grep -q 'write app::Stack<int>::count = ' out
holds 'C++: a shared object, and the lock in it' grep -q 'lock app::Stack<int>#[0-9]*->m$' out
holds 'C++: a member of a container' grep -q 'app::Stack<int>#[0-9]*->items._M_finish = ' out
holds 'C++: a member through a pointer' grep -q 'write app::Stack<int>#[0-9]*->depth = ' out
holds 'C++: a variable with a tag of the ABI' grep -qE '(read|write) app::table(\.| =)' out
holds 'C++: no symbols' lacks '_ZN|\[abi:|__cxx11|std::allocator'
holds 'C++: races' grep -qE '^ +app::Stack<int>::count in ' out
cp cxx.json out
holds 'C++: nor in JSON' lacks '_ZN|\[abi:|__cxx11|std::allocator'

# Files: wherever the compiler ran, with one name or two.
mkdir -p apart/a apart/b apart/build apart/include && cd apart || exit 2
echo 'static inline void hit(int *p) { ++*p; } /* in the header */' >include/hit.h
for unit in a b; do
    printf '#include "../include/hit.h"\nint hits_%s;\nvoid put_%s(void)\n{\n    hits_%s++; /* the text of %s */\n    hit(&hits_%s);\n}\n' \
        $unit $unit $unit $unit $unit >$unit/queue.c
done
printf '#include <assert.h>\n#include <pthread.h>\nvoid put_a(void), put_b(void);\nstatic void *run(void *x) { put_a(); put_b(); return x; }\nint main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, run, 0);\n    run(0);\n    pthread_join(t, 0);\n    assert(0);\n}\n' >main.c
(cd build && "$HEDDLE" cc -g -c ../a/queue.c -o a.o && "$HEDDLE" cc -g -c ../build/../b/queue.c -o b.o &&
    "$HEDDLE" cc -g -c "$PWD/../main.c") &&
    "$HEDDLE" cc -o build/program build/a.o build/b.o build/main.o -pthread || fail 'files: built' 'no'
cd build || exit 2
run check -v --races off --html page.html --json out.json ./program
holds 'files: told apart, the one' grep -qE ' a/queue.c:5  hits_a' out
holds 'files: told apart, the other' grep -qE ' b/queue.c:5  hits_b' out
holds 'files: the text of a header' grep -q 'hit.h:1  static inline' out
holds 'files: one path each' lacks '\.\./|apart/'
holds 'files: what assert says' grep -q '^  in main at main.c:11 (main)$' out
holds 'files: in the page' eval 'for f in main.c a/queue.c b/queue.c include/hit.h; do
    [ "$(grep -o "\"name\":\"$f\"" page.html | wc -l)" = 1 ] || { echo $f; exit 1; }; done; grep -q "the text of b" page.html'
trace=$(jq -r '.violations[0].trace' out.json)
if command -v gdb >/dev/null; then
    printf 'list put_a\nlist put_b\n' | "$HEDDLE" replay --gdb ./program "$trace" >out 2>&1
    holds 'files: in gdb' eval 'grep -q "the text of a" out && grep -q "the text of b" out'
fi

# Functions of C++ have their qualified names in reports, traces and slices, and rules know their ends.
cat >"$tmp/queue.cpp" <<'C'
#include <cassert>
#include <thread>
namespace app {
template <class T> struct Queue {
    T last;
    int n;
    void push(T v);
};
template <class T> __attribute__((noinline)) void Queue<T>::push(T v)
{
    n++;
    last = v;
}
}
static app::Queue<int> queue;
int main()
{
    std::thread t([] { queue.push(1); });
    queue.push(2);
    t.join();
    assert(queue.n == 2);
}
C
(cd "$tmp" && "$HEDDLE" c++ -g -o queue queue.cpp && "$HEDDLE" check --keep-going --trace-dir queue.traces ./queue >queue.out 2>&1)
qualified() {
    if grep -qF -- "$2" "$3"; then pass "$1"; else fail "$1" "no '$2' in: $(first_lines "$3")"; fi
}
qualified 'a qualified name in a report' 'at queue.cpp:11 (app::Queue<int>::push)' "$tmp/queue.out"
cat "$tmp"/queue.traces/*.trace >"$tmp/queue.trace"
qualified '… in a trace' 'in=app::Queue<int>::push' "$tmp/queue.trace"
(cd "$tmp" && "$HEDDLE" slice ./queue queue.cpp:11 >queue.slice 2>&1)
qualified '… in a slice' '  app::Queue<int>::push, in queue.cpp' "$tmp/queue.slice"
printf 'race:function:push\n' >"$tmp/queue.rules"
(cd "$tmp" && "$HEDDLE" check --keep-going --no-earlier --trace-dir queue.traces2 --suppressions queue.rules ./queue >queue.out2 2>&1)
if grep -q 'data races\? w.* suppressed by the rule race:function:push' "$tmp/queue.out2" && ! grep -q '^data race' "$tmp/queue.out2"; then
    pass '… and a rule with its end'
else
    fail '… and a rule with its end' "$(first_lines "$tmp/queue.out2")"
fi
