#include "analyse/objects.h"

#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 6, MOST_PLACES = 512 };

/* An array around a place: [begin, end) in the object, elements of `element` bytes. */
struct level {
    uint64_t begin, end, element;
};

struct path {
    struct level levels[MOST_LEVELS];
    unsigned n;
    uint64_t offset; /* folded */
    bool deep;       /* more levels than fit */
};

void hd_objects_init(struct hd_objects *objects, LLVMTargetDataRef layout)
{
    *objects = (struct hd_objects){ .layout = layout };
    hd_u64map_init(&objects->by_place);
    hd_ptrmap_init(&objects->by_value);
    uint32_t unknown = hd_objects_add(
        objects, (struct hd_abstract){ .kind = HD_OBJECT_UNKNOWN, .escaped = true });
    if (hd_objects_location(objects, unknown, HD_ANYWHERE) != HD_UNKNOWN_LOCATION)
        hd_bug("analyse: the unknown is not location 0");
}

void hd_objects_release(struct hd_objects *objects)
{
    free(objects->items);
    free(objects->locations);
    hd_u64map_release(&objects->by_place);
    hd_ptrmap_release(&objects->by_value);
}

uint32_t hd_objects_add(struct hd_objects *objects, struct hd_abstract object)
{
    if (objects->n == objects->room) {
        objects->room = objects->room ? objects->room * 2 : 256;
        objects->items = hd_realloc(objects->items, objects->room * sizeof *objects->items);
    }
    if (object.value && hd_ptrmap_get(&objects->by_value, object.value) == NULL)
        *hd_ptrmap_put(&objects->by_value, object.value) = objects->n;
    objects->items[objects->n] = object;
    return objects->n++;
}

uint32_t hd_objects_find(const struct hd_objects *objects, LLVMValueRef value)
{
    const uint64_t *id = hd_ptrmap_get(&objects->by_value, value);
    return id ? (uint32_t)*id : HD_NO_POINT;
}

static void enter(struct path *path, uint64_t begin, uint64_t end, uint64_t element)
{
    if (path->n == MOST_LEVELS) {
        path->deep = true;
        return;
    }
    path->levels[path->n++] = (struct level){ begin, end, element };
}

static uint64_t array_length(LLVMTypeRef type)
{
#if LLVM_VERSION_MAJOR >= 17
    return LLVMGetArrayLength2(type);
#else
    return LLVMGetArrayLength(type);
#endif
}

/* Descends into the type; false when the offset lies outside. */
static bool descend(const struct hd_objects *objects, LLVMTypeRef type, uint64_t base,
                    uint64_t offset, struct path *path)
{
    while (type) {
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        if (kind == LLVMStructTypeKind) {
            if (LLVMIsOpaqueStruct(type) || offset >= LLVMABISizeOfType(objects->layout, type))
                break;
            unsigned i = LLVMElementAtOffset(objects->layout, type, offset);
            uint64_t start = LLVMOffsetOfElement(objects->layout, type, i);
            base += start;
            offset -= start;
            type = LLVMStructGetTypeAtIndex(type, i);
        } else if (kind == LLVMArrayTypeKind) {
            uint64_t n = array_length(type);
            type = LLVMGetElementType(type);
            uint64_t element = LLVMABISizeOfType(objects->layout, type);
            if (element == 0)
                break;
            if (n && offset >= n * element)
                break;
            enter(path, base, n ? base + n * element : UINT64_MAX, element);
            offset %= element;
        } else {
            break;
        }
    }
    path->offset = base + offset;
    return true;
}

/* False: the offset is nowhere in the object. */
static bool find_path(const struct hd_objects *objects, const struct hd_abstract *object,
                      int64_t offset, struct path *path)
{
    *path = (struct path){ 0 };
    uint64_t at = (uint64_t)offset;
    if (object->period) {
        int64_t period = (int64_t)object->period;
        at = (uint64_t)(((offset % period) + period) % period);
        enter(path, 0, UINT64_MAX, object->period);
    } else if (offset < 0 || (object->bytes && at > object->bytes)) {
        return false;
    }
    return descend(objects, object->type, 0, at, path);
}

