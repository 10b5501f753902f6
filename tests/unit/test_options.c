/* The command line of `heddle check`, option values, strategies. */
#include "cli/args.h"
#include "cli/check_options.h"
#include "strategy/strategy.h"
#include "supervise/portfolio.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(argv) ((int)(sizeof argv / sizeof *argv) - 1)

static void refuses(int argc, char **argv, const char *says)
{
    struct hd_check check;
    struct hd_err err = { "" };
    assert_int_equal(hd_check_init(&check, argc, argv, &err), -1);
    if (!strstr(err.text, says))
        fail_msg("'%s' does not say '%s'", err.text, says);
    hd_check_release(&check);
}

#define REFUSES(says, ...)                                                                       \
    do {                                                                                         \
        char *argv_[] = { "check", __VA_ARGS__, NULL };                                          \
        refuses(COUNT(argv_), argv_, says);                                                      \
    } while (0)

static char *some_of_all[] = { "check",
                               "--depth=7",
                               "a.c",
                               "--time",
                               "1500ms",
                               "--executions",
                               "12",
                               "--invariant",
                               "holds",
                               "b.c",
                               "--keep-going",
                               "--json=-",
                               "--trace-dir",
                               "d",
                               "--cc-flags",
                               "-DX='a b' -g",
                               "-q",
                               "--hang=2",
                               "--races",
                               "off",
                               "-j1",
                               "--expect-exit",
                               "3",
                               "--preemptions",
                               "2",
                               "--faults",
                               "create,malloc:12",
                               "--reuse",
                               "all",
                               "--nondet=-3..4092",
                               "--leaks",
                               "--",
                               "-x",
                               "--depth",
                               NULL };

static void everything(void **state)
{
    (void)state;
    struct hd_check c;
    struct hd_err err = { "" };
    assert_int_equal(hd_check_init(&c, COUNT(some_of_all), some_of_all, &err), 0);
    assert_int_equal(c.files.n, 2);
    assert_string_equal(c.name, "a.c b.c");
    assert_int_equal(c.options.depth, 7);
    assert_int_equal(c.options.preemptions, 2);
    assert_int_equal(c.options.filters,
                     HD_FILTER_DEPTH | HD_FILTER_PREEMPTIONS | HD_FILTER_NOT_SEEN);
    assert_int_equal(c.options.max_executions, 12);
    assert_int_equal(c.options.keep_going, 1);
    assert_int_equal(c.options.expect_exit, 3);
    assert_int_equal(c.options.faults.kinds, 1 << HD_FAULT_MALLOC | 1 << HD_FAULT_CREATE);
    assert_int_equal(c.options.faults.most, 12);
    assert_int_equal(c.options.reuse.mode, HD_REUSE_ALL);
    assert_true(c.options.reuse.classes == ~0ull);
    assert_true(c.options.nondet.given && c.options.leaks);
    assert_int_equal(c.options.nondet.low, -3);
    assert_int_equal(c.options.nondet.high, 4092);
    assert_true(c.seconds > 1.49 && c.seconds < 1.51);
    assert_true(c.hang_seconds > 1.9 && c.hang_seconds < 2.1);
    assert_string_equal(c.invariants.items[0], "holds");
    assert_string_equal(c.json, "-");
    assert_string_equal(c.trace_dir, "d");
    assert_true(c.trace_dir_given && c.quiet && !c.verbose);
    assert_int_equal(c.cc_flags.n, 2);
    assert_string_equal(c.cc_flags.items[0], "-DX=a b");
    assert_string_equal(c.strategy, "dfs, not-seen, preemptions:2, depth:7");
    assert_string_equal(c.args[0], "-x");
    assert_string_equal(c.args[1], "--depth");
    assert_null(c.args[2]);
    hd_check_release(&c);
}

static void defaults(void **state)
{
    (void)state;
    char *argv[] = { "check", "p", NULL };
    struct hd_check c;
    struct hd_err err = { "" };
    assert_int_equal(hd_check_init(&c, 2, argv, &err), 0);
    assert_string_equal(c.strategy, "auto");
    assert_true(c.phases);
    assert_int_equal(c.options.filters, HD_FILTER_OPTIMAL);
    assert_int_equal(c.options.depth, HD_MAX_STEPS - 1);
    assert_false(c.trace_dir_given);
    assert_null(c.args[0]);
    hd_check_release(&c);
}

