/* Ranks with MPI (base/ranks.h), as a plug-in: `make MPI=1`.
 *
 * A rank that waits sleeps between two looks, because MPI_Recv() would take the processor
 * from the worker that the rank may share it with.
 *
 * MPI_Send() of a message that is longer than what MPI buffers waits until it is received.  Two
 * leaders that give units to each other would wait without end, so a message is copied, and is
 * on its way while others are received. */
#include "base/ranks.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TAG 17
#define LAST_MS 10000 /* that end() waits for messages that nobody takes */

/* A message that is on its way; MPI reads its bytes until it is taken. */
struct sent {
    struct sent *next;
    MPI_Request request;
    char bytes[];
};

static struct sent *on_the_way;

static int failed(const char *what, int code, struct hd_err *err)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    snprintf(err->text, sizeof err->text, "MPI: %s: %s", what, text);
    return -1;
}

static int begin(int *rank, int *n, struct hd_err *err)
{
    int code = MPI_Init(NULL, NULL);
    if (code != MPI_SUCCESS)
        return failed("cannot begin", code, err);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, n);
    return 0;
}

/* Forget the messages that have been taken. */
static int forget_taken(struct hd_err *err)
{
    for (struct sent **at = &on_the_way; *at;) {
        struct sent *sent = *at;
        int taken = 0, code = MPI_Test(&sent->request, &taken, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            return failed("cannot send", code, err);
        if (!taken) {
            at = &sent->next;
            continue;
        }
        *at = sent->next;
        free(sent);
    }
    return 0;
}

static int send_bytes(int to, const void *bytes, size_t n, struct hd_err *err)
{
    if (n > INT_MAX) {
        snprintf(err->text, sizeof err->text, "MPI: a message of %zu bytes is too large", n);
        return -1;
    }
    struct sent *sent = malloc(sizeof *sent + n);
    if (!sent) {
        snprintf(err->text, sizeof err->text, "MPI: no memory for a message");
        return -1;
    }
    memcpy(sent->bytes, bytes, n);
    int code = MPI_Isend(sent->bytes, (int)n, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &sent->request);
    if (code != MPI_SUCCESS) {
        free(sent);
        return failed("cannot send", code, err);
    }
    sent->next = on_the_way;
    on_the_way = sent;
    return forget_taken(err);
}

static int receive(int milliseconds, int *from, void **bytes, size_t *n, struct hd_err *err)
{
    MPI_Status status;
    int there = 0, count = 0;
    for (int waited = 0;; waited++) {
        if (forget_taken(err) != 0)
            return -1;
        int code = MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status);
        if (code != MPI_SUCCESS)
            return failed("cannot look for a message", code, err);
        if (there || waited >= milliseconds)
            break;
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    }
    if (!there)
        return 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    *bytes = malloc((size_t)count + 1);
    if (!*bytes) {
        snprintf(err->text, sizeof err->text, "MPI: no memory for a message");
        return -1;
    }
    int code = MPI_Recv(*bytes, count, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, &status);
    if (code != MPI_SUCCESS) {
        free(*bytes);
        return failed("cannot receive", code, err);
    }
    *from = status.MPI_SOURCE;
    *n = (size_t)count;
    return 1;
}

static void end(void)
{
    struct hd_err ignored;
    for (int i = 0; i < LAST_MS && forget_taken(&ignored) == 0 && on_the_way; i++)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    MPI_Finalize();
}

static void end_all(void) { MPI_Abort(MPI_COMM_WORLD, HD_EXIT_INPUT); }

extern const struct hd_ranks hd_ranks_plugin;
const struct hd_ranks hd_ranks_plugin = {
    .version = HD_RANKS_VERSION,
    .begin = begin,
    .send = send_bytes,
    .receive = receive,
    .end = end,
    .abort = end_all,
};
