// The thread that comes first joins the writer.  If that is the helper, main's write rests on a trylock that failed,
// which orders nothing; a search over states must not take the join for main's own.
// expect: violation data-race
// options: --strategy stateful
#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_t writer;
static int data, begun;

static void *write_data(void *unused)
{
    data = 1;
    return unused;
}

static void join_writer(void)
{
    pthread_mutex_lock(&turn);
    int first = begun++ == 0;
    pthread_mutex_unlock(&turn);
    if (first)
        pthread_join(writer, 0);
}

static void *help(void *unused)
{
    join_writer();
    pthread_mutex_lock(&held);
    return unused;
}

int main(void)
{
    pthread_t helper;
    pthread_create(&writer, 0, write_data, 0);
    pthread_create(&helper, 0, help, 0);
    join_writer();
    if (pthread_mutex_trylock(&held) != 0)
        data = 2;
    else
        pthread_mutex_unlock(&held);
    pthread_join(helper, 0);
    return 0;
}
