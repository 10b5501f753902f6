/* The functions that instrumented code calls: the contract between src/instrument and
 * src/runtime.  Every `site` indexes the site table.
 *
 * Plain accesses of 1, 2, 4, 8, 16 bytes have a function each that *performs* the access and
 * returns or takes the value as an integer of that width (floats and pointers are cast).  Every
 * other width goes through __heddle_load_n/__heddle_store_n with a temporary.
 *
 *   iN   __heddle_load{1,2,4,8,16}(ptr a, i32 site)
 *   void __heddle_store{1,2,4,8,16}(ptr a, iN v, i32 site)
 *   void __heddle_load_n(ptr a, ptr into, i64 n, i32 site)
 *   void __heddle_store_n(ptr a, ptr from, i64 n, i32 site)
 *
 * Volatile accesses of these widths, which are plain or atomic as options.volatile_ok says:
 *   iN   __heddle_vload{1,2,4,8,16}(ptr a, i32 site)
 *   void __heddle_vstore{1,2,4,8,16}(ptr a, iN v, i32 site)
 *
 * Atomics (`order` is as in core/memory_order.h):
 *   iN   __heddle_aload{1,2,4,8,16}(ptr a, i32 order, i32 site)
 *   void __heddle_astore{1,2,4,8,16}(ptr a, iN v, i32 order, i32 site)
 *   iN   __heddle_rmw{1,2,4,8,16}(ptr a, iN v, i32 rmw, i32 order, i32 site)
 *        returns the old value; `rmw` is the LLVM-C LLVMAtomicRMWBinOp number (integer
 *        operations and xchg), with HD_RMW_UNUSED where nobody uses what it returns;
 *        floating-point read-modify-writes become a loop of __heddle_cas
 *   iN   __heddle_cas{1,2,4,8,16}(ptr a, iN expected, iN desired, i32 order, i32 site)
 *        returns the old value; success is old == expected, computed by the instrumented code
 *   i32  __heddle_cas_fails(i32 site)    before a weak one: HD_CAS_FAILS, to be added to its
 *        `order`, if it fails although the value is the expected one (--faults cas), or 0
 *   void __heddle_aload_n(ptr a, ptr into, i64 n, i32 order, i32 site)    of other widths
 *   void __heddle_astore_n(ptr a, ptr from, i64 n, i32 order, i32 site)
 *   void __heddle_will_rmw(ptr a, i64 n, i32 order, i32 site)    one is performed natively
 *   void __heddle_fence(i32 order, i32 site)
 *   void __heddle_barrier(i32 site)    before an atomic access of memory that no other thread
 *        sees, which is performed natively: to x86 (--memory tso) it is a full barrier
 *
 * Memory intrinsics, and memcpy/memmove/memset called by name:
 *   void __heddle_copy(ptr to, ptr from, i64 n, i32 site)      memcpy and memmove alike
 *   void __heddle_fill(ptr to, i8 byte, i64 n, i32 site)
 *
 * Notices, for what native code is about to do (a byval argument, a library call from
 * libc.def):
 *   void __heddle_will_read(ptr a, i64 n, i32 site)
 *   void __heddle_will_write(ptr a, i64 n, i32 site)
 *   void __heddle_may_write(ptr a, i64 n, i32 site)             a part of it: __heddle_defined
 *                                                               tells which, behind the call
 *   void __heddle_will_read_string(ptr a, i64 most, i32 site)   the bytes up to the NUL
 *
 * Accesses proven thread-local but in memory that a restore must bring back (thread_local
 * variables whose address does not escape): performed natively after
 *   void __heddle_keep(ptr a, i64 n)                            undo log only, no action
 *
 * Before every call of an external function the instrumenter stores the call's site into
 *   i32  __heddle_call_site                                     (a global of the runtime)
 * and around a call into uninstrumented code that may change state heddle does not see it calls
 *   void __heddle_opaque(i32 site)                              before: an action
 *   void __heddle_opaque_end(i32 site)                          after: the step that runs then
 *   void __heddle_opaque_stream(ptr stream, i32 site)           before and after, if it is not
 *   void __heddle_opaque_stream_end(ptr stream, i32 site)       a pipe or socket
 *
 * Before a library function that uses a stream or a directory:
 *   void __heddle_open(ptr object, i32 site)                    a violation if it was closed
 *
 * Before what the verdict has to name when it is reached (core/notes.h; `kind` is enum
 * hd_note_kind, the site's variable is the name of the function or instruction):
 *   void __heddle_reached(i32 kind, i32 site)
 *   void __heddle_reads_fd(i32 fd, i32 site)                    a note if it is standard input
 *   void __heddle_reads_stream(ptr stream, i32 site)
 *   void __heddle_shown(i64 value, i32 index, i32 size, i32 site)       a variable that the
 *                                                               assertion names which fails
 *   void __heddle_shown_pointer(ptr value, i32 index, i32 size, i32 site)
 *   void __heddle_waits(i32 site)                               a note if the wait that follows
 *                                                               cannot end without a signal
 *
 * Around every call from which a visible action may be reached it sets
 *   ptr  __heddle_frame                                         (a global of the runtime)
 * to the innermost of the running thread's records of such calls (core/frame.h) and back.
 *
 * Loops that only read, and so wait for another thread (instrument/await.c):
 *   void __heddle_spin(i32 site)                                in a loop that is never left
 *                                                               and does nothing
 *   void __heddle_await_begin()                                 a turn begins
 *   void __heddle_await_saw(ptr a, i64 n)                       after a load
 *   void __heddle_await_wrote(ptr a, i64 n, i32 unchanged)      after a read-modify-write
 *   void __heddle_await_tried(ptr object, i32 op, i32 in_vain)  after an attempt (trylock, …)
 *   void __heddle_await(i32 kind, i32 differs, i32 site)        the turn found nothing new;
 *                                                               kind: HD_AWAIT_*; differs: it
 *                                                               hands on something else than it
 *                                                               began with
 *
 * At the head of a loop in which a thread may retry without an effect (instrument/turns.c):
 *   void __heddle_turn()
 *   void __heddle_turn_plain()                                  it looks with plain loads only
 *
 * Before two pointers are compared for equality, either of which may be to the heap, in a
 * program that frees memory (instrument/compares.c):
 *   void __heddle_compared(ptr a, ptr b, i32 site)
 * and after memcmp() and bcmp(), which may have compared such pointers:
 *   void __heddle_compared_bytes(ptr a, ptr b, i64 n, i32 site)
 *
 * Where std::condition_variable compares the time with a deadline, in a program that does not
 * look at the clock otherwise (instrument/deadlines.c):
 *   i64  __heddle_now_after_wait()                              time after the last timed wait
 *
 * Where the source ends a path without a return (instrument/unreachable.c):
 *   void __heddle_unreachable(i32 site)                         a violation
 * What the optimiser finds out to be unreachable is an undefined instruction with the number
 * HD_TRAP_UNREACHABLE.
 *
 * Values that were never written (docs/design/014-shadow.md); bits that are set have no value:
 *   iN   __heddle_bits{1,2,4,8,16}(ptr a, i32 site)             of what a load has read
 *   void __heddle_bits_n(ptr a, ptr into, i64 n, i32 site)
 *   void __heddle_set_bits{1,2,4,8,16}(ptr a, iN bits)          after a store of such a value
 *   void __heddle_set_bits_n(ptr a, ptr bits, i64 n)
 *   void __heddle_copy_bits(ptr to, ptr from, i64 n)            after a copy
 *   void __heddle_declare(ptr a, i64 n)                         a local begins without a value
 *   void __heddle_defined(ptr a, i64 n)                         after a store without a hook
 *   void __heddle_defined_string(ptr a, i64 most)
 *   void __heddle_used(ptr a, i64 n, i32 site)                  a library function will read it
 *   void __heddle_used_string(ptr a, i64 most, i32 site)
 *   void __heddle_used_compared(ptr a, ptr b, i64 n, i32 how, i32 site)    up to a difference;
 *                                                               how: enum hd_comparison
 *   void __heddle_undefined(i32 use, i32 site, i32 origin)      an undefined value decides
 *   void __heddle_foreign_wrote(i32 site)                       unknown code may have written
 *   i64  __heddle_argument_bits[], __heddle_result_bits[]       globals of the runtime: of
 *                                                               arguments and results
 *
 * Memory of variables (runtime/zones.h):
 *   void __heddle_alive(ptr a, i64 n, i64 zone)                 a local with a zone begins; in
 *                                                               front of it are 16 bytes of
 *                                                               zone, 8 if there are fewer
 *                                                               than 16 behind it
 *   void __heddle_gone(ptr a, i64 n, i32 shared, i32 site)      and ends
 *   i64  __heddle_dynamic_room(i64 count, i64 each, i64 front, i32 site)   bytes to take for a
 *                                                               local of a size known only now
 *   void __heddle_dynamic_alive(ptr a, i64 count, i64 each)     it begins
 *   void __heddle_dynamic_gone(ptr up_to, i32 shared, i32 site) all between the stack pointer
 *                                                               and the address end
 *   void __heddle_alive_arguments(ptr list, i64 stacked)        after va_start
 *   i64  __heddle_stacked_bytes                                 global of the runtime: of the
 *                                                               arguments on the stack, set
 *                                                               before a variadic call
 *   void __heddle_unwound()                                     after landing pads and setjmp
 *   void __heddle_entered()                                     unknown code has called
 *   void __heddle_within(ptr a, i64 n, i32 site)                all of it must be allocated
 *   void __heddle_apart(ptr to, ptr from, i64 n, i32 site)     they must not overlap
 *   void __heddle_inside(ptr a, i64 n, ptr base, i64 size, i32 name, i32 site)    of a variable
 *   void __heddle_outside(ptr a, i64 n, ptr base, i64 size, i32 name, i32 site)   it does not
 *   void __heddle_outside_last(...)   the same, of an array at the end of a structure
 *   i64  __heddle_string_bytes(ptr text, i64 most)              with the NUL
 *
 * The program's `main` is renamed __heddle_main; the runtime supplies main. */
#ifndef HD_CORE_ABI_H
#define HD_CORE_ABI_H

#define HD_ABI_VERSION 122

#define HD_RMW_UNUSED 0x100u
#define HD_AWAIT_CARRIED 1u  /* the first turn of the loop differs from the others */
#define HD_AWAIT_PLAIN 2u    /* it reads shared memory with plain accesses */
#define HD_AWAIT_NO_EVENT 4u /* and does nothing else but pause */
/* Added to the order of a weak compare-exchange that fails spuriously. */
#define HD_CAS_FAILS 0x100u
#define HD_TRAP_UNREACHABLE 0x68

/* So many bytes on either side of a local belong to nobody, at least (8 of a local that is only
 * given to library functions).  The last 8 in front of it hold its name: the mark in the upper
 * half, its place in the table of strings in the lower one; the type (core/site.h) is the
 * string behind the name. */
#define HD_ZONE_BYTES 16
#define HD_ZONE_MARK 0x10ca1u

/* Entries of __heddle_argument_bits and __heddle_result_bits. */
#define HD_MAX_ARGUMENT_BITS 64
#define HD_MAX_RESULT_BITS 8

/* The program's own main, when a new one in front of it calls the constructors. */
#define HD_MAIN_BEHIND "main.program"

#endif
