// C11: a detached thread is joined.
// expect: violation misuse
#include <stddef.h>
#include <threads.h>

static int work(void *unused)
{
    (void)unused;
    return 0;
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, work, NULL);
    thrd_detach(t);
    thrd_join(t, NULL); /* violation */
    return 0;
}
