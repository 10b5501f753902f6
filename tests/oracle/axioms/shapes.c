#include "shapes.h"

#include <string.h>

static bool sc(uint8_t order) { return order == AX_SEQ_CST; }

/* Three slots of a thread: access, fence, access.
 *   strong     a seq_cst fence between, or both accesses seq_cst
 *   publishes  what is before the second, a store, is seen by who acquires it
 *   receives   what is behind the first, a load, sees what its release published */
static bool strong(const uint8_t *s) { return sc(s[1]) || (sc(s[0]) && sc(s[2])); }
static bool publishes(const uint8_t *s) { return ax_releases(s[1]) || ax_releases(s[2]); }
static bool receives(const uint8_t *s) { return ax_acquires(s[0]) || ax_acquires(s[1]); }

/* SB, R, 2+2W: the cycle has fr or mo between the threads only, which no release orders. */
static bool both_strong(const uint8_t *s) { return strong(s) && strong(s + 3); }

/* MP, S: message passing. */
static bool passes(const uint8_t *s) { return publishes(s) && receives(s + 3); }

/* LB, and coherence of one location: RC11 always forbids. */
static bool always(const uint8_t *s)
{
    (void)s;
    return true;
}

/* WRC: x | x, y | y, x.  Coherence orders the two reads of x as soon as y is passed. */
static bool wrc(const uint8_t *s) { return passes(s + 1); }

/* ISA2, Z6.2: x, y | y, z | z, x, passed on twice.  Between seq_cst fences in the first and the
 * last thread one of the two links may be rf alone: psc_F has hb ; eco ; hb. */
static bool isa2(const uint8_t *s)
{
    bool in = receives(s + 3), out = publishes(s + 3);
    return (publishes(s) && in && out && receives(s + 6)) ||
           (sc(s[1]) && sc(s[7]) && (in || out));
}

/* RWC: x | x, y | y, x.  Two seq_cst fences suffice.  A fence and two seq_cst accesses need
 * that the write of x is ordered before the fence, or is seq_cst itself: RC11's psc has rf only
 * through hb of one location or between fences. */
static bool rwc(const uint8_t *s)
{
    const uint8_t *reader = s + 1, *writer = s + 4;
    bool f2 = sc(reader[1]), f3 = sc(writer[1]);
    bool a2 = sc(reader[0]) && sc(reader[2]), a3 = sc(writer[0]) && sc(writer[2]);
    return (f2 && f3) || (f2 && a3 && ax_releases(s[0])) || (a2 && (f3 || a3) && sc(s[0]));
}

/* IRIW: x | y | x, y | y, x; as RWC on both sides. */
static bool iriw(const uint8_t *s)
{
    const uint8_t *a = s + 2, *b = s + 5;
    bool fa = sc(a[1]), fb = sc(b[1]), aa = sc(a[0]) && sc(a[2]), ab = sc(b[0]) && sc(b[2]);
    return (fa && fb) || (fa && ab && sc(s[1]) && ax_releases(s[0])) ||
           (aa && fb && sc(s[0]) && ax_releases(s[1])) || (aa && ab && sc(s[0]) && sc(s[1]));
}

#define WX1 "store x 1 $W\n"
#define WX2 "store x 2 $W\n"
#define WY1 "store y 1 $W\n"
#define WY2 "store y 2 $W\n"
#define WZ1 "store z 1 $W\n"
#define WZ2 "store z 2 $W\n"
#define R0(x) "r0 = load " #x " $R\n"
#define R1(x) "r1 = load " #x " $R\n"
#define T "thread\n"
#define F "$F\n"
#define XY "loc x y\n"
#define XYZ "loc x y z\n"

