// expect: violation memory
// An assignment between structures that lie over each other.
#include <pthread.h>

struct record {
    int a[8];
};

static int room[40];

static void assign(struct record *to, struct record *from) { *to = *from; /* violation */ }

static void *work(void *unused)
{
    struct record *r = (struct record *)room;
    assign(r, r);
    assign((struct record *)((char *)room + 4), r);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
