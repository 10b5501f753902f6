// moodycamel::ConcurrentQueue, unmodified, with a token for each thread that puts; with -DONE there is one.
//
// Its author says that only the elements of one producer keep their order: two elements of two threads, put one after the
// other, may come out in the other order.  That takes two puts of different values and a get behind them.  He also says that
// try_dequeue may find nothing although something is there: with one producer, a get that may fail is linearizable.
// lin --model=fifo.cpp: results in '/ put(1); get | put(2) /'
// lin -DONE -DMAY_FAIL: verified
#include <concurrentqueue/concurrentqueue.h>
#include <heddle/lin.h>

struct traits : moodycamel::ConcurrentQueueDefaultTraits {
    static const size_t BLOCK_SIZE = 2;
    static const size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 0;
    static const size_t EXPLICIT_INITIAL_INDEX_SIZE = 2;
};
typedef moodycamel::ConcurrentQueue<int, traits> queue;

static queue *q;
#ifdef ONE
static moodycamel::ProducerToken *token;
#define TOKEN token
HEDDLE_LIN_SETUP { q = new queue(8, 1, 0); token = new moodycamel::ProducerToken(*q); }
HEDDLE_LIN_TEARDOWN { delete token; delete q; }
#else
static moodycamel::ProducerToken *tokens[5];
#define TOKEN tokens[heddle_lin_thread()]
HEDDLE_LIN_SETUP { q = new queue(8, 5, 0); }
HEDDLE_LIN_TEARDOWN { delete q; }
HEDDLE_LIN_THREAD_SETUP(t) { tokens[t] = new moodycamel::ProducerToken(*q); }
HEDDLE_LIN_THREAD_TEARDOWN(t) { delete tokens[t]; }
#endif
HEDDLE_LIN_OP(put, int v, HEDDLE_IN(1, 2)) { return q->try_enqueue(*TOKEN, v); }
HEDDLE_LIN_OP0(get) { int v; return q->try_dequeue(v) ? v : -1; }
#ifdef MAY_FAIL
HEDDLE_LIN_MAY_FAIL(get, -1)
#endif
#ifdef ONE
HEDDLE_LIN_ONLY(put, producer)
#endif
