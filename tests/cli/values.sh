#!/bin/bash
# Values are shown as the source writes them, by their types.
set -u
. "$(dirname "$0")/../lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2

# says FILE WORDS...: each is at the end of a line of the report.
says() {
    local file=$1 words
    shift
    COLUMNS=200 "$HEDDLE" check --no-earlier -v "$file" >out 2>err </dev/null
    for words; do
        if grep -qF -- "$words" out && grep -F -- "$words" out | grep -qE -- ".*[^ ]$"; then
            awk -v w="$words" 'length($0) >= length(w) && substr($0, length($0) - length(w) + 1) == w { n = 1 } END { exit !n }' out &&
                pass "${file%.*}: $words" || fail "${file%.*}: $words" "something follows: $(grep -F -- "$words" out | head -n 1)"
        else
            fail "${file%.*}: $words" "$(first_lines err)$(grep -F -- "${words% = *}" out | head -n 2 | tr '\n' '|')"
        fi
    done
}

cat >kinds.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
enum colour { RED, GREEN = 5, BLUE };
struct point { int x, y; };
struct cfg { char name[16]; char tag[4]; struct point at; double w; struct cfg *next; };
static double d; static float f; static long double ld; static char c, small; static bool b;
static enum colour col, odd; static struct point p; static struct cfg *cfg, g; static unsigned u;
static unsigned char byte; static int8_t low; static short sh; static atomic_bool ab; static _Atomic double ad;
static struct cfg *_Atomic ap; static void *to_member, *to_block, *to_local; static void (*fn)(void);
static int64_t far; static uint64_t hash; static int arr[10]; static char *bytes, host[16];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void hook(void) {}
static void *one(void *local)
{
    pthread_mutex_lock(&m);
    d = 2.5; f = 0.1f; ld = 1.25L; c = 'q'; small = 1; b = true; col = BLUE; odd = (enum colour)77;
    u = 0; u--; byte = 200; low = -7; sh = -3; far = -5000000000; hash = 0xdeadbeefcafe;
    p = (struct point){ 3, 4 };
    cfg = malloc(sizeof *cfg);
    strcpy(cfg->name, "Ada");
    strcpy(g.name, "Grace Hopper");
    memcpy(g.tag, "abc", 4); strcpy(host, "localhost");
    cfg->w = 1e300; cfg->next = NULL; cfg->at = p;
    g = *cfg;
    memset(&g.tag, 0, sizeof g.tag + sizeof g.at);
    memset(arr + 2, 0, 3 * sizeof *arr);
    ab = true; ad = 3; ap = cfg; fn = hook; to_member = &g.at; to_block = &cfg->w; to_local = local;
    *(int *)local = 9;
    bytes = malloc(10); bytes[0] = 'x';
    pthread_mutex_unlock(&m);
    return local;
}
int main(void)
{
    pthread_t t, u;
    int counter = 0;
    pthread_create(&t, 0, one, &counter);
    pthread_create(&u, 0, one, &counter);
    pthread_join(t, 0);
    assert(d != 2.5);
}
C
# Two threads run the function, so that all of it is shared.
says kinds.c 'write d = 2.5' 'write f = 0.1' 'write ld = 1.25' "write c = 'q'" 'write small = 1' 'write b = true' 'write col = BLUE' 'write odd = 77' \
    'write u = 4294967295' 'write byte = 200' 'write low = -7' 'write sh = -3' 'write far = -5000000000' 'write hash = 0xdeadbeefcafe' \
    'write p = {x = 3, y = 4}' "write cfg = T1's cfg#1" '[0..3] = "Ada"' 'write g.name[0..12] = "Grace Ho"…' 'write g.tag = "abc"' 'write host[0..9] = "localhos"…' 'write cfg->w = 1e+300' \
    'write cfg->next = NULL' "copy g from T1's cfg#1" 'write g.tag..at' 'write arr[2..4]' 'write ab = true' 'write ad = 3.0' "write ap = T1's cfg#1" \
    'write fn = hook' 'write to_member = &g.at' "write to_block = &T1's cfg#1->w" "write to_local = &main's local counter" 'write bytes = block#2'
grep -q "^  main read d = 2.5 at kinds.c:45 (step [0-9]*): T1 wrote d = 2.5 at kinds.c:21 (step [0-9]*)$" out && pass 'why has them, too' ||
    fail 'why has them, too' "$(grep -A3 '^why' out | tr '\n' '|')"

cat >kinds.cc <<'C'
#include <atomic>
#include <cassert>
#include <thread>
enum class state : unsigned char { idle, busy };
static std::atomic<double> d;
static std::atomic<bool> b;
static std::atomic<state> s;
static bool plain;
int main()
{
    std::thread t([] { d.store(2.5); b.store(true); s.store(state::busy); plain = true; });
    t.join();
    assert(d.load() != 2.5);
}
C
says kinds.cc 'write d = 2.5' 'write b = true' 'write s = busy' 'write plain = true'

# A pointer to constant characters is text; one to others, and one to what only looks like characters, is not.
cat >chars.c <<'C'
#include <assert.h>
#include <pthread.h>
static const char *name, *none = "x", *odd, *longer;
static char buffer[4] = "abc", *own;
static const unsigned char table[4] = { 'a', 'b', 'c', 0 }, *bytes;
static const int numbers[2] = { 0x41424344, 0 }, *first;
static struct { int k; const char *label; } entry;
static int done;
static void *set(void *arg)
{
    name = arg;
    none = 0;
    odd = "line\n\033[1m";
    longer = "a text that is longer than is shown of it";
    own = buffer;
    bytes = table;
    first = numbers;
    entry.label = "of an entry";
    done = 1;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, "two words");
    pthread_join(t, 0);
    assert(name && none && odd && longer && own && bytes && first && entry.label && done);
}
C
says chars.c 'write name = "two words"' 'write none = NULL' 'write longer = "a text that is longer th"…' 'write own = &buffer[0]' \
    'write bytes = &table[0]' 'write first = &numbers[0]' 'write entry.label = "of an entry"'
grep -qF 'write odd = "line\n\x1b[1m"' out && pass 'chars: no control of the terminal' || fail 'chars: no control of the terminal' "$(grep 'write odd' out)"