/* The words on the command line after which `auto` is one search. */
static void one_search(void **state)
{
    static char *const words[] = { "--preemptions=1", "--reduce=none", "--strategy=optimal" };
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *argv[] = { "check", words[i], "p", NULL };
        struct hd_check c;
        struct hd_err err = { "" };
        assert_int_equal(hd_check_init(&c, 3, argv, &err), 0);
        assert_false(c.phases);
        hd_check_release(&c);
    }
}

/* Words that take no search away from `auto`. */
static void all_searches(void **state)
{
    static char *const words[] = { "--keep-going", "--races=warn", "--depth=9" };
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *argv[] = { "check", words[i], "p", NULL };
        struct hd_check c;
        struct hd_err err = { "" };
        assert_int_equal(hd_check_init(&c, 3, argv, &err), 0);
        assert_true(c.phases);
        hd_check_release(&c);
    }
}

static void the_plan_of_auto(void **state)
{
    (void)state;
    struct hd_options o = { .depth = 100, .keep_going = 0, .spurious = 2 };
    struct hd_plan plan = { 0 };
    hd_strategy_plan(&plan, &o);
    assert_int_equal(hd_plan_search(&plan, HD_PLANNED_WHOLE)->options.filters, HD_FILTER_OPTIMAL);
    assert_int_equal(hd_plan_search(&plan, HD_PLANNED_OTHER)->options.filters,
                     HD_FILTER_STATES | HD_FILTER_EAGER);
    assert_non_null(hd_plan_search(&plan, HD_PLANNED_ALIKE));
    assert_int_equal(hd_plan_search(&plan, HD_PLANNED_WEAK)->options.search, HD_SEARCH_GRAPH);
    assert_int_equal(hd_plan_search(&plan, HD_PLANNED_BRIEF + 1)->options.search, HD_SEARCH_PCT);
    assert_int_equal(hd_plan_search(&plan, HD_PLANNED_BRIEF + 1)->options.pct_depth, 3);
    assert_int_equal(hd_plan_search(&plan, HD_PLANNED_BRIEF + 3)->options.iterative, 1);
    for (uint32_t i = 0; i < HD_SHORT_PHASES; i++)
        assert_int_equal(hd_plan_search(&plan, HD_PLANNED_BRIEF + i)->options.spurious, 2);
}

