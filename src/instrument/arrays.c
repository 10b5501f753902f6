/* The length of the array that an expression `a[i]` indexes. clang writes it as an address
 * computation with the type of the array, `getelementptr [3 x i32], ptr %row, i64 0, i64 %i`,
 * whatever the array is part of, so the type gives the length.
 *
 * An array at the end of a structure may be longer than its declaration says, if the program
 * has allocated more (the struct hack).  One that is declared with less than two elements has
 * no length here; a longer one may exceed its length if it lies in a block of the heap. */
#include "instrument/bounds.h"

static bool is_gep(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

static bool is_array(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMArrayTypeKind; }

static bool is_struct(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMStructTypeKind; }

static uint64_t size_of(struct hd_pass *p, LLVMTypeRef type)
{
    return LLVMTypeIsSized(type) ? LLVMABISizeOfType(p->layout, type) : 0;
}

static uint64_t length_of(struct hd_pass *p, LLVMTypeRef array)
{
    uint64_t element = size_of(p, LLVMGetElementType(array));
    return element ? size_of(p, array) / element : 0;
}

/* Is the address that of a row of an array of arrays, or of an element of an array? */
static bool is_element(LLVMValueRef pointer, LLVMTypeRef element)
{
    if (!is_gep(pointer))
        return false;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    return is_array(type) && (LLVMGetElementType(type) == element || type == element);
}

/* Is the address that of a member of a structure?  *last: no other follows it. */
static bool is_member(LLVMValueRef pointer, bool *last)
{
    if (!is_gep(pointer) || LLVMGetNumOperands(pointer) != 3)
        return false;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    LLVMValueRef field = LLVMGetOperand(pointer, 2);
    if (!is_struct(type) || !LLVMIsAConstantInt(field))
        return false;
    *last = LLVMConstIntGetZExtValue(field) + 1 >= LLVMCountStructElementTypes(type) &&
            !is_element(LLVMGetOperand(pointer, 0), type);
    return true;
}

uint64_t hd_arrays_length(struct hd_pass *p, LLVMValueRef gep, LLVMValueRef *index, bool *grows)
{
    LLVMTypeRef array = LLVMGetGEPSourceElementType(gep);
    LLVMValueRef first = LLVMGetOperand(gep, 1), base = LLVMGetOperand(gep, 0);
    if (!is_array(array) || LLVMGetNumOperands(gep) != 3 || !LLVMIsAConstantInt(first) ||
        LLVMConstIntGetSExtValue(first) != 0)
        return 0;
    uint64_t length = length_of(p, array);
    bool last = false, member = is_member(base, &last);
    *index = LLVMGetOperand(gep, 2);
    *grows = member && last;
    bool certain = (member && !last) || is_element(base, array);
    return length > 1 || certain ? length : 0;
}

/* The array of characters at the beginning of the variable, of its first member, or of its
 * first element. */
static uint64_t first_text(struct hd_pass *p, LLVMTypeRef type)
{
    for (;;) {
        if (is_array(type) && LLVMGetElementType(type) == p->i8)
            return length_of(p, type) > 1 ? length_of(p, type) : 0;
        if (is_array(type))
            type = LLVMGetElementType(type);
        else if (is_struct(type) && LLVMCountStructElementTypes(type) > 0)
            type = LLVMStructGetTypeAtIndex(type, 0);
        else
            return 0;
    }
}

uint64_t hd_arrays_text(struct hd_pass *p, LLVMValueRef pointer, LLVMValueRef *base)
{
    LLVMValueRef index;
    bool grows;
    *base = pointer;
    if (LLVMIsAGlobalVariable(pointer))
        return first_text(p, LLVMGlobalGetValueType(pointer));
    if (!is_gep(pointer))
        return 0;
    if (LLVMIsAConstantExpr(pointer)) { /* `a[1].name': the last steps are omitted */
        LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
        LLVMValueRef last = LLVMGetOperand(pointer, (unsigned)LLVMGetNumOperands(pointer) - 1);
        if (LLVMGetNumOperands(pointer) == 2)
            return first_text(p, type);
        if (LLVMGetNumOperands(pointer) != 3 || !LLVMIsAConstantInt(last))
            return 0;
        if (is_struct(type))
            return first_text(
                p, LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(last)));
        if (is_array(type) && LLVMGetElementType(type) != p->i8)
            return first_text(p, LLVMGetElementType(type));
    }
    uint64_t length = hd_arrays_length(p, pointer, &index, &grows);
    *base = LLVMGetOperand(pointer, 0);
    return length && !grows ? size_of(p, LLVMGetGEPSourceElementType(pointer)) : 0;
}
