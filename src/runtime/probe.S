/* uint64_t hd_probe(const void *at, const void *last, bool writes): is every page of [at, last]
 * there?  Returns ~0, or the first address that is not.  A fault between hd_probe and hd_probe_failed
 * makes violation.c go on at hd_probe_failed.  A write puts back what it finds: only one thread runs. */
        .text
        .globl hd_probe
        .type hd_probe, @function
hd_probe:
        .cfi_startproc
        test %edx, %edx
        jne .Lwrites
.Lreads:
        movb (%rdi), %al
        add $4096, %rdi
        and $-4096, %rdi
        cmp %rsi, %rdi
        jbe .Lreads
        mov $-1, %rax
        ret
.Lwrites:
        orb $0, (%rdi)
        add $4096, %rdi
        and $-4096, %rdi
        cmp %rsi, %rdi
        jbe .Lwrites
        mov $-1, %rax
        ret
        .globl hd_probe_failed
hd_probe_failed:
        mov %rdi, %rax
        ret
        .cfi_endproc
        .size hd_probe, . - hd_probe
        .section .note.GNU-stack, "", @progbits