static void wrong_options(void **state)
{
    (void)state;
    REFUSES("unknown option --dept (did you mean --depth?)", "--dept", "3", "a.c");
    REFUSES("unknown option --zzzzzzzz;", "--zzzzzzzz", "a.c");
    REFUSES("unknown option -z", "-z", "a.c");
    REFUSES("unknown option -qv", "-qv", "a.c");
    REFUSES("--depth needs a value", "a.c", "--depth");
    REFUSES("--keep-going takes no value", "--keep-going=1", "a.c");
    REFUSES("--depth 0: expected a number from 1 to", "--depth", "0", "a.c");
    REFUSES("--depth 1048576: expected a number", "--depth", "1048576", "a.c");
    REFUSES("--depth -1: expected a number", "--depth", "-1", "a.c");
    REFUSES("--depth : expected a number", "--depth=", "a.c");
    REFUSES("--executions 18446744073709551616:", "--executions", "18446744073709551616", "a.c");
    REFUSES("--expect-exit 256", "--expect-exit", "256", "a.c");
    REFUSES("--time 0s", "--time", "0s", "a.c");
    REFUSES("--time 5x", "--time", "5x", "a.c");
    REFUSES("--time inf", "--time", "inf", "a.c");
    REFUSES("--time -1s", "--time", "-1s", "a.c");
    REFUSES("a quote (') is not closed", "--cc-flags", "-D'x", "a.c");
    REFUSES("--nondet 3: give a range", "--nondet", "3", "a.c");
    REFUSES("--nondet 3..: give a range", "--nondet", "3..", "a.c");
    REFUSES("--nondet 3..2: give a range", "--nondet", "3..2", "a.c");
    REFUSES("--nondet 0..4096: give a range", "--nondet", "0..4096", "a.c");
    REFUSES("--nondet 0..99999999999999999999: give", "--nondet", "0..99999999999999999999",
            "a.c");
    REFUSES("--nondet 1..2x: give a range", "--nondet", "1..2x", "a.c");
    REFUSES("--reuse on: there are off, auto, all", "--reuse", "on", "a.c");
    REFUSES("--reuse auto:1: there are", "--reuse", "auto:1", "a.c");
    REFUSES("--faults memory: give what may fail", "--faults", "memory", "a.c");
    REFUSES("--faults malloc,: give", "--faults", "malloc,", "a.c");
    REFUSES("--faults malloc:0: give", "--faults", "malloc:0", "a.c");
    REFUSES("--faults malloc:101: give", "--faults", "malloc:101", "a.c");
    REFUSES("--faults malloc:1x: give", "--faults", "malloc:1x", "a.c");
    REFUSES("--races maybe: there are error, warn, off, volatile-ok", "--races=maybe", "a.c");
    REFUSES("--races warn,off: there are", "--races=warn,off", "a.c");
    REFUSES("--races volatile-ok,warn: there are", "--races=volatile-ok,warn", "a.c");
    REFUSES("--races ,volatile-ok: there are", "--races=,volatile-ok", "a.c");
    REFUSES("--races : there are", "--races=", "a.c");
    REFUSES("only one of", "--sarif=-", "--junit=-", "a.c");
    REFUSES("--via is a way for --strategy meta", "--via", "a.c:3", "a.c");
    REFUSES("nothing to check", "--keep-going");
    REFUSES("nothing to check", "--", "a.c");
    REFUSES("/no/such", "--properties", "/no/such", "a.c");
}

static void strategies(void **state)
{
    (void)state;
    struct hd_options o = { .depth = 100 };
    struct hd_err err;
    assert_int_equal(hd_strategy_preset(&o, "chess:2", &err), 0);
    assert_int_equal(o.filters, HD_FILTER_PREEMPTIONS);
    assert_int_equal(o.iterative, 1);
    assert_int_equal(o.preemptions, 2);
    assert_int_equal(hd_strategy_preset(&o, "random:9", &err), 0);
    assert_int_equal(o.search, HD_SEARCH_RANDOM);
    assert_int_equal(o.seed, 9);
    assert_int_equal(o.filters, 0);
    assert_int_equal(hd_strategy_preset(&o, "pct:4:11", &err), 0);
    assert_int_equal(o.search, HD_SEARCH_PCT);
    assert_int_equal(o.pct_depth, 4);
    assert_int_equal(o.seed, 11);
    assert_int_equal(hd_strategy_preset(&o, "pct", &err), 0);
    assert_int_equal(o.pct_depth, 3);
    assert_int_equal(o.seed, 0);
    assert_int_equal(hd_strategy_search(&o, "pos:5", &err), 0);
    assert_int_equal(o.search, HD_SEARCH_POS);
    assert_int_equal(o.seed, 5);
    assert_int_equal(hd_strategy_preset(&o, "brute", &err), 0);
    assert_int_equal(o.search, HD_SEARCH_DFS);
    assert_int_equal(o.iterative, 0);
    assert_int_equal(hd_strategy_preset(&o, "scale:nsb", &err), 0);
    assert_int_equal(o.filters, HD_FILTER_NOT_SEEN);
    assert_int_equal(hd_strategy_search(&o, "dfs:5", &err), 0);
    assert_int_equal(o.shuffled, 1);
    assert_int_equal(o.filters, HD_FILTER_NOT_SEEN);
    assert_int_equal(hd_strategy_reduce(&o, "not-seen:hash,depth:9,preemptions:0", &err), 0);
    assert_int_equal(o.filters,
                     HD_FILTER_NOT_SEEN_HASH | HD_FILTER_DEPTH | HD_FILTER_PREEMPTIONS);
    assert_int_equal(o.depth, 9);
    assert_int_equal(hd_strategy_reduce(&o, "none", &err), 0);
    assert_int_equal(o.filters & (HD_FILTER_NOT_SEEN | HD_FILTER_NOT_SEEN_HASH), 0);
}

