// expect: violation misuse
#include <pthread.h>
#include <stddef.h>

static void *work(void *unused) { return unused; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(t, NULL); /* violation */
    return 0;
}
