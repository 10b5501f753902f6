# make install PREFIX=/usr/local DESTDIR=
# make deb        build/heddle_VERSION_ARCH.deb
# make test-deb   builds it, installs it, tries it, removes it (as root)
MAN_PAGES := $(wildcard docs/man/*.1)

# Where zsh looks: here for what is installed by hand, in vendor-completions for Debian's packages.
ZSH_DIR     ?= share/zsh/site-functions
COMPLETIONS := share/bash-completion/completions $(ZSH_DIR) share/fish/vendor_completions.d

install: all
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/heddle \
	    $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/man/man1 \
	    $(DESTDIR)$(PREFIX)/lib/cmake/heddle $(DESTDIR)$(PREFIX)/share/pkgconfig \
	    $(addprefix $(DESTDIR)$(PREFIX)/,$(COMPLETIONS))
	$(Q)install -m 755 $(HEDDLE) $(DESTDIR)$(PREFIX)/bin/
	$(Q)install -m 644 $(RT) $(CXX_LIB) $(GDB) $(DESTDIR)$(PREFIX)/lib/heddle/
	$(if $(LUA_SO),$(Q)install -m 644 $(LUA_SO) $(DESTDIR)$(PREFIX)/lib/heddle/)
	$(if $(MPI),$(Q)install -m 644 $(MPI_SO) $(DESTDIR)$(PREFIX)/lib/heddle/)
	$(Q)install -m 644 include/heddle.h $(DESTDIR)$(PREFIX)/include/
	$(Q)install -d $(DESTDIR)$(PREFIX)/include/heddle
	$(Q)install -m 644 include/heddle/*.h $(DESTDIR)$(PREFIX)/include/heddle/
	$(Q)ln -sf heddle $(DESTDIR)$(PREFIX)/bin/heddle-cc
	$(Q)ln -sf heddle $(DESTDIR)$(PREFIX)/bin/heddle-c++
	$(Q)install -m 644 $(CMAKE) $(DESTDIR)$(PREFIX)/lib/cmake/heddle/
	$(Q)install -m 644 $(PC) $(DESTDIR)$(PREFIX)/share/pkgconfig/
	$(if $(MAN_PAGES),$(Q)install -m 644 $(MAN_PAGES) $(DESTDIR)$(PREFIX)/share/man/man1/)
	$(Q)echo '.so man1/heddle-cc.1' >$(DESTDIR)$(PREFIX)/share/man/man1/heddle-c++.1
	$(Q)install -m 644 completions/heddle.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/heddle
	$(Q)install -m 644 completions/_heddle $(DESTDIR)$(PREFIX)/$(ZSH_DIR)/
	$(Q)install -m 644 completions/heddle.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/

uninstall:
	$(Q)rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,heddle heddle-cc heddle-c++) \
	    $(DESTDIR)$(PREFIX)/share/pkgconfig/heddle.pc $(DESTDIR)$(PREFIX)/include/heddle.h \
	    $(addprefix $(DESTDIR)$(PREFIX)/share/man/man1/,$(notdir $(MAN_PAGES)) heddle-c++.1)
	$(Q)rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/heddle \
	    $(DESTDIR)$(PREFIX)/$(ZSH_DIR)/_heddle \
	    $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/heddle.fish
	$(Q)rm -rf $(addprefix $(DESTDIR)$(PREFIX)/,lib/heddle lib/cmake/heddle include/heddle)

VERSION := $(shell sed -n 's/.*HD_VERSION "\(.*\)"/\1/p' src/base/version.h)
ARCH     = $(shell dpkg --print-architecture 2>/dev/null || echo amd64)
DEB      = $(B)/heddle_$(VERSION)_$(ARCH).deb

# Who builds the package: Debian's own variables.
DEBFULLNAME ?= heddle developers
DEBEMAIL    ?= heddle@localhost
DEB_DOC      = $(B)/deb/usr/share/doc/heddle
DEB_FILL     = sed -e 's/@VERSION@/$(VERSION)/' -e 's/@ARCH@/$(ARCH)/' \
    -e 's/@MAINTAINER@/$(DEBFULLNAME) <$(DEBEMAIL)>/'

deb: all
	@rm -rf $(B)/deb
	@+$(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=$(B)/deb ZSH_DIR=share/zsh/vendor-completions
	$(Q)strip --strip-unneeded $(B)/deb/usr/bin/heddle $(if $(LUA_SO),$(B)/deb/usr/lib/heddle/heddle-lua.so)
	$(Q)install -D -m 644 packaging/copyright $(DEB_DOC)/copyright
	$(Q)install -m 644 CHANGELOG.md $(DEB_DOC)/
	$(Q)day=$$(sed -n 's/^## \[$(VERSION)\] - //p' CHANGELOG.md); \
	    $(DEB_FILL) -e "s/@DATE@/$$(LC_ALL=C date -u -R -d "$$day")/" packaging/changelog.in >$(DEB_DOC)/changelog
	$(Q)gzip -9n $(B)/deb/usr/share/man/man1/*.1 $(DEB_DOC)/CHANGELOG.md $(DEB_DOC)/changelog
	$(Q)install -D -m 644 packaging/lintian-overrides $(B)/deb/usr/share/lintian/overrides/heddle
	$(Q)install -d $(B)/deb/DEBIAN
	$(Q)$(DEB_FILL) -e "s/@SIZE@/$$(du -sk $(B)/deb/usr | cut -f1)/" packaging/control.in >$(B)/deb/DEBIAN/control
	$(Q)cd $(B)/deb && find usr -type f | sort | xargs md5sum >DEBIAN/md5sums
	$(call say,DEB,$(DEB))
	$(Q)dpkg-deb --root-owner-group --build $(B)/deb $(DEB) >/dev/null

test-deb: deb
	@packaging/try.sh $(DEB)

.PHONY: install uninstall deb test-deb
