/* A runtime that only does what the hooks say and tells of it: one line per hook that was called
 * from a function whose name begins with t_, on stderr.  With it the rewritten program must
 * compute what the source says, and the lines must be the accesses that the source makes. */
#include "core/abi.h"
#include "core/memory_order.h"
#include "core/notes.h"
#include "core/site.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct hd_site __start_heddle_sites[], __stop_heddle_sites[];
extern const char __start_heddle_strings[];
extern const struct hd_program_info __start_heddle_info[];
int __heddle_main(int argc, char **argv, char **envp);

enum { NOT_ATOMIC = -1 };

uint32_t __heddle_call_site;
const void *__heddle_frame;

static const struct hd_site *site_of(uint32_t id)
{
    if (id == 0 || __start_heddle_sites + id >= __stop_heddle_sites) {
        fprintf(stderr, "site %u does not exist\n", id);
        exit(99);
    }
    return &__start_heddle_sites[id];
}

/* Of an atomic access.  A compare-exchange may acquire less when it fails. */
static const char *order_word(const char *what, int order)
{
    bool less = strcmp(what, "cas") == 0 && !(order & HD_ORDER_FAIL_ACQUIRE);
    switch (order & 7) {
    case HD_ORDER_ACQUIRE:
        return less ? "acquire/relaxed" : "acquire";
    case HD_ORDER_RELEASE:
        return less ? "release/relaxed" : "release";
    case HD_ORDER_ACQUIRE | HD_ORDER_RELEASE:
        return less ? "acq_rel/relaxed" : "acq_rel";
    case HD_ORDER_RELAXED:
        return "relaxed";
    default:
        return less ? "seq_cst/relaxed" : "seq_cst";
    }
}

/* `order`: NOT_ATOMIC, or as in core/memory_order.h. */
static void tell(const char *what, uint64_t size, int order, uint32_t id)
{
    const struct hd_site *site = site_of(id);
    if (strncmp(__start_heddle_strings + site->function, "t_", 2) != 0)
        return;
    fprintf(stderr, "event %s %llu %s", what, (unsigned long long)size,
            __start_heddle_strings + site->variable);
    if (order != NOT_ATOMIC)
        fprintf(stderr, " %s", order_word(what, order));
    fprintf(stderr, " line %u\n", site->line);
}

void __heddle_await_begin(void);
void __heddle_turn(void);
void __heddle_await_saw(const void *a, uint64_t n);
void __heddle_await_wrote(const void *a, uint64_t n, uint32_t unchanged);
void __heddle_await(uint32_t kind, uint32_t differs, uint32_t site);

void __heddle_await_begin(void) {}
void __heddle_turn(void) {}
void __heddle_await_saw(const void *a, uint64_t n)
{
    (void)a;
    (void)n;
}
void __heddle_await_wrote(const void *a, uint64_t n, uint32_t unchanged)
{
    (void)a;
    (void)n;
    (void)unchanged;
}
void __heddle_await(uint32_t kind, uint32_t differs, uint32_t site)
{
    const char *what = differs ? "await-differs" : kind & 1 ? "await-carried" : "await";
    tell(what, 0, NOT_ATOMIC, site);
}

#define RMW(type, signed_type)                                                                   \
    static type rmw_##type(type old, type v, uint32_t op)                                        \
    {                                                                                            \
        switch (op) {                                                                            \
        case 0:                                                                                  \
            return v;                                                                            \
        case 1:                                                                                  \
            return (type)(old + v);                                                              \
        case 2:                                                                                  \
            return (type)(old - v);                                                              \
        case 3:                                                                                  \
            return (type)(old & v);                                                              \
        case 4:                                                                                  \
            return (type) ~(old & v);                                                            \
        case 5:                                                                                  \
            return (type)(old | v);                                                              \
        case 6:                                                                                  \
            return (type)(old ^ v);                                                              \
        case 7:                                                                                  \
            return (signed_type)old > (signed_type)v ? old : v;                                  \
        case 8:                                                                                  \
            return (signed_type)old < (signed_type)v ? old : v;                                  \
        case 9:                                                                                  \
            return old > v ? old : v;                                                            \
        case 10:                                                                                 \
            return old < v ? old : v;                                                            \
        default:                                                                                 \
            abort();                                                                             \
        }                                                                                        \
    }

