// Three threads, main among them, wait for one another's end.
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_t first, second, main_thread;

static void *join_main(void *unused)
{
    pthread_join(main_thread, NULL);
    return unused;
}

static void *join_second(void *unused)
{
    pthread_join(second, NULL);
    return unused;
}

int main(void)
{
    main_thread = pthread_self();
    pthread_create(&second, NULL, join_main, NULL);
    pthread_create(&first, NULL, join_second, NULL);
    pthread_join(first, NULL);
    return 0;
}
