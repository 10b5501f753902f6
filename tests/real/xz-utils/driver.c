/* liblzma's threaded encoder: two workers compress three blocks while the caller feeds and drains
 * them; then its decoder must give back what went in. */
#include <assert.h>
#include <lzma.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 16, INPUT = 3 * BLOCK };

static size_t encode(const uint8_t *in, uint8_t *out, size_t room)
{
    lzma_options_lzma options;
    assert(!lzma_lzma_preset(&options, 0));
    options.dict_size = LZMA_DICT_SIZE_MIN;
    options.lc = options.lp = options.pb = 0;
    lzma_filter filters[] = { { LZMA_FILTER_LZMA2, &options }, { LZMA_VLI_UNKNOWN, NULL } };
    lzma_mt mt = {
        .threads = 2, .block_size = BLOCK, .filters = filters, .check = LZMA_CHECK_CRC32
    };
    lzma_stream stream = LZMA_STREAM_INIT;
    assert(lzma_stream_encoder_mt(&stream, &mt) == LZMA_OK);
    stream.next_in = in;
    stream.avail_in = INPUT;
    stream.next_out = out;
    stream.avail_out = room;
    lzma_ret ret;
    while ((ret = lzma_code(&stream, LZMA_FINISH)) == LZMA_OK)
        ;
    assert(ret == LZMA_STREAM_END);
    size_t n = stream.total_out;
    lzma_end(&stream);
    return n;
}

int main(void)
{
    static uint8_t in[INPUT], out[1024], back[INPUT];
    for (size_t i = 0; i < INPUT; i++)
        in[i] = (uint8_t)(i * i);
    size_t n = encode(in, out, sizeof out), at = 0, got = 0;
    uint64_t limit = UINT64_MAX;
    assert(lzma_stream_buffer_decode(&limit, 0, NULL, out, &at, n, back, &got, INPUT) == LZMA_OK);
    assert(at == n && got == INPUT && memcmp(in, back, INPUT) == 0);
    return 0;
}
