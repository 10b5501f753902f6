/* The unit nearest to the root is likely to be the largest.  It is taken from the pool, one
 * execution of it is explored, and all alternatives beside that execution become units.  A unit
 * holds the path to its root, so the one with the fewest bytes is taken for the nearest. */
#include "supervise/part_split.h"

#include <string.h>

static void pool_take(struct hd_part *whole, struct hd_part *part)
{
    for (uint32_t i = 0; i < part->n_units; i++)
        *hd_part_add_unit(whole) = part->units[i];
    part->n_units = 0;
}

/* Remove the unit that is nearest to the root. */
static struct hd_part_unit pool_nearest(struct hd_part *whole)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < whole->n_units; i++)
        if (whole->units[i].bytes.length < whole->units[best].bytes.length)
            best = i;
    struct hd_part_unit unit = whole->units[best];
    memmove(&whole->units[best], &whole->units[best + 1],
            (whole->n_units - best - 1) * sizeof unit);
    whole->n_units--;
    return unit;
}

static void add_up(struct hd_part_result *sum, const struct hd_part_result *r)
{
    hd_str_append_bytes(&sum->workers, r->workers.text, r->workers.length);
    sum->n_workers += r->n_workers;
    sum->seconds += r->seconds;
    sum->classes = r->classes;
    sum->broke = sum->broke || r->broke;
    hd_part_add_keys(sum, r->keys, r->n_keys);
}

/* Explore one execution of the unit (NULL: of everything). */
static int cut(const struct hd_job *job, const struct hd_part_unit *unit, struct hd_part *whole,
               struct hd_result *result, struct hd_err *err)
{
    struct hd_job one = *job;
    struct hd_part part = { .unit = unit };
    hd_str_init(&part.result.workers);
    one.part = &part;
    one.options.max_executions = 1;
    one.options.jobs = 1;
    one.seconds = 0; /* of --time, which ends the split between two cuts */
    if (unit)
        one.options.reuse.classes = unit->classes;
    int status = hd_supervise_explore(&one, result, err);
    if (status == HD_EXIT_OK) {
        pool_take(whole, &part);
        add_up(&whole->result, &part.result);
    }
    hd_part_release(&part);
    return status;
}

static bool is_over(const struct hd_job *job, double began)
{
    return (job->watch.interrupted && *job->watch.interrupted) ||
           (job->seconds > 0 && hd_watch_now() - began >= job->seconds);
}

int hd_split_search(const struct hd_job *job, uint32_t wanted, struct hd_part *whole,
                    struct hd_result *result, struct hd_err *err)
{
    *whole = (struct hd_part){ .unit = NULL };
    hd_str_init(&whole->result.workers);
    double began = hd_watch_now();
    int status = cut(job, NULL, whole, result, err);
    struct hd_counters sum = { 0 };
    if (status == HD_EXIT_OK)
        hd_counters_add(&sum, &result->counters);
    while (status == HD_EXIT_OK && !whole->result.broke && whole->n_units &&
           whole->n_units < wanted && !is_over(job, began)) {
        struct hd_part_unit unit = pool_nearest(whole);
        hd_result_release(result);
        status = cut(job, &unit, whole, result, err);
        hd_part_unit_release(&unit);
        if (status == HD_EXIT_OK)
            hd_counters_add(&sum, &result->counters);
    }
    if (status == HD_EXIT_OK && job->watch.interrupted && *job->watch.interrupted) {
        hd_result_release(result);
        hd_err_set(err, "interrupted: no units were written");
        return HD_EXIT_INPUT;
    }
    if (status == HD_EXIT_OK)
        result->seconds = whole->result.seconds; /* of all executions, not the last one */
    if (status == HD_EXIT_OK && !whole->result.broke) {
        result->stop = HD_STOP_PART;
        result->counters = sum;
        result->counters.finished = 0;
    }
    return status;
}
