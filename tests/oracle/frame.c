#include "frame.h"

#include "render.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void *orc_take(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p) {
        fputs("oracle: out of memory\n", stderr);
        exit(2);
    }
    return p;
}

static void die(const struct orc_frame *f, const char *what, const char *name)
{
    fprintf(stderr, "%s: %s %s: %s\n", f->tool, what, name, strerror(errno));
    exit(2);
}

static bool parse_option(struct orc_frame *f, const char *name, const char *v)
{
    if (!v)
        return false;
    if (!strcmp(name, "--dir"))
        f->dir = v;
    else if (!strcmp(name, "--jobs"))
        f->jobs = (uint32_t)strtoul(v, NULL, 10);
    else if (!strcmp(name, "--most"))
        f->limits.most = strtoull(v, NULL, 10);
    else if (!strcmp(name, "--serve"))
        f->serve = v;
    else
        return false;
    return true;
}

bool orc_frame_parse(struct orc_frame *f, int argc, char **argv,
                     int (*other)(void *self, const char *name, const char *value), void *self)
{
    int plain = 0;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            int took = parse_option(f, argv[i], argv[i + 1]) ? 2
                                                             : other(self, argv[i], argv[i + 1]);
            if (took == 0)
                return false;
            i += took - 1;
        } else if (plain == 0)
            f->heddle = argv[i], plain++;
        else if (plain == 1)
            f->n = strtoull(argv[i], NULL, 10), plain++;
        else
            f->first = strtoull(argv[i], NULL, 10);
    }
    return plain == 2 && f->n && f->jobs && f->limits.most >= 128;
}

void orc_batch_init(struct orc_batch *b, const struct orc_frame *f, struct orc_server *server,
                    uint32_t room)
{
    *b = (struct orc_batch){ .frame = f, .server = server };
    b->programs = orc_take(room, sizeof *b->programs);
    b->results = orc_take(room, sizeof *b->results);
}

void orc_batch_release(struct orc_batch *b)
{
    free(b->programs);
    free(b->results);
}

void orc_batch_name(struct orc_batch *b, const char *stem, uint64_t first)
{
    const char *dir = b->frame->dir;
    unsigned long long name = (unsigned long long)first;
    snprintf(b->source, sizeof b->source, "%s/%s%llu.c", dir, stem, name);
    snprintf(b->executable, sizeof b->executable, "%s/%s%llu", dir, stem, name);
    snprintf(b->errors, sizeof b->errors, "%s/%s%llu.err", dir, stem, name);
    snprintf(b->traces, sizeof b->traces, "%s/%s%llu.traces", dir, stem, name);
    snprintf(b->output, sizeof b->output, "%s/%s%llu.json", dir, stem, name);
    unlink(b->errors);
}

bool orc_batch_compile(struct orc_batch *b)
{
    FILE *out = fopen(b->source, "w");
    if (!out || !orc_render(b->programs, b->n, out) || fclose(out))
        die(b->frame, "cannot write", b->source);
    char *argv[] = {
        (char *)(uintptr_t)b->frame->heddle, "cc", "-o", b->executable, b->source, NULL
    };
    struct orc_child c;
    orc_child_run(argv, b->errors, b->frame->seconds, &c);
    free(c.output);
    return c.status == 0;
}

static void remove_traces(const char *dir)
{
    char path[1024];
    DIR *d = opendir(dir);
    for (const struct dirent *e; d && (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        unlink(path);
    }
    if (d)
        closedir(d);
    rmdir(dir);
}

void orc_batch_remove(const struct orc_batch *b)
{
    unlink(b->executable);
    unlink(b->source);
    unlink(b->errors);
    unlink(b->output);
    remove_traces(b->traces);
}

void orc_batch_check(struct orc_batch *b, char *const argv[], struct orc_child *c)
{
    if (b->server)
        orc_server_run(b->server, argv, b->executable, b->output, b->errors, b->frame->seconds,
                       c);
    else
        orc_child_run(argv, b->errors, b->frame->seconds, c);
}

void *orc_frame_run(const struct orc_frame *f, size_t tally_bytes,
                    void (*share)(void *self, uint32_t job, struct orc_server *server,
                                  void *tally),
                    void *self)
{
    bool whole = true;
    if (mkdir(f->dir, 0777) && errno != EEXIST)
        die(f, "cannot make", f->dir);
    char *tallies = mmap(NULL, f->jobs * tally_bytes, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tallies == MAP_FAILED)
        die(f, "cannot map", "memory");
    for (uint32_t j = 0; j < f->jobs; j++) {
        pid_t pid = fork();
        if (pid < 0)
            die(f, "cannot start", "a process");
        if (pid > 0)
            continue;
        struct orc_server server;
        if (f->serve)
            orc_server_start(&server, f->serve);
        share(self, j, f->serve ? &server : NULL, tallies + j * tally_bytes);
        if (f->serve)
            orc_server_stop(&server);
        exit(0);
    }
    for (int status; wait(&status) > 0;)
        whole &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return whole ? tallies : NULL;
}
