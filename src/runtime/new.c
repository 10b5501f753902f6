/* new and delete of C++: blocks of the same heap, marked with their family. */
#include "runtime/heap.h"
#include "runtime/memory.h"

#include <stdlib.h>

/* libstdc++'s, when the program is C++. */
extern _Noreturn void _ZSt17__throw_bad_allocv(void) __attribute__((weak));

/* Throwing changes the library's state. */
static _Noreturn void throw_bad_alloc(void)
{
    __heddle_opaque_end(0);
    if (_ZSt17__throw_bad_allocv)
        _ZSt17__throw_bad_allocv();
    abort();
}

static void *made(void *block)
{
    if (!block)
        throw_bad_alloc();
    return block;
}

#define CALLER __builtin_return_address(0)
#define TAKE(n, alignment, family) (HD_HEAP_FAILS() ? NULL : hd_heap_take(n, alignment, family))

/* The names are those of the C++ ABI: n is new, d delete, w one object, a an array; then the
 * parameters: m size, St11align_val_t alignment, RKSt9nothrow_t nothrow. */
#define NEW(name, family)                                                                        \
    void *_Zn##name##m(size_t n);                                                                \
    void *_Zn##name##m(size_t n) { return made(TAKE(n, 16, family)); }                           \
    void *_Zn##name##mRKSt9nothrow_t(size_t n, const void *nothrow);                             \
    void *_Zn##name##mRKSt9nothrow_t(size_t n, const void *nothrow)                              \
    {                                                                                            \
        (void)nothrow;                                                                           \
        return TAKE(n, 16, family);                                                              \
    }                                                                                            \
    void *_Zn##name##mSt11align_val_t(size_t n, size_t alignment);                               \
    void *_Zn##name##mSt11align_val_t(size_t n, size_t alignment)                                \
    {                                                                                            \
        return made(TAKE(n, alignment, family));                                                 \
    }                                                                                            \
    void *_Zn##name##mSt11align_val_tRKSt9nothrow_t(size_t n, size_t alignment,                  \
                                                    const void *nothrow);                        \
    void *_Zn##name##mSt11align_val_tRKSt9nothrow_t(size_t n, size_t alignment,                  \
                                                    const void *nothrow)                         \
    {                                                                                            \
        (void)nothrow;                                                                           \
        return TAKE(n, alignment, family);                                                       \
    }
NEW(w, HD_FAMILY_NEW)
NEW(a, HD_FAMILY_NEW_ARRAY)

#define DELETE(name, family, word)                                                               \
    void name(void *p);                                                                          \
    void name(void *p) { hd_heap_free(p, family, word, CALLER); }
#define DELETES(name, family, word)                                                              \
    DELETE(name, family, word)                                                                   \
    DELETE(name##m, family, word)                                                                \
    DELETE(name##RKSt9nothrow_t, family, word)                                                   \
    DELETE(name##St11align_val_t, family, word)                                                  \
    DELETE(name##mSt11align_val_t, family, word)                                                 \
    DELETE(name##St11align_val_tRKSt9nothrow_t, family, word)
DELETES(_ZdlPv, HD_FAMILY_NEW, "delete")
DELETES(_ZdaPv, HD_FAMILY_NEW_ARRAY, "delete[]")
