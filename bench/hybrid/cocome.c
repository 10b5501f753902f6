/* CoCoME: the trading system of the Common Component Modelling Example.  Cash desks scan goods
 * and print receipts with devices of their own; the store's inventory is common to all.
 *
 * The paper has the name only.  The original is a component application with an event bus, a
 * bank, a coordinator of express desks and an enterprise server; here are two desks with one
 * sale each, devices behind the desk's own lock, and the inventory, which books a sale at once. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef DESKS
#define DESKS 2
#endif
#ifndef SCANS
#define SCANS 3
#endif
#define GOODS 2

struct desk {
    pthread_mutex_t bus; /* of the desk's devices */
    int scanned, shown, printed, total;
};

static struct {
    pthread_mutex_t lock;
    int stock[GOODS], sales;
} inventory = { PTHREAD_MUTEX_INITIALIZER, { 0 }, 0 };
static const int price[GOODS] = { 3, 5 };

static void scan(struct desk *d, int item)
{
    pthread_mutex_lock(&d->bus);
    d->scanned++;
    d->total += price[item];
    d->shown = d->total;
    pthread_mutex_unlock(&d->bus);
}

static void book(const int *sold)
{
    pthread_mutex_lock(&inventory.lock);
    for (int i = 0; i < GOODS; i++)
        inventory.stock[i] -= sold[i];
    inventory.sales++;
    pthread_mutex_unlock(&inventory.lock);
}

static void *cashier(void *arg)
{
    struct desk *d = arg;
    int sold[GOODS] = { 0 };
    for (int i = 0; i < SCANS; i++) {
        scan(d, i % GOODS);
        sold[i % GOODS]++;
    }
    book(sold);
    pthread_mutex_lock(&d->bus);
    d->printed = d->shown;
    pthread_mutex_unlock(&d->bus);
    return NULL;
}

int main(void)
{
    pthread_t t[DESKS];
    struct desk *desks[DESKS];
    for (int i = 0; i < GOODS; i++)
        inventory.stock[i] = DESKS * SCANS;
    for (int i = 0; i < DESKS; i++) {
        desks[i] = calloc(1, sizeof *desks[i]);
        pthread_mutex_init(&desks[i]->bus, NULL);
        pthread_create(&t[i], NULL, cashier, desks[i]);
    }
    int total = 0;
    for (int i = 0; i < DESKS; i++) {
        pthread_join(t[i], NULL);
        assert(desks[i]->scanned == SCANS && desks[i]->printed == desks[i]->total);
        total += desks[i]->total;
    }
    assert(inventory.sales == DESKS);
    int worth = 0;
    for (int i = 0; i < GOODS; i++)
        worth += (DESKS * SCANS - inventory.stock[i]) * price[i];
    assert(worth == total);
    return 0;
}
