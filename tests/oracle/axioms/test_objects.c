/* Mutexes, semaphores, condition variables, races and bad input: small programs whose numbers
 * can be counted by hand. */
#include "test.h"

#include <string.h>

static const struct {
    const char *name, *text;
    uint64_t graphs[AX_MODELS], deadlocks[AX_MODELS];
    const char *races; /* of RC11: NULL none, otherwise one pair */
} cases[] = {
    { "two sections",
      "loc x\nmutex m\nthread\nlock m\nr0 = load x plain\nstore x 1 plain\nunlock m\n"
      "thread\nlock m\nr0 = load x plain\nstore x 2 plain\nunlock m\n",
      { 2, 2, 2 },
      { 0 },
      NULL },
    { "three sections of nothing",
      "mutex m\nthread\nlock m\nunlock m\nthread\nlock m\nunlock m\n"
      "thread\nlock m\nunlock m\n",
      { 6, 6, 6 },
      { 0 },
      NULL },
    /* Each takes one, and waits for the other's: one graph; the others are one behind the
     * other. */
    { "two mutexes in both orders",
      "mutex m n\nthread\nlock m\nlock n\nunlock n\nunlock m\n"
      "thread\nlock n\nlock m\nunlock m\nunlock n\n",
      { 2, 2, 2 },
      { 1, 1, 1 },
      NULL },
    { "a mutex locked twice", "mutex m\nthread\nlock m\nlock m\n", { 0 }, { 1, 1, 1 }, NULL },
    /* Broadcast b, signal s and the wait's enter e in six orders.  e last: a deadlock; the trylock
     * comes before the lock, or fails, or takes the mutex after the wait's unlock: 2 times 3.  s
     * before e before b: these three, or it fails because of the second lock, or comes last: 5.
     * In the other orders the trylock is after e, and cannot come first: 3 times 4. */
    { "a trylock after a signal beside a condition wait",
      "mutex m\ncond c\nthread\nbroadcast c\n"
      "thread\nsignal c\nr0 = trylock m\nif r0 == 1\nunlock m\nend\n"
      "thread\nlock m\ncwait c m\nunlock m\n",
      { 17, 17, 17 },
      { 6, 6, 6 },
      NULL },
    /* The trylock comes first, between, or last; under RC11, too, it never fails without a
     * lock. */
    { "a trylock beside a section",
      "mutex m\nthread\nlock m\nunlock m\nthread\nr0 = trylock m\nif r0 == 1\nunlock m\nend\n",
      { 3, 3, 3 },
      { 0 },
      NULL },
    { "a semaphore that is posted",
      "sem s\nthread\npost s\nthread\nwait s\n",
      { 1, 1, 1 },
      { 0 },
      NULL },
    { "a semaphore that is posted too rarely",
      "sem s=1\nthread\nwait s\nthread\nwait s\n",
      { 0 },
      { 2, 2, 2 },
      NULL },
    { "a trywait", "sem s\nthread\npost s\nthread\nr0 = trywait s\n", { 2, 2, 2 }, { 0 }, NULL },
    /* The signal comes before the wait, which then never ends, or behind it. */
    { "a lost signal",
      "mutex m\ncond c\nthread\nlock m\ncwait c m\nunlock m\nthread\nsignal c\n",
      { 1, 1, 1 },
      { 1, 1, 1 },
      NULL },
    /* It wakes nobody, or from the first wait; never from the second. */
    { "two waits and one broadcast",
      "mutex m\ncond c\nthread\nlock m\ncwait c m\ncwait c m\nthread\nbroadcast c\n",
      { 0 },
      { 2, 2, 2 },
      NULL },
    /* Both arrive in two orders, and either is the serial thread; the load reads the store. */
    { "a barrier for two",
      "loc x\nbarrier b=2\nthread\nstore x 1 plain\narrive b\n"
      "thread\narrive b\nr0 = load x plain\n",
      { 4, 4, 4 },
      { 0 },
      NULL },
    { "a barrier that one does not reach",
      "barrier b=2\nthread\narrive b\n",
      { 0 },
      { 1, 1, 1 },
      NULL },
    /* Rounds of one thread each, in two orders, order nothing.  Under SC the load reads the
     * store after the other's round, and either value before it. */
    { "a barrier for one",
      "loc x\nbarrier b=1\nthread\nstore x 1 relaxed\narrive b\n"
      "thread\narrive b\nr0 = load x relaxed\n",
      { 3, 3, 4 },
      { 0 },
      NULL },
    /* Either waits first; a wait does not release, so the load reads both values under RC11. */
    { "a release fence before a wait",
      "loc x\nsem s=2\nthread\nstore x 1 relaxed\nfence release\nwait s\n"
      "thread\nwait s\nr0 = load x relaxed\n",
      { 3, 3, 4 },
      { 0 },
      NULL },
    /* The trywait fails before the post or behind the other wait; or it takes the one, and the
     * wait stands still.  That it fails orders nothing, with a fence behind it as well. */
    { "an acquire fence behind a trywait",
      "loc x\nsem s\nthread\nstore x 1 relaxed\npost s\nthread\nwait s\n"
      "thread\nr0 = trywait s\nfence acquire\nr1 = load x relaxed\n",
      { 3, 3, 4 },
      { 1, 1, 1 },
      NULL },
    { "a plain flag",
      "loc x\nthread\nstore x 1 plain\nthread\nr0 = load x plain\n",
      { 2, 2, 2 },
      { 0 },
      "1:1 2:1" },
    { "a plain read of an atomic",
      "loc x\nthread\nstore x 1 seq_cst\nthread\nr0 = load x plain\n",
      { 2, 2, 2 },
      { 0 },
      "1:1 2:1" },
    { "two plain reads",
      "loc x\nthread\nr0 = load x plain\nthread\nr0 = load x plain\n",
      { 1, 1, 1 },
      { 0 },
      NULL },
    { "publication",
      "loc x f\nthread\nstore x 1 plain\nstore f 1 release\n"
      "thread\nr0 = load f acquire\nif r0 == 1\nr1 = load x plain\nend\n",
      { 2, 2, 2 },
      { 0 },
      NULL },
    { "publication without release",
      "loc x f\nthread\nstore x 1 plain\nstore f 1 relaxed\n"
      "thread\nr0 = load f acquire\nif r0 == 1\nr1 = load x plain\nend\n",
      { 2, 2, 3 },
      { 0 },
      "1:1 2:2" },
    { "a weak compare-exchange fails or not",
      "loc x\nthread\nr0 = weak x 0 1 relaxed relaxed\n",
      { 2, 2, 2 },
      { 0 },
      NULL },
};

