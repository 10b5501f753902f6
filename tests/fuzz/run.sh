#!/bin/bash
# Fuzz the trace reader for FUZZ_SECONDS (10) with libFuzzer under ASan and UBSan.  The seed is
# fixed; what breaks it is left in build/tests/fuzz/.
set -u
cd "$(dirname "$0")/../.." || exit 2
cc=clang-${LLVM:-19}
dir=${B:-build}/tests/fuzz
mkdir -p "$dir/corpus"
if ! $cc -std=gnu17 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
    -Isrc tests/fuzz/trace.c src/report/{name,trace_read,trace_words,trace_write}.c \
    src/base/{err,fs,nearest,str}.c src/core/{finding,op,fault,shared}.c src/supervise/{element,program}.c \
    -lelf -ldw -o "$dir/trace" 2>"$dir/trace.log"; then
    echo "not ok trace: the fuzz target does not build: $(tail -n 1 "$dir/trace.log")"
    exit 1
fi
cat >"$dir/corpus/whole" <<'TRACE'
heddle-trace 1
source "my file.c"
cc-flag -DN=2
program ./p
arg "a \"b\\ \x7f"
build ab010000000000000000000000000000
strategy scale:nsb
violation deadlock "2 threads wait for ever"
threads main T1 T2 T1.1
steps all
1 main create T1
2 T1 write table+12 choice=1 size=4 wrote=-10 site=1 at=a.c:12:3 in=f # preemption
3 T2 wait heap:T1.1#7+16 stack:T1-640
end 3
TRACE
printf '0 1 1 2\n' >"$dir/corpus/numbers"
printf 'main T1 T1.2\n' >"$dir/corpus/names"
if "$dir/trace" -seed=1 -max_len=4096 -max_total_time="${FUZZ_SECONDS:-10}" -verbosity=0 \
    -artifact_prefix="$dir/" "$dir/corpus" >"$dir/trace.log" 2>&1; then
    echo "ok trace"
else
    echo "not ok trace: $(grep -m 1 -E 'ERROR|error' "$dir/trace.log")"
    exit 1
fi
