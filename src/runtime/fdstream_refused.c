/* Functions of the library that do not know streams of pipes and sockets (fdstream.h): such a
 * call is an error with its line.  Otherwise the library's function goes on with the registers
 * that it was called with (unsupported.c). */
#include "runtime/fdstream_find.h"
#include "runtime/rt.h"

void *__heddle_stream_refused(const void *a, const void *b, const void *c, const void *d,
                              const char *function);

/* The library's function. */
void *__heddle_stream_refused(const void *a, const void *b, const void *c, const void *d,
                              const char *function)
{
    const void *const all[] = { a, b, c, d };
    for (unsigned i = 0; i < 4; i++)
        hd_fdstream_refuse(all[i], function, __heddle_call_site);
    return hd_real(function);
}

/* Registers hold whatever the function has no argument for, which is no address of a stream
 * but by accident: `arguments` is how many of the four are meant. */
#define REFUSED(function, arguments)                                                             \
    __asm__(".section .rodata\n.Lstream_" #function ": .string \"" #function "\"\n.text\n"       \
            ".weak " #function "\n.type " #function ", @function\n" #function ":\n"              \
            "push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\n"                             \
            ".if " #arguments " < 2\nxor %esi, %esi\n.endif\n"                                   \
            ".if " #arguments " < 3\nxor %edx, %edx\n.endif\n"                                   \
            ".if " #arguments " < 4\nxor %ecx, %ecx\n.endif\n"                                   \
            "lea .Lstream_" #function "(%rip), %r8\ncall __heddle_stream_refused\n"              \
            "mov %rax, %r11\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\njmp *%r11\n"       \
            ".size " #function ", . - " #function "\n");
REFUSED(fseek, 1)
REFUSED(fseeko, 1)
REFUSED(fseeko64, 1)
REFUSED(ftell, 1)
REFUSED(ftello, 1)
REFUSED(ftello64, 1)
REFUSED(rewind, 1)
REFUSED(fgetpos, 1)
REFUSED(fgetpos64, 1)
REFUSED(fsetpos, 1)
REFUSED(fsetpos64, 1)
REFUSED(fwide, 1)
REFUSED(fgetwc, 1)
REFUSED(fputwc, 2)
REFUSED(putwc, 2)
REFUSED(fgetws, 3)
REFUSED(fputws, 2)
REFUSED(ungetwc, 2)
REFUSED(getw, 1)
REFUSED(putw, 2)
REFUSED(__fpurge, 1)
REFUSED(__fpending, 1)
REFUSED(__fbufsize, 1)
REFUSED(__fsetlocking, 1)
