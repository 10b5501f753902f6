/* toy_ticket(): every call on a counter gets the next number. */
#include "runtime/rt.h"

int toy_ticket(void *counter);

int toy_ticket(void *counter)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = hd_sync_use(counter, HD_SYNC_SEM, "ticket counter", true, site);
    if (!rt->solo_fast)
        hd_act(HD_OP_TICKET, counter, NULL, 0, site);
    HD_SET(s->count, s->count + 1);
    return (int)s->count - 1;
}
