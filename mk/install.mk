# make install PREFIX=/usr/local DESTDIR=
MAN_PAGES := $(wildcard docs/man/*.1)

install: all
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/heddle \
	    $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/share/man/man1
	$(Q)install -m 755 $(HEDDLE) $(DESTDIR)$(PREFIX)/bin/
	$(Q)install -m 644 $(RT) $(CXX_LIB) $(DESTDIR)$(PREFIX)/lib/heddle/
	$(Q)install -m 644 include/heddle.h $(DESTDIR)$(PREFIX)/include/
	$(if $(MAN_PAGES),$(Q)install -m 644 $(MAN_PAGES) $(DESTDIR)$(PREFIX)/share/man/man1/)

uninstall:
	$(Q)rm -f $(DESTDIR)$(PREFIX)/bin/heddle $(DESTDIR)$(PREFIX)/include/heddle.h \
	    $(addprefix $(DESTDIR)$(PREFIX)/share/man/man1/,$(notdir $(MAN_PAGES)))
	$(Q)rm -rf $(DESTDIR)$(PREFIX)/lib/heddle

.PHONY: install uninstall
