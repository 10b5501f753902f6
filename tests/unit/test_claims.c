/* Warnings of other tools as they print them, JSON, and both against damage. */
#include "base/json.h"
#include "base/rng.h"
#include "base/str.h"
#include "report/claims.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char tsan[] =
    "==================\n"
    "WARNING: ThreadSanitizer: data race (pid=9337)\n"
    "  Write of size 4 at 0x7b0400000800 by thread T1:\n"
    "    #0 memcpy <null> (a.out+0x4a2)\n"
    "    #1 Thread1(void*) simple race.c:5:10 (a.out+0x4b)\n"
    "    #2 start_thread <null> (libc.so.6+0x8)\n\n"
    "  Previous read of size 4 at 0x7b0400000800 by main thread:\n"
    "    #0 main /home/u/race.c:11:13 (a.out+0x4b) (BuildId: 1f)\n\n"
    "  Location is heap block of size 4 at 0x7b allocated by main thread:\n"
    "    #0 malloc <null> (a.out+0x4)\n"
    "    #1 main /home/u/race.c:8 (a.out+0x4)\n"
    "SUMMARY: ThreadSanitizer: data race race.c:5:10 in Thread1\n"
    "==================\n"
    "==================\n"
    "WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=9)\n"
    "  Cycle in lock order graph: M0 (0x5) => M1 (0x6) => M0\n\n"
    "  Mutex M1 acquired here while holding mutex M0 in thread T1:\n"
    "    #0 pthread_mutex_lock <null> (a.out+0x4)\n"
    "    #1 one d.c:20:3 (a.out+0x4)\n\n"
    "  Mutex M0 acquired here while holding mutex M1 in thread T2:\n"
    "    #0 pthread_mutex_lock <null> (a.out+0x4)\n"
    "    #1 two d.c:30:3 (a.out+0x4)\n"
    "==================\n";

static const char helgrind[] =
    "==1234== Helgrind, a thread error detector\n"
    "==1234== Possible data race during read of size 4 at 0x601038 by thread #1\n"
    "==1234== Locks held: none\n"
    "==1234==    at 0x400606: main (simple_race.c:13)\n"
    "==1234== \n"
    "==1234== This conflicts with a previous write of size 4 by thread #2\n"
    "==1234== Locks held: none\n"
    "==1234==    at 0x4005DC: child_fn (simple_race.c:6)\n"
    "==1234==    by 0x4C29D: mythread_wrapper (hg_intercepts.c:194)\n"
    "==1234==  Address 0x601038 is 0 bytes inside data symbol \"var\"\n"
    "==1234==    at 0x1: nothing (other.c:1)\n"
    "==1234== Thread #6: lock order \"0x7FF0 before 0x7FF1\" violated\n"
    "==1234== Observed (incorrect) order is: acquisition of lock at 0x7FF1\n"
    "==1234==    at 0x4C: pthread_mutex_lock (hg_intercepts.c:388)\n"
    "==1234==  followed by a later acquisition of lock at 0x7FF0\n"
    "==1234==    at 0x4C: pthread_mutex_lock (in /usr/lib/vg.so)\n"
    "==1234==    by 0x40: dine (dining.c:29)\n"
    "==1234== Conflicting store by thread 1 at 0x0000 size 4\n"
    "==1234==    at 0x4008: main (drd.c:7)\n"
    "==1234== Other segment start (thread 2)\n"
    "==1234==    at 0x4008: f (drd.c:1)\n";

static const char lines[] =
    "In file included from a.c:1:\n"
    "src/a.c:12:5: warning: Dereference of null pointer (loaded from variable 'p') [core.Null]\n"
    "src/a.c:10:3: note: 'p' is null\n"
    "b.c:3: error: Thread Safety Violation\n"
    "b.c:9: note: other access\n"
    "  c.c:1:1: warning: indented\n"
    "1 warning generated.\n";

static const char sarif[] =
    "{\"version\": \"2.1.0\", \"runs\": [{\"results\": [{\"ruleId\": \"DEADLOCK\", \"message\": {\"text\": "
    "\"\\u00e9 \\ud83d\\ude00 \\\"x\\\"\"}, \"locations\": [{\"physicalLocation\": {\"artifactLocation\": "
    "{\"uri\": \"file:///src/a.c\"}, \"region\": {\"startLine\": 7}}}], \"relatedLocations\": "
    "[{\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"b.c\"}, \"region\": {\"startLine\": 8}}}]}, "
    "{\"ruleId\": \"NULL\"}]}, {}]}";

static void parse(struct hd_claims *claims, const char *text)
{
    struct hd_err err;
    assert_int_equal(hd_claims_parse(claims, "w", text, strlen(text), &err), 0);
}

static void expect(const struct hd_claim *claim, enum hd_claim_kind kind, const char *message,
                   const char *places)
{
    struct hd_str got;
    hd_str_init(&got);
    for (uint32_t i = 0; i < claim->n_places; i++)
        hd_str_appendf(&got, "%s%s:%u", i ? " " : "", claim->places[i].file,
                       claim->places[i].line);
    assert_int_equal(claim->kind, kind);
    assert_string_equal(claim->message, message);
    assert_string_equal(got.text, places);
    hd_str_release(&got);
}

