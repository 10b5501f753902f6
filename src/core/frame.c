#include "core/frame.h"

#include "base/hash.h"

uint32_t hd_stacks_keep(struct hd_stacks *stacks, uint32_t around, uint32_t site)
{
    uint32_t *head = &stacks->heads[hd_hash_mix((uint64_t)around << 32 | site) % HD_STACK_HEADS];
    for (uint32_t i = *head; i; i = stacks->calls[i].next)
        if (stacks->calls[i].around == around && stacks->calls[i].site == site)
            return i;
    if (stacks->n == 0)
        stacks->n = 1;
    if (stacks->n == HD_MAX_STACKS)
        return around;
    stacks->calls[stacks->n] = (struct hd_kept_call){ around, site, *head };
    return *head = stacks->n++;
}

uint32_t hd_stacks_get(const struct hd_kept_call *calls, uint32_t n, uint32_t stack,
                       uint32_t *sites, uint32_t most)
{
    uint32_t found = 0;
    while (stack && stack < n && found < most) {
        sites[found++] = calls[stack].site;
        if (calls[stack].around >= stack)
            break;
        stack = calls[stack].around;
    }
    return found;
}
