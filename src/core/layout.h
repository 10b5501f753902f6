/* The layout of the tested program's address space.  Everything that heddle adds is in one
 * range, far from where systems put programs and libraries, so that one comparison shows that
 * an access is outside of it. */
#ifndef HD_CORE_LAYOUT_H
#define HD_CORE_LAYOUT_H

/* heddle's own; nothing of the tested program lies in [HD_OWN_BEGIN, HD_OWN_END). */
#define HD_OWN_BEGIN 0x010000000000ull
#define HD_TOOL_BASE 0x010000000000ull  /* the shared file */
#define HD_TOOL_BYTES 0x001000000000ull /* 64 GiB of address space; pages appear when touched */
#define HD_MODEL_BASE 0x012000000000ull /* model of threads, locks, heap: part of the world */
#define HD_LOG_BASE 0x014000000000ull   /* undo log, stack slices: the worker's own */
#define HD_TREE_BASE                                                                             \
    0x016000000000ull /* what several workers have in common (core/shared_tree.h) */
#define HD_TREE_BYTES 0x000800000000ull
#define HD_OWN_END 0x018000000000ull

/* Stacks of the threads, by thread: part of the world.  What ends with a thread is in one
 * stretch: below the guard of its stack lies its thread-local storage (runtime/tls.c). */
#define HD_STACK_BASE 0x020000000000ull
#define HD_STACK_STRIDE (1ull << 30) /* a stack and its guard */
#define HD_STACK_BYTES (8ull << 20)  /* if the program does not ask for more */
#define HD_STACK_MOST (HD_STACK_STRIDE / 2)

/* Heaps of the threads: part of the world.  A thread's is cut into regions by size. */
#define HD_HEAP_BASE 0x030000000000ull
#define HD_HEAP_STRIDE (64ull << 30) /* address space of one thread's heap */
#define HD_HEAP_REGION (2ull << 30)  /* address space of one class of sizes in it */
#define HD_HEAP_CLASSES 25
#define HD_HEAP_BYTES (256 * HD_HEAP_STRIDE) /* HD_MAX_THREADS of them */

#define HD_LAYOUT_END (HD_HEAP_BASE + HD_HEAP_BYTES)

/* Which bits of the heaps and of the stacks have a value: byte by byte, at a fixed distance
 * (runtime/undefined.h).  Part of the world. */
#define HD_HEAP_BITS 0x140000000000ull
#define HD_STACK_BITS 0x250000000000ull

/* Which bytes of the stacks belong to no variable: one byte for eight (runtime/zones.h).  Part
 * of the world. */
#define HD_STACK_ZONES 0x260000000000ull

/* Under a weak memory model: mappings of files that the program writes (runtime/mapping.c). */
#define HD_MAPPED_BASE 0x280000000000ull
#define HD_MAPPED_BYTES (1ull << 30)
#define HD_IS_MAPPED(addr) ((uint64_t)(addr) - HD_MAPPED_BASE < HD_MAPPED_BYTES)

/* Memory that may end before the process does: stacks and heaps. */
#define HD_MAY_END(addr) ((uint64_t)(addr) - HD_STACK_BASE < HD_LAYOUT_END - HD_STACK_BASE)

#endif
