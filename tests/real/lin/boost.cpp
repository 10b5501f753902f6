// boost::lockfree::queue and stack (-DSTACK) of version 1.74, unmodified.  The free list reads the link of a node that another
// thread may have taken meanwhile and fills with plain stores; what was read is then thrown away, but it is a data race by
// the definition of C11.  Two threads that take a node are enough.
// lin --executions=200: data race in '/ push(1) | push(1) /'
// lin -DSTACK --executions=200: data race in '/ push(1) | push(1) /'
//
// What was read is thrown away, as the tag beside the index has changed: the results are those of a queue and of a stack.
// lin --races=warn --calls=2 --after=0: races only
// lin -DSTACK --races=warn --calls=2 --after=0: races only
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <heddle/lin.h>

#ifdef STACK
typedef boost::lockfree::stack<int, boost::lockfree::capacity<3>> structure;
#else
typedef boost::lockfree::queue<int, boost::lockfree::capacity<3>> structure;
#endif

static structure *s;

HEDDLE_LIN_SETUP { s = new structure; }
HEDDLE_LIN_TEARDOWN { delete s; }
HEDDLE_LIN_OP(push, int v, HEDDLE_IN(1, 2)) { return s->push(v); }
HEDDLE_LIN_OP0(pop) { int v; return s->pop(v) ? v : -1; }
