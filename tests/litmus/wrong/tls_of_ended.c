// A thread returns the address of its own thread-local buffer; when it has ended, that is gone.
// expect: violation memory
// also: --reduce none => violation memory
// also: --strategy stateful => violation memory
#include <pthread.h>
#include <stdio.h>

static _Thread_local char text[16];

static void *format(void *number)
{
    snprintf(text, sizeof text, "%d", *(int *)number);
    return text;
}

int main(void)
{
    pthread_t t;
    int number = 7;
    void *result;
    pthread_create(&t, NULL, format, &number);
    pthread_join(t, &result);
    return *(char *)result != '7'; /* violation */
}
