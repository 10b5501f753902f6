/* Hooks that count what the verdict names; core/abi.h has their contract. */
#ifndef HD_RUNTIME_NOTES_H
#define HD_RUNTIME_NOTES_H

#include "core/notes.h"

void __heddle_reached(uint32_t kind, uint32_t site);
void __heddle_reads_fd(int fd, uint32_t site);
void __heddle_reads_stream(void *stream, uint32_t site);
void __heddle_waits(uint32_t site);

/* The code at `caller` reads the descriptor.  If the code belongs to a library, the note names
 * the program's last call into a library; the program's own calls are counted by the hooks
 * above. */
void hd_note_library_reads(int fd, const void *caller);

#endif
