# make bench: cost per visible event and per execution, into bench/README.md.

bench: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/run.sh

.PHONY: bench
