# make oracle             the generator, the interpreter and the driver of tests/oracle
# make test-oracle        500 generated programs through heddle, against the interpreter
# make test-oracle-long   10,000
# ORACLE_SEED=N           the first seed

ORACLE_SEED ?= 0
ORACLE_BIN  := $(addprefix $(B)/tests/oracle-,gen run selftest)
ORACLE_OBJ  := $(patsubst %.c,$(B)/obj/%.o,\
                 $(filter-out %_main.c %/native.c,$(wildcard tests/oracle/*.c)))

$(ORACLE_BIN): $(B)/tests/oracle-%: $(B)/obj/tests/oracle/%_main.o $(ORACLE_OBJ)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -o $@ $^

ORACLE_SERVE := $(B)/tests/oracle-serve
$(ORACLE_SERVE): $(B)/obj/tests/oracle/serve_main.o \
                 $(filter-out %/cli/main.o,$(CORE_OBJ) $(LLVM_OBJ) $(CLI_OBJ))
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -o $@ $^ $(LLVM_LIBS) -lelf -ldw

oracle: $(ORACLE_BIN) $(ORACLE_SERVE)

test-oracle test-oracle-long: all oracle
	@$(B)/tests/oracle-selftest
	@tests/oracle/run.sh $(HEDDLE) $(if $(filter %-long,$@),10000,500) $(ORACLE_SEED)

# The generated programs as ordinary ones: a test of the oracle, not of heddle.
test-oracle-native: oracle
	@tests/oracle/native.sh $(B)/tests/oracle-gen 300 5 $(ORACLE_SEED)

.PHONY: oracle test-oracle test-oracle-long test-oracle-native
