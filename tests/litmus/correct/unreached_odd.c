// Assembly, an uncontrolled instruction, a weak atomic, an unknown function through a pointer and a read of standard
// input, none of which is reached: both threads see the other's increment or not, and the sum is never 3.
// expect: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <wchar.h>

static atomic_int x;
static size_t (*transform)(wchar_t *, const wchar_t *, size_t) = wcsxfrm;

static void *run(void *arg)
{
    if (atomic_fetch_add(&x, 1) == 3) {
        unsigned low, high;
        __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
        __asm__ volatile("movl $1, %0" : "=m"(high) : : "memory");
        atomic_store_explicit(&x, (int)low + getchar(), memory_order_relaxed);
        return transform(NULL, L"a", 0) ? NULL : arg;
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    run(NULL);
    pthread_join(t, NULL);
    return 0;
}
