/* The hashes of state.c where the processor has an instruction for a round of AES.  They are
 * the same as without it: workers on different machines compare them. */
#include "runtime/state.h"
#include "runtime/state_hash.h"

#include <immintrin.h>

#define HD_AES __attribute__((target("aes,avx")))

HD_AES HD_STATE_INLINE hd_piece128 aes_round(hd_piece128 x, hd_piece128 key)
{
    return (hd_piece128)_mm_aesenc_si128((__m128i)x, (__m128i)key);
}

HD_AES bool hd_state_change_aes(uint32_t since, uint64_t out[2], struct hd_tset *threads)
{
    return hd_state_change_by(since, out, threads, aes_round);
}

HD_AES void hd_state_local_aes(uint32_t thread, uint64_t out[2])
{
    hd_state_local_by(thread, out, aes_round);
}
