/* CRE Demo: internet access over a wireless network, as an airport sells it.  A passenger gets an
 * address, pays for a token, and the firewall lets the address through until the token ends.
 *
 * The paper has the name only.  The original is a component application in Java, which has a
 * database, several kinds of tickets and timers; here are two passengers, one lease each, and a
 * timer that ends tokens once. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef PASSENGERS
#define PASSENGERS 2
#endif
#define NONE (-1)

struct token {
    pthread_mutex_t lock;
    int address, credit, valid;
};

static struct {
    pthread_mutex_t lock;
    int leased[PASSENGERS];
} dhcp = { PTHREAD_MUTEX_INITIALIZER, { 0 } };
static struct {
    pthread_mutex_t lock;
    int open[PASSENGERS];
} firewall = { PTHREAD_MUTEX_INITIALIZER, { 0 } };
static struct {
    pthread_mutex_t lock;
    struct token *tokens[PASSENGERS];
    int n, earned;
} arbitrator = { PTHREAD_MUTEX_INITIALIZER, { NULL }, 0, 0 };

static int lease(void)
{
    int found = NONE;
    pthread_mutex_lock(&dhcp.lock);
    for (int i = 0; i < PASSENGERS && found == NONE; i++)
        if (!dhcp.leased[i]) {
            dhcp.leased[i] = 1;
            found = i;
        }
    pthread_mutex_unlock(&dhcp.lock);
    return found;
}

static void set_firewall(int address, int open)
{
    pthread_mutex_lock(&firewall.lock);
    firewall.open[address] = open;
    pthread_mutex_unlock(&firewall.lock);
}

static struct token *login(int address, int credit)
{
    struct token *t = calloc(1, sizeof *t);
    pthread_mutex_init(&t->lock, NULL);
    t->address = address;
    t->credit = credit;
    t->valid = 1;
    set_firewall(address, 1);
    pthread_mutex_lock(&arbitrator.lock);
    arbitrator.tokens[arbitrator.n++] = t;
    arbitrator.earned += credit;
    pthread_mutex_unlock(&arbitrator.lock);
    return t;
}

/* Ends the token once, whoever comes first. */
static void end(struct token *t)
{
    pthread_mutex_lock(&t->lock);
    int ours = t->valid;
    t->valid = 0;
    pthread_mutex_unlock(&t->lock);
    if (ours)
        set_firewall(t->address, 0);
}

static void *passenger(void *arg)
{
    int credit = *(int *)arg, address = lease();
    assert(address != NONE);
    struct token *t = login(address, credit);
    pthread_mutex_lock(&t->lock);
    if (t->valid)
        t->credit--;
    pthread_mutex_unlock(&t->lock);
    end(t);
    return NULL;
}

static void *timer(void *unused)
{
    struct token *seen[PASSENGERS];
    pthread_mutex_lock(&arbitrator.lock);
    int n = arbitrator.n;
    for (int i = 0; i < n; i++)
        seen[i] = arbitrator.tokens[i];
    pthread_mutex_unlock(&arbitrator.lock);
    for (int i = 0; i < n; i++)
        end(seen[i]);
    return unused;
}

int main(void)
{
    static int credit[PASSENGERS];
    pthread_t t[PASSENGERS + 1];
    int sum = 0;
    for (int i = 0; i < PASSENGERS; i++) {
        sum += credit[i] = i + 1;
        pthread_create(&t[i], NULL, passenger, &credit[i]);
    }
    pthread_create(&t[PASSENGERS], NULL, timer, NULL);
    for (int i = 0; i <= PASSENGERS; i++)
        pthread_join(t[i], NULL);
    assert(arbitrator.earned == sum);
    for (int i = 0; i < PASSENGERS; i++)
        assert(!firewall.open[i]);
    return 0;
}
