# Stubs for LLVM's functions, as assembly: nm -u OBJECTS | awk -f llvm.awk
#
# To load libLLVM and the libraries that it needs takes 15 ms, and most runs of heddle compile nothing.  So heddle is not linked
# with it: each function of LLVM that is called is a jump through a slot.  All slots lead to llvm_first at first, which lets
# llvm.c load the library and fill them.  The registers of arguments are kept meanwhile.
NF > 1 && $(NF - 1) == "U" && $NF ~ /^LLVM/ && !($NF in seen) { seen[$NF]; name[n++] = $NF }

END {
    print ".section .rodata"
    print ".globl hd_llvm_names, hd_llvm_count"
    print "hd_llvm_names:"
    for (i = 0; i < n; i++)
        printf "    .asciz \"%s\"\n", name[i]
    printf ".balign 4\nhd_llvm_count: .long %d\n", n
    print ".data\n.balign 8\n.globl hd_llvm_slots\nhd_llvm_slots:"
    for (i = 0; i < n; i++)
        printf "    .quad first_%d\n", i
    print ".text"
    for (i = 0; i < n; i++)
        printf ".globl %s\n.type %s, @function\n%s: jmp *hd_llvm_slots+%d(%%rip)\nfirst_%d: push $%d\n    jmp llvm_first\n",
            name[i], name[i], name[i], 8 * i, i, i
    split("rax rdi rsi rdx rcx r8 r9", kept)
    print "llvm_first:"
    for (i = 1; i <= 7; i++)
        printf "    push %%%s\n", kept[i]
    print "    sub $136, %rsp" # which aligns the stack
    for (i = 0; i < 8; i++)
        printf "    movups %%xmm%d, %d(%%rsp)\n", i, 16 * i
    print "    call hd_llvm_load"
    for (i = 0; i < 8; i++)
        printf "    movups %d(%%rsp), %%xmm%d\n", 16 * i, i
    print "    add $136, %rsp"
    for (i = 7; i >= 1; i--)
        printf "    pop %%%s\n", kept[i]
    print "    pop %r11\n    lea hd_llvm_slots(%rip), %r10\n    jmp *(%r10, %r11, 8)"
    print ".section .note.GNU-stack, \"\", @progbits"
}
