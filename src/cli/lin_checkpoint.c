/* What heddle lin has explored, so that a later run can go on: text, one thing per line, and a
 * signature at its end (base/key.h).  It decides what is not explored any more, so it is used
 * only if this user has signed it, or with --trust. */
#include "cli/lin_request.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/key.h"
#include "base/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD "signed "

/* The program and the options that say which scenarios there are and what is asked of them. */
static void append_head(struct hd_str *out, const struct hd_lin *l)
{
    char build[33];
    const struct hd_scenario_bounds *b = &l->bounds;
    hd_program_build(l->input.program, build);
    hd_str_appendf(out, "heddle lin %s %s %u %u %u %u %u %llu %s %s %llu\n", HD_VERSION, build,
                   b->threads, b->per_thread, b->together, b->before, b->after,
                   (unsigned long long)l->check, l->memory,
                   l->races_word ? l->races_word : "error", (unsigned long long)l->seed);
}

static void append_signature(struct hd_str *out, const struct hd_key *key)
{
    struct hd_blake2s state;
    uint8_t digest[HD_BLAKE2S_BYTES];
    hd_key_begin(&state, key, "heddle lin checkpoint");
    hd_blake2s_add(&state, out->text, out->length);
    hd_blake2s_end(&state, digest);
    hd_str_append(out, WORD);
    for (size_t i = 0; i < sizeof digest; i++)
        hd_str_appendf(out, "%02x", digest[i]);
    hd_str_append(out, "\n");
}

int hd_lin_checkpoint_write(const struct hd_lin *l, struct hd_err *err)
{
    struct hd_str out;
    struct hd_key key;
    struct hd_err ignored = { "" };
    hd_str_init(&out);
    append_head(&out, l);
    hd_str_appendf(&out, "done %llu %llu %llu %d\n", (unsigned long long)l->n_done,
                   (unsigned long long)l->kept.executions, (unsigned long long)l->kept.events,
                   l->weak);
    for (size_t i = 0; i < l->downgrades.n; i++)
        hd_str_appendf(&out, "downgrade %s\n", l->downgrades.items[i]);
    for (size_t i = 0; i < l->assumptions.n; i++)
        hd_str_appendf(&out, "assumption %s\n", l->assumptions.items[i]);
    if (l->sc.length)
        hd_str_appendf(&out, "sc %s\n", l->sc.text);
    if (hd_key_get(&key, true, &ignored) == 0)
        append_signature(&out, &key);
    explicit_bzero(&key, sizeof key);
    int failed = hd_fs_write(l->checkpoint, out.text, out.length, err);
    hd_str_release(&out);
    return failed;
}

/* Takes the last line away, and says whether it is this user's signature of the others. */
static bool is_signed(struct hd_str *text)
{
    struct hd_key key;
    struct hd_err ignored = { "" };
    char *last = text->length > 1 ? text->text + text->length - 1 : NULL;
    while (last && last > text->text && last[-1] != '\n')
        last--;
    if (!last || !hd_str_starts(last, WORD))
        return false;
    char *given = hd_strdup(last);
    *last = 0;
    text->length = (size_t)(last - text->text);
    size_t at = text->length;
    bool good = hd_key_get(&key, false, &ignored) == 0;
    if (good) {
        append_signature(text, &key);
        good = strcmp(text->text + at, given) == 0;
        text->text[at] = 0;
        text->length = at;
    }
    explicit_bzero(&key, sizeof key);
    free(given);
    return good;
}

static bool read_line(struct hd_lin *l, const char *line)
{
    unsigned long long done, executions, events;
    int weak, used = 0;
    if (sscanf(line, "done %llu %llu %llu %d%n", &done, &executions, &events, &weak, &used) ==
            4 &&
        !line[used] && weak >= 0 && weak <= 1) {
        l->n_done = done;
        l->counters.executions = executions;
        l->counters.events = events;
        l->weak = weak != 0;
        return true;
    }
    if (hd_str_starts(line, "downgrade "))
        hd_strs_add(&l->downgrades, line + strlen("downgrade "));
    else if (hd_str_starts(line, "assumption "))
        hd_strs_add(&l->assumptions, line + strlen("assumption "));
    else if (hd_str_starts(line, "sc "))
        hd_str_append(&l->sc, line + strlen("sc "));
    else
        return false;
    return true;
}

static int read_lines(struct hd_lin *l, const char *at, struct hd_err *err)
{
    int failed = 0;
    while (*at && !failed) {
        size_t length = strcspn(at, "\n");
        char *line = hd_str_format("%.*s", (int)length, at);
        if (!read_line(l, line))
            failed = hd_err_set(err, "--resume %.200s: the file is damaged: begin again",
                                l->resume);
        free(line);
        at += length + (at[length] == '\n');
    }
    return failed;
}

int hd_lin_checkpoint_read(struct hd_lin *l, struct hd_err *err)
{
    struct hd_str text, head;
    hd_str_init(&text);
    hd_str_init(&head);
    append_head(&head, l);
    int failed = hd_fs_read(l->resume, &text, err);
    if (!failed && (!text.length || !hd_str_starts(text.text, "heddle lin ")))
        failed = hd_err_set(err, "--resume %.200s: this is no checkpoint of heddle lin",
                            l->resume);
    bool by_user = !failed && is_signed(&text);
    if (!failed && !hd_str_starts(text.text, head.text))
        failed = hd_err_set(err,
                            "--resume %.200s: it is of another program, other options or another "
                            "heddle: begin again",
                            l->resume);
    if (!failed && !by_user && !l->trust)
        failed = hd_err_set(err,
                            "--resume %.200s: it is not signed by this user: if you know where "
                            "it is from, give --trust",
                            l->resume);
    if (!failed)
        failed = read_lines(l, text.text + head.length, err);
    hd_str_release(&text);
    hd_str_release(&head);
    return failed;
}
