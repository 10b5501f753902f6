// Deadlock(ONE, OTHER): a vector is filled from a table and a table from a vector, each under its own lock and
// then the other's.  After the description in Rungta and Mercer, "A meta heuristic for effectively detecting
// concurrency errors" (the circular dependency of Java 1.4's Vector and Hashtable).
#include <pthread.h>

#ifndef ONE
#define ONE 1
#endif
#ifndef OTHER
#define OTHER 1
#endif

static pthread_mutex_t vector_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static int vector, table;

static void *fill_vector(void *arg)
{
    pthread_mutex_lock(&vector_lock); /* via 1 */
    pthread_mutex_lock(&table_lock);
    vector += table;
    pthread_mutex_unlock(&table_lock);
    pthread_mutex_unlock(&vector_lock);
    return arg;
}

static void *fill_table(void *arg)
{
    pthread_mutex_lock(&table_lock); /* via 2 */
    pthread_mutex_lock(&vector_lock);
    table += vector;
    pthread_mutex_unlock(&vector_lock);
    pthread_mutex_unlock(&table_lock);
    return arg;
}

int main(void)
{
    pthread_t t[ONE + OTHER];
    for (int i = 0; i < ONE; i++)
        pthread_create(&t[i], NULL, fill_vector, NULL);
    for (int i = 0; i < OTHER; i++)
        pthread_create(&t[ONE + i], NULL, fill_table, NULL);
    for (int i = 0; i < ONE + OTHER; i++)
        pthread_join(t[i], NULL);
    return 0;
}
