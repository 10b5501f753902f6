# Assembly of the runtime: room that a function makes on the stack begins as zeros.
#
# The compiler keeps the stack aligned by pushing a register that happens to be free, and makes room
# for variables by moving the stack pointer.  What lies there then is what others left behind: the
# owner of a lock when the thread came to it, say.  It is never read, but it is part of the stack, and
# so of the state that is compared (state.c): equal states would look different.
#
# Room is told from arguments of a call by the unwind information: after the former the compiler
# gives the distance to the frame, after the latter by how much it changed.  Large frames are left
# as they are.
function flush() {
    if (held == "")
        return
    if ($1 == ".cfi_def_cfa_offset") {
        for (; bytes > 0; bytes -= 8)
            print "\tpushq\t$0"
    } else {
        print held
    }
    held = ""
}
{ flush() }
/^\tpushq\t%rax$/ { held = $0; bytes = 8; next }
/^\tsubq\t\$(8|16|24|32|40|48|56|64), %rsp/ {
    held = $0
    bytes = substr($2, 2) + 0
    next
}
{ print }
END { flush() }
