# heddle - make        build into build/
#          make demo   install what is missing, build, find a bug, replay it
#          make test   install what is missing, build, run every test
#          make check  what a small change broke, in about a minute
#          make lint, make bench, make install PREFIX=…, make clean, make help
#
# build/ has the layout of an installation (bin/, lib/heddle/, include/), so build/bin/heddle runs
# in place.

LLVM    ?= 19
CC      := clang-$(LLVM)
AR      := ar
PREFIX  ?= /usr/local
DESTDIR ?=
B       ?= build

LLVM_CONFIG := llvm-config-$(LLVM)
LLVM_BIN     = $(shell $(LLVM_CONFIG) --bindir 2>/dev/null)
LLVM_CFLAGS  = $(shell $(LLVM_CONFIG) --cflags 2>/dev/null | sed 's/-I/-isystem /')
LLVM_LIBS    = $(shell $(LLVM_CONFIG) --ldflags --libs --link-shared 2>/dev/null)
LLVM_SONAME  = $(shell objdump -p $(shell $(LLVM_CONFIG) --libfiles --link-shared) | awk '$$1 == "SONAME" { print $$2 }')

WARN   := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Werror
CFLAGS ?= -O2 -g
ALL_CFLAGS = -std=gnu17 $(WARN) $(CFLAGS) -Isrc -Iinclude -MMD -MP $(SANITIZE)

# The runtime is linked into tested programs: no stack protector (it switches stacks), frame
# pointers for unwinding, sections so that unused parts stay out.  No debug information: the native linker
# would copy it into each program.  heddle-gdb.py needs types, and has them from one file.
RT_CFLAGS = -std=gnu17 -D_GNU_SOURCE $(WARN) -O2 $(RT_DEBUG) -Isrc -Iinclude -MMD -MP -fno-stack-protector -fPIC \
            -fvisibility=default -fno-strict-aliasing $(PARANOID)

RT_DEBUG ?= -g0
$(B)/rt/src/runtime/replay.o: RT_DEBUG = -g

# make V=1 shows whole commands.
Q   := $(if $(V),,@)
say  = $(if $(V),,@printf '  %-7s %s\n' '$(1)' '$(2)')

define archive
$(call say,AR,$@)
@mkdir -p $(@D)
@rm -f $@
$(Q)$(AR) rcs $@ $^
endef

