/* Transfers lock the accounts in the order of their arguments. */
#include <pthread.h>
#include <stdlib.h>

struct account {
    int number;
    pthread_mutex_t lock;
    long balance;
};

struct order {
    struct account *from, *to;
    long amount;
};

static struct account *new_account(int number)
{
    struct account *a = malloc(sizeof *a);
    a->number = number;
    a->balance = 100;
    pthread_mutex_init(&a->lock, 0);
    return a;
}

static void *transfer(void *arg)
{
    struct order *o = arg;
    struct account *f = o->from, *t = o->to;
    pthread_mutex_lock(&f->lock);
    pthread_mutex_lock(&t->lock);
    f->balance -= o->amount;
    t->balance += o->amount;
    pthread_mutex_unlock(&t->lock);
    pthread_mutex_unlock(&f->lock);
    return 0;
}

int main(void)
{
    struct account *a = new_account(101), *b = new_account(102);
    struct order there = { a, b, 10 }, back = { b, a, 20 };
    pthread_t x, y;
    pthread_create(&x, 0, transfer, &there);
    pthread_create(&y, 0, transfer, &back);
    pthread_join(x, 0);
    pthread_join(y, 0);
    free(a);
    free(b);
}
