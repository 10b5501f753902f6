# make demo: from nothing to a bug found and replayed.

demo:
	@tools/deps.sh build
	@+$(MAKE) --no-print-directory all
	@tools/demo.sh $(HEDDLE)

.PHONY: demo
