# make oracle             the generator, the interpreter and the driver of tests/oracle
# make test-oracle        2,000 generated programs through heddle, against the interpreter
# make test-oracle-long   100,000, in parts of which each is done once (tests/oracle/long.sh)
# make axioms             the judge of weak memory (tests/oracle/axioms), its generator and its own tests
# make test-dice          2,000 with assertions through slice-n-dice: what it misses is counted
# ORACLE_SEED=N           the first seed

ORACLE_SEED ?= 0
ORACLE_BIN  := $(addprefix $(B)/tests/oracle-,gen run selftest dice)
ORACLE_OBJ  := $(patsubst %.c,$(B)/obj/%.o,\
                 $(filter-out %_main.c %/native.c %/direct_actions.c,$(wildcard tests/oracle/*.c)))

# The chains that must be tried are heddle's own table.
$(ORACLE_BIN): $(B)/tests/oracle-%: $(B)/obj/tests/oracle/%_main.o $(ORACLE_OBJ) \
                 $(B)/obj/src/core/filters.o
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -o $@ $^

ORACLE_SERVE := $(B)/tests/oracle-serve
$(ORACLE_SERVE): $(B)/obj/tests/oracle/serve_main.o \
                 $(filter-out %/cli/main.o,$(CORE_OBJ) $(LLVM_OBJ) $(CLI_OBJ)) $(B)/obj/llvm.S
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -o $@ $^ -lelf -ldw

ORACLE_DIRECT := $(B)/tests/oracle-direct
$(ORACLE_DIRECT): $(B)/obj/tests/oracle/direct_main.o $(B)/obj/tests/oracle/direct_actions.o $(ORACLE_OBJ) $(CORE_OBJ) \
                  $(patsubst %.c,$(B)/obj/%.o,$(call sources,base $(EXPLORE_ROOMS)))
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -o $@ $^

# The judge of weak memory: it shares nothing with heddle and next to nothing with the rest of the oracle.
AXIOMS_BIN := $(addprefix $(B)/tests/axioms-,judge gen selftest)
AXIOMS_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(filter-out %_main.c,$(wildcard tests/oracle/axioms/*.c)))
$(B)/obj/tests/oracle/axioms/%.o: ALL_CFLAGS += -D_GNU_SOURCE
$(AXIOMS_BIN): $(B)/tests/axioms-%: $(B)/obj/tests/oracle/axioms/%_main.o $(AXIOMS_OBJ)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -o $@ $^

axioms: $(AXIOMS_BIN)

oracle: $(ORACLE_BIN) $(ORACLE_SERVE) $(ORACLE_DIRECT) axioms

test-oracle: all oracle
	@$(B)/tests/oracle-selftest
	@$(B)/tests/oracle-direct 2000 $(ORACLE_SEED)
	@tests/oracle/run.sh --most 3000 $(HEDDLE) 2000 $(ORACLE_SEED)

test-oracle-long: all oracle
	@B=$(B) HEDDLE=$(abspath $(HEDDLE)) tests/oracle/long.sh

test-dice: all oracle
	@$(B)/tests/oracle-dice --serve $(ORACLE_SERVE) --dir $(B)/tests/oracle $(HEDDLE) 2000 $(ORACLE_SEED)

# The generated programs as ordinary ones: a test of the oracle, not of heddle.
test-oracle-native: oracle
	@tests/oracle/native.sh $(B)/tests/oracle-gen 300 5 $(ORACLE_SEED)

.PHONY: axioms test-dice oracle test-oracle test-oracle-long test-oracle-native
