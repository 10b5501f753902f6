/* What a thread of the interpreter's machine is about to do, in heddle's words. */
#include "direct.h"

#include "core/touch.h"

static enum hd_op op_of(const struct world *w, uint32_t t, const struct orc_code *c)
{
    bool own = c->object < ORC_MAX_MUTEXES && w->state.owner[c->object] == t;
    bool again = own && w->m->program->mutexes[c->object] == ORC_RECURSIVE;
    static const uint16_t ops[] = {
        [ORC_V_START] = HD_OP_START,
        [ORC_V_EXIT] = HD_OP_EXIT,
        [ORC_V_END] = HD_OP_END,
        [ORC_V_READ] = HD_OP_READ,
        [ORC_V_WRITE] = HD_OP_WRITE,
        [ORC_V_COPY] = HD_OP_COPY,
        [ORC_V_FILL] = HD_OP_WRITE,
        [ORC_V_WRITE_OBS] = HD_OP_WRITE,
        [ORC_V_RMW] = HD_OP_RMW,
        [ORC_V_CAS] = HD_OP_CAS,
        [ORC_V_LOCK] = HD_OP_LOCK,
        [ORC_V_UNLOCK] = HD_OP_UNLOCK,
        [ORC_V_TRYLOCK] = HD_OP_TRYLOCK,
        [ORC_V_WAIT] = HD_OP_WAIT,
        [ORC_V_RELOCK] = HD_OP_RELOCK,
        [ORC_V_SIGNAL] = HD_OP_SIGNAL,
        [ORC_V_BROADCAST] = HD_OP_BROADCAST,
        [ORC_V_TIMEDLOCK] = HD_OP_TIMEDLOCK,
        [ORC_V_TIMEDWAIT] = HD_OP_TIMEDWAIT,
        [ORC_V_WAKE] = HD_OP_WAKE,
        [ORC_V_CLOCK] = HD_OP_SLEEP,
        [ORC_V_RDLOCK] = HD_OP_RDLOCK,
        [ORC_V_WRLOCK] = HD_OP_WRLOCK,
        [ORC_V_RWUNLOCK] = HD_OP_RWUNLOCK,
        [ORC_V_TRYRDLOCK] = HD_OP_TRYRDLOCK,
        [ORC_V_TRYWRLOCK] = HD_OP_TRYWRLOCK,
        [ORC_V_SEM_WAIT] = HD_OP_SEM_WAIT,
        [ORC_V_SEM_POST] = HD_OP_SEM_POST,
        [ORC_V_SEM_TRYWAIT] = HD_OP_SEM_TRYWAIT,
        [ORC_V_ARRIVE] = HD_OP_ARRIVE,
        [ORC_V_LEAVE] = HD_OP_LEAVE,
        [ORC_V_CHOOSE] = HD_OP_CHOOSE,
        [ORC_V_YIELD] = HD_OP_YIELD,
        [ORC_V_CREATE] = HD_OP_CREATE,
        [ORC_V_READ_TID] = HD_OP_CHOOSE,
        [ORC_V_JOIN] = HD_OP_JOIN,
        [ORC_V_DETACH] = HD_OP_DETACH,
        [ORC_V_SECTION] = HD_OP_ATOMIC,
    };
    if (c->op == ORC_L_ASSUME || w->held >> t & 1)
        return HD_OP_ASSUME;
    if (c->op == ORC_V_CHOOSE && w->state.inside)
        return HD_OP_CHOOSE_INSIDE;
    if ((c->op == ORC_V_RELOCK || c->op == ORC_V_LEAVE) && w->state.queued[t])
        return HD_OP_BLOCKED;
    if (c->op == ORC_V_LOCK && own)
        return HD_OP_LOCK_AGAIN;
    if (c->op == ORC_V_TRYLOCK && again)
        return HD_OP_LOCK_AGAIN;
    if (c->op == ORC_V_UNLOCK && own && w->state.count[c->object] > 1)
        return HD_OP_UNLOCK_AGAIN;
    return (enum hd_op)ops[c->op];
}

static enum orc_space space_of(uint8_t op)
{
    switch (op) {
    case ORC_V_LOCK:
    case ORC_V_UNLOCK:
    case ORC_V_TRYLOCK:
    case ORC_V_TIMEDLOCK:
    case ORC_V_RELOCK:
        return ORC_SPACE_MUTEX;
    case ORC_V_RDLOCK:
    case ORC_V_WRLOCK:
    case ORC_V_RWUNLOCK:
    case ORC_V_TRYRDLOCK:
    case ORC_V_TRYWRLOCK:
        return ORC_SPACE_RWLOCK;
    case ORC_V_SEM_WAIT:
    case ORC_V_SEM_POST:
    case ORC_V_SEM_TRYWAIT:
        return ORC_SPACE_SEM;
    case ORC_V_ARRIVE:
    case ORC_V_LEAVE:
        return ORC_SPACE_BARRIER;
    case ORC_V_CLOCK:
        return ORC_SPACE_CLOCK;
    default:
        return ORC_SPACE_COND;
    }
}

static uint32_t commuting_of(uint8_t rmw)
{
    static const uint8_t kinds[] = { [ORC_RMW_ADD] = HD_COMMUTES_ADD,
                                     [ORC_RMW_SUB] = HD_COMMUTES_ADD,
                                     [ORC_RMW_OR] = HD_COMMUTES_OR,
                                     [ORC_RMW_XOR] = HD_COMMUTES_XOR,
                                     [ORC_RMW_XCHG] = HD_COMMUTES_NOT };
    return kinds[rmw];
}

struct hd_action orc_action_of(const struct world *w, uint32_t t)
{
    const struct orc_code *c = &w->m->code[t][w->state.pc[t]];
    uint32_t choices = orc_state_choices(w->m, &w->state, t);
    struct hd_action a = { .op = (uint8_t)op_of(w, t, c),
                           .choices = (uint16_t)(choices ? choices : 1),
                           .site = (t + 1) * 1000 + w->state.pc[t] };
    const struct hd_op_row *row = &hd_op_table[a.op];
    if (a.op == HD_OP_ASSUME)
        a.size = w->held >> t & 1;
    if (row->space == HD_SPACE_MEM) {
        a.object = ORC_ADDRESS + c->offset;
        a.size = c->size;
        if (c->op == ORC_V_COPY)
            a.object2 = ORC_ADDRESS + c->offset2;
        if (c->op == ORC_V_RMW && c->blind && w->m->program->finer & ORC_FINER_RMW)
            a.size2 = commuting_of(c->rmw);
        if (w->readset && hd_touch_one(&a).writes &&
            hd_readset_meets(w->readset, a.object, a.object + a.size))
            a.size2 |= HD_WATCHED_WRITE;
    } else if (row->space == HD_SPACE_THREAD) {
        a.object = c->op == ORC_V_START || c->op == ORC_V_EXIT ? t : c->object;
    } else if (row->space == HD_SPACE_SYNC) {
        uint32_t object = c->op == ORC_V_RELOCK  ? c->object2
                          : c->op == ORC_V_CLOCK ? 0
                                                 : c->object;
        a.object = ORC_OBJECT(space_of(c->op), object);
        if (hd_op_gives_mutex((enum hd_op)a.op))
            a.object2 = ORC_OBJECT(ORC_SPACE_MUTEX, c->object2);
    }
    return a;
}
