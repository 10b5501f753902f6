#include "compile/ar.h"

#include "base/fs.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC "!<arch>\n"
#define THIN_MAGIC "!<thin>\n"
#define MAGIC_BYTES 8
#define HEADER_BYTES 60

struct header {
    char name[17];
    size_t size;
};

struct reader {
    struct hd_ar *ar;
    const char *path;
    bool thin;
    const char *long_names; /* GNU: the "//" member */
    size_t long_bytes;
};

bool hd_ar_is(const char *bytes, size_t n)
{
    return n >= MAGIC_BYTES && (memcmp(bytes, MAGIC, MAGIC_BYTES) == 0 ||
                                memcmp(bytes, THIN_MAGIC, MAGIC_BYTES) == 0);
}

/* Decimal digits, then blanks, as all numbers in archive headers. */
static bool number(const char *field, size_t width, size_t *value)
{
    size_t i = 0;
    *value = 0;
    for (; i < width && field[i] >= '0' && field[i] <= '9'; i++)
        *value = *value * 10 + (size_t)(field[i] - '0');
    if (i == 0)
        return false;
    for (; i < width; i++)
        if (field[i] != ' ')
            return false;
    return true;
}

static bool header_read(struct header *h, const char *bytes)
{
    memcpy(h->name, bytes, 16);
    h->name[16] = 0;
    for (size_t i = 16; i > 0 && h->name[i - 1] == ' '; i--)
        h->name[i - 1] = 0;
    return number(bytes + 48, 10, &h->size) && bytes[58] == '`' && bytes[59] == '\n';
}

/* The member's name; NULL when it is malformed.  BSD keeps long names in front of the contents:
 * *skip says how many bytes of them. */
static char *member_name(const struct reader *r, const struct header *h, const char *contents,
                         size_t left, size_t *skip)
{
    size_t value;
    *skip = 0;
    if (h->name[0] == '/' && number(h->name + 1, strlen(h->name + 1), &value)) {
        if (value >= r->long_bytes)
            return NULL;
        const char *name = r->long_names + value;
        const char *end = memchr(name, '\n', r->long_bytes - value);
        size_t length = end ? (size_t)(end - name) : r->long_bytes - value;
        if (length > 0 && name[length - 1] == '/')
            length--;
        return hd_str_format("%.*s", (int)length, name);
    }
    if (hd_str_starts(h->name, "#1/") && number(h->name + 3, strlen(h->name + 3), &value)) {
        if (value > left || value > h->size)
            return NULL;
        *skip = value;
        return hd_str_format("%.*s", (int)strnlen(contents, value), contents);
    }
    size_t length = strlen(h->name);
    if (length > 0 && h->name[length - 1] == '/')
        length--;
    return hd_str_format("%.*s", (int)length, h->name);
}

static void add(struct hd_ar *ar, char *name, const char *bytes, size_t n)
{
    ar->members = hd_realloc(ar->members, (ar->n + 1) * sizeof *ar->members);
    ar->members[ar->n++] = (struct hd_ar_member){ name, bytes, n };
}

/* A thin archive names files relative to its own directory. */
static int add_file(struct reader *r, char *name, struct hd_err *err)
{
    struct hd_ar *ar = r->ar;
    char *dir = hd_fs_dir(r->path);
    char *path = hd_fs_join(dir, name);
    struct hd_str text;
    hd_str_init(&text);
    int failed = hd_fs_read(path, &text, err);
    if (failed) {
        hd_str_release(&text);
        free(name);
    } else {
        ar->files = hd_realloc(ar->files, (ar->n_files + 1) * sizeof *ar->files);
        ar->files[ar->n_files++] = text;
        add(ar, name, text.text, text.length);
    }
    free(path);
    free(dir);
    return failed;
}

static bool is_index(const char *name)
{
    return strcmp(name, "/") == 0 || strcmp(name, "/SYM64/") == 0 ||
           hd_str_starts(name, "__.SYMDEF");
}

static int bad(const struct reader *r, size_t at, struct hd_err *err)
{
    return hd_err_set(err, "%s: not a valid archive: bad member header at byte %zu", r->path, at);
}

static int parse(struct reader *r, struct hd_err *err)
{
    const char *bytes = r->ar->text.text;
    size_t n = r->ar->text.length, at = MAGIC_BYTES;
    while (at < n) {
        struct header h;
        size_t begin = at, skip;
        if (n - at < HEADER_BYTES || !header_read(&h, bytes + at))
            return bad(r, at, err);
        at += HEADER_BYTES;
        bool inside = !r->thin || is_index(h.name) || strcmp(h.name, "//") == 0;
        if (inside && h.size > n - at)
            return bad(r, begin, err);
        if (strcmp(h.name, "//") == 0) {
            r->long_names = bytes + at;
            r->long_bytes = h.size;
        } else if (!is_index(h.name)) {
            char *name = member_name(r, &h, bytes + at, n - at, &skip);
            if (name == NULL)
                return bad(r, begin, err);
            if (r->thin) {
                if (add_file(r, name, err) != 0)
                    return -1;
            } else if (is_index(name)) {
                free(name);
            } else {
                add(r->ar, name, bytes + at + skip, h.size - skip);
            }
        }
        if (inside)
            at += h.size + (h.size & 1);
    }
    return 0;
}

int hd_ar_open(struct hd_ar *ar, const char *path, struct hd_err *err)
{
    *ar = (struct hd_ar){ 0 };
    hd_str_init(&ar->text);
    if (hd_fs_read(path, &ar->text, err) != 0)
        return -1;
    if (!hd_ar_is(ar->text.text, ar->text.length))
        return hd_err_set(err, "%s: not an archive", path);
    struct reader r = { .ar = ar, .path = path };
    r.thin = memcmp(ar->text.text, THIN_MAGIC, MAGIC_BYTES) == 0;
    return parse(&r, err);
}

void hd_ar_release(struct hd_ar *ar)
{
    for (size_t i = 0; i < ar->n; i++)
        free(ar->members[i].name);
    for (size_t i = 0; i < ar->n_files; i++)
        hd_str_release(&ar->files[i]);
    free(ar->members);
    free(ar->files);
    hd_str_release(&ar->text);
    *ar = (struct hd_ar){ 0 };
}
