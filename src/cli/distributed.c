/* Rank 0 cuts the tree into the first units, or finds an earlier ledger.  Then leaders hand
 * out units (rank_leader.c) and members explore them (rank_member.c).  At the end rank 0 adds
 * up as `heddle merge` does. */
#include "cli/distributed.h"

#include "base/fs.h"
#include "cli/parts.h"
#include "cli/rank_leader.h"
#include "cli/rank_member.h"
#include "supervise/leader.h"
#include "supervise/part_merge.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#define LOCK "lock" /* in the ledger */

static const struct hd_ranks *load(struct hd_err *err)
{
    char *path = hd_str_format("%s/lib/heddle/heddle-mpi.so", hd_fs_root());
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const struct hd_ranks *ranks = library ? dlsym(library, HD_RANKS_SYMBOL) : NULL;
    if (!ranks)
        hd_err_set(err, "--distributed needs the plug-in for MPI (make MPI=1): %s",
                   hd_fs_exists(path) ? dlerror() : "it is not installed");
    else if (ranks->version != HD_RANKS_VERSION) {
        hd_err_set(err, "%s is of another version of heddle: make MPI=1", path);
        ranks = NULL;
    }
    free(path);
    return ranks;
}

/* Two searches that explore the same units would replace each other's results.  The lock ends
 * with the process. */
static int lock_ledger(const char *directory, struct hd_err *err)
{
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return hd_err_set(err, "cannot create the directory %s: %s", directory, strerror(errno));
    char *path = hd_fs_join(directory, LOCK);
    int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666), failed = 0;
    if (fd < 0 && errno == ENOTDIR)
        failed = hd_err_set(err, "%s is no directory: give --ledger another name", directory);
    else if (fd < 0)
        failed = hd_err_set(err, "cannot write %s: %s", path, strerror(errno));
    else if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        failed = hd_err_set(err,
                            "another search is exploring the work units in %s: wait for it, or "
                            "give --ledger another directory",
                            directory);
    free(path);
    return failed; /* the descriptor stays open */
}

static int explore_all(const struct hd_rank_group *group, const struct hd_check *check,
                       const struct hd_job *job, struct hd_result *result, struct hd_err *err)
{
    char *manifest = hd_fs_join(check->units, HD_MANIFEST);
    struct hd_check split = *check;
    int status = HD_EXIT_OK;
    bool over = false;
    split.n_units = hd_pool_first_units(group->n_ranks - group->n_groups);
    if (lock_ledger(check->units, err) != 0) {
        free(manifest);
        hd_rank_dismiss(group);
        return HD_EXIT_INPUT;
    }
    if (!hd_fs_exists(manifest)) {
        status = hd_parts_split(&split, job, result, err);
        over = status == HD_EXIT_OK && result->stop == HD_STOP_VIOLATION;
        if (status == HD_EXIT_OK && !over)
            hd_result_release(result);
    }
    free(manifest);
    if (status != HD_EXIT_OK || over) {
        hd_rank_dismiss(group);
        return status;
    }
    if (hd_rank_lead(group, check, job, err) != 0)
        return HD_EXIT_INPUT;
    return hd_parts_merge(check, job, result, err);
}

/* What a rank other than 0 does; it does not return. */
static _Noreturn void serve(struct hd_rank_group *group, uint32_t rank,
                            const struct hd_check *check, const struct hd_job *job,
                            struct hd_err *err)
{
    while (group->me + 1 < group->n_groups && hd_rank_first(group, group->me + 1) <= rank)
        group->me++;
    uint32_t leader = hd_rank_first(group, group->me);
    int failed = rank == leader ? hd_rank_lead(group, check, job, err)
                                : hd_rank_member(group->ranks, (int)leader, check, job, err);
    if (failed) {
        fprintf(stderr, "heddle: rank %u: %s\n", rank, err->text);
        group->ranks->abort();
    }
    group->ranks->end();
    exit(HD_EXIT_OK);
}

int hd_distributed_explore(const struct hd_check *check, const struct hd_job *job,
                           struct hd_result *result, struct hd_err *err)
{
    struct hd_rank_group group = { .ranks = load(err) };
    int rank = 0, n = 0;
    if (!group.ranks || group.ranks->begin(&rank, &n, err) != 0)
        return HD_EXIT_INPUT;
    if (n < 2) {
        group.ranks->end();
        hd_err_set(err, "--distributed needs two ranks or more: mpirun -n 4 heddle check "
                        "--distributed …; on one machine use -j");
        return HD_EXIT_INPUT;
    }
    group.n_ranks = (uint32_t)n;
    group.n_groups = hd_groups(group.n_ranks, check->group ? check->group : HD_GROUP);
    if (rank > 0)
        serve(&group, (uint32_t)rank, check, job, err);
    int status = explore_all(&group, check, job, result, err);
    group.ranks->end();
    return status;
}
