// As join_by_either beside it, but main always joins the writer: that orders its own write, and a search
// over states can tell.
// expect: verified
// options: --strategy stateful
#include <pthread.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_t writer;
static int data;

static void *write_data(void *unused)
{
    data = 1;
    return unused;
}

static void *help(void *unused)
{
    pthread_mutex_lock(&held);
    return unused;
}

int main(void)
{
    pthread_t helper;
    pthread_create(&writer, 0, write_data, 0);
    pthread_create(&helper, 0, help, 0);
    pthread_join(writer, 0);
    if (pthread_mutex_trylock(&held) != 0)
        data = 2;
    else
        pthread_mutex_unlock(&held);
    pthread_join(helper, 0);
    return 0;
}
