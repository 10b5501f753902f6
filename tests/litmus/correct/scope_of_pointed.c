// expect: verified
// The pointer leads to a local of the same block, which begins anew in every turn.
#include <pthread.h>

static void *work(void *unused)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int v = i, *p = &v;
        *p += 1;
        sum += *p;
    }
    return sum == 6 ? unused : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
