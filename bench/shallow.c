/* Bugs at a small depth of large programs, after their descriptions in SCTBench (Thomson, Donaldson, Betts: Concurrency
 * testing using controlled schedulers, TOPC 2016).
 *
 *   TWOSTAGE  N threads write two variables in two critical sections, and N read them in two; they find them apart before
 *             the first has come to its second one
 *   REORDER   N threads write two variables, one after the other; one reads both in the other order
 *   FKP2013   N threads add one to a variable, each with a load and a store; another says that it is never N, which it is where no
 *             addition was lost and the other comes last (after fkp2013 of SV-COMP: Farzan, Kincaid, Podelski: Inductive data
 *             flow graphs, POPL 2013)
 *   ROUNDS    two threads make N rounds; one of them trusts a value that the other has just changed */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef TWOSTAGE
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;
static void *set(void *unused)
{
    pthread_mutex_lock(&first_lock);
    first = 1;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second = 2;
    pthread_mutex_unlock(&second_lock);
    return unused;
}
static void *check(void *unused)
{
    pthread_mutex_lock(&first_lock);
    int one = first;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    assert(!one || second == 2);
    pthread_mutex_unlock(&second_lock);
    return unused;
}
#elif defined REORDER
static atomic_int a, b;
static void *set(void *unused)
{
    a = 1;
    b = -1;
    return unused;
}
static void *check(void *unused)
{
    int seen = a, other = b;
    assert((seen == 0 && other == 0) || (seen == 1 && other == -1));
    return unused;
}
#elif defined FKP2013
static atomic_int x;
static void *set(void *unused)
{
    int seen = x;
    x = seen + 1;
    return unused;
}
static void *check(void *unused)
{
    assert(x < N);
    return unused;
}
#else
static atomic_int value, round_of;
static void *set(void *unused)
{
    for (int i = 1; i <= N; i++) {
        value = i;
        round_of = i;
    }
    return unused;
}
static void *check(void *unused)
{
    for (int i = 1; i <= N; i++) {
        int seen = round_of;
        assert(value - seen <= 1);
    }
    return unused;
}
#undef N
#define N 1
#endif

#ifndef CHECKERS
#define CHECKERS 1
#endif

int main(void)
{
    pthread_t t[N], checker[CHECKERS];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], 0, set, 0);
    for (int i = 0; i < CHECKERS; i++)
        pthread_create(&checker[i], 0, check, 0);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    for (int i = 0; i < CHECKERS; i++)
        pthread_join(checker[i], 0);
}
