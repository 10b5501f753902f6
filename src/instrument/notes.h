/* Places that the verdict names when an execution reaches them (core/notes.h). */
#ifndef HD_INSTRUMENT_NOTES_H
#define HD_INSTRUMENT_NOTES_H

#include "core/notes.h"
#include "instrument/pass.h"

/* Counts, before the instruction, that it is reached; `name` is what the verdict calls it. */
void hd_note_reached(struct hd_pass *p, LLVMValueRef inst, enum hd_note_kind kind,
                     const char *name);

/* A site of its own, which says what is there. */
LLVMValueRef hd_note_site(struct hd_pass *p, LLVMValueRef inst, const char *name);

/* The same for a call of a function of notes.def; does nothing for other functions. */
void hd_note_call(struct hd_pass *p, LLVMValueRef call, const char *name);

/* Is it one of them? */
bool hd_note_wanted(const char *name);

/* The instruction or intrinsic whose result no schedule determines, such as "rdtsc"; NULL:
 * none.  The storage of the first is static. */
const char *hd_note_uncontrolled_code(const char *code, size_t n);
const char *hd_note_uncontrolled_intrinsic(const char *name);

#endif
