#include "cli/order_answers.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/version.h"

#include <stdlib.h>
#include <string.h>

static void append_head(struct hd_str *out, const struct hd_orders_run *r)
{
    char build[33];
    uint64_t arguments = 0;
    hd_program_build(r->input.program, build);
    for (size_t i = 1; i < r->args.n; i++)
        arguments = hd_hash_bytes(arguments + 1, r->args.items[i], strlen(r->args.items[i]));
    hd_str_appendf(out, "heddle orders %s %s %016llx %u\n", HD_VERSION, build,
                   (unsigned long long)arguments, r->places.n_variables);
}

/* Reads n digits; false: they are not there, or one is above `most`. */
static bool read_digits(const char **at, uint32_t n, uint8_t most, uint8_t *out)
{
    for (uint32_t i = 0; i < n; i++, ++*at) {
        if (**at < '0' || **at > '0' + most)
            return false;
        out[i] = (uint8_t)(**at - '0');
    }
    return true;
}

static bool possible(const struct hd_orders_run *r, const uint8_t *orders)
{
    for (uint32_t i = 0; i < r->places.n_variables; i++)
        if (!hd_ordered_has(r->places.variables[i].kind, orders[i]))
            return false;
    return true;
}

static bool read_line(struct hd_orders_run *r, const char *line, uint8_t *orders, uint8_t *bits,
                      bool *occurs)
{
    uint32_t n = r->places.n_variables;
    bool broken = hd_str_starts(line, "broken ");
    if (!broken && !hd_str_starts(line, "verified "))
        return false;
    line = strchr(line, ' ') + 1;
    if (!read_digits(&line, n, HD_ORDER_TOP, orders) || !possible(r, orders))
        return false;
    if (broken && *line != ' ')
        return false;
    line += broken;
    if (broken && !read_digits(&line, n, 1, bits))
        return false;
    for (uint32_t i = 0; i < n; i++)
        occurs[i] = broken && bits[i];
    if (*line == '\n')
        hd_assignment_learn(&r->assignment, orders, broken ? occurs : NULL);
    return *line == '\n';
}

static int read_lines(struct hd_orders_run *r, const char *text, struct hd_err *err)
{
    uint32_t n = r->places.n_variables, number = 2;
    uint8_t *orders = hd_alloc(n + 1), *bits = hd_alloc(n + 1);
    bool *occurs = hd_alloc(n + 1);
    int failed = 0;
    for (; *text && !failed; number++) {
        if (!read_line(r, text, orders, bits, occurs))
            failed = hd_err_set(err, "%s:%u: this is no answer of heddle orders: remove the file",
                                r->request->answers, number);
        text = failed ? text : strchr(text, '\n') + 1;
    }
    free(orders);
    free(bits);
    free(occurs);
    return failed;
}

int hd_order_answers_read(struct hd_orders_run *r, struct hd_err *err)
{
    const char *path = r->request->answers;
    struct hd_str text, head;
    if (!path || !hd_fs_exists(path))
        return 0;
    hd_str_init(&text);
    hd_str_init(&head);
    append_head(&head, r);
    int failed = hd_fs_read(path, &text, err);
    if (!failed && !hd_str_starts(text.text, "heddle orders "))
        failed = hd_err_set(err, "%s holds no answers of heddle orders: give another file", path);
    if (!failed && !hd_str_starts(text.text, head.text))
        failed = hd_err_set(err,
                            "%s holds answers about another program, other arguments or of "
                            "another heddle: remove it, or give another file",
                            path);
    if (!failed)
        failed = read_lines(r, text.text + head.length, err);
    hd_str_release(&text);
    hd_str_release(&head);
    return failed;
}

int hd_order_answers_write(const struct hd_orders_run *r, struct hd_err *err)
{
    const struct hd_assignment *a = &r->assignment;
    struct hd_str out;
    if (!r->request->answers)
        return 0;
    hd_str_init(&out);
    append_head(&out, r);
    for (size_t i = 0; i < a->n_known; i++) {
        const struct hd_known *k = &a->known[i];
        hd_str_append(&out, k->verified ? "verified " : "broken ");
        for (uint32_t v = 0; v < a->n; v++)
            hd_str_append_char(&out, (char)('0' + k->orders[v]));
        if (!k->verified)
            hd_str_append_char(&out, ' ');
        for (uint32_t v = 0; v < a->n && !k->verified; v++)
            hd_str_append_char(&out, k->occurs[v] ? '1' : '0');
        hd_str_append_char(&out, '\n');
    }
    int failed = hd_fs_write(r->request->answers, out.text, out.length, err);
    hd_str_release(&out);
    return failed;
}
