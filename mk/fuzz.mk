# make fuzz: a million inputs for each reader of strangers' files, with libFuzzer under ASan and UBSan.
# FUZZ_RUNS=N for another number.

FUZZ_RUNS ?= 1000000
FUZZERS   := trace warnings checkpoint unit parts options executable suppressions
FUZZ_LIB  := $(B)/obj/libheddle_fuzz.a
FUZZ_SRC  := $(call sources,base core report supervise)

$(FUZZ_LIB): $(FUZZ_SRC:%.c=$(B)/obj/%.o)
	$(archive)

$(addprefix $(B)/fuzz/,$(filter-out options unit,$(FUZZERS))): $(B)/fuzz/%: $(B)/obj/tests/fuzz/%.o $(FUZZ_LIB)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -fsanitize=fuzzer -o $@ $^ -lelf -ldw -lm

# The command line knows the whole tool.
$(B)/fuzz/options: $(B)/obj/tests/fuzz/options.o $(B)/obj/libheddle_tool.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -fsanitize=fuzzer -o $@ $^ $(LLVM_LIBS) -lelf -ldw -lm

# The explorer runs on the unit tests' world.
$(B)/fuzz/unit: $(B)/obj/tests/fuzz/unit.o $(B)/obj/libheddle_test.a $(B)/obj/libheddle_tool.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -fsanitize=fuzzer -o $@ $^ $(LLVM_LIBS) -lelf -ldw -lm

fuzzers: $(addprefix $(B)/fuzz/,$(FUZZERS))

fuzz:
	@tools/deps.sh build test
	@+$(MAKE) --no-print-directory all tests-sanitized
	@FUZZ_RUNS=$(FUZZ_RUNS) tests/fuzz/run.sh

.PHONY: fuzz fuzzers
