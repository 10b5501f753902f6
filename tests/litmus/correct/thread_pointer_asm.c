// expect: verified
// The thread pointer by inline assembly: the operand is relative to the segment, not an address.
#include <assert.h>
#include <pthread.h>

static void *self(void)
{
    void *p;
    unsigned long offset = 0;
    __asm__("movq %%fs:%1, %0" : "=r"(p) : "m"(*(void **)offset));
    return p;
}

static void *other(void *p)
{
    assert(self() != p);
    return p;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, self());
    pthread_join(t, 0);
    return 0;
}
