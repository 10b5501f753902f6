# What build systems find heddle by: heddle-cc and heddle-c++ (names without a blank), the package for
# CMake, the file for pkg-config.  In build/ as in an installation.
VERSION := $(shell sed -n 's/.*HD_VERSION "\(.*\)"/\1/p' src/base/version.h)
DRIVERS := $(B)/bin/heddle-cc $(B)/bin/heddle-c++
PC      := $(B)/share/pkgconfig/heddle.pc
CMAKE   := $(addprefix $(B)/lib/cmake/heddle/heddle-config,.cmake -version.cmake)

all: $(DRIVERS) $(PC) $(CMAKE)

$(DRIVERS): $(HEDDLE)
	@mkdir -p $(@D)
	$(Q)ln -sf heddle $@

$(PC): share/heddle.pc.in src/base/version.h
	@mkdir -p $(@D)
	$(Q)sed 's/@VERSION@/$(VERSION)/' $< >$@

$(B)/lib/cmake/heddle/%.cmake: share/%.cmake
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(B)/lib/cmake/heddle/%-version.cmake: share/%-version.cmake.in src/base/version.h
	@mkdir -p $(@D)
	$(Q)sed 's/@VERSION@/$(VERSION)/' $< >$@