#define WIDTH(type, signed_type, bytes)                                                          \
    RMW(type, signed_type)                                                                       \
    type __heddle_load##bytes(const void *a, uint32_t site);                                     \
    type __heddle_load##bytes(const void *a, uint32_t site)                                      \
    {                                                                                            \
        type v;                                                                                  \
        tell("read", bytes, NOT_ATOMIC, site);                                                   \
        memcpy(&v, a, bytes);                                                                    \
        return v;                                                                                \
    }                                                                                            \
    void __heddle_store##bytes(void *a, type v, uint32_t site);                                  \
    void __heddle_store##bytes(void *a, type v, uint32_t site)                                   \
    {                                                                                            \
        tell("write", bytes, NOT_ATOMIC, site);                                                  \
        memcpy(a, &v, bytes);                                                                    \
    }                                                                                            \
    type __heddle_vload##bytes(const void *a, uint32_t site);                                    \
    type __heddle_vload##bytes(const void *a, uint32_t site)                                     \
    {                                                                                            \
        return __heddle_load##bytes(a, site);                                                    \
    }                                                                                            \
    void __heddle_vstore##bytes(void *a, type v, uint32_t site);                                 \
    void __heddle_vstore##bytes(void *a, type v, uint32_t site)                                  \
    {                                                                                            \
        __heddle_store##bytes(a, v, site);                                                       \
    }                                                                                            \
    type __heddle_aload##bytes(const void *a, uint32_t order, uint32_t site);                    \
    type __heddle_aload##bytes(const void *a, uint32_t order, uint32_t site)                     \
    {                                                                                            \
        type v;                                                                                  \
        tell("atomic-read", bytes, (int)order, site);                                            \
        memcpy(&v, a, bytes);                                                                    \
        return v;                                                                                \
    }                                                                                            \
    void __heddle_astore##bytes(void *a, type v, uint32_t order, uint32_t site);                 \
    void __heddle_astore##bytes(void *a, type v, uint32_t order, uint32_t site)                  \
    {                                                                                            \
        tell("atomic-write", bytes, (int)order, site);                                           \
        memcpy(a, &v, bytes);                                                                    \
    }                                                                                            \
    type __heddle_rmw##bytes(void *a, type v, uint32_t op, uint32_t order, uint32_t site);       \
    type __heddle_rmw##bytes(void *a, type v, uint32_t op, uint32_t order, uint32_t site)        \
    {                                                                                            \
        type old, new;                                                                           \
        tell(op &HD_RMW_UNUSED ? "rmw-unused" : "rmw", bytes, (int)order, site);                 \
        memcpy(&old, a, bytes);                                                                  \
        new = rmw_##type(old, v, op & ~HD_RMW_UNUSED);                                           \
        memcpy(a, &new, bytes);                                                                  \
        return old;                                                                              \
    }                                                                                            \
    type __heddle_cas##bytes(void *a, type expected, type desired, uint32_t order,               \
                             uint32_t site);                                                     \
    type __heddle_cas##bytes(void *a, type expected, type desired, uint32_t order,               \
                             uint32_t site)                                                      \
    {                                                                                            \
        type old;                                                                                \
        tell("cas", bytes, (int)order, site);                                                    \
        memcpy(&old, a, bytes);                                                                  \
        if (old == expected)                                                                     \
            memcpy(a, &desired, bytes);                                                          \
        return old;                                                                              \
    }

uint32_t __heddle_cas_fails(uint32_t site);
uint32_t __heddle_cas_fails(uint32_t site)
{
    tell("weak", 0, NOT_ATOMIC, site);
    return 0;
}

typedef unsigned __int128 uint128;
typedef __int128 int128;
WIDTH(uint8_t, int8_t, 1)
WIDTH(uint16_t, int16_t, 2)
WIDTH(uint32_t, int32_t, 4)
WIDTH(uint64_t, int64_t, 8)
WIDTH(uint128, int128, 16)

void __heddle_load_n(const void *a, void *into, uint64_t n, uint32_t site);
void __heddle_load_n(const void *a, void *into, uint64_t n, uint32_t site)
{
    tell("read", n, NOT_ATOMIC, site);
    memmove(into, a, n);
}

void __heddle_store_n(void *a, const void *from, uint64_t n, uint32_t site);
void __heddle_store_n(void *a, const void *from, uint64_t n, uint32_t site)
{
    tell("write", n, NOT_ATOMIC, site);
    memmove(a, from, n);
}

void __heddle_aload_n(const void *a, void *into, uint64_t n, uint32_t order, uint32_t site);
void __heddle_aload_n(const void *a, void *into, uint64_t n, uint32_t order, uint32_t site)
{
    tell("atomic-read", n, (int)order, site);
    memmove(into, a, n);
}

void __heddle_astore_n(void *a, const void *from, uint64_t n, uint32_t order, uint32_t site);
void __heddle_astore_n(void *a, const void *from, uint64_t n, uint32_t order, uint32_t site)
{
    tell("atomic-write", n, (int)order, site);
    memmove(a, from, n);
}

void __heddle_will_rmw(void *a, uint64_t n, uint32_t order, uint32_t site);
void __heddle_will_rmw(void *a, uint64_t n, uint32_t order, uint32_t site)
{
    (void)a;
    tell("rmw", n, (int)order, site);
}

void __heddle_copy(void *to, const void *from, uint64_t n, uint32_t site);
void __heddle_copy(void *to, const void *from, uint64_t n, uint32_t site)
{
    tell("copy", n, NOT_ATOMIC, site);
    memmove(to, from, n);
}

void __heddle_fill(void *to, uint8_t byte, uint64_t n, uint32_t site);
void __heddle_fill(void *to, uint8_t byte, uint64_t n, uint32_t site)
{
    tell("fill", n, NOT_ATOMIC, site);
    memset(to, byte, n);
}

void __heddle_will_read(const void *a, uint64_t n, uint32_t site);
void __heddle_will_read(const void *a, uint64_t n, uint32_t site)
{
    (void)a;
    if (n)
        tell("will-read", n, NOT_ATOMIC, site);
}

void __heddle_will_write(void *a, uint64_t n, uint32_t site);
void __heddle_will_write(void *a, uint64_t n, uint32_t site)
{
    (void)a;
    if (n)
        tell("will-write", n, NOT_ATOMIC, site);
}

void __heddle_will_read_string(const char *a, uint64_t most, uint32_t site);
void __heddle_will_read_string(const char *a, uint64_t most, uint32_t site)
{
    uint64_t n = strnlen(a, most);
    tell("will-read", n < most ? n + 1 : n, NOT_ATOMIC, site);
}

void __heddle_keep(void *a, uint64_t n);
void __heddle_keep(void *a, uint64_t n)
{
    (void)a;
    fprintf(stderr, "event keep %llu\n", (unsigned long long)n);
}

void __heddle_opaque(uint32_t site);
void __heddle_opaque(uint32_t site) { tell("opaque", 0, NOT_ATOMIC, site); }
void __heddle_opaque_end(uint32_t site);
void __heddle_opaque_end(uint32_t site) { tell("opaque-end", 0, NOT_ATOMIC, site); }
void __heddle_opaque_stream(const void *stream, uint32_t site);
void __heddle_opaque_stream(const void *stream, uint32_t site)
{
    (void)stream;
    __heddle_opaque(site);
}
void __heddle_opaque_stream_end(const void *stream, uint32_t site);
void __heddle_opaque_stream_end(const void *stream, uint32_t site)
{
    (void)stream;
    __heddle_opaque_end(site);
}

void __heddle_fence(uint32_t order, uint32_t site);
void __heddle_fence(uint32_t order, uint32_t site) { tell("fence", 0, (int)order, site); }
void __heddle_barrier(uint32_t site);
void __heddle_barrier(uint32_t site) { tell("barrier", 0, NOT_ATOMIC, site); }

/* What was reached that the verdict would name; places of one kind are counted once. */
static uint32_t reached[1024], n_reached, n_places[HD_NOTE_COUNT];

void __heddle_reached(uint32_t kind, uint32_t site);
void __heddle_reached(uint32_t kind, uint32_t site)
{
    const char *name = __start_heddle_strings + site_of(site)->variable;
    for (uint32_t i = 0; i < n_reached; i++)
        if (reached[i] == site)
            return;
    reached[n_reached++ % 1024] = site;
    n_places[kind]++;
    if (kind == HD_NOTE_EXTERNAL)
        fprintf(stderr, "info external %s\n", name);
    if (kind == HD_NOTE_UNCONTROLLED)
        fprintf(stderr, "info uncontrolled %s\n", name);
    if (kind == HD_NOTE_RANDOM || kind == HD_NOTE_TIME || kind == HD_NOTE_INPUT)
        fprintf(stderr, "info outside %s\n", name);
}

