/* Switching between fibers (x86-64, System V).
 *
 * A parked fiber's sp points at this frame, lowest address first:
 *     mxcsr (4), x87 control word (4), 0, __heddle_frame, r15, r14, r13, r12, rbx, rbp, return
 *     address
 *
 * hd_point makes the frame even when the same thread goes on: the engine copies the stack from sp
 * upwards, and a copy brought back later must be one that hd_resume can go on with.  Across stacks
 * the return is a pop and a jump: a ret would be mispredicted every time.
 *
 * hd_stand makes that of a new thread, out of the way of which it runs itself.
 *
 * Where states are compared (hd_apart_top is not 0) the scheduler runs on the engine's stack instead of
 * the thread's: what it leaves there, such as numbers of steps, would become part of the frames
 * that the thread makes over it. */
#if !defined(__x86_64__)
#error "heddle's runtime has fibers for x86-64 only"
#endif
        .text
/* A debugger must not take what is in these registers for what the caller had in them. */
        .macro caller_saves
        .irp register, rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11
        .cfi_undefined %\register
        .endr
        .endm

/* The registers that a call leaves as they are, and the frame of the program: what a thread goes on with. */
        .macro push_local_state
        .irp register, rbp, rbx, r12, r13, r14, r15
        push %\register
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %\register, 0
        .endr
        pushq __heddle_frame(%rip)
        .cfi_adjust_cfa_offset 8
        .endm

        .globl hd_point
        .type hd_point, @function
hd_point:
        .cfi_startproc
        caller_saves
        push_local_state
        pushq $0
        .cfi_adjust_cfa_offset 8
        pushq $0 /* two of its bytes stay as they are: they are part of the state that is compared */
        .cfi_adjust_cfa_offset 8
        stmxcsr (%rsp)
        fnstcw 4(%rsp)
        .globl hd_parked /* heddle-gdb.py shows every parked fiber as if it stood here */
hd_parked:
        mov %rsp, %rdi
        mov hd_apart_top(%rip), %rax
        test %rax, %rax
        jne .Lapart
        call hd_engine_point
        cmp %rax, %rsp
        jne .Lacross
.Lsame:
        add $24, %rsp
        pop %r15
        pop %r14
        pop %r13
        pop %r12
        pop %rbx
        pop %rbp
        ret
.Lacross:
        mov %rax, %rsp
        ldmxcsr (%rsp)
        fldcw 4(%rsp)
        mov 16(%rsp), %rcx
        mov %rcx, __heddle_frame(%rip)
        mov 24(%rsp), %r15
        mov 32(%rsp), %r14
        mov 40(%rsp), %r13
        mov 48(%rsp), %r12
        mov 56(%rsp), %rbx
        mov 64(%rsp), %rbp
        mov 72(%rsp), %rcx
        add $80, %rsp
        jmp *%rcx
.Lapart:
        mov %rsp, %rbx
        .cfi_def_cfa_register %rbx
        mov %rax, %rsp
        call hd_engine_point
        cmp %rax, %rbx
        jne .Lacross
        mov %rbx, %rsp
        .cfi_def_cfa_register %rsp
        jmp .Lsame
        .cfi_endproc
        .size hd_point, . - hd_point

/* The head of a loop (turns.c).  All registers that the loop may use across the call are on the stack
 * then, so the stack from there on is the whole local state of the thread. */
        .globl __heddle_turn_plain
        .type __heddle_turn_plain, @function
__heddle_turn_plain:
        .cfi_startproc
        cmpl $0, hd_turns_plain(%rip)
        jne __heddle_turn
        ret
        .cfi_endproc
        .size __heddle_turn_plain, . - __heddle_turn_plain

        .globl __heddle_turn
        .type __heddle_turn, @function
__heddle_turn:
        .cfi_startproc
        push_local_state
        mov %rsp, %rdi
        call hd_turn
        add $8, %rsp
        .cfi_adjust_cfa_offset -8
        .irp register, r15, r14, r13, r12, rbx, rbp
        pop %\register
        .cfi_adjust_cfa_offset -8
        .endr
        ret
        .cfi_endproc
        .size __heddle_turn, . - __heddle_turn

        .globl hd_depart
        .type hd_depart, @function
hd_depart:
        .cfi_startproc
        .cfi_undefined %rip
        mov %rsp, %rdi
        and $-16, %rsp
        mov hd_apart_top(%rip), %rax
        test %rax, %rax
        cmovne %rax, %rsp
        call hd_engine_point
        jmp .Lacross
        .cfi_endproc
        .size hd_depart, . - hd_depart

        .globl hd_back
        .type hd_back, @function
hd_back:
        .cfi_startproc
        .cfi_undefined %rip
        and $-16, %rsp
        mov hd_apart_top(%rip), %rax
        test %rax, %rax
        cmovne %rax, %rsp
        call hd_engine_point
        jmp .Lacross
        .cfi_endproc
        .size hd_back, . - hd_back

        .globl hd_stand
        .type hd_stand, @function
hd_stand:
        .cfi_startproc
        .cfi_undefined %rip
        mov hd_apart_top(%rip), %rax
        sub $128, %rsp
        and $-16, %rsp
        test %rax, %rax
        cmovne %rax, %rsp
        call hd_engine_stand
        jmp .Lacross
        .cfi_endproc
        .size hd_stand, . - hd_stand

        .globl hd_fast_path_apart
        .type hd_fast_path_apart, @function
hd_fast_path_apart:
        .cfi_startproc
        push %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        mov %rsp, %rbx
        .cfi_def_cfa_register %rbx
        mov %rsp, %rdi
        mov hd_apart_top(%rip), %rsp
        call hd_engine_fast_path_apart
        mov %rbx, %rsp
        .cfi_def_cfa_register %rsp
        pop %rbx
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_endproc
        .size hd_fast_path_apart, . - hd_fast_path_apart

        .globl hd_resume
        .type hd_resume, @function
hd_resume:
        .cfi_startproc
        mov %rdi, %rax
        jmp .Lacross
        .cfi_endproc
        .size hd_resume, . - hd_resume

        .globl hd_enter_engine
        .type hd_enter_engine, @function
hd_enter_engine:
        .cfi_startproc
        .cfi_undefined %rip
        mov %rdx, %rsp
        xor %ebp, %ebp
        call hd_engine_loop
        ud2
        .cfi_endproc
        .size hd_enter_engine, . - hd_enter_engine

        .globl hd_fiber_start
        .type hd_fiber_start, @function
hd_fiber_start:
        .cfi_startproc
        .cfi_undefined %rip
        xor %ebp, %ebp
        call *%rbx
        ud2
        .cfi_endproc
        .size hd_fiber_start, . - hd_fiber_start

/* Call the routine in rdi with the argument in rsi.  A function may push a register that it does
 * not use, to align its frame: what is in it must not tell which thread this is. */
        .globl hd_call_routine
        .type hd_call_routine, @function
hd_call_routine:
        .cfi_startproc
        mov %rdi, %r11
        mov %rsi, %rdi
        xor %eax, %eax
        xor %ecx, %ecx
        xor %edx, %edx
        xor %esi, %esi
        xor %r8d, %r8d
        xor %r9d, %r9d
        xor %r10d, %r10d
        jmp *%r11
        .cfi_endproc
        .size hd_call_routine, . - hd_call_routine

        .section .note.GNU-stack,"",@progbits
