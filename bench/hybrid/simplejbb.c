/* Simple JBB: a wholesale company after SPECjbb.  A terminal makes transactions (new order,
 * payment, delivery) in its warehouse; the company has the customers of all and counts the
 * transactions.
 *
 * The paper has the name only.  The original has trees of orders, stock and customers that are
 * filled at the start, and more kinds of transactions; here are two terminals, one warehouse
 * each, lists of orders, and a payment that may belong to the other warehouse. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef TERMINALS
#define TERMINALS 2
#endif
#ifndef ORDERS
#define ORDERS 2
#endif

struct order {
    int amount;
    struct order *next;
};

static struct warehouse {
    pthread_mutex_t lock;
    struct order *orders;
    int paid, delivered;
} *warehouses[TERMINALS];
static struct {
    pthread_mutex_t lock;
    int balance[TERMINALS], transactions;
} company = { PTHREAD_MUTEX_INITIALIZER, { 0 }, 0 };

static void count(int customer, int amount)
{
    pthread_mutex_lock(&company.lock);
    company.balance[customer] += amount;
    company.transactions++;
    pthread_mutex_unlock(&company.lock);
}

static void new_order(struct warehouse *w, int customer, int amount)
{
    struct order *o = malloc(sizeof *o);
    o->amount = amount;
    pthread_mutex_lock(&w->lock);
    o->next = w->orders;
    w->orders = o;
    pthread_mutex_unlock(&w->lock);
    count(customer, -amount);
}

static void payment(struct warehouse *w, int customer, int amount)
{
    pthread_mutex_lock(&w->lock);
    w->paid += amount;
    pthread_mutex_unlock(&w->lock);
    count(customer, amount);
}

static void delivery(struct warehouse *w)
{
    pthread_mutex_lock(&w->lock);
    struct order *o = w->orders;
    w->orders = NULL;
    pthread_mutex_unlock(&w->lock);
    int sum = 0;
    while (o) {
        struct order *next = o->next;
        sum += o->amount;
        free(o);
        o = next;
    }
    pthread_mutex_lock(&w->lock);
    w->delivered += sum;
    pthread_mutex_unlock(&w->lock);
}

static void *terminal(void *arg)
{
    int me = *(int *)arg;
    struct warehouse *home = warehouses[me], *away = warehouses[(me + 1) % TERMINALS];
    for (int i = 1; i <= ORDERS; i++)
        new_order(home, me, i);
    payment(away, me, ORDERS * (ORDERS + 1) / 2);
    delivery(home);
    return NULL;
}

int main(void)
{
    static int number[TERMINALS];
    pthread_t t[TERMINALS];
    for (int i = 0; i < TERMINALS; i++) {
        warehouses[i] = calloc(1, sizeof *warehouses[i]);
        pthread_mutex_init(&warehouses[i]->lock, NULL);
    }
    for (int i = 0; i < TERMINALS; i++) {
        number[i] = i;
        pthread_create(&t[i], NULL, terminal, &number[i]);
    }
    for (int i = 0; i < TERMINALS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < TERMINALS; i++)
        assert(!company.balance[i] && warehouses[i]->delivered == warehouses[i]->paid);
    assert(company.transactions == TERMINALS * (ORDERS + 1));
    return 0;
}
