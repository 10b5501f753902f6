# make check       in about a minute: unit tests, a few litmus programs, layers
# make test        install what is missing, build, run every test
# make test-long   the same, with the long oracle run and more kills
# make test-kill   kill -9 a check at twenty random moments and resume it, search by search
# make test-html   the HTML report in Chromium, which it installs
# make screens     pictures of HTML reports, to be looked at (build/screens)
# make test-real   100,000 executions of each real program (tests/real)
# make unit        build the unit tests of this tree (tests/run runs those of build-asan)

TEST_B := build-asan
SANITIZERS := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined

EXPLORE_SRC := $(call sources,$(EXPLORE_ROOMS))
EXPLORE_OBJ := $(EXPLORE_SRC:%.c=$(B)/obj/%.o)
TOOL_LIB    := $(B)/obj/libheddle_tool.a
TEST_LIB    := $(B)/obj/libheddle_test.a

UNIT_SRC  := $(sort $(wildcard tests/unit/test_*.c))
UNIT_BIN  := $(UNIT_SRC:tests/unit/%.c=$(B)/tests/unit/%)
# What the tests share (the fake world, ...) is a library: a test links what it uses.
UNIT_HELP := $(filter-out $(UNIT_SRC) $(wildcard tests/unit/*_main.c),$(wildcard tests/unit/*.c))

$(B)/obj/tests/%.o: ALL_CFLAGS += -Itests/unit -isystem $(shell $(LLVM_CONFIG) --includedir)

$(TOOL_LIB): $(filter-out %/cli/main.o,$(CORE_OBJ) $(LLVM_OBJ) $(CLI_OBJ))
	$(archive)

$(TEST_LIB): $(EXPLORE_OBJ) $(UNIT_HELP:%.c=$(B)/obj/%.o)
	$(archive)

$(UNIT_BIN): $(B)/tests/unit/%: $(B)/obj/tests/unit/%.o $(TEST_LIB) $(TOOL_LIB)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -o $@ $^ $(TOOL_LIB) $(LLVM_LIBS) -lcmocka -lelf -ldw

# A program of its own that a test starts: tests/unit/NAME_main.c.
UNIT_PROG := $(patsubst tests/unit/%_main.c,$(B)/tests/unit/%,$(wildcard tests/unit/*_main.c))
$(UNIT_PROG): $(B)/tests/unit/%: $(B)/obj/tests/unit/%_main.o $(TEST_LIB) $(TOOL_LIB)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -o $@ $^ $(TOOL_LIB) $(LLVM_LIBS) -lelf -ldw

unit: $(UNIT_BIN) $(UNIT_PROG)

tests-built: all oracle tests-sanitized

# The unit tests and the fuzzers share a tree: what libFuzzer counts is one more thing that the objects record.
tests-sanitized:
	@+$(MAKE) --no-print-directory B=$(TEST_B) CFLAGS='-O1 -g' SANITIZE='$(SANITIZERS)' unit fuzzers

# Every sixteenth litmus program: each kind of operation is among them.
FEW := $(shell ls tests/litmus/*/*.c | awk 'NR % 16 == 1')

check:
	@tools/deps.sh build test
	@+$(MAKE) --no-print-directory tests-built
	@tools/layers.py && echo ok layers
	@tests/run unit
	@HEDDLE=$(abspath $(HEDDLE)) JOBS=2 tests/litmus/run.sh $(FEW) | awk '/^not ok/ { bad = 1; print } \
	    /^ok/ { n++ } END { print n + 0 " litmus checks passed"; exit bad }'

test test-long:
	@tools/deps.sh build test
	@+$(MAKE) --no-print-directory tests-built
	@tests/run $(if $(filter test-long,$@),--long)

test-kill:
	@tools/deps.sh build test
	@+$(MAKE) --no-print-directory all
	@HEDDLE=$(CURDIR)/$(B)/bin/heddle tests/cli/resume.sh --long

test-html:
	@tools/deps.sh build html
	@+$(MAKE) --no-print-directory all
	@tests/run html

screens:
	@tools/deps.sh build html
	@+$(MAKE) --no-print-directory all
	@tests/html/screens.py $(B)/screens

test-real:
	@tools/deps.sh build test
	@+$(MAKE) --no-print-directory all
	@tests/real/run.sh 100000

.PHONY: check unit tests-built tests-sanitized test test-long test-kill test-html screens test-real