const struct ax_shape ax_shapes[] = {
    { "SB", XY T WX1 F R0(y) T WY1 F R0(x) "exists 1:r0=0 2:r0=0", true, false, false,
      both_strong },
    { "MP", XY T WX1 F WY1 T R0(y) F R1(x) "exists 2:r0=1 2:r1=0", false, false, true, passes },
    { "LB", XY T R0(x) F WY1 T R0(y) F WX1 "exists 1:r0=1 2:r0=1", false, true, true, always },
    { "S", XY T WX2 F WY1 T R0(y) F WX1 "exists 2:r0=1 x=2", false, false, true, passes },
    { "R", XY T WX1 F WY1 T WY2 F R0(x) "exists 2:r0=0 y=2", true, false, false, both_strong },
    { "2+2W", XY T WX1 F WY2 T WY1 F WX2 "exists x=1 y=1", false, false, false, both_strong },
    { "WRC", XY T WX1 T R0(x) F WY1 T R0(y) F R1(x) "exists 2:r0=1 3:r0=1 3:r1=0", false, false,
      true, wrc },
    { "RWC", XY T WX1 T R0(x) F R1(y) T WY1 F R0(x) "exists 2:r0=1 2:r1=0 3:r0=0", true, false,
      false, rwc },
    { "IRIW", XY T WX1 T WY1 T R0(x) F R1(y) T R0(y) F R1(x) "exists 3:r0=1 3:r1=0 4:r0=1 4:r1=0",
      false, false, false, iriw },
    { "ISA2", XYZ T WX1 F WY1 T R0(y) F WZ1 T R0(z) F R1(x) "exists 2:r0=1 3:r0=1 3:r1=0", false,
      false, true, isa2 },
    { "W+RWC", XYZ T WX1 F WZ1 T R0(z) F R1(y) T WY1 F R0(x) "exists 2:r0=1 2:r1=0 3:r0=0", true,
      false, false, NULL },
    { "Z6.0", XYZ T WX1 F WY1 T R0(y) F WZ1 T WZ2 F R0(x) "exists 2:r0=1 3:r0=0 z=2", true, false,
      false, NULL },
    { "Z6.1", XYZ T WX2 F WY1 T WY2 F WZ1 T R0(z) F WX1 "exists 3:r0=1 x=2 y=2", false, false,
      false, NULL },
    { "Z6.2", XYZ T WX2 F WY1 T R0(y) F WZ1 T R0(z) F WX1 "exists 2:r0=1 3:r0=1 x=2", false,
      false, true, isa2 },
    { "Z6.3", XYZ T WX1 F WY1 T WY2 F WZ1 T R0(z) F R1(x) "exists 3:r0=1 3:r1=0 y=2", false,
      false, false, NULL },
    { "Z6.4", XYZ T WX1 F WY1 T WY2 F R0(z) T WZ1 F R0(x) "exists 2:r0=0 3:r0=0 y=2", true, false,
      false, NULL },
    { "Z6.5", XYZ T WX1 F WY1 T WY2 F WZ1 T WZ2 F R0(x) "exists 3:r0=0 y=2 z=2", true, false,
      false, NULL },
    { "3.SB", XYZ T WX1 F R0(y) T WY1 F R0(z) T WZ1 F R0(x) "exists 1:r0=0 2:r0=0 3:r0=0", true,
      false, false, NULL },
    { "CoRR", "loc x\n" T WX1 T R0(x) F R1(x) "exists 2:r0=1 2:r1=0", false, true, true, always },
    { "CoWR", "loc x\n" T WX1 F R0(x) T WX2 "exists 1:r0=2 x=1", false, true, true, always },
    { "CoRW", "loc x\n" T R0(x) F WX1 T WX2 "exists 1:r0=2 x=2", false, true, true, always },
    { "CoWW", "loc x\n" T WX1 F WX2 "exists x=1", false, true, true, always },
    { "CoRR2",
      "loc x\n" T WX1 T WX2 T R0(x) F R1(x) T R0(x) F R1(x) //
      "exists 3:r0=1 3:r1=2 4:r0=2 4:r1=1",
      false, true, true, always },
    { 0 },
};

void ax_shape_slots(const struct ax_shape *s, char kinds[AX_SLOTS + 1])
{
    uint32_t n = 0;
    for (const char *c = s->text; *c; c++)
        if (*c == '$')
            kinds[n++] = c[1];
    kinds[n] = 0;
}

static const uint8_t choices[][5] = {
    { AX_RELAXED, AX_RELEASE, AX_SEQ_CST },
    { AX_RELAXED, AX_ACQUIRE, AX_SEQ_CST },
    { AX_PLAIN, AX_ACQUIRE, AX_RELEASE, AX_ACQ_REL, AX_SEQ_CST },
};

static const uint8_t *choices_of(char kind) { return choices[kind == 'F' ? 2 : kind == 'R']; }

/* The combinations of the slots of that kind: 'F', or the accesses. */
static uint32_t combinations(const char *kinds, bool fences)
{
    uint32_t n = 1;
    for (; *kinds; kinds++)
        if ((*kinds == 'F') == fences)
            n *= fences ? 5 : 3;
    return n;
}

static void fill(const char *kinds, bool fences, uint32_t index, uint8_t *slot)
{
    for (uint32_t i = 0; kinds[i]; i++) {
        if ((kinds[i] == 'F') != fences)
            continue;
        slot[i] = choices_of(kinds[i])[index % (fences ? 5 : 3)];
        index /= fences ? 5 : 3;
    }
}

bool ax_shape_orders(const struct ax_shape *s, uint32_t index, uint8_t slot[AX_SLOTS])
{
    char kinds[AX_SLOTS + 1];
    ax_shape_slots(s, kinds);
    uint32_t accesses = combinations(kinds, false), fences = combinations(kinds, true);
    if (accesses * fences <= 8000) {
        fill(kinds, false, index % accesses, slot);
        fill(kinds, true, index / accesses, slot);
        return index < accesses * fences;
    }
    if (index < accesses) {
        fill(kinds, false, index, slot);
        fill(kinds, true, 0, slot);
        return true;
    }
    index -= accesses;
    for (uint32_t i = 0; kinds[i]; i++)
        slot[i] = choices_of(kinds[i])[index / fences % 3]; /* the fences are filled again */
    fill(kinds, true, index % fences, slot);
    return index < 3 * fences;
}

void ax_shape_put(const struct ax_shape *s, const uint8_t slot[AX_SLOTS], FILE *out)
{
    for (const char *c = s->text; *c; c++) {
        if (*c != '$') {
            fputc(*c, out);
            continue;
        }
        uint8_t order = *slot++;
        c++;
        if (*c == 'F' && order == AX_PLAIN)
            c++; /* the line, too */
        else
            fprintf(out, "%s%s", *c == 'F' ? "fence " : "", ax_order_names[order]);
    }
    fputc('\n', out);
}
