/* The same line, once for an object of the thread's own and once for one that both have. */
#include "two_threads.h"
struct counter {
    int n;
};
static struct counter first, second, common;
static void add(struct counter *c)
{
    c->n++; //! race spurious 1
}
static void add_common(struct counter *c)
{
    c->n++; //! race real 2
}
static void *one(void *arg)
{
    add(&first);
    add_common(&common);
    return arg;
}
static void *two(void *arg)
{
    add(&second);
    add_common(&common);
    return arg;
}
int main(void) { return run_two(one, two); }