void __heddle_reads_fd(int fd, uint32_t site);
void __heddle_reads_fd(int fd, uint32_t site)
{
    if (fd == 0)
        __heddle_reached(HD_NOTE_INPUT, site);
}

void __heddle_reads_stream(void *stream, uint32_t site);
void __heddle_reads_stream(void *stream, uint32_t site)
{
    if (stream == stdin)
        __heddle_reached(HD_NOTE_INPUT, site);
}

/* Which bytes have a value, and whose they are: all do, and everything is the program's. */
uint64_t __heddle_argument_bits[HD_MAX_ARGUMENT_BITS];
uint64_t __heddle_result_bits[HD_MAX_RESULT_BITS];
uint8_t __heddle_bits1(const void *a, uint32_t site);
uint8_t __heddle_bits1(const void *a, uint32_t site) { return a && site ? 0 : 0; }
void __heddle_set_bits1(void *a, uint8_t bits);
void __heddle_set_bits1(void *a, uint8_t bits) { (void)a, (void)bits; }
uint16_t __heddle_bits2(const void *a, uint32_t site);
uint16_t __heddle_bits2(const void *a, uint32_t site) { return a && site ? 0 : 0; }
void __heddle_set_bits2(void *a, uint16_t bits);
void __heddle_set_bits2(void *a, uint16_t bits) { (void)a, (void)bits; }
uint32_t __heddle_bits4(const void *a, uint32_t site);
uint32_t __heddle_bits4(const void *a, uint32_t site) { return a && site ? 0 : 0; }
void __heddle_set_bits4(void *a, uint32_t bits);
void __heddle_set_bits4(void *a, uint32_t bits) { (void)a, (void)bits; }
uint64_t __heddle_bits8(const void *a, uint32_t site);
uint64_t __heddle_bits8(const void *a, uint32_t site) { return a && site ? 0 : 0; }
void __heddle_set_bits8(void *a, uint64_t bits);
void __heddle_set_bits8(void *a, uint64_t bits) { (void)a, (void)bits; }
unsigned __int128 __heddle_bits16(const void *a, uint32_t site);
unsigned __int128 __heddle_bits16(const void *a, uint32_t site) { return a && site ? 0 : 0; }
void __heddle_set_bits16(void *a, unsigned __int128 bits);
void __heddle_set_bits16(void *a, unsigned __int128 bits) { (void)a, (void)bits; }
void __heddle_bits_n(const void *a, void *into, uint64_t n, uint32_t site);
void __heddle_bits_n(const void *a, void *into, uint64_t n, uint32_t site)
{
    (void)a, (void)site;
    memset(into, 0, n);
}
uint64_t __heddle_string_bytes(const char *text, uint64_t most);
uint64_t __heddle_string_bytes(const char *text, uint64_t most)
{
    uint64_t n = strnlen(text, most);
    return n < most ? n + 1 : n;
}
void __heddle_set_bits_n(void *a, const void *bits, uint64_t n);
void __heddle_set_bits_n(void *a, const void *bits, uint64_t n) { (void)a, (void)bits, (void)n; }
void __heddle_copy_bits(void *to, const void *from, uint64_t n);
void __heddle_copy_bits(void *to, const void *from, uint64_t n) { (void)to, (void)from, (void)n; }
void __heddle_declare(void *a, uint64_t n);
void __heddle_declare(void *a, uint64_t n) { (void)a, (void)n; }
void __heddle_defined(void *a, uint64_t n);
void __heddle_defined(void *a, uint64_t n) { (void)a, (void)n; }
void __heddle_defined_string(char *a, uint64_t most);
void __heddle_defined_string(char *a, uint64_t most) { (void)a, (void)most; }
void __heddle_used(const void *a, uint64_t n, uint32_t site);
void __heddle_used(const void *a, uint64_t n, uint32_t site) { (void)a, (void)n, (void)site; }
void __heddle_used_string(const char *a, uint64_t most, uint32_t site);
void __heddle_used_string(const char *a, uint64_t most, uint32_t site)
{
    (void)a, (void)most, (void)site;
}
void __heddle_foreign_wrote(void);
void __heddle_foreign_wrote(void) {}
void __heddle_unwound(void);
void __heddle_unwound(void) {}
void __heddle_entered(void);
void __heddle_entered(void) {}
void __heddle_alive(void *a, uint64_t n, uint64_t zone);
void __heddle_alive(void *a, uint64_t n, uint64_t zone) { (void)a, (void)n, (void)zone; }
void __heddle_gone(void *a, uint64_t n, uint32_t shared, uint32_t site);
void __heddle_gone(void *a, uint64_t n, uint32_t shared, uint32_t site)
{
    (void)a, (void)n, (void)shared, (void)site;
}
uint64_t __heddle_dynamic_room(uint64_t count, uint64_t each, uint64_t front, uint32_t site);
uint64_t __heddle_dynamic_room(uint64_t count, uint64_t each, uint64_t front, uint32_t site)
{
    (void)site;
    return count * each + front;
}
void __heddle_dynamic_alive(void *a, uint64_t count, uint64_t each);
void __heddle_dynamic_alive(void *a, uint64_t count, uint64_t each)
{
    (void)a, (void)count, (void)each;
}
void __heddle_dynamic_gone(void *up_to, uint32_t shared, uint32_t site);
void __heddle_dynamic_gone(void *up_to, uint32_t shared, uint32_t site)
{
    (void)up_to, (void)shared, (void)site;
}
void __heddle_alive_arguments(const void *list, uint64_t stacked);
void __heddle_alive_arguments(const void *list, uint64_t stacked) { (void)list, (void)stacked; }
uint64_t __heddle_stacked_bytes;
void __heddle_inside(const void *a, uint64_t n, const void *base, uint64_t size, uint32_t name,
                     uint32_t site);