static void wrong_strategies(void **state)
{
    (void)state;
    REFUSES("sleep and optimal cannot be combined", "--reduce", "sleep,optimal", "a");
    REFUSES("source and not-seen cannot be combined", "--reduce", "not-seen,source", "a");
    REFUSES("unknown preset brut (did you mean brute?)", "--strategy", "brut", "a");
    REFUSES("preset chess needs a number: chess:K", "--strategy", "chess", "a");
    REFUSES("--strategy x: expected a number", "--strategy", "chess:x", "a");
    REFUSES("unknown preset brute:1", "--strategy", "brute:1", "a");
    REFUSES("unknown search dsf (did you mean dfs?)", "--search", "dsf", "a");
    REFUSES("unknown search dfsx", "--search", "dfsx", "a");
    REFUSES("unknown reduction notseen (did you mean not-seen?)", "--reduce", "notseen", "a");
    REFUSES("unknown reduction ;", "--reduce", "", "a");
    REFUSES("dpor is a reduction: --reduce dpor", "--strategy", "dpor", "a");
    REFUSES("delays:2 is a reduction: --reduce delays:2", "--strategy", "delays:2", "a");
    REFUSES("chess:2 is a strategy: --strategy chess:2", "--reduce", "chess:2", "a");
    REFUSES("races; choose one", "--reduce", "optimal,dpor", "a");
    REFUSES("has no --digest", "--strategy", "graph", "--digest", "a");
    REFUSES("--finer rmw goes with", "--strategy", "graph", "--finer", "rmw", "a");
    REFUSES("--reduce depth: 0: expected", "--reduce", "depth:0", "a");
    REFUSES("cannot be combined", "--search", "random", "--reduce", "not-seen", "a");
    REFUSES("choose one", "--reduce", "not-seen,not-seen:hash", "a");
    REFUSES("needs --search dfs", "--strategy", "chess:1", "--search", "random", "a");
}

static void property_files(void **state)
{
    (void)state;
    char path[] = "/tmp/heddle-test-XXXXXX";
    int fd = mkstemp(path);
    static const char text[] = "# names\n  one # first\n\ntwo\r\nthree";
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    char *argv[] = { "check", "--properties", path, "p", NULL };
    struct hd_check c;
    struct hd_err err = { "" };
    assert_int_equal(hd_check_init(&c, 4, argv, &err), 0);
    assert_int_equal(c.invariants.n, 3);
    assert_string_equal(c.invariants.items[0], "one");
    assert_string_equal(c.invariants.items[1], "two");
    assert_string_equal(c.invariants.items[2], "three");
    hd_check_release(&c);
    assert_int_equal(write(fd, " four\n", 6), 6);
    refuses(4, argv, ":5: one name on a line");
    close(fd);
    unlink(path);
}

static void split_words(void **state)
{
    (void)state;
    struct hd_strs words;
    struct hd_err err;
    hd_strs_init(&words);
    assert_int_equal(hd_args_split("x", "  a\\ b '' \"c\\\"d\" e'f'\"g\" ", &words, &err), 0);
    assert_int_equal(words.n, 4);
    assert_string_equal(words.items[0], "a b");
    assert_string_equal(words.items[1], "");
    assert_string_equal(words.items[2], "c\"d");
    assert_string_equal(words.items[3], "efg");
    hd_strs_release(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything),       cmocka_unit_test(defaults),
        cmocka_unit_test(one_search),       cmocka_unit_test(all_searches),
        cmocka_unit_test(the_plan_of_auto), cmocka_unit_test(wrong_options),
        cmocka_unit_test(strategies),       cmocka_unit_test(wrong_strategies),
        cmocka_unit_test(property_files),   cmocka_unit_test(split_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
