/* Abstract objects, and places in them.
 *
 * An object is a variable, a function, or everything that one allocation makes.  A *location*
 * is an object and a byte offset, or the object and HD_ANYWHERE.  Elements of an array are one:
 * an offset inside an array is brought back to the array's first element, on every level that
 * the object's type shows.
 *
 * Invariants:
 *  1. Offsets in locations are folded (hd_objects_fold).
 *  2. Folding with a wrong type is coarse, never wrong: the type is only a partition of
 *     offsets, and what can't be shown to stay in its class becomes HD_ANYWHERE. The exception
 *     is C's own rule: an index into an array does not leave the array.
 *  3. Location 0 is the unknown: memory of code that is not here, and every escaped object. */
#ifndef HD_ANALYSE_OBJECTS_H
#define HD_ANALYSE_OBJECTS_H

#include "analyse/code.h"
#include "base/u64map.h"

#define HD_ANYWHERE UINT32_MAX
#define HD_UNKNOWN_OBJECT 0u
#define HD_UNKNOWN_LOCATION 0u

enum hd_object_kind {
    HD_OBJECT_UNKNOWN,
    HD_OBJECT_LIBRARY, /* kept by the library: thread-specific values, results */
    HD_OBJECT_GLOBAL,
    HD_OBJECT_THREAD, /* a thread_local variable: one abstract object for all threads */
    HD_OBJECT_FUNCTION,
    HD_OBJECT_STACK,
    HD_OBJECT_HEAP,
    HD_OBJECT_VARIADIC, /* the unnamed arguments of a function */
};

struct hd_abstract {
    enum hd_object_kind kind;
    LLVMValueRef value; /* the variable, function, alloca, allocating call or byval parameter */
    LLVMTypeRef type;   /* of the object, or of one element; NULL: not known */
    uint64_t bytes;     /* 0: not known */
    uint64_t
        period; /* bytes of an element when the object is an array; 0: it isn't, or not known */
    uint32_t n_places;   /* offsets in use */
    uint32_t last_place; /* location; 0: none */
    uint32_t any, sum;   /* nodes: what was stored anywhere; all that it holds.  0: not made */
    bool escaped;        /* code that is not here may reach it */
};

struct hd_location {
    uint32_t object, offset;
    uint32_t before; /* another location of the object; 0: none */
};

struct hd_objects {
    LLVMTargetDataRef layout;
    struct hd_abstract *items;
    uint32_t n, room;
    struct hd_location *locations;
    uint32_t n_locations, location_room;
    struct hd_u64map by_place; /* object, offset -> location */
    struct hd_ptrmap by_value;
};

void hd_objects_init(struct hd_objects *objects, LLVMTargetDataRef layout);
void hd_objects_release(struct hd_objects *objects);

/* A new object; fields that are zero in `object` stay so. */
uint32_t hd_objects_add(struct hd_objects *objects, struct hd_abstract object);

/* The object that the value (a variable, function, alloca, call…) makes; HD_NO_POINT: none. */
uint32_t hd_objects_find(const struct hd_objects *objects, LLVMValueRef value);

/* The location of that offset, folded; HD_ANYWHERE is an offset too. */
uint32_t hd_objects_location(struct hd_objects *objects, uint32_t object, int64_t offset);

/* How a pointer moves: a constant, and variable indices by their strides. */
enum { HD_MOST_STRIDES = 4 };
struct hd_offset {
    int64_t constant;
    uint64_t source; /* bytes of what the pointer is taken to point to; 1: not known */
    uint32_t n_strides;
    bool anywhere; /* more strides than fit, or not computable */
    uint64_t strides[HD_MOST_STRIDES];
};

/* Where a pointer to `location` points after the move. */
uint32_t hd_objects_move(struct hd_objects *objects, uint32_t location,
                         const struct hd_offset *by);

/* The bytes [*begin, *end) that an access of `bytes` bytes there touches, as offsets of this
 * module; false: any byte of the object.  0 bytes: as many as there are. */
bool hd_objects_range(const struct hd_objects *objects, uint32_t location, uint64_t bytes,
                      uint64_t *begin, uint64_t *end);

/* The size of an element of the outermost array that the place stands in; 0: in none. */
uint64_t hd_objects_element(const struct hd_objects *objects, uint32_t location);

#endif
