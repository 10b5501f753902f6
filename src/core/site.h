/* The site table: where in the source every instrumented instruction stands.
 *
 * The instrumenter writes six sections into the executable; the runtime reads them through the
 * linker's __start_/__stop_ symbols, the command line tool through the ELF file:
 *
 *   heddle_info      one struct hd_program_info
 *   heddle_sites     struct hd_site[n_sites]; index = site id; id 0 is "not known"
 *   heddle_strings   NUL-terminated strings; offset 0 is the empty string
 *   heddle_points    uint32_t[n_sites]: the number of the site's instruction in that module
 *                    (analyse/code.h), ~0 when it has none
 *   heddle_wakers    struct hd_site_wakers[n_sites]
 *   heddle_flows     uint32_t first[n_sites * HD_FLOWS + 1], and the lists that these begin:
 *                    the words [first[k], first[k + 1]) with k = site * HD_FLOWS + flow are
 *                    sites that read what it is made of; 0: something else is part of it
 *   heddle_module    the analysed module before instrumentation, as bitcode
 *
 * All fields are offsets and numbers, no pointers: the bytes mean the same in the file and in
 * memory. */
#ifndef HD_CORE_SITE_H
#define HD_CORE_SITE_H

#include <stdint.h>

#define HD_SECTION_INFO "heddle_info"
#define HD_SECTION_SITES "heddle_sites"
#define HD_SECTION_STRINGS "heddle_strings"
#define HD_SECTION_MODULE "heddle_module"
#define HD_SECTION_POINTS "heddle_points"
#define HD_SECTION_WAKERS "heddle_wakers"
#define HD_SECTION_FLOWS "heddle_flows"

#define HD_PROGRAM_MAGIC 0x31656c6464656800ull /* "\0heddle1" */

#define HD_PROPERTIES_ASKED 1u /* the end of a thread that is detached by then is a step */
#define HD_PROPERTIES_END 2u   /* the end of any: others detach it, or ask by number */

struct hd_program_info {
    uint64_t magic;
    uint32_t abi; /* HD_ABI_VERSION of the instrumenter; must equal the runtime's */
    uint32_t n_sites;
    uint32_t n_strings; /* bytes of heddle_strings */
    uint32_t n_unseen;
    uint32_t n_filters, n_searches; /* that its runtime has: rows of the tables in core */
    uint8_t build_id[16]; /* of the module and the flags that shape it: same sources, same id */
    /* String offset of the first of n_unseen consecutive strings: functions whose effects are
     * not known, and which may be called through a pointer without a note (core/notes.h). */
    uint32_t unseen;
    uint32_t reads_clock; /* its behaviour may depend on the time */
    uint32_t awaits;      /* loops wait for what others write */
    uint32_t cancels; /* threads may be cancelled, by the program or by code that is not here */
    uint32_t deletes_keys;       /* of thread-specific data, so that using one is an action */
    uint32_t adds_exit_handlers; /* any thread may, while another leaves main */
    /* The time of a thread's end may matter to others than its joiner: some threads are
     * cancelled, sent signals, or joined if they have ended. */
    uint32_t looks_at_ends;
    uint32_t compares;      /* memory may decide an outcome: compare-exchange, waiting loop */
    uint32_t locks_streams; /* flockfile, so that output waits for the thread that has it */
    /* A thread is the object of other calls than joins: pthread_cancel, pthread_kill. */
    uint32_t uses_threads;
    /* Names, scheduling or attributes of other threads are asked for or set (HD_PROPERTIES_*):
     * the id must be that of a thread then, and joining or detaching it is a step on them. */
    uint32_t uses_properties;
    uint32_t asks_mappings; /* whether memory is mapped: msync, mprotect and their like */
    uint32_t opens_files;   /* so that descriptors have numbers that are the kernel's */
    uint32_t handles;       /* sends signals and installs handlers */
    uint32_t requeues;      /* may move threads from one futex to another */
    uint32_t tries_locks;   /* may ask whether a mutex is locked without waiting for it */
    /* May use objects that threads wait for, beside variables and the ends of threads.  It says
     * which search is the faster one, nothing else. */
    uint32_t has_objects;
    uint32_t all_accesses; /* no access was left out because others do not conflict with it */
    /* String offset: where it looks at an address of a thread's own memory as a number
     * (analyse/alike.h); 0: nowhere. */
    uint32_t told_apart;
};

struct hd_site {
    uint32_t file; /* string offsets */
    uint32_t function;
    uint32_t variable; /* what the source calls the object, "" when not known */
    uint32_t line;
    uint16_t column;
    uint8_t op;    /* enum hd_op of a memory site or fence; HD_OP_NONE for a call site */
    uint8_t order; /* of an atomic access or fence: HD_SITE_ORDERED and the order of the source
                      (core/memory_order.h); otherwise 0 */
    uint32_t size; /* of a memory site; of a call site 0, or HD_SITE_… */
    uint32_t type; /* string offset: of a call, the type of what its result points to; of a
                      memory site, that of the value */
    uint32_t nth;  /* with HD_SITE_ORDERED: of several that one macro has made, which have one
                      line and column */
};

/* A type is `app::node@12@96@list.h`: its name, the line of its declaration, its bytes, the
 * last name of the file.  An array has its dimensions in front: `[4][8]node@12@96@list.h`; 0
 * is a dimension that is not known.  "" is a type that is not known, and HD_TYPE_RETURNED says
 * that the calling function returns the pointer: its own call may know the type. */
#define HD_TYPE_RETURNED "^"
/* The value at a memory site is a pointer. */
#define HD_TYPE_POINTER "*"

#define HD_SITE_ORDERED 0x10u

#define HD_SITE_OWN_RESULT                                                                       \
    1u /* what takes the result (a pthread_t) is the calling thread's own */
#define HD_SITE_BACKS_OFF                                                                        \
    2u /* an attempt inside std::lock, which begins again if that attempt fails */

/* What comes from somewhere (analyse/flow.h). */
enum hd_flow_of {
    HD_FLOW_VALUE,   /* what a write stores; of a failing assertion, its condition */
    HD_FLOW_ADDRESS, /* where an access goes */
    HD_FLOW_GUARD,   /* the branches on the way to an access, a wait or a failing assertion */
    HD_FLOWS
};

/* The calls that may end a wait (analyse/wakers.h).  Calls that wake others have a bit each;
 * from the 32nd on they share one. */
struct hd_site_wakers {
    /* Those that may be made from here on, by the function, by what it calls and by threads
     * that are started meanwhile. */
    uint32_t ahead;
    uint32_t by;    /* of a call that waits for others: those that may wake it */
    uint32_t waits; /* it is such a call, and `by` is all */
    uint32_t tail;  /* HD_TAIL_… */
};

#define HD_TAIL_READS 1u /* from here on its thread only reads (analyse/tails.h) */
#define HD_TAIL_JOINS 2u /* from here on it does nothing but to join others */

#endif
