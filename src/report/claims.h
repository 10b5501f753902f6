/* Warnings of other tools, read from their output: ThreadSanitizer, Helgrind and DRD, tools
 * that print FILE:LINE: warning: … as compilers do (the clang analyzer, Infer), and SARIF.
 *
 * No warning is dropped silently: a report with a warning that names no place in the source is
 * kept without places. */
#ifndef HD_REPORT_CLAIMS_H
#define HD_REPORT_CLAIMS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_claim_kind {
    HD_CLAIM_RACE,     /* accesses: one or both are named */
    HD_CLAIM_DEADLOCK, /* where locks are taken while others are held */
    HD_CLAIM_FAULT,    /* something else goes wrong in this line */
};

#define HD_CLAIM_PLACES 8

struct hd_claim {
    enum hd_claim_kind kind;
    char *message;
    uint32_t n_places;
    struct hd_claim_place {
        char *file;
        uint32_t line;
    } places[HD_CLAIM_PLACES];
};

struct hd_claims {
    struct hd_claim *items;
    uint32_t n, room;
};

/* Parse the text, which shows which tool it is from.  `name` is for messages. */
int hd_claims_parse(struct hd_claims *claims, const char *name, const char *bytes, size_t n,
                    struct hd_err *err);
void hd_claims_release(struct hd_claims *claims);

/* ---- for the readers ---- */

/* A new one, until the next is made. */
struct hd_claim *hd_claims_add(struct hd_claims *claims, enum hd_claim_kind kind,
                               const char *message, size_t length);

/* `file` is not NUL-terminated.  A place that is there already is not added again. */
void hd_claim_place(struct hd_claim *claim, const char *file, size_t length, uint32_t line);

/* What a warning is about, by the words that tools use. */
enum hd_claim_kind hd_claim_kind_of(const char *message, size_t length);

/* The place at the end of a stack frame as the sanitizers ("… file.c:12:5 (program+0x1)") and
 * Valgrind ("… (file.c:12)") print it.  False: the frame has none. */
bool hd_claim_frame(const char *line, size_t length, const char **file, size_t *file_length,
                    uint32_t *number);

/* The line at *at, without its end; *at goes on.  NULL at the end of the text. */
const char *hd_claims_line(const char **at, const char *end, size_t *length);
bool hd_claims_has(const char *line, size_t length, const char *words);

void hd_claims_tsan(struct hd_claims *claims, const char *bytes, size_t n);
void hd_claims_valgrind(struct hd_claims *claims, const char *bytes, size_t n);
void hd_claims_lines(struct hd_claims *claims, const char *bytes, size_t n);
int hd_claims_sarif(struct hd_claims *claims, const char *name, const char *bytes, size_t n,
                    struct hd_err *err);

#endif
