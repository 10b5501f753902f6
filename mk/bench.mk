# make bench: cost per visible event and per execution, into bench/README.md;
# SCALE's tables beside ours, into bench/scale.md.

bench: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/run.sh
	@HEDDLE=$(abspath $(HEDDLE)) bench/scale.sh

.PHONY: bench

# make bench-scale: the experiments of SCALE's chapter 6, into bench/scale.md and bench/scale-*.svg.
bench-scale: all
	@tools/deps.sh bench
	@HEDDLE=$(abspath $(HEDDLE)) bench/scale.sh

.PHONY: bench-scale
