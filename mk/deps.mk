# What the build stands on.  `make deps` installs it; without it every other goal that compiles
# ends at once with one line that says so.

deps:
	@tools/deps.sh

BARE_GOALS := deps demo check test test-long test-kill test-real ci clean help
ifneq ($(filter-out $(BARE_GOALS),$(or $(MAKECMDGOALS),all)),)
LLVM_VERSION := $(shell $(LLVM_CONFIG) --version 2>/dev/null)
ifeq ($(LLVM_VERSION),)
$(error heddle needs LLVM $(LLVM), and $(LLVM_CONFIG) is not installed: run 'make deps')
endif
ifeq ($(shell test $(firstword $(subst ., ,$(LLVM_VERSION))) -ge 16 && echo ok),)
$(error heddle needs LLVM 16 or newer, and this is $(LLVM_VERSION): run 'make deps', or name a newer one with LLVM=19)
endif
ifeq ($(shell command -v $(CC)),)
$(error heddle is built with $(CC), which is not installed: run 'make deps')
endif
endif

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

.PHONY: deps help