uint32_t hd_objects_location(struct hd_objects *objects, uint32_t object, int64_t offset)
{
    struct path path;
    uint32_t folded = HD_ANYWHERE;
    if (offset != HD_ANYWHERE && object != HD_UNKNOWN_OBJECT &&
        objects->items[object].kind != HD_OBJECT_VARIADIC &&
        find_path(objects, &objects->items[object], offset, &path) && !path.deep &&
        path.offset < HD_ANYWHERE)
        folded = (uint32_t)path.offset;
    if (folded != HD_ANYWHERE && objects->items[object].n_places >= MOST_PLACES &&
        !hd_u64map_get(&objects->by_place, (uint64_t)object << 32 | folded))
        folded = HD_ANYWHERE;
    bool is_new;
    uint32_t *location = hd_u64map_put(&objects->by_place, (uint64_t)object << 32 | folded,
                                       &is_new);
    if (!is_new)
        return *location;
    if (objects->n_locations == objects->location_room) {
        objects->location_room = objects->location_room ? objects->location_room * 2 : 256;
        objects->locations = hd_realloc(objects->locations,
                                        objects->location_room * sizeof *objects->locations);
    }
    struct hd_abstract *item = &objects->items[object];
    objects->locations[objects->n_locations] = (struct hd_location){ object, folded,
                                                                     item->last_place };
    item->n_places++;
    item->last_place = objects->n_locations;
    *location = objects->n_locations;
    return objects->n_locations++;
}

/* Does an index with that stride stay among the elements of an array around the place? */
static bool strides_fold(const struct hd_abstract *object, const struct path *path,
                         const struct hd_offset *by)
{
    for (uint32_t i = 0; i < by->n_strides; i++) {
        bool folds = object->bytes && object->bytes <= by->strides[i];
        for (unsigned k = 0; k < path->n && !folds; k++)
            folds = by->strides[i] % path->levels[k].element == 0;
        if (!folds)
            return false;
    }
    return true;
}

/* A constant move of a pointer to any element of an array must not leave the array: its target
 * would depend on the element.  A pointer to something larger than the elements is no pointer
 * to an element; it only has the address of the first one. */
static bool leaves(const struct path *path, uint64_t at, const struct hd_offset *by)
{
    for (unsigned k = 0; k < path->n; k++) {
        const struct level *level = &path->levels[k];
        int64_t target = (int64_t)at + by->constant;
        if (level->end == UINT64_MAX && level->begin == 0)
            continue;
        if (by->constant > 0 && level->element < by->source)
            continue;
        if (target < (int64_t)level->begin || (uint64_t)target >= level->end)
            return true;
    }
    return false;
}

uint32_t hd_objects_move(struct hd_objects *objects, uint32_t location,
                         const struct hd_offset *by)
{
    struct hd_location from = objects->locations[location];
    const struct hd_abstract *object = &objects->items[from.object];
    struct path path, target;
    if (from.offset == HD_ANYWHERE || object->kind == HD_OBJECT_FUNCTION)
        return location;
    int64_t to = (int64_t)from.offset + by->constant;
    if (by->anywhere || !find_path(objects, object, from.offset, &path) || path.deep ||
        (by->constant != 0 && leaves(&path, from.offset, by)) ||
        !find_path(objects, object, to, &target) || !strides_fold(object, &target, by))
        return hd_objects_location(objects, from.object, HD_ANYWHERE);
    return hd_objects_location(objects, from.object, to);
}

bool hd_objects_range(const struct hd_objects *objects, uint32_t location, uint64_t bytes,
                      uint64_t *begin, uint64_t *end)
{
    struct hd_location at = objects->locations[location];
    struct path path;
    if (at.offset == HD_ANYWHERE || bytes == 0 ||
        !find_path(objects, &objects->items[at.object], at.offset, &path))
        return false;
    *begin = at.offset;
    *end = at.offset + bytes;
    /* From the innermost array outwards: part of one element, or a run of elements.  Beyond an
     * array that the place stands in, where the access begins is not known any more. */
    bool beyond = false;
    for (unsigned k = path.n; k-- > 0;) {
        const struct level *level = &path.levels[k];
        if (!beyond && *end <= level->begin + level->element)
            return true;
        if (bytes > level->end - *begin) {
            beyond = true;
            continue;
        }
        *begin = level->begin;
        *end = level->begin + level->element;
        return true;
    }
    return path.n == 0;
}

uint64_t hd_objects_element(const struct hd_objects *objects, uint32_t location)
{
    struct hd_location at = objects->locations[location];
    struct path path;
    if (at.offset == HD_ANYWHERE ||
        !find_path(objects, &objects->items[at.object], at.offset, &path))
        return 1;
    return path.n ? path.levels[0].element : 0;
}
