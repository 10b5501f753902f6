/* Functions that are not modelled are an error with their line; in a plain run the library's
 * function is called.
 *
 * The functions have all kinds of arguments, so nothing here touches the arguments or the
 * stack, and the library's function returns to the caller. */
#include "runtime/rt.h"

void *__heddle_unsupported(const char *function);

/* The library's function. */
void *__heddle_unsupported(const char *function)
{
    char place[300];
    if (!hd_ready || rt->mode == HD_PLAIN)
        return hd_real(function);
    hd_site_text(hd_take_site(), place, sizeof place);
    hd_fatal("%s: %s() is not modelled by this version of heddle", place, function);
}

/* The six registers of arguments, and al, which counts those in vector registers (none of these
 * functions has any). */
#define HD_UNSUPPORTED(function)                                                                 \
    __asm__(".section .rodata\n.Lname_" #function ": .string \"" #function "\"\n.text\n"         \
            ".weak " #function "\n.type " #function ", @function\n" #function ":\n"              \
            "push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\npush %rax\n"        \
            "lea .Lname_" #function "(%rip), %rdi\ncall __heddle_unsupported\n"                  \
            "mov %rax, %r11\npop %rax\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\n"         \
            "pop %rdi\njmp *%r11\n.size " #function ", . - " #function "\n");
#include "runtime/unsupported.def"
