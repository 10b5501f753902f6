# make install PREFIX=/usr/local DESTDIR=
# make deb        build/heddle_VERSION_ARCH.deb
# make test-deb   builds it, installs it, tries it, removes it (as root)
MAN_PAGES := $(wildcard docs/man/*.1)

COMPLETIONS := share/bash-completion/completions share/zsh/vendor-completions share/fish/vendor_completions.d

install: all
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/heddle \
	    $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/man/man1 \
	    $(DESTDIR)$(PREFIX)/lib/cmake/heddle $(DESTDIR)$(PREFIX)/lib/pkgconfig \
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
	$(Q)install -m 644 $(PC) $(DESTDIR)$(PREFIX)/lib/pkgconfig/
	$(if $(MAN_PAGES),$(Q)install -m 644 $(MAN_PAGES) $(DESTDIR)$(PREFIX)/share/man/man1/)
	$(Q)install -m 644 completions/heddle.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/heddle
	$(Q)install -m 644 completions/_heddle $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/
	$(Q)install -m 644 completions/heddle.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/

uninstall:
	$(Q)rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,heddle heddle-cc heddle-c++) \
	    $(DESTDIR)$(PREFIX)/lib/pkgconfig/heddle.pc $(DESTDIR)$(PREFIX)/include/heddle.h \
	    $(addprefix $(DESTDIR)$(PREFIX)/share/man/man1/,$(notdir $(MAN_PAGES)))
	$(Q)rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/heddle \
	    $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_heddle \
	    $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/heddle.fish
	$(Q)rm -rf $(DESTDIR)$(PREFIX)/lib/heddle $(DESTDIR)$(PREFIX)/lib/cmake/heddle

VERSION := $(shell sed -n 's/.*HD_VERSION "\(.*\)"/\1/p' src/base/version.h)
ARCH     = $(shell dpkg --print-architecture 2>/dev/null || echo amd64)
DEB      = $(B)/heddle_$(VERSION)_$(ARCH).deb

deb: all
	@rm -rf $(B)/deb
	@+$(MAKE) --no-print-directory install PREFIX=/usr DESTDIR=$(B)/deb
	$(Q)gzip -9n $(B)/deb/usr/share/man/man1/*.1
	$(Q)install -D -m 644 LICENSE $(B)/deb/usr/share/doc/heddle/copyright
	$(Q)strip --strip-unneeded $(B)/deb/usr/bin/heddle
	$(Q)install -d $(B)/deb/DEBIAN
	$(Q)sed -e 's/@VERSION@/$(VERSION)/' -e 's/@ARCH@/$(ARCH)/' \
	    -e "s/@SIZE@/$$(du -sk $(B)/deb/usr | cut -f1)/" packaging/control.in >$(B)/deb/DEBIAN/control
	$(call say,DEB,$(DEB))
	$(Q)dpkg-deb --root-owner-group --build $(B)/deb $(DEB) >/dev/null

test-deb: deb
	@packaging/try.sh $(DEB)

.PHONY: install uninstall deb test-deb
