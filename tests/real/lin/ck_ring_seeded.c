// ck's ring with a mistake (tests/real/lin.sh): put stores its index before the element is there.  A get that sees the index
// reads the place while put writes it.
// lin: data race in '/ put(1) | get /'
#include "ck_ring.c"
