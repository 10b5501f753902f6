/* Notes of a program (core/notes.h) in words; and whether they explain why a run did not
 * repeat. */
#ifndef HD_SUPERVISE_SUSPECTS_H
#define HD_SUPERVISE_SUSPECTS_H

#include "base/err.h"
#include "base/str.h"
#include "core/notes.h"
#include "supervise/program.h"

/* Appends the places of the kind that were reached, at most eight: "f at a.c:12 (3 times), g at
 * b.c:4". */
void hd_note_places(struct hd_str *out, const struct hd_notes *notes, enum hd_note_kind kind,
                    const struct hd_program *program);

/* Appends the place of one note: "f of libg.so at a.c:12". */
void hd_note_place(struct hd_str *out, const struct hd_program *program, uint32_t site);

/* A status besides those of enum hd_exit, for a program that behaved differently when it was
 * run again. hd_suspect() turns it into an exit status. */
#define HD_UNREPEATED 100

/* An exploration that fails with `status` and err: where the program has executed an
 * instruction whose result no schedule determines, that is the likely cause, and no fault of
 * heddle's.  For HD_UNREPEATED, native code that it has called is the next suspect.  Returns
 * the status that it ends with. */
int hd_suspect(int status, const struct hd_notes *notes, const struct hd_program *program,
               struct hd_err *err);

#endif
