# make lint: format, clang-tidy, include directions, mutable statics of the runtime, accesses of the
# program's memory, lengths, the tables of what is modelled and of what library functions touch, the
# version.

C_FILES := $(sort $(wildcard include/*.h src/*/*.[ch] src/*/*/*.[ch] tests/*/*.[ch] \
             tests/*/*/*.[ch] examples/*.c src/cxx/*.cc tests/cxx/*/*.cpp))
TIDY_FILES := $(filter-out src/mpi/% src/lua/%,$(filter src/%.c,$(C_FILES))) # mpi.h and lua.h may be missing

lint: format-check layers statics view abi tidy lengths surface libc-page verdict-page messages-page version

format-check:
	$(call say,FORMAT,$(words $(C_FILES)) files)
	@bad=$$(clang-format-$(LLVM) --dry-run -Werror $(C_FILES) 2>&1 | \
	    sed -n 's/^\([^ :]*\):[0-9]*:.*/\1/p' | sort -u); \
	if [ -n "$$bad" ]; then echo "not formatted (make format):" $$bad; exit 1; fi

format:
	@clang-format-$(LLVM) -i $(C_FILES)

layers:
	$(call say,LAYERS,src)
	@tools/layers.py

statics: $(RT)
	$(call say,STATICS,$<)
	@tools/statics.sh $<

view:
	$(call say,VIEW,src/runtime)
	@LLVM=$(LLVM) CC=$(CC) tools/view.sh $(B)/view

abi:
	$(call say,ABI,src/core)
	@tools/abi.sh

tidy:
	$(call say,TIDY,$(words $(TIDY_FILES)) files)
	@printf '%s\n' $(TIDY_FILES) | xargs -P 2 -n 8 sh -c 'clang-tidy-$(LLVM) --quiet \
	    --warnings-as-errors="*" "$$@" -- -std=gnu17 -D_GNU_SOURCE -Wno-macro-redefined -DHD_LLVM_LIBRARY=\"\" -Isrc \
	    -Iinclude -isystem $(shell $(LLVM_CONFIG) --includedir) 2>/dev/null' tidy

lengths:
	$(call say,LENGTHS,src include tests examples)
	@tools/lengths.sh

surface:
	$(call say,SURFACE,docs/surface.md)
	@CC=$(CC) tools/surface.sh --check

libc-page:
	$(call say,LIBC,docs/libc.md)
	@CC=$(CC) tools/libc.sh --check

verdict-page:
	$(call say,VERDICT,docs/verdict.md)
	@CC=$(CC) tools/verdict.sh --check

messages-page:
	$(call say,MESSAGES,docs/messages.md)
	@tools/messages.py --check

version:
	$(call say,VERSION,src/base/version.h docs/man)
	@tools/version.sh

lint-deps:
	@tools/deps.sh build lint

.PHONY: lint format format-check layers statics view abi tidy lengths surface libc-page verdict-page messages-page version lint-deps