static void bad_input(void)
{
    static const char *const texts[] = {
        "",
        "thread\n",
        "loc x\n",
        "loc x\nthread\nload x relaxed\n",
        "loc x x\nthread\nfence acquire\n",
        "loc x\nthread\nr0 = load x release\n",
        "loc x\nthread\nstore x 1 acquire\n",
        "loc x\nthread\nr16 = load x relaxed\n",
        "loc x\nthread\nif r0 == 1\n",
        "loc x\nthread\nend\n",
        "loc x\nthread\nlock x\n",
        "mutex m\nloc x\nthread\nlock m\n",
        "loc x\nthread\nstore y 1 plain\n",
        "loc x\nthread\nstore x 1 relaxed\nexists 1:r0=1\n",
        "loc x\nthread\nr0 = cas x 0 1 acq_rel release\n",
        "loc x\nthread\nif r0 == 1\nelse\nelse\nend\n",
        "loc x\nthread\nstore x 1x relaxed\n",
        "sem s=-1\nthread\npost s\n",
        "loc x\nthread\nfence plain\n",
    };
    static struct ax_program p;
    for (uint32_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char said[512] = "", name[48];
        FILE *err = fmemopen(said, sizeof said, "w");
        bool taken = ax_parse(&p, "text", texts[i], err);
        fclose(err);
        char *end = strchr(said, '\n');
        snprintf(name, sizeof name, "bad input %u is refused in one line", i);
        ax_expect(!taken && end && !end[1], name, "taken: %d; it says: %s", taken, said);
    }
}

void ax_test_objects(void)
{
    static struct ax_program p;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ax_must_parse(&p, cases[i].name, cases[i].text);
        for (enum ax_model m = 0; m < AX_MODELS; m++) {
            char name[96];
            struct ax_verdict v = { 0 };
            ax_judge(&p, m, &v);
            snprintf(name, sizeof name, "%s, %s", cases[i].name, ax_model_names[m]);
            ax_expect(v.graphs == cases[i].graphs[m] && v.deadlocks == cases[i].deadlocks[m],
                      name, "%llu graphs and %llu deadlocks", (unsigned long long)v.graphs,
                      (unsigned long long)v.deadlocks);
            if (m == AX_RC11)
                ax_expect(cases[i].races
                              ? v.races.n == 1 && ax_lines_has(&v.first, cases[i].races)
                              : v.races.n == 0,
                          cases[i].name, "%zu pairs race", v.races.n);
            ax_verdict_release(&v);
        }
    }
    bad_input();
}
