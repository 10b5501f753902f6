#include "supervise/program_start.h"

#include "supervise/fork_server.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Constructors of the runtime and of the compiler's start-up files. */
#define OWN_CONSTRUCTORS 2
#define OWN_INIT_BYTES 27 /* of crti.o and crtn.o */

/* Libraries whose constructors leave nothing that workers would have in common: no open files,
 * no threads. */
static bool is_known_library(const char *name)
{
    static const char *const known[] = { "libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2" };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return false;
}

/* Does it need no other libraries than those? */
static bool needs_known_libraries(const struct hd_program *program)
{
    size_t bytes, text_bytes;
    const char *entries = hd_program_section(program, ".dynamic", &bytes);
    const char *text = hd_program_section(program, ".dynstr", &text_bytes);
    if (!entries || !text || text_bytes == 0 || text[text_bytes - 1] != 0)
        return false;
    for (size_t at = 0; at + sizeof(Elf64_Dyn) <= bytes; at += sizeof(Elf64_Dyn)) {
        Elf64_Dyn entry;
        memcpy(&entry, entries + at, sizeof entry);
        if (entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_PREINIT_ARRAY ||
            (entry.d_tag == DT_NEEDED &&
             (entry.d_un.d_val >= text_bytes || !is_known_library(text + entry.d_un.d_val))))
            return false;
    }
    return true;
}

/* Functions that the dynamic linker calls while it relocates the program (ifunc), and code in
 * the section of the start-up files. */
static bool runs_while_loaded(const struct hd_program *program)
{
    static const char *const tables[] = { ".rela.dyn", ".rela.plt" };
    size_t bytes = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const char *entries = hd_program_section(program, tables[i], &bytes);
        for (size_t at = 0; entries && at + sizeof(Elf64_Rela) <= bytes;
             at += sizeof(Elf64_Rela)) {
            Elf64_Rela entry;
            memcpy(&entry, entries + at, sizeof entry);
            if (ELF64_R_TYPE(entry.r_info) == R_X86_64_IRELATIVE)
                return true;
        }
    }
    return hd_program_section(program, ".init", &bytes) && bytes > OWN_INIT_BYTES;
}

/* Does nothing but the runtime run before main, in a program whose runtime has a server? */
static bool begins_with_main(const struct hd_program *program)
{
    size_t bytes;
    uint64_t address;
    struct hd_err ignored;
    return !getenv("LD_PRELOAD") && !getenv("LD_AUDIT") &&
           hd_program_section(program, ".init_array", &bytes) &&
           bytes == OWN_CONSTRUCTORS * sizeof(uint64_t) && needs_known_libraries(program) &&
           !runs_while_loaded(program) &&
           hd_program_function(program, "hd_fork_server", &address, &ignored) == 0;
}

int hd_program_start(const struct hd_program *program, struct hd_worker *worker,
                     char *const *args, struct hd_err *err)
{
    struct hd_fork_server *server = hd_program_server(program);
    if (!server->judged)
        server->useless = !begins_with_main(program);
    server->judged = true;
    return hd_worker_start(worker, server, hd_program_path(program), args, err);
}
