/* A bank: two transfers read a balance before either writes it. */
#include <assert.h>
#include <pthread.h>

enum state { IDLE, RUNNING, DONE };

struct account {
    int id;
    double balance;
    float rate;
    char grade;
    _Bool open;
    char owner[16];
    enum state state;
};

static struct account savings = { 101, 250.5, 0.25f, 'a', 1, "Ada Lovelace", IDLE };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double balance_of(struct account *the_account_that_is_looked_at)
{
    pthread_mutex_lock(&lock);
    double b = the_account_that_is_looked_at->balance;
    pthread_mutex_unlock(&lock);
    return b;
}

static void set_balance(struct account *the_account_that_is_changed, double to)
{
    pthread_mutex_lock(&lock);
    the_account_that_is_changed->balance = to;
    the_account_that_is_changed->state = RUNNING;
    the_account_that_is_changed->grade = 'b';
    pthread_mutex_unlock(&lock);
}

static void *deposit(void *amount)
{
    set_balance(&savings, balance_of(&savings) + *(double *)amount);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    double ten = 10.25, twenty = 20.0;
    pthread_create(&a, 0, deposit, &ten);
    pthread_create(&b, 0, deposit, &twenty);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(savings.balance == 280.75);
}
