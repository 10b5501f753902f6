// Two bit-fields with a border of bytes between them.
// expect: verified
#include <pthread.h>
#include <stddef.h>

static struct {
    unsigned char left : 4;
    unsigned char : 0;
    unsigned char right : 4;
} flags;

static void *left(void *unused)
{
    flags.left = 1;
    return unused;
}

static void *right(void *unused)
{
    flags.right = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