static void test_tools(void **state)
{
    struct hd_claims claims;
    (void)state;
    parse(&claims, tsan);
    assert_int_equal(claims.n, 2);
    expect(&claims.items[0], HD_CLAIM_RACE, "data race", "race.c:5 /home/u/race.c:11");
    expect(&claims.items[1], HD_CLAIM_DEADLOCK, "lock-order-inversion (potential deadlock)",
           "d.c:20 d.c:30");
    hd_claims_release(&claims);
    parse(&claims, helgrind);
    assert_int_equal(claims.n, 3);
    expect(&claims.items[0], HD_CLAIM_RACE,
           "Possible data race during read of size 4 at 0x601038 by thread #1",
           "simple_race.c:13 simple_race.c:6");
    expect(&claims.items[1], HD_CLAIM_DEADLOCK,
           "Thread #6: lock order \"0x7FF0 before 0x7FF1\" violated", "dining.c:29");
    expect(&claims.items[2], HD_CLAIM_RACE, "Conflicting store by thread 1 at 0x0000 size 4",
           "drd.c:7");
    hd_claims_release(&claims);
    parse(&claims, lines);
    assert_int_equal(claims.n, 2);
    expect(&claims.items[0], HD_CLAIM_FAULT,
           "Dereference of null pointer (loaded from variable 'p') [core.Null]", "src/a.c:12");
    expect(&claims.items[1], HD_CLAIM_RACE, "Thread Safety Violation", "b.c:3 b.c:9");
    hd_claims_release(&claims);
    parse(&claims, sarif);
    assert_int_equal(claims.n, 2);
    expect(&claims.items[0], HD_CLAIM_DEADLOCK, "\xc3\xa9 \xf0\x9f\x98\x80 \"x\"",
           "/src/a.c:7 b.c:8");
    expect(&claims.items[1], HD_CLAIM_FAULT, "NULL", "");
    hd_claims_release(&claims);
}

/* What the words of a warning are about decides what can confirm it. */
static void test_kinds(void **state)
{
    static const struct {
        const char *words;
        enum hd_claim_kind kind;
    } list[] = {
        { "THREAD_SAFETY_VIOLATION", HD_CLAIM_RACE },    { "Read/Write race.", HD_CLAIM_RACE },
        { "LOCK_CONSISTENCY_VIOLATION", HD_CLAIM_RACE }, { "DEADLOCK", HD_CLAIM_DEADLOCK },
        { "unbalanced brace", HD_CLAIM_FAULT },          { "see the trace", HD_CLAIM_FAULT },
        { "data race (pid=1)", HD_CLAIM_RACE },          { "NULL_DEREFERENCE", HD_CLAIM_FAULT },
    };
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        assert_int_equal(hd_claim_kind_of(list[i].words, strlen(list[i].words)), list[i].kind);
}

static void test_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "nothing here",
        "{",
        "{}",
        "{\"runs\": 1}",
        "[1]",
        "{\"a\" 1}",
        "{\"runs\": [}",
        "{\"\\ud800\": 1}",
        "{\"a\": 01}",
        "{\"a\": \"\\q\"}",
        "{\"a\": 1} x",
        "{\"runs\": []}",
        "{\"a\": -}",
        "{\"a\": 1.}",
        "{\"a\": \"\\u0000\"}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct hd_claims claims;
        struct hd_err err = { "" };
        assert_int_equal(hd_claims_parse(&claims, "w", texts[i], strlen(texts[i]), &err), -1);
        assert_int_equal(strncmp(err.text, "w:", 2), 0);
    }
}

static void test_deep(void **state)
{
    struct hd_json_text json;
    struct hd_err err;
    char deep[2 * HD_JSON_DEEPEST + 3];
    (void)state;
    for (int more = 0; more < 2; more++) {
        int n = HD_JSON_DEEPEST + more;
        memset(deep, '[', (size_t)n);
        memset(deep + n, ']', (size_t)n);
        int failed = hd_json_parse(&json, "w", deep, (size_t)(2 * n), &err);
        assert_int_equal(failed, -more);
        if (!failed)
            hd_json_release(&json);
    }
}

/* Bytes changed and stretches cut out or doubled: no crash, no leak (run under the sanitizers). */
static void test_damage(void **state)
{
    static const char *const texts[] = { tsan, helgrind, lines, sarif };
    struct hd_rng rng = { 4711 };
    (void)state;
    for (uint32_t round = 0; round < 20000; round++) {
        const char *text = texts[round % 4];
        size_t n = strlen(text), at = hd_rng_below(&rng, (uint32_t)n),
               length = hd_rng_below(&rng, 40);
        char *damaged = malloc(n + 41);
        length = at + length > n ? n - at : length;
        memcpy(damaged, text, n);
        if (round % 3 == 0) {
            memmove(damaged + at, damaged + at + length, n - at - length);
            n -= length;
        } else if (round % 3 == 1) {
            memmove(damaged + at + length, damaged + at, n - at);
            n += length;
        } else {
            damaged[at] = "\"\\{}[]:,#=0 \n\xff"[hd_rng_below(&rng, 14)];
        }
        char *exact = malloc(n + 1); /* one byte too far is seen */
        memcpy(exact, damaged, n);
        struct hd_claims claims;
        struct hd_err err;
        if (hd_claims_parse(&claims, "w", exact, n, &err) == 0)
            hd_claims_release(&claims);
        free(exact);
        free(damaged);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tools),   cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
