/* Names that people read and traces hold: threads and objects, to text and back.
 *
 *   threads   main; T2, the second child of main; T2.1, the first child of T2
 *   objects   counter  table+12          a variable, and a byte in it
 *             heap:main#3+8              the 9th byte of the third block that main allocated
 *             stack:T1-64  tls:T1-64     below the top of a stack, below a thread pointer
 *             clock:  random:            the virtual clock, the source of random numbers
 *             global:0x4010  address:0x7f00…   what has no name
 *             T1                         a thread, when the operation is one on threads */
#ifndef HD_REPORT_NAME_H
#define HD_REPORT_NAME_H

#include "base/str.h"
#include "core/finding.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

/* Appends the thread's name; "thread N" when the table does not have it. */
void hd_name_thread(struct hd_str *out, const struct hd_threads *threads, uint32_t thread);

/* The id of the thread of that name, -1 when the table does not have it, -2 when the text is no
 * thread name.  With `add` it and its parents are added; -1 then means too many. */
int hd_name_find_thread(struct hd_threads *threads, const char *text, bool add);

/* Appends the object's name; nothing for HD_WHERE_NONE.  `program` may be NULL. */
void hd_name_object(struct hd_str *out, const struct hd_name *name,
                    const struct hd_program *program, const struct hd_threads *threads);

/* Reads an object's name.  `space` is that of its operation.  For a variable *symbol is its
 * name, cut out of `text` in place, and name->offset the offset in it; otherwise it is NULL.
 * False when the text is no name. */
bool hd_name_parse(char *text, enum hd_space space, struct hd_threads *threads,
                   struct hd_name *name, const char **symbol);

/* Appends a value of `size` bytes as people write it: small numbers decimal, with their sign,
 * others in hexadecimal. */
void hd_name_value(struct hd_str *out, uint64_t value, uint32_t size);

/* Reads a whole number, decimal or 0x…, up to `most`; the whole text must be it. */
bool hd_name_number(const char *text, uint64_t most, uint64_t *number);

#endif
