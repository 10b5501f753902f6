// A reference count.  Who gives up the last reference frees the object; all uses must happen before.
// case: D=acq_rel => verified; 2
// case: D=release F=acquire => verified; 2
// case: D=release => violation data-race
// case: D=relaxed F=acquire => violation data-race
// case: D=acquire => violation data-race
// case: D=relaxed => violation data-race
#include "orders.h"

#include <stdlib.h>

struct object {
    atomic_int references;
    int used[2];
};

static struct object *shared;

static void give_up(struct object *o)
{
    if (atomic_fetch_sub_explicit(&o->references, 1, D) == 1) {
        fence(F);
        assert(o->used[0] + o->used[1] == 3);
        free(o);
    }
}

static void *first(void *unused)
{
    shared->used[0] = 1;
    give_up(shared);
    return unused;
}

static void *second(void *unused)
{
    shared->used[1] = 2;
    give_up(shared);
    return unused;
}

int main(void)
{
    shared = malloc(sizeof *shared);
    *shared = (struct object){ .references = 2 };
    run(first, second);
}
