/* A raw futex call, for explorers that wait for another process: syscall() and errno belong to
 * the tested program. */
#ifndef HD_CORE_FUTEX_H
#define HD_CORE_FUTEX_H

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

static inline void hd_futex(uint32_t *word, long op, uint32_t value, const struct timespec *limit)
{
    long result;
    register const struct timespec *r10 __asm__("r10") = limit;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_futex), "D"(word), "S"(op), "d"((long)value), "r"(r10)
                     : "rcx", "r11", "memory");
}

#endif