sources = $(sort $(wildcard $(addsuffix /*.c,$(addprefix src/,$(1)))))

CORE_SRC := $(call sources,core)
RT_SRC   := $(call sources,runtime)
RT_ASM   := $(sort $(wildcard src/runtime/*.S))
LLVM_SRC := $(call sources,compile analyse instrument)
# The judge of runs (supervise/judge.c) orders their steps as the explorer does.
CLI_SRC  := $(call sources,base supervise strategy report cli) $(addprefix src/explore/order/,cells.c sync_order.c)

CORE_OBJ := $(CORE_SRC:%.c=$(B)/obj/%.o)
LLVM_OBJ := $(LLVM_SRC:%.c=$(B)/obj/%.o)
CLI_OBJ  := $(CLI_SRC:%.c=$(B)/obj/%.o)
RT_OBJ   := $(RT_SRC:%.c=$(B)/rt/%.o) $(RT_ASM:%.S=$(B)/rt/%.o)
EXPLORE_ROOMS := $(addprefix explore/,loop order dpor states jobs guided graph searches filters checks)
WHOLE_SRC := $(CORE_SRC) $(call sources,$(EXPLORE_ROOMS))
WHOLE     := $(B)/rt/explorer

HEDDLE := $(B)/bin/heddle
RT     := $(B)/lib/heddle/libheddle_rt.a
CXX_LIB := $(B)/lib/heddle/libheddle_cxx.a
HEADERS := $(addprefix $(B)/,$(wildcard include/*.h include/heddle/*.h))

# make MPI=1: the plug-in for heddle check --distributed.  heddle itself needs no MPI.
MPI    ?=
MPI_SO := $(B)/lib/heddle/heddle-mpi.so

# The plug-in for scripts in Lua, where Debian's liblua5.4-dev is there.  heddle itself needs no Lua.
LUA_H   := $(firstword $(wildcard /usr/include/lua5.4/lua.h /usr/local/include/lua5.4/lua.h))
LUA_SO  := $(if $(LUA_H),$(B)/lib/heddle/heddle-lua.so)

all: $(HEDDLE) $(RT) $(CXX_LIB) $(HEADERS) $(B)/lib/heddle/heddle-gdb.py $(if $(MPI),$(MPI_SO)) $(LUA_SO)

$(MPI_SO): src/mpi/plugin.c src/base/ranks.h src/base/err.h
	@command -v mpicc >/dev/null || { echo "heddle: MPI=1 needs mpicc: tools/deps.sh mpi" >&2; exit 1; }
	$(call say,MPICC,$@)
	@mkdir -p $(@D)
	$(Q)mpicc -std=gnu17 -Wall -Wextra -Werror -O2 -g -fPIC -shared -Isrc -o $@ $<

$(B)/lib/heddle/heddle-lua.so: src/lua/plugin.c include/heddle/strategy.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu17 $(WARN) -O2 -g -fPIC -shared -Iinclude -isystem $(dir $(LUA_H)) -o $@ $< -llua5.4

# heddle loads libLLVM when it calls it (llvm.awk); tests are linked with it.
$(B)/obj/llvm.S: $(LLVM_OBJ) src/compile/llvm.awk
	$(Q)nm -u $(LLVM_OBJ) | awk -f src/compile/llvm.awk >$@

$(HEDDLE): $(CORE_OBJ) $(LLVM_OBJ) $(CLI_OBJ) $(B)/obj/llvm.S
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -o $@ $^ -lelf -ldw

# All of the runtime is linked into each program, so it is one object: the native linker, which runs for every check,
# needs two thirds of the time that a hundred take.
$(B)/rt/runtime.o: $(RT_OBJ) $(WHOLE).o
	$(call say,LD,$@)
	$(Q)$(CC) -r -nostdlib -o $@ $^

# A row of filters.def, searches.def or another table without the code that it names is an error here, not when
# a program is built.
$(RT): $(B)/rt/runtime.o
	$(archive)
	$(Q)lacks=$$(nm -A $@ 2>/dev/null | awk '$$(NF - 1) == "U" { used[$$NF] = $$1 } $$(NF - 1) ~ /[A-TV-Zt]/ { has[$$NF] } \
	    END { for (n in used) if (n ~ /^hd_/ && !(n in has)) print n " (" used[n] ")" }' | sort); \
	if [ -n "$$lacks" ]; then echo "$@ lacks $$lacks"; rm -f $@; exit 1; fi

# The explorer is one module to the optimiser: a step goes through many of its files, and what they
# ask each other is mostly a few instructions.  What the runtime calls stays visible.
$(B)/rt/%.bc: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(RT_CFLAGS) -fstrict-aliasing -flto -c -o $@ $<

$(WHOLE).o: $(WHOLE_SRC:%.c=$(B)/rt/%.bc) $(RT_OBJ)
	$(call say,LD,$@)
	$(Q)nm -u $(RT_OBJ) | sed -n 's/^ *U //p' | sort -u >$(WHOLE).api
	$(Q)$(LLVM_BIN)/llvm-link -o $(WHOLE).all $(filter %.bc,$^)
	$(Q)$(LLVM_BIN)/opt --passes=internalize --internalize-public-api-file=$(WHOLE).api \
	    -o $(WHOLE).own $(WHOLE).all
	$(Q)$(CC) -O2 -fPIC -x ir -c -o $@ $(WHOLE).own
	@rm -f $(WHOLE).api $(WHOLE).all $(WHOLE).own

# Parts of C++'s library, as bitcode that is instrumented with the program.
$(CXX_LIB): $(patsubst %.cc,$(B)/%.o,$(sort $(wildcard src/cxx/*.cc)))
	$(archive)

$(B)/src/cxx/%.o: src/cxx/%.cc $(HEDDLE)
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(Q)HEDDLE_CACHE=off $(HEDDLE) c++ -std=c++17 -Wall -Wextra -Werror -fno-access-control \
	    -ffile-prefix-map=src/cxx=heddle/c++ -MD -MF $(@:.o=.d) -c -o $@ $<

GDB := $(B)/lib/heddle/heddle-gdb.py

$(GDB): src/gdb/heddle-gdb.py
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(B)/include/%.h: include/%.h
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(B)/obj/src/compile/%.o $(B)/obj/src/analyse/%.o $(B)/obj/src/instrument/%.o: ALL_CFLAGS += $(LLVM_CFLAGS)

$(B)/obj/src/compile/llvm.o $(B)/obj/src/compile/cache_tools.o: ALL_CFLAGS += -DHD_LLVM_LIBRARY='"$(LLVM_SONAME)"'

$(B)/obj/src/report/html_assets.o: $(wildcard src/report/html/*)
$(B)/obj/src/cli/init.o: $(wildcard share/init/*)

# A tree with sanitizers is compiled again when they change.
$(B)/flags: always
	@mkdir -p $(@D)
	@echo '$(CFLAGS) $(SANITIZE)' | cmp -s - $@ || echo '$(CFLAGS) $(SANITIZE)' >$@

$(B)/obj/%.o: %.c $(if $(SANITIZE),$(B)/flags)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

$(B)/rt/%.o: %.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(RT_CFLAGS) -c -o $@ $<

# Objects of the runtime are compiled with stack frames that begin as zeros (frames.awk says why).
$(B)/rt/src/runtime/%.o: src/runtime/%.c src/runtime/frames.awk
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(RT_CFLAGS) -MT $@ -MF $(@:.o=.d) -S -o $(@:.o=.raw) $<
	$(Q)awk -f src/runtime/frames.awk $(@:.o=.raw) >$(@:.o=.s)
	$(Q)$(CC) -c -o $@ $(@:.o=.s)
	@rm -f $(@:.o=.raw) $(@:.o=.s)

$(B)/rt/%.o: %.S
	$(call say,AS,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -g -c -o $@ $<

clean:
	rm -rf $(B) $(TEST_B)

include $(wildcard mk/*.mk)

# Sources of other programs lie in real.
-include $(shell find $(B) -path $(B)/real -prune -o -type f -name '*.d' -print 2>/dev/null)

.PHONY: all clean always
.DELETE_ON_ERROR:
