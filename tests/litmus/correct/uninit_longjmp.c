// expect: verified
// The array of `fails` is left without the end of its scope, and the one of `all_zero` lies where it
// was.  All of that one has a value.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static jmp_buf back;
static int seen;

static int is_set(const int *at)
{
    if (*at)
        return 1;
    return 0;
}

static void fails(void)
{
    int some[8];
    some[0] = 1;
    if (is_set(&some[0]))
        longjmp(back, 1);
}

static int all_zero(void)
{
    int none[8] = { 0 };
    int n = 0;
    for (int i = 0; i < 8; i++)
        n += is_set(&none[i]);
    return n == 0;
}

static void *look(void *unused)
{
    if (setjmp(back) == 0)
        fails();
    seen = all_zero();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    pthread_join(t, 0);
    assert(seen);
    return 0;
}