void __heddle_inside(const void *a, uint64_t n, const void *base, uint64_t size, uint32_t name,
                     uint32_t site)
{
    (void)a, (void)n, (void)base, (void)size, (void)name, (void)site;
}
void __heddle_may_write(void *a, uint64_t n, uint32_t site);
void __heddle_may_write(void *a, uint64_t n, uint32_t site) { (void)a, (void)n, (void)site; }
void __heddle_used_compared(const char *a, const char *b, uint64_t n, uint32_t how,
                            uint32_t site);
void __heddle_used_compared(const char *a, const char *b, uint64_t n, uint32_t how, uint32_t site)
{
    (void)a, (void)b, (void)n, (void)how, (void)site;
}
void __heddle_open(const void *object, uint32_t site);
void __heddle_open(const void *object, uint32_t site) { (void)object, (void)site; }
void __heddle_within(const void *a, uint64_t n, uint32_t site);
void __heddle_within(const void *a, uint64_t n, uint32_t site) { (void)a, (void)n, (void)site; }
void __heddle_undefined(uint32_t use, uint32_t site, uint32_t origin);
void __heddle_undefined(uint32_t use, uint32_t site, uint32_t origin)
{
    (void)use, (void)origin;
    tell("undefined", 0, NOT_ATOMIC, site);
}
void __heddle_outside(const void *a, uint64_t n, const void *base, uint64_t size, uint32_t name,
                      uint32_t site);
void __heddle_outside(const void *a, uint64_t n, const void *base, uint64_t size, uint32_t name,
                      uint32_t site)
{
    (void)a, (void)base, (void)size, (void)name;
    tell("outside", n, NOT_ATOMIC, site);
}

/* What the information section says, and what was reached, for the cases that ask. */
static void tell_info(void)
{
    const struct hd_program_info *info = __start_heddle_info;
    const char *unseen = __start_heddle_strings + info->unseen;
    for (uint32_t i = 0; i < info->n_unseen; i++, unseen += strlen(unseen) + 1)
        fprintf(stderr, "info unseen %s\n", unseen);
    fprintf(stderr, "info weak %u\n", n_places[HD_NOTE_WEAK]);
    fprintf(stderr, "info assembly %u\n", n_places[HD_NOTE_ASSEMBLY]);
}

extern char **environ;

int main(int argc, char **argv)
{
    if (__start_heddle_info->magic != HD_PROGRAM_MAGIC ||
        __start_heddle_info->n_sites != (uint32_t)(__stop_heddle_sites - __start_heddle_sites))
        exit(98);
    atexit(tell_info);
    return __heddle_main(argc, argv, environ);
}
