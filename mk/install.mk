# make install PREFIX=/usr/local DESTDIR=
MAN_PAGES := $(wildcard docs/man/*.1)

install: all
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/heddle \
	    $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/man/man1 \
	    $(DESTDIR)$(PREFIX)/lib/cmake/heddle $(DESTDIR)$(PREFIX)/lib/pkgconfig
	$(Q)install -m 755 $(HEDDLE) $(DESTDIR)$(PREFIX)/bin/
	$(Q)install -m 644 $(RT) $(CXX_LIB) $(DESTDIR)$(PREFIX)/lib/heddle/
	$(Q)install -m 644 include/heddle.h $(DESTDIR)$(PREFIX)/include/
	$(Q)ln -sf heddle $(DESTDIR)$(PREFIX)/bin/heddle-cc
	$(Q)ln -sf heddle $(DESTDIR)$(PREFIX)/bin/heddle-c++
	$(Q)install -m 644 $(CMAKE) $(DESTDIR)$(PREFIX)/lib/cmake/heddle/
	$(Q)install -m 644 $(PC) $(DESTDIR)$(PREFIX)/lib/pkgconfig/
	$(if $(MAN_PAGES),$(Q)install -m 644 $(MAN_PAGES) $(DESTDIR)$(PREFIX)/share/man/man1/)

uninstall:
	$(Q)rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,heddle heddle-cc heddle-c++) \
	    $(DESTDIR)$(PREFIX)/lib/pkgconfig/heddle.pc $(DESTDIR)$(PREFIX)/include/heddle.h \
	    $(addprefix $(DESTDIR)$(PREFIX)/share/man/man1/,$(notdir $(MAN_PAGES)))
	$(Q)rm -rf $(DESTDIR)$(PREFIX)/lib/heddle $(DESTDIR)$(PREFIX)/lib/cmake/heddle

.PHONY: install uninstall
