/* longjmp: return to a function of the same thread that has not ended.
 *
 * glibc keeps the stack pointer of setjmp's caller in the buffer, xored with a secret of the
 * thread and rotated.  Frames on a stack of the program's own (makecontext) are not checked. */
#include "runtime/memory.h"

#include <setjmp.h>

enum { SAVED_SP = 6, ROTATED = 17 };

static uint64_t saved_sp(const void *buffer)
{
    uint64_t mangled, secret;
    hd_view_load(rt->cur, (const uint64_t *)buffer + SAVED_SP, &mangled, sizeof mangled);
    __asm__("mov %%fs:0x30, %0" : "=r"(secret));
    return (mangled >> ROTATED | mangled << (64 - ROTATED)) ^ secret;
}

static uint64_t stack_of(uint64_t sp) { return (sp - HD_STACK_BASE) / HD_STACK_STRIDE; }

static void check(const void *buffer, uint64_t sp, uint32_t site)
{
    if (!hd_ready || !rt->engine_top)
        return;
    const struct __jmp_buf_tag *b = buffer;
    hd_check_range(b, offsetof(struct __jmp_buf_tag, __saved_mask), HD_OP_READ, site);
    int was_saved;
    hd_view_load(rt->cur, &b->__mask_was_saved, &was_saved, sizeof was_saved);
    if (was_saved) /* otherwise it may be the shorter buffer of a cleanup handler */
        hd_check_range(&b->__saved_mask, sizeof b->__saved_mask, HD_OP_READ, site);
    if (hd_thread_now()->n_interrupted) { /* what is interrupted would be waited for for ever */
        char place[300];
        hd_site_text(site, place, sizeof place);
        hd_fatal("%s: longjmp or pthread_exit in a handler that another thread's signal runs is "
                 "not modelled by this version of heddle",
                 place);
    }
    uint64_t to = saved_sp(buffer);
    if (stack_of(sp) != rt->cur)
        return;
    if (stack_of(to) < HD_MAX_THREADS && stack_of(to) != rt->cur)
        hd_violation(HD_KIND_CRASH, site, "longjmp to where another thread called setjmp");
    if (stack_of(to) == rt->cur && to < sp)
        hd_violation(HD_KIND_CRASH, site,
                     "longjmp into a function that has returned since it called setjmp");
}

typedef void jump_fn(void *, int) __attribute__((noreturn));

#define JUMP(name)                                                                               \
    void name(struct __jmp_buf_tag buffer[1], int value)                                         \
    {                                                                                            \
        uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);                         \
        check(buffer, here, hd_take_site());                                                     \
        ((jump_fn *)(uintptr_t)hd_real(#name))(buffer, value);                                   \
    }
void __longjmp_chk(struct __jmp_buf_tag buffer[1], int value) __attribute__((noreturn));
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
