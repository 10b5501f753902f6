// The memory for a jump has room without a mask of signals, and none with one.
// expect: violation memory
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdlib.h>

static void *work(void *unused)
{
    void *room = malloc(offsetof(struct __jmp_buf_tag, __saved_mask));
    struct __jmp_buf_tag *back = room;
    if (sigsetjmp(back, 0) == 0)
        siglongjmp(back, 1);
    if (sigsetjmp(back, 1) == 0) /* violation */
        siglongjmp(back, 1);
    free(room);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
