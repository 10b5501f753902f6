#include "cli/outputs.h"

#include "base/fs.h"
#include "base/version.h"
#include "report/github.h"
#include "report/html.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/places.h"
#include "report/sarif.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_stdout(const char *path) { return path && strcmp(path, "-") == 0; }

bool hd_outputs_on_stdout(const struct hd_check *check)
{
    return is_stdout(check->json) || is_stdout(check->sarif) || is_stdout(check->junit) ||
           is_stdout(check->html);
}

static int possible(const char *path, struct hd_err *err)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (path == NULL || is_stdout(path))
        return 0;
    char *folder = slash ? hd_str_format("%.*s", (int)(slash - path) + 1, path) : hd_strdup(".");
    bool there = access(path, F_OK) == 0;
    int failed = there && !hd_fs_is_directory(path) ? access(path, W_OK)
                 : there                            ? (errno = EISDIR, -1)
                                                    : access(folder, W_OK | X_OK);
    free(folder);
    return failed ? hd_err_set(err, "%s: cannot be written: %s", path, strerror(errno)) : 0;
}

int hd_outputs_possible(const struct hd_check *check, struct hd_err *err)
{
    const char *const paths[] = { check->json, check->sarif, check->junit, check->html,
                                  check->checkpoint };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (possible(paths[i], err) != 0)
            return -1;
    return 0;
}

static int put(const char *path, struct hd_str *text, struct hd_err *err)
{
    int failed = 0;
    if (is_stdout(path))
        fwrite(text->text, 1, text->length, stdout);
    else
        failed = hd_fs_write(path, text->text, text->length, err);
    hd_str_clear(text);
    return failed;
}

/* Keeps the first error. */
static void note(int failed, const struct hd_err *now, int *any, struct hd_err *first)
{
    if (failed && !*any)
        *first = *now;
    *any |= failed != 0;
}

bool hd_outputs_reader_left(void)
{
    struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };
    return poll(&out, 1, 0) == 1 && out.revents & (POLLERR | POLLHUP);
}

int hd_outputs_flush(struct hd_err *err)
{
    if ((fflush(stdout) != 0 || ferror(stdout)) && !hd_outputs_reader_left())
        return hd_err_set(err, "cannot write to standard output: %s", strerror(errno));
    return 0;
}

int hd_outputs_result(const struct hd_check *check, const struct hd_report *report,
                      struct hd_err *err)
{
    struct hd_str text;
    struct hd_err now = { "" };
    int any = 0;
    hd_str_init(&text);
    if (check->json) {
        hd_json_result(&text, report);
        note(put(check->json, &text, &now), &now, &any, err);
    }
    if (check->sarif) {
        hd_sarif_result(&text, report);
        note(put(check->sarif, &text, &now), &now, &any, err);
    }
    if (check->junit) {
        hd_junit_result(&text, report);
        note(put(check->junit, &text, &now), &now, &any, err);
    }
    if (check->html) {
        hd_html_result(&text, report);
        int failed = put(check->html, &text, &now);
        note(failed, &now, &any, err);
        if (!failed && !check->quiet && !hd_outputs_on_stdout(check))
            printf("written: %s\n", check->html);
    }
    if (check->github) {
        hd_github_result(&text, report);
        fputs(text.text, hd_outputs_on_stdout(check) ? stderr : stdout);
    }
    if (check->places && !hd_outputs_on_stdout(check)) {
        hd_str_clear(&text);
        hd_places_result(&text, report);
        fputs(text.text, stdout);
    }
    note(hd_outputs_flush(&now), &now, &any, err);
    hd_str_release(&text);
    return any ? -1 : 0;
}

void hd_outputs_error(const struct hd_check *check, const struct hd_err *why)
{
    const char *message = *why->text ? why->text : "the program does not compile";
    struct hd_str text;
    struct hd_err ignored; /* the error that matters is `why` */
    hd_str_init(&text);
    if (check->json) {
        hd_json_error(&text, HD_VERSION, check->name, message);
        put(check->json, &text, &ignored);
    }
    if (check->sarif) {
        hd_sarif_error(&text, HD_VERSION, message);
        put(check->sarif, &text, &ignored);
    }
    if (check->junit) {
        hd_junit_error(&text, check->name, message);
        put(check->junit, &text, &ignored);
    }
    if (check->github) {
        hd_github_error(&text, check->name, message);
        fputs(text.text, hd_outputs_on_stdout(check) ? stderr : stdout);
    }
    hd_outputs_flush(&ignored);
    hd_str_release(&text);
}
