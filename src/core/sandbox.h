/* Keeps the effects of a tested program inside its process: a filter of system calls
 * (seccomp), which the kernel applies to every `syscall` instruction, in any code.  Once the
 * program runs, only the runtime's own instruction can open files for writing, or change names
 * and properties of files, unless the program has no private view of them (--files off).
 *
 * The worker gets it twice: before it becomes the program (so that it holds for constructors
 * and libraries; not where the program has none, supervise/program_start.h), and, with new
 * processes refused as well, before the program's main.  A
 * refused call is a SIGSYS (SECCOMP_RET_TRAP), which the runtime makes an error with its line.
 *
 * Where the kernel has Landlock with scopes (Linux 6.12), the process also enters a domain of
 * its own: then /proc/PID/mem of other processes is closed to it, too. */
#ifndef HD_CORE_SANDBOX_H
#define HD_CORE_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

/* For the calling process, for ever.  `running`: the program is about to begin.  `after`:
 * where the one system call returns to that may change files; NULL: all may.  Returns 0, or
 * the number of the error: there is no filter then.  May be called between vfork and exec. */
int hd_sandbox_enter(bool running, const char *after);

/* Does the kernel have such filters? */
bool hd_sandbox_available(void);

/* "kill", or NULL for a system call that is not in the table. */
const char *hd_sandbox_name(int32_t number);

#endif
